"""What a card wants done; only `flow` does it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from msgspec import Struct, field

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.simulating.script import Property

TimerKind = Literal["delay", "loop", "statusLast", "alarm", "window"]


class Emit(Struct, frozen=True, gc=False):
    """Something leaves a pin: a state for state wires, a pulse for event wires, or both in the order of the wires."""

    pin: str = "output"
    state: bool | None = None
    pulse: bool = False


class Tell(Struct, frozen=True, gc=False):
    """A line of information for the log."""

    info: object


class Fail(Struct, frozen=True, gc=False):
    """A line of error for the log; `code` names the text in `graph_simulation`."""

    code: str
    values: dict[str, object] = field(default_factory=dict)
    fault: Fault | None = None


class Unproven(Struct, frozen=True, gc=False):
    """The result rests on an option that nobody proved."""

    option: str


class Notice(Struct, frozen=True, gc=False):
    """Something worth knowing about the run that is no error; `code` names the text in `graph_simulation`."""

    code: str
    values: dict[str, object] = field(default_factory=dict)


class Store(Struct, frozen=True, gc=False):
    """A variable is set; it exists and the value is of its kind."""

    variable: Variable
    value: float | str


class Send(Struct, frozen=True, gc=False):
    """A property is written."""

    property: Property
    value: object


class Call(Struct, frozen=True, gc=False):
    """An action is called."""

    did: str
    siid: int
    aiid: int
    values: tuple[object, ...]


class Start(Struct, frozen=True, gc=False):
    """A timer runs for so many milliseconds; other timers of the card go on."""

    kind: TimerKind
    after_ms: float


class Appoint(Struct, frozen=True, gc=False):
    """A timer runs until the hub's wall clock shows an instant."""

    kind: TimerKind
    at: datetime


class Stop(Struct, frozen=True, gc=False):
    """All timers of the card are stopped."""


Effect = Emit | Tell | Fail | Unproven | Notice | Store | Send | Call | Start | Appoint | Stop
Effects = Iterator[Effect]
"""A card says one thing after the other; what one thing causes is over before the next is asked for."""

PULSE = Emit(pulse=True)
RISE = Emit(state=True, pulse=True)
FALL = Emit(state=False)
