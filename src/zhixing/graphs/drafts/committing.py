"""The port behind a commit: what checks a rule, lays it out and makes it on the hub. And its twin, a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from zhixing.graphs.checks.finding import Finding, Verdict
from zhixing.graphs.hubs.new_variables import NewVariable
from zhixing.graphs.rule import Node
from zhixing.kernel.errors import ZhixingError


@dataclass(frozen=True, slots=True)
class Created:
    """The rule is on the hub, as it was asked for; made now, or found there from an earlier try."""

    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """The rule has errors. The hub was looked at, and the rule is not there."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Failed:
    """It could not be made. The hub was looked at, and the rule is not there, or not any more."""

    error: ZhixingError


@dataclass(frozen=True, slots=True)
class Unreached:
    """The hub could not be asked: this call wrote nothing, and what an earlier one may have left was not seen."""

    error: ZhixingError


@dataclass(frozen=True, slots=True)
class Taken:
    """Another rule has this id; nothing was written."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody can tell what is on the hub, such as after a write without an answer."""

    error: ZhixingError | None = None


Outcome = Created | Rejected | Failed | Unreached | Taken | Unknown


class Committing(Protocol):
    """Makes a rule: structure and capability checked, laid out, created, in one call (mijia §4.3, §4.4)."""

    def commit(
        self, rule_id: str, name: str, nodes: Sequence[Node], variables: Sequence[NewVariable], *, enable: bool
    ) -> Outcome:
        """Make the rule `rule_id`. Called outside of transactions, and has to end within `model.LEASE`.

        Called again with the same id and content after an unknown outcome or a crash, it takes what it finds of itself
        on the hub for its own. The scope `rule` stands in nodes and variables for the scope of the rule to be. What it
        raises counts as an unknown outcome.
        """
        ...


@dataclass(frozen=True, slots=True)
class Order:
    """What a commit was asked for."""

    rule_id: str
    name: str
    nodes: tuple[Node, ...]
    variables: tuple[NewVariable, ...]
    enable: bool


class FunctionCommitting:
    """A port whose outcomes are those of `answer(order)`; `asked` holds every order."""

    def __init__(self, answer: Callable[[Order], Outcome] = lambda _order: Created()) -> None:
        self.answer = answer
        self.asked: list[Order] = []

    def commit(
        self, rule_id: str, name: str, nodes: Sequence[Node], variables: Sequence[NewVariable], *, enable: bool
    ) -> Outcome:
        """Answer as the function says."""
        order = Order(rule_id, name, tuple(nodes), tuple(variables), enable)
        self.asked.append(order)
        return self.answer(order)
