"""Commands, queries and variables."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.simulating.small import (
    LAMP,
    button,
    called,
    codes,
    commands,
    lamp,
    node,
    press,
    ran,
    rests_on,
    rule_of,
    says,
    sets,
    values,
)

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.simulating.script import Property

BRIGHT = {"did": LAMP, "siid": 2, "piid": 2}
ASKED = BRIGHT | {"dtype": "int", "operator": ">", "v1": 30}
VX = {"scope": "global", "id": "Vx"}
RANGE = {"dtype": "number", "min": 1, "max": 100, "step": 1}


def done(card: dict[str, Any], *lines: dict[str, Any], **setup: Any) -> Any:
    """Run a card behind a key, with a lamp at each of two outputs."""
    entry = "trigger" if card["type"] == "deviceOutput" else "input"
    rule = rule_of(button("in", 1, f"c.{entry}"), card, lamp("yes"), lamp("no"))
    return ran(rule, *(lines or (press(1000),)), **setup)


@pytest.mark.parametrize(
    ("state", "options", "taken"),
    [
        (55, {}, ["yes"]),
        (30, {}, ["no"]),
        (None, {}, ["no"]),
        (None, {"deviceget_unknown": "none"}, []),
    ],
)
def test_a_query_compares_what_is_known(state: Any, options: dict[str, Any], taken: list[str]) -> None:
    card = node("c", "deviceGet", ASKED, output="yes.trigger", output2="no.trigger")
    result = done(card, state={} if state is None else {LAMP: {"2.2": state}}, options=options)
    assert [name for _, name in commands(result)] == taken
    assert ("value_unknown" in codes(result)) is (state is None)


@pytest.mark.parametrize(
    ("asked_at", "taken"), [(2000, "no"), (13_001, "yes")], ids=["too early", "after the staleness"]
)
def test_a_write_is_readable_after_the_staleness(asked_at: int, taken: str) -> None:
    rule = rule_of(
        button("set", 1, "w.trigger"),
        node("w", "deviceOutput", BRIGHT | {"value": 80}, output=""),
        button("ask", 2, "c.input"),
        node("c", "deviceGet", ASKED, output="yes.trigger", output2="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    lines = [press(1000), press(asked_at, 2)]
    result = ran(rule, *lines, state={LAMP: {"2.2": 10}}, options={"property_staleness_ms": 12_000})
    assert commands(result)[-1] == (asked_at, taken)
    assert ("stale_read" in codes(result)) is (taken == "no")


def test_a_report_overtakes_an_earlier_write() -> None:
    rule = rule_of(
        button("set", 1, "w.trigger"),
        node("w", "deviceOutput", BRIGHT | {"value": 80}, output=""),
        button("ask", 2, "c.input"),
        node("c", "deviceGet", ASKED, output="yes.trigger", output2="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    lines = [press(1000), says(2000, 5, 2, LAMP), press(9000, 2)]
    result = ran(rule, *lines, options={"property_staleness_ms": 4000})
    assert commands(result)[-1] == (9000, "no")
    assert result.devices[Property(LAMP, 2, 2)] == 5


@pytest.mark.parametrize(
    ("asked_at", "taken"),
    [(4999, "no"), (5001, "yes"), (6999, "yes"), (7001, "no")],
    ids=["neither", "the first", "still the first", "the second"],
)
def test_every_write_is_readable_after_its_own_staleness(asked_at: int, taken: str) -> None:
    rule = rule_of(
        button("set", 1, "w.trigger"),
        node("w", "deviceOutput", BRIGHT | {"value": 80}, output=""),
        button("unset", 3, "v.trigger"),
        node("v", "deviceOutput", BRIGHT | {"value": 5}, output=""),
        button("ask", 2, "c.input"),
        node("c", "deviceGet", ASKED, output="yes.trigger", output2="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    lines = [press(1000), press(3000, 3), press(asked_at, 2)]
    result = ran(rule, *lines, state={LAMP: {"2.2": 10}}, options={"property_staleness_ms": 4000})
    assert commands(result)[-1] == (asked_at, taken)


def test_a_write_that_a_report_overtook_stays_overtaken_when_another_is_made() -> None:
    rule = rule_of(
        button("set", 1, "w.trigger"),
        node("w", "deviceOutput", BRIGHT | {"value": 80}, output=""),
        button("ask", 2, "c.input"),
        node("c", "deviceGet", ASKED, output="yes.trigger", output2="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    lines = [press(1000), says(2000, 5, 2, LAMP), press(3000), press(6000, 2), press(7001, 2)]
    result = ran(rule, *lines, options={"property_staleness_ms": 4000})
    assert commands(result)[-2:] == [(6000, "no"), (7001, "yes")]


@pytest.mark.parametrize(("known", "held", "fired"), [(23.4, 23.4, 1), (True, 1, 1), (None, 0, 0), ("x", 0, 0)])
def test_a_query_stores_what_is_known(known: Any, held: float, fired: int) -> None:
    card = node("c", "deviceGetSetVar", BRIGHT | VX | {"dtype": "number"}, output="yes.trigger")
    result = done(card, state={} if known is None else {LAMP: {"2.2": known}}, variables={"global.Vx": 0})
    assert (result.variables[Variable("global", "Vx")], result.fired.get("c", 0)) == (held, fired)


@pytest.mark.parametrize(
    ("held", "props", "policy", "sent"),
    [
        (42, RANGE, "refuse", [42]),
        (150, RANGE, "refuse", []),
        (150, RANGE, "clamp", [100]),
        (150, RANGE, "pass", [150]),
        (2.4, RANGE, "refuse", []),
        (2.4, RANGE, "clamp", [2]),
        (0.3, RANGE | {"min": 0, "max": 1, "step": 0.1}, "refuse", [0.3]),
        (1, {"dtype": "boolean"}, "refuse", [True]),
        (0, {"dtype": "boolean"}, "refuse", [False]),
        ("text", {"dtype": "string"}, "refuse", ["text"]),
        ("text", RANGE, "refuse", []),
        (7, {"dtype": "string"}, "refuse", []),
        (None, RANGE, "pass", []),
    ],
)
def test_a_variable_is_sent_as_its_kind_and_bounds_want(
    held: Any, props: dict[str, Any], policy: str, sent: list[Any]
) -> None:
    card = node("c", "deviceOutput", BRIGHT | VX | props, output="")
    variables = {} if held is None else {"global.Vx": held}
    result = done(card, variables=variables, options={"dynamic_out_of_range": policy})
    assert (values(result), result.fired.get("c", 0)) == (sent, len(sent))


@pytest.mark.parametrize("policy", ["refuse", "clamp", "pass"])
@pytest.mark.parametrize(("held", "decided"), [(150, True), (42, False)])
@pytest.mark.parametrize("of", [{"piid": 2}, {"aiid": 1}])
def test_what_a_value_out_of_range_rests_on_is_noted(
    of: dict[str, int], held: float, decided: object, policy: str
) -> None:
    given = VX | RANGE
    card = {"did": LAMP, "siid": 2, **of} | (given if "piid" in of else {"ins": [{"piid": 1, **given}]})
    result = done(
        node("c", "deviceOutput", card), variables={"global.Vx": held}, options={"dynamic_out_of_range": policy}
    )
    assert ("dynamic_out_of_range" in rests_on(result)) is decided


def test_an_action_takes_its_inputs_in_order() -> None:
    props = {"did": "speaker", "siid": 7, "aiid": 3}
    ins = [{"piid": 2, "value": "hello"}, {"piid": 1, "dtype": "number", **VX}]
    rule = rule_of(
        button("in", 1, "say.trigger"),
        node("say", "deviceOutput", props | {"ins": ins}, output="quiet.trigger"),
        node("quiet", "deviceOutput", props, output=""),
    )
    both = called(ran(rule, press(1), variables={"global.Vx": 5}))
    assert [(each.node, each.aiid, each.values) for each in both] == [("say", 3, ("hello", 5)), ("quiet", 3, ())]
    assert called(ran(rule, press(1))) == []


@pytest.mark.parametrize(
    ("options", "pulses"),
    [({}, [(1000, "w")]), ({"suppress_self_echo": False}, [(1000, "w"), (1000, "heard")])],
)
def test_a_rule_does_not_hear_its_own_writes(options: dict[str, Any], pulses: list[tuple[int, str]]) -> None:
    watch = node(
        "s",
        "deviceInput",
        {"did": LAMP, "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True},
        output="heard.trigger",
    )
    heard = node("heard", "deviceOutput", BRIGHT | {"value": 1}, output="")
    rule = rule_of(button("in", 1, "w.trigger"), lamp("w"), watch, heard)
    assert commands(ran(rule, press(1000), options=options)) == pulses


def test_the_echo_of_a_write_does_not_bring_back_what_a_later_one_replaced() -> None:
    rule = rule_of(
        button("in", 1, "w.trigger v.trigger"),
        node("w", "deviceOutput", BRIGHT | {"value": 80}, output=""),
        node("v", "deviceOutput", BRIGHT | {"value": 5}, output=""),
        node("s", "deviceInput", BRIGHT | {"dtype": "int", "operator": "=", "v1": 80}, output="c.input"),
        node("c", "deviceGet", ASKED, output="yes.trigger", output2="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    assert commands(ran(rule, press(1), options={"suppress_self_echo": False})) == [(1, "w"), (1, "v"), (1, "no")]


@pytest.mark.parametrize(
    ("held", "props", "taken"),
    [
        (5, {"varType": "number", "operator": "between", "v1": 5, "v2": 9}, ["yes"]),
        (4, {"varType": "number", "operator": "between", "v1": 5, "v2": 9}, ["no"]),
        (4, {"varType": "number", "operator": "!=", "v1": 5}, ["yes"]),
        ("a", {"varType": "string", "operator": "=", "v1": "a"}, ["yes"]),
        ("a", {"varType": "number", "operator": ">", "v1": 1}, ["no"]),
        (None, {"varType": "number", "operator": ">", "v1": 1}, []),
    ],
)
def test_a_query_of_a_variable(held: Any, props: dict[str, Any], taken: list[str]) -> None:
    card = node("c", "varGet", VX | props, output="yes.trigger", output2="no.trigger")
    result = done(card, variables={} if held is None else {"global.Vx": held})
    assert [name for _, name in commands(result)] == taken


def text(value: str) -> dict[str, str]:
    return {"type": "const", "value": value}


def variable(name: str) -> dict[str, str]:
    return {"type": "var", "scope": "global", "id": name}


@pytest.mark.parametrize(
    ("kind", "elements", "held", "becomes"),
    [
        ("varSetNumber", [variable("Vx"), text(" + 1")], 12345, 12346),
        ("varSetNumber", [text("$ + 1")], 5, 6),
        ("varSetNumber", [text("hours() * 100 + minutes()")], 0, 800),
        ("varSetNumber", [text("0 / 0")], 5, None),
        ("varSetNumber", [text("1 +")], 5, None),
        ("varSetNumber", [variable("Vnone")], 5, None),
        ("varSetNumber", [text("1")], "text", None),
        ("varSetString", [text("it is "), variable("Vy"), text("°")], "", "it is 21.5°"),
        ("varSetString", [], "old", ""),
        ("varSetString", [variable("Vnone")], "old", None),
        ("varSetString", [text("x")], 5, None),
        ("varSetNumber", "none", 5, None),
    ],
)
def test_a_variable_is_set_or_keeps_its_value(kind: str, elements: Any, held: Any, becomes: Any) -> None:
    card = node("c", kind, VX | {"elements": elements}, output="yes.trigger")
    result = done(card, variables={"global.Vx": held, "global.Vy": 21.5})
    kept = becomes is None
    assert result.variables[Variable("global", "Vx")] == (held if kept else becomes)
    assert result.fired.get("c", 0) == (0 if kept else 1)
    assert bool(codes(result) & {"expression_failed", "variable_kind", "variable_missing"}) is kept


def test_a_variable_that_does_not_exist_cannot_be_set() -> None:
    rule = rule_of(node("in", "varChange", VX | {"varType": "number", "operator": ">", "v1": 0}, output="out.trigger"))
    result = ran(rule, sets(1, "Vx", 5))
    assert (dict(result.variables), "variable_missing" in codes(result)) == ({}, True)


def test_what_an_expression_rests_on_is_noted() -> None:
    card = node("c", "varSetNumber", VX | {"elements": [text("log(2, 8) + $")]}, output="")
    assert rests_on(done(card, variables={"global.Vx": 1})) >= {"log_order", "dollar_means"}


def test_a_watcher_runs_before_the_node_behind_the_one_that_set() -> None:
    rule = rule_of(
        button("in", 1, "set.input"),
        node("set", "varSetNumber", VX | {"elements": [text("1")]}, output="after.trigger"),
        node("w", "varChange", VX | {"varType": "number", "operator": "=", "v1": 1}, output="back.input"),
        node("back", "varSetNumber", VX | {"elements": [text("0")]}, output="seen.trigger"),
        lamp("after"),
        lamp("seen"),
    )
    result = ran(rule, press(1), press(2), variables={"global.Vx": 0})
    assert commands(result) == [(1, "seen"), (1, "after"), (2, "seen"), (2, "after")]
