"""What does not go on: hung nodes, what that means above them, asking for a relay, and stopping (§4.8)."""

from __future__ import annotations

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.effects import EVERYBODY, Kind, Withdraw
from zhixing.goals.loop.limits import MOST_OFFERS
from zhixing.goals.loop.model import Acceptance, Node
from zhixing.goals.loop.outputs import partial_output
from zhixing.goals.loop.tree import ancestors_of, children_of, is_live, is_over, is_scoped, parent_of
from zhixing.goals.loop.values import Dispatch, GraphStatus, Hung, NodeStatus, Verdict


def hang(board: Board, node_id: str, reason: Hung) -> None:
    """Hang a node. The root itself stays open while a relay is looked for: it is the place to attach to."""
    if node_id == board.root_id:
        escalate(board, reason)
        return
    board.drop(node_id)
    board.move(node_id, NodeStatus.HUNG, "transition", hung_reason=reason, dispatch=Dispatch.NONE, ended_at=board.now)
    board.tell("hung", node_id, reason=reason.value)
    if reason is Hung.MISS_DEPTH_EXHAUSTED and parent_of(board.graph, node_id) == board.root_id:
        # Nobody here can do it, and its siblings will not change that: the relay need not wait for them.
        escalate(board, Hung.CHILD_HUNG)
    else:
        settle_above(board, node_id)


def settle(board: Board, parent: str) -> None:
    """Look at a parent after one of its children ended: wait, hang too, leave it to the relay, or plan again."""
    if is_over(board.graph) or board.nodes[parent].status is not NodeStatus.PLANNING:
        return
    children = [each for each in children_of(board.graph, parent) if counts(each)]
    if any(is_live(each) for each in children):
        return
    if any(each.status is NodeStatus.HUNG for each in children):
        hang(board, parent, Hung.CHILD_HUNG)
    elif parent != board.root_id or not relay_under_way(board):
        ask_for_plan(board, parent)


def settle_above(board: Board, node_id: str) -> None:
    """Look at the parent of a node that ended."""
    above = parent_of(board.graph, node_id)
    if above is not None:
        settle(board, above)


def counts(child: Node) -> bool:
    """Whether a child matters to its parent: not when a relay took its place, nor when it is a relay's checkpoint."""
    return not child.run.superseded and not (is_scoped(child) and child.status is NodeStatus.FAILED)


def ask_for_plan(board: Board, target: str) -> None:
    """Ask for the gap of a node, with what is known now; a question that is under way knew less."""
    calls = board.nodes[target].run.plan_calls + 1
    board.change(target, plan_calls=calls)
    board.ask(Kind.PLAN, target, calls)


def relay_under_way(board: Board) -> bool:
    """Whether somebody outside is at the rest of the goal, or is being looked for."""
    relay = board.head.relay
    return relay.owner is not None or relay.next_offer is not None or board.awaits(Kind.BID) is not None


def relay_wanted(board: Board) -> bool:
    """Whether something hangs that only somebody outside can mend."""
    if board.nodes[board.root_id].run.hung_reason is not None:
        return True
    return any(counts(n) and n.status is NodeStatus.HUNG for n in children_of(board.graph, board.root_id))


def escalate(board: Board, reason: Hung) -> None:
    """Look for a relay, one at a time; after the last round of them the goal stops."""
    board.change(board.root_id, hung_reason=reason)
    if relay_under_way(board):
        return
    board.change_head(loop_round=board.head.loop_round + 1)
    board.change_relay(mode=True)
    if board.head.loop_round >= board.limits.max_loop:
        stop(board, Hung.LOOP_EXHAUSTED)
        return
    board.tell("relay_wanted", reason=reason.value)
    offer(board)


def offer(board: Board) -> None:
    """Ask the bots that take relays."""
    rounds = board.head.relay.rounds + 1
    if rounds > MOST_OFFERS:
        stop(board, Hung.BBS_RELAY_EXHAUSTED)
        return
    board.change_relay(rounds=rounds, next_offer=None)
    board.ask(Kind.BID, EVERYBODY, rounds)


def stop(board: Board, reason: Hung) -> None:
    """Stop a goal where it is: nothing runs any more, what there is of a result is kept, with the reasons."""
    for node in list(board.nodes.values()):
        if node.id != board.root_id and is_live(node):
            _stop_node(board, node, reason)
    root = board.nodes[board.root_id]
    withdraw(board, root)
    if root.status is not NodeStatus.HUNG:
        board.move(root.id, NodeStatus.HUNG, "transition", hung_reason=reason)
    board.change_relay(owner=None, claimed_at=None, next_offer=None)
    board.change_head(status=GraphStatus.HUNG, hung_reason=reason, awaited=())
    board.change_head(output=partial_output(board.graph))
    board.tell("stopped", reason=reason.value)


def _stop_node(board: Board, node: Node, reason: Hung) -> None:
    withdraw(board, node)
    if is_scoped(node) and node.status is NodeStatus.RUNNING:
        failed = Acceptance(Verdict.FAIL, gaps=(reason.value,))
        board.move(node.id, NodeStatus.FAILED, "transition", acceptance=failed, ended_at=board.now)
    else:
        board.move(
            node.id, NodeStatus.HUNG, "transition", hung_reason=reason, dispatch=Dispatch.NONE, ended_at=board.now
        )


def withdraw(board: Board, node: Node) -> None:
    """Have an attempt stopped that was delivered, or may have been."""
    run = node.run
    under_way = node.status is NodeStatus.RUNNING or run.dispatch in {Dispatch.DISPATCHING, Dispatch.UNKNOWN}
    if under_way:
        board.emit(Withdraw(board.root_id, node.id, run.attempt, run.assignee, run.run_id, run.session_id))


def cancel(board: Board) -> None:
    """Give a goal up: what hangs stays for people to see, everything else that is open ends."""
    for node in list(board.nodes.values()):
        if is_live(node) or node.id == board.root_id:
            withdraw(board, node)
            board.move(node.id, NodeStatus.CANCELLED, "transition", dispatch=Dispatch.NONE, ended_at=board.now)
    board.change_relay(owner=None, claimed_at=None, next_offer=None)
    board.change_head(status=GraphStatus.CANCELLED, awaited=())
    board.change_head(output=partial_output(board.graph))
    board.tell("cancelled")


def take_up_again(board: Board, node_id: str) -> None:
    """Open what hangs above a node that a person set going, and the goal itself.

    A relay that nobody owns is not looked for any more; one that somebody owns goes on.
    """
    for above in ancestors_of(board.graph, node_id):
        if above.status is NodeStatus.HUNG:
            board.move(above.id, NodeStatus.PLANNING, "reset", hung_reason=None, ended_at=None)
    board.change(board.root_id, hung_reason=None)
    if board.head.status is GraphStatus.HUNG:
        board.change_head(status=GraphStatus.RUNNING, hung_reason=None, output={}, loop_round=0)
    if board.head.relay.owner is None:
        board.drop(EVERYBODY, Kind.BID)
        board.change_relay(mode=False, next_offer=None)
