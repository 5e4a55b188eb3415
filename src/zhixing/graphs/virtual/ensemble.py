"""Rules that run beside each other on one gateway: one clock, one set of variables, one memory of what devices said.

Pure: whoever has an ensemble tells it what happens and when, and takes out what is to be done about it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.logs import Line
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.machine import Machine
from zhixing.graphs.simulating.memory import Memory, recall, remembered
from zhixing.graphs.simulating.options import DEFAULTS, Options
from zhixing.graphs.simulating.result import Called, Diagnostic, Written
from zhixing.graphs.simulating.script import (
    ClockSet,
    Property,
    PropertyReport,
    Script,
    Signal,
    Switch,
    Value,
    VariableSet,
)
from zhixing.graphs.simulating.world import World
from zhixing.kernel.moments import zone

GRACE_MS = 60_000
"""How late what is due may be worked off as if it were not late."""
REST_MS = 1_000
"""How long a rule rests that took as many steps at once as any may."""
MOST_HANDED_ON = 1_000
"""Variables that one pass tells other rules of; a storm between rules ends there."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class GatewayClock:
    """The clock of a gateway: `now_ms` never goes back, and the wall clock shows `wall_off_ms` more than it."""

    now_ms: int
    wall_off_ms: int = 0

    def at(self, wall: datetime) -> GatewayClock:
        """Return the clock once the wall clock shows `wall`; one that was put back takes the wall with it alone."""
        wall_ms = (wall - _EPOCH) // timedelta(milliseconds=1)
        there = wall_ms - self.wall_off_ms
        if there >= self.now_ms:
            return GatewayClock(there, self.wall_off_ms)
        return GatewayClock(self.now_ms, wall_ms - self.now_ms)

    def wall(self, at_ms: int) -> datetime:
        """Return what the wall clock shows at an instant of this one."""
        return _EPOCH + timedelta(milliseconds=at_ms + self.wall_off_ms)


