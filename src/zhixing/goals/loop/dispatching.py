"""From a waiting leaf to one that runs: search, delivery, and what goes wrong on the way (§4.4, §4.5)."""

from __future__ import annotations

from typing import Any

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.effects import Kind, poll_of
from zhixing.goals.loop.events import Delivered, DeliverFailed, SearchResult, Started
from zhixing.goals.loop.hanging import ask_for_plan, hang
from zhixing.goals.loop.mirroring import mirror
from zhixing.goals.loop.model import Formation, Node
from zhixing.goals.loop.replies import IDEMPOTENT, IGNORED, NO_NODE, OK, Reply, conflict
from zhixing.goals.loop.tree import depth_of, is_external, is_over, is_scoped
from zhixing.goals.loop.values import CollabMode, Dispatch, DispatchError, Hung, NodeStatus, RunMode, SearchOutcome

NOBODY: dict[str, Any] = {"run_mode": None, "assignee": None, "reporter": "", "formation": None}
"""The members of a run that say who does it, when nobody does."""


def fill(board: Board) -> None:
    """Look for somebody for the leaves that wait, as far as the goal may do at once."""
    if is_over(board.graph):
        return
    free = board.limits.max_concurrency - sum(map(_is_busy, board.nodes.values()))
    waiting = [each.id for each in board.nodes.values() if each.run.dispatch is Dispatch.QUEUED]
    for node_id in waiting[: max(0, free)]:
        node = board.change(node_id, dispatch=Dispatch.SEARCHING, since=board.now)
        board.ask(Kind.SEARCH, node_id, node.run.attempt)


def _is_busy(node: Node) -> bool:
    if node.status is NodeStatus.RUNNING:
        return not is_scoped(node)
    return node.run.dispatch in {Dispatch.SEARCHING, Dispatch.DISPATCHING, Dispatch.UNKNOWN}


def on_search_result(board: Board, event: SearchResult) -> Reply:
    """Take what came of a search."""
    if event.node not in board.nodes or not board.answered(Kind.SEARCH, event.node, event.attempt):
        return IGNORED
    lacking = _lacking(event)
    if event.outcome is SearchOutcome.EXCEPTION:
        _not_dispatched(board, event.node, f"{DispatchError.EXCEPTION}:{event.reason or 'Exception'}")
    elif event.outcome is SearchOutcome.MISS or lacking:
        _missed(board, event.node, lacking or event.reason)
    else:
        node = board.change(event.node, **_hit(event), dispatch=Dispatch.DISPATCHING, dispatch_error="")
        board.change(event.node, since=board.now)
        board.ask(Kind.DELIVER, event.node, node.run.attempt)
    return OK


def _lacking(event: SearchResult) -> str:
    """Return why a hit cannot be used, empty when it can."""
    match event.outcome:
        case SearchOutcome.HIT_SINGLE:
            return "" if event.bot_id else "hit_single_no_bot_id"
        case SearchOutcome.HIT_GROUP:
            return "" if event.group_id else "hit_group_no_group_id"
        case SearchOutcome.HIT_MULTI_BOTS:
            return _lacking_of_group(event.formation)
        case _:
            return ""


def _lacking_of_group(formation: Formation | None) -> str:
    if formation is None or not formation.bot_ids:
        return "hit_multi_no_bot_ids"
    if formation.manager_bot_id and formation.manager_bot_id not in formation.bot_ids:
        return "hit_multi_manager_outside"
    if formation.collab_mode is CollabMode.STATE_MACHINE and not formation.definition_yaml:
        return "hit_multi_no_definition"
    return ""


def _hit(event: SearchResult) -> dict[str, Any]:
    match event.outcome:
        case SearchOutcome.HIT_SINGLE:
            return {**NOBODY, "run_mode": RunMode.SINGLE_BOT, "assignee": event.bot_id, "reporter": event.bot_id}
        case SearchOutcome.HIT_GROUP:
            return {**NOBODY, "run_mode": RunMode.COOP_GROUP, "assignee": event.group_id}
        case _:
            formed = event.formation or Formation(())
            return {
                "run_mode": RunMode.COOP_GROUP,
                "assignee": event.group_id or None,
                "reporter": formed.manager_bot_id or formed.bot_ids[0],
                "formation": formed,
            }


