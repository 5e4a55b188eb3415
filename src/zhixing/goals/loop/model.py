"""The goal graph as a value: what is wanted (taskloop §3.1), what became of it (§3.2), and what is still awaited.

Instants and lengths of time are whole milliseconds. Depth, parents and children are read off the relations (`tree`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zhixing.goals.loop.limits import NO_SPENDING, Limits, Spent
from zhixing.goals.loop.values import (
    CollabMode,
    Dispatch,
    GraphStatus,
    Hung,
    NodeStatus,
    RunMode,
    TaskType,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing by which completion is decided."""

    id: str
    description: str


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """What a node is to achieve; empty members of a child are taken from its parent."""

    title: str = ""
    instruction: str = ""
    background: str = ""
    objective: str = ""
    acceptances: tuple[Criterion, ...] = ()
    extend_props: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """A goal as it was handed in."""

    task_id: str
    spec: TaskSpec
    task_type: TaskType = TaskType.DYNAMIC
    workflow_id: str = ""
    source_type: str = "bot"
    owner_user_id: str = ""
    owner_bot_id: str = ""
    limits: Limits = field(default_factory=Limits)
    key: str = ""
    """The caller's idempotency key; empty for none."""


@dataclass(frozen=True, slots=True)
class Member:
    """What one bot of a group is to do."""

    bot_id: str
    role: str = ""
    responsibility: str = ""


@dataclass(frozen=True, slots=True)
class Formation:
    """A group that is to be formed for a leaf; its internals never enter the graph."""

    bot_ids: tuple[str, ...]
    collab_mode: CollabMode = CollabMode.CHAT
    group_name: str = ""
    manager_bot_id: str = ""
    members: tuple[Member, ...] = ()
    definition_yaml: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was decided of one criterion, and on what evidence."""

    ac_id: str
    passed: bool
    evidence: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The acceptance of a node; a FAIL has gaps."""

    verdict: Verdict
    metric: tuple[Judgement, ...] = ()
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Late:
    """A result that came too late, or for an attempt that another one replaced: kept, and never applied."""

    at: int
    attempt: int
    digest: str
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What became of a node.

    `attempt` is the one under way: there is one at a time. `reporter` is who alone may report, empty when unknown.
    `since` is when the present step began: the search, the delivery, the run, or the last failure to dispatch.
    `receipts` are the reports, results and requests that were applied, by event id or digest.
    """

    run_mode: RunMode | None = None
    assignee: str | None = None
    reporter: str = ""
    formation: Formation | None = None
    attempt: int = 1
    retries: int = 0
    dispatch: Dispatch = Dispatch.NONE
    dispatch_error: str = ""
    last_exec_error: str = ""
    since: int = 0
    first_start: int | None = None
    ended_at: int | None = None
    run_id: str = ""
    session_id: str = ""
    output: Mapping[str, Any] = field(default_factory=dict)
    acceptance: Acceptance | None = None
    hung_reason: Hung | None = None
    superseded: bool = False
    plan_calls: int = 0
    plan_round: int = 0
    plan_failures: int = 0
    miss_events: tuple[str, ...] = ()
    receipts: tuple[str, ...] = ()
    late: tuple[Late, ...] = ()
    late_count: int = 0
    actions: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the graph."""

    id: str
    spec: TaskSpec
    status: NodeStatus = NodeStatus.PENDING
    run: RunInfo = field(default_factory=RunInfo)


@dataclass(frozen=True, slots=True)
class Relation:
    """A child hangs under its parent; every node but the root has exactly one parent."""

    parent: str
    child: str


@dataclass(frozen=True, slots=True)
class Awaited:
    """An effect whose answer is awaited. An answer to anything else is ignored."""

    kind: str
    subject: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Relay:
    """The search for somebody outside who finishes the rest of the goal (§4.9).

    `next_offer` is when bots are asked again; `rounds` counts how often they were. A relay is under way while somebody
    owns it, bids are awaited, or it is to be offered again.
    """

    mode: bool = False
    owner: str | None = None
    claimed_at: int | None = None
    count: int = 0
    rounds: int = 0
    next_offer: int | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """All of a graph but its nodes."""

    info: TaskInfo
    status: GraphStatus
    started_at: int
    loop_round: int = 0
    hung_reason: Hung | None = None
    output: Mapping[str, Any] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    awaited: tuple[Awaited, ...] = ()
    relay: Relay = field(default_factory=Relay)
    spent: Spent = NO_SPENDING
    told: tuple[str, ...] = ()
    """Which limits people were warned of."""
    wake_at: int | None = None
    """When the next tick was asked for."""
    seq: int = 0
    """Number of the last entry of the log."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A goal: its head, and its nodes in the order in which they came, the root first."""

    head: Head
    nodes: Mapping[str, Node]

    @property
    def root(self) -> Node:
        """The node of the goal itself; its id is the id of the task."""
        return self.nodes[self.head.info.task_id]
