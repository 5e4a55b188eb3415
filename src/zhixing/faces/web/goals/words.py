"""States, reasons and amounts of goals in words, in either language. Pure."""

from __future__ import annotations

import json
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.goals.keeping.news import reason_text
from zhixing.goals.keeping.texts import storable
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.values import Dispatch, GraphStatus, NodeStatus
from zhixing.kernel.moments import from_micros
from zhixing.kernel.wording import Language, wording

LONGEST_OUTPUT = 20_000
"""Characters of a result that stand on a page; all of it comes over the API."""
GOAL_BADGES = {
    GraphStatus.RUNNING: "",
    GraphStatus.DONE: "good",
    GraphStatus.FAILED: "bad",
    GraphStatus.HUNG: "warm",
    GraphStatus.CANCELLED: "",
}
_NODE_BADGES = {NodeStatus.DONE: "good", NodeStatus.HUNG: "warm", NodeStatus.FAILED: "bad"}
_DISPATCHED = {Dispatch.QUEUED, Dispatch.SEARCHING, Dispatch.DISPATCHING, Dispatch.ERROR, Dispatch.UNKNOWN}


def node_state(node: Node, language: Language) -> tuple[str, str]:
    """Say how a node stands, with the kind of its badge."""
    if node.run.superseded:
        return wording("goal_pages.superseded", language), ""
    if node.status is NodeStatus.PENDING and node.run.dispatch in _DISPATCHED:
        kind = "warm" if node.run.dispatch in {Dispatch.UNKNOWN, Dispatch.ERROR} else ""
        return wording(f"goal_pages.dispatch_{node.run.dispatch.value}", language), kind
    return wording(f"goal_pages.node_{node.status.value}", language), _NODE_BADGES.get(node.status, "")


def goal_reason(graph: Graph, language: Language) -> str:
    """Say why a goal stopped, or stops for now; "" where nothing hangs."""
    head = graph.head
    reason = head.hung_reason or graph.root.run.hung_reason
    if reason is None or head.status in {GraphStatus.DONE, GraphStatus.CANCELLED}:
        return ""
    return reason_text(reason.value, language)


def moment(millis: int, zone: ZoneInfo) -> str:
    """Name an instant on the clock of the home."""
    return f"{from_micros(millis * 1000).astimezone(zone):%m-%d %H:%M}"


def instant(millis: int, zone: ZoneInfo) -> str:
    """Name an instant to the second: much may happen within a minute."""
    return f"{from_micros(millis * 1000).astimezone(zone):%m-%d %H:%M:%S}"


def span(millis: int, language: Language) -> str:
    """Name a length of time in its two largest units."""
    seconds = max(0, millis) // 1000
    hours, minutes, seconds = seconds // 3600, seconds % 3600 // 60, seconds % 60
    if hours:
        return wording("goal_pages.hours", language, hours=hours, minutes=minutes)
    if minutes:
        return wording("goal_pages.minutes", language, minutes=minutes, seconds=seconds)
    return wording("goal_pages.seconds", language, seconds=seconds)


def amount(cost: float) -> str:
    """Write a cost without the noughts at its end."""
    return f"{cost:.4f}".rstrip("0").rstrip(".")


def output_text(value: Any) -> str:
    """Return what a bot handed over as it is read: a text with its lines, anything else as JSON; cut where long."""
    if isinstance(value, str):
        text = value
    else:
        try:
            text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
        except (RecursionError, ValueError):
            text = "…"
    text = storable(text[: LONGEST_OUTPUT + 1])
    return text if len(text) <= LONGEST_OUTPUT else text[: LONGEST_OUTPUT - 1] + "…"
