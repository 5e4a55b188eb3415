"""Runs an event script through the decider, without a network, and says what is to be seen (`goal replay`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from zhixing.goals.loop.deciding import decide
from zhixing.goals.loop.effects import Effect, Kind
from zhixing.goals.loop.events import Attach
from zhixing.goals.loop.model import Graph, Node
from zhixing.goals.loop.outputs import flat
from zhixing.goals.loop.replies import Reply
from zhixing.goals.loop.scripts import MOST_EVENTS, Entry, Names, read_event
from zhixing.kernel.errors import BadInput, TooLarge

_SEEN_AS_OUTSTANDING = {Kind.PLAN.value, Kind.SEARCH.value, Kind.DELIVER.value, Kind.BID.value}
_KINDS = {kind.value for kind in Kind}


def replayed(script: Entry) -> dict[str, Any]:
    """Return what a script leads to: `{id, replies, observed, after}`; `after` for the events that carry `then`.

    Raises `BadInput` for what is no script, `TooLarge` for one with too many events.
    """
    events = script.get("events")
    if not isinstance(events, list) or not all(isinstance(each, Mapping) for each in events):
        raise BadInput("goal_script_events")
    if len(events) > MOST_EVENTS:
        raise TooLarge("goal_script_long", limit=MOST_EVENTS)
    config = script.get("config")
    run = Replay(str(script.get("task_id") or "g"), config if isinstance(config, Mapping) else {})
    replies, after = [], {}
    for number, entry in enumerate(events):
        replies.append(run.step(_meant(entry, events[:number])).status)
        if "then" in entry:
            after[str(number)] = run.observed()
    return {"id": script.get("id"), "replies": replies, "observed": run.observed(), "after": after}


def _meant(entry: Entry, before: list[Entry]) -> Entry:
    """Return the event that is meant: a repeated report is the earlier one, sent when the repeat is."""
    if entry.get("ev") != "duplicate_report":
        return entry
    of = entry.get("of")
    if not isinstance(of, int) or not 0 <= of < len(before):
        raise BadInput("goal_script_repeat")
    again = {key: value for key, value in before[of].items() if key != "at"}
    return {**again, **({"at": entry["at"]} if "at" in entry else {})}


class Replay:
    """A script under way: the state, the time, the names, and which effects were asked for."""

    def __init__(self, task_id: str, config: Entry) -> None:
        self.task_id = task_id
        self.config = config
        self.state: Graph | None = None
        self.now = 0
        self.ids: dict[str, str] = {}
        self.calls: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        self.attached = 0

    def step(self, entry: Entry) -> Reply:
        """Let one event happen."""
        at = entry.get("at")
        if isinstance(at, int | float) and not isinstance(at, bool):
            self.now = max(self.now, int(at * 1000))
        event = read_event(entry, self.config, self._names())
        if isinstance(event, Reply):
            return event
        decision = decide(self.state, event, self.now)
        self.state = decision.state
        for effect in decision.effects:
            self._count(effect)
        if isinstance(event, Attach) and decision.reply.status == 200:
            self.attached += 1
            self.ids[str(entry.get("as"))] = str(decision.reply.data["node_id"])
        return decision.reply

    def _names(self) -> Names:
        awaited = () if self.state is None else self.state.head.awaited
        planning = next((each.subject for each in awaited if each.kind == Kind.PLAN.value), "")
        return Names(self.task_id, self.ids, f"bbs-{self.attached + 1:08x}", planning)

    def _count(self, effect: Effect) -> None:
        if effect.name in _KINDS:
            self.calls[effect.name][effect.subject].add(effect.attempt)

    def observed(self) -> dict[str, Any]:
        """Return what is to be seen by now."""
        calls = {kind: {self._shown(s): len(n) for s, n in per.items()} for kind, per in self.calls.items()}
        if self.state is None:
            return {"graph": None, "nodes": {}, "calls": calls}
        head = self.state.head
        nodes = {self._shown(node.id): node for node in self.state.nodes.values()}
        waiting = [each for each in head.awaited if each.kind in _SEEN_AS_OUTSTANDING]
        return {
            "graph": head.status.value,
            "graph_hung_reason": None if head.hung_reason is None else head.hung_reason.value,
            "nodes": {name: node.status.value for name, node in nodes.items()},
            "hung": {n: node.run.hung_reason.value for n, node in nodes.items() if node.run.hung_reason is not None},
            "bbs": {"mode": head.relay.mode, "owner": head.relay.owner, "relay_count": head.relay.count},
            "loop_round": head.loop_round,
            "retries": {name: node.run.retries for name, node in nodes.items()},
            "calls": calls,
            "outstanding": sorted(f"{each.kind}:{self._shown(each.subject)}" for each in waiting),
            "output": {name: flat(node.run.output) for name, node in nodes.items() if node.run.output},
            "superseded": [name for name, node in nodes.items() if node.run.superseded],
            "late": sum(node.run.late_count for node in nodes.values()),
            **_runs(nodes),
        }

    def _shown(self, node_id: str) -> str:
        return next((name for name, each in reversed(self.ids.items()) if each == node_id), node_id)


def _runs(nodes: Mapping[str, Node]) -> dict[str, Any]:
    started = {name: node.run.first_start for name, node in nodes.items() if node.run.first_start is not None}
    accepted = {name: node.run.acceptance for name, node in nodes.items() if node.run.acceptance is not None}
    return {
        "run_mode": {name: _mode(node) for name, node in nodes.items()},
        "assignee": {name: node.run.assignee for name, node in nodes.items()},
        "first_start": {name: at // 1000 if at % 1000 == 0 else at / 1000 for name, at in started.items()},
        "gaps": {name: list(each.gaps) for name, each in accepted.items()},
    }


def _mode(node: Node) -> str | None:
    return None if node.run.run_mode is None else node.run.run_mode.value
