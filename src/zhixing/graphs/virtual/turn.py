"""One transaction of the virtual gateway: what was left is taken up, moved on to now, changed, and put away again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from zhixing.engine.model import Job
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.logs import ErrorLine, format_line
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.script import Property, PropertyReport, Signal, Value, VariableSet
from zhixing.graphs.virtual import commands, rows
from zhixing.graphs.virtual.commands import Command, command_of
from zhixing.graphs.virtual.ensemble import Ensemble
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.world.hub.state import State

DUE = "gateway.due"
"""The name of the job that works off what is due."""
COMMAND = "gateway.command"
"""The name of the job that gives a command to a device. Its payload has `number`."""
LANE = "gateway"
"""The lane of all that changes the gateway, so that things are taken in as they came."""

_TOLD = frozenset({"event_storm", "steps_spent", "timers_many", "ring_missed"})
"""What the log tells of a run beside its lines: where something of it was left out."""
_ECHO_MS = 60_000
"""How long after a command a report of the same value is taken for its echo."""


class Turn:
    """What the gateway holds, inside one transaction. `finish` must be called, once, at its end."""

    def __init__(self, tx: Tx, now: datetime, zone_name: str) -> None:
        self._tx = tx
        left = rows.lock(tx)
        self.clock = left.at(now)
        found = rows.graphs(tx)
        self.state = State({name: kept.graph for name, kept in found.items()}, rows.variables(tx))
        self._values = {
            Variable(scope, name): held.value
            for scope, there in self.state.variables.items()
            for name, held in there.items()
        }
        self._reports = rows.reports(tx)
        self._seated = {name for name, kept in found.items() if kept.memory is not None}
        self.ensemble = Ensemble(left, zone_name, dict(self._values), self._reports)
        for name, kept in found.items():
            if kept.memory is not None:
                self.ensemble.seat(rows.rule_of(name, kept.graph), kept.memory)
        if self.clock.wall_off_ms != left.wall_off_ms:
            self.ensemble.set_clock(self.clock)

    def move_on(self) -> None:
        """Work off what was due by now."""
        self.ensemble.advance(self.clock)
        self._show_values()

    def hear(self, signal: Signal) -> None:
        """Let something happen now; what a rule asked for itself sets nothing off in it (mijia §1.8)."""
        echoed: Iterable[str] = ()
        if isinstance(signal, PropertyReport):
            since = self.clock.now_ms - _ECHO_MS
            echoed = commands.echoed(self._tx, signal.property, signal.value, since)
        self.ensemble.hear(signal, quietly=frozenset(echoed))

    def refresh(self, found: Iterable[tuple[Property, Value]], named: Property | None = None) -> None:
        """Take in what devices are; only what has changed is heard, and what was `named` as reported."""
        for about, value in found:
            if about == named or not _same(self.ensemble.world.cache.get(about), value):
                self.hear(PropertyReport(about, value))

    def set_value(self, variable: Variable, value: float | str) -> None:
        """Let somebody set a variable."""
        self.ensemble.world.variables[variable] = value
        self.ensemble.hear(VariableSet(variable, value))

    def start(self, name: str, *, saved: bool) -> None:
        """Switch a graph on."""
        self.ensemble.start(self.rule(name), saved=saved)

    def rule(self, name: str) -> Rule:
        """Return a graph as a rule."""
        return rows.rule_of(name, self.state.graphs[name])

    def note(self, graph: str, node: str, code: str, message: str) -> None:
        """Write into the log what went wrong at a card."""
        at_ms = self.clock.now_ms + self.clock.wall_off_ms
        rows.add_lines(self._tx, [format_line(ErrorLine(at_ms, graph, node, code, message))])

    def finish(self) -> list[Job]:
        """Put everything away; return the jobs that follow from it."""
        ensemble, tx = self.ensemble, self._tx
        rows.add_lines(tx, map(format_line, ensemble.lines()))
        for name, noted in ensemble.noted():
            if noted.code in _TOLD:
                self.note(name, noted.node or name, noted.code, noted.text())
        jobs = [self._job(commands.add_command(tx, each)) for each in self._allowed()]
        for variable, value in ensemble.world.variables.items():
            if not _same(self._values.get(variable), value):
                rows.keep_value(tx, variable, value)
        for about, heard in ensemble.world.cache.items():
            if not _same(self._reports.get(about), heard):
                rows.keep_report(tx, about, heard)
        dues, memories = ensemble.dues(), ensemble.memories()
        for name, memory in memories.items():
            rows.keep_memory(tx, name, memory, dues[name])
        for name in self._seated - set(memories):
            rows.keep_memory(tx, name, None, None)
        rows.keep_clock(tx, self.clock)
        due_ms = ensemble.next_due_ms
        if due_ms is not None:
            wall = self.clock.wall(due_ms)
            jobs.append(Job(DUE, f"gateway:due:{due_ms}:{self.clock.wall_off_ms}", wall, lane=LANE))
        return jobs

    def _allowed(self) -> Iterator[Command]:
        """Yield the commands of the rules, up to what one may give within a minute; the log tells of the others."""
        given: dict[str, int] = {}
        for name, output in self.ensemble.commands():
            count = given[name] if name in given else commands.given_lately(self._tx, name, self.clock.now_ms)
            given[name] = count + 1
            if count < commands.MOST_A_MINUTE:
                yield command_of(name, output)
            elif count == commands.MOST_A_MINUTE:
                said = wording("gateway.commands_many", limit=commands.MOST_A_MINUTE)
                self.note(name, output.node, "commands_many", said)

    def _job(self, command: Command) -> Job:
        due = self.clock.wall(self.clock.now_ms)
        payload = {"number": command.number}
        return Job(COMMAND, f"gateway:command:{command.number}", due, payload, f"{LANE}:{command.did}")

    def _show_values(self) -> None:
        for variable, value in self.ensemble.world.variables.items():
            self.state.variables[variable.scope][variable.id].value = value


def _same(one: object, other: object) -> bool:
    """Whether two values are one: 1 is 1.0, and neither is true."""
    return one == other and isinstance(one, bool) is isinstance(other, bool)
