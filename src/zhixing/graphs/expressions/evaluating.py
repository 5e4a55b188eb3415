"""What an expression gives now (mijia.md §1.7 varSetNumber, §1.11).

Numbers are doubles all the way, as on the gateway; only what comes out is checked, so `min(100, 1 / 0)` is 100. A
result that is NaN or infinite is refused ("NaN result: keep old + error"; JSON cannot store an infinite one either),
and so is a variable that does not exist or holds a text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import add, mul, sub
from typing import Protocol

from zhixing.graphs.expressions.arithmetic import divided, double, number_text, remainder, settled
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.expressions.faults import Broken, Fault
from zhixing.graphs.expressions.functions import FUNCTIONS, Chance, ExpressionOptions, Moment
from zhixing.graphs.expressions.tree import Call, Chain, Dollar, Expression, Negated, Node, Number, Operator, nodes_of

_OPERATIONS: Mapping[Operator, Callable[[float, float], float]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": divided,
    "%": remainder,
}


DEFAULTS = ExpressionOptions()
_UNPROVEN = {"log": "log_order", "randint": "randint_upper"}


class Variables(Protocol):
    """Where values of variables are looked up; a `dict[Variable, float | str]` is one."""

    def get(self, variable: Variable, /) -> float | str | None:
        """Return the value, or None when there is no such variable."""
        ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an expression is worked out with.

    `now` is the hub's wall clock, aware and in its zone; `target` is the variable that is set, for a bare `$`.
    """

    variables: Variables
    now: datetime
    chance: Chance
    target: Variable | None = None
    options: ExpressionOptions = DEFAULTS


def evaluate(expression: Expression, surroundings: Surroundings) -> float | Fault:
    """Work it out. A whole number comes out as `int` (up to 2^53), anything else as `float`."""
    moment = Moment(surroundings.now, surroundings.chance, surroundings.options)
    try:
        value = _Reckoning(surroundings, moment).value(expression.tree)
    except Broken as broken:
        return broken.fault
    if not math.isfinite(value):
        return Fault("math_error", {"result": number_text(value)})
    return settled(value)


def unproven_in(expression: Expression) -> tuple[str, ...]:
    """Return the options its result rests on, by name: nobody proved what the gateway does there."""
    names = (
        "dollar_means" if isinstance(node, Dollar) else _UNPROVEN.get(node.name) if isinstance(node, Call) else None
        for node in nodes_of(expression.tree)
    )
    return tuple(sorted({name for name in names if name}))


@dataclass(frozen=True, slots=True)
class _Reckoning:
    surroundings: Surroundings
    moment: Moment

    def value(self, node: Node) -> float:
        match node:
            case Number(value):
                return value
            case Variable():
                return self._variable(node)
            case Dollar():
                return self._dollar()
            case Negated(operand):
                return -self.value(operand)
            case Chain(first, rest):
                value = self.value(first)
                for sign, operand in rest:
                    value = _OPERATIONS[sign](value, self.value(operand))
                return value
            case Call(name, arguments):
                return double(FUNCTIONS[name].body([self.value(each) for each in arguments], self.moment))

    def _variable(self, variable: Variable) -> float:
        value = self.surroundings.variables.get(variable)
        if value is None:
            raise Broken(Fault("variable_missing", {"variable": variable.key}))
        if isinstance(value, str):
            raise Broken(Fault("variable_not_number", {"variable": variable.key}))
        return double(value)

    def _dollar(self) -> float:
        target = self.surroundings.target
        if target is None or self.surroundings.options.dollar_means == "refused":
            raise Broken(Fault("dollar_unknown"))
        return self._variable(target)
