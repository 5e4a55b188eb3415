"""The poller: threads that look, ask and tell. What is decided is decided in `deciding`.

Verdicts are volatile, so nothing of this is a job: after a restart every camera is simply looked at again. Nothing is
asked of a camera or a model while a transaction is open.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from zhixing.household.watching import deciding
from zhixing.household.watching.model import (
    Answered,
    Ending,
    Failed,
    Frame,
    Look,
    Missed,
    NotAllowed,
    Now,
    Outdated,
    Same,
    Shut,
    Spent,
    State,
    SwitchedOff,
    Terms,
    Told,
)
from zhixing.household.watching.spending import nothing_spent
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict, Unavailable, ZhixingError
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store
from zhixing.tasks.rules.operations import Rules
from zhixing.tasks.rules.taking import MOST_VERDICTS
from zhixing.world.devices.port import Camera, DeviceHub
from zhixing.world.models.failures import ModelFailure
from zhixing.world.models.port import Model
from zhixing.world.perception.reading import LONGEST_REASON
from zhixing.world.perception.snapshots import Snapshot, SnapshotFailed, Snapshots
from zhixing.world.perception.verdict import Verdict
from zhixing.world.vision import looking
from zhixing.world.vision.cameras import words_of
from zhixing.world.vision.looking import Judgement

_log = logging.getLogger("zhixing.vision")
_SHORTEST = 0.01
"""Seconds: nothing is due sooner that is not due now."""
_PATIENCE = 5.0
"""Seconds that `stop` waits for looks under way; what they bring later is dropped."""


class Poller:
    """Judges the conditions of enabled rules by what `cameras` (ids) show, as long as the hub lets them be used.

    At most `at_once` looks are under way at any moment, one for each camera. `spent` says what the model was asked
    today; `seconds` is how long it may take to answer.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rules: Rules,
        hub: DeviceHub,
        *,
        cameras: Sequence[str],
        snapshots: Snapshots,
        model: Model,
        terms: Terms | None = None,
        spent: Callable[[], Spent] = nothing_spent,
        at_once: int = 1,
        seconds: float = looking.SECONDS,
    ) -> None:
        self._store = store
        self._clock = clock
        self._rules = rules
        self._hub = hub
        self._cameras = tuple(dict.fromkeys(cameras))
        self._snapshots = snapshots
        self._model = model
        self._terms = terms or Terms()
        self._spent = spent
        self._at_once = at_once
        self._seconds = seconds
        self._state = State()
        self._guard = threading.Lock()
        self._halt = threading.Event()
        self._threads: list[threading.Thread] = []
        self._broken: dict[str, str] = {}
        """By camera: the last thing that went wrong on our side, so that it is logged once."""

    @property
    def state(self) -> State:
        """How it is now."""
        with self._guard:
            return self._state

    def start(self) -> None:
        """Look in the background from now on."""
        if self._threads:
            raise RuntimeError("the poller looks already")
        # A look that outlived an earlier stop keeps the event that stopped it.
        self._halt = threading.Event()
        self._threads = [
            threading.Thread(target=self._watch, args=(self._halt,), name=f"zhixing-look-{number}", daemon=True)
            for number in range(min(self._at_once, len(self._cameras)))
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Begin no more looks, and wait a little for those under way; nothing is told from now on."""
        self._halt.set()
        deadline = self._clock.monotonic() + _PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, min(deadline - self._clock.monotonic(), _PATIENCE)))
        self._threads = []

    def drain(self) -> int:
        """Look at every camera that is due, in the calling thread, each once; return how many were."""
        if self._threads:
            raise RuntimeError("the poller looks in the background")
        self._halt = threading.Event()
        looked: set[str] = set()
        while (name := self._take(looked)) is not None:
            looked.add(name)
            self._look(name, self._halt)
        return len(looked)

    def glance(self, camera: Camera) -> Glance:
        """Look at a camera once, for somebody who asks; the rules do not hear of it, and no budget is asked.

        Raises `Conflict` for a camera that is not in use, `Unavailable` where there is no picture or no answer.
        """
        if self._in_use(camera.did) is None:
            raise Conflict("camera_not_in_use", name=camera.name)
        try:
            snapshot = self._snapshots.snapshot(camera.did)
        except SnapshotFailed as failure:
            raise Unavailable("no_picture", name=camera.name, why=words_of(failure)) from failure
        wanted = self._wanted(camera.did)[: looking.MOST_QUERIES]
        if not wanted:
            return Glance(snapshot, {})
        looked = looking.look(self._model, snapshot, wanted, where=_where(camera), seconds=self._seconds)
        return Glance(snapshot, looked.judgements)

    def due_in(self) -> float:
        """Return the seconds until the next look."""
        with self._guard:
            return deciding.next_due(self._state, self._cameras, self._clock.monotonic())

    def _watch(self, halt: threading.Event) -> None:
        while not halt.is_set():
            name = self._take(())
            if name is None:
                self._clock.wait(halt, max(self.due_in(), _SHORTEST))
            else:
                self._look(name, halt)

    def _take(self, but: set[str] | tuple[()]) -> str | None:
        """Take the camera that is to be looked at now, if there is one."""
        with self._guard:
            now = self._clock.monotonic()
            name = deciding.next_look(self._state, [each for each in self._cameras if each not in but], now)
            if name is not None:
                self._state = deciding.begin(self._state, name, now)
            return name

    def _look(self, name: str, halt: threading.Event) -> None:
        attempt = _Attempt(name, halt)
        try:
            self._go_through(attempt)
        # Whatever it is, the other cameras are to be looked at, and this one again.
        except Exception as error:  # noqa: BLE001
            self._break_off(attempt)
            self._tell_broken(attempt, error)
        else:
            self._broken.pop(name, None)

    def _break_off(self, look: _Attempt) -> None:
        with self._guard:
            now = self._clock.monotonic()
            self._state = deciding.broke_off(self._state, look.camera, self._terms, now, asked=look.asked)

    def _tell_broken(self, look: _Attempt, error: Exception) -> None:
        name, said = look.camera, f"{type(error).__name__}: {error}"
        if self._broken.get(name) == said or look.halt.is_set():
            return
        self._broken[name] = said
        if isinstance(error, ZhixingError):
            _log.warning("camera %s cannot be watched: %s", name, error)
        else:
            _log.error("camera %s cannot be watched", name, exc_info=error)

    def _go_through(self, look: _Attempt) -> None:
        camera = self._in_use(look.camera)
        # Of a camera that was switched off, all that it said before is unknown now.
        wanted = tuple(self.state.eye(look.camera).known) if camera is None else self._wanted(look.camera)
        if not wanted:
            with self._guard:
                self._state = deciding.rest(self._state, look.camera, self._terms, self._clock.monotonic())
            return
        look.wanted = wanted
        if camera is not None:
            look.where = _where(camera)
        ending = SwitchedOff() if camera is None else self._see(look)
        if look.halt.is_set():
            self._break_off(look)
        else:
            self._end(Look(look.camera, wanted), ending)

    def _see(self, look: _Attempt) -> Ending:
        today = self._spent()
        why = self._shut(today)
        if why is not None:
            return NotAllowed(why)
        try:
            snapshot = self._snapshots.snapshot(look.camera)
        except SnapshotFailed as failure:
            return Missed(words_of(failure))
        except ZhixingError as failure:
            return Missed(str(failure))
        if (self._clock.now() - snapshot.taken_at).total_seconds() > self._terms.oldest:
            # The same words as long as it goes on: it is one trouble.
            return Outdated(wording("vision.old", seconds=round(self._terms.oldest)))
        return self._judge(look, snapshot, today)

    def _judge(self, look: _Attempt, snapshot: Snapshot, today: Spent) -> Ending:
        frame = Frame(hashlib.sha256(snapshot.data).hexdigest(), snapshot.taken_at)
        with self._guard:
            now = self._clock.monotonic()
            plan = deciding.plan(self._state.eye(look.camera), frame, look.wanted, self._terms, now)
            if not plan.ask:
                return Same(plan)
            # Others may have asked since this look began.
            why = deciding.shut(self._state, self._terms, today, now)
            if why is not None:
                return NotAllowed(why)
            self._state, look.asked = deciding.asking(self._state, now), True
        # It may have been switched off while it was being read: then nobody outside sees that, and nobody hears of it.
        if self._in_use(look.camera) is None:
            return SwitchedOff()
        try:
            looked = looking.look(self._model, snapshot, plan.ask, where=look.where, seconds=self._seconds)
        except ModelFailure as failure:
            return Failed(failure)
        return SwitchedOff() if self._in_use(look.camera) is None else Answered(plan, looked)

    def _shut(self, today: Spent) -> Shut | None:
        with self._guard:
            return deciding.shut(self._state, self._terms, today, self._clock.monotonic())

    def _in_use(self, name: str) -> Camera | None:
        return next((one for one in self._hub.cameras() if one.did == name and one.in_use), None)

    def _wanted(self, name: str) -> tuple[str, ...]:
        """Return the conditions that this camera has to judge, each once, in a stable order."""
        with self._store.read() as tx:
            asked = self._rules.asked(tx)
        return tuple(dict.fromkeys(one.query for one in asked if not one.sources or name in one.sources))

    def _end(self, look: Look, ending: Ending) -> None:
        """End a look: what is decided counts once the rules have heard of it."""
        with self._guard:
            before = self._state
            step = deciding.end(before, look, ending, self._terms, Now(self._clock.now(), self._clock.monotonic()))
            for first in range(0, len(step.told), MOST_VERDICTS):
                told = step.told[first : first + MOST_VERDICTS]
                self._rules.ingest([_verdict(look.camera, one) for one in told])
            self._state = step.state
        _tell(look.camera, before, step.state, ending)


@dataclass(frozen=True, slots=True)
class Glance:
    """What a camera shows, and what the model makes of each condition that is to be judged there."""

    snapshot: Snapshot
    judgements: Mapping[str, Judgement]


class _Attempt:
    """One look under way. `asked`: a question was put, or was about to be."""

    __slots__ = ("asked", "camera", "halt", "wanted", "where")

    def __init__(self, camera: str, halt: threading.Event) -> None:
        self.camera = camera
        self.halt = halt
        self.wanted: tuple[str, ...] = ()
        self.where = ""
        self.asked = False


def _where(camera: Camera) -> str:
    return " ".join(filter(None, (camera.room, camera.name)))


def _verdict(camera: str, told: Told) -> Verdict:
    return Verdict(camera, told.query, told.value, told.at, told.reason[:LONGEST_REASON])


def _tell(camera: str, before: State, after: State, ending: Ending) -> None:
    """Write into the log what began or ended; what goes on was told."""
    if after.shut is not before.shut:
        if after.shut is None:
            _log.info("pictures are judged again")
        else:
            _log.warning("nothing is judged from pictures now: %s", wording(f"vision.{after.shut.value}"))
    was, now = before.eye(camera).trouble, after.eye(camera).trouble
    if now and now != was and not isinstance(ending, SwitchedOff):
        _log.warning("camera %s: %s", camera, now)
    elif was and not now:
        _log.info("camera %s is judged again", camera)
