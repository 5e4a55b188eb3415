"""What a decision wants done. Every effect has a key that carries its attempt: the same key is done once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from zhixing.goals.loop.model import Awaited, Formation, Graph
from zhixing.goals.loop.values import RunMode, TaskType


class Kind(StrEnum):
    """The effects whose answers are awaited."""

    PLAN = "plan"
    SEARCH = "search"
    DELIVER = "deliver"
    START_WORKFLOW = "start_workflow"
    START_YAML = "start_yaml"
    BID = "bid"
    RELAY = "relay_msg"


ASKING = {Kind.PLAN, Kind.SEARCH, Kind.BID}
"""Questions: asking them again changes nothing outside."""
EVERYBODY = "*"
"""The subject of a round of bids."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Something to do for a goal."""

    task_id: str
    subject: str
    attempt: int

    @property
    def name(self) -> str:
        """The kind of the effect."""
        return type(self).__name__.lower()

    @property
    def key(self) -> str:
        """What makes it the same effect when it is asked for again."""
        return f"{self.task_id}/{self.name}:{self.subject}#{self.attempt}"


@dataclass(frozen=True, slots=True)
class Plan(Effect):
    """Ask the owner bot for the gap of the subject. Answers: `PlanResult`."""


@dataclass(frozen=True, slots=True)
class Search(Effect):
    """Ask the owner bot who does the subject. Answers: `SearchResult`."""


@dataclass(frozen=True, slots=True)
class Deliver(Effect):
    """Form the group if there is a formation, and send the subject. Answers: `Delivered`, `DeliverFailed`."""

    run_mode: RunMode = RunMode.SINGLE_BOT
    assignee: str | None = None
    formation: Formation | None = None


@dataclass(frozen=True, slots=True)
class StartExternal(Effect):
    """Start what another system drives. Answers: `Delivered`, `DeliverFailed`, `Report`."""

    task_type: TaskType = TaskType.WORKFLOW

    @property
    def name(self) -> str:
        """As the awaited kind is called."""
        return f"start_{self.task_type.value}"


@dataclass(frozen=True, slots=True)
class Poll(Effect):
    """Collect the result of the subject until there is one. Answers: `Report`."""

    run_mode: RunMode = RunMode.SINGLE_BOT
    assignee: str | None = None
    run_id: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw(Effect):
    """Stop an attempt as well as that can be done. No answer."""

    assignee: str | None = None
    run_id: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class BidRound(Effect):
    """Ask the bots that take relays what they could do of the rest. Answers: `Bids`."""

    @property
    def name(self) -> str:
        """As the awaited kind is called."""
        return Kind.BID.value


@dataclass(frozen=True, slots=True)
class RelayMessage(Effect):
    """Tell the winning bot. Answers: `RelaySent`, `RelaySendFailed`, or what the bot does."""

    @property
    def name(self) -> str:
        """As the awaited kind is called."""
        return Kind.RELAY.value


@dataclass(frozen=True, slots=True)
class Wake(Effect):
    """Send a `Tick` at an instant; a later wish replaces an earlier one. `attempt` is the number of the log entry."""

    at: int = 0


@dataclass(frozen=True, slots=True)
class Tell(Effect):
    """Let people know. `topic` names the text, `subject` the node; `attempt` is the number of the log entry."""

    topic: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """With the topic, for two of them may be about one node."""
        return f"tell-{self.topic}"


def effect_of(graph: Graph, awaited: Awaited) -> Effect:
    """Return the effect whose answer is awaited, as it was asked for."""
    base = (graph.head.info.task_id, awaited.subject, awaited.attempt)
    match Kind(awaited.kind):
        case Kind.PLAN:
            return Plan(*base)
        case Kind.SEARCH:
            return Search(*base)
        case Kind.DELIVER:
            run = graph.nodes[awaited.subject].run
            return Deliver(*base, run.run_mode or RunMode.SINGLE_BOT, run.assignee, run.formation)
        case Kind.START_WORKFLOW | Kind.START_YAML:
            return StartExternal(*base, graph.head.info.task_type)
        case Kind.BID:
            return BidRound(*base)
        case Kind.RELAY:
            return RelayMessage(*base)


def poll_of(graph: Graph, node_id: str) -> Poll:
    """Return the effect that collects the result of a running node."""
    run = graph.nodes[node_id].run
    mode = run.run_mode or RunMode.SINGLE_BOT
    return Poll(graph.head.info.task_id, node_id, run.attempt, mode, run.assignee, run.run_id, run.session_id)
