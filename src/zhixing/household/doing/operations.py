"""What a household task does when its moment has come: the one place that rules and cron jobs call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zhixing.delivery.operations import Delivery
from zhixing.engine.model import Engine
from zhixing.household.doing import runs, store
from zhixing.household.doing.acting import Acting
from zhixing.household.doing.agents import Agents
from zhixing.household.doing.answering import Answering
from zhixing.household.doing.errands import jobs_for
from zhixing.household.doing.messaging import Messaging
from zhixing.household.doing.model import AgentRun, CronMessage, Household, RunState, Step
from zhixing.household.doing.ordering import Ordering
from zhixing.household.doing.switching import Switching, is_under_way
from zhixing.household.doing.telling import Channels, Telling
from zhixing.kernel.clock import Clock
from zhixing.store.connection import Store, Tx
from zhixing.tasks import occurrences
from zhixing.tasks.journal import TASK
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.records.operations import Records
from zhixing.tasks.rules.model import Direction, Fired
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Task
from zhixing.world.devices.port import DeviceHub


class Doing:
    """Does what rules and cron jobs ask for. Registers its handlers, so make it before the engine starts.

    `channels` says which configured channels serve a medium; `household` lends what only that room knows. Whoever ends
    an occurrence because all of its messages are settled asks `holds` first.
    """

    def __init__(
        self,
        database: Store,
        engine: Engine,
        clock: Clock,
        *,
        hub: DeviceHub,
        records: Records,
        delivery: Delivery,
        scheduling: Scheduling,
        channels: Channels,
        household: Household,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self.telling = Telling(delivery, channels)
        self.agents = Agents(engine, clock, scheduling, self.telling)
        switching = Switching(engine, clock, hub=hub, scheduling=scheduling, telling=self.telling)
        ordering = Ordering(engine, clock, switching=switching, scheduling=scheduling, agents=self.agents)
        self._answering = Answering(clock, records, self.telling, self.agents, ordering)
        self._messaging = Messaging(
            engine,
            clock,
            scheduling=scheduling,
            telling=self.telling,
            agents=self.agents,
            household=household,
            switching=switching,
        )
        Acting(database, engine, clock, hub=hub, telling=self.telling, scheduling=scheduling)

    def fired(self, tx: Tx, fires: Sequence[Fired]) -> None:
        """Do, or have done, what the fires of one transaction ask for; pass this to `Rules`.

        Their occurrences are claimed. Each ends here, or by the job that commands devices, by the last message about
        it, or by the run that waits. The same fire again does nothing again.
        """
        acting = []
        for fired in {fired.occurrence_id: fired for fired in fires}.values():
            if not fired.response.actions:
                self._answering.answer(tx, fired)
            elif fired.direction is not Direction.TARGET or self._answering.reached_first(tx, fired):
                acting.append(fired)
        if acting:
            self._engine.enqueue_all(tx, jobs_for(acting, self._clock.now()))

    def message(self, tx: Tx, occurrence_id: str, message: CronMessage) -> AgentRun | None:
        """Do what the message of a cron job wants now; return the run that waits, if it needs judgement.

        Nobody looks at the home here: a command to a device waits for the agent, too.
        """
        return self._messaging.message(tx, occurrence_id, message)

    def on_status_change(self, tx: Tx, before: Task, after: Task) -> None:
        """Call off what is under way of a task that stops being active.

        Pass this to `Tasks`, before messages are withdrawn. A command that has left the house cannot be called back.
        """
        if not before.active or after.active:
            return
        why = after.status.value
        self.agents.call_off(tx, after.id, why)
        now = self._clock.now()
        for identity in store.open_of_rules(tx, after.id):
            occurrence = occurrences.get(tx, identity)
            occurrences.move(tx, occurrence, OccurrenceState.CANCELLED, now=now, who=TASK, reason=why)

    def holds(self, tx: Tx, occurrence_id: str) -> bool:
        """Whether an occurrence has more to wait for than its messages."""
        return self.agents.holds(tx, occurrence_id) or is_under_way(self._engine, tx, occurrence_id)

    def steps(self, tx: Tx, occurrence_ids: Sequence[str]) -> list[Step]:
        """Return what became of the commands of some occurrences, in order."""
        return store.of_occurrences(tx, occurrence_ids)

    def commands(self, tx: Tx, did: str, iid: str, limit: int = 50) -> list[Step]:
        """Return which answers commanded a property or an action of a device, newest first."""
        return store.of_device(tx, did, iid, limit)

    def run(self, tx: Tx, run_id: str) -> AgentRun:
        """Return a run of the household agent. Raises `NotFound`."""
        return runs.get(tx, run_id)

    def runs(
        self,
        tx: Tx,
        *,
        states: Iterable[RunState] = (),
        task_id: str | None = None,
        limit: int = 50,
        before: AgentRun | None = None,
    ) -> list[AgentRun]:
        """Return the runs of the household agent, newest first."""
        return runs.page(tx, states=states, task_id=task_id, limit=limit, before=before)
