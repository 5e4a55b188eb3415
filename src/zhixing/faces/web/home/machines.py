"""The machines of rules in words: where each one is, what it did, and the drawing of that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.faces.rule_words import amount, plan_lines, single_line
from zhixing.faces.web.home.asking import Span
from zhixing.faces.web.home.drawing import Drawing, draw
from zhixing.faces.web.home.history import Moment, history_of
from zhixing.faces.web.home.naming import Text
from zhixing.faces.web.home.reading import Machine
from zhixing.kernel.moments import from_micros
from zhixing.tasks.rules.machine import Phase

MOST_LINES = 12
"""Moments that are told in words, the latest."""
_KINDS = {"fired": "good", "short": "", "blocked": "warm", "switched": "bad"}


@dataclass(frozen=True, slots=True)
class ShownMachine:
    """A rule: what it watches, where it is now and why, the drawing, and what it did in words, the latest first."""

    id: str
    task_id: str
    name: str
    lines: tuple[str, ...]
    state: str
    kind: str
    now: str
    drawing: Drawing
    moments: tuple[tuple[str, str, str, str], ...]
    cut: bool


def shown_machine(
    machine: Machine, names: dict[str, str], *, span: Span, now: datetime, zone: ZoneInfo, text: Text
) -> ShownMachine:
    """Return a rule as the page shows it."""
    rule, state = machine.row.rule, machine.row.state
    history = history_of(rule, state, machine.truth, machine.entries, now)
    key, kind, line = _standing(machine, now, zone, text)
    drawing = draw(history, span, now, zone)
    told = [sign.moment for sign in drawing.signs][-MOST_LINES:]
    return ShownMachine(
        rule.id,
        rule.task_id,
        single_line(rule.plan.name),
        tuple(plan_lines(rule.plan, names)),
        text(f"web_home.state_{key}"),
        kind,
        line,
        drawing,
        tuple(_told(moment, zone, text) for moment in reversed(told)),
        machine.cut and bool(machine.entries) and machine.entries[-1].at > now - span.length,
    )


def _told(moment: Moment, zone: ZoneInfo, text: Text) -> tuple[str, str, str, str]:
    kind = "bad" if moment.ended in {"failed", "interrupted", "missed"} else _KINDS[moment.sign]
    when = f"{moment.at.astimezone(zone):%m-%d %H:%M:%S}"
    return when, text(f"web_home.did_{moment.what}"), _about(moment, text), kind


def _about(moment: Moment, text: Text) -> str:
    if moment.what == "near_miss":
        line = text(f"faces.transition_why_{moment.why}") if moment.why in _WHYS else single_line(moment.why)
        if moment.held < moment.needed:
            held, needed = amount(int(moment.held)), amount(int(moment.needed))
            line += text("faces.transition_held", held=held, needed=needed)
        return line
    if moment.what == "stopped":
        return text("faces.transition_why_limit") if moment.why == "limit" else ""
    return text(f"web_home.ended_{moment.ended}") if moment.ended else ""


_WHYS = frozenset(
    ("held", "unknown", "outage", "already_true", "passed_while_stopped", "cooldown", "quiet", "limit", "old_event")
)


def _standing(machine: Machine, now: datetime, zone: ZoneInfo, text: Text) -> tuple[str, str, str]:
    """Return where a rule is now, as the name of a text, the kind of its badge, and one line that says why."""
    rule, state, truth = machine.row.rule, machine.row.state, machine.truth

    def clock(at: int) -> str:
        return f"{from_micros(at).astimezone(zone):%m-%d %H:%M:%S}"

    if rule.stopped_by is not None:
        return "stopped", "bad", text(f"web_home.stopped_by_{rule.stopped_by.value}")
    blind = "" if truth.unknown_since is None else text("web_home.now_unknown", since=clock(truth.unknown_since))
    match state.phase:
        case Phase.INSIDE:
            return "inside", "good", f"{text('web_home.now_inside', since=clock(state.since))} {blind}".rstrip()
        case Phase.SILENT:
            return "silent", "warm", f"{text('web_home.now_silent', since=clock(state.since))} {blind}".rstrip()
        case Phase.LEAVING:
            after = amount(rule.plan.exit_debounce)
            return "leaving", "warm", text("web_home.now_leaving", since=clock(state.left_at), after=after)
        case Phase.IDLE:
            pass
    if blind:
        return "unknown", "warm", blind
    if truth.last is None:
        return "idle", "", text("web_home.now_never")
    if truth.last is False:
        return "idle", "", text("web_home.now_false", since=clock(truth.left_at))
    since = max(truth.held_since, state.count_from)
    due = from_micros(since) + timedelta(seconds=rule.plan.trigger.duration)
    left = amount(max(0, int((due - now).total_seconds())))
    return "held", "good", text("web_home.now_held", since=clock(since), left=left)
