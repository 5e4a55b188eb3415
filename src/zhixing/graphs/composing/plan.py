"""What is going to be built, with devices and members of them: nothing of it is words any more. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from zhixing.graphs.building.sketch import Comparison, Thing
from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.composing.request import Clock, Joint, Sun, Taken, Window
from zhixing.graphs.specs.model import Action, Event, Property, Value
from zhixing.graphs.times.sun import Place


@dataclass(frozen=True, slots=True)
class Watch:
    """A property that compares; `contrary` is when it does not, None where no card can ask that."""

    thing: Thing
    prop: Property
    when: Comparison
    contrary: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Hear:
    """An event, with filters of its arguments by piid."""

    thing: Thing
    event: Event
    filters: Mapping[int, Comparison] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pair:
    """A state that only two events tell of: it begins and it ends."""

    thing: Thing
    begins: Event
    ends: Event


Sensor = Watch | Hear | Pair


@dataclass(frozen=True, slots=True)
class Write:
    """A property is set."""

    thing: Thing
    prop: Property
    value: Value


@dataclass(frozen=True, slots=True)
class Call:
    """An action is called."""

    thing: Thing
    action: Action
    inputs: tuple[Value, ...] = ()


Order = Write | Call


@dataclass(frozen=True, slots=True)
class Ground:
    """What a rule is made with: its id (13 digits), when it is made (aware), the zone of the home, and where it is."""

    rule_id: str
    now: datetime
    zone: ZoneInfo
    place: Place | None


@dataclass(frozen=True, slots=True)
class Step:
    """An order, so long after what caused it; `words` say it to people."""

    order: Order
    after: Length | None
    words: str


@dataclass(frozen=True, slots=True)
class Sensed:
    """What sensors tell: all of them, any, or at least so many; for how long.

    `quiet` turns it round: it did not happen for the length of `hold`.
    """

    sensors: tuple[Sensor, ...]
    words: str
    joint: Joint = "all"
    hold: Length | None = None
    least: int = 0
    quiet: bool = False

    @property
    def is_event(self) -> bool:
        """Whether it is over when it happens, so that nothing can ask for it later."""
        return self.quiet or (self.hold is None and any(isinstance(each, Hear) for each in self.sensors))


@dataclass(frozen=True, slots=True)
class Ringing:
    """A time of day, or of the sun."""

    at: Clock | Sun
    words: str
    is_event: bool = True


Trigger = Sensed | Ringing


@dataclass(frozen=True, slots=True)
class Repeat:
    """Again and again, `times` rounds or (0) until `until` or the end of what began it."""

    every: Length
    until: Trigger | None
    times: int
    at_once: bool


@dataclass(frozen=True, slots=True)
class Case:
    """When `triggers` (all or any of them) within `windows`, if `asked`: `steps`; if not asked: `otherwise`."""

    triggers: tuple[Trigger, ...]
    joint: Joint
    windows: tuple[Window, ...]
    asked: tuple[Sensed, ...]
    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...]
    repeat: Repeat | None


@dataclass(frozen=True, slots=True)
class Mirror:
    """A property has the value of another: the second that of the first, or each the other's."""

    how: Literal["one_way", "both", "scaled"]
    master: tuple[Thing, Property]
    follower: tuple[Thing, Property]
    words: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """All of it."""

    name: str
    cases: tuple[Case, ...]
    mirror: Mirror | None
    taken: tuple[Taken, ...]


def comings(case: Case) -> list[tuple[Trigger, tuple[Sensed, ...]]]:
    """Return each trigger with what else must be so then; of facts that are states, each may come last."""
    if case.joint == "any":
        return [(each, ()) for each in case.triggers]
    events = [each for each in case.triggers if each.is_event]
    states = tuple(each for each in case.triggers if isinstance(each, Sensed) and not each.is_event)
    if events:
        return [(events[0], states)]
    return [(each, tuple(other for other in states if other is not each)) for each in states]
