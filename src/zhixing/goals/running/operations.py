"""What happens to goals: each call is one transaction that loads, decides, and keeps state, log and effects together.

Who changes a goal is alone with it until the transaction ends; who only looks never waits.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from zhixing.engine.model import Engine
from zhixing.goals.loop.deciding import Decision, decide
from zhixing.goals.loop.effects import Effect, Kind, Poll, Wake
from zhixing.goals.loop.events import (
    Attach,
    BbsResult,
    Budget,
    Cancel,
    Claim,
    Dashboard,
    Event,
    Execute,
    Report,
    Resolve,
    Restarted,
    Retry,
    Started,
    Tick,
)
from zhixing.goals.loop.limits import NO_LIMITS, Limits, within
from zhixing.goals.loop.model import Graph, TaskInfo, TaskSpec
from zhixing.goals.loop.projecting import dashboard
from zhixing.goals.loop.replies import IDEMPOTENT, NO_TASK, Reply, conflict
from zhixing.goals.loop.tree import is_over
from zhixing.goals.loop.values import NodeStatus
from zhixing.goals.running import rows
from zhixing.goals.running.cleaning import storable
from zhixing.goals.running.jobs import job_of
from zhixing.goals.running.ports import Unwatched, Watcher
from zhixing.goals.running.recent import Recent
from zhixing.goals.running.rows import Kept, Listed
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import micros
from zhixing.store.connection import Store, Tx

MOST_LISTED = 1000
Known = Literal["not_sent", "sent", "unknown"]


class Goals:
    """The goals of a store.

    `token` gives new parts of ids: at least 8 hexadecimal digits. `standing` has budgets of goals that set none.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        token: Callable[[], str] = lambda: secrets.token_hex(16),
        *,
        watcher: Watcher | None = None,
        standing: Limits = NO_LIMITS,
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._token = token
        self._watcher: Watcher = watcher or Unwatched()
        self._standing = standing
        self._recent = Recent()

    # What callers do

    def execute(self, info: TaskInfo, config: Mapping[str, Any] | None = None) -> Reply:
        """Hand a goal in; without an id it gets one. The same key of the same owner is the same goal.

        `data` has `task_id`. 409 for a key under which another goal was handed in, 422 for what cannot be run.
        """
        info = replace(info, task_id=info.task_id or self._token(), limits=within(self._standing, info.limits))
        event = storable(Execute(info))
        info = event.info
        with self._store.write() as tx:
            there = rows.handed_in(tx, info.owner_user_id, info.key) if info.key else None
            if there is None:
                known = self._recent.graph(tx, info.task_id)
                decision = decide(known, event, self._now())
                if decision.entry is None or decision.state is None:
                    return decision.reply
                if rows.add(tx, decision.state, decision.entry, config or {}):
                    self._recent.keep(tx, decision.state)
                    self._watcher.handed_in(tx, info)
                    self._schedule(tx, Kept(decision.state, None), decision.effects)
                    return decision.reply
                # Handed in by somebody else between the two statements.
                there = rows.handed_in(tx, info.owner_user_id, info.key)
            return _as_before(replace(info, task_id=""), config or {}, there)

    def report(self, task_id: str, report: Report | Started) -> Reply:
        """Take what an executor says; said again it is acknowledged and changes nothing (taskloop §2.6)."""
        return self._happens(task_id, report)

    def cancel(self, task_id: str) -> Reply:
        """Give a goal up."""
        return self._happens(task_id, Cancel())

    def retry(self, task_id: str, node_id: str = "") -> Reply:
        """Have a hung node tried again; without a node, everything that hangs."""
        return self._happens(task_id, Retry(node_id))

    def resolve(self, task_id: str, node_id: str, output: object) -> Reply:
        """Give the answer of a hung node."""
        return self._happens(task_id, Resolve(node_id, output))

    def budget(self, task_id: str, budget: Budget) -> Reply:
        """Set what a goal may use."""
        return self._happens(task_id, budget)

    def claim(self, task_id: str, bot: str) -> Reply:
        """Let a bot own the rest of a goal."""
        return self._happens(task_id, Claim(bot))

    def attach(self, task_id: str, bot: str, parent: str, spec: TaskSpec, key: str = "") -> Reply:
        """Hang the owner's own node into a goal; `data` has its `node_id`."""
        return self._happens(task_id, Attach(bot, parent, f"bbs-{self._token()[:8]}", spec, key))

    def bbs_result(self, task_id: str, result: BbsResult) -> Reply:
        """Take the result of a relay."""
        return self._happens(task_id, result)

    # What callers see

    def dashboard(self, task_id: str, node_id: str = "", log: Literal["none", "actions"] = "none") -> Reply:
        """Show a goal, or what is under one of its nodes, as `data`; on request with the action log."""
        with self._store.read() as tx:
            graph = self._recent.seen(tx, task_id)
            actions = rows.actions(tx, task_id) if log == "actions" else None
        decision = decide(graph, Dashboard(node_id), self._now())
        if graph is None or decision.reply.error:
            return decision.reply
        return replace(decision.reply, data=dashboard(graph, node_id, actions))

    def graph(self, task_id: str) -> Graph | None:
        """Return a goal as it is now."""
        with self._store.read() as tx:
            return self._recent.seen(tx, task_id)

    def config(self, task_id: str) -> Mapping[str, Any]:
        """Return what the caller sent with a goal."""
        with self._store.read() as tx:
            return rows.config_of(tx, task_id)

    def listed(
        self, owner: str | None = None, statuses: Collection[Any] = (), limit: int = MOST_LISTED, offset: int = 0
    ) -> tuple[Listed, ...]:
        """Return goals, the newest first; None for every owner, no status for all. At most `MOST_LISTED` at once."""
        with self._store.read() as tx:
            return rows.listed(tx, owner, statuses, min(limit, MOST_LISTED), offset)

    # What handlers and the start of the program do

    def take_up(self) -> int:
        """Go on with every goal that is under way, at the start of the program; return how many there are.

        Its jobs are there as they were left: only those that are not are made again. What was leaving when the process
        died is looked into by the job that was sending it.
        """
        with self._store.read() as tx:
            under_way = rows.running(tx)
        for task_id in under_way:
            with self._store.write() as tx:
                kept = self._recent.taken(tx, task_id)
                if kept is not None and not is_over(kept.graph):
                    self._decide(tx, kept, _restarted(kept.graph))
                    rows.set_due(tx, task_id, None)
                    self._arm(tx, task_id)
        return len(under_way)

    def happen(self, tx: Tx, task_id: str, event: Event) -> Reply:
        """Let something happen to a goal in the caller's transaction."""
        kept = self._recent.taken(tx, task_id)
        return NO_TASK if kept is None else self._decide(tx, kept, event).reply

    def doubt(self, tx: Tx, effect: Effect) -> None:
        """Say that nobody knows whether an effect reached the outside."""
        kept = self._recent.taken(tx, effect.task_id)
        if kept is not None and is_awaited(kept.graph, effect):
            self._decide(tx, kept, _restarted(kept.graph, {f"{effect.name}:{effect.subject}": "unknown"}))

    def wake(self, tx: Tx, wake: Wake) -> None:
        """Let a tick come: the goal is swept if it is due, and the next tick is put on its way."""
        kept = self._recent.taken(tx, wake.task_id)
        if kept is None or kept.due_at != wake.at:
            return
        rows.set_due(tx, wake.task_id, None)
        wanted = kept.graph.head.wake_at
        if wanted is not None and wanted <= self._now():
            self._decide(tx, Kept(kept.graph, None), Tick())
        self._arm(tx, wake.task_id)

    def forget_wake(self, tx: Tx, wake: Wake) -> None:
        """Note that a tick will not come; the next start of the program puts another on its way."""
        kept = self._recent.taken(tx, wake.task_id)
        if kept is not None and kept.due_at == wake.at:
            rows.set_due(tx, wake.task_id, None)

    def awaiting(self, effect: Effect) -> Graph | None:
        """Return the goal if the answer to an effect is still awaited."""
        with self._store.read() as tx:
            return _if_awaited(self._recent.seen(tx, effect.task_id), effect)

    def awaiting_in(self, tx: Tx, effect: Effect) -> Graph | None:
        """Return the same as the caller's transaction sees it."""
        return _if_awaited(self._recent.graph(tx, effect.task_id), effect)

    def polled(self, poll: Poll) -> Graph | None:
        """Return the goal if the attempt of a poll is still under way."""
        graph = self.graph(poll.task_id)
        node = None if graph is None or is_over(graph) else graph.nodes.get(poll.subject)
        under_way = node is not None and node.status is NodeStatus.RUNNING and node.run.attempt == poll.attempt
        return graph if under_way else None

    # How

    def _happens(self, task_id: str, event: Event) -> Reply:
        with self._store.write() as tx:
            return self.happen(tx, task_id, event)

    def _decide(self, tx: Tx, kept: Kept, event: Event) -> Decision:
        decision = decide(kept.graph, storable(event), self._now())
        if decision.entry is not None and decision.state is not None:
            rows.save(tx, kept.graph, decision.state, decision.entry)
            self._recent.keep(tx, decision.state)
            self._watcher.changed(tx, kept.graph, decision.state)
        self._schedule(tx, kept, decision.effects)
        return decision

    def _schedule(self, tx: Tx, kept: Kept, effects: Iterable[Effect]) -> None:
        """Put the jobs of effects on their way; of ticks only one that comes earlier than the one on its way."""
        now, due, jobs = self._clock.now(), kept.due_at, []
        for each in effects:
            if isinstance(each, Wake):
                if due is not None and due <= each.at:
                    continue
                due = each.at
            jobs.append(job_of(each, now))
        if jobs:
            self._engine.enqueue_all(tx, jobs)
        if due != kept.due_at:
            rows.set_due(tx, kept.graph.head.info.task_id, due)

    def _arm(self, tx: Tx, task_id: str) -> None:
        """See to it that a tick is on its way to a goal that wants one."""
        kept = self._recent.taken(tx, task_id)
        if kept is not None and kept.due_at is None and kept.graph.head.wake_at is not None:
            head = kept.graph.head
            self._schedule(tx, kept, [Wake(task_id, task_id, head.seq, head.wake_at or 0)])

    def _now(self) -> int:
        return micros(self._clock.now()) // 1000


def is_awaited(graph: Graph, effect: Effect) -> bool:
    """Whether the answer to an effect is still awaited."""
    asked = (Kind(effect.name).value, effect.subject, effect.attempt)
    return any((each.kind, each.subject, each.attempt) == asked for each in graph.head.awaited)


def _if_awaited(graph: Graph | None, effect: Effect) -> Graph | None:
    return graph if graph is not None and is_awaited(graph, effect) else None


def _restarted(graph: Graph, known: Mapping[str, Known] | None = None) -> Restarted:
    """Return the event of a new start. What is not known better has a job that sends it, or looks into it."""
    waiting: dict[str, Known] = {f"{each.kind}:{each.subject}": "not_sent" for each in graph.head.awaited}
    return Restarted({**waiting, **(known or {})})


def _as_before(info: TaskInfo, config: Mapping[str, Any], there: tuple[TaskInfo, Mapping[str, Any]] | None) -> Reply:
    """Answer who hands a goal in again. Its limits stand in its config; the standing ones may have changed since."""
    if there is None or there[1] != config or replace(there[0], task_id="", limits=info.limits) != info:
        return conflict("key_reused")
    return replace(IDEMPOTENT, data={"task_id": there[0].task_id, "success": True})
