"""A MIoT specification: services with properties, actions and events, each by its number.

Numbers are those of one model and mean nothing on another; `meanings` finds members by what they are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from zhixing.graphs.specs.ranges import Number, Range, exact, near_step, near_within, on_step, plain, whole, within
from zhixing.graphs.specs.urns import Urn

DEVICE_INFORMATION = "device-information"
"""Name of the service that says who made a device; it is often siid 1, but not always."""


class Dtype(StrEnum):
    """Types of operands and variable slots in a rule graph."""

    BOOLEAN = "boolean"
    INT = "int"
    FLOAT = "float"
    NUMBER = "number"
    STRING = "string"


class Format(StrEnum):
    """How a property travels; `OTHER` is a format that the standard does not list, which no node can use."""

    BOOL = "bool"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    FLOAT = "float"
    DOUBLE = "double"
    STRING = "string"
    OTHER = "other"

    @property
    def whole(self) -> bool:
        """Whether its values are whole numbers."""
        return self.bounds is not None

    @property
    def floating(self) -> bool:
        """Whether its values are numbers with a fraction."""
        return self in {Format.FLOAT, Format.DOUBLE}

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.whole or self.floating

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Least and greatest value that fit the width of a whole number; None for other formats."""
        return _BOUNDS.get(self)


_BOUNDS = {
    **{Format(f"int{width}"): (-(2 ** (width - 1)), 2 ** (width - 1) - 1) for width in (8, 16, 32, 64)},
    **{Format(f"uint{width}"): (0, 2**width - 1) for width in (8, 16, 32, 64)},
}


class Access(StrEnum):
    """What may be done with a property; none of them: it only goes with an action or an event."""

    READ = "read"
    WRITE = "write"
    NOTIFY = "notify"


Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a value-list."""

    value: Value
    description: str


@dataclass(frozen=True, slots=True)
class Property:
    """A property; `unit` is "" without one, `choices` empty without a value-list."""

    siid: int
    piid: int
    urn: Urn
    description: str
    format: Format
    access: frozenset[Access]
    unit: str = ""
    range: Range | None = None
    choices: tuple[Choice, ...] = ()
    _by_value: Mapping[tuple[bool, Value], Choice] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the value-list: one rule may name its entries many thousands of times."""
        by_value = {(isinstance(each.value, bool), each.value): each for each in reversed(self.choices)}
        object.__setattr__(self, "_by_value", by_value)

    @property
    def name(self) -> str:
        """What it is called in its URN, such as `on`."""
        return self.urn.name

    @property
    def readable(self) -> bool:
        """Whether deviceGet and deviceGetSetVar may ask for it."""
        return Access.READ in self.access

    @property
    def writable(self) -> bool:
        """Whether deviceOutput may set it."""
        return Access.WRITE in self.access

    @property
    def notifiable(self) -> bool:
        """Whether deviceInput and deviceInputSetVar hear of it."""
        return Access.NOTIFY in self.access

    @property
    def comparison_dtype(self) -> Dtype | None:
        """Dtype of operands that are compared with it (§3.3); a float with a value-list counts as int."""
        if self.format.floating:
            return Dtype.INT if self.choices else Dtype.FLOAT
        return Dtype.INT if self.format.whole else _OTHER_DTYPES.get(self.format)

    @property
    def slot_dtype(self) -> Dtype | None:
        """Dtype of a variable slot that takes it or gives it (§3.3); a dynamic output may not be a bool."""
        return Dtype.NUMBER if self.format.numeric else _OTHER_DTYPES.get(self.format)

    @property
    def variable_type(self) -> Dtype | None:
        """Type of the variable behind such a slot: a bool is kept as the number 0 or 1."""
        found = self.slot_dtype
        return Dtype.NUMBER if found is Dtype.BOOLEAN else found

    def fits_type(self, value: object) -> bool:
        """Return whether a literal has the type of this property; 26.0 is a whole number, true is no number."""
        match self.format:
            case Format.BOOL:
                return isinstance(value, bool)
            case Format.STRING:
                return isinstance(value, str)
            case _ if self.format.whole:
                return whole(value)
            case _:
                return self.format.floating and exact(value) is not None

    def listed(self, value: object) -> Choice | None:
        """Return the entry of the value-list that a literal means, as JSON compares: 1 is 1.0, and neither is true."""
        found = exact(value)
        wanted = value if found is None else plain(found)
        return self._by_value.get((isinstance(wanted, bool), wanted)) if isinstance(wanted, Value) else None

    def in_range(self, value: Number) -> bool:
        """Return whether a number lies between min and max; always so without a range that says something."""
        if self.range is None:
            return True
        return near_within(value, self.range) if self.format.floating else within(value, self.range)

    def on_step(self, value: Number) -> bool:
        """Return whether a number lies on a step (§3.6): exactly for whole formats, within 1e-9 for floats."""
        if self.range is None:
            return True
        return near_step(value, self.range) if self.format.floating else on_step(value, self.range)


