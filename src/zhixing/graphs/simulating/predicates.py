"""What a source, query or filter asks of a value (mijia §1.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne

from zhixing.graphs.rule import Json, Members, is_number
from zhixing.graphs.simulating.script import Value

_ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": ge,
    "<=": le,
    ">": gt,
    "<": lt,
    "!=": ne,
}
_BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A comparison as it stands in a node; one that makes no sense is never true."""

    operator: str
    v1: Json
    v2: Json
    boolean: bool
    """Whether 1 and 0 are the truth values of what is compared."""

    @classmethod
    def of(cls, props: Members) -> Predicate:
        """Read it from a node's props or from an argument's."""
        kind = props.get("dtype", props.get("varType"))
        operator = props.get("operator")
        return cls(operator if isinstance(operator, str) else "", props.get("v1"), props.get("v2"), kind == _BOOLEAN)

    def holds(self, value: Value) -> bool:
        """Tell whether a value passes; `between` includes both ends."""
        match self.operator:
            case "=":
                return self._same(value, self.v1)
            case "include":
                return isinstance(self.v1, list) and any(self._same(value, each) for each in self.v1)
            case "between":
                return _ordered(le, self.v1, value) and _ordered(le, value, self.v2)
            case "!=" if isinstance(value, str | bool):
                return type(value) is type(self.v1) and value != self.v1
            case operator:
                return operator in _ORDERS and _ordered(_ORDERS[operator], value, self.v1)

    def _same(self, value: Json, wanted: Json) -> bool:
        if self.boolean:
            value, wanted = _truth(value), _truth(wanted)
        if isinstance(value, bool) or isinstance(wanted, bool):
            return value is wanted
        return (type(value) is type(wanted) and value == wanted) or _ordered(eq, value, wanted)


def _truth(value: Json) -> Json:
    return bool(value) if is_number(value) and value in {0, 1} else value


def _ordered(order: Callable[[float, float], bool], left: Json, right: Json) -> bool:
    return is_number(left) and is_number(right) and order(left, right)
