"""What people do to a goal: give it up, have something tried again, answer it themselves, change what it may use."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.events import Budget, Cancel, Resolve, Retry
from zhixing.goals.loop.hanging import ask_for_plan, cancel, settle, settle_above, take_up_again
from zhixing.goals.loop.harness import put_out
from zhixing.goals.loop.limits import shares
from zhixing.goals.loop.model import Acceptance, Judgement, Node
from zhixing.goals.loop.outputs import kept
from zhixing.goals.loop.replies import IDEMPOTENT, NO_NODE, OK, Reply, conflict, invalid
from zhixing.goals.loop.results import digest_of
from zhixing.goals.loop.tree import children_of, is_external, is_scoped
from zhixing.goals.loop.values import Dispatch, GraphStatus, NodeStatus, Verdict

_OPEN = {GraphStatus.RUNNING, GraphStatus.HUNG}
_STUCK = {Dispatch.UNKNOWN, Dispatch.ERROR}


def on_cancel(board: Board, _event: Cancel) -> Reply:
    """Give a goal up; again is the same."""
    if board.head.status is GraphStatus.CANCELLED:
        return IDEMPOTENT
    if board.head.status not in _OPEN:
        return conflict("graph_over")
    cancel(board)
    return OK


def on_retry(board: Board, event: Retry) -> Reply:
    """Try what hangs again with fresh retries and rounds; a leaf of which nobody knows whether it arrived, as well."""
    node = board.nodes.get(event.node or board.root_id)
    if node is None:
        return NO_NODE
    refused = _not_to_be_moved(board, node)
    if refused is not None:
        return refused
    if node.status is NodeStatus.PENDING and node.run.dispatch in _STUCK:
        put_out(board, node.id)
        return OK
    hangs = node.status is NodeStatus.HUNG or node.run.hung_reason is not None
    if not hangs and not _hung_children(board, node):
        return conflict("nothing_hangs")
    take_up_again(board, node.id)
    _revive(board, board.nodes[node.id])
    return OK


def _not_to_be_moved(board: Board, node: Node) -> Reply | None:
    if board.head.status not in _OPEN or is_external(board.graph):
        return conflict("graph_over")
    if is_scoped(node) or node.run.superseded:
        return conflict("relay_took_over")
    if _exhausted(board):
        return conflict("budget_exhausted")
    return None


def _exhausted(board: Board) -> bool:
    used = shares(board.limits, board.head.spent, board.now - board.head.started_at)
    return any(share >= 1 for share in used.values())


def _hung_children(board: Board, node: Node) -> list[Node]:
    children = children_of(board.graph, node.id)
    return [n for n in children if n.status is NodeStatus.HUNG and not n.run.superseded and not is_scoped(n)]


def _revive(board: Board, node: Node) -> None:
    """Set a hung node going again: its hung children, or its plan, or, for a leaf, the next attempt."""
    hung = _hung_children(board, node)
    leaf = node.id != board.root_id and not children_of(board.graph, node.id)
    board.change(node.id, hung_reason=None, retries=0, plan_round=0, plan_failures=0)
    if leaf:
        put_out(board, node.id)
        return
    if node.status is NodeStatus.HUNG:
        board.move(node.id, NodeStatus.PLANNING, "reset", ended_at=None)
    for each in hung:
        _revive(board, each)
    if not hung:
        settle(board, node.id)


def on_resolve(board: Board, event: Resolve) -> Reply:
    """Take a person's answer for a hung node. That of the root is handed to the owner bot, which checks the goal."""
    node = board.nodes.get(event.node)
    if node is None:
        return NO_NODE
    digest = digest_of(node.id, "resolve", 0, {"output": event.output})
    if digest in node.run.receipts:
        return IDEMPOTENT
    refused = _not_to_be_moved(board, node)
    if refused is not None:
        return refused
    output = kept(event.output)
    if not output:
        return invalid("output")
    is_root = node.id == board.root_id
    if node.status is not NodeStatus.HUNG and not (is_root and node.run.hung_reason is not None):
        return conflict("nothing_hangs")
    take_up_again(board, node.id)
    board.change(node.id, output=output, receipts=(*node.run.receipts, digest), hung_reason=None)
    if is_root:
        if node.status is NodeStatus.HUNG:
            board.move(node.id, NodeStatus.PLANNING, "reset", ended_at=None)
        ask_for_plan(board, node.id)
        return OK
    metric = tuple(Judgement(each.id, passed=True, evidence="person") for each in node.spec.acceptances)
    board.move(node.id, NodeStatus.DONE, "verify", acceptance=Acceptance(Verdict.PASS, metric), ended_at=board.now)
    _supersede_below(board, node.id)
    settle_above(board, node.id)
    return OK


def _supersede_below(board: Board, node_id: str) -> None:
    """Let an answer stand for everything that hangs under its node."""
    for each in children_of(board.graph, node_id):
        if each.status is NodeStatus.HUNG:
            board.change(each.id, superseded=True)
            _supersede_below(board, each.id)


def on_budget(board: Board, event: Budget) -> Reply:
    """Set what a goal may use. A goal that stopped for want of it goes on when a person has it tried again."""
    if board.head.status not in _OPEN:
        return conflict("graph_over")
    given: dict[str, Any] = {"tokens": event.tokens, "cost": event.cost, "wall_clock": event.wall_clock}
    if event.left is not None:
        given["tokens"] = board.head.spent.tokens + event.left if event.left >= 0 else -1
    changed = {name: value for name, value in given.items() if value is not None}
    if not changed or any(value < 0 for value in changed.values()):
        return invalid("budget")
    info = board.head.info
    told = tuple(each for each in board.head.told if each not in changed)
    board.change_head(info=replace(info, limits=replace(info.limits, **changed)), told=told)
    board.note(board.root_id, "budget", changed)
    return OK
