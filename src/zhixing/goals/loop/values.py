"""The closed sets of the goal graph: states, modes, outcomes and reasons (taskloop §3.3, §3.4, §4.13)."""

from __future__ import annotations

from enum import StrEnum


class NodeStatus(StrEnum):
    """The state of a node; FAILED is an acceptance that failed with gaps, HUNG waits for a relay or a person."""

    PENDING = "PENDING"
    PLANNING = "PLANNING"
    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"
    HUNG = "HUNG"
    CANCELLED = "CANCELLED"


class GraphStatus(StrEnum):
    """The state of a whole goal; FAILED only mirrors a workflow that another system runs."""

    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"
    HUNG = "HUNG"
    CANCELLED = "CANCELLED"

    @property
    def open(self) -> bool:
        """Whether something may still come of it: people can take up a hung one again."""
        return self in (GraphStatus.RUNNING, GraphStatus.HUNG)


class ProductStatus(StrEnum):
    """What people see of a state."""

    DEFINED = "DEFINED"
    EXECUTING = "EXECUTING"
    REVIEWING = "REVIEWING"
    DONE = "DONE"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class RunMode(StrEnum):
    """How a leaf is executed."""

    SINGLE_BOT = "single_bot"
    COOP_GROUP = "coop_group"
    BBS = "bbs"


class CollabMode(StrEnum):
    """How the bots of a new group work together."""

    CHAT = "chat"
    MANAGER_WORKER = "manager_worker"
    STATE_MACHINE = "state_machine"


class TaskType(StrEnum):
    """Who drives a goal: this decider, or a system whose result is only mirrored."""

    DYNAMIC = "dynamic"
    WORKFLOW = "workflow"
    YAML = "yaml"


class SearchOutcome(StrEnum):
    """What came of looking for somebody; EXCEPTION is no answer, which is not the same as MISS."""

    HIT_SINGLE = "HIT_SINGLE"
    HIT_GROUP = "HIT_GROUP"
    HIT_MULTI_BOTS = "HIT_MULTI_BOTS"
    MISS = "MISS"
    EXCEPTION = "EXCEPTION"


class Verdict(StrEnum):
    """What an acceptance came to."""

    PASS = "PASS"  # noqa: S105 - a verdict
    FAIL = "FAIL"


class Dispatch(StrEnum):
    """How far a pending leaf is on its way to somebody; UNKNOWN: nobody can say whether it was delivered."""

    NONE = "none"
    QUEUED = "queued"
    SEARCHING = "searching"
    DISPATCHING = "dispatching"
    UNKNOWN = "unknown"
    ERROR = "error"


class Hung(StrEnum):
    """Why a node or a graph hangs."""

    MISS_DEPTH_EXHAUSTED = "miss_depth_exhausted"
    MISS_NO_DECOMPOSE = "miss_no_decompose"
    ROOT_GAP_NO_DECOMPOSE = "root_gap_no_decompose"
    GAP_NO_PROGRESS = "gap_no_progress"
    PLAN_ROUND_EXHAUSTED = "plan_round_exhausted"
    NODES_EXHAUSTED = "nodes_exhausted"
    EXEC_STUCK = "exec_stuck"
    ACCEPTANCE_FAIL = "acceptance_fail"
    CHILD_HUNG = "child_hung"
    LOOP_EXHAUSTED = "loop_exhausted"
    BBS_RELAY_EXHAUSTED = "bbs_relay_exhausted"
    BUDGET_EXHAUSTED = "budget_exhausted"


class ExecError(StrEnum):
    """Why an execution gave no result that can be used; other words of executors are kept as they are."""

    SLA_TIMEOUT = "sla_timeout"
    TERMINAL_RESULT_INVALID = "terminal_result_invalid"
    PENDING_DISPATCH_STUCK = "pending_dispatch_stuck"


class DispatchError(StrEnum):
    """Why a leaf did not reach anybody."""

    NO_RESULT = "no_result"
    START_RUN_FAILED = "start_run_failed"
    FORM_GROUP_FAILED = "form_group_failed"
    EXCEPTION = "dispatch_exception"


BBS_LEASE_EXPIRED = "bbs_lease_expired"
"""The gap of a relay that was not heard of in time."""

_PRODUCT = {
    "PENDING": ProductStatus.DEFINED,
    "PLANNING": ProductStatus.EXECUTING,
    "RUNNING": ProductStatus.EXECUTING,
    "HUNG": ProductStatus.REVIEWING,
    "DONE": ProductStatus.DONE,
    "FAILED": ProductStatus.FAILED,
    "CANCELLED": ProductStatus.CANCELLED,
}


def product_status(status: NodeStatus | GraphStatus) -> ProductStatus:
    """Return what people see of a state (§3.4)."""
    return _PRODUCT[status.value]


_S = NodeStatus
_MOVES = {
    _S.PENDING: {_S.RUNNING, _S.PLANNING, _S.HUNG, _S.CANCELLED},
    _S.PLANNING: {_S.DONE, _S.HUNG, _S.CANCELLED},
    _S.RUNNING: {_S.DONE, _S.FAILED, _S.PENDING, _S.HUNG, _S.CANCELLED},
    _S.FAILED: {_S.PLANNING, _S.HUNG, _S.CANCELLED},
    # A person may give the answer (DONE) or send it out again; a goal that is taken up again plans once more.
    _S.HUNG: {_S.DONE, _S.PENDING, _S.PLANNING, _S.CANCELLED},
    _S.DONE: set(),
    _S.CANCELLED: set(),
}


def may_move(before: NodeStatus, after: NodeStatus) -> bool:
    """Whether a node may go from one state to another (§3.3, with CANCELLED and what people do to hung nodes)."""
    return after in _MOVES[before]
