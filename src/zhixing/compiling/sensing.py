"""What a sensor of the hub tells about a condition: the property or the events, by its specification. Pure.

Whether `true` of a contact means open differs between models, and a specification rarely says. Where it does not, the
events `open` and `close` say so, and a register remembers them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt

from zhixing.compiling.words import Asked, Bound, Happens, Holds
from zhixing.graphs.building.builder import Builder, Outlet
from zhixing.graphs.building.cards import register
from zhixing.graphs.building.device_cards import device_event, device_input
from zhixing.graphs.building.sketch import Comparison, Thing, between, equals, one_of
from zhixing.graphs.simulating.script import DeviceEvent, PropertyReport, Signal
from zhixing.graphs.simulating.script import Property as Place
from zhixing.graphs.specs.meanings import Choosing, Happening, Meaning, find_choice, find_events, find_properties
from zhixing.graphs.specs.model import Event, Format, Property, Value, as_written

OPEN_IS_TRUE = ("zhixing-contact-",)
"""Beginnings of models whose `contact-state` is true while the door is open: those of our own virtual home."""
_NOBODY = frozenset({"无人", "没有人", "no one", "nobody", "unoccupied"})
_ORDERS: Mapping[str, Callable[[float, float], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le}


@dataclass(frozen=True, slots=True)
class Level:
    """A property compares; `yes` and `no` are values that do and do not."""

    thing: Thing
    prop: Property
    when: Comparison
    yes: Value
    no: Value

    def source(self, builder: Builder, *, preload: bool) -> Outlet:
        """Add the card; its outlet is a state and a pulse."""
        return builder.add(device_input(self.thing, self.prop, self.when, preload=preload)).out()

    def told(self, holds: bool) -> Signal:  # noqa: FBT001 - the value is data
        """Return what the device says when it becomes so."""
        return PropertyReport(self.place, self.yes if holds else self.no)

    @property
    def place(self) -> Place:
        """Which property it is."""
        return Place(self.thing.did, self.prop.siid, self.prop.piid)


@dataclass(frozen=True, slots=True)
class Flip:
    """One event begins it, another one ends it; before the first of them nobody knows."""

    thing: Thing
    begins: Event
    ends: Event

    def source(self, builder: Builder, *, preload: bool) -> Outlet:  # noqa: ARG002 - events cannot be looked at
        """Add a register that the events set; its outlet is a state and a pulse."""
        kept = builder.add(register())
        for event, pin in ((self.begins, "setTrue"), (self.ends, "setFalse")):
            builder.wire(builder.add(device_event(self.thing, event)).out(), kept.pin(pin))
        return kept.out()

    def told(self, holds: bool) -> Signal:  # noqa: FBT001 - the value is data
        """Return what the device says when it becomes so."""
        event = self.begins if holds else self.ends
        return DeviceEvent(self.thing.did, event.siid, event.eiid, {})


@dataclass(frozen=True, slots=True)
class Moment:
    """An event that holds for no time."""

    thing: Thing
    event: Event

    def source(self, builder: Builder, *, preload: bool) -> Outlet:  # noqa: ARG002 - events cannot be looked at
        """Add the card; its outlet is a pulse."""
        return builder.add(device_event(self.thing, self.event)).out()

    def told(self, holds: bool) -> Signal:  # noqa: ARG002, FBT001 - it only ever happens
        """Return what the device says."""
        return DeviceEvent(self.thing.did, self.event.siid, self.event.eiid, {})


Watch = Level | Flip | Moment


@dataclass(frozen=True, slots=True)
class Untold:
    """The device does not tell it; `code` is that of a `Left`."""

    code: str


def watched(thing: Thing, asked: Asked) -> Watch | Untold:
    """Return how a device tells what is asked."""
    match asked:
        case Happens(happening):
            events = find_events(thing.spec, happening)
            return Moment(thing, events[0]) if len(events) == 1 else Untold("meaning" if not events else "several")
        case Holds(Meaning.CONTACT, wanted):
            return _contact(thing, wanted=wanted)
        case Holds(_, wanted):
            return _presence(thing, wanted=wanted)
        case Bound():
            return _number(thing, asked)


def _contact(thing: Thing, *, wanted: bool) -> Watch | Untold:
    found = _only(find_properties(thing.spec, Meaning.CONTACT))
    if isinstance(found, Property):
        opened, closed = find_choice(found, Choosing.OPEN), find_choice(found, Choosing.CLOSE)
        if opened is not None and closed is not None:
            yes, no = (opened.value, closed.value) if wanted else (closed.value, opened.value)
            return _told(Level(thing, found, equals(yes), yes, no))
        if found.format is Format.BOOL and thing.spec.urn.model.startswith(OPEN_IS_TRUE):
            return _told(Level(thing, found, equals(wanted), wanted, not wanted))
    code = found.code if isinstance(found, Untold) else "polarity"
    return _flip(thing, Happening.OPENED, Happening.CLOSED, wanted=wanted, else_code=code)


def _presence(thing: Thing, *, wanted: bool) -> Watch | Untold:
    found = _only(find_properties(thing.spec, Meaning.MOTION) or find_properties(thing.spec, Meaning.OCCUPANCY))
    if isinstance(found, Untold):
        return _flip(thing, Happening.MOTION, Happening.NO_MOTION, wanted=wanted, else_code=found.code)
    if found.format is Format.BOOL:
        return _told(Level(thing, found, equals(wanted), wanted, not wanted))
    nobody = [each.value for each in found.choices if each.description.strip().casefold() in _NOBODY]
    somebody = [each.value for each in found.choices if each.value not in nobody]
    if len(nobody) != 1 or not somebody:
        return Untold("polarity")
    yes, no = (somebody, nobody) if wanted else (nobody, somebody)
    return _told(Level(thing, found, one_of(*yes), yes[0], no[0]))


def _flip(thing: Thing, begins: Happening, ends: Happening, *, wanted: bool, else_code: str) -> Watch | Untold:
    first, second = find_events(thing.spec, begins), find_events(thing.spec, ends)
    if len(first) != 1 or len(second) != 1:
        return Untold(else_code)
    return Flip(thing, first[0], second[0]) if wanted else Flip(thing, second[0], first[0])


def _number(thing: Thing, asked: Bound) -> Watch | Untold:
    found = _only(find_properties(thing.spec, asked.meaning))
    if isinstance(found, Untold):
        return found
    if not found.format.numeric or found.choices:
        return Untold("meaning")
    if not found.in_range(asked.number) or not found.on_step(asked.number):
        return Untold("value")
    bound = as_written(found, asked.number)
    step = 1.0 if found.range is None or not found.range.step else float(found.range.step)
    ends = () if found.range is None else (float(found.range.low), float(found.range.high))
    tried = [
        each for each in (bound, bound + step, bound - step, *ends) if found.in_range(each) and found.on_step(each)
    ]
    holds = _ORDERS[asked.operator]
    yes = next((each for each in tried if holds(each, bound)), None)
    no = next((each for each in tried if not holds(each, bound)), None)
    when = _comparison(found, asked.operator, bound)
    if yes is None or no is None or when is None:
        return Untold("value")
    return _told(Level(thing, found, when, as_written(found, yes), as_written(found, no)))


def _comparison(prop: Property, operator: str, bound: float) -> Comparison | None:
    """Return the comparison; cards know no ≥ and ≤ of floats, so that these are spans up to the end of the range."""
    if not prop.format.floating or operator in {">", "<"}:
        return Comparison(operator, bound)
    if prop.range is None or not prop.range.usable:
        return None
    if operator == ">=":
        return between(bound, as_written(prop, prop.range.high))
    return between(as_written(prop, prop.range.low), bound)


def _only(found: tuple[Property, ...]) -> Property | Untold:
    """Return the property that carries a meaning; one of several keys or zones is not chosen."""
    if not found:
        return Untold("meaning")
    return found[0] if len(found) == 1 else Untold("several")


def _told(level: Level) -> Watch | Untold:
    return level if level.prop.notifiable else Untold("silent")
