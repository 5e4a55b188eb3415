"""Why: what was understood from which words, what follows, and what became of it. Pure: from rows to lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from zhixing.delivery.model import Message, MessageState
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import section, wording
from zhixing.notices.answers import base_kind
from zhixing.notices.model import Node, Source
from zhixing.notices.notice import Notice, NoticeState, Reminder, ReminderState
from zhixing.notices.protocol import Rejected, read_reply
from zhixing.notices.telling import moment_text, node_text
from zhixing.tasks.occurrence import Occurrence, OccurrenceState, reason_text


def explain_notice(notice: Notice, occurrences: Sequence[Occurrence], now: datetime) -> tuple[str, ...]:
    """Say why a notice will tell, told or does not tell, one fact a line."""
    zone = find_zone(notice.task.zone)
    today = now.astimezone(zone).date()
    lines = _source_lines(notice)
    for node in notice.nodes:
        lines.extend(node_lines(node, today, zone))
    lines.extend(_say(f"explain_answer_{base_kind(answer.kind)}", value=answer.value) for answer in notice.answers)
    lines.append(state_line(notice))
    lines.extend(series_lines(notice, today, zone))
    by_part = {occurrence.part: occurrence for occurrence in occurrences}
    lines.extend(
        _reminder_line(reminder, by_part.get(f"reminder{reminder.number}"), today, zone)
        for reminder in notice.reminders
    )
    return tuple(lines)


def _source_lines(notice: Notice) -> list[str]:
    """Say what it rests on: the words, or the picture with its transcript and the words beside it."""
    text = _single_line(notice.current.text)
    if notice.current.source is not Source.IMAGE or notice.picture is None:
        return [_say("explain_source", text=text)]
    facts = notice.picture
    lines = [_say("explain_picture", name=facts.name, width=facts.width, height=facts.height)]
    if text:
        lines.append(_say("explain_caption", text=text))
    transcript = transcript_of(notice)
    if transcript:
        lines.append(_say("explain_transcript", text=_single_line(transcript)))
    return lines


def transcript_of(notice: Notice) -> str | None:
    """Return what a model read in the picture of a notice; None where it has none or was not looked at."""
    if notice.current.source is not Source.IMAGE or notice.reply is None:
        return None
    reply = read_reply(notice.reply)
    return None if isinstance(reply, Rejected) else reply.transcript


def node_lines(node: Node, today: date, zone: ZoneInfo) -> list[str]:
    """Say what was understood from which words, and what nobody said."""
    lines = [
        _say("explain_node", what=node_text(node, today, zone), expression=node.expression, evidence=node.evidence)
    ]
    if node.lead_minutes is not None:
        lines.append(_say("explain_lead", minutes=node.lead_minutes, evidence=node.lead_evidence or ""))
    lines.extend(claim_lines([node]))
    return lines


def claim_lines(nodes: Iterable[Node]) -> list[str]:
    """Say every value that was inferred or taken by default, with the words that change it."""
    return [
        _say(f"claim_{claim.evidence}", value=claim.value)
        for node in nodes
        for claim in node.claims
        if claim.must_be_told
    ]


def series_lines(notice: Notice, today: date, zone: ZoneInfo) -> list[str]:
    """Say what repeats by which rule, when it comes next, and why it does not."""
    series = notice.series
    if series is None:
        return []
    lines = [_say("series_rule", rule=series.rule)]
    if not notice.task.active:
        return lines
    shown = any(reminder.number == 0 for reminder in notice.reminders)
    if series.next is not None and not shown:
        when = moment_text(series.next, today, zone)
        lines.append(_say("series_next", when=when, reason=reasons_text(series.plan.reason)))
    if series.waiting_since is not None:
        lines.append(_say("series_waiting", until=series.waiting_since.isoformat()))
    elif series.ended:
        lines.append(_say("series_ended"))
    if series.done:
        lines.append(_say("series_done", when=moment_text(series.matter(max(series.done)), today, zone)))
    return lines


def reminder_line(reminder: Reminder, today: date, zone: ZoneInfo) -> str:
    """Say when a planned reminder will come, and by which rule."""
    return _say("reminder_planned", when=moment_text(reminder.at, today, zone), reason=reasons_text(reminder.reason))


def explain_occurrence(occurrence: Occurrence, messages: Sequence[Message], zone: ZoneInfo, now: datetime) -> list[str]:
    """Say what became of one occurrence and of each message about it."""
    today = now.astimezone(zone).date()
    lines = [
        _say(
            "explain_occurrence",
            id=occurrence.id,
            due=moment_text(occurrence.due, today, zone),
            state=wording(f"tasks.occurrence_{occurrence.state.value}"),
            reason=reasons_text(occurrence.reason or ""),
        )
    ]
    for message in messages:
        at = moment_text(message.settled_at, today, zone) if message.settled_at else ""
        reason = "".join(f"（{part}）" for part in _about(message, today, zone))
        lines.append(
            _say(
                "explain_message",
                channel=message.channel,
                state=_say(f"message_{message.state.value}"),
                at=at,
                reason=reason,
            )
        )
    return lines


def _about(message: Message, today: date, zone: ZoneInfo) -> list[str]:
    """Say what held a message, what it went out with, and why it did not arrive."""
    parts = []
    if message.note is not None:
        until = moment_text(message.held_until, today, zone) if message.held_until else ""
        parts.append(wording(f"delivery.note_{message.note}", "zh", until=until))
    if message.digest is not None:
        parts.append(wording("delivery.note_digest", "zh", digest=message.digest))
    if message.reason is not None and message.state is not MessageState.SENT:
        parts.append(message.reason.text())
    return parts


def reasons_text(reason: str) -> str:
    """Word one or several reason codes joined by +."""
    known = section("notices", "zh")
    return "；".join(known.get(f"reason_{part}") or reason_text(part) for part in reason.split("+"))


def _reminder_line(reminder: Reminder, occurrence: Occurrence | None, today: date, zone: ZoneInfo) -> str:
    if reminder.state is ReminderState.PLANNED:
        return reminder_line(reminder, today, zone)
    when = moment_text(reminder.at, today, zone)
    if occurrence is not None and occurrence.state is not OccurrenceState.MISSED and occurrence.claimed_at:
        told = moment_text(occurrence.claimed_at, today, zone)
        return _say("reminder_told", when=when, told=told, reason=reasons_text(reminder.reason), id=occurrence.id)
    return _say(f"reminder_{reminder.state.value}_short", when=when, reason=reasons_text(reminder.reason))


def state_line(notice: Notice) -> str:
    """Say where a notice is."""
    if not notice.task.active:
        return _say(f"state_task_{notice.task.status.value}")
    if notice.question is not None:
        return _say("state_needs_confirmation", prompt=notice.question.prompt)
    if notice.state is NoticeState.PENDING_AI:
        return _say("state_pending_ai", why=_say(f"why_{notice.why}"))
    if notice.state is NoticeState.RETRYABLE_FAILURE and notice.why.startswith("model_"):
        return _say("state_model_failed", why=wording(f"models.{notice.why.removeprefix('model_')}", "zh", detail=""))
    if notice.state is NoticeState.NO_REMINDER:
        return _say("state_no_reminder", why=_say(f"why_{notice.why}"))
    return _say(f"state_{notice.state.value}")


def _single_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:79] + "…"


def _say(key: str, **values: object) -> str:
    return wording(f"notices.{key}", "zh", **values)
