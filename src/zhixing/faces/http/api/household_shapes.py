"""What programs get of household tasks: the shapes of `faces.household_wire`, written down for OpenAPI."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from zhixing.faces.http.api.shapes import Occurrence, Shape
from zhixing.household.agent import model as agent
from zhixing.household.descs import Medium
from zhixing.household.doing.model import Origin, RunState
from zhixing.household.jobs import Purpose
from zhixing.household.viewing import LineKind
from zhixing.tasks.rules.model import Direction, StoppedBy
from zhixing.tasks.schedule.model import ScheduleState
from zhixing.tasks.task import Status, Term, Way


class Rule(Shape):
    """A rule of a task."""

    id: str
    task: str = Field(description="The id of its task.")
    enabled: bool
    stopped_by: StoppedBy | None = Field(description="`limit`: it fired too often, and probably triggers itself.")
    zone: str
    revision: int
    created_at: str
    updated_at: str
    words: list[str] = Field(description="What it watches and does, for people.")
    rule: dict[str, Any] = Field(description="What `rule create` of the household document takes.")


class Rules(Shape):
    """Some rules."""

    rules: list[Rule]


class Job(Shape):
    """A cron job."""

    id: str
    task: str | None = Field(description="The name of its task; null for one that is on its own.")
    name: str
    schedule: dict[str, Any] = Field(description="As the cron tool takes it.")
    words: str | None = Field(description="When it acts, for people; null while it is disabled.")
    message: str
    purpose: Purpose
    enabled: bool
    state: ScheduleState | None
    next: list[str] = Field(description="The next few instants.")


class Jobs(Shape):
    """All cron jobs."""

    cron: list[Job]


class RemovedJob(Shape):
    """A job that is gone."""

    id: str
    removed: Literal[True]


class JobRuns(Shape):
    """What a job did."""

    runs: list[Occurrence]


class Record(Shape):
    """A record in the shape of `task record get`: its kind, what is stored, and what follows from it."""

    kind: str
    record: dict[str, Any]
    derived: dict[str, Any]
    sessions: list[dict[str, Any]] = Field(default=[], description="Of a duration.")
    entries: list[dict[str, Any]] = Field(default=[], description="Of events.")


class Run(Shape):
    """Something that waits, or waited, for the household agent."""

    id: str
    task: str
    occurrence: str
    origin: Origin
    state: RunState
    why: str
    prompt: dict[str, Any] = Field(description="What it is to judge; all of it is data.")
    created_at: str
    deadline: str
    ended_at: str | None


class Runs(Shape):
    """Some runs of the household agent."""

    runs: list[Run]


class Powers(Shape):
    """What a run of the household agent may do; decided before its first turn."""

    purpose: agent.Purpose
    who: agent.Who = Field(description="Who decides: a model, or a rule that needs none.")
    tools: list[agent.Tool]
    media: list[Medium] = Field(description="The ways of telling that it may use.")
    devices: list[str] = Field(description="The ids of the devices that it may command.")
    records: list[str] = Field(description="The ids of the tasks whose record it may read.")
    until: str


class TurnTokens(Shape):
    """What a turn read and wrote; zeros where nobody counts."""

    read: int
    written: int


class Turn(Shape):
    """One turn of a run."""

    number: int
    who: agent.Who
    tool: agent.Tool
    thought: str
    arguments: dict[str, Any]
    state: agent.TurnState
    result: str = Field(description="What it brought; text from the home.")
    at: str
    tokens: TurnTokens
    seconds: float = Field(description="How long the model took.")


class Turns(Shape):
    """What a run may do, and what was done in it turn by turn."""

    powers: Powers | None = Field(description="Missing before its first turn.")
    turns: list[Turn]
    tokens: int


class HouseholdTask(Shape):
    """A household task with all of its parts."""

    id: str
    title: str
    way: Way
    status: Status
    zone: str
    revision: int
    created_at: str
    updated_at: str
    slug: str | None = Field(description="Its name, the `task_id` of the household document.")
    description: str
    term: Term
    expires_at: str | None
    paused_at: str | None
    next: str | None = Field(description="The next instant of all its jobs.")
    rules: list[Rule]
    cron: list[Job]
    record: Record | None
    runs: list[Run] = Field(description="What waits for the household agent.")


class HouseholdTasks(Shape):
    """Some household tasks, newest first."""

    tasks: list[HouseholdTask]
    more: str | None


class LogLine(Shape):
    """One thing that happened to a task, or came close."""

    at: str
    kind: LineKind
    part: str
    name: str = Field(description="What the rule or the job is called.")
    rule: str | None
    direction: Direction | None
    job: str | None
    why: str
    says: str = Field(description="Why, for people.")
    occurrence: Occurrence | None
    data: dict[str, Any] | None


class Log(Shape):
    """What happened to a task, the latest first; the counts are of all of it."""

    slug: str
    since: str | None
    lines: list[LogLine]
    counts: dict[str, int]
    near_misses: int
