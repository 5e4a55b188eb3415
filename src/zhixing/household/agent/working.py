"""Working off what waits for judgement: one durable job for each run, one run at a time.

A run stays `waiting` until something has been decided about it; its transcript is written turn by turn, and whoever
takes it up after a crash goes on from there. What a run tells is written in the transaction that writes down the turn;
what it commands are steps. Nothing is asked of the model or the home while a transaction is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.engine.shares import MODELS
from zhixing.household.agent import transcript
from zhixing.household.agent.acting import GRACE, Acting, close
from zhixing.household.agent.deciding import Do, End, next_step, taken
from zhixing.household.agent.episode import episode_of, has_begun_again, touched
from zhixing.household.agent.model import Powers, State, Tool, Turn, TurnState, Who
from zhixing.household.agent.powers import named_records, powers_of
from zhixing.household.agent.prompting import complaint, question, read_reply
from zhixing.household.agent.resetting import (
    LOOK_AGAIN,
    Episode,
    Leave,
    LookAgain,
    Restore,
    TakesJudgement,
    wants_reset,
)
from zhixing.household.agent.restoring import look_and_decide, powers_by_rule, turns_by_rule
from zhixing.household.agent.tools import Told, Tools
from zhixing.household.descs import Medium
from zhixing.household.doing import runs
from zhixing.household.doing.agents import Agents
from zhixing.household.doing.model import AgentRun, RunState, TaskOf
from zhixing.household.doing.standing_in import stand_in
from zhixing.household.doing.telling import Telling
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import from_micros, micros, zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.records.operations import Records
from zhixing.world.devices.port import Device, DeviceHub, DeviceSpec
from zhixing.world.models.failures import ModelFailure, ModelGarbled, ModelUnavailable
from zhixing.world.models.port import Model, Reply

AGENT = "household.agent"
"""The name of the job. Its payload has `run`."""
LANE = "agent"
"""One run at a time."""
_LONGEST_PAUSE = timedelta(minutes=1)
_LONGEST_RESULT = 4_000
"""Characters kept of what a tool brought."""
_IN_TRANSACTION = (Tool.NOTIFY, Tool.READ_RECORD, Tool.LOOK)


@dataclass(frozen=True, slots=True)
class _View:
    """A run as the rows have it. `powers` is None before its first turn."""

    run: AgentRun
    powers: Powers | None
    turns: tuple[Turn, ...]
    episode: Episode
    zone_name: str
    records: tuple[tuple[str, str], ...]
    begun_again: bool


class HouseholdAgent:
    """Sees to runs: resets by rule where that is enough, everything else with `model`, where there is one."""

    def __init__(
        self,
        database: Store,
        engine: Engine,
        clock: Clock,
        *,
        hub: DeviceHub,
        records: Records,
        agents: Agents,
        telling: Telling,
        task_of: TaskOf,
        model: Model | None,
    ) -> None:
        self._store = database
        self._engine = engine
        self._clock = clock
        self._hub = hub
        self._agents = agents
        self._telling = telling
        self._task_of = task_of
        self._model = model
        self._tools = Tools(hub, records, telling, clock)
        self._acting = Acting(hub, clock)
        engine.register(AGENT, self._work, gave_up=self._gave_up, share=MODELS)
        agents.attend(self)

    def takes(self, run: AgentRun) -> bool:
        """Whether it sees to a run."""
        return self._model is not None or wants_reset(run)

    def expect(self, tx: Tx, run: AgentRun) -> None:
        """Have a run worked off, in the transaction that makes it wait."""
        # What could not be decided by rule is decided once there is a model.
        key = f"agent:{run.id}:{'rule' if self._model is None else 'model'}"
        self._engine.enqueue(tx, Job(AGENT, key, self._clock.now(), {"run": run.id}, LANE))

    def take_up(self) -> int:
        """Have everything worked off that waits, such as from before there was a model; return how many runs wait."""
        with self._store.read() as tx:
            waiting = runs.page(tx, states=(RunState.WAITING, RunState.RUNNING), limit=runs.LARGEST_PAGE)
        taken_up = [run for run in reversed(waiting) if self.takes(run)]
        if taken_up:
            with self._store.write() as tx:
                for run in taken_up:
                    self.expect(tx, run)
        return len(waiting)

    # The job

    def _work(self, job: Run) -> None:
        while self._advance(job, str(job.job.payload["run"])):
            pass

    def _advance(self, job: Run, run_id: str) -> bool:
        """Do the next thing about a run; return whether there may be another."""
        with job.checkpoint() as tx:
            view = self._view(tx, run_id)
            if view.run.ended_at is not None:
                self._close(tx, view)
                return False
        if view.powers is None:
            return self._begin(job, view)
        state = State(view.run, view.powers, view.turns)
        match next_step(state, self._clock.now()):
            case End(how, why):
                self._end(job, state, how, why)
                return False
            case Do(turn):
                self._do(job, state, turn)
                return True
            case ask:
                return self._ask(job, view, state, self._devices(job, view), ask.seconds)

    def _view(self, tx: Tx, run_id: str) -> _View:
        run = runs.get(tx, run_id)
        named = [(name, self._task_of(tx, name)) for name in named_records(run.prompt.words)]
        return _View(
            run,
            transcript.powers(tx, run_id),
            transcript.turns(tx, run_id),
            episode_of(tx, run),
            tasks.get(tx, run.task_id).zone,
            tuple((name, task_id) for name, task_id in named if task_id is not None),
            has_begun_again(tx, run),
        )

    def _close(self, tx: Tx, view: _View) -> None:
        for turn in view.turns:
            if turn.open:
                close(tx, view.run, turn, self._clock.now())

    # The first turn

    def _begin(self, job: Run, view: _View) -> bool:
        """Decide by rule where that is possible; otherwise ask."""
        run, now = view.run, self._clock.now()
        if now >= run.deadline:
            with job.commit() as tx:
                self._agents.expire(tx, run.id, run.why or "agent_late")
                self._miss(tx, run, run.why or "agent_late")
            return False
        if wants_reset(run):
            resetting = look_and_decide(self._hub, view.episode, now)
            if isinstance(resetting, LookAgain):
                raise self._wait(job, run, "reset_unreadable", resetting.at)
            if not isinstance(resetting, TakesJudgement):
                return self._begin_by_rule(job, view, resetting)
        if self._model is None:
            with job.commit() as tx:
                self._agents.hinder(tx, run.id, "no_agent")
                self._agents.note(tx, run, due_at=run.created_at)
            return False
        devices = self._devices(job, view)
        served = [medium for medium in Medium if medium is Medium.CHAT or self._telling.reaches((medium,))]
        powers = powers_of(run, devices=devices, touched=touched(view.episode), served=served, records=view.records)
        state = State(run, powers)
        match next_step(state, now):
            case Do() | End():
                raise AssertionError("a run that has not begun asks first")
            case ask:
                return self._ask(job, view, state, devices, ask.seconds)

    def _begin_by_rule(self, job: Run, view: _View, resetting: Restore | Leave) -> bool:
        powers, turns = powers_by_rule(view.run, resetting), turns_by_rule(resetting, self._clock.now())
        with job.checkpoint() as tx:
            # Looked at without a transaction, so the condition may have begun to hold again.
            if has_begun_again(tx, view.run) == view.begun_again and self._take(tx, view.run, powers) is not None:
                transcript.add(tx, view.run.id, turns)
        return True

    # A turn

    def _ask(self, job: Run, view: _View, state: State, devices: Sequence[Device], seconds: float) -> bool:
        model = self._model
        if model is None:
            self._end(job, state, RunState.FAILED, "agent_gone")
            return False
        asked = question(
            state,
            now=self._clock.now(),
            zone=zone(view.zone_name),
            devices=devices,
            episode=view.episode,
            seconds=seconds,
        )
        try:
            reply = model.ask(asked, complaint)
        except ModelUnavailable as failure:
            pause = failure.pause(job.attempt, _LONGEST_PAUSE)
            until = from_micros(state.powers.until)
            raise self._wait(job, state.run, "agent_model_away", self._clock.now() + pause, until) from failure
        except ModelFailure as failure:
            self._fail(job, state, failure)
            return False
        self._take_reply(job, state, reply)
        return True

    def _take_reply(self, job: Run, state: State, reply: Reply) -> None:
        wanted = read_reply(reply.value)
        tool, _, arguments = wanted
        names_allowed = tool is Tool.ACT_DEVICE and arguments.device in state.powers.devices
        spec = self._spec(arguments.device) if names_allowed else None
        elapsed = reply.elapsed.total_seconds()
        turn = taken(state, wanted, spec, tokens=reply.tokens, elapsed=elapsed, now=self._clock.now())
        with job.checkpoint() as tx:
            run = self._take(tx, state.run, state.powers)
            if run is None:
                return
            if turn.open and turn.tool in _IN_TRANSACTION:
                turn = _brought(turn, self._within(tx, replace(state, run=run), turn))
            transcript.add(tx, run.id, [turn])

    def _within(self, tx: Tx, state: State, turn: Turn) -> Told:
        match turn.tool:
            case Tool.NOTIFY:
                return self._tools.notify(tx, state, turn)
            case Tool.READ_RECORD:
                return self._tools.read_record(tx, state, turn.arguments)
            case _:
                return self._tools.look(tx, state, turn.arguments)

    def _do(self, job: Run, state: State, turn: Turn) -> None:
        """Do what a turn asked of the home."""
        if turn.tool is Tool.ACT_DEVICE:
            self._acting.act(job, state.run, state.powers, turn)
            return
        try:
            reads = turn.tool is Tool.READ_DEVICE
            told = self._tools.read_device(turn.arguments) if reads else self._tools.list_devices()
        # A driver may raise anything; the model is told that it could not be read.
        except Exception as error:  # noqa: BLE001
            told = (TurnState.FAILED, wording("doing.step_broken", detail=type(error).__name__))
        with job.checkpoint() as tx:
            transcript.settle(tx, state.run.id, _brought(turn, told))

    # Waiting, and the end

    def _wait(self, job: Run, run: AgentRun, why: str, at: datetime, until: datetime | None = None) -> RetryAt:
        """Note what a run waits for; return what brings its job back, at the deadline at the latest."""
        with job.checkpoint() as tx:
            self._agents.hinder(tx, run.id, why)
            if why == "agent_model_away" and not _has_told(transcript.turns(tx, run.id)):
                # Whoever waits for a reminder does not care why it is late.
                stand_in(tx, self._telling, run)
        return RetryAt(min(at, until or run.deadline), why)

    def _fail(self, job: Run, state: State, failure: ModelFailure) -> None:
        """End a run whose model will not answer, or not so that it could be used."""
        number = state.turns[-1].number + 1 if state.turns else 1
        now = self._clock.now()
        note = Turn(number, Who.MODEL, Tool.NOTE, TurnState.FAILED, now, result=failure.text())
        with job.checkpoint() as tx:
            if self._take(tx, state.run, state.powers) is not None:
                transcript.add(tx, state.run.id, [note])
        garbled = isinstance(failure, ModelGarbled)
        self._end(job, state, RunState.FAILED, "agent_model_garbled" if garbled else "agent_model_refused")

    def _end(self, job: Run, state: State, how: RunState, why: str) -> None:
        with job.commit() as tx:
            run = runs.get(tx, state.run.id)
            if run.ended_at is not None:
                return
            if how is RunState.EXPIRED:
                why = run.why or why
                self._agents.expire(tx, run.id, why, done=state.acted)
            else:
                self._agents.end(tx, run.id, how, why)
            if how is not RunState.DONE and not _has_told(state.turns):
                self._miss(tx, run, why)

    def _miss(self, tx: Tx, run: AgentRun, why: str) -> None:
        """See to it that what came to nothing is not silent: a message is passed on as it stands, unless it is late."""
        if why == "agent_late" or not stand_in(tx, self._telling, run):
            self._agents.note_missed(tx, run, why)

    def _take(self, tx: Tx, run: AgentRun, powers: Powers) -> AgentRun | None:
        """Begin a run, unless it has begun; None where it has ended meanwhile."""
        run = runs.get(tx, run.id)
        if run.ended_at is not None:
            return None
        if run.state is RunState.WAITING:
            run = self._agents.take(tx, run.id, run.deadline + GRACE)
            transcript.begin(tx, run.id, powers, micros(self._clock.now()))
        # Whatever it waited for has come.
        return runs.move(tx, run, run.state) if run.why else run

    def _gave_up(self, tx: Tx, job: Job, _error: str) -> None:
        run_id = str(job.payload["run"])
        run = runs.get(tx, run_id)
        for turn in transcript.turns(tx, run_id):
            if turn.open:
                close(tx, run, turn, self._clock.now())
        if run.state is RunState.WAITING:
            self._agents.expire(tx, run_id, "agent_broken")
        elif run.ended_at is None:
            self._agents.end(tx, run_id, RunState.FAILED, "agent_broken")
        else:
            return
        self._miss(tx, run, "agent_broken")

    # The home

    def _devices(self, job: Run, view: _View) -> Sequence[Device]:
        try:
            return self._tools.devices()
        # A driver may raise anything, and what may be commanded depends on what there is.
        except Exception as error:
            until = view.run.deadline if view.powers is None else from_micros(view.powers.until)
            raise self._wait(job, view.run, "agent_home_away", self._clock.now() + LOOK_AGAIN, until) from error

    def _spec(self, did: str) -> DeviceSpec | None:
        try:
            return self._hub.spec(did)
        # As above; the model is told that there is no such device.
        except Exception:  # noqa: BLE001
            return None


def _brought(turn: Turn, told: Told) -> Turn:
    state, result = told
    return replace(turn, state=state, result=result[:_LONGEST_RESULT])


def _has_told(turns: Sequence[Turn]) -> bool:
    return any(turn.tool is Tool.NOTIFY and turn.state is TurnState.DONE for turn in turns)
