"""What a rule is made of: the condition it watches, how it counts, and what it answers with.

Source of the fields: document 000 §Rule and `rule create`; decisions of design §10. Times are whole seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from zhixing.world.devices.port import Level


class Mode(StrEnum):
    """Whether leaving matters."""

    EVENT = "event"
    """One answer for each episode in which the condition holds."""
    STATE = "state"
    """One answer on entering, and one on leaving."""


class Agreement(StrEnum):
    """How the verdicts of several sources become one."""

    ANY = "any"
    """True where any source says so, false where one denies it and none knew it true when it could tell last."""
    ALL = "all"
    """True where all sources say so, false where any denies it: for what must hold everywhere, such as nobody there."""


class Direction(StrEnum):
    """Which answer of a rule it is."""

    ENTER = "enter"
    """The condition began to count; the one answer of an event rule."""
    EXIT = "exit"
    """It is over."""
    TARGET = "target"
    """What was to be accumulated is reached."""


@dataclass(frozen=True, slots=True)
class DeviceAction:
    """One command to a device; `iid` is numeric (`prop.2.1`, `action.7.3`): names are resolved when a rule is made.

    An `idempotent` property write is read first and left out when the value is there already. Everything else is not
    done again within `cooldown_minutes` of its last success.
    """

    did: str
    iid: str
    value: Level | None = None
    params: tuple[Level, ...] = ()
    idempotent: bool = True
    cooldown_minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What a rule answers with in one direction: device commands, or words that say what is to be done. Never both."""

    actions: tuple[DeviceAction, ...] = ()
    descs: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.descs)


NOTHING = Response()


@dataclass(frozen=True, slots=True)
class Trigger:
    """What a rule watches and when that counts. A change of any of it makes the rule start anew.

    `sources` are cameras or sensors by id, sorted; empty: every camera in use. `duration` is how long the condition
    must hold (0: at once). `tolerance` is how long an unknown neither breaks nor extends that. `expiry` is how long a
    verdict stands when its source falls silent (None: until the next one).
    """

    query: str
    sources: tuple[str, ...] = ()
    agreement: Agreement = Agreement.ANY
    mode: Mode = Mode.EVENT
    duration: int = 0
    tolerance: int = 30
    expiry: int | None = 180


@dataclass(frozen=True, slots=True)
class QuietSpan:
    """Hours of the rule's zone in which it does not fire, as minutes of the day; it may run over midnight."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Limit:
    """A rule that fires more than `fires` times within `seconds` is stopped: it probably triggers itself."""

    fires: int = 12
    seconds: int = 60


class StoppedBy(StrEnum):
    """Who stopped a rule that is not enabled; the end of a pause starts only what the pause stopped."""

    USER = "user"
    TASK = "task"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything about a rule that a person may set."""

    name: str
    trigger: Trigger
    on_enter: Response = NOTHING
    """Also the one answer of an event rule."""
    on_exit: Response = NOTHING
    on_target: Response = NOTHING
    exit_debounce: int = 60
    cooldown: int = 0
    """Seconds after a fire in which it does not fire again."""
    quiet: tuple[QuietSpan, ...] = ()
    limit: Limit | None = Limit()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a task."""

    id: str
    task_id: str
    zone: str
    plan: Plan
    stopped_by: StoppedBy | None
    revision: int
    created_at: datetime
    updated_at: datetime

    @property
    def enabled(self) -> bool:
        """Whether it may fire."""
        return self.stopped_by is None


@dataclass(frozen=True, slots=True)
class Fired:
    """One answer that is due, with its occurrence, which is claimed and in the books.

    `at` is the instant it is for; `late` the seconds since then where it could not be in time. `since` is when the
    condition began to hold, `left` when it ceased (only on exit). `because` is what the source said, as text from the
    world.
    """

    rule: Rule
    direction: Direction
    occurrence_id: str
    at: datetime
    since: datetime
    left: datetime | None = None
    late: float = 0.0
    source: str = ""
    because: str = ""
    asked: bool = False
    """Somebody asked for it by hand: there is no episode, and nothing that would end it."""

    @property
    def response(self) -> Response:
        """What is to be done."""
        plan = self.rule.plan
        match self.direction:
            case Direction.ENTER:
                return plan.on_enter
            case Direction.EXIT:
                return plan.on_exit
            case Direction.TARGET:
                return plan.on_target
