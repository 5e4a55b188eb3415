"""A plan of the assembly as the checks see it: home_plan_checks §0. `reading` makes it from JSON.

Beside what the machine needs, each value says where it came from (`*_origin`, `*_recommended`, `trigger_class`,
`subject_source`): without that nobody could say whether a default was told, or a word was taken from a profile.
A number that is none reads as 0, a text that is none as the empty text: so the checks can name what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    """The plan is refused."""
    WARNING = "warning"
    """It is noted; the plan may pass."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check that does not hold. `place` is the part it is about (`rules.0`), empty for the whole plan."""

    id: str
    level: Level
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects:
    """Key objects of a condition: what may be seen, and the kind of thing they are where there are several."""

    items: tuple[str, ...] = ()
    category: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segments:
    """The three parts that a condition was made of."""

    posture: tuple[str, ...] = ()
    objects: tuple[Objects, ...] = ()
    counters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """A concrete word of a condition, and where it was taken from (用户原话 · 视觉常识 · profile)."""

    text: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for."""

    text: str
    kind: str
    subject: str
    subject_source: str
    segments: Segments = Segments()
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A device command; `fields` are the names that were given."""

    did: str = ""
    iid: str = ""
    value: Any = None
    fields: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `source` None: every camera; the empty tuple: a list that names none."""

    name: str
    mode: str
    query: Query
    trigger_class: str
    source: tuple[str, ...] | None = None
    viewpoint: str | None = None
    activates: bool = False
    closes: bool = False
    duration: int | None = None
    duration_origin: str = "none"
    duration_recommended: int | None = None
    debounce: int | None = None
    debounce_origin: str = "none"
    debounce_recommended: int | None = None
    action: Action | None = None
    action_desc: str | None = None
    enter_action: Action | None = None
    enter_desc: str | None = None
    exit_action: Action | None = None
    exit_desc: str | None = None
    exit_origin: str = "none"
    target_desc: str | None = None
    repeats_on_exit: bool = False
    channel: str | None = None

    @property
    def descs(self) -> tuple[str, ...]:
        """The descs that say something."""
        all_four = (self.action_desc, self.enter_desc, self.exit_desc, self.target_desc)
        return tuple(desc for desc in all_four if desc is not None and desc.strip())

    @property
    def actions(self) -> tuple[Action, ...]:
        """The device commands."""
        return tuple(one for one in (self.action, self.enter_action, self.exit_action) if one is not None)

    @property
    def enters(self) -> bool:
        """Whether there is an answer to entering."""
        return self.enter_action is not None or self.enter_desc is not None

    @property
    def leaves(self) -> bool:
        """Whether there is an answer to leaving."""
        return self.exit_action is not None or bool(self.exit_desc and self.exit_desc.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """One job of the clock."""

    name: str
    kind: str
    message: str
    expr: str | None = None
    tz: str | None = None
    at: str | None = None
    every_ms: int | None = None
    purpose: str = "remind"
    origin: str = "user"
    scene: str | None = None
    days_from_user: bool = False
    linked: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The record of a task; `content` is the document's JSON as it came."""

    kind: str
    task_type: str
    content: Mapping[str, Any]
    target_origin: str = "user"

    @property
    def window(self) -> Any:
        """The period that it counts over, where one is said."""
        return self.content.get("window", self.pattern_window)

    @property
    def pattern_window(self) -> Any:
        """The window of the recurring pattern."""
        pattern = self.content.get("recurring_pattern")
        return pattern.get("window") if isinstance(pattern, Mapping) else None


@dataclass(frozen=True, slots=True)
class Question:
    """A question that waits for the user."""

    kind: str
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tip:
    """What the assembly decided by itself: the value, why, and the words that change it."""

    kind: str
    value: str
    reason: str
    how: str

    @property
    def parts(self) -> tuple[str, str, str]:
        """The three sentences' parts."""
        return self.value, self.reason, self.how


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The report that ends an assembly, in its five parts."""

    task: str
    trigger: str
    response: str
    lifecycle: str
    tips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AssemblyPlan:
    """One task as it would be made."""

    op: str = "create"
    reject: str | None = None
    task_id: str = ""
    description: str = ""
    lifecycle: str = ""
    expires_at: str | None = None
    records: tuple[Record, ...] = ()
    """More than one is a mistake that is reported."""
    rules: tuple[Rule, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    steps: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    tips: tuple[Tip, ...] = ()
    final: Final | None = None

    @property
    def record(self) -> Record | None:
        """The record, if there is one."""
        return self.records[0] if self.records else None

    @property
    def kind(self) -> str | None:
        """The kind of the record."""
        return self.records[0].kind if self.records else None

    @property
    def prefix(self) -> str:
        """What the name of everything in this task begins with."""
        return f"[{self.task_id}] "

    @property
    def permanent(self) -> bool:
        """Whether it goes on."""
        return self.lifecycle == "permanent"

    @property
    def temporary(self) -> bool:
        """Whether it ends."""
        return self.lifecycle == "temporary"

    @property
    def ends_by_itself(self) -> bool:
        """Whether it is nothing but moments: such a task ends when they are over (A-11)."""
        reminding = [job for job in self.schedules if job.purpose != "terminate"]
        return not self.rules and bool(reminding) and not any(job.kind in ("cron", "every") for job in reminding)

    @property
    def terminations(self) -> tuple[Schedule, ...]:
        """The jobs that end the task."""
        return tuple(job for job in self.schedules if job.purpose == "terminate")

    @property
    def target_minutes(self) -> Any:
        """What a record of time counts up to, None where it has no target."""
        return self.records[0].content.get("target_minutes") if self.kind == "duration" else None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the home."""

    name: str
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The home at the moment of the assembly. `cameras` are those in use; `locked` those that the words came from."""

    now: datetime
    zone: str
    persons: tuple[Person, ...] = ()
    cameras: tuple[str, ...] = ()
    devices: Mapping[str, str]
    """Kind of each device by its id."""
    locked: tuple[str, ...] = ()
    tasks: Mapping[str, str]
    """Status of each task by its name."""

    @property
    def known(self) -> frozenset[str]:
        """Every name and role."""
        return frozenset(word for person in self.persons for word in (person.name, person.role) if word)


@dataclass(frozen=True, slots=True)
class Case:
    """A plan in its home: what every check looks at."""

    plan: AssemblyPlan
    context: Context

    def each_rule(self) -> Iterator[tuple[str, Rule]]:
        """Yield the rules with their places."""
        return ((f"rules.{number}", rule) for number, rule in enumerate(self.plan.rules))

    def each_job(self) -> Iterator[tuple[str, Schedule]]:
        """Yield the schedules with their places."""
        return ((f"schedules.{number}", job) for number, job in enumerate(self.plan.schedules))

    def tells(self, kind: str) -> bool:
        """Whether there is a tip of that kind."""
        return any(tip.kind == kind for tip in self.plan.tips)

    def asks(self, kind: str) -> bool:
        """Whether a question of that kind waits."""
        return any(question.kind == kind for question in self.plan.questions)
