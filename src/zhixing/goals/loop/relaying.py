"""The relay: bids, who owns the rest of a goal, the node on which it is done, and its result (§2.7, §4.9)."""

from __future__ import annotations

from dataclasses import asdict

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.effects import EVERYBODY, Kind
from zhixing.goals.loop.events import Attach, BbsResult, Bids, Claim, RelaySendFailed, RelaySent
from zhixing.goals.loop.hanging import offer, relay_wanted, settle, settle_above, stop
from zhixing.goals.loop.limits import LATER_REOFFER, MOST_COUNTED, MOST_LATE, MOST_RECEIPTS, PATIENT_AFTER, REOFFER
from zhixing.goals.loop.model import Acceptance, Judgement, Late, Node, RunInfo
from zhixing.goals.loop.planning import inherited
from zhixing.goals.loop.replies import (
    IDEMPOTENT,
    IGNORED,
    NO_NODE,
    OK,
    Reply,
    broken_shape,
    conflict,
    invalid,
)
from zhixing.goals.loop.results import digest_of, gaps_of, shortened, verdict_of
from zhixing.goals.loop.tree import children_of, is_external, is_over, is_scoped, parent_of, scoped_running
from zhixing.goals.loop.values import Dispatch, GraphStatus, Hung, NodeStatus, RunMode, Verdict

_DELEGABLE = {NodeStatus.PENDING, NodeStatus.FAILED, NodeStatus.PLANNING}


def on_bids(board: Board, event: Bids) -> Reply:
    """Take the highest bid, the first in the roster among equals; without any, ask again later."""
    if not board.answered(Kind.BID, EVERYBODY, event.round):
        return IGNORED
    valid = [(bot, rate) for bot, value in event.rates if bot and (rate := _rate(value)) is not None]
    if not valid:
        _ask_later(board)
        return OK
    winner = max(valid, key=lambda each: each[1])[0]
    _own(board, winner)
    board.ask(Kind.RELAY, winner, board.head.relay.rounds)
    return OK


def _rate(value: object) -> int | None:
    """Return a bid in percent; only whole numbers from 1 to 100 are any."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 100 else None


def _ask_later(board: Board) -> None:
    pause = REOFFER if board.head.relay.rounds < PATIENT_AFTER else LATER_REOFFER
    board.change_relay(next_offer=board.now + pause)


def _own(board: Board, bot: str) -> None:
    board.drop(EVERYBODY, Kind.BID)
    board.change_relay(owner=bot, claimed_at=board.now, next_offer=None)


def on_relay_sent(board: Board, event: RelaySent) -> Reply:
    """Note that the owner knows."""
    return OK if board.answered(Kind.RELAY, event.bot, None) else IGNORED


def on_relay_send_failed(board: Board, event: RelaySendFailed) -> Reply:
    """Take the rest from a winner that could not be told; bots are asked again later."""
    if board.head.relay.owner != event.bot or scoped_running(board.graph) is not None:
        return IGNORED
    board.drop(event.bot, Kind.RELAY)
    board.change_relay(owner=None, claimed_at=None)
    _ask_later(board)
    return OK


def on_claim(board: Board, event: Claim) -> Reply:
    """Let one bot own the rest of a goal for which a relay is looked for; claiming again changes nothing."""
    relay, status = board.head.relay, board.head.status
    if not event.bot:
        return invalid("bot_id")
    if status not in {GraphStatus.RUNNING, GraphStatus.HUNG} or not relay.mode or is_external(board.graph):
        return conflict("not_bbs_mode")
    if relay.owner == event.bot:
        return Reply(200, why="idempotent", data=_claimed(board))
    if relay.owner is not None:
        return conflict("owned_by_other")
    _own(board, event.bot)
    return Reply(200, data=_claimed(board))


def _claimed(board: Board) -> dict[str, str]:
    return {"root_node_id": board.root_id, "task_id": board.root_id}


def on_attach(board: Board, event: Attach) -> Reply:
    """Hang the owner's own node into the graph and let it run; the same request again is the same node."""
    if event.parent not in board.nodes:
        return NO_NODE
    if board.head.relay.owner != event.bot or not event.bot:
        return conflict("not_owner")
    if is_over(board.graph):
        return conflict("graph_over")
    digest = digest_of(event.parent, "attach", 0, {"bot": event.bot, "spec": asdict(event.spec)})
    request = f"attach:{event.key}" if event.key else digest
    running = scoped_running(board.graph)
    if running is not None:
        same = request in running.run.receipts
        return Reply(200, why="idempotent", data=_attached(board, running.id)) if same else conflict("one_at_a_time")
    if (refused := _unfit(board.nodes[event.parent])) is not None:
        return refused
    if board.head.relay.count >= board.limits.bbs_max_depth:
        stop(board, Hung.BBS_RELAY_EXHAUSTED)
        return conflict("bbs_relay_exhausted")
    if not event.node_id or event.node_id in board.nodes or len(board.nodes) >= board.limits.max_nodes:
        return broken_shape("node_id")
    _attach(board, event, request)
    return Reply(200, data=_attached(board, event.node_id))


