"""What goals need of the outside: somebody who plans, somebody who delivers, a board of relay bots, who tells people.

Every call has an end of its own, and carries the key of its effect: the other side may use it to do a thing once.
Whatever a call raises is taken as its failure; `NotSent` says more, namely that nothing left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from zhixing.goals.contracts.planning import COMPLETED
from zhixing.goals.contracts.searching import Candidate
from zhixing.goals.loop.limits import NO_SPENDING, Spent
from zhixing.goals.loop.model import Formation, Graph, TaskInfo, TaskSpec
from zhixing.goals.loop.values import RunMode, TaskType
from zhixing.store.connection import Tx


class NotSent(Exception):
    """Raised when it is certain that nothing reached anybody; `reason` is a word for the log of the goal."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt for one bot. `subject` is the node that it is about, `attempt` counts its questions."""

    key: str
    task_id: str
    subject: str
    attempt: int
    bot_id: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What a bot came to: its last words, how its run ended, why it broke, and what it used."""

    content: str
    run_status: str = COMPLETED
    error: str = ""
    spent: Spent = NO_SPENDING


class Planner(Protocol):
    """Reaches the owner bot, and knows whom it may choose from."""

    def ask(self, question: Question) -> Heard:
        """Put a question and wait for its answer; asking again changes nothing outside."""
        ...

    def candidates(self, task_id: str, node_id: str, spec: TaskSpec) -> Sequence[Candidate]:
        """Return the bots that may do a leaf."""
        ...


@dataclass(frozen=True, slots=True)
class Delivery:
    """A leaf on its way, or a goal for the system that drives it (`task_type`, `workflow_id`).

    `text` is what its bot or group is told. With a `formation` the group is formed first; `config` is what the caller
    sent with a goal that another system drives.
    """

    key: str
    task_id: str
    node_id: str
    attempt: int
    text: str
    run_mode: RunMode | None = None
    assignee: str | None = None
    formation: Formation | None = None
    task_type: TaskType = TaskType.DYNAMIC
    workflow_id: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arrived:
    """Where a delivery runs; `group_id` is that of a group formed for it."""

    group_id: str = ""
    run_id: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """An attempt that was delivered, or may have been: task, node and attempt are those of its delivery."""

    key: str
    task_id: str
    node_id: str
    attempt: int
    run_mode: RunMode | None
    assignee: str | None
    run_id: str
    session_id: str


class Deliverer(Protocol):
    """Brings leaves to bots and groups, and their results back."""

    def deliver(self, delivery: Delivery) -> Arrived:
        """Send. Raises `NotSent` when it provably reached nobody; after any other error nobody knows."""
        ...

    def whereabouts(self, delivery: Delivery) -> Arrived | Literal["not_sent", "unknown"]:
        """Say what became of a delivery that was about to leave when the process died; `not_sent` needs proof."""
        ...

    def poll(self, place: Place) -> Heard | None:
        """Return what an attempt came to, None while it is under way."""
        ...

    def withdraw(self, place: Place) -> None:
        """Stop an attempt as well as that can be done."""
        ...


class Board(Protocol):
    """The bots outside that take over what is left of goals."""

    def bids(self, question: Question) -> Sequence[tuple[str, Heard]]:
        """Put a question to every bot that takes relays; return who answered in time, in the order of the roster."""
        ...

    def message(self, question: Question) -> None:
        """Tell a bot that it was chosen. Raises `NotSent` when that provably did not reach it."""
        ...

    def fate(self, question: Question) -> Literal["sent", "not_sent", "unknown"]:
        """Say what became of a message that was about to leave when the process died; `not_sent` needs proof."""
        ...


@dataclass(frozen=True, slots=True)
class News:
    """Something that people should know of a goal; `topic` names the text, `values` are its blanks."""

    key: str
    task_id: str
    node_id: str
    topic: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Teller(Protocol):
    """Lets people know."""

    def tell(self, news: News) -> None:
        """Pass news on; the same key is the same news."""
        ...


class Watcher(Protocol):
    """Sees what becomes of goals, in the transaction of the change; raising undoes the change."""

    def handed_in(self, tx: Tx, info: TaskInfo) -> None:
        """Note a new goal."""
        ...

    def changed(self, tx: Tx, before: Graph, after: Graph) -> None:
        """Note that a goal was changed."""
        ...


class Unwatched:
    """Sees nothing."""

    def handed_in(self, tx: Tx, info: TaskInfo) -> None:
        """Do nothing."""

    def changed(self, tx: Tx, before: Graph, after: Graph) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Ports:
    """All that is outside."""

    planner: Planner
    deliverer: Deliverer
    board: Board
    teller: Teller
