"""Commands that the household agent gives: the same steps as those of rules, numbered by their turns.

What is given once is `sending` on disk before it leaves; found so by a later attempt, its fate is unknown, and that is
what the model is told. A property write is read first, verified after, and looked at again; it may be repeated.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from zhixing.engine.model import RetryAt, Run
from zhixing.household.agent import transcript
from zhixing.household.agent.deciding import command_of
from zhixing.household.agent.episode import has_begun_again
from zhixing.household.agent.model import Powers, Purpose, Turn, TurnState
from zhixing.household.doing import runs, steps, store
from zhixing.household.doing.commanding import Commanding
from zhixing.household.doing.model import AgentRun, Step, StepState
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import from_micros, parse_instant
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.world.devices.port import DeviceHub

GRACE = timedelta(minutes=10)
"""How long after its deadline a run may still find out what became of a command."""
_SECOND = timedelta(seconds=1)


class Acting:
    """Carries out turns that command a device."""

    def __init__(self, hub: DeviceHub, clock: Clock) -> None:
        self._clock = clock
        self._commanding = Commanding(hub, clock)

    def act(self, job: Run, run: AgentRun, powers: Powers, turn: Turn) -> None:
        """Bring a turn one attempt further; raises `RetryAt` while its device is on the way."""
        action = command_of(turn.arguments)
        with job.checkpoint() as tx:
            now = self._clock.now()
            step = _known(tx, run, turn) or steps.begin(action, run.occurrence_id, turn.number, now)
            if runs.get(tx, run.id).ended_at is not None:
                step = step if step.final else given_up(step, now)
            else:
                step = _before(tx, run, powers, step, now)
            if not step.final and not steps.repeatable(action):
                step = steps.settle(step, StepState.SENDING, "", now)
            if step.final or step.state is StepState.SENDING:
                store.save(tx, [step])
            if step.final:
                transcript.settle(tx, run.id, outcome(turn, step))
                return
        if step.next_at is not None and step.next_at > now:
            raise RetryAt(step.next_at, "device")
        give = self._commanding.once if step.state is StepState.SENDING else self._commanding.write
        step = give(step, action)
        with job.checkpoint() as tx:
            store.save(tx, [step])
            if step.final:
                transcript.settle(tx, run.id, outcome(turn, step))
        if not step.final:
            raise RetryAt(step.next_at or self._clock.now() + _SECOND, "device")


def close(tx: Tx, run: AgentRun, turn: Turn, now: datetime) -> None:
    """Settle a turn of a run that is over: what left the house may have arrived, everything else did not happen."""
    step = _known(tx, run, turn)
    if step is None:
        dropped = replace(turn, state=TurnState.DROPPED, result=wording("agent.run_over"))
        transcript.settle(tx, run.id, dropped)
        return
    if not step.final:
        step = given_up(step, now)
        store.save(tx, [step])
    transcript.settle(tx, run.id, outcome(turn, step))


def given_up(step: Step, now: datetime) -> Step:
    """Settle a step that nobody sees to any more."""
    left = step.state is StepState.SENDING or step.tries > 0
    return steps.settle(step, *((StepState.UNKNOWN, "interrupted") if left else (StepState.SKIPPED, "called_off")), now)


def outcome(turn: Turn, step: Step) -> Turn:
    """Return a turn with what became of its step."""
    match step.state:
        case StepState.DONE:
            state = TurnState.DONE
        case StepState.SKIPPED:
            state = TurnState.DONE if step.reason == "already" else TurnState.DROPPED
        case StepState.FAILED:
            state = TurnState.FAILED
        case _:
            state = TurnState.UNKNOWN
    seen = "" if step.seen is None else wording("agent.shows", value=step.seen)
    why = step.why() if step.reason else ""
    return replace(turn, state=state, result=wording("doing.list_separator").join(filter(None, (why, seen))))


def _known(tx: Tx, run: AgentRun, turn: Turn) -> Step | None:
    return next((one for one in store.of_occurrences(tx, [run.occurrence_id]) if one.number == turn.number), None)


def _before(tx: Tx, run: AgentRun, powers: Powers, step: Step, now: datetime) -> Step:
    """Return what a step is before it is tried (again): whatever made it pointless meanwhile ends it."""
    if step.final:
        return step
    until = from_micros(powers.until)
    if step.state is StepState.SENDING or (step.tries and now > until + GRACE):
        return steps.settle(step, StepState.UNKNOWN, "interrupted", now)
    if step.tries:
        late = store.overtaken(tx, step)
        return steps.settle(step, StepState.SKIPPED, "overtaken", now) if late else step
    if now >= until:
        return steps.settle(step, StepState.SKIPPED, "late", now)
    if powers.purpose is Purpose.RESET:
        if has_begun_again(tx, run):
            return steps.settle(step, StepState.SKIPPED, "again", now)
        if store.commanded_since(tx, step.did, step.iid, parse_instant(run.prompt.at)):
            return steps.settle(step, StepState.SKIPPED, "overtaken", now)
    return step
