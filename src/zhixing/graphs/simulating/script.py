"""What happens around a rule while it is simulated: a setup and events, one JSON object a line.

{"setup": {"start": ISO, "tz": zone, "until_ms": n, "options": {…}, "state": {…}, "variables": {…}}}   (first, optional)
{"at_ms": n, "event": {did, siid, piid, value}}                     a device reports a property
{"at_ms": n, "event": {did, siid, eiid, arguments: [{piid, value}]}}   a device sends an event
{"at_ms": n, "var_set": {scope, id, value}}                         somebody sets a variable
{"at_ms": n, "enable": true} · {"at_ms": n, "disable": true}        the rule is switched
{"at_ms": n, "clock": ISO}                                          the hub's wall clock is set
{"at_ms": n, "reconnect": did}                                      a device is back after a break (`Reconnected`)
{"at_ms": n, "force": {node, pin, state?, pulse?}}                  an output of a card is forced (`Forced`)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.simulating.options import DEFAULTS, Options

Value = bool | int | float | str
"""What a property or an argument holds."""


class Property(Struct, frozen=True, order=True, gc=False):
    """A property of a device."""

    did: str
    siid: int
    piid: int

    @property
    def key(self) -> str:
        """`siid.piid`, as results name it."""
        return f"{self.siid}.{self.piid}"


@dataclass(frozen=True, slots=True)
class PropertyReport:
    """A device says what a property is now."""

    property: Property
    value: Value


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """A device sends an event; `arguments` are by piid."""

    did: str
    siid: int
    eiid: int
    arguments: Mapping[int, Value]


@dataclass(frozen=True, slots=True)
class VariableSet:
    """Somebody outside the rule sets a variable."""

    variable: Variable
    value: float | str


Signal = PropertyReport | DeviceEvent | VariableSet
"""What sources of a rule are told of."""
Topic = Property | Variable | tuple[str, int, int]
"""What a signal is about: a property, a variable, or an event by did, siid and eiid."""


def topic_of(signal: Signal) -> Topic:
    """Return what a signal is about."""
    match signal:
        case PropertyReport():
            return signal.property
        case DeviceEvent():
            return signal.did, signal.siid, signal.eiid
        case VariableSet():
            return signal.variable


@dataclass(frozen=True, slots=True)
class Switch:
    """The rule is switched on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The hub's wall clock is set to `at`."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The hub is connected to a device again. Its last event may come once more, though nothing happened (mijia §1.9).

    Whether rules hear it is the option `replayed_events`. Properties are not said again.
    """

    did: str


@dataclass(frozen=True, slots=True)
class Forced:
    """An output of a card sends what its card did not: a pulse, or a state (`state`), or both at once.

    What the card remembers stays as it is. In a script true comes with a pulse, as when a card becomes true, unless
    `pulse` is false; false comes without.
    """

    node: str
    pin: str
    state: bool | None
    pulse: bool


Event = Signal | Switch | ClockSet | Reconnected | Forced


@dataclass(frozen=True, slots=True)
class Line:
    """An event and when it happens, in milliseconds from the start."""

    at_ms: int
    event: Event


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. `start` is 0 ms by the hub's wall clock; the run ends with what is due at `until_ms`."""

    start: datetime = datetime(2025, 1, 1, tzinfo=UTC)
    tz: ZoneInfo = field(default_factory=lambda: ZoneInfo("Asia/Shanghai"))
    until_ms: int = 0
    options: Options = DEFAULTS
    state: Mapping[Property, Value] = field(default_factory=dict)
    variables: Mapping[Variable, float | str] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
