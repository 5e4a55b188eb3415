"""Reports of executors: at most one transition each, repeats acknowledged, late ones kept and never applied (§2.6)."""

from __future__ import annotations

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.dispatching import run
from zhixing.goals.loop.events import Report
from zhixing.goals.loop.hanging import ask_for_plan, hang, settle_above
from zhixing.goals.loop.harness import try_again
from zhixing.goals.loop.limits import MOST_COUNTED, MOST_LATE, MOST_RECEIPTS
from zhixing.goals.loop.mirroring import mirror
from zhixing.goals.loop.model import Acceptance, Judgement, Late, Node
from zhixing.goals.loop.relaying import release_failed
from zhixing.goals.loop.replies import IDEMPOTENT, IGNORED, NO_NODE, OK, RECORDED, Reply, conflict, forbidden
from zhixing.goals.loop.results import Broken, Failed, Passed, Result, content_of, digest_of, result_of, shortened
from zhixing.goals.loop.tree import is_external, is_over, is_scoped, remedies_above
from zhixing.goals.loop.values import BBS_LEASE_EXPIRED, Dispatch, Hung, NodeStatus, Verdict

_ON_ITS_WAY = {Dispatch.DISPATCHING, Dispatch.UNKNOWN}


def on_report(board: Board, event: Report) -> Reply:
    """Take a report. What is refused is not remembered, so that it may be sent again."""
    node = board.nodes.get(event.node)
    if node is None:
        return NO_NODE
    if _is_known(node, event):
        return IDEMPOTENT
    attempt = node.run.attempt if event.attempt is None else event.attempt
    if is_scoped(node):
        return _of_relay(board, node, event)
    if attempt < node.run.attempt or not _is_open(board, node):
        return record_late(board, node.id, attempt, event)
    if node.status is NodeStatus.PLANNING:
        return conflict("not_a_leaf")
    if node.status is NodeStatus.PENDING:
        return _before_start(board, node, attempt, event)
    if attempt > node.run.attempt:
        return conflict("unknown_attempt")
    return _taken(board, node, event)


def _is_open(board: Board, node: Node) -> bool:
    open_states = {NodeStatus.PENDING, NodeStatus.RUNNING, NodeStatus.PLANNING}
    return not is_over(board.graph) and node.status in open_states


def _is_known(node: Node, event: Report) -> bool:
    """Whether a report was applied or kept before, under its id or by its content.

    One without an attempt counts for the attempt under way; before that one can have had it, for the one before.
    """
    if event.event_id and _event(event.event_id) in node.run.receipts:
        return True
    attempts = {node.run.attempt} if event.attempt is None else {event.attempt}
    if event.attempt is None and node.status is not NodeStatus.RUNNING:
        attempts.add(node.run.attempt - 1)
    known = {*node.run.receipts, *(each.digest for each in node.run.late)}
    return any(_digest(node, event, each) in known for each in attempts)


def _event(event_id: str) -> str:
    return f"event:{event_id}"


def _digest(node: Node, event: Report, attempt: int) -> str:
    return digest_of(node.id, event.kind, attempt, content_of(event))


def _before_start(board: Board, node: Node, attempt: int, event: Report) -> Reply:
    """Take a report about a leaf that does not run: of an earlier attempt, or faster than the word of its delivery."""
    if node.run.dispatch not in _ON_ITS_WAY and node.run.attempt > 1 and event.attempt is None:
        return record_late(board, node.id, attempt - 1, event)
    if node.run.dispatch is not Dispatch.UNKNOWN or attempt != node.run.attempt:
        return conflict("not_running")
    if _is_forged(node, event):
        return forbidden("not_the_reporter")
    # Nobody knew whether it had been delivered; its result proves it.
    run(board, node.id)
    return _taken(board, board.nodes[node.id], event)


def _is_forged(node: Node, event: Report) -> bool:
    return bool(event.by and node.run.reporter and event.by != node.run.reporter)