@dataclass(frozen=True, slots=True)
class Event:
    """An event; `arguments` are piids of its service."""

    siid: int
    eiid: int
    urn: Urn
    description: str
    arguments: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in its URN."""
        return self.urn.name


@dataclass(frozen=True, slots=True)
class Action:
    """An action; `takes` and `gives` (`in` and `out` of the document) are piids of its service, in order."""

    siid: int
    aiid: int
    urn: Urn
    description: str
    takes: tuple[int, ...] = ()
    gives: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in its URN."""
        return self.urn.name


@dataclass(frozen=True, slots=True)
class Service:
    """A service with its members in the order of the specification."""

    siid: int
    urn: Urn
    description: str
    properties: tuple[Property, ...] = ()
    events: tuple[Event, ...] = ()
    actions: tuple[Action, ...] = ()
    _by_piid: Mapping[int, Property] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the properties, which are asked for by number again and again."""
        object.__setattr__(self, "_by_piid", {each.piid: each for each in reversed(self.properties)})

    @property
    def name(self) -> str:
        """What it is called in its URN."""
        return self.urn.name

    def property(self, piid: int) -> Property | None:
        """Return a property by its number."""
        return self._by_piid.get(piid)


@dataclass(frozen=True, slots=True)
class Spec:
    """One specification instance; `fingerprint` is equal for equal content of the file it was read from."""

    urn: Urn
    description: str
    services: tuple[Service, ...]
    fingerprint: str

    @property
    def kind(self) -> str:
        """What kind of device it is, such as `light`."""
        return self.urn.name

    def service(self, siid: int) -> Service | None:
        """Return a service by its number."""
        return next((each for each in self.services if each.siid == siid), None)

    def property(self, siid: int, piid: int) -> Property | None:
        """Return a property by its numbers."""
        found = self.service(siid)
        return found.property(piid) if found else None

    def event(self, siid: int, eiid: int) -> Event | None:
        """Return an event by its numbers."""
        found = self.service(siid)
        return next((each for each in found.events if each.eiid == eiid), None) if found else None

    def action(self, siid: int, aiid: int) -> Action | None:
        """Return an action by its numbers."""
        found = self.service(siid)
        return next((each for each in found.actions if each.aiid == aiid), None) if found else None

    def informs_only(self, siid: int) -> bool:
        """Return whether a service is the one that says who made the device."""
        found = self.service(siid)
        return found is not None and found.name == DEVICE_INFORMATION


_OTHER_DTYPES = {Format.BOOL: Dtype.BOOLEAN, Format.STRING: Dtype.STRING}


def as_written(prop: Property, value: Number) -> int | float:
    """Return a number as it goes into JSON for a property: whole formats as `int` where it is whole, others as `float`.

    Raises `ValueError` for what is not finite.
    """
    found = exact(value)
    if found is None:
        raise ValueError(value)
    return plain(found) if prop.format.whole else float(found)