def _attached(board: Board, node_id: str) -> dict[str, str]:
    return {"node_id": node_id, "task_id": board.root_id}


def _unfit(parent: Node) -> Reply | None:
    """Refuse a parent that cannot have children now: what is on its way to somebody is not taken from them."""
    way = {Dispatch.DISPATCHING, Dispatch.UNKNOWN}
    if parent.status in _DELEGABLE and not is_scoped(parent) and parent.run.dispatch not in way:
        return None
    return broken_shape("parent_not_delegatable")


def _attach(board: Board, event: Attach, request: str) -> None:
    parent = board.nodes[event.parent]
    board.drop(event.bot, Kind.RELAY)
    if parent.status is not NodeStatus.PLANNING:
        board.drop(parent.id)
        board.move(parent.id, NodeStatus.PLANNING, "transition", dispatch=Dispatch.NONE)
    run = RunInfo(RunMode.BBS, event.bot, event.bot, since=board.now, first_start=board.now, receipts=(request,))
    board.add(parent.id, Node(event.node_id, inherited(event.spec, parent.spec), run=run))
    board.move(event.node_id, NodeStatus.RUNNING, "dispatch")
    board.change_relay(count=board.head.relay.count + 1, claimed_at=board.now)


def on_bbs_result(board: Board, event: BbsResult) -> Reply:
    """Take the result of a relay; sent again it changes nothing, and nobody can end a node that is not theirs."""
    node = board.nodes.get(event.node)
    if node is None:
        return NO_NODE
    digest = digest_of(node.id, "bbs_result", 1, asdict(event))
    if digest in node.run.receipts:
        return IDEMPOTENT
    if not is_scoped(node) or node.run.assignee != event.bot:
        return conflict("not_owner")
    if board.head.relay.owner != event.bot or node.status is not NodeStatus.RUNNING or is_over(board.graph):
        _record(board, node, digest, event)
        return conflict("not_owner")
    passed, gaps = verdict_of(event.verdict), gaps_of(event.gaps)
    if passed is None and event.exec_error:
        passed, gaps = False, gaps or (event.exec_error,)
    if passed is None:
        return invalid("verdict")
    if not passed and not gaps:
        return invalid("gaps")
    if passed and not all(each.passed for each in event.metric):
        return invalid("acceptances_metric")
    board.change(
        node.id,
        receipts=(*node.run.receipts, digest)[-MOST_RECEIPTS:],
        output={**node.run.output, **event.output},
        last_exec_error=event.exec_error,
    )
    if passed:
        _passed(board, node, event)
    else:
        release_failed(board, node.id, gaps)
    return OK


def _record(board: Board, node: Node, digest: str, event: BbsResult) -> None:
    """Keep a result that came after its relay had ended."""
    if node.run.late_count >= MOST_COUNTED or any(each.digest == digest for each in node.run.late):
        return
    result = {
        "verdict": event.verdict,
        "gaps": list(event.gaps),
        "output": event.output,
        "exec_error": event.exec_error,
    }
    late = Late(board.now, node.run.attempt, digest, shortened(result))
    kept = (*node.run.late, late) if len(node.run.late) < MOST_LATE else node.run.late
    board.change(node.id, late=kept, late_count=node.run.late_count + 1)


def _passed(board: Board, node: Node, event: BbsResult) -> None:
    """Let a relay take the place of what hung beside it; the owner bot looks at the gap again."""
    claimed = {ac.id: Judgement(ac.id, passed=True, evidence=event.bot) for ac in node.spec.acceptances}
    metric = tuple({**claimed, **{each.ac_id: each for each in event.metric if each.evidence}}.values())
    board.move(node.id, NodeStatus.DONE, "verify", acceptance=Acceptance(Verdict.PASS, metric), ended_at=board.now)
    for each in children_of(board.graph, parent_of(board.graph, node.id) or board.root_id):
        if each.status is NodeStatus.HUNG:
            board.change(each.id, superseded=True)
    board.change_relay(owner=None, claimed_at=None, next_offer=None)
    board.change(board.root_id, hung_reason=None)
    if parent_of(board.graph, node.id) != board.root_id and relay_wanted(board):
        offer(board)
    settle_above(board, node.id)


def release_failed(board: Board, node_id: str, gaps: tuple[str, ...]) -> None:
    """End a relay that did not get through; its node stays as a checkpoint for the next one."""
    failed = Acceptance(Verdict.FAIL, gaps=gaps)
    board.move(node_id, NodeStatus.FAILED, "verify", acceptance=failed, ended_at=board.now)
    release(board)
    if parent_of(board.graph, node_id) != board.root_id:
        settle_above(board, node_id)


def release(board: Board) -> None:
    """Take the rest of the goal from its owner, and ask again as long as somebody is needed."""
    owner = board.head.relay.owner
    if owner is not None:
        board.drop(owner, Kind.RELAY)
    board.change_relay(owner=None, claimed_at=None)
    if relay_wanted(board):
        offer(board)
    else:
        settle(board, board.root_id)
