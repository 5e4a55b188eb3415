"""What a run writes down, within bounds: the trace, commands, pulses, diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from zhixing.graphs.logs import ErrorLine, InfoLine, Line, LinkLine, RuleLine, info_text
from zhixing.graphs.simulating.deck import Lead, logged
from zhixing.graphs.simulating.effects import Emit, Fail
from zhixing.graphs.simulating.moments import Kind, Moment
from zhixing.graphs.simulating.result import Called, Diagnostic, Output
from zhixing.graphs.simulating.script import VariableSet
from zhixing.graphs.simulating.world import World
from zhixing.kernel.wording import wording

MOST_TRACE = 100_000
"""Lines of a trace; what comes later is left out of it."""
MOST_DIAGNOSTICS = 2_000
"""Diagnostics of a run."""
MOST_TEXT = 32 * 1024 * 1024
"""Characters of what nodes say and send, all together; behind them neither trace nor outputs grow."""
LONGEST_INFO = 10_000
"""Characters of what a node says in one line."""
MOST_MOMENTS = 500_000
"""Moments of a run; what comes later cannot be explained."""


class Record:
    """Owned by the run."""

    def __init__(self, graph: str, world: World) -> None:
        self.trace: list[Line] = []
        self.outputs: list[Output] = []
        self.fired: Counter[str] = Counter()
        self.diagnostics: list[Diagnostic] = []
        self.moments: list[Moment] = []
        self.stores: list[VariableSet] = []
        """What the rule itself set, in order."""
        self._graph = logged(graph)
        self._world = world
        self._text = 0
        self._noted: set[tuple[object, ...]] = set()
        self._names: dict[str, str] = {}

    def moment(self, cause: int, kind: Kind, node: str = "", pin: str = "", value: object = None) -> int:
        """Write down a moment, and return its index."""
        moments = self.moments
        index = len(moments)
        if index < MOST_MOMENTS:
            moments.append(Moment(self._world.now_ms, cause, kind, node, pin, value))
            return index
        return cause

    def switched(self, *, on: bool) -> None:
        """Write that the rule was switched."""
        self._line(RuleLine(self._world.epoch_ms, self._graph, on))

    def carried(self, cause: int, lead: Lead, state: bool | None) -> int:  # noqa: FBT001 - it is the value of a wire
        """Write that a wire carried something."""
        if len(self.trace) < MOST_TRACE and self._text <= MOST_TEXT:
            source, target = lead.ends
            self.trace.append(LinkLine(self._world.epoch_ms, self._graph, source, target, state))
        else:
            self.note("trace_cut", values={"limit": MOST_TRACE})
        return self.moment(cause, "carried", lead.card.node.id, lead.target_pin, state)

    def emitted(self, cause: int, node: str, emit: Emit, *, pulse: bool) -> int:
        """Write that something left a card."""
        if pulse:
            self.fired[node] += 1
        return self.moment(cause, "pulsed" if pulse else "published", node, emit.pin, emit.state)

    def told(self, cause: int, node: str, info: object) -> None:
        """Write what a card did."""
        self.moment(cause, "told", node, value=info)
        said = info_text(info)[:LONGEST_INFO]
        self._line(InfoLine(self._world.epoch_ms, self._graph, self._name(node), said), said)

    def sent(self, output: Output) -> None:
        """Write down a command."""
        if self._has_room(info_text(output.values if isinstance(output, Called) else output.value)):
            self.outputs.append(output)

    def failed(self, cause: int, node: str, fail: Fail) -> None:
        """Write what went wrong at a card, and note it the first time."""
        self.moment(cause, "failed", node, value=fail)
        said = wording(f"graph_simulation.{fail.code}", **fail.values) if fail.fault is None else fail.fault.text()
        message = " ".join(said.split())
        self._line(ErrorLine(self._world.epoch_ms, self._graph, self._name(node), fail.code, message), message)
        if fail.fault is None:
            self.note(fail.code, node, fail.values)
        else:
            self.note("expression_failed", node, {"said": message})

    def note(self, code: str, node: str = "", values: Mapping[str, object] = MappingProxyType({})) -> None:
        """Write a diagnostic, once for each code and node (and option)."""
        key = code, node, values.get("option", values.get("end"))
        if key in self._noted or len(self.diagnostics) >= MOST_DIAGNOSTICS:
            return
        self._noted.add(key)
        self.diagnostics.append(Diagnostic(code, self._world.now_ms, node, values))

    def _name(self, node: str) -> str:
        """Return a node as the log names it; each speaks many times."""
        found = self._names.get(node)
        if found is None:
            found = self._names[node] = logged(node)
        return found

    def _line(self, line: Line, said: str = "") -> None:
        if len(self.trace) < MOST_TRACE and self._has_room(said):
            self.trace.append(line)
        else:
            self.note("trace_cut", values={"limit": MOST_TRACE})

    def _has_room(self, text: str) -> bool:
        self._text += len(text)
        if self._text > MOST_TEXT:
            self.note("text_cut", values={"limit": MOST_TEXT // 2**20})
        return self._text <= MOST_TEXT
