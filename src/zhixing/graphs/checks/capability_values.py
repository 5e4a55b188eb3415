"""Values in a card held against a property: literals that are written, and operands that are compared (§3.4, §3.6)."""

from __future__ import annotations

import operator as comparing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from zhixing.graphs.catalogue import operators
from zhixing.graphs.checks.capability_words import allowed, kind_of, listed, named, quoted
from zhixing.graphs.checks.devices import Card
from zhixing.graphs.checks.finding import Finding, Fix, Level
from zhixing.graphs.rule import Json, Members
from zhixing.graphs.specs.model import Dtype, Format, Property
from zhixing.graphs.specs.ranges import exact, plain, safe

MOST_INCLUDED = 1_024
"""Elements of one `include` that are looked at."""

Way = tuple[str, ...]
"""Where in a node something stands, as in a `Fix`."""
PROPS: Way = ("props",)

Said = dict[str, Any]
"""What a message tells, by the names in its template."""

_MISSING = object()
_ORDERS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    ">=": comparing.ge,
    "<=": comparing.le,
    ">": comparing.gt,
    "<": comparing.lt,
    "=": comparing.eq,
    "!=": comparing.ne,
}


@dataclass(frozen=True, slots=True)
class Codes:
    """What findings about values are called in one place."""

    type: str
    type_of_listed: str
    """For a property that has a value-list."""
    listed: str
    range: str
    between: str = ""
    order: str = ""


LITERAL = Codes("action_input_type", "action_input_type", "action_input_enum", "action_input_range")
"""Values that are written to a property or given to an action."""
OPERAND = Codes("value_type", "enum_value", "enum_value", "range_value", "range_between", "range_order")
"""Operands a property is compared with."""
ARGUMENT = Codes(
    "event_argument_filter_type",
    "event_argument_filter_type",
    "event_argument_filter_list",
    "event_argument_filter_range",
    "event_argument_filter_between",
    "event_argument_filter_order",
)
"""Operands an argument of an event is compared with."""


def check_range(card: Card, prop: Property) -> Iterator[Finding]:
    """Tell of a value-range that says nothing; its values are then not held against it."""
    if prop.range is not None and prop.range.broken:
        yield card.finding("spec_range_invalid", Level.WARN, property=named(prop))


def check_value(card: Card, prop: Property, value: Json, codes: Codes) -> Iterator[Finding]:
    """Check one value of a property: its type, its value-list, else its range and step."""
    if prop.format is Format.OTHER:
        return
    more: Said = {}
    if not safe(value):
        code = "unsafe_integer"
    elif not prop.fits_type(value):
        code = codes.type_of_listed if prop.choices else codes.type
        more = {"format": kind_of(prop), "choices": listed(prop.choices)}
    elif prop.choices and prop.format is not Format.BOOL:
        if prop.listed(value) is not None:
            return
        code, more = codes.listed, {"choices": listed(prop.choices)}
    elif prop.range is not None and prop.format.numeric and not (prop.in_range(value) and prop.on_step(value)):
        code, more = codes.range, {"allowed": allowed(prop.range)}
    else:
        return
    yield card.finding(code, property=named(prop), value=quoted(value), **more)


def check_literal(card: Card, prop: Property, value: Json, where: Way) -> Iterator[Finding]:
    """Check a value that is written. The gateway was seen to take 0 and 1 for a bool (§3.5)."""
    if prop.format is Format.BOOL and exact(value) in {0, 1}:
        meant = exact(value) == 1
        said: Said = {"property": named(prop), "value": quoted(value), "meant": quoted(meant)}
        yield card.finding("literal_number_for_bool", Level.WARN, (Fix((*where, "value"), meant),), **said)
        return
    yield from check_value(card, prop, value, LITERAL)


