"""Specifications in the manner of MIoT-Spec-V2: services with properties, actions and events, each by its number.

Beside what that form knows, a property says what it is at first and which other property of its service it shows, and
an action what it does to the properties of its service: that is how virtual devices behave.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zhixing.world.devices.port import ActionSpec, DeviceSpec, Level, PropertySpec

FORMATS = {
    "bool": "bool",
    "uint8": "int",
    "uint16": "int",
    "uint32": "int",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "float": "float",
    "string": "string",
}
"""The formats of the form, and what the port calls them."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """Shows another property. With `values`, pairs of (own, other): the first that fits, else the last."""

    of: str
    values: tuple[tuple[Level, Level], ...] = ()


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a service. `spec` is how the port tells it; `format` and `access` are those of the form.

    `access` is some of r, w and n (read, write, notify); one that has neither r nor w is only an argument. `says` is
    what a name does not tell, such as which way round a truth is.
    """

    number: int
    spec: PropertySpec
    format: str
    access: str
    initial: Level
    mirror: Mirror | None = None
    says: str = ""

    @property
    def listed(self) -> bool:
        """Whether the device has it; the others are only arguments."""
        return "r" in self.access or "w" in self.access


@dataclass(frozen=True, slots=True)
class Action:
    """One action. It sets properties of its service to values and turns truths around."""

    number: int
    spec: ActionSpec
    sets: tuple[tuple[str, Level], ...] = ()
    flips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `arguments` are numbers of properties of its service."""

    number: int
    iid: str
    name: str
    arguments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Service:
    """One service."""

    number: int
    name: str
    properties: tuple[Property, ...]
    actions: tuple[Action, ...]
    events: tuple[Event, ...]

    def find(self, name: str) -> Property | None:
        """Return its property of that name."""
        return next((each for each in self.properties if each.spec.name == name), None)

    def get(self, name: str) -> Property:
        """Return its property of that name, which it has: what refers to it was checked when it was read."""
        return next(each for each in self.properties if each.spec.name == name)


@dataclass(frozen=True, slots=True)
class Kind:
    """What all devices of one make can do. `urn` names it in the form."""

    category: str
    title: str
    model: str
    urn: str
    services: tuple[Service, ...]

    def properties(self) -> Iterator[Property]:
        """Yield every property."""
        return (each for service in self.services for each in service.properties)

    def events(self) -> Iterator[Event]:
        """Yield every event."""
        return (each for service in self.services for each in service.events)

    def spec(self, did: str, transition: float = 0.0) -> DeviceSpec:
        """Return what a device of this kind can do, as the port tells it."""
        listed = tuple(each.spec for each in self.properties() if each.listed)
        actions = tuple(each.spec for service in self.services for each in service.actions)
        return DeviceSpec(did, listed, actions, transition)