def _missed(board: Board, node_id: str, reason: str) -> None:
    """Nobody can do a leaf: split it, or give it up when it lies too deep for that."""
    misses = (*board.nodes[node_id].run.miss_events, reason or "miss")
    board.change(node_id, miss_events=misses, dispatch=Dispatch.NONE)
    if depth_of(board.graph, node_id) >= board.limits.max_depth:
        hang(board, node_id, Hung.MISS_DEPTH_EXHAUSTED)
    else:
        board.move(node_id, NodeStatus.PLANNING, "transition")
        ask_for_plan(board, node_id)


def _not_dispatched(board: Board, node_id: str, error: str) -> None:
    """Leave a leaf waiting with its error: the harness tries it again after a while."""
    board.change(node_id, **NOBODY, dispatch=Dispatch.ERROR, dispatch_error=error, since=board.now)
    board.note(node_id, "dispatch", {"error": error})


def on_delivered(board: Board, event: Delivered) -> Reply:
    """Let a leaf run that reached its executor."""
    if event.node not in board.nodes:
        return NO_NODE
    place = {"run_id": event.run_id, "session_id": event.session_id}
    if is_external(board.graph):
        if not _start_answered(board):
            return IGNORED
        board.change(event.node, **place, assignee=event.group_id or board.nodes[event.node].run.assignee)
        board.emit(poll_of(board.graph, event.node))
        return OK
    if not board.answered(Kind.DELIVER, event.node, event.attempt):
        return _arrived_late(board, event)
    run(board, event.node, **place, assignee=event.group_id or board.nodes[event.node].run.assignee)
    return OK


def _arrived_late(board: Board, event: Delivered) -> Reply:
    """Note where an attempt runs of which its executor was heard before: only so can it be stopped and collected."""
    node = board.nodes[event.node]
    is_this = event.attempt in {None, node.run.attempt} and not is_scoped(node)
    is_placed = node.run.run_id or node.run.session_id
    if node.status is not NodeStatus.RUNNING or is_over(board.graph) or not is_this or is_placed:
        return IGNORED
    group = event.group_id or node.run.assignee
    board.change(node.id, run_id=event.run_id, session_id=event.session_id, assignee=group)
    return OK


def run(board: Board, node_id: str, **members: Any) -> None:
    """Let a leaf run that was delivered. The instant of its first start is kept through all attempts."""
    board.drop(node_id, Kind.DELIVER)
    first = board.nodes[node_id].run.first_start
    board.move(
        node_id,
        NodeStatus.RUNNING,
        "dispatch",
        dispatch=Dispatch.NONE,
        since=board.now,
        first_start=board.now if first is None else first,
        **members,
    )
    board.emit(poll_of(board.graph, node_id))


def on_deliver_failed(board: Board, event: DeliverFailed) -> Reply:
    """Put a leaf back that provably reached nobody."""
    if event.node not in board.nodes:
        return NO_NODE
    reason = event.reason or DispatchError.START_RUN_FAILED.value
    if is_external(board.graph):
        if not _start_answered(board):
            return IGNORED
        mirror(board, passed=False, gaps=(reason,))
        return OK
    if not board.answered(Kind.DELIVER, event.node, event.attempt):
        return IGNORED
    _not_dispatched(board, event.node, reason)
    return OK


def _start_answered(board: Board) -> bool:
    return any(board.answered(kind, board.root_id, None) for kind in (Kind.START_WORKFLOW, Kind.START_YAML))


def on_started(board: Board, event: Started) -> Reply:
    """Take the word of an executor that it began, which also proves that the leaf was delivered."""
    if event.node not in board.nodes:
        return NO_NODE
    node = board.nodes[event.node]
    if event.attempt not in {None, node.run.attempt}:
        return conflict("attempt_superseded")
    if node.status is NodeStatus.RUNNING:
        return IDEMPOTENT
    if node.status is NodeStatus.PENDING and node.run.dispatch in {Dispatch.DISPATCHING, Dispatch.UNKNOWN}:
        run(board, node.id)
        return OK
    return conflict("not_delivered" if node.status is NodeStatus.PENDING else "not_running")
