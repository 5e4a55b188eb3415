"""One decision while it is being made: the graph as it is so far, and what it has led to.

A board lives for one call of `decide` and is the only thing that is changed in place; what comes out is a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from zhixing.goals.loop.effects import Effect, Kind, Tell, effect_of
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Awaited, Graph, Head, Node, Relation
from zhixing.goals.loop.values import NodeStatus, may_move

_ABOUT_NODES = frozenset(Kind) - {Kind.BID, Kind.RELAY}
_ANSWERED = frozenset(kind.value for kind in Kind)


class IllegalTransition(Exception):
    """A node was to go where it may not: a mistake in this program, never something that was sent."""


@dataclass(frozen=True, slots=True)
class Action:
    """One line of the action log of a node (§2.4); `seq` counts per node, from 1."""

    node_id: str
    seq: int
    ts: int
    action: str
    loop_round: int
    attempt: int
    status_from: NodeStatus
    status_to: NodeStatus
    payload: dict[str, Any] = field(default_factory=dict)


class Board:
    """A graph under change."""

    def __init__(self, graph: Graph, now: int) -> None:
        self.head: Head = graph.head
        self.nodes: dict[str, Node] = dict(graph.nodes)
        self.now = now
        self.effects: list[Effect] = []
        self.actions: list[Action] = []

    @property
    def graph(self) -> Graph:
        """The graph as it is so far; it changes with the board."""
        return Graph(self.head, self.nodes)

    @property
    def limits(self) -> Limits:
        """The limits of the goal."""
        return self.head.info.limits

    @property
    def root_id(self) -> str:
        """The id of the root, which is that of the task."""
        return self.head.info.task_id

    def change_head(self, **members: Any) -> None:
        """Change members of the head."""
        self.head = replace(self.head, **members)

    def change_relay(self, **members: Any) -> None:
        """Change members of the relay."""
        self.head = replace(self.head, relay=replace(self.head.relay, **members))

    def change(self, node_id: str, **members: Any) -> Node:
        """Change what is known of a run; the state stays."""
        node = self.nodes[node_id]
        self.nodes[node_id] = replace(node, run=replace(node.run, **members))
        return self.nodes[node_id]

    def move(self, node_id: str, status: NodeStatus, action: str, **members: Any) -> None:
        """Put a node into another state and write that down. Raises `IllegalTransition`."""
        node = self.nodes[node_id]
        if not may_move(node.status, status):
            raise IllegalTransition(f"{node_id}: {node.status} -> {status}")
        self.nodes[node_id] = replace(node, status=status, run=replace(node.run, **members))
        self.note(node_id, action, before=node.status)

    def note(
        self,
        node_id: str,
        action: str,
        payload: Mapping[str, Any] | None = None,
        *,
        before: NodeStatus | None = None,
    ) -> None:
        """Write a line into the action log of a node."""
        node = self.change(node_id, actions=self.nodes[node_id].run.actions + 1)
        run, status = node.run, node.status
        said = dict(payload or {})
        if run.hung_reason is not None and status is NodeStatus.HUNG:
            said["hung_reason"] = run.hung_reason.value
        line = Action(
            node_id, run.actions, self.now, action, self.head.loop_round, run.attempt, before or status, status, said
        )
        self.actions.append(line)

    def add(self, parent: str, node: Node) -> None:
        """Hang a new node under its parent."""
        self.nodes[node.id] = node
        self.change_head(relations=(*self.head.relations, Relation(parent, node.id)))

    def emit(self, effect: Effect) -> None:
        """Want something done that has no answer, or whose answer may come at any time."""
        self.effects.append(effect)

    def tell(self, topic: str, node_id: str = "", **values: Any) -> None:
        """Let people know."""
        subject = node_id or self.root_id
        self.emit(Tell(self.root_id, subject, self.head.seq + 1, topic, values))

    def ask(self, kind: Kind, subject: str, attempt: int) -> None:
        """Want something done and await its answer, in place of an earlier attempt."""
        self.drop(subject, kind)
        awaited = Awaited(kind.value, subject, attempt)
        self.change_head(awaited=(*self.head.awaited, awaited))
        self.effects.append(effect_of(self.graph, awaited))

    def awaits(self, kind: Kind, subject: str | None = None) -> Awaited | None:
        """Return what is awaited of a kind, for a subject or for any."""
        return next((a for a in self.head.awaited if a.kind == kind.value and subject in {None, a.subject}), None)

    def answered(self, kind: Kind, subject: str, attempt: int | None) -> bool:
        """Take an answer: whether it was awaited."""
        awaited = self.awaits(kind, subject)
        if awaited is None or attempt not in {None, awaited.attempt}:
            return False
        self.drop(subject, kind)
        return True

    def drop(self, subject: str, *kinds: Kind) -> None:
        """Await nothing more about a subject, of these kinds or of any that is about a node.

        What is asked of relay bots has other subjects, and a planner may call its nodes what it likes.
        """
        names = {kind.value for kind in kinds or _ABOUT_NODES}
        kept = tuple(a for a in self.head.awaited if not (a.subject == subject and a.kind in names))
        if len(kept) != len(self.head.awaited):
            self.change_head(awaited=kept)

    def wanted_effects(self) -> tuple[Effect, ...]:
        """Return the effects, without those whose answer is not awaited any more, each key once."""
        awaited = {(each.kind, each.subject, each.attempt) for each in self.head.awaited}
        found = {
            each.key: each
            for each in self.effects
            if each.name not in _ANSWERED or (each.name, each.subject, each.attempt) in awaited
        }
        return tuple(found.values())
