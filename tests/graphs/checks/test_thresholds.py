"""A measure that switches a device to and fro at one threshold is found, one with two that lie apart is not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.checks.structure_rules import ID, node, rule

from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.rule import Rule

ON, OFF = "output>on.trigger", "output>off.trigger"


def lux(name: str, to: str, operator: str, v1: Any, **props: Any) -> dict[str, Any]:
    """Draw a source that watches a brightness of whole numbers."""
    asked = {"did": "lux1", "dtype": "int", "operator": operator, "v1": v1}
    return node(name, "deviceInput", to, props=asked | props)


def lamp(name: str, value: Any, **props: Any) -> dict[str, Any]:
    return node(name, "deviceOutput", props={"value": value, **props})


def watched(dark: tuple[Any, ...], bright: tuple[Any, ...], **props: Any) -> Rule:
    """Draw a lamp that is lit when it is dark and put out when it is bright."""
    pair = (("dark", ON, dark), ("bright", OFF, bright))
    sources = [
        lux(name, to, operator, v1, **props, **({"v2": more[0]} if more else {}))
        for name, to, (operator, v1, *more) in pair
    ]
    return rule(*sources, lamp("on", True), lamp("off", False))


def hints(given: Rule) -> list[str]:
    return [each.node for each in check_structure(given) if each.code == "no_hysteresis"]


FLOAT = {"dtype": "float"}


@pytest.mark.parametrize(
    ("dark", "bright", "props", "told"),
    [
        (("<", 50), (">", 50), {}, True),
        (("<", 50), (">=", 50), {}, True),
        (("<=", 50), (">=", 51), {}, True),
        (("<=", 50), (">=", 52), {}, True),
        (("<", 60), (">", 40), {}, True),
        (("between", 0, 49), (">=", 50), {}, True),
        (("<", 26.0), (">", 26.0), FLOAT, True),
        (("<", 50), (">", 51), {}, False),
        (("<=", 50), (">=", 53), {}, False),
        (("<", 50), (">", 200), {}, False),
        (("between", 0, 49), ("between", 100, 200), {}, False),
        (("<", 25.5), (">", 26.5), FLOAT, False),
        (("<", 25.9), (">", 26.0), FLOAT, False),
        (("=", 50), ("!=", 50), {}, False),
        (("<", "50"), (">", "50"), {}, False),
        (("<", None), (">", None), {}, False),
        (("between", 0, None), (">", 0), {}, False),
    ],
)
def test_two_thresholds_want_a_gap(
    dark: tuple[Any, ...], bright: tuple[Any, ...], props: dict[str, Any], *, told: bool
) -> None:
    assert hints(watched(dark, bright, **props)) == (["dark"] if told else [])


def test_the_hint_names_both_thresholds_and_what_to_do() -> None:
    (found,) = (each for each in check_structure(watched(("<", 50), (">=", 50))) if each.code == "no_hysteresis")
    said = found.text()
    assert all(part in said for part in ("dark", "< 50", "bright", ">= 50", "隔开"))
    assert (found.level.value, "apart" in found.text("en")) == ("info", True)


DARK, BRIGHT = lux("dark", ON, "<", 50), lux("bright", OFF, ">", 50)
LAMPS = (lamp("on", True), lamp("off", False))
NIGHT = node("night", "timeRange", "output>when.condition output>then.condition")


def when(name: str, end: str) -> dict[str, Any]:
    return node(name, "condition", f"met>{end}.trigger")


@pytest.mark.parametrize(
    "cards",
    [
        [DARK, BRIGHT, *LAMPS],
        [BRIGHT, DARK, *LAMPS],
        [
            lux("dark", "output>or.input0", "<", 50),
            node("or", "signalOr", ON),
            BRIGHT,
            *LAMPS,
        ],
        [lux("dark", "output>when.trigger", "<", 50), NIGHT, when("when", "on"), BRIGHT, *LAMPS],
        [DARK, BRIGHT, lamp("on", 80, piid=2), lamp("off", 20, piid=2)],
    ],
    ids=["at once", "the other first", "through an or", "one of them asks", "two brightnesses"],
)
def test_opposite_commands_are_found_on_their_ways(cards: list[dict[str, Any]]) -> None:
    assert hints(rule(*cards)) == ["dark"]


@pytest.mark.parametrize(
    "cards",
    [
        [DARK, BRIGHT, lamp("on", True), lamp("off", True)],
        [DARK, BRIGHT, lamp("on", True), lamp("off", False, did="lamp9")],
        [DARK, BRIGHT, lamp("on", True), lamp("off", False, piid=2)],
        [DARK, lux("bright", OFF, ">", 50, did="lux2"), *LAMPS],
        [DARK, lux("bright", OFF, ">", 50, piid=2), *LAMPS],
        [DARK, lux("bright", OFF, "<", 50), *LAMPS],
        [DARK, lux("bright", "output>wait.input", ">", 50), node("wait", "delay", OFF), *LAMPS],
        [DARK, lux("bright", "output>last.input", ">", 50), node("last", "statusLast", OFF), *LAMPS],
        [
            lux("dark", "output>when.trigger", "<", 50),
            lux("bright", "output>then.trigger", ">", 50),
            NIGHT,
            when("when", "on"),
            when("then", "off"),
            *LAMPS,
        ],
        [DARK, BRIGHT, lamp("on", ...), lamp("off", ...)],
    ],
    ids=[
        "the same command",
        "another lamp",
        "another property of it",
        "another sensor",
        "another measure of it",
        "the same side",
        "after a delay",
        "after it lasted",
        "both ask something",
        "no literal values",
    ],
)
def test_what_does_not_answer_itself_is_left_alone(cards: list[dict[str, Any]]) -> None:
    assert hints(rule(*cards)) == []


def test_thousands_of_thresholds_are_looked_through_or_given_up() -> None:
    many = [lux(f"dark{n}", "output>any.input0", "<", 50) for n in range(3_000)]
    given = rule(*many, node("any", "signalOr", ON), lamp("on", True), lux("bright", ON, "<", 40), id=ID)
    assert hints(given) == []
