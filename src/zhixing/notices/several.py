"""The times of one matter together: each in its own context, and each answer for the time that asked (document 004 §4).

Pure. An answer of a kind belongs to the first time that cannot be settled without it, and to no other: 周五 that the
user explained does not move the 10月20日 beside it. The day of the message and the year hold for all that need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date

import msgspec
from msgspec.structs import replace

from zhixing.kernel.claims import Basis, Claim
from zhixing.language.timex import CalendarDate
from zhixing.notices.answers import node_kind
from zhixing.notices.model import UNTIMED, CandidateNode, Node, Precision
from zhixing.notices.ranges import in_order, over_midnight
from zhixing.notices.resolve import Ask, Context, resolve

_FOR_ALL = frozenset(("message_date",))
_SHARED = frozenset(("message_date", "year"))
_HALF_OPEN = frozenset(("meridiem", "clock_time"))


class Unresolved(msgspec.Struct, frozen=True):
    """What has to be asked, and the nodes before the one that asks."""

    ask: Ask
    nodes: tuple[Node, ...]


def resolve_all(nodes: Sequence[CandidateNode], context: Context) -> tuple[Node, ...] | Unresolved:
    """Resolve the nodes of one candidate, up to the first that has to be asked about."""
    if len(nodes) == 1 and nodes[0].kind not in UNTIMED and not nodes[0].carried:
        only = resolve(nodes[0], _own(nodes[0], context))
        return Unresolved(only, ()) if isinstance(only, Ask) else (only,)
    alone = sum(node.kind not in UNTIMED for node in nodes) == 1
    found: list[Node] = []
    spent: frozenset[str] = frozenset()
    for number, node in enumerate(nodes, 1):
        if node.kind in UNTIMED:
            found.append(Node(node.kind, Precision.UNKNOWN, node.expression, node.evidence))
            continue
        own = _own(node, context)
        left = found[-1] if node.closes and found else None
        if not alone:
            own = replace(own, answers=own.answers.of_node(number, spent))
        one = resolve(node, own) if alone else _first_without(node, own, left)
        if isinstance(one, Node) and left is not None:
            one = _behind(node, own, left, one)
        if isinstance(one, Ask):
            return Unresolved(one if alone else _named(one, node, number, spent), tuple(found))
        spent |= {claim.evidence for claim in one.claims if claim.basis is Basis.ANSWERED} - _SHARED
        found.append(_with_carried(node, one, context))
    return tuple(found)


def _own(node: CandidateNode, context: Context) -> Context:
    if not node.quoted:
        return context
    return replace(context, speaks_now=False, message_date=context.message_date or node.sent_on)


def _named(ask: Ask, node: CandidateNode, number: int, spent: frozenset[str]) -> Ask:
    """Say which time asks; where an earlier one asked the same, the answer is this one's own."""
    kind = node_kind(ask.kind, number) if ask.kind in spent else ask.kind
    return replace(ask, kind=kind, about="" if ask.kind in _SHARED else node.expression)


def _first_without(node: CandidateNode, context: Context, left: Node | None) -> Node | Ask:
    """Resolve a node by its words, then by its place in a range, then by the answers that are its own."""
    answers = context.answers
    found = resolve(node, replace(context, answers=answers.only(_FOR_ALL)))
    if isinstance(found, Ask) and found.kind in _HALF_OPEN and left is not None:
        ordered = in_order(node, left, found.options)
        if ordered is not None:
            found = resolve(ordered, replace(context, answers=answers.only(_FOR_ALL)))
            if isinstance(found, Node):
                return replace(found, claims=(*found.claims, Claim(_clock(found), Basis.INFERRED, "range_order")))
    if isinstance(found, Ask):
        return resolve(node, context)
    return found


def _clock(node: Node) -> str:
    return f"{node.at:%H:%M}" if node.at else ""


def _behind(node: CandidateNode, context: Context, left: Node, right: Node) -> Node | Ask:
    """Return a right end that does not lie before its left end, or ask for its day."""
    if not _before(right, left):
        return right
    moved = over_midnight(node, left, right), _on_answered_day(node, context)
    for again in moved:
        found = None if again is None else resolve(again, replace(context, answers=context.answers.only(_FOR_ALL)))
        if isinstance(found, Node) and not _before(found, left):
            answered = again is not None and not again.carried
            claims = (Claim(str(_day(found)), Basis.ANSWERED, "invalid_date"),) if answered else ()
            return replace(found, claims=(*found.claims, *claims))
    return Ask("invalid_date")


def _on_answered_day(node: CandidateNode, context: Context) -> CandidateNode | None:
    answered = context.answers.day("invalid_date")
    if answered is None:
        return None
    day = CalendarDate(answered.day.year, answered.day.month, answered.day.day)
    return replace(node, carried=False, time=replace(node.time, date=day, weekday=answered.weekday, also=None))


def _day(node: Node) -> date | None:
    return node.at.date() if node.at else node.day


def _before(right: Node, left: Node) -> bool:
    if right.at is not None and left.at is not None:
        return right.at.astimezone(UTC) < left.at.astimezone(UTC)
    days = _day(right), _day(left)
    return days[0] is not None and days[1] is not None and days[0] < days[1]


def _with_carried(node: CandidateNode, found: Node, context: Context) -> Node:
    """Add the claim that the day was taken from the time before; nobody said it here."""
    if not node.carried or any(claim.basis is Basis.ANSWERED for claim in found.claims):
        return found
    day = found.at.astimezone(context.zone).date() if found.at else found.day
    return replace(found, claims=(*found.claims, Claim(str(day), Basis.INFERRED, "day_carried")))
