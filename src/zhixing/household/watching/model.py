"""What watching knows of each camera and of its budget, and what happens to it. Values; nothing is kept on disk.

Spans and instants are seconds of a clock that never goes back, except where a `datetime` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from zhixing.household.watching.breaker import CLOSED, Breaker
from zhixing.world.models.failures import ModelFailure
from zhixing.world.perception.verdict import Value
from zhixing.world.vision.looking import Looked


@dataclass(frozen=True, slots=True)
class Terms:
    """What the owner set. 0 of a budget: no limit.

    `interval` and `soon` are seconds between the beginnings of two looks of one camera, the second while something
    waits to be confirmed. `hold` is how long what was judged of a picture goes for the same picture, `oldest` how old a
    picture may be. `cost_per_day` is in millionths of whatever currency the prices are in.
    """

    interval: float = 10.0
    soon: float = 3.0
    hold: float = 60.0
    oldest: float = 300.0
    per_hour: int = 1_200
    per_day: int = 20_000
    cost_per_day: int = 0


@dataclass(frozen=True, slots=True)
class Now:
    """One moment on both clocks."""

    at: datetime
    seconds: float


@dataclass(frozen=True, slots=True)
class Spent:
    """What the model for images was asked today, whoever asked, and what that cost in millionths."""

    calls: int = 0
    cost: int = 0


class Shut(StrEnum):
    """Why nothing may be asked now; a key of section `vision`."""

    RESTING = "resting"
    HOUR = "over_hour"
    DAY = "over_day"
    MONEY = "over_money"


@dataclass(frozen=True, slots=True)
class Known:
    """What was last told of one condition.

    `judged` is when a model judged it; None: it could not be asked. `seconded`: nothing waits for another look to
    confirm it. `told_at` is the instant of the verdict.
    """

    value: Value
    judged: float | None
    seconded: bool
    told_at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture, without its pixels."""

    fingerprint: str
    taken_at: datetime


@dataclass(frozen=True, slots=True)
class Eye:
    """How it is with one camera. `due` is when it is looked at next, `began` when the look under way did."""

    due: float = 0.0
    busy: bool = False
    began: float = 0.0
    frame: Frame | None = None
    """The picture that was judged last."""
    known: Mapping[str, Known] = field(default_factory=dict)
    """By condition."""
    hurried: int = 0
    """Looks in a row that came sooner than the interval."""
    misses: int = 0
    """Looks in a row that brought no picture, or one that the model will not speak about."""
    trouble: str = ""
    """Why the last look brought nothing, in words; "" where it did."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything. `asked` counts the questions since `hour`; `shut` is why nothing has been judged since."""

    eyes: Mapping[str, Eye] = field(default_factory=dict)
    """By camera."""
    breaker: Breaker = CLOSED
    hour: float = 0.0
    asked: int = 0
    shut: Shut | None = None

    def eye(self, camera: str) -> Eye:
        """Return how it is with a camera."""
        return self.eyes.get(camera) or Eye()


@dataclass(frozen=True, slots=True)
class Look:
    """A look at `camera`, for the conditions it has to judge."""

    camera: str
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about a picture: conditions to `ask` about, and those whose last judgement goes for it, too.

    `later` is what was too much for one question.
    """

    frame: Frame
    ask: tuple[str, ...]
    hold: tuple[str, ...] = ()
    later: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """A look ends: the camera may not be used."""


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """A look ends: nothing may be asked now."""

    why: Shut


@dataclass(frozen=True, slots=True)
class Missed:
    """A look ends: there is no picture."""

    why: str


@dataclass(frozen=True, slots=True)
class Outdated:
    """A look ends: the picture is too old to say how things are. A new one may come at any time."""

    why: str


@dataclass(frozen=True, slots=True)
class Same:
    """A look ends: everything was judged of this very picture before."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class Answered:
    """A look ends: the model judged what it was asked."""

    plan: Plan
    looked: Looked


@dataclass(frozen=True, slots=True)
class Failed:
    """A look ends: the model gave nothing that can be used."""

    failure: ModelFailure


Ending = SwitchedOff | NotAllowed | Missed | Outdated | Same | Answered | Failed


@dataclass(frozen=True, slots=True)
class Told:
    """One thing to be told to the rules: of a condition, at an instant."""

    query: str
    value: Value
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """How it is after something happened, and what the rules are told."""

    state: State
    told: tuple[Told, ...] = ()
