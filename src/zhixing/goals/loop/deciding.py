"""The decider of goals: what an event makes of a graph, what is to be done then, and what its sender is answered.

Pure: the same state, event and instant give the same decision. The log entry of a decision holds what it changed, so
the state is the fold of its entries (`folding`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from zhixing.goals.loop.accepting import on_report
from zhixing.goals.loop.board import Board
from zhixing.goals.loop.dispatching import fill, on_deliver_failed, on_delivered, on_search_result, on_started
from zhixing.goals.loop.due import next_due
from zhixing.goals.loop.effects import Effect, Wake
from zhixing.goals.loop.events import (
    Attach,
    BbsResult,
    Bids,
    Budget,
    Cancel,
    Claim,
    Dashboard,
    Delivered,
    DeliverFailed,
    Event,
    Execute,
    PlanResult,
    RelaySendFailed,
    RelaySent,
    Report,
    Resolve,
    Restarted,
    Retry,
    SearchResult,
    Started,
    Tick,
    Used,
)
from zhixing.goals.loop.executing import executed, refusal
from zhixing.goals.loop.folding import Entry, entry_of
from zhixing.goals.loop.hanging import stop
from zhixing.goals.loop.harness import sweep
from zhixing.goals.loop.limits import NO_SPENDING, WARN_AT, shares
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.people import on_budget, on_cancel, on_resolve, on_retry
from zhixing.goals.loop.planning import on_plan_result
from zhixing.goals.loop.relaying import (
    on_attach,
    on_bbs_result,
    on_bids,
    on_claim,
    on_relay_send_failed,
    on_relay_sent,
)
from zhixing.goals.loop.replies import IDEMPOTENT, NO_NODE, NO_TASK, OK, Reply
from zhixing.goals.loop.restarting import on_restarted
from zhixing.goals.loop.results import without_content
from zhixing.goals.loop.tree import is_over
from zhixing.goals.loop.values import Hung


@dataclass(frozen=True, slots=True)
class Decision:
    """What came of an event. `entry` is None when nothing changed; `state` is None while there is no goal."""

    state: Graph | None
    effects: tuple[Effect, ...]
    reply: Reply
    entry: Entry | None = None


def decide(state: Graph | None, event: Event, now: int) -> Decision:
    """Decide what an event means. `now` is in milliseconds; `state` is None before the goal was handed in."""
    if isinstance(event, Execute):
        return _on_execute(state, event, now)
    if state is None:
        return Decision(None, (), NO_TASK)
    if isinstance(event, Dashboard):
        return Decision(state, (), OK if not event.node or event.node in state.nodes else NO_NODE)
    board = Board(state, now)
    reply = _answered(board, event)
    return _decided(state, board, event, reply)


def _on_execute(state: Graph | None, event: Execute, now: int) -> Decision:
    if state is not None:
        task_id = state.head.info.task_id
        return Decision(state, (), replace(IDEMPOTENT, data={"task_id": task_id, "status": state.head.status.value}))
    refused = refusal(event.info)
    if refused is not None:
        return Decision(None, (), refused)
    board = executed(event.info, now)
    reply = Reply(200, data={"task_id": event.info.task_id, "success": True})
    return _decided(None, board, event, reply)


def _answered(board: Board, event: Any) -> Reply:
    handler = _HANDLERS[type(event)]
    reply: Reply = handler(board, event)
    spent = getattr(event, "spent", NO_SPENDING)
    # An answer that nobody awaits any more has its price all the same; a repeated or refused report has none.
    if reply.status == HTTPStatus.OK and reply is not IDEMPOTENT and spent != NO_SPENDING:
        board.change_head(spent=board.head.spent + spent)
    return reply


def _on_tick(board: Board, _event: Tick) -> Reply:
    sweep(board)
    return OK


_HANDLERS: dict[type, Any] = {
    PlanResult: on_plan_result,
    SearchResult: on_search_result,
    Delivered: on_delivered,
    DeliverFailed: on_deliver_failed,
    Started: on_started,
    Report: on_report,
    Tick: _on_tick,
    Bids: on_bids,
    RelaySent: on_relay_sent,
    RelaySendFailed: on_relay_send_failed,
    Claim: on_claim,
    Attach: on_attach,
    BbsResult: on_bbs_result,
    Cancel: on_cancel,
    Retry: on_retry,
    Resolve: on_resolve,
    Budget: on_budget,
    Used: lambda _board, _event: OK,
    Restarted: on_restarted,
}


def _decided(before: Graph | None, board: Board, event: Event, reply: Reply) -> Decision:
    _keep_to_limits(board)
    fill(board)
    _ask_to_be_woken(board)
    effects = board.wanted_effects()
    if before is not None and board.head == before.head and board.nodes == dict(before.nodes):
        return Decision(before, effects, reply)
    board.change_head(seq=board.head.seq + 1)
    after = board.graph
    entry = entry_of(before, after, _logged(before, after, event), board.now, tuple(board.actions))
    return Decision(after, effects, reply, entry)


def _logged(before: Graph | None, after: Graph, event: Any) -> Any:
    """Return an event as the log keeps it: of late results that are only counted, not what they say."""
    if before is None or not isinstance(event, Report | BbsResult) or event.node not in before.nodes:
        return event
    was, now = before.nodes[event.node].run, after.nodes[event.node].run
    if now.late_count == was.late_count or len(now.late) > len(was.late):
        return event
    return without_content(event)


def _keep_to_limits(board: Board) -> None:
    """Warn people once at 80 % of a limit; stop at its end with what there is."""
    if is_over(board.graph):
        return
    used = shares(board.limits, board.head.spent, board.now - board.head.started_at)
    for name, share in used.items():
        if share >= WARN_AT and name not in board.head.told:
            board.tell("budget_warning", limit=name, percent=int(share * 100))
            board.change_head(told=(*board.head.told, name))
    if any(share >= 1 for share in used.values()):
        stop(board, Hung.BUDGET_EXHAUSTED)


def _ask_to_be_woken(board: Board) -> None:
    due = next_due(board.graph)
    if due != board.head.wake_at:
        board.change_head(wake_at=due)
        if due is not None:
            board.emit(Wake(board.root_id, board.root_id, board.head.seq + 1, due))
