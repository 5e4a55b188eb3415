"""Rules, actions and verdicts in words that a person reads. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.kernel.wording import wording
from zhixing.tasks.rules.model import Agreement, DeviceAction, Mode, Plan, Response, Rule
from zhixing.world.devices.port import Level

_UNITS = (("hours", 3_600), ("minutes", 60), ("seconds", 1))
_IN_SECONDS = 300
"""Amounts below are said in seconds, unless they are whole minutes."""
LONGEST = 200
"""Characters of a text from the world that are shown on one line."""


def rule_lines(rule: Rule, names: Mapping[str, str]) -> list[str]:
    """Say what a rule of a task does, and that it is stopped where it is; `names` are those of devices, by id."""
    head = wording("faces.rule", id=rule.id, name=single_line(rule.plan.name))
    if rule.stopped_by is not None:
        head += wording(f"faces.rule_stopped_by_{rule.stopped_by.value}")
    return [head, *(f"  {line}" for line in plan_lines(rule.plan, names))]


def plan_lines(plan: Plan, names: Mapping[str, str]) -> list[str]:
    """Say what is watched, when that counts, and what follows."""
    lines = [_watched(plan, names)]
    if plan.on_enter:
        key = "rule_on_event" if plan.trigger.mode is Mode.EVENT else "rule_on_enter"
        lines.append(wording(f"faces.{key}", what=response_text(plan.on_enter, names)))
    if plan.on_exit:
        after = amount(plan.exit_debounce)
        lines.append(wording("faces.rule_on_exit", after=after, what=response_text(plan.on_exit, names)))
    if plan.on_target:
        lines.append(wording("faces.rule_on_target", what=response_text(plan.on_target, names)))
    if plan.cooldown:
        lines.append(wording("faces.rule_cooldown", after=amount(plan.cooldown)))
    if plan.quiet:
        spans = wording("faces.and").join(f"{_clock(span.start)}–{_clock(span.end)}" for span in plan.quiet)
        lines.append(wording("faces.rule_quiet", spans=spans))
    return lines


def response_text(response: Response, names: Mapping[str, str]) -> str:
    """Say what is done in answer."""
    parts = [action_text(action, names) for action in response.actions]
    return wording("faces.then").join([*parts, *(single_line(desc) for desc in response.descs)])


def action_text(action: DeviceAction, names: Mapping[str, str]) -> str:
    """Say one command to a device: 客厅灯 on → false."""
    device, iid = names.get(action.did, action.did), capability(action.did, action.iid, names)
    if action.iid.startswith("action."):
        given = wording("faces.and").join(level_text(value) for value in action.params)
        return wording("faces.action_call", device=device, iid=iid, given=given)
    return wording("faces.action_write", device=device, iid=iid, value=level_text(action.value))


def capability(did: str, iid: str, names: Mapping[str, str]) -> str:
    """Name what a device can do: on, play-text; by its number where nobody knows its name."""
    return names.get(f"{did} {iid}", iid)


def level_text(value: Level | None) -> str:
    """Write a value as it is typed: true, 24.5, text as it is."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    return single_line(value) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def amount(seconds: int) -> str:
    """Say an amount of time: 5 分钟, 90 秒, 36 分钟 30 秒."""
    if seconds < _IN_SECONDS and seconds % 60:
        return wording("faces.amount_seconds", count=seconds)
    parts, rest = [], seconds
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(wording(f"faces.amount_{unit}", count=count))
    return " ".join(parts) or wording("faces.amount_seconds", count=0)


def held_text(held: float, needed: float) -> str:
    """Say how long something held of how long it had to; nothing where that is not why it did not happen."""
    if held >= needed:
        return ""
    return wording("faces.transition_held", held=amount(int(held)), needed=amount(int(needed)))


def exact_text(at: datetime, tz: ZoneInfo) -> str:
    """Name an instant in a zone to the second, or to its fraction where it has one."""
    return at.astimezone(tz).replace(tzinfo=None).isoformat(" ")


def single_line(text: str) -> str:
    """Return text from the world on one line and not at any length."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"


def _watched(plan: Plan, names: Mapping[str, str]) -> str:
    trigger = plan.trigger
    where = wording("faces.and").join(names.get(source, source) for source in trigger.sources)
    line = wording(
        "faces.rule_watches", where=where or wording("faces.rule_everywhere"), query=single_line(trigger.query)
    )
    if trigger.agreement is Agreement.ALL and len(trigger.sources) != 1:
        line += wording("faces.rule_all")
    if trigger.duration:
        line += wording("faces.rule_for", duration=amount(trigger.duration))
    return line


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
