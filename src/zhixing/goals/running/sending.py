"""Who sends: leaves to their executors, starts to other systems, the message to a relay bot; and who collects results.

Before anything leaves, that is marked on disk. Who finds the mark of an earlier start does not know whether it left,
asks, and sends only what provably did not.
"""

from __future__ import annotations

from datetime import timedelta

from zhixing.engine.model import Job, RetryAt, Run
from zhixing.goals.contracts.bidding import relay_message
from zhixing.goals.contracts.executing import execute_prompt, group_context, read_execution
from zhixing.goals.contracts.starting import workflow_command
from zhixing.goals.loop.effects import Deliver, Effect, Poll, RelayMessage, StartExternal, Withdraw, poll_of
from zhixing.goals.loop.events import Delivered, DeliverFailed, Event, RelaySendFailed, RelaySent
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.values import RunMode, TaskType
from zhixing.goals.running import rows
from zhixing.goals.running.jobs import effect_in
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Arrived, Board, Deliverer, Delivery, NotSent, Place, Question
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import micros
from zhixing.store.connection import Tx

POLL_PAUSE = timedelta(seconds=5)


class Sending:
    """Handlers of what leaves. `backend` is the address under which bots reach this program."""

    def __init__(self, goals: Goals, deliverer: Deliverer, board: Board, clock: Clock, backend: str) -> None:
        self._goals = goals
        self._deliverer = deliverer
        self._board = board
        self._clock = clock
        self._backend = backend

    def deliver(self, run: Run) -> None:
        """Send a leaf to its bot or group."""
        self._send(run, effect_in(run.job, Deliver))

    def start(self, run: Run) -> None:
        """Start what another system drives."""
        self._send(run, effect_in(run.job, StartExternal))

    def deliver_failed(self, tx: Tx, job: Job, error: str) -> None:
        """Say of a delivery that broke that nobody knows, or, when it was never about to leave, that it did not."""
        self._broken(tx, effect_in(job, Deliver), error)

    def start_failed(self, tx: Tx, job: Job, error: str) -> None:
        """Say the same of a start."""
        self._broken(tx, effect_in(job, StartExternal), error)

    def _send(self, run: Run, effect: Deliver | StartExternal) -> None:
        graph, left_before = self._about_to_leave(run, effect)
        if graph is None:
            return
        delivery = self._delivery(graph, effect)
        event: Event | None
        try:
            event = self._delivered(delivery, effect, left_before=left_before)
        except NotSent as error:
            event = DeliverFailed(effect.subject, error.reason, effect.attempt)
        with run.commit() as tx:
            if event is None:
                self._goals.doubt(tx, effect)
            else:
                self._goals.happen(tx, effect.task_id, event)

    def _delivered(self, delivery: Delivery, effect: Effect, *, left_before: bool) -> Event | None:
        """Return that a delivery arrived, None when nobody knows."""
        found = self._deliverer.whereabouts(delivery) if left_before else "not_sent"
        if found == "unknown":
            return None
        place = found if isinstance(found, Arrived) else self._deliverer.deliver(delivery)
        return Delivered(effect.subject, place.group_id, place.run_id, place.session_id, effect.attempt)

    def _about_to_leave(self, run: Run, effect: Effect) -> tuple[Graph | None, bool]:
        """Mark what is about to leave; return the goal if that is still wanted, and whether it was marked before."""
        with run.checkpoint() as tx:
            graph = self._goals.awaiting_in(tx, effect)
            if graph is None:
                return None, False
            now = micros(self._clock.now()) // 1000
            return graph, not rows.mark(tx, effect.key, effect.task_id, now)

    def _broken(self, tx: Tx, effect: Deliver | StartExternal, error: str) -> None:
        if rows.is_marked(tx, effect.key):
            self._goals.doubt(tx, effect)
        else:
            reason = f"dispatch_exception:{error.partition(':')[0]}"
            self._goals.happen(tx, effect.task_id, DeliverFailed(effect.subject, reason, effect.attempt))

    def _delivery(self, graph: Graph, effect: Deliver | StartExternal) -> Delivery:
        node, info = graph.nodes[effect.subject], graph.head.info
        base = (effect.key, effect.task_id, effect.subject, effect.attempt)
        if isinstance(effect, StartExternal):
            mode, bot, config = node.run.run_mode, node.run.assignee, self._goals.config(effect.task_id)
            if info.task_type is TaskType.WORKFLOW:
                text = workflow_command(info.workflow_id, config, info.spec.instruction or info.spec.objective)
            else:
                text = group_context(graph, effect.subject, self._backend)
            return Delivery(
                *base, text, mode, bot, task_type=info.task_type, workflow_id=info.workflow_id, config=config
            )
        if effect.run_mode is RunMode.COOP_GROUP:
            text = group_context(graph, effect.subject, self._backend)
        else:
            text = execute_prompt(graph, effect.subject)
        return Delivery(*base, text, effect.run_mode, effect.assignee, effect.formation)

    def relay(self, run: Run) -> None:
        """Tell the winner of a round of bids."""
        effect = effect_in(run.job, RelayMessage)
        graph, left_before = self._about_to_leave(run, effect)
        if graph is None:
            return
        text = relay_message(graph, effect.subject, self._backend)
        message = Question(effect.key, effect.task_id, effect.task_id, effect.attempt, effect.subject, text)
        event = self._told(message, effect, left_before=left_before)
        with run.commit() as tx:
            if event is None:
                self._goals.doubt(tx, effect)
            else:
                self._goals.happen(tx, effect.task_id, event)

    def _told(self, message: Question, effect: Effect, *, left_before: bool) -> Event | None:
        """Tell a relay bot that it was chosen; None when nobody knows whether it was told before."""
        fate = self._board.fate(message) if left_before else "not_sent"
        if fate == "unknown":
            return None
        try:
            if fate == "not_sent":
                self._board.message(message)
        except NotSent:
            return RelaySendFailed(effect.subject)
        return RelaySent(effect.subject)

    def relay_failed(self, tx: Tx, job: Job, _error: str) -> None:
        """Say that nobody knows whether the winner was told, or that it was not."""
        effect = effect_in(job, RelayMessage)
        if rows.is_marked(tx, effect.key):
            self._goals.doubt(tx, effect)
        else:
            self._goals.happen(tx, effect.task_id, RelaySendFailed(effect.subject))

    def poll(self, run: Run) -> None:
        """Collect the result of an attempt, again and again while that attempt is under way."""
        asked = effect_in(run.job, Poll)
        graph = self._goals.polled(asked)
        if graph is None:
            return
        effect = poll_of(graph, asked.subject)
        heard = self._deliverer.poll(_place(effect, effect.run_mode))
        if heard is None:
            raise RetryAt(self._clock.now() + POLL_PAUSE, "under way")
        report = read_execution(
            effect.subject,
            heard.content,
            run_status=heard.run_status,
            error=heard.error,
            attempt=effect.attempt,
            spent=heard.spent,
        )
        with run.commit() as tx:
            self._goals.happen(tx, effect.task_id, report)

    def withdraw(self, run: Run) -> None:
        """Stop an attempt as well as that can be done."""
        self._deliverer.withdraw(_place(effect_in(run.job, Withdraw), None))


def _place(effect: Poll | Withdraw, mode: RunMode | None) -> Place:
    base = (effect.key, effect.task_id, effect.subject, effect.attempt)
    return Place(*base, mode, effect.assignee, effect.run_id, effect.session_id)
