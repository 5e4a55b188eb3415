"""What of Home Assistant speaks for a condition: pure.

A fact about an entity holds or does not; while the entity cannot be told of, nobody knows. A fact about a button, or an
event, is a moment: it happens, and never when a state only comes to be known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.world.homeassistant.members import AWAY, UNKNOWN
from zhixing.world.homeassistant.wire import Changed, Happened, State
from zhixing.world.perception.verdict import Value

MOMENTS = frozenset({"event", "button", "input_button", "scene"})
"""Domains whose state is the instant of the last time."""
SENSING = frozenset({"sensor", "binary_sensor", "event", "button", "input_button"})
"""Domains whose entities are sensors or buttons of the house, and so sources of rules by their own id."""
_LONGEST_NUMBER = 64
_NOBODY_KNOWS = (AWAY, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Fact:
    """`condition` as `source` (an entity id, or the name of the fact) tells it.

    Either of an `entity`: its state (or one of its attributes) is one of `states`, or a number above or below a bound.
    Or of an `event` of the bus whose data has what `data` has.
    """

    source: str
    condition: str
    entity: str = ""
    states: tuple[str, ...] = ()
    above: float | None = None
    below: float | None = None
    attribute: str = ""
    event: str = ""
    data: tuple[tuple[str, str], ...] = ()

    @property
    def is_moment(self) -> bool:
        """Whether it happens rather than holds."""
        return bool(self.event) or self.entity.partition(".")[0] in MOMENTS


def judged(fact: Fact, state: State | None) -> Value:
    """Say whether a fact that holds or not does so, of its entity as it is."""
    if state is None or state.state == AWAY or (not fact.attribute and state.state == UNKNOWN):
        return Value.UNKNOWN
    found = state.attributes.get(fact.attribute) if fact.attribute else state.state
    if found is None:
        return Value.UNKNOWN
    if fact.above is not None or fact.below is not None:
        number = _number(found)
        if number is None:
            return Value.UNKNOWN
        above = fact.above is None or number > fact.above
        return _truth(above and (fact.below is None or number < fact.below))
    return _truth(_text(found) in {each.casefold() for each in fact.states})


def moment_of(fact: Fact, changed: Changed) -> str | None:
    """Return the name of the event that a change is, None where it is none.

    An entity that was not there, or could not be told of, shows its last time again: that is no event.
    """
    before, after = changed.old_state, changed.new_state
    if before is None or after is None or before.state == AWAY or after.state in _NOBODY_KNOWS:
        return None
    if before.state == after.state:
        return None
    if fact.states and _text(after.attributes.get("event_type", "")) not in {each.casefold() for each in fact.states}:
        return None
    return f"{after.context.id[:64]} {after.state[:48]}"


def moment_on_bus(fact: Fact, event: Happened, data: Mapping[str, Any]) -> str | None:
    """Return the name of the event if it is the one that the fact is about."""
    if event.event_type != fact.event or any(
        _text(data.get(name, "")) != value.casefold() for name, value in fact.data
    ):
        return None
    return f"{event.context.id[:64]} {event.time_fired[:48]}"


def _truth(value: object) -> Value:
    return Value.TRUE if value else Value.FALSE


def _text(value: object) -> str:
    return str(value)[:255].strip().casefold()


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value)
    if len(text) > _LONGEST_NUMBER:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None  # noqa: PLR0124 - not a number
