"""Device commands in the words that a rule answers with: 「打开客厅吸顶灯；使用手机推送通知：有人进客厅」.

Where every clause that is no notification reads as a command, a job looks at the home for the devices, and has them
commanded as those of any rule are (`acting`): in the lane of the rule, ahead of whatever the rule answers later. What
is done is written down before anything is done. Where the home cannot tell which device is meant, the whole of it waits
for the agent, as it would have at once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.household.composing.orders import MOST, read_orders
from zhixing.household.doing import store
from zhixing.household.doing.agents import PATIENCE, Agents
from zhixing.household.doing.errands import LOOK, job_for, key_of, lane_of, look_key_of
from zhixing.household.doing.model import Errand, Origin, Prompt
from zhixing.household.doing.switching import Away, Found, Seen, Switching, Unclear
from zhixing.household.doing.wishes import Switch
from zhixing.kernel.clock import Clock
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.rules.model import DeviceAction, Direction, Fired
from zhixing.tasks.scheduling import Scheduling

_AHEAD = timedelta(microseconds=1)
_MOST_LOOKED_AT = 20
_OPPOSITE = {Direction.ENTER.value: Direction.EXIT.value, Direction.EXIT.value: Direction.ENTER.value}


def read_rest(words: tuple[str, ...]) -> Switch | None:
    """Read clauses as device commands; None where one of them may be something else. Pure."""
    if not 0 < len(words) <= MOST:
        return None
    orders = tuple(read_orders(clause) for clause in words)
    return Switch(orders) if all(orders) else None


def wait_for_agent(
    tx: Tx, agents: Agents, occurrence: Occurrence, prompt: Prompt, *, now: datetime, alone: bool
) -> None:
    """Let the answer of a rule wait for the agent; `alone`: nothing else is done for it."""
    agents.wait(
        tx,
        task_id=occurrence.task_id,
        occurrence_id=occurrence.id,
        origin=Origin.RULE,
        prompt=prompt,
        deadline=now + PATIENCE,
        alone=alone,
        due_at=occurrence.due,
    )


class Ordering:
    """The handler of `household.look`."""

    def __init__(
        self, engine: Engine, clock: Clock, *, switching: Switching, scheduling: Scheduling, agents: Agents
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._switching = switching
        self._scheduling = scheduling
        self._agents = agents
        engine.register(LOOK, self._look, gave_up=self._gave_up)

    def takes(self, tx: Tx, fired: Fired, prompt: Prompt, *, alone: bool) -> bool:
        """Have the words of an answer carried out, if all of them are device commands; return whether they are."""
        if read_rest(prompt.words) is None:
            return False
        payload = {"occurrence": fired.occurrence_id, "alone": alone, "prompt": msgspec.to_builtins(prompt)}
        key, lane = look_key_of(fired.occurrence_id), lane_of(fired.rule.id)
        self._engine.enqueue(tx, Job(LOOK, key, self._clock.now(), payload, lane))
        return True

    def _look(self, run: Run) -> None:
        occurrence_id, prompt, _ = _read(run.job)
        with run.checkpoint() as tx:
            decided = self._decided(tx, occurrence_id)
        wish = read_rest(prompt.words)
        # Asked outside of the transaction: the hub may keep its things in the same store. Another version of the
        # program may read the words otherwise.
        seen = Unclear() if decided or wish is None else self._switching.look(wish)
        with run.checkpoint() as tx:
            waits = isinstance(seen, Away) and self._waits(tx, occurrence_id, prompt)
        if waits:
            raise RetryAt(self._switching.look_again_at(), "device")
        with run.commit() as tx:
            if not self._decided(tx, occurrence_id):
                self._go_on(tx, run, seen)

    def _decided(self, tx: Tx, occurrence_id: str) -> bool:
        """Whether there is nothing to look for any more."""
        occurrence = occurrences.get(tx, occurrence_id)
        begun = self._engine.get(tx, key_of(occurrence_id)) is not None
        return not occurrence.open or begun or self._agents.holds(tx, occurrence_id)

    def _waits(self, tx: Tx, occurrence_id: str, prompt: Prompt) -> bool:
        """Whether a home that does not answer is asked again."""
        occurrence = occurrences.get(tx, occurrence_id)
        return occurrence.open and not self._is_over(tx, occurrence, prompt) and self._switching.waits(occurrence)

    def _go_on(self, tx: Tx, run: Run, seen: Seen) -> None:
        """Have devices commanded, or end the answer, or let it wait for the agent."""
        occurrence_id, prompt, alone = _read(run.job)
        occurrence = occurrences.get(tx, occurrence_id)
        words = wording("doing.list_separator").join(prompt.words)
        if self._is_over(tx, occurrence, prompt):
            self._pass_over(tx, occurrence, alone=alone)
        elif self._switching.is_late(occurrence):
            self._switching.miss(tx, occurrence, words, told=not alone)
        elif isinstance(seen, Found):
            self._begin(tx, run, occurrence, prompt.rule, seen.actions, alone=alone)
        elif isinstance(seen, Unclear):
            wait_for_agent(tx, self._agents, occurrence, prompt, now=self._clock.now(), alone=alone)
        else:
            self._switching.fail(tx, occurrence, seen, words, told=not alone)

    def _begin(
        self, tx: Tx, run: Run, occurrence: Occurrence, rule_id: str, actions: tuple[DeviceAction, ...], *, alone: bool
    ) -> None:
        """Have commands carried out, but for those that a later answer has overtaken while nobody could look."""
        late = run.attempt > 1
        wanted = tuple(
            one for one in actions if not (late and store.commanded_since(tx, one.did, one.iid, occurrence.due))
        )
        if not wanted:
            self._pass_over(tx, occurrence, alone=alone)
            return
        errand = Errand(occurrence.id, rule_id, occurrence.task_id, occurrence.due, wanted)
        # Due before this job was: what the rule answers later, or answered at the same instant, comes after it.
        self._engine.enqueue(tx, job_for(errand, run.job.due - _AHEAD))

    def _is_over(self, tx: Tx, occurrence: Occurrence, prompt: Prompt) -> bool:
        """Whether the rule has answered the opposite since: a light is not switched on when everybody has left."""
        opposite = _OPPOSITE.get(prompt.direction)
        if opposite is None:
            return False
        now = self._clock.now()
        latest = occurrences.of_part(tx, occurrence.task_id, f"rule:{prompt.rule}:{opposite}", _MOST_LOOKED_AT)
        # What lies ahead was written by a clock that was wrong.
        return any(occurrence.due < one.due <= now for one in latest)

    def _pass_over(self, tx: Tx, occurrence: Occurrence, *, alone: bool) -> None:
        state = OccurrenceState.SKIPPED if alone else OccurrenceState.DONE
        self._scheduling.finish_occurrence(tx, occurrence.id, state, "overtaken")

    def _gave_up(self, tx: Tx, job: Job, _error: str) -> None:
        occurrence_id, prompt, alone = _read(job)
        occurrence = occurrences.get(tx, occurrence_id)
        if occurrence.open and not self._agents.holds(tx, occurrence_id):
            words = wording("doing.list_separator").join(prompt.words)
            self._switching.fail(tx, occurrence, Away(), words, told=not alone)


def _read(job: Job) -> tuple[str, Prompt, bool]:
    payload: Any = job.payload
    return str(payload["occurrence"]), msgspec.convert(payload["prompt"], Prompt), bool(payload["alone"])
