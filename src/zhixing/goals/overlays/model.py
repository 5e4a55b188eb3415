"""A scenario as a value: its signal, and the tables by which it plans, searches and answers (taskloop §0.3, §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.loop.values import CollabMode


class State(StrEnum):
    """How far the wanted deliverables are: no child done yet; all of them there; something done and some missing."""

    UNTOUCHED = "untouched"
    DELIVERED = "delivered"
    LACKING = "lacking"


@dataclass(frozen=True, slots=True)
class Deliverable:
    """Something a root may want.

    It is wanted when a criterion of the root holds one of `words`. It is there when the child `task` is done with an
    output, or any finished child has one of `keys` in its output: a relay names its nodes itself.
    """

    id: str
    name: str
    words: tuple[str, ...]
    task: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the planning table, about the root. It fits when all that it names holds; None and () ask nothing.

    `wanted` is exactly the set of deliverables of the root; all of `done` are finished. Without tasks the gap is
    closed, or stays open with `detail`, where `{missing}` stands for the names of what is missing.
    """

    wanted: frozenset[str] | None = None
    state: State | None = None
    done: frozenset[str] = frozenset()
    tasks: tuple[str, ...] = ()
    closed: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """The child for a leaf that failed with gaps; texts may hold `{node}`, `{title}` and `{gaps}`."""

    suffix: str
    title: str
    instruction: str
    objective: str
    acceptance: str


@dataclass(frozen=True, slots=True)
class Planning:
    """The planning table: of the rows that fit, the last one counts. `otherwise` is the detail when none does."""

    tasks: Mapping[str, TaskSpec]
    rows: tuple[Row, ...]
    otherwise: str
    deliverables: tuple[Deliverable, ...] = ()
    remedy: Remedy | None = None


@dataclass(frozen=True, slots=True)
class Role:
    """A bot by its name, and what it is to do in a group."""

    bot: str
    role: str = ""
    responsibility: str = ""


@dataclass(frozen=True, slots=True)
class Pick:
    """Who does a task: one bot, a group whose first member manages it, or nobody because of `miss`."""

    members: tuple[Role, ...] = ()
    group: str = ""
    mode: CollabMode = CollabMode.MANAGER_WORKER
    miss: str = ""


@dataclass(frozen=True, slots=True)
class Searching:
    """The search table, by the id of the node; `miss` is the reason for every other node."""

    picks: Mapping[str, Pick]
    miss: str


@dataclass(frozen=True, slots=True)
class Slot:
    """What varies in an answer: the word between `after` and `before`, else one of `known`, else `default`."""

    name: str
    after: str
    before: str
    known: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The fixed answer of a leaf; in its texts `{name of the slot}` stands for what was asked about."""

    reply: Mapping[str, Any]
    slot: Slot | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """What the scenario is shown with: goals by name, an execution config, and what scripted executors report."""

    config: Mapping[str, Any] = field(default_factory=dict)
    goals: Mapping[str, TaskSpec] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Overlay:
    """A scenario. A part that is None leaves the trunk to do it."""

    name: str
    keywords: tuple[str, ...]
    planning: Planning | None = None
    searching: Searching | None = None
    answer: Answer | None = None
    example: Example = field(default_factory=Example)
