"""After a restart: questions are asked again, what was provably not sent is sent, the rest is unknown and said so."""

from __future__ import annotations

from collections.abc import Mapping

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.dispatching import run
from zhixing.goals.loop.effects import ASKING, Kind, effect_of, poll_of
from zhixing.goals.loop.events import Restarted
from zhixing.goals.loop.model import Awaited
from zhixing.goals.loop.replies import OK, Reply
from zhixing.goals.loop.tree import is_external, is_over, is_scoped
from zhixing.goals.loop.values import Dispatch, NodeStatus


def on_restarted(board: Board, event: Restarted) -> Reply:
    """Take up a goal where it was. Doing so twice is harmless: every effect keeps its key."""
    if is_over(board.graph):
        return OK
    for node in list(board.nodes.values()):
        external_start = is_external(board.graph) and board.head.awaited
        if node.status is NodeStatus.RUNNING and not is_scoped(node) and not external_start:
            board.emit(poll_of(board.graph, node.id))
    for awaited in board.head.awaited:
        kind = Kind(awaited.kind)
        known = _known(event.in_flight, awaited)
        if kind in ASKING or known == "not_sent":
            board.emit(effect_of(board.graph, awaited))
        elif kind is Kind.DELIVER:
            _delivery(board, awaited, known)
        else:
            _start_or_message(board, awaited, known)
    return OK


def _known(in_flight: Mapping[str, str], awaited: Awaited) -> str:
    return in_flight.get(f"{awaited.kind}:{awaited.subject}", "unknown")


def _delivery(board: Board, awaited: Awaited, known: str) -> None:
    """Go on with a delivery: it runs, or nobody knows. Then its answer is awaited, and it is not sent again."""
    if known == "sent":
        run(board, awaited.subject)
    elif board.nodes[awaited.subject].run.dispatch is not Dispatch.UNKNOWN:
        board.change(awaited.subject, dispatch=Dispatch.UNKNOWN)
        board.note(awaited.subject, "dispatch", {"unknown": True})
        board.tell("delivery_unknown", awaited.subject)


def _start_or_message(board: Board, awaited: Awaited, known: str) -> None:
    """Go on with a start elsewhere, or a message to a relay bot: the other side is heard of, or its time runs out."""
    board.drop(awaited.subject, Kind(awaited.kind))
    if Kind(awaited.kind) is not Kind.RELAY:
        board.emit(poll_of(board.graph, awaited.subject))
    if known == "unknown":
        board.tell("delivery_unknown", awaited.subject)
