"""When to tell the user: the table of document 004 §5, and nothing else.

Pure: `(nodes, now, zone) -> reminders`. Leads count back in real minutes from the instant; the 09:00 of a bare date
is a wall-clock policy of its own and never becomes the time of the matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from zhixing.kernel.moments import settle
from zhixing.notices.model import Node, NodeKind, PlannedReminder

DEFAULT_LEAD = timedelta(minutes=30)
DEADLINE_LEAD = timedelta(hours=1)
TOO_CLOSE = timedelta(minutes=2)
MORNING = time(9, 0)
_FIRST = datetime.min.replace(tzinfo=UTC)

_TOLD = frozenset((NodeKind.OPEN, NodeKind.START, NodeKind.DEADLINE, NodeKind.REMINDER))


def plan(nodes: Sequence[Node], now: datetime, zone: ZoneInfo) -> tuple[PlannedReminder, ...]:
    """Return the reminders that are still to come, earliest first; equal instants are merged."""
    now = now.astimezone(UTC)
    if len(nodes) == 1:
        only = _of_node(nodes[0], 0, now, zone)
        return () if only is None else (only,)
    # In UTC: Python does not tell the two halves of a repeated hour apart in their own zone.
    found: dict[datetime | None, PlannedReminder] = {}
    for index, node in enumerate(nodes):
        reminder = _of_node(node, index, now, zone)
        if reminder is None:
            continue
        key = reminder.at.astimezone(UTC) if reminder.at else None
        known = found.get(key)
        if known is not None:
            reason = known.reason if reminder.reason in known.reason.split("+") else f"{known.reason}+{reminder.reason}"
            reminder = PlannedReminder(known.at, reason, (*known.nodes, index))
        found[key] = reminder
    return tuple(found[key] for key in sorted(found, key=lambda at: at or _FIRST))


def reminder_after_deadline(nodes: Sequence[Node]) -> bool:
    """Whether a reminder that the user asked for lies behind a certain deadline of the same matter (§5)."""
    return bool(late_reminders(nodes))


def late_reminders(nodes: Sequence[Node]) -> frozenset[int]:
    """Return which nodes are reminders that lie behind a certain deadline of the same matter."""
    if len(nodes) < 2:
        return frozenset()
    deadlines = [node.at.astimezone(UTC) for node in nodes if node.kind is NodeKind.DEADLINE and node.at]
    return frozenset(
        index
        for index, node in enumerate(nodes)
        if node.kind is NodeKind.REMINDER
        and node.at
        and any(node.at.astimezone(UTC) > deadline for deadline in deadlines)
    )


def _of_node(node: Node, index: int, now: datetime, zone: ZoneInfo) -> PlannedReminder | None:
    if node.at is None:
        return _of_day(node, index, now, zone) if node.day is not None else None
    if node.lead_minutes is not None:
        # An early time that was asked for and has passed is not replaced by a default (§5).
        return _at(node.at.astimezone(UTC) - timedelta(minutes=node.lead_minutes), "lead", index, now, zone)
    match node.kind:
        case NodeKind.REMINDER:
            return _at(node.at, "specified", index, now, zone)
        case NodeKind.OPEN:
            return _at(node.at, "open", index, now, zone)
        case NodeKind.START:
            early = node.at.astimezone(UTC) - DEFAULT_LEAD
            if early > now:
                return _at(early, "default_start_30", index, now, zone)
            return _at(node.at, "at_start_lead_passed", index, now, zone)
        case NodeKind.DEADLINE:
            early = node.at.astimezone(UTC) - DEADLINE_LEAD
            if early > now:
                return _at(early, "deadline_1h", index, now, zone)
            return (
                PlannedReminder(None, "deadline_asap", (index,)) if node.at.astimezone(UTC) - now > TOO_CLOSE else None
            )
        case _:
            return None


def _at(at: datetime, reason: str, index: int, now: datetime, zone: ZoneInfo) -> PlannedReminder | None:
    return PlannedReminder(at.astimezone(zone), reason, (index,)) if at.astimezone(UTC) >= now else None


def _of_day(node: Node, index: int, now: datetime, zone: ZoneInfo) -> PlannedReminder | None:
    day = node.day
    if day is None or (node.kind not in _TOLD and node.lead_minutes is None):
        return None
    if node.lead_minutes is not None:
        return _at(_morning(day - timedelta(minutes=node.lead_minutes), zone), "lead", index, now, zone)
    morning = _morning(day, zone)
    if morning.astimezone(UTC) >= now:
        return PlannedReminder(morning, "date_0900", (index,))
    if now.astimezone(zone).date() == day:
        return PlannedReminder(None, "date_asap", (index,))
    return None


def _morning(day: date, zone: ZoneInfo) -> datetime:
    return settle(datetime.combine(day, MORNING), zone)
