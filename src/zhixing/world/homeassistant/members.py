"""What an entity of Home Assistant can do, told as properties and actions of the house.

Each comes with how it is read off a state and which service it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zhixing.world.devices.port import ActionSpec, DeviceSpec, Level, PropertySpec
from zhixing.world.homeassistant.wire import State

MOST_CHOICES = 64
LONGEST_NAME = 64
"""Characters of a name, of a unit or of a choice."""
_LARGEST = 1e12
AWAY = "unavailable"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Call:
    """A service to call. Without `target` it is about the entity itself."""

    domain: str
    service: str
    data: Mapping[str, Any] = field(default_factory=dict)
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Property:
    """One property: None where it cannot be read, or written. What reads it returns None where it is not told now."""

    spec: PropertySpec
    read: Callable[[State], Level | None] | None = None
    write: Callable[[Level], Call] | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """One action."""

    spec: ActionSpec
    call: Callable[[Sequence[Level]], Call]


@dataclass(frozen=True, slots=True)
class Kind:
    """What one entity can do. `transition` is the seconds it may take until a written value shows."""

    category: str
    properties: tuple[Property, ...] = ()
    actions: tuple[Action, ...] = ()
    transition: float = 2.0

    def spec(self, did: str) -> DeviceSpec:
        """Return it as the port tells it."""
        properties = tuple(each.spec for each in self.properties)
        return DeviceSpec(did, properties, tuple(each.spec for each in self.actions), self.transition)

    def property(self, iid: str) -> Property | None:
        """Return the property of that id."""
        return next((each for each in self.properties if each.spec.iid == iid), None)

    def action(self, iid: str) -> Action | None:
        """Return the action of that id."""
        return next((each for each in self.actions if each.spec.iid == iid), None)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of the rest of the home matters to an entity: the engine that turns text into speech, if there is one."""

    speech: str | None = None


def prop(
    number: str,
    name: str,
    format: str,  # noqa: A002 - what the form calls it
    read: Callable[[State], Level | None] | None = None,
    write: Callable[[Level], Call] | None = None,
    *,
    span: tuple[float, float, float] | None = None,
    choices: Iterable[tuple[int, str]] = (),
    unit: str = "",
) -> Property:
    """Make a property; `number` is such as "2.1", `span` is lowest, highest and step."""
    low, high, step = span or (None, None, None)
    readable, writable = read is not None, write is not None
    spec = PropertySpec(
        f"prop.{number}", name, format, readable, writable, low, high, step, tuple(choices), one_line(unit)
    )
    return Property(spec, read, write)


def action(number: str, name: str, call: Call) -> Action:
    """Make an action without arguments."""
    return Action(ActionSpec(f"action.{number}", name), lambda _params: call)


def toggle(domain: str) -> Action:
    """Make the action that turns what is on off, and what is off on."""
    return action("2.1", "toggle", Call(domain, "toggle"))


def switch(domain: str, number: str = "2.1") -> Property:
    """Make the property of what is on or off."""
    return prop(number, "on", "bool", is_on, lambda value: Call(domain, "turn_on" if value else "turn_off"))


def is_on(state: State) -> bool:
    """Whether it is on."""
    return state.state == "on"


def features(state: State) -> int:
    """Return the bits that say what an entity can do."""
    found = state.attributes.get("supported_features")
    return found if isinstance(found, int) else 0


def number(state: State, name: str) -> float | None:
    """Return an attribute that is a number."""
    found = state.attributes.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    # Not a number is not between anything.
    return found if -_LARGEST <= found <= _LARGEST else None


def class_of(state: State) -> str:
    """Return what sort of its domain an entity is; "" where it does not say."""
    found = state.attributes.get("device_class")
    return found if isinstance(found, str) else ""


def whole(state: State, name: str) -> int | None:
    """Return an attribute as a whole number."""
    found = number(state, name)
    return None if found is None else round(found)


def names(state: State, name: str) -> list[str]:
    """Return an attribute that is a list of names, each once and as it is written there."""
    found = state.attributes.get(name)
    if not isinstance(found, list):
        return []
    texts = [each for each in found if isinstance(each, str) and each and len(each) <= LONGEST_NAME]
    return list(dict.fromkeys(texts))[:MOST_CHOICES]


def chosen(
    number: str, name: str, state: State, *, listed: str, now: str, call: Callable[[str], Call]
) -> Iterable[Property]:
    """Make the property of what is one of a list of names: `listed` and `now` are attributes.

    Its number is the place in the list.
    """
    known = names(state, listed)

    def read(state: State) -> int | None:
        found = state.attributes.get(now)
        return known.index(found) if found in known else None

    if known:
        choices = [(place, one_line(each)) for place, each in enumerate(known)]
        yield prop(number, name, "int", read, lambda value: call(known[int(value)]), choices=choices)


def one_line(text: str) -> str:
    """Return a name that may stand on one line, and is not longer than one wants to read."""
    line = " ".join("".join(each if each.isprintable() else " " for each in text[: 2 * LONGEST_NAME]).split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"