class Ensemble:
    """The rules that are on, over shared `variables` and `heard` (what devices last said), which it changes."""

    def __init__(
        self,
        clock: GatewayClock,
        zone_name: str,
        variables: dict[Variable, float | str],
        heard: Mapping[Property, Value],
        options: Options = DEFAULTS,
    ) -> None:
        self.world = World(Script(_EPOCH, zone(zone_name), options=options, state=heard))
        self.world.variables = variables
        self.world.now_ms = clock.now_ms
        self.world.set_clock(clock.wall(clock.now_ms))
        self._machines: dict[str, Machine] = {}
        self._ended: list[Machine] = []
        self._told: dict[str, int] = {}
        self._handed_on = 0

    @property
    def now_ms(self) -> int:
        """How far it has come."""
        return self.world.now_ms

    def is_on(self, name: str) -> bool:
        """Whether a rule is on."""
        return name in self._machines

    def jump(self, to: GatewayClock) -> None:
        """Let it be an instant without working off what is due before."""
        self.world.now_ms = max(to.now_ms, self.now_ms)

    def seat(self, rule: Rule, memory: Memory) -> None:
        """Let a rule go on that ran before."""
        machine = self._machines[rule.id] = Machine(rule, self.world)
        recall(machine, memory)

    def start(self, rule: Rule, *, saved: bool) -> None:
        """Switch a rule on, at once; `saved` is whether it was saved that way just now."""
        self.stop(rule.id)
        machine = self._machines[rule.id] = Machine(rule, self.world)
        self.world.saving = saved
        machine.take(self.now_ms, Switch(on=True))
        self.world.saving = False
        self._hand_on(machine)

    def stop(self, name: str) -> None:
        """Switch a rule off; what it waited for is forgotten."""
        machine = self._machines.pop(name, None)
        self._told.pop(name, None)
        if machine is not None:
            machine.take(self.now_ms, Switch(on=False))
            self._ended.append(machine)

    def hear(self, signal: Signal, *, quietly: Collection[str] = ()) -> None:
        """Let something happen now; these rules only take in how things stand, and nothing in them starts of it."""
        if isinstance(signal, PropertyReport):
            # Also where no rule is on: what is asked for later is what was said last.
            self.world.report(signal.property, signal.value)
        for name, machine in list(self._machines.items()):
            if name in quietly:
                _learn(machine, signal)
            else:
                machine.take(self.now_ms, signal)
            self._hand_on(machine)

    def advance(self, to: GatewayClock) -> None:
        """Work off what is due until an instant; what is overdue for longer than `GRACE_MS` is done once, then."""
        due = self._due_ms()
        if due is not None and due < to.now_ms - GRACE_MS:
            self._each(lambda machine: machine.wake(to.now_ms))
        else:
            while (due := self._due_ms()) is not None and due <= to.now_ms:
                self._work_off(due)
        self.world.now_ms = max(to.now_ms, self.now_ms)

    def set_clock(self, to: GatewayClock) -> None:
        """Let the wall clock show something else; alarms and windows look again."""
        self._each(lambda machine: machine.take(self.now_ms, ClockSet(to.wall(self.now_ms))))
        self.world.set_clock(to.wall(self.now_ms))

    @property
    def next_due_ms(self) -> int | None:
        """When something is due next."""
        return min((due for due in self.dues().values() if due is not None), default=None)

    def dues(self) -> Mapping[str, int | None]:
        """Return when something of each rule is due next."""
        return {name: self._due_of(machine) for name, machine in self._machines.items()}

    def _due_of(self, machine: Machine) -> int | None:
        due = machine.agenda.next_due()
        return due if due is None or not machine.flow.spent else max(due, self.now_ms + REST_MS)

    def _due_ms(self) -> int | None:
        """Return when something is due next of the rules that do not rest."""
        dues = (machine.agenda.next_due() for machine in self._machines.values() if not machine.flow.spent)
        return min((due for due in dues if due is not None), default=None)

    def memories(self) -> Mapping[str, Memory]:
        """Return what each rule remembers."""
        return {name: remembered(machine) for name, machine in self._machines.items()}

    def commands(self) -> Iterator[tuple[str, Written | Called]]:
        """Yield what the rules want done, with the rule, in order of time."""
        every = ((machine.rule.id, each) for machine in self._ran() for each in machine.record.outputs)
        return iter(sorted(every, key=lambda pair: pair[1].at_ms))

    def lines(self) -> list[Line]:
        """Return what the rules wrote into the log, in order of time."""
        every = (line for machine in self._ran() for line in machine.record.trace)
        return sorted(every, key=lambda line: line.at_ms)

    def noted(self) -> Iterator[tuple[str, Diagnostic]]:
        """Yield what is worth knowing about how the rules ran."""
        return ((machine.rule.id, each) for machine in self._ran() for each in machine.record.diagnostics)

    def _ran(self) -> Iterator[Machine]:
        return chain(self._ended, self._machines.values())

    def _work_off(self, due_ms: int) -> None:
        self._each(lambda machine: machine.advance(due_ms + 1))

    def _each(self, act: Callable[[Machine], None]) -> None:
        for machine in list(self._machines.values()):
            act(machine)
            self._hand_on(machine)

    def _hand_on(self, source: Machine) -> None:
        """Tell the other rules what one has set, and so on."""
        waiting = [source]
        while waiting:
            machine = waiting.pop()
            for given in self._news(machine):
                if self._handed_on >= MOST_HANDED_ON:
                    machine.record.note("event_storm", values={"limit": MOST_HANDED_ON})
                    return
                self._handed_on += 1
                waiting += self._tell(given, machine)

    def _news(self, machine: Machine) -> list[VariableSet]:
        told = self._told.get(machine.rule.id, 0)
        news = machine.record.stores[told:]
        self._told[machine.rule.id] = told + len(news)
        return news

    def _tell(self, given: VariableSet, source: Machine) -> list[Machine]:
        others = [each for each in self._machines.values() if each is not source]
        for other in others:
            other.take(self.now_ms, given)
        return others


def _learn(machine: Machine, signal: Signal) -> None:
    """Let a rule see what it did itself, as states are published at enable: no pulse leaves a card.

    If it did not, its next report of the same would be no news to it, and a rule would work just once.
    """
    flow = machine.flow
    if isinstance(signal, PropertyReport):
        machine.world.report(signal.property, signal.value)
    flow.settling = True
    flow.signal(signal)
    flow.drain()
    flow.settling = False
