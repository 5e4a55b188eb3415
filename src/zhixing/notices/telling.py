"""What a reminder says: the matter, and what is at that time, at the precision it was given with."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from zhixing.kernel.wording import wording
from zhixing.notices.asking import day_label
from zhixing.notices.model import Node, NodeKind, Precision

ON_TIME_SECONDS = 60
"""A telling later than this says so."""


def reminder_text(title: str, nodes: tuple[Node, ...], due: datetime, now: datetime, zone: ZoneInfo) -> str:
    """Word a reminder that was due at `due` and is told at `now`."""
    today = now.astimezone(zone).date()
    # The instant of a reminder that the user named is now; it says nothing more about the matter.
    parts = [node_text(node, today, zone) for node in nodes if node.kind is not NodeKind.REMINDER]
    text = "；".join([title, *parts])
    if (now - due).total_seconds() > ON_TIME_SECONDS:
        return wording("notices.told_late", "zh", text=text, due=moment_text(due, today, zone))
    return text


def node_text(node: Node, today: date, zone: ZoneInfo) -> str:
    """Say what happens at a node's time: 10月20日 18:00 截止."""
    when = (
        moment_text(node.at, today, zone)
        if node.precision is Precision.MINUTE and node.at
        else day_label(node.day, today)
        if node.day
        else node.expression
    )
    return wording(f"notices.node_{node.kind.value}", "zh", when=when)


def moment_text(at: datetime, today: date, zone: ZoneInfo) -> str:
    """Name an instant in its zone: 明天（10月13日 周二）15:00."""
    local = at.astimezone(zone)
    seconds = f":{local.second:02}" if local.second else ""
    return f"{day_label(local.date(), today)} {local.hour:02}:{local.minute:02}{seconds}"
