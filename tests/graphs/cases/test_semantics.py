"""Rows of the table of run-time semantics (mijia §1.7) that the tests beside the simulator do not show by themselves.

Each id names the node, then the row. Key 9 of the remote asks a condition what its state is: `yes` or `no` answers.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.simulating.small import button, commands, lamp, node, press, ran, rule_of, says, sensor, sets

from zhixing.graphs.expressions.elements import Variable

HOUR = 3_600_000
ASKED = [
    button("ask", 9, "c.trigger"),
    node("c", "condition", met="yes.trigger", unmet="no.trigger"),
    lamp("yes"),
    lamp("no"),
]
VX = {"scope": "global", "id": "Vx"}
OFF, ON = {"disable": True}, {"enable": True}


def at(hour: int, minute: int = 0) -> dict[str, int]:
    return {"hour": hour, "minute": minute, "second": 0}


def asks(*at_ms: int) -> list[dict[str, Any]]:
    return [press(each, 9) for each in at_ms]


def alarm(**props: Any) -> dict[str, Any]:
    return node("in", "alarmClock", {"type": "periodicAlarm", **at(9), "filter": {}} | props, output="out.trigger")


def window(ends: str) -> dict[str, Any]:
    return node("in", "timeRange", {"start": at(9), "end": at(9, 30), "filter": {}}, output=ends)


def watch(ends: str, **props: Any) -> dict[str, Any]:
    return node("in", "varChange", VX | {"varType": "number", "operator": ">", "v1": 5} | props, output=ends)


def two(kind: str, pins: str, ends: str, props: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Draw a card whose two inputs are keys 1 and 2."""
    first, second = pins.split()
    inputs = {first: None, second: None}
    return [
        button("a", 1, f"x.{first}"),
        button("b", 2, f"x.{second}"),
        node("x", kind, props, inputs=inputs, output=ends),
    ]


