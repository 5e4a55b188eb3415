"""Elements of varSetNumber → an expression, by recursive descent (mijia.md §1.11).

    sum      = product { ("+" | "-") product }
    product  = signed { ("*" | "/" | "%") signed }
    signed   = { "+" | "-" } operand
    operand  = number | "$" | [name] "(" [ sum { "," sum } ] ")"

Brackets without a name are a function of exactly one argument. A bare list `1, 2` is refused: the official parser lets
it through and nobody knows what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from zhixing.graphs.expressions.elements import Element
from zhixing.graphs.expressions.faults import Broken, Fault
from zhixing.graphs.expressions.functions import FUNCTIONS
from zhixing.graphs.expressions.tokens import SIGNS, Mark, Name, Operand, Places, Token, joined, shown, tokens_of
from zhixing.graphs.expressions.tree import Call, Chain, Expression, Negated, Node, Operator

_FACTORS = frozenset("*/%")


def expression_of(elements: Sequence[Element]) -> Expression | Fault:
    """Parse the joined text of the elements."""
    try:
        text, places = joined(elements)
        return Expression(tuple(elements), text, _Reader(tokens_of(text, places), text, places).whole())
    except Broken as broken:
        return broken.fault


class _Reader:
    """The place in a list of tokens whose brackets match."""

    def __init__(self, tokens: Sequence[Token], text: str, places: Places) -> None:
        self._tokens = tokens
        self._text = text
        self._places = places
        self._next = 0

    def whole(self) -> Node:
        if not self._tokens:
            raise Broken(Fault("empty"))
        node = self._sum()
        comma = self._position()
        values = 1
        while self._taken(","):
            self._sum()
            values += 1
        if self._next < len(self._tokens):
            raise Broken(self._no_operator())
        if values > 1:
            raise Broken(Fault("not_scalar", {}, comma))
        return node

    def _sum(self) -> Node:
        first = self._product()
        rest: list[tuple[Operator, Node]] = []
        while sign := self._taken(*SIGNS):
            rest.append((cast("Operator", sign), self._product()))
        return Chain(first, tuple(rest)) if rest else first

    def _product(self) -> Node:
        first = self._signed()
        rest: list[tuple[Operator, Node]] = []
        while sign := self._taken(*_FACTORS):
            rest.append((cast("Operator", sign), self._signed()))
        return Chain(first, tuple(rest)) if rest else first

    def _signed(self) -> Node:
        negative = False
        while sign := self._taken(*SIGNS):
            negative ^= sign == "-"
        operand = self._operand()
        return Negated(operand) if negative else operand

    def _operand(self) -> Node:
        token = self._tokens[self._next] if self._next < len(self._tokens) else None
        match token:
            case Operand(leaf):
                self._next += 1
                return leaf
            case Name(name):
                self._next += 2
                return self._call(name, token.position)
            case Mark("("):
                self._next += 1
                return self._call("", token.position)
            case Mark("*") if self._next and self._tokens[self._next - 1] == Mark("*", token.position - 1):
                raise Broken(Fault("power_sign", {}, token.position - 1))
            case _:
                raise Broken(Fault("operand_missing", {}, self._position()))

    def _call(self, name: str, position: int) -> Node:
        """Read the arguments after an opening bracket."""
        arguments: list[Node] = []
        if not self._taken(")"):
            arguments.append(self._sum())
            while self._taken(","):
                arguments.append(self._sum())
            if not self._taken(")"):
                raise Broken(self._no_operator())
        count = len(arguments)
        if not name:
            if count != 1:
                raise Broken(Fault("invalid_arg_count", {"name": "()", "count": count, "needed": 1}, position))
            return arguments[0]
        function = FUNCTIONS.get(name)
        if function is None:
            part = self._shown(position, position + len(name))
            raise Broken(Fault("invalid_function", {"name": part, "known": " ".join(FUNCTIONS)}, position))
        if function.most is None and not count:
            raise Broken(Fault("no_arguments", {"name": name}, position))
        if not function.takes(count):
            raise Broken(
                Fault("invalid_arg_count", {"name": name, "count": count, "needed": function.fewest}, position)
            )
        return Call(name, tuple(arguments))

    def _taken(self, *signs: str) -> str:
        """Step over the next token when it is one of these marks, and say which; empty when it is none."""
        token = self._tokens[self._next] if self._next < len(self._tokens) else None
        if isinstance(token, Mark) and token.sign in signs:
            self._next += 1
            return token.sign
        return ""

    def _position(self) -> int:
        return self._tokens[self._next].position if self._next < len(self._tokens) else len(self._text)

    def _no_operator(self) -> Fault:
        """Say that two operands stand side by side."""
        position = self._tokens[self._next].position
        return Fault("operator_missing", {"part": self._shown(position, len(self._text))}, position)

    def _shown(self, start: int, end: int) -> str:
        return shown(self._text, start, end, self._places)
