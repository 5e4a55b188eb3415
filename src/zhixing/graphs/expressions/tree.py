"""What an expression is once it is read. A chain holds all steps of one precedence: only brackets make a tree deep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from zhixing.graphs.expressions.elements import Element, Variable, variables_of

Operator = Literal["+", "-", "*", "/", "%"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is written out."""

    value: float


@dataclass(frozen=True, slots=True)
class Dollar:
    """A `$` in a constant, without a variable element (mijia.md §1.11 "`$` literal issue")."""


@dataclass(frozen=True, slots=True)
class Negated:
    """An odd number of minus signs in front of an operand."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Chain:
    """`first`, then each step from left to right; all operators are of one precedence."""

    first: Node
    rest: tuple[tuple[Operator, Node], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments."""

    name: str
    arguments: tuple[Node, ...]


Node = Number | Variable | Dollar | Negated | Chain | Call


def nodes_of(tree: Node) -> Iterator[Node]:
    """Walk a tree: each node before what it holds, from left to right."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case Negated(operand):
                waiting.append(operand)
            case Chain(first, rest):
                waiting += [*(operand for _, operand in reversed(rest)), first]
            case Call(_, arguments):
                waiting += reversed(arguments)


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that parses. `text` is the joined text, `$` for each variable element."""

    elements: tuple[Element, ...]
    text: str
    tree: Node

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables it reads, each once, in the order of their first use."""
        return variables_of(self.elements)