ROWS: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]], dict[str, Any], list[tuple[int, str]]]] = [
    (
        "deviceInput property: its state follows every change of its truth",
        [sensor("in", "c.condition", preload=False), *ASKED],
        [says(1000, True), *asks(1500), says(2000, False), *asks(2500)],
        {},
        [(1500, "yes"), (2500, "no")],
    ),
    (
        "deviceInput property: with preload it is true from the start, and pulses once",
        [sensor("in", "c.condition out.trigger"), *ASKED, lamp()],
        [*asks(10), says(20, True)],
        {"state": {"sensor": {"2.1": True}}},
        [(0, "out"), (10, "yes")],
    ),
    (
        "deviceInput property: without preload nothing is known before a report",
        [sensor("in", "c.condition out.trigger", preload=False), *ASKED, lamp()],
        asks(10),
        {"state": {"sensor": {"2.1": True}}},
        [(10, "no")],
    ),
    (
        "deviceInput event: it is no state",
        [button("in", 1, "c.condition"), *ASKED],
        [press(1000), *asks(1000)],
        {},
        [(1000, "no")],
    ),
    (
        "deviceInput include: its state is membership",
        [sensor("in", "c.condition", dtype="int", operator="include", v1=[1, 2]), *ASKED],
        [says(1, 1), says(2, 2), *asks(3), says(4, 3), *asks(5)],
        {},
        [(3, "yes"), (5, "no")],
    ),
    (
        "deviceOutput: it commands first and pulses then, so that a query behind it reads the new value",
        [
            button("in", 1, "out.trigger"),
            lamp(ends="q.input"),
            node(
                "q",
                "deviceGet",
                {"did": "lamp", "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True},
                output="yes.trigger",
                output2="no.trigger",
            ),
            lamp("yes"),
            lamp("no"),
        ],
        [press(1)],
        {"state": {"lamp": {"2.1": False}}},
        [(1, "out"), (1, "yes")],
    ),
    (
        "alarmClock: it rings on the days of its filter only",
        [alarm(filter={"day": [2]}), lamp()],
        [],
        {"until_ms": 72 * HOUR},
        [(25 * HOUR, "out")],
    ),
    (
        "alarmClock: a working day at a weekend is one",
        [alarm(filter={"inHoliday": False}), lamp()],
        [],
        # Sunday 28 September 2025 is worked for the holiday week that begins on Wednesday
        {"start": "2025-09-27T08:00:00+08:00", "until_ms": 24 * 7 * HOUR},
        [(at_h * HOUR, "out") for at_h in (25, 49, 73)],
    ),
    (
        "timeRange: it is true from its start and no longer at its end",
        [window("c.condition"), *ASKED],
        asks(HOUR - 1, HOUR + 1, HOUR + 30 * 60_000 - 1, HOUR + 30 * 60_000 + 1),
        {},
        [(HOUR - 1, "no"), (HOUR + 1, "yes"), (HOUR + 1_799_999, "yes"), (HOUR + 1_800_001, "no")],
    ),
    (
        "timeRange: a rule that is enabled inside has the state and no pulse",
        [window("c.condition out.trigger"), *ASKED, lamp()],
        asks(1000),
        {"start": "2025-03-03T09:10:00+08:00", "until_ms": HOUR},
        [(1000, "yes")],
    ),
    (
        "statusLast: a state that is true at enable lasts from then on",
        [sensor("in", "x.input"), node("x", "statusLast", {"timeout": 5000}, output="out.trigger"), lamp()],
        [],
        {"state": {"sensor": {"2.1": True}}, "until_ms": 60_000},
        [(5000, "out")],
    ),
    (
        "statusLast: it forgets when the rule is disabled",
        [
            sensor("in", "x.input", preload=False),
            node("x", "statusLast", {"timeout": 5000}, output="out.trigger"),
            lamp(),
        ],
        [says(0, True), {"at_ms": 1000} | OFF, {"at_ms": 2000} | ON],
        {"until_ms": 60_000},
        [],
    ),
    (
        "eventSequence: it forgets when the rule is disabled",
        [*two("eventSequence", "input1 input2", "out.trigger", {"timeout": 5000}), lamp()],
        [press(0), {"at_ms": 1000} | OFF, {"at_ms": 2000} | ON, press(3000, 2)],
        {},
        [],
    ),
    (
        "loop: its own output to its own stop ends it after one round",
        [*two("loop", "start stop", "x.stop out.trigger", {"interval": 1000}), lamp()],
        [press(0)],
        {"until_ms": 60_000},
        [(1000, "out")],
    ),
    (
        "loop: a stop at the instant of a round wins",
        [*two("loop", "start stop", "out.trigger", {"interval": 1000}), lamp()],
        [press(0), press(2000, 2)],
        {"until_ms": 60_000},
        [(1000, "out")],
    ),
    (
        "counter: its state is true from the n-th until it is set back",
        [*two("counter", "input zero", "c.condition", {"n": 2}), *ASKED],
        [press(1), *asks(2), press(3), press(4), *asks(5), press(6, 2), *asks(7)],
        {},
        [(2, "no"), (5, "yes"), (7, "no")],
    ),
    (
        "register: its state is what was set last",
        [*two("register", "setTrue setFalse", "c.condition"), *ASKED],
        [*asks(1), press(2), *asks(3), press(4, 2), *asks(5)],
        {},
        [(1, "no"), (3, "yes"), (5, "no")],
    ),
    (
        "register: becoming false is no pulse",
        [*two("register", "setTrue setFalse", "out.trigger"), lamp()],
        [press(1), press(2, 2), press(3, 2)],
        {},
        [(1, "out")],
    ),
    (
        "logicOr: its state follows its inputs both ways",
        [
            sensor("s1", "x.input0"),
            sensor("s2", "x.input1", piid=2),
            node("x", "logicOr", inputs={"input0": None, "input1": None}, output="c.condition"),
            *ASKED,
        ],
        [*asks(1), says(2, True), *asks(3), says(4, False), *asks(5)],
        {},
        [(1, "no"), (3, "yes"), (5, "no")],
    ),
    (
        "logicNot: what is not known is false, so its opposite is true",
        [
            sensor("s1", "x.input", preload=False),
            node("x", "logicNot", inputs={"input": None}, output="c.condition"),
            *ASKED,
        ],
        [*asks(1), says(2, True), *asks(3)],
        {},
        [(1, "yes"), (3, "no")],
    ),
    (
        "varChange: its state follows every change of its truth",
        [watch("c.condition out.trigger"), *ASKED, lamp()],
        [*asks(1), sets(2, "Vx", 6), *asks(3), sets(4, "Vx", 7), sets(5, "Vx", 1), *asks(6)],
        {"variables": {"global.Vx": 0}},
        [(1, "no"), (2, "out"), (3, "yes"), (6, "no")],
    ),
    (
        "varChange: a text that is written again is no pulse",
        [watch("out.trigger", varType="string", operator="=", v1="去睡"), lamp()],
        [sets(1, "Vx", "去睡"), sets(2, "Vx", "去睡"), sets(3, "Vx", "起床"), sets(4, "Vx", "去睡")],
        {"variables": {"global.Vx": ""}},
        [(1, "out"), (4, "out")],
    ),
    (
        "nop: a wire to a note does nothing",
        [
            button("in", 1, "note.input out.trigger"),
            node("note", "nop", inputs={"input": None}, output="out.trigger"),
            lamp(),
        ],
        [press(1)],
        {},
        [(1, "out")],
    ),
]


@pytest.mark.parametrize(("cards", "lines", "setup", "done"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_the_row_holds(
    cards: list[dict[str, Any]], lines: list[dict[str, Any]], setup: dict[str, Any], done: list[tuple[int, str]]
) -> None:
    assert commands(ran(rule_of(*cards), *lines, **setup)) == done


def text(value: str) -> dict[str, str]:
    return {"type": "const", "value": value}


def variable(name: str) -> dict[str, str]:
    return {"type": "var", "scope": "global", "id": name}


STORED = [
    (
        "varSetNumber: the next card sees the new value at once",
        [
            node("x", "varSetNumber", {"scope": "global", "id": "A", "elements": [text("12345")]}, output="y.input"),
            node("y", "varSetNumber", {"scope": "global", "id": "B", "elements": [variable("A"), text("+1")]}),
        ],
        {"A": 12345, "B": 12346},
    ),
    (
        "varSetString: numbers are written short",
        [
            node("x", "varSetNumber", {"scope": "global", "id": "A", "elements": [text("43 / 2")]}, output="y.input"),
            node("y", "varSetNumber", {"scope": "global", "id": "B", "elements": [text("6 / 2")]}, output="z.input"),
            node(
                "z",
                "varSetString",
                {"scope": "global", "id": "T", "elements": [variable("A"), text("℃，"), variable("B")]},
            ),
        ],
        {"A": 21.5, "B": 3, "T": "21.5℃，3"},
    ),
]


@pytest.mark.parametrize(("cards", "held"), [pytest.param(*row[1:], id=row[0]) for row in STORED])
def test_the_row_about_variables_holds(cards: list[dict[str, Any]], held: dict[str, Any]) -> None:
    given = rule_of(button("in", 1, "x.input"), *cards)
    result = ran(given, press(1), variables={"global.A": 0, "global.B": 0, "global.T": ""})
    assert {name: result.variables[Variable("global", name)] for name in held} == held
