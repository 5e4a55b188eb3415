"""What a source, query or filter asks of a value (mijia §1.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt, ne

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
_SCALAR = (str, bool, int, float)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A comparison as it stands in a node; one that makes no sense is never true."""

    operator: str
    v1: Json
    v2: Json
    boolean: bool
    """Whether 1 and 0 are the truth values of what is compared."""
    among: frozenset[object] = frozenset()
    """Of `=` and `include`: what is equal, as it compares."""

    @classmethod
    def of(cls, props: Members) -> Predicate:
        """Read it from a node's props or from an argument's."""
        kind = props.get("dtype", props.get("varType"))
        operator = props.get("operator")
        v1, boolean = props.get("v1"), kind == _BOOLEAN
        members = v1 if operator == "include" and isinstance(v1, list) else (v1,) if operator == "=" else ()
        among = frozenset(_compared(each, boolean) for each in members if isinstance(each, _SCALAR))
        return cls(operator if isinstance(operator, str) else "", v1, props.get("v2"), boolean, among)

    def holds(self, value: Value) -> bool:
        """Tell whether a value passes; `between` includes both ends."""
        match self.operator:
            case "=" | "include":
                return isinstance(value, _SCALAR) and _compared(value, self.boolean) in self.among
            case "between":
                return _ordered(le, self.v1, value) and _ordered(le, value, self.v2)
            case "!=" if isinstance(value, str | bool):
                return type(value) is type(self.v1) and value != self.v1
            case operator:
                return operator in _ORDERS and _ordered(_ORDERS[operator], value, self.v1)


def _compared(value: Json, boolean: bool) -> tuple[type, Json]:  # noqa: FBT001 - a fact about what is compared
    """Return what is equal for equal values: 1 is 1.0, but true only where truth values are compared."""
    if boolean and is_number(value) and value in {0, 1}:
        value = bool(value)
    return (float if is_number(value) else type(value)), value


def _ordered(order: Callable[[float, float], bool], left: Json, right: Json) -> bool:
    return is_number(left) and is_number(right) and order(left, right)
