"""What a run writes down, within bounds: the trace, commands, pulses, diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from zhixing.graphs.logs import ErrorLine, InfoLine, Line, LinkLine, Pin, RuleLine, info_text
from zhixing.graphs.simulating.deck import Lead
from zhixing.graphs.simulating.effects import Fail
from zhixing.graphs.simulating.result import Called, Diagnostic, Output
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
LONGEST_NAME = 80
"""Characters of an id in the trace."""

_SIGNS = str.maketrans(dict.fromkeys("|.\r\n", "_"))


class Record:
    """Owned by the run."""

    def __init__(self, graph: str, world: World) -> None:
        self.trace: list[Line] = []
        self.outputs: list[Output] = []
        self.fired: Counter[str] = Counter()
        self.diagnostics: list[Diagnostic] = []
        self._graph = _name(graph)
        self._world = world
        self._text = 0
        self._noted: set[tuple[object, ...]] = set()

    def switched(self, *, on: bool) -> None:
        """Write that the rule was switched."""
        self._line(RuleLine(self._world.epoch_ms, self._graph, on))

    def carried(self, lead: Lead, state: bool | None) -> None:  # noqa: FBT001 - it is the value of a wire
        """Write that a wire carried something."""
        source, target = Pin(_name(lead.source), _name(lead.pin)), Pin(_name(lead.card.node.id), _name(lead.target_pin))
        self._line(LinkLine(self._world.epoch_ms, self._graph, source, target, state))

    def told(self, node: str, info: object) -> None:
        """Write what a card did."""
        self._line(InfoLine(self._world.epoch_ms, self._graph, _name(node), info_text(info)[:LONGEST_INFO]))

    def sent(self, output: Output) -> None:
        """Write down a command."""
        if self._has_room(info_text(output.values if isinstance(output, Called) else output.value)):
            self.outputs.append(output)

    def failed(self, node: str, fail: Fail) -> None:
        """Write what went wrong at a card, and note it the first time."""
        said = wording(f"graph_simulation.{fail.code}", **fail.values) if fail.fault is None else fail.fault.text()
        message = " ".join(said.split())
        self._line(ErrorLine(self._world.epoch_ms, self._graph, _name(node), fail.code, message))
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

    def _line(self, line: Line) -> None:
        said = line.info if isinstance(line, InfoLine) else line.message if isinstance(line, ErrorLine) else ""
        if len(self.trace) < MOST_TRACE and self._has_room(said):
            self.trace.append(line)
        else:
            self.note("trace_cut", values={"limit": MOST_TRACE})

    def _has_room(self, text: str) -> bool:
        self._text += len(text)
        if self._text > MOST_TEXT:
            self.note("text_cut", values={"limit": MOST_TEXT // 2**20})
        return self._text <= MOST_TEXT


def _name(name: str) -> str:
    """Make a name that a line of the log can hold."""
    return name[:LONGEST_NAME].translate(_SIGNS) or "_"
