"""Follows the facts of a home and hands them over as verdicts, in a thread of its own.

How things are is told when a connection begins, when it changes, and when somebody begins to ask for it: a rule that
was just made hears it within `LOOK` seconds. When a connection ends, nobody knows any more. If verdicts come faster
than they are taken, what waits is dropped and how things are now is told instead.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.world.homeassistant.facts import Fact, judged, moment_of, moment_on_bus
from zhixing.world.homeassistant.members import one_line
from zhixing.world.homeassistant.wire import DATA, Changed, Happened, State
from zhixing.world.perception.verdict import Value, Verdict

LOOK = 5.0
"""Seconds between two looks at what is asked for."""
MOST_WAITING = 5_000
MOST_AT_ONCE = 500
_PAUSES = (1.0, 2.0, 5.0, 10.0)
_log = logging.getLogger(__name__)

Take = Callable[[Sequence[Verdict]], object]
Asked = Callable[[], Collection[tuple[str, str]]]
"""What rules ask for now: conditions, each with a source."""


@dataclass(slots=True)
class _Level:
    """What a fact that holds or not was last found to be."""

    value: Value
    reason: str


class Watcher:
    """Hands verdicts to `take`, which may raise: what it could not take for now is given again.

    `begin` is called when it starts: to connect.
    """

    def __init__(
        self, facts: Sequence[Fact], clock: Clock, *, take: Take, asked: Asked, begin: Callable[[], None]
    ) -> None:
        self._clock = clock
        self._take = take
        self._asked = asked
        self._begin = begin
        self._held = [fact for fact in facts if not fact.is_moment]
        self._moments = [fact for fact in facts if fact.is_moment]
        self._lock = threading.Lock()
        self._levels: dict[Fact, _Level] = {}
        self._waiting: deque[Verdict] = deque()
        self._overrun = False
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def events(self) -> Sequence[str]:
        """The events of the bus that the facts are about."""
        return tuple(dict.fromkeys(fact.event for fact in self._moments if fact.event))

    def start(self) -> None:
        """Begin to hand over."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="homeassistant-facts", daemon=True)
            self._thread.start()
            self._begin()

    def stop(self) -> None:
        """Hand over what waits, once, and end."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(30.0)

    # Called by the thread that reads

    def came(self, states: Mapping[str, State]) -> None:
        """Tell how everything is."""
        for fact in self._held:
            self._judge(fact, states.get(fact.entity), always=True)

    def changed(self, changed: Changed) -> None:
        """Tell what a change makes of the facts about its entity."""
        for fact in self._held:
            if fact.entity == changed.entity_id:
                self._judge(fact, changed.new_state, always=False)
        for fact in self._moments:
            if fact.entity == changed.entity_id and (name := moment_of(fact, changed)) is not None:
                self._happen(fact, name)

    def happened(self, event: Happened) -> None:
        """Tell of an event of the bus."""
        wanted = [fact for fact in self._moments if fact.event == event.event_type]
        if not wanted:
            return
        try:
            data = DATA.decode(event.data)
        except msgspec.MsgspecError:
            return
        for fact in wanted:
            if (name := moment_on_bus(fact, event, data)) is not None:
                self._happen(fact, name)

    def went(self) -> None:
        """Tell that nobody knows any more."""
        for fact in self._held:
            self._judge(fact, None, always=True)

    def _judge(self, fact: Fact, state: State | None, *, always: bool) -> None:
        value = judged(fact, state)
        with self._lock:
            before = self._levels.get(fact)
            if before is None or before.value is not value or always:
                level = self._levels[fact] = _Level(value, _reason(fact, state))
                self._put(self._verdict(fact, level))

    def _happen(self, fact: Fact, name: str) -> None:
        now = self._clock.now()
        with self._lock:
            self._put(Verdict(fact.source, fact.condition, Value.TRUE, now, firm=True, event=name))

    def _put(self, verdict: Verdict) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self._overrun = True
            _log.error("more than %d verdicts of Home Assistant waited; they were dropped", MOST_WAITING)
        self._waiting.append(verdict)
        self._wake.set()

    def _verdict(self, fact: Fact, level: _Level) -> Verdict:
        now = self._clock.now()
        return Verdict(fact.source, fact.condition, level.value, now, level.reason, firm=True, lasting=True)

    # The thread that hands over

    def _run(self) -> None:
        looked: float | None = None
        known: frozenset[tuple[str, str]] = frozenset()
        failures = 0
        while True:
            if looked is None or self._clock.monotonic() - looked >= LOOK:
                looked = self._clock.monotonic()
                known = self._look(known)
            batch = self._next()
            stopping = self._stopping.is_set()
            if batch:
                failures = 0 if self._handed_over(batch) else failures + 1
            if stopping:
                return
            if failures:
                self._rest(_PAUSES[min(failures, len(_PAUSES)) - 1])
            elif not batch:
                self._clock.wait(self._wake, LOOK - (self._clock.monotonic() - looked))

    def _look(self, known: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        """Tell how things are of what was not asked for before."""
        if not self._held:
            return known
        try:
            asked = frozenset(self._asked())
        except Unavailable:
            return known
        with self._lock:
            for fact, level in self._levels.items():
                if (fact.condition, fact.source) in asked - known:
                    self._put(self._verdict(fact, level))
        return asked

    def _next(self) -> list[Verdict]:
        with self._lock:
            self._wake.clear()
            if self._overrun and not self._waiting:
                self._overrun = False
                self._waiting.extend(self._verdict(fact, level) for fact, level in self._levels.items())
            return [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_AT_ONCE))]

    def _handed_over(self, batch: list[Verdict]) -> bool:
        try:
            self._take(batch)
        except Unavailable as error:
            _log.warning("verdicts of Home Assistant wait: %s", error)
            with self._lock:
                self._waiting.extendleft(reversed(batch))
            return False
        # What cannot be taken now will not be taken later either; the next ones are not to wait for it.
        except Exception:  # noqa: BLE001
            _log.exception("verdicts of Home Assistant were lost")
        return True

    def _rest(self, seconds: float) -> None:
        end = self._clock.monotonic() + seconds
        while (left := end - self._clock.monotonic()) > 0:
            if self._clock.wait(self._stopping, left):
                return


def _reason(fact: Fact, state: State | None) -> str:
    if state is None:
        return ""
    told = state.attributes.get(fact.attribute) if fact.attribute else state.state
    return one_line(f"{fact.entity} = {told}")
