"""Event scripts as JSON, for replaying: a config, and events in the words of the machine contract `goal replay`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.goals.loop.events import (
    Attach,
    BbsResult,
    Bids,
    Budget,
    Cancel,
    Child,
    Claim,
    Dashboard,
    Delivered,
    DeliverFailed,
    Event,
    Execute,
    PlanResult,
    RelaySendFailed,
    RelaySent,
    Report,
    Resolve,
    Restarted,
    Retry,
    SearchResult,
    Started,
    Tick,
)
from zhixing.goals.loop.limits import InvalidLimit, read_limits
from zhixing.goals.loop.model import Criterion, Formation, Judgement, Member, TaskInfo, TaskSpec
from zhixing.goals.loop.replies import Reply, invalid
from zhixing.goals.loop.results import gaps_of
from zhixing.goals.loop.values import CollabMode, ExecError, SearchOutcome, TaskType
from zhixing.kernel.errors import BadInput

Entry = Mapping[str, Any]
MOST_EVENTS = 5000


@dataclass(frozen=True, slots=True)
class Names:
    """What a script calls things: `ids` are nodes by the names given to them, `new_id` is the next new one."""

    task_id: str
    ids: Mapping[str, str]
    new_id: str
    planning: str
    """The node whose plan is awaited, empty for none: what a script calls `*`."""

    def node(self, name: object) -> str:
        """Return the id of a node."""
        return self.ids.get(str(name), str(name))


def read_event(entry: Entry, config: Entry, names: Names) -> Event | Reply:
    """Return an event, or how it is refused before it gets to be one. Raises `BadInput` for an unknown kind."""
    kind = str(entry.get("ev"))
    if kind == "execute":
        return _execute(entry, config, names)
    reader = _READERS.get(kind)
    if reader is None:
        raise BadInput("goal_event_unknown", given=kind[:64])
    return reader(entry, names)


def _text(entry: Entry, key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _texts(entry: Entry, key: str) -> tuple[str, ...]:
    value = entry.get(key)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _whole(entry: Entry, key: str) -> int | None:
    value = entry.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _execute(entry: Entry, config: Entry, names: Names) -> Event | Reply:
    try:
        limits = read_limits(config)
        task_type = TaskType(entry.get("task_type") or TaskType.DYNAMIC)
    except InvalidLimit as error:
        return invalid(error.key)
    except ValueError:
        return invalid("task_type")
    given = entry.get("acceptances")
    acceptances = tuple(_criterion(each) for each in given) if isinstance(given, list) else ()
    spec = TaskSpec(objective=_text(entry, "objective"), acceptances=acceptances)
    info = TaskInfo(names.task_id, spec, task_type, _text(entry, "workflow_id"), limits=limits, key=_text(entry, "key"))
    return Execute(info)


def _criterion(given: object) -> Criterion:
    if isinstance(given, Mapping):
        return Criterion(_text(given, "id"), _text(given, "description") or _text(given, "acceptance"))
    return Criterion(str(given), str(given))


def _plan_result(entry: Entry, names: Names) -> Event:
    target = names.planning if entry.get("target") == "*" else names.node(entry.get("target"))
    children = entry.get("children")
    verdicts = entry.get("verdicts")
    return PlanResult(
        target,
        tuple(Child(each) for each in children if isinstance(each, str)) if isinstance(children, list) else (),
        has_gap=entry.get("has_gap") is not False,
        gap_detail=_text(entry, "gap_detail"),
        verdicts=tuple(map(_judgement, verdicts)) if isinstance(verdicts, list) else None,
        attempt=_whole(entry, "attempt"),
    )


def _judgement(given: object) -> Judgement:
    entry = given if isinstance(given, Mapping) else {}
    return Judgement(_text(entry, "ac_id"), passed=entry.get("passed") is True, evidence=_text(entry, "reason"))


def _search_result(entry: Entry, names: Names) -> Event:
    try:
        outcome, reason = SearchOutcome(_text(entry, "outcome")), _text(entry, "miss_reason")
        formation = _formation(entry) if outcome is SearchOutcome.HIT_MULTI_BOTS else None
    except ValueError:
        outcome, reason, formation = SearchOutcome.MISS, "unknown_outcome", None
    return SearchResult(
        names.node(entry.get("node")),
        outcome,
        _text(entry, "bot_id"),
        _text(entry, "group_id"),
        formation,
        reason or _text(entry, "error"),
        _whole(entry, "attempt"),
    )


def _formation(entry: Entry) -> Formation:
    members = entry.get("members_info")
    known = [each for each in members if isinstance(each, Mapping)] if isinstance(members, list) else []
    return Formation(
        _texts(entry, "bot_ids"),
        CollabMode(_text(entry, "collab_mode") or CollabMode.CHAT),
        _text(entry, "group_name"),
        _text(entry, "manager_bot_id"),
        tuple(Member(_text(e, "bot_id"), _text(e, "role"), _text(e, "responsibility")) for e in known),
        _text(entry, "definition_yaml"),
    )


def _report(entry: Entry, names: Names) -> Event:
    return Report(
        names.node(entry.get("node")),
        entry.get("success"),
        entry.get("data"),
        entry.get("gaps"),
        entry.get("fail_detail"),
        entry.get("exec_error"),
        entry.get("verdict"),
        _whole(entry, "attempt"),
        _text(entry, "event_id"),
        _text(entry, "by"),
    )


def _exec_error(entry: Entry, names: Names) -> Event:
    timeout = entry.get("ev") == "timeout"
    return Report(
        names.node(entry.get("node")),
        exec_error=_text(entry, "error") or (ExecError.SLA_TIMEOUT.value if timeout else "exec_error"),
        attempt=_whole(entry, "attempt"),
        event_id=_text(entry, "event_id"),
        kind="timeout" if timeout else "error",
    )


def _bids(entry: Entry, _names: Names) -> Event:
    bids = entry.get("bids")
    return Bids(tuple(bids.items()) if isinstance(bids, Mapping) else ())


def _attach(entry: Entry, names: Names) -> Event:
    # Two attachments that a script names differently are two requests, unless their key says otherwise.
    spec = TaskSpec(title=_text(entry, "as"))
    return Attach(_text(entry, "bot"), names.node(entry.get("parent")), names.new_id, spec, key=_text(entry, "key"))


def _bbs_result(entry: Entry, names: Names) -> Event:
    output = entry.get("output")
    return BbsResult(
        _text(entry, "bot"),
        names.node(entry.get("node")),
        _text(entry, "verdict"),
        (),
        gaps_of(entry.get("gaps")),
        output if isinstance(output, Mapping) else {},
        _text(entry, "exec_error"),
    )


def _restart(entry: Entry, names: Names) -> Event:
    given = entry.get("in_flight")
    found: dict[str, Any] = {}
    for key, known in (given if isinstance(given, Mapping) else {}).items():
        kind, _, subject = str(key).partition(":")
        found[f"{kind}:{names.node(subject)}"] = known if known in {"not_sent", "sent"} else "unknown"
    return Restarted(found)


def _budget(entry: Entry, _names: Names) -> Event:
    cost = entry.get("cost")
    wall_clock = _whole(entry, "wall_clock")
    return Budget(
        _whole(entry, "tokens"),
        cost if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
        None if wall_clock is None else wall_clock * 1000,
        _whole(entry, "left"),
    )


_READERS: dict[str, Callable[[Entry, Names], Event]] = {
    "plan_result": _plan_result,
    "search_result": _search_result,
    "delivered": lambda e, n: Delivered(n.node(e.get("node")), _text(e, "group_id"), attempt=_whole(e, "attempt")),
    "deliver_failed": lambda e, n: DeliverFailed(n.node(e.get("node")), _text(e, "reason"), _whole(e, "attempt")),
    "start": lambda e, n: Started(n.node(e.get("node")), _whole(e, "attempt")),
    "report": _report,
    "exec_error": _exec_error,
    "timeout": _exec_error,
    "tick": lambda _e, _n: Tick(),
    "bids": _bids,
    "relay_sent": lambda e, _n: RelaySent(_text(e, "bot")),
    "relay_send_failed": lambda e, _n: RelaySendFailed(_text(e, "bot")),
    "claim": lambda e, _n: Claim(_text(e, "bot")),
    "attach": _attach,
    "bbs_result": _bbs_result,
    "cancel": lambda _e, _n: Cancel(),
    "retry": lambda e, n: Retry(n.node(e["node"]) if e.get("node") else ""),
    "resolve": lambda e, n: Resolve(n.node(e.get("node")), e.get("output")),
    "budget": _budget,
    "restart": _restart,
    "dashboard": lambda e, n: Dashboard(n.node(e["node"]) if e.get("node") else ""),
}
