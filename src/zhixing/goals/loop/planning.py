"""What the owner's answer about a gap leads to: children, acceptance, another try, or a node that hangs (§4.2, §4.3).

Children come first: whoever names new work has not finished. Naming only what exists is no progress, and never means
that the gap is closed. A gap is closed over work that was done, and where the planner judged the criteria one by one,
only when it passed every one of them on evidence.
"""

from __future__ import annotations

from dataclasses import replace

from zhixing.goals.loop.board import Board
from zhixing.goals.loop.effects import Kind
from zhixing.goals.loop.events import Child, PlanResult
from zhixing.goals.loop.hanging import ask_for_plan, hang, settle_above
from zhixing.goals.loop.model import Acceptance, Judgement, Node, RunInfo, TaskSpec
from zhixing.goals.loop.outputs import OUTPUT, final_output, rolled_up
from zhixing.goals.loop.replies import IGNORED, OK, Reply
from zhixing.goals.loop.tree import children_of, is_live
from zhixing.goals.loop.values import Dispatch, GraphStatus, Hung, NodeStatus, Verdict

_FAILED_CALL = "plan_"
"""How the detail of a gap begins when the planner was not heard rather than said that there is one."""
_UNJUDGED = "plan_verdicts_incomplete"


def on_plan_result(board: Board, event: PlanResult) -> Reply:
    """Take the answer of the planner; one that was not awaited, or to an older question, is ignored."""
    if not board.answered(Kind.PLAN, event.target, event.attempt):
        return IGNORED
    target = board.nodes[event.target]
    detail = _detail(target, event)
    board.note(target.id, "plan", {"children": [each.id for each in event.children], "gap_detail": detail})
    if not event.children and detail.startswith(_FAILED_CALL) and _tries_left(board, target):
        ask_for_plan(board, target.id)
        return OK
    board.change(target.id, plan_failures=0)
    fresh = _fresh(board, event.children)
    if fresh:
        _extend(board, target, fresh)
    elif event.children or detail.startswith(_FAILED_CALL):
        _no_progress(board, target)
    elif _is_closed(event) and _was_worked_on(board, target):
        _close(board, target, event)
    elif not any(is_live(each) for each in children_of(board.graph, target.id)):
        _no_progress(board, target)
    return OK


def _detail(target: Node, event: PlanResult) -> str:
    """Return the detail of the answer; that a criterion was left out of a judgement one by one is a failed call."""
    if event.has_gap or event.children or event.verdicts is None:
        return event.gap_detail
    judged = {each.ac_id for each in event.verdicts if not each.passed or each.evidence.strip()}
    return event.gap_detail if all(each.id in judged for each in target.spec.acceptances) else _UNJUDGED


def _tries_left(board: Board, target: Node) -> bool:
    failures = target.run.plan_failures + 1
    board.change(target.id, plan_failures=failures)
    return failures < board.limits.max_harness


def _fresh(board: Board, children: tuple[Child, ...]) -> list[Child]:
    """Return the children whose ids are new, each once."""
    found: dict[str, Child] = {}
    for each in children:
        if each.id and each.id not in board.nodes and each.id not in found:
            found[each.id] = each
    return list(found.values())


def _extend(board: Board, target: Node, fresh: list[Child]) -> None:
    if target.run.plan_round >= board.limits.max_plan_round:
        hang(board, target.id, Hung.PLAN_ROUND_EXHAUSTED)
        return
    if len(board.nodes) + len(fresh) > board.limits.max_nodes:
        hang(board, target.id, Hung.NODES_EXHAUSTED)
        return
    if target.status is not NodeStatus.PLANNING:
        board.move(target.id, NodeStatus.PLANNING, "transition")
    board.change(target.id, plan_round=target.run.plan_round + 1)
    for each in fresh:
        spec = inherited(each.spec, target.spec)
        board.add(target.id, Node(each.id, spec, run=RunInfo(dispatch=Dispatch.QUEUED, since=board.now)))


def inherited(spec: TaskSpec, parent: TaskSpec) -> TaskSpec:
    """Return a specification whose empty members are the parent's; its instruction is at least its own objective.

    A child that had its parent's instruction would be its parent again.
    """
    return replace(
        spec,
        title=spec.title or parent.title,
        instruction=spec.instruction or spec.objective or spec.title or parent.instruction,
        background=spec.background or parent.background,
        objective=spec.objective or spec.title or parent.objective,
        acceptances=spec.acceptances or parent.acceptances,
    )


def _no_progress(board: Board, target: Node) -> None:
    children = children_of(board.graph, target.id)
    if any(is_live(each) for each in children):
        return
    if target.id == board.root_id and not children:
        hang(board, target.id, Hung.ROOT_GAP_NO_DECOMPOSE)
    elif target.run.miss_events and not children:
        hang(board, target.id, Hung.MISS_NO_DECOMPOSE)
    else:
        hang(board, target.id, Hung.GAP_NO_PROGRESS)


def _is_closed(event: PlanResult) -> bool:
    return not event.has_gap and all(each.passed for each in event.verdicts or ())


def _was_worked_on(board: Board, target: Node) -> bool:
    """Whether there is anything to accept: finished children, none under way; a goal may also need no work at all."""
    children = children_of(board.graph, target.id)
    if any(is_live(each) for each in children):
        return False
    if not children:
        return target.id == board.root_id
    return any(each.status is NodeStatus.DONE for each in children)


def _close(board: Board, target: Node, event: PlanResult) -> None:
    accepted = Acceptance(Verdict.PASS, _judgements(board, target, event))
    if target.id == board.root_id:
        finish(board, accepted)
        return
    board.move(
        target.id,
        NodeStatus.DONE,
        "verify",
        acceptance=accepted,
        output=rolled_up(board.graph, target),
        ended_at=board.now,
    )
    settle_above(board, target.id)


def _judgements(board: Board, target: Node, event: PlanResult) -> tuple[Judgement, ...]:
    """Return the judgement of every criterion: the planner's, else that it saw no gap over these deliveries."""
    if event.verdicts:
        return event.verdicts
    done = [each.id for each in children_of(board.graph, target.id) if each.status is NodeStatus.DONE]
    evidence = f"{event.gap_detail or 'no gap'}: {', '.join(done) or 'nothing to do'}"
    return tuple(Judgement(each.id, passed=True, evidence=evidence) for each in target.spec.acceptances)


def finish(board: Board, accepted: Acceptance) -> None:
    """Accept the goal itself."""
    board.change(board.root_id, acceptance=accepted, hung_reason=None)
    board.change_relay(owner=None, claimed_at=None, next_offer=None)
    board.change_head(status=GraphStatus.DONE, awaited=())
    output = final_output(board.graph)
    board.move(board.root_id, NodeStatus.DONE, "verify", output={OUTPUT: output["deliverables"]}, ended_at=board.now)
    board.change_head(output=final_output(board.graph))
    board.tell("done")
