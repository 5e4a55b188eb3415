"""What a run did, and how a command prints it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.logs import Line, format_line
from zhixing.graphs.simulating.effects import TimerKind
from zhixing.graphs.simulating.moments import UNCAUSED, Moment
from zhixing.graphs.simulating.options import DEFAULTS, Options
from zhixing.graphs.simulating.script import Property
from zhixing.kernel.wording import Language, wording


@dataclass(frozen=True, slots=True)
class Written:
    """A property that was written."""

    at_ms: int
    node: str
    property: Property
    value: object


@dataclass(frozen=True, slots=True)
class Called:
    """An action that was called; `values` in the order of its inputs."""

    at_ms: int
    node: str
    did: str
    siid: int
    aiid: int
    values: tuple[object, ...]


Output = Written | Called


@dataclass(frozen=True, slots=True)
class Active:
    """A timer that still runs at the end; `cause` is the moment that started it."""

    node: str
    kind: TimerKind
    due_ms: int
    cause: int = UNCAUSED


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about the run; `code` names the text in `graph_simulation`. An empty `node` means the whole rule."""

    code: str
    at_ms: int
    node: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        return wording(f"graph_simulation.{self.code}", language, **self.values)


@dataclass(frozen=True, slots=True)
class Result:
    """What a run did. `fired` counts the pulses that left a node; `options` are those it was made with.

    `active` are delays, loops and `statusLast`; `appointed` is what waits for the wall clock.
    """

    trace: tuple[Line, ...]
    outputs: tuple[Output, ...]
    variables: Mapping[Variable, float | str]
    devices: Mapping[Property, object]
    fired: Mapping[str, int]
    active: tuple[Active, ...]
    diagnostics: tuple[Diagnostic, ...]
    options: Options = DEFAULTS
    appointed: tuple[Active, ...] = ()
    moments: tuple[Moment, ...] = ()


def result_json(result: Result, language: Language = "zh") -> dict[str, Any]:
    """Return a result as JSON has it; lines of the trace are those of the gateway's log."""
    devices: dict[str, dict[str, object]] = {}
    for about, value in result.devices.items():
        devices.setdefault(about.did, {})[about.key] = value
    return {
        "trace": [format_line(line) for line in result.trace],
        "outputs": [_output(each) for each in result.outputs],
        "variables": {variable.key: value for variable, value in result.variables.items()},
        "devices": devices,
        "fired": dict(result.fired),
        "active": [{"nodeId": each.node, "kind": each.kind, "due_ms": each.due_ms} for each in result.active],
        "diagnostics": [_diagnostic(each, language) for each in result.diagnostics],
        "options": asdict(result.options),
    }


def _output(each: Output) -> dict[str, object]:
    match each:
        case Written(at_ms, node, about, value):
            return {
                "at_ms": at_ms,
                "nodeId": node,
                "did": about.did,
                "siid": about.siid,
                "piid": about.piid,
                "value": value,
            }
        case Called(at_ms, node, did, siid, aiid, values):
            return {"at_ms": at_ms, "nodeId": node, "did": did, "siid": siid, "aiid": aiid, "value": list(values)}


def _diagnostic(each: Diagnostic, language: Language) -> dict[str, object]:
    about = {"nodeId": each.node} if each.node else {}
    return {"code": each.code, **about, "at_ms": each.at_ms, "message": each.text(language)}