def check_operands(card: Card, prop: Property, given: Members, codes: Codes) -> Iterator[Finding]:
    """Check v1, and v2 of a range, by the operator; what is not there at all is left to the structural checks."""
    chosen = given.get("operator")
    first = given.get("v1", _MISSING)
    if chosen == "include" and isinstance(first, list):
        if not first:
            yield card.finding("include_empty", property=named(prop))
        for each in _distinct(first[:MOST_INCLUDED]):
            yield from check_value(card, prop, each, codes)
        return
    if first is not _MISSING:
        yield from check_value(card, prop, first, codes)
    if chosen != "between":
        return
    second = given.get("v2")
    if second is None:
        yield card.finding(codes.between, property=named(prop))
        return
    yield from check_value(card, prop, second, codes)
    low, high = exact(first), exact(second)
    if low is not None and high is not None and low > high:
        yield card.finding(codes.order, property=named(prop), low=quoted(first), high=quoted(second))


def _distinct(values: list[Json]) -> Iterator[Json]:
    """Give each plain value once: a list may name one entry thousands of times."""
    seen = set()
    for each in values:
        if isinstance(each, dict | list):
            yield each
        elif (key := (type(each), each)) not in seen:
            seen.add(key)
            yield each


def check_dtype(
    card: Card, prop: Property, given: Json, expected: Dtype | None, code: str, *, where: Way = PROPS
) -> Iterator[Finding]:
    """Check the dtype of a comparison or a variable slot (§3.3)."""
    if expected is None or given == expected.value:
        return
    said: Said = {"property": named(prop), "dtype": quoted(given), "expected": expected.value, "format": kind_of(prop)}
    yield card.finding(code, fixes=(Fix((*where, "dtype"), expected.value),), **said)


def check_comparison(card: Card, prop: Property, given: Members) -> Iterator[Finding]:
    """Check what a property is compared with. The editor knows lists of numbers by `include` only (X6)."""
    yield from check_dtype(card, prop, given.get("dtype"), prop.comparison_dtype, "dtype_mismatch")
    first = given.get("v1")
    listing = given.get("operator") == "include" and isinstance(first, list)
    if listing or not prop.choices or not prop.format.numeric:
        yield from check_operands(card, prop, given, OPERAND)
    else:
        yield _enum_filter(card, prop, given)
        if given.get("operator") == "=" and exact(first) is not None:
            yield from check_value(card, prop, first, OPERAND)


def check_argument(card: Card, prop: Property, given: Members, where: Way) -> Iterator[Finding]:
    """Check the filter on one argument of an event; without an operator it lets everything pass (§1.4)."""
    expected = prop.comparison_dtype
    if "dtype" in given:
        yield from check_dtype(card, prop, given["dtype"], expected, "event_argument_filter_dtype", where=where)
    chosen = given.get("operator")
    if chosen is None or expected is None:
        return
    known = operators("device", expected.value)
    if not isinstance(chosen, str) or chosen not in known:
        yield card.finding(
            "event_argument_filter_operator",
            property=named(prop),
            operator=quoted(chosen),
            allowed=" ".join(known),
        )
        return
    yield from check_operands(card, prop, given, ARGUMENT)


def _enum_filter(card: Card, prop: Property, given: Members) -> Finding:
    """Say it with `include`: the same entries of the list, where there are any."""
    chosen, first = given.get("operator"), given.get("v1")
    meant = [plain(each) for each in map(exact, _meant(prop, chosen, first, given.get("v2"))) if each is not None]
    fixes = (Fix((*PROPS, "operator"), "include"), Fix((*PROPS, "v1"), meant)) if meant else ()
    return card.finding(
        "enum_filter",
        fixes=fixes,
        property=named(prop),
        operator=quoted(chosen),
        value=quoted(first),
        choices=listed(prop.choices),
    )


def _meant(prop: Property, chosen: Json, first: Json, second: Json) -> list[object]:
    """Return the entries of a value-list that a comparison lets pass."""
    values = [each.value for each in prop.choices]
    if isinstance(first, list):
        return [each for each in first[:MOST_INCLUDED] if prop.listed(each)] if chosen == "=" else []
    low, high = exact(first), exact(second)
    if low is None or not isinstance(chosen, str):
        return []
    if chosen == "between":
        return [each for each in values if high is not None and low <= (exact(each) or 0) <= high]
    order = _ORDERS.get(chosen, comparing.eq if chosen == "include" else None)
    return [each for each in values if order is not None and (at := exact(each)) is not None and order(at, low)]