def _taken(board: Board, node: Node, event: Report) -> Reply:
    if _is_forged(node, event):
        return forbidden("not_the_reporter")
    note_receipt(board, node.id, _digest(node, event, node.run.attempt), event.event_id)
    board.note(node.id, "execute", {"exec_error": str(event.exec_error)} if event.exec_error else {})
    result = result_of(event)
    if is_external(board.graph):
        _mirrored(board, result)
    else:
        _applied(board, node.id, result)
    return OK


def note_receipt(board: Board, node_id: str, digest: str, event_id: str = "") -> None:
    """Remember that something was applied."""
    names = (digest, _event(event_id)) if event_id else (digest,)
    board.change(node_id, receipts=(*board.nodes[node_id].run.receipts, *names)[-MOST_RECEIPTS:])


def _applied(board: Board, node_id: str, result: Result) -> None:
    node = board.nodes[node_id]
    match result:
        case Passed(output):
            metric = tuple(Judgement(ac.id, passed=True, evidence=_evidence(node)) for ac in node.spec.acceptances)
            board.change(node_id, output={**node.run.output, **output}, acceptance=Acceptance(Verdict.PASS, metric))
            board.move(node_id, NodeStatus.DONE, "verify", ended_at=board.now)
            settle_above(board, node_id)
        case Failed(output, gaps):
            board.change(node_id, output={**node.run.output, **output}, acceptance=Acceptance(Verdict.FAIL, gaps=gaps))
            board.move(node_id, NodeStatus.FAILED, "verify")
            _remedy(board, node_id)
        case Broken(error):
            try_again(board, node_id, error)


def _evidence(node: Node) -> str:
    return f"{node.run.assignee or node.id}#{node.run.attempt}"


def _remedy(board: Board, node_id: str) -> None:
    """Have a child planned that closes the gaps; remedies of remedies end as deep as a goal may be split."""
    if remedies_above(board.graph, node_id) < board.limits.max_depth:
        ask_for_plan(board, node_id)
    else:
        hang(board, node_id, Hung.ACCEPTANCE_FAIL)


def _mirrored(board: Board, result: Result) -> None:
    match result:
        case Passed(output):
            board.change(board.root_id, output=output)
            mirror(board, passed=True)
        case Failed(output, gaps):
            board.change(board.root_id, output=output)
            mirror(board, passed=False, gaps=gaps)
        case Broken(error):
            board.change(board.root_id, last_exec_error=error)
            mirror(board, passed=False, gaps=(error,))


def _of_relay(board: Board, node: Node, event: Report) -> Reply:
    """Take what is said of a relay: its bot reports by its own door; only that its run broke may be said here."""
    if node.status is not NodeStatus.RUNNING or is_over(board.graph):
        return record_late(board, node.id, event.attempt or node.run.attempt, event)
    if event.kind == "result":
        return conflict("relay_reports_elsewhere")
    gap = BBS_LEASE_EXPIRED if event.kind == "timeout" else str(event.exec_error or event.kind)
    note_receipt(board, node.id, _digest(node, event, node.run.attempt), event.event_id)
    release_failed(board, node.id, (gap,))
    return OK


def record_late(board: Board, node_id: str, attempt: int, event: Report) -> Reply:
    """Keep a result that drives nothing any more; of a flood only the number."""
    if event.kind == "timeout":
        return IGNORED
    content = content_of(event)
    run_ = board.nodes[node_id].run
    if run_.late_count >= MOST_COUNTED:
        return RECORDED
    late = Late(board.now, attempt, digest_of(node_id, event.kind, attempt, content), shortened(content))
    kept = (*run_.late, late) if len(run_.late) < MOST_LATE else run_.late
    board.change(node_id, late=kept, late_count=run_.late_count + 1)
    board.note(node_id, "late", {"attempt": attempt})
    return RECORDED
