"""The sweep that finds what is stuck, and the bounded retries (§4.7). It never advances what goes well."""

from __future__ import annotations

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.dispatching import NOBODY
from zhixing.goals.loop.hanging import hang, offer, withdraw
from zhixing.goals.loop.limits import GROUP_SLA, SINGLE_SLA, Limits
from zhixing.goals.loop.model import Node
from zhixing.goals.loop.relaying import release, release_failed
from zhixing.goals.loop.tree import is_external, is_over, is_scoped, scoped_running
from zhixing.goals.loop.values import BBS_LEASE_EXPIRED, Dispatch, ExecError, Hung, NodeStatus, RunMode


def sla_of(limits: Limits, mode: RunMode | None) -> int:
    """Return how long an execution may take, in milliseconds."""
    return limits.sla or (GROUP_SLA if mode is RunMode.COOP_GROUP else SINGLE_SLA)


def due_of(limits: Limits, node: Node) -> int | None:
    """Return until when the present step of a node may take, None when it has no end of its own."""
    run = node.run
    if node.status is NodeStatus.RUNNING or run.dispatch in {Dispatch.DISPATCHING, Dispatch.UNKNOWN}:
        return run.since + sla_of(limits, run.run_mode)
    if run.dispatch in {Dispatch.SEARCHING, Dispatch.ERROR}:
        return run.since + limits.pending_timeout
    return None


def sweep(board: Board) -> None:
    """Try again what took too long, end relays that were not heard of, and offer again what nobody took."""
    if is_external(board.graph):
        return
    for node_id in list(board.nodes):
        due = due_of(board.limits, board.nodes[node_id])
        if due is not None and due < board.now and not is_over(board.graph):
            _overdue(board, board.nodes[node_id])
    if is_over(board.graph):
        return
    relay = board.head.relay
    if relay.claimed_at is not None and scoped_running(board.graph) is None and relay_due(board) < board.now:
        release(board)
    elif relay.next_offer is not None and relay.next_offer <= board.now:
        offer(board)


def relay_due(board: Board) -> int:
    """Return until when the owner of the rest has to attach."""
    return (board.head.relay.claimed_at or 0) + sla_of(board.limits, RunMode.BBS)


def _overdue(board: Board, node: Node) -> None:
    if is_scoped(node):
        release_failed(board, node.id, (BBS_LEASE_EXPIRED,))
        return
    waiting = node.run.dispatch in {Dispatch.SEARCHING, Dispatch.ERROR}
    withdraw(board, node)
    try_again(board, node.id, ExecError.PENDING_DISPATCH_STUCK if waiting else ExecError.SLA_TIMEOUT)


def try_again(board: Board, node_id: str, error: str) -> None:
    """Put a leaf out again as another attempt, or hang it when it was tried often enough."""
    run = board.nodes[node_id].run
    retries = run.retries + 1
    board.change(node_id, retries=retries, last_exec_error=error)
    if retries >= board.limits.max_harness:
        hang(board, node_id, Hung.EXEC_STUCK)
        return
    put_out(board, node_id)


def put_out(board: Board, node_id: str) -> None:
    """Have somebody looked for anew, for the next attempt at a leaf."""
    board.drop(node_id)
    node = board.nodes[node_id]
    if node.status is not NodeStatus.PENDING:
        board.move(node_id, NodeStatus.PENDING, "reset", hung_reason=None, ended_at=None)
    board.change(
        node_id,
        **NOBODY,
        attempt=node.run.attempt + 1,
        dispatch=Dispatch.QUEUED,
        dispatch_error="",
        since=board.now,
        run_id="",
        session_id="",
    )
