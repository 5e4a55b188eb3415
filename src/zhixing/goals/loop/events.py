"""What may happen to a goal. Ids come with the events; an `attempt` of None means the one under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from zhixing.goals.loop.limits import NO_SPENDING, Spent
from zhixing.goals.loop.model import Formation, Judgement, TaskInfo, TaskSpec
from zhixing.goals.loop.values import SearchOutcome


@dataclass(frozen=True, slots=True)
class Execute:
    """A goal is handed in."""

    info: TaskInfo


@dataclass(frozen=True, slots=True)
class Child:
    """A node that the planner wants under its target."""

    id: str
    spec: TaskSpec = field(default_factory=TaskSpec)


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The planner answered. `verdicts` None: it did not judge the criteria one by one."""

    target: str
    children: tuple[Child, ...] = ()
    has_gap: bool = True
    gap_detail: str = ""
    verdicts: tuple[Judgement, ...] | None = None
    attempt: int | None = None
    spent: Spent = NO_SPENDING


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Somebody was found for a leaf, or nobody; `reason` says why not."""

    node: str
    outcome: SearchOutcome
    bot_id: str = ""
    group_id: str = ""
    formation: Formation | None = None
    reason: str = ""
    attempt: int | None = None
    spent: Spent = NO_SPENDING


@dataclass(frozen=True, slots=True)
class Delivered:
    """A leaf reached its bot or group; `group_id` is that of a group that was formed for it."""

    node: str
    group_id: str = ""
    run_id: str = ""
    session_id: str = ""
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class DeliverFailed:
    """A leaf provably reached nobody."""

    node: str
    reason: str = "start_run_failed"
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """The executor says that it began."""

    node: str
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A result as it came in (§2.6 shape d): `success` is any JSON value, only a boolean counts.

    `by` is who reports, empty when that was checked elsewhere; `kind` tells results from errors of the machinery.
    """

    node: str
    success: object = None
    data: object = None
    gaps: object = None
    fail_detail: object = None
    exec_error: object = None
    verdict: object = None
    attempt: int | None = None
    event_id: str = ""
    by: str = ""
    kind: Literal["result", "error", "timeout"] = "result"
    spent: Spent = NO_SPENDING


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed: the harness sweeps."""


@dataclass(frozen=True, slots=True)
class Bids:
    """What the bots that were asked said they could do, in percent, in the order of the roster.

    Bots that did not answer in time are simply not among them.
    """

    rates: tuple[tuple[str, object], ...] = ()
    round: int | None = None
    spent: Spent = NO_SPENDING


@dataclass(frozen=True, slots=True)
class RelaySent:
    """The winner of a round got its message."""

    bot: str


@dataclass(frozen=True, slots=True)
class RelaySendFailed:
    """The winner of a round could not be told."""

    bot: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A bot wants to own the rest of the goal."""

    bot: str


@dataclass(frozen=True, slots=True)
class Attach:
    """The owner of the rest adds the node on which it will work. `node_id` is new; `key` names the request."""

    bot: str
    parent: str
    node_id: str
    spec: TaskSpec = field(default_factory=TaskSpec)
    key: str = ""


@dataclass(frozen=True, slots=True)
class BbsResult:
    """What a relay came to; `root_verified` and the like are not asked for: the owner checks the root again."""

    bot: str
    node: str
    verdict: str = ""
    metric: tuple[Judgement, ...] = ()
    gaps: tuple[str, ...] = ()
    output: Mapping[str, Any] = field(default_factory=dict)
    exec_error: str = ""
    spent: Spent = NO_SPENDING


@dataclass(frozen=True, slots=True)
class Cancel:
    """A person gives the goal up."""


@dataclass(frozen=True, slots=True)
class Retry:
    """A person has a hung node tried again; without a node, everything that hangs."""

    node: str = ""


@dataclass(frozen=True, slots=True)
class Resolve:
    """A person gives the answer of a hung node."""

    node: str
    output: object


@dataclass(frozen=True, slots=True)
class Budget:
    """A person sets limits anew; None leaves one alone. `left` is how many tokens more, 0 for none."""

    tokens: int | None = None
    cost: float | None = None
    wall_clock: int | None = None
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Used:
    """Something was used for a goal that no other answer tells of: a turn of a talk, a run that was stopped."""

    spent: Spent


@dataclass(frozen=True, slots=True)
class Restarted:
    """The process came up again. `in_flight` says what is known of effects that were under way, by kind and subject.

    An effect on the outside that is not listed counts as unknown.
    """

    in_flight: Mapping[str, Literal["not_sent", "sent", "unknown"]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dashboard:
    """Somebody looks."""

    node: str = ""


Event = (
    Execute
    | PlanResult
    | SearchResult
    | Delivered
    | DeliverFailed
    | Started
    | Report
    | Tick
    | Bids
    | RelaySent
    | RelaySendFailed
    | Claim
    | Attach
    | BbsResult
    | Cancel
    | Retry
    | Resolve
    | Budget
    | Used
    | Restarted
    | Dashboard
)
