"""The job that gives commands to devices, and ends their occurrences.

Commands that may be repeated go out at once; a crash before they are written down has them given again, which changes
nothing. The others are marked `sending` on disk before they leave: found like that by a later attempt, their fate is
unknown, and they are not given again. One command that fails never stops the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from zhixing.engine.model import Engine, Job, RetryAt, Run, Superseded
from zhixing.household.doing import steps, store
from zhixing.household.doing.commanding import Commanding
from zhixing.household.doing.errands import ACT, errands_of
from zhixing.household.doing.model import Errand, Step, StepState
from zhixing.household.doing.telling import NEWS_PAUSE, Telling
from zhixing.kernel.clock import Clock
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks import occurrences
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.occurrences import Move
from zhixing.tasks.scheduling import Scheduling
from zhixing.world.devices.port import DeviceHub

_SHOWN = 3

_Place = tuple[str, int]
_Known = dict[_Place, Step]


class Acting:
    """The handler of `household.act`."""

    def __init__(
        self,
        database: Store,
        engine: Engine,
        clock: Clock,
        *,
        hub: DeviceHub,
        telling: Telling,
        scheduling: Scheduling,
    ) -> None:
        self._store = database
        self._engine = engine
        self._clock = clock
        self._scheduling = scheduling
        self._commanding = Commanding(hub, clock)
        self._telling = telling
        self._unwritten: dict[str, tuple[int, _Known]] = {}
        engine.register(ACT, self._act, gave_up=self._gave_up)

    def _act(self, run: Run) -> None:
        errands = errands_of(run.job.payload)
        attempt, known = self._unwritten.pop(run.job.key, (0, {}))
        if attempt != run.attempt - 1 or not known:
            known = self._carry_out(run, errands)
        # If the database cannot be written now, the next attempt still knows what happened, unless another worker's
        # came in between.
        self._unwritten[run.job.key] = (run.attempt, known)
        try:
            again = self._write_down(run, errands, known)
        except Superseded:
            del self._unwritten[run.job.key]
            raise
        del self._unwritten[run.job.key]
        if again is not None:
            raise RetryAt(again, "device")

    def _carry_out(self, run: Run, errands: Sequence[Errand]) -> _Known:
        """Do what is to be done now; return all steps as they are then."""
        single = any(not steps.repeatable(action) for errand in errands for action in errand.actions)
        with run.checkpoint() if single else self._store.read() as tx:
            wanted, known = self._still_wanted(tx, run, errands)
            if single:
                self._mark(tx, wanted, known)
        now = self._clock.now()
        for errand in wanted:
            for number, action in enumerate(errand.actions, start=1):
                place = (errand.occurrence_id, number)
                step = known.get(place) or steps.begin(action, *place, now)
                if step.state is StepState.SENDING:
                    known[place] = self._commanding.once(step, action)
                elif step.state is StepState.WAITING and (step.next_at is None or step.next_at <= now):
                    known[place] = self._commanding.write(step, action)
                else:
                    known[place] = step
        return known

    def _still_wanted(self, tx: Tx, run: Run, errands: Sequence[Errand]) -> tuple[list[Errand], _Known]:
        """Return the errands that nobody called off, and what an earlier attempt left of their steps."""
        ids = [errand.occurrence_id for errand in errands]
        still_open = {one.id for one in occurrences.some(tx, ids).values() if one.open}
        known: _Known = {}
        if run.attempt > 1:
            now = self._clock.now()
            for step in store.of_occurrences(tx, ids):
                known[step.occurrence_id, step.number] = _found(tx, step, now, wanted=step.occurrence_id in still_open)
        wanted = [errand for errand in errands if errand.occurrence_id in still_open]
        if run.attempt > 1:
            self._pass_over(tx, wanted, known)
        return wanted, known

    def _pass_over(self, tx: Tx, errands: Iterable[Errand], known: _Known) -> None:
        """Leave out what was never tried, and has been overtaken: a job that was lost waits outside of its lane."""
        now = self._clock.now()
        for errand in errands:
            for place, action in zip(_places(errand), errand.actions, strict=True):
                late = place not in known and steps.repeatable(action)
                if late and store.commanded_since(tx, action.did, action.iid, errand.at):
                    known[place] = steps.settle(steps.begin(action, *place, now), StepState.SKIPPED, "overtaken", now)

    def _mark(self, tx: Tx, errands: Iterable[Errand], known: _Known) -> None:
        """Decide which of the commands that are given once leave now, and put that on disk."""
        now = self._clock.now()
        marked: _Known = {}
        given: dict[tuple[str, str, str], str] = {}
        for errand in errands:
            for number, action in enumerate(errand.actions, start=1):
                place = (errand.occurrence_id, number)
                if steps.repeatable(action) or place in known:
                    continue
                which = (errand.rule_id, action.did, action.iid)
                step = steps.begin(action, *place, now)
                # Two commands of one answer belong together; only other answers keep a cooldown.
                beside = given.setdefault(which, errand.occurrence_id) != errand.occurrence_id
                last = now if beside else store.last_success(tx, *which)
                if steps.cooled(action, last, now):
                    marked[place] = steps.settle(step, StepState.SENDING, "", now)
                else:
                    marked[place] = steps.settle(step, StepState.SKIPPED, "cooldown", now)
        store.save(tx, marked.values())
        known |= marked

    def _write_down(self, run: Run, errands: Sequence[Errand], known: _Known) -> datetime | None:
        """Write down all steps and end the occurrences of which none waits; return when the next one is to be seen."""
        waiting = [step.next_at for step in known.values() if step.state is StepState.WAITING and step.next_at]
        # Asked outside of the transaction: the hub may keep its things in the same store.
        names = self._commanding.names({step.did for step in known.values() if step.final and not step.good})
        with run.checkpoint() if waiting else run.commit() as tx:
            store.save(tx, known.values())
            results = [(errand, [known[place] for place in _places(errand) if place in known]) for errand in errands]
            for errand, of_it in results:
                _note_successes(tx, errand, of_it)
            ended = [(errand, of_it) for errand, of_it in results if of_it and all(step.final for step in of_it)]
            self._end(tx, ended, names)
        return min(waiting, default=None)

    def _end(
        self, tx: Tx, results: Iterable[tuple[Errand, Sequence[Step]]], names: Mapping[str, str], error: str = ""
    ) -> None:
        """End the occurrences of errands, those that nobody called off, and say what went wrong."""
        now = self._clock.now()
        results = list(results)
        in_books = occurrences.some(tx, [errand.occurrence_id for errand, _ in results])
        ended = [(errand, of_it) for errand, of_it in results if in_books[errand.occurrence_id].open]
        moves = [
            _move(in_books[errand.occurrence_id], errand, of_it, error)
            for errand, of_it in ended
            if not errand.scheduled
        ]
        occurrences.move_all(tx, moves, now=now, who=CLOCK)
        for errand, of_it in ended:
            if errand.scheduled:
                self._end_scheduled(tx, errand, of_it)
            bad = [step for step in of_it if not step.good]
            if bad and store.is_news(tx, errand.part, now, NEWS_PAUSE):
                text = _bad_news(bad, names)
                self._telling.news(tx, errand.task_id, errand.occurrence_id, text, due_at=errand.at)

    def _end_scheduled(self, tx: Tx, errand: Errand, of_it: Sequence[Step]) -> None:
        """End the occurrence of a cron job, with the job that waits for it."""
        state, reason = outcome(of_it)
        self._engine.cancel(tx, errand.occurrence_id)
        self._scheduling.finish_occurrence(tx, errand.occurrence_id, state, reason)

    def _gave_up(self, tx: Tx, job: Job, error: str) -> None:
        """End what a job could not do, for good; whatever had left the house may have arrived."""
        self._unwritten.pop(job.key, None)
        now = self._clock.now()
        errands = errands_of(job.payload)
        known = {
            (step.occurrence_id, step.number): step
            for step in store.of_occurrences(tx, [errand.occurrence_id for errand in errands])
        }
        results = []
        for errand in errands:
            of_it = []
            for place, action in zip(_places(errand), errand.actions, strict=True):
                step = known.get(place) or steps.begin(action, *place, now)
                of_it.append(step if step.final else _abandoned(step, now))
            store.save(tx, of_it)
            results.append((errand, of_it))
        self._end(tx, results, {}, error)


def _move(occurrence: Occurrence, errand: Errand, of_it: Sequence[Step], error: str) -> Move:
    state, reason = outcome(of_it)
    data: dict[str, object] = {"rule": errand.rule_id, "steps": [described(step) for step in of_it]}
    if error:
        data["error"] = error
    return Move(occurrence, state, reason, data)


def _note_successes(tx: Tx, errand: Errand, of_it: Iterable[Step]) -> None:
    for step in of_it:
        if step.state is StepState.DONE and not steps.repeatable(errand.actions[step.number - 1]):
            store.note_success(tx, errand.rule_id, step.did, step.iid, step.at)


def outcome(of_it: Sequence[Step]) -> tuple[OccurrenceState, str | None]:
    """Decide how an answer ended, given the ends of its steps."""
    good = sum(step.good for step in of_it)
    if good == len(of_it):
        return OccurrenceState.DONE, None
    if good:
        return OccurrenceState.DONE, "partial"
    sure = all(step.state is StepState.FAILED for step in of_it)
    return OccurrenceState.FAILED, "acts_failed" if sure else "acts_unsure"


def _bad_news(bad: Sequence[Step], names: Mapping[str, str]) -> str:
    said = [
        wording(f"doing.news_{step.state.value}", device=names.get(step.did, step.did), why=step.why())
        for step in bad[:_SHOWN]
    ]
    text = wording("doing.list_separator").join(said)
    return text if len(bad) <= _SHOWN else wording("doing.news_more", text=text, count=len(bad))


def described(step: Step) -> dict[str, object]:
    """Return a step as the journal has it."""
    told = {
        "did": step.did,
        "iid": step.iid,
        "state": step.state.value,
        "reason": step.reason,
        "seen": step.seen,
        "tries": step.tries,
    }
    return {key: value for key, value in told.items() if value not in ("", None)}


def _found(tx: Tx, step: Step, now: datetime, *, wanted: bool) -> Step:
    """Return what a step that an earlier attempt left is now."""
    if step.state is StepState.SENDING:
        return steps.settle(step, StepState.UNKNOWN, "interrupted", now)
    if step.state is StepState.WAITING and not wanted:
        return steps.settle(step, StepState.SKIPPED, "called_off", now)
    if step.state is StepState.WAITING and store.overtaken(tx, step):
        return steps.settle(step, StepState.SKIPPED, "overtaken", now)
    return step


def _abandoned(step: Step, now: datetime) -> Step:
    left = step.state is StepState.SENDING or step.tries > 0
    return steps.settle(step, StepState.UNKNOWN if left else StepState.FAILED, "interrupted", now)


def _places(errand: Errand) -> list[_Place]:
    return [(errand.occurrence_id, number) for number in range(1, len(errand.actions) + 1)]
