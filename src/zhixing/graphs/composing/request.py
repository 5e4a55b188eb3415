"""What a sentence says, before anybody looks for a device: facts that are watched, and what is to be done.

Every piece keeps the span of the words it was read from. A part that was left out (低于24度关掉) was filled in by the
reader, from what was said before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import time
from enum import StrEnum
from typing import Literal

from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.specs.meanings import Doing, Happening, Meaning
from zhixing.graphs.times.filters import DayFilter
from zhixing.graphs.times.sun import SunEvent

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mention:
    """Words for devices: an exact name (dids), or a room, parts of a name and a kind; `key` is one of a remote."""

    span: Span
    words: str
    names: tuple[str, ...] = ()
    room: str = ""
    pieces: tuple[str, ...] = ()
    thing: str = ""
    key: str = ""
    every: bool = False
    count: int = 0

    @property
    def is_room(self) -> bool:
        """Whether only a room was named."""
        return bool(self.room) and not (self.names or self.pieces or self.thing)


NOWHERE = Mention((0, 0), "")
"""Nothing was named."""


class State(StrEnum):
    """What a device or a room is."""

    ON = "on"
    OFF = "off"
    PRESENT = "present"
    ABSENT = "absent"


Joint = Literal["all", "any"]


@dataclass(frozen=True, slots=True)
class Level:
    """A value compared: `operator` of `> < >= <= between`, `high` for between."""

    span: Span
    mentions: tuple[Mention, ...]
    measure: str
    operator: str
    low: float
    high: float = 0
    unit: str = ""
    hold: Length | None = None


@dataclass(frozen=True, slots=True)
class Being:
    """A state; of a door or window ON is open. `least` of several, 0 where all or any of them count."""

    span: Span
    mentions: tuple[Mention, ...]
    state: State
    hold: Length | None = None
    joint: Joint | None = None
    least: int = 0


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed."""

    span: Span
    mentions: tuple[Mention, ...]
    happening: Happening


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `days` None where nobody said whether it is once or again."""

    span: Span
    at: time
    days: DayFilter | None


@dataclass(frozen=True, slots=True)
class Sun:
    """Sunrise or sunset; `offset` in minutes, negative before."""

    span: Span
    event: SunEvent
    offset: int
    days: DayFilter


@dataclass(frozen=True, slots=True)
class Window:
    """Only from `start` to before `end`."""

    span: Span
    start: time
    end: time
    days: DayFilter


Fact = Level | Being | Press | Clock | Sun


@dataclass(frozen=True, slots=True)
class Switch:
    """Turn on (open), off (close), or the other way."""

    span: Span
    mentions: tuple[Mention, ...]
    turn: Literal["on", "off", "toggle"]
    after: Length | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """Set a measure to a value, an extreme (`most`, `least`), or an entry of a list by its name."""

    span: Span
    mentions: tuple[Mention, ...]
    measure: str
    value: float | str
    unit: str = ""
    after: Length | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Say something aloud; an empty text is what happened."""

    span: Span
    mentions: tuple[Mention, ...]
    text: str
    after: Length | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Go on playing, pause or stop."""

    span: Span
    mentions: tuple[Mention, ...]
    doing: Doing
    after: Length | None = None


Act = Switch | Setting | Say | Play


@dataclass(frozen=True, slots=True)
class Rounds:
    """Again and again: until a fact, for a number of times, or (neither) while what started it lasts."""

    every: Length
    until: Fact | None = None
    times: int = 0


@dataclass(frozen=True, slots=True)
class Branch:
    """When `facts` (all, or any), within `windows`: `acts`; else `otherwise`. `asked` only counts at that moment."""

    facts: tuple[Fact, ...]
    joint: Joint = "all"
    windows: tuple[Window, ...] = ()
    asked: tuple[Fact, ...] = ()
    acts: tuple[Act, ...] = ()
    otherwise: tuple[Act, ...] = ()
    rounds: Rounds | None = None


@dataclass(frozen=True, slots=True)
class Follow:
    """One device has the state of another; `both` ways or one."""

    span: Span
    follower: Mention
    master: Mention
    both: bool = False
    measure: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """Something that was taken for granted; `key` names its words in `composing_graphs`."""

    key: str
    values: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """All that a sentence asks for."""

    text: str
    branches: tuple[Branch, ...] = ()
    follow: Follow | None = None
    taken: tuple[Taken, ...] = ()


_PRESSES = (Happening.CLICK, Happening.DOUBLE_CLICK, Happening.LONG_PRESS)
HAPPENINGS = {each.value.replace("_", "-"): each for each in _PRESSES}
DOINGS = {each.value: each for each in (Doing.PLAY, Doing.PAUSE, Doing.STOP)}
MEASURES: dict[str, Meaning] = {
    "temperature": Meaning.TEMPERATURE,
    "target-temperature": Meaning.TARGET_TEMPERATURE,
    "relative-humidity": Meaning.HUMIDITY,
    "illumination": Meaning.ILLUMINATION,
    "electric-power": Meaning.ELECTRIC_POWER,
    "battery-level": Meaning.BATTERY,
    "brightness": Meaning.BRIGHTNESS,
    "color-temperature": Meaning.COLOR_TEMPERATURE,
    "volume": Meaning.VOLUME,
    "position": Meaning.POSITION,
    "fan-level": Meaning.FAN_LEVEL,
    "mode": Meaning.MODE,
}
"""Measures of the lexicon; of those that are set, temperature is the target and position the target."""
