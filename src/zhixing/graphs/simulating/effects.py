"""What a card wants done; only `run` does it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.simulating.script import Property, Value

TimerKind = Literal["delay", "loop", "statusLast", "alarm", "window"]


@dataclass(frozen=True, slots=True)
class Emit:
    """Something leaves a pin: a state for state wires, a pulse for event wires, or both in the order of the wires."""

    pin: str = "output"
    state: bool | None = None
    pulse: bool = False


@dataclass(frozen=True, slots=True)
class Tell:
    """A line of information for the log."""

    info: object


@dataclass(frozen=True, slots=True)
class Fail:
    """A line of error for the log; `code` names the text in `graph_simulation`."""

    code: str
    values: dict[str, object] = field(default_factory=dict)
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Unproven:
    """The result rests on an option that nobody proved."""

    option: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something worth knowing about the run that is no error; `code` names the text in `graph_simulation`."""

    code: str
    values: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Store:
    """A variable is set; it exists and the value is of its kind."""

    variable: Variable
    value: float | str


@dataclass(frozen=True, slots=True)
class Send:
    """A property is written."""

    property: Property
    value: Value | object


@dataclass(frozen=True, slots=True)
class Call:
    """An action is called."""

    did: str
    siid: int
    aiid: int
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """A timer runs for so many milliseconds; other timers of the card go on."""

    kind: TimerKind
    after_ms: float


@dataclass(frozen=True, slots=True)
class Appoint:
    """A timer runs until the hub's wall clock shows an instant."""

    kind: TimerKind
    at: datetime


@dataclass(frozen=True, slots=True)
class Stop:
    """All timers of the card are stopped."""


Effect = Emit | Tell | Fail | Unproven | Notice | Store | Send | Call | Start | Appoint | Stop
Effects = Iterator[Effect]
"""A card says one thing after the other; what one thing causes is over before the next is asked for."""

PULSE = Emit(pulse=True)
RISE = Emit(state=True, pulse=True)
FALL = Emit(state=False)
