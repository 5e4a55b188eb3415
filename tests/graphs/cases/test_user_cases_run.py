"""What people ran into with rule graphs (mijia §8), as it shows when a rule runs. Each test bears its number."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.cases.drawn import (
    NUM,
    Card,
    ask,
    at,
    card,
    counted,
    drawn,
    hear,
    reported,
    sent,
    watch,
    write,
)
from tests.graphs.simulating.small import codes, commands, ran, rests_on, sets, values

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.simulating.result import Result
from zhixing.graphs.simulating.script import Property

KEY, OTHER = "remote_single.3.1012", "remote_single.3.1013"
LAMP, DIM, OUTLET = "light.2.1", "light.2.2", "outlet.2.1"
MOTION, LUX, WARMTH = "motion_sensor.2.1", "motion_sensor.2.6", "climate_sensor.2.1"
OUT = write("out", LAMP)
MINUTE, HOUR = 60_000, 3_600_000
VARIABLES = {"global.num": 0}


def pressed(to: str = "output>out.trigger", about: str = KEY) -> Card:
    return hear("key" if about == KEY else "other", to, about)


def changes(to: str, operator: str, v1: float) -> Card:
    return card("change", "varChange", to, **NUM, varType="number", preload=False, operator=operator, v1=v1)


def get(name: str, to: str, v1: float) -> Card:
    return card(name, "varGet", to, **NUM, varType="number", operator="=", v1=v1)


# Number and title of the case, cards, lines, setup, and when which card commands a device.
RUNS: list[tuple[str, list[Card], list[dict[str, Any]], dict[str, Any], list[tuple[int, str]]]] = [
    (
        "case_10 from 111 to 0 a variable stays at least 0",
        [changes("output>out.trigger", ">=", 0), OUT],
        [sets(1, "num", 111), sets(2, "num", 0)],
        {"variables": {"global.num": -1}},
        [(1, "out")],
    ),
    (
        "case_11 a flag that nobody sets back",
        [changes("output>out.trigger", "=", 1), OUT],
        [sets(1, "num", 1), sets(2, "num", 1)],
        {"variables": VARIABLES},
        [(1, "out")],
    ),
    (
        "case_11 a flag that its reader sets back at once",
        [changes("output>back.input", "=", 1), counted("back", "0", "output>out.trigger"), OUT],
        [sets(1, "num", 1), sets(2, "num", 1)],
        {"variables": VARIABLES},
        [(1, "out"), (2, "out")],
    ),
    (
        "case_12 five sensors share a delay of five seconds",
        [
            *(watch(f"s{n}", f"output>any.input{n}", f"motion_sensor.2.{n}", preload=False) for n in range(5)),
            card(
                "any",
                "signalOr",
                "output>wait.input",
                inputs={f"input{n}": None for n in range(5)},
            ),
            card("wait", "delay", "output>out.trigger"),
            OUT,
        ],
        [reported(3000 * n, f"motion_sensor.2.{n}", True) for n in range(5)],
        {"until_ms": MINUTE},
        [(17_000, "out")],
    ),
    (
        "case_14 a register that nobody sets back",
        [pressed("output>once.setTrue"), card("once", "register", "output>out.trigger"), OUT],
        [sent(1, KEY), sent(2000, KEY)],
        {},
        [(1, "out")],
    ),
    (
        "case_18 the state comes half a second after the event",
        [
            pressed("output>when.trigger"),
            watch("state", "output>when.condition", MOTION, preload=True),
            card("when", "condition", "met>out.trigger"),
            OUT,
        ],
        [sent(1000, KEY), reported(1500, MOTION, True)],
        {"state": {"motion_sensor": {"2.1": False}}, "until_ms": MINUTE},
        [],
    ),
    (
        "case_22 a wire that is there twice",
        [pressed("output>out.trigger output>out.trigger"), OUT],
        [sent(1, KEY)],
        {},
        [(1, "out"), (1, "out")],
    ),
    (
        "case_23 an event where a state belongs",
        [
            card("eight", "alarmClock", "output>last.input", hour=8, minute=1),
            card("last", "statusLast", "output>out.trigger"),
            OUT,
        ],
        [],
        {"until_ms": HOUR},
        [],
    ),
    (
        "case_37 nobody moves, by a delay",
        [
            watch("still", "output>wait.input", MOTION, v1=False),
            card("wait", "delay", "output>out.trigger", timeout=2 * MINUTE),
            OUT,
        ],
        [reported(0, MOTION, True), reported(10_000, MOTION, False), reported(100_000, MOTION, True)],
        {"until_ms": 10 * MINUTE},
        [(130_000, "out")],
    ),
    (
        "case_37 nobody moves, by a state that lasts",
        [
            watch("still", "output>last.input", MOTION, v1=False),
            card("last", "statusLast", "output>out.trigger", timeout=2 * MINUTE),
            OUT,
        ],
        [reported(0, MOTION, True), reported(10_000, MOTION, False), reported(100_000, MOTION, True)],
        {"until_ms": 10 * MINUTE},
        [],
    ),
    (
        "case_39 a time range does nothing at its end",
        [card("night", "timeRange", "output>out.trigger", start=at(22), end=at(6), filter={}), OUT],
        [],
        {"until_ms": 24 * HOUR},
        [(14 * HOUR, "out")],
    ),
    (
        "case_39 an alarm rings where the range ends",
        [card("six", "alarmClock", "output>out.trigger", hour=6, minute=0), OUT],
        [],
        {"until_ms": 24 * HOUR},
        [(22 * HOUR, "out")],
    ),
    (
        "case_43 four clicks within a second",
        [pressed(), OUT],
        [sent(250 * n, KEY) for n in range(4)],
        {"until_ms": MINUTE},
        [(0, "out"), (1000, "out"), (2000, "out"), (3000, "out")],
    ),
]


@pytest.mark.parametrize(("cards", "lines", "setup", "done"), [pytest.param(*each[1:], id=each[0]) for each in RUNS])
def test_the_case_runs_as_people_met_it(
    cards: list[Card], lines: list[dict[str, Any]], setup: dict[str, Any], done: list[tuple[int, str]]
) -> None:
    assert commands(ran(drawn(*cards), *lines, **setup)) == done


def test_case_10_the_report_that_changed_nothing_is_explained() -> None:
    given = drawn(changes("output>out.trigger", ">=", 0), OUT)
    result = ran(given, sets(1, "num", 111), sets(2, "num", 0), variables={"global.num": -1})
    assert [(each.node, each.at_ms) for each in result.diagnostics if each.code == "already_true"] == [("change", 2)]


@pytest.mark.parametrize(("clicks", "wanted"), [(1, []), (2, []), (3, ["out"]), (4, [])])
def test_case_13_clicks_are_counted_though_they_are_worked_off_one_a_second(clicks: int, wanted: list[str]) -> None:
    given = drawn(
        pressed("output>add.input output>wait.input"),
        counted("add", "# + 1", ""),
        card("wait", "delay", "output>three.input output>clear.input", timeout=1100),
        get("three", "output>out.trigger", 3),
        counted("clear", "0"),
        OUT,
    )
    result = ran(given, *(sent(300 * n, KEY) for n in range(clicks)), variables=VARIABLES, until_ms=MINUTE)
    assert ([name for _, name in commands(result)], result.fired["add"]) == (wanted, clicks)
    assert result.variables[Variable("global", "num")] == 0


@pytest.mark.parametrize(("after_s", "reads"), [(1, "dim"), (13, "bright")])
def test_case_15_what_was_just_written_is_not_yet_read(after_s: int, reads: str) -> None:
    given = drawn(
        pressed("output>set.trigger"),
        write("set", DIM, 80, "output>wait.input"),
        card("wait", "delay", "output>get.input", timeout=1000 * after_s),
        ask("get", "output>bright.trigger output2>dim.trigger", DIM, ">", 30),
        write("bright", LAMP),
        write("dim", LAMP, False),
    )
    result = ran(
        given,
        sent(0, KEY),
        state={"light": {"2.2": 10}},
        options={"property_staleness_ms": 12_000},
        until_ms=MINUTE,
    )
    assert commands(result)[-1] == (1000 * after_s, reads)
    assert ("stale_read" in codes(result)) is (reads == "dim")


@pytest.mark.parametrize(
    ("formula", "minutes"),
    [("floor((now() - #) / 60000)", 0), ("max(1, floor((now() - # + 2000) / 60000))", 1)],
)
def test_case_16_a_minute_by_the_hubs_clock_may_be_none(formula: str, minutes: int) -> None:
    given = drawn(
        pressed("output>begin.input"),
        counted("begin", "now()"),
        pressed("output>end.input", OTHER),
        counted("end", formula),
    )
    result = ran(given, sent(0, KEY), sent(59_700, OTHER), variables=VARIABLES)
    assert result.variables[Variable("global", "num")] == minutes


def test_case_17_a_loop_that_still_runs_is_listed_with_its_next_round() -> None:
    given = drawn(pressed("output>round.start"), card("round", "loop", "output>out.trigger", interval=7000), OUT)
    result = ran(given, sent(0, KEY), until_ms=10 * MINUTE)
    assert [(each.node, each.kind, each.due_ms) for each in result.active] == [("round", "loop", 602_000)]


def mirrors(*, ask_first: bool, preload: bool = False) -> list[Card]:
    """Draw a lamp and an outlet that copy each other: eight cards, twelve when each asks before it writes."""
    cards = []
    for name, source, end in (("a", LAMP, OUTLET), ("b", OUTLET, LAMP)):
        for value in (True, False):
            key = f"{name}{value}"
            first = f"ask{key}.input" if ask_first else f"to{key}.trigger"
            cards.append(watch(key, f"output>{first}", source, v1=value, preload=preload))
            if ask_first:
                cards.append(ask(f"ask{key}", f"output2>to{key}.trigger", end, v1=value))
            cards.append(write(f"to{key}", end, value))
    return cards


SLOW = {"suppress_self_echo": False, "property_staleness_ms": 300}


@pytest.mark.parametrize(("ask_first", "still_at_it"), [(False, True), (True, False)])
def test_case_19_mirrors_oscillate_unless_they_ask_first(*, ask_first: bool, still_at_it: bool) -> None:
    given = drawn(*mirrors(ask_first=ask_first))
    state = {"light": {"2.1": False}, "outlet": {"2.1": False}}
    lines = [reported(0, LAMP, True), reported(100, LAMP, False)]
    result = ran(given, *lines, state=state, options=SLOW, until_ms=MINUTE)
    assert bool([at_ms for at_ms, _ in commands(result) if at_ms > MINUTE // 2]) is still_at_it


def test_case_19_mirrors_that_hear_each_other_at_once_end_in_a_storm() -> None:
    given = drawn(*mirrors(ask_first=False))
    result = ran(given, reported(0, LAMP, True), reported(0, LAMP, False), options={"suppress_self_echo": False})
    assert "event_storm" in codes(result)


FAN = "air_conditioner.3.2"


@pytest.mark.parametrize(
    ("cards", "written"),
    [
        (
            [
                pressed("output>modes.input"),
                card("modes", "modeSwitch", "output0>low.trigger output1>high.trigger"),
            ],
            [1, 2],
        ),
        (
            [pressed("output>get.input"), ask("get", "output>high.trigger output2>low.trigger", FAN, "include", [1])],
            [1, 1],
        ),
    ],
    ids=["a cursor", "a query"],
)
def test_case_20_a_cursor_drifts_when_the_app_changes_the_device(cards: list[Card], written: list[int]) -> None:
    given = drawn(*cards, write("low", FAN, 1), write("high", FAN, 2))
    lines = [sent(0, KEY), reported(5000, FAN, 2), sent(9000, KEY)]
    assert values(ran(given, *lines, state={"air_conditioner": {"3.2": 0}})) == written


@pytest.mark.parametrize(
    ("options", "pressed_again", "done"),
    [
        ({}, False, [(0, "out"), (HOUR, "out")]),
        ({"replayed_events": "drop"}, False, [(0, "out")]),
        ({"replayed_events": "drop"}, True, [(0, "out"), (2 * HOUR, "out")]),
    ],
)
def test_case_30_a_hub_that_comes_back_hears_the_last_press_again(
    options: dict[str, Any], done: list[tuple[int, str]], *, pressed_again: bool
) -> None:
    """Only the option drops it; what is pressed after that is a press."""
    lines = [sent(0, KEY), {"at_ms": HOUR, "reconnect": "remote_single"}, {"at_ms": HOUR, "reconnect": "motion_sensor"}]
    result = ran(drawn(pressed(), OUT), *lines, *([sent(2 * HOUR, KEY)] if pressed_again else []), options=options)
    assert commands(result) == done
    assert rests_on(result) == {"replayed_events"}


def test_case_31_a_rule_that_looks_again_makes_up_for_a_lost_event() -> None:
    """The seventh of ten times that motion ends, its event is lost."""
    again = [
        card("round", "loop", "output>look.input", interval=30_000),
        card("on", "onLoad", "output>round.start"),
        ask("look", "output2>off2.trigger", MOTION),
        write("off2", LAMP, False),
    ]
    off = [hear("still", "output>off.trigger", "motion_sensor.2.2"), write("off", LAMP, False)]
    light = [watch("moves", "output>out.trigger", MOTION), OUT]
    lines = []
    for n in range(7):
        begin, end = n * 4 * MINUTE, n * 4 * MINUTE + MINUTE
        lost = n == 6
        lines += [
            reported(begin, MOTION, True),
            reported(end, MOTION, False),
            *([] if lost else [sent(end, "motion_sensor.2.2")]),
        ]
    lamp = Property("light", 2, 1)
    until = 7 * 4 * MINUTE
    assert ran(drawn(*light, *off), *lines, until_ms=until).devices[lamp] is True
    assert ran(drawn(*light, *off, *again), *lines, until_ms=until).devices[lamp] is False


def lit_by_itself(dark_below: float, bright_above: float) -> Result:
    """Run a lamp by the light in the room, 30 lux without it and 120 with it."""
    given = drawn(
        watch("dark", "output>out.trigger", LUX, "<", dark_below),
        watch("bright", "output>off.trigger", LUX, ">", bright_above),
        OUT,
        write("off", LAMP, False),
    )
    lines: list[dict[str, Any]] = [reported(0, LUX, 30.0)]
    for _ in range(5):
        on = ran(given, *lines).devices.get(Property("light", 2, 1), False)
        lines.append(reported(1000 * len(lines), LUX, 120.0 if on else 30.0))
    return ran(given, *lines)


@pytest.mark.parametrize(("below", "above", "most"), [(50.0, 50.0, 6), (50.0, 200.0, 1)])
def test_case_32_a_lamp_seen_by_its_own_sensor_needs_two_thresholds(below: float, above: float, most: int) -> None:
    assert len(lit_by_itself(below, above).outputs) == most


@pytest.mark.parametrize(("on_above", "off_below", "most"), [(26.0, 26.0, 60), (26.5, 25.5, 2)])
def test_case_33_a_thermostat_hunts_unless_its_thresholds_are_apart(
    on_above: float, off_below: float, most: int
) -> None:
    cooler = "air_conditioner.2.1"
    given = drawn(
        watch("warm", "output>out.trigger", WARMTH, ">", on_above),
        watch("cool", "output>off.trigger", WARMTH, "<", off_below),
        write("out", cooler),
        write("off", cooler, False),
    )
    warmth = [26.8, *(26.1 if n % 2 else 25.9 for n in range(58)), 25.4]
    result = ran(given, *(reported(MINUTE * n, WARMTH, value) for n, value in enumerate(warmth)))
    assert len(result.outputs) == most


@pytest.mark.parametrize(("guard", "times"), [(False, 5), (True, 1)])
def test_case_38_what_is_polled_pulses_every_round_unless_it_is_guarded(*, guard: bool, times: int) -> None:
    """A water dispenser sends no event; it holds water hot from the second minute to the sixth."""
    to = "output>few.input output2>few.zero" if guard else "output>out.trigger"
    given = drawn(
        card("begin", "onLoad", "output>round.start"),
        card("round", "loop", "output>look.input", interval=MINUTE),
        ask("look", to, OUTLET),
        *([card("few", "onlyNTimes", "output>out.trigger", n=1)] if guard else []),
        OUT,
    )
    lines = [reported(0, OUTLET, False), reported(90_000, OUTLET, True), reported(390_000, OUTLET, False)]
    assert len(commands(ran(given, *lines, until_ms=10 * MINUTE))) == times


def test_case_42_mirrors_that_look_when_enabled_swap_what_differs() -> None:
    state = {"light": {"2.1": True}, "outlet": {"2.1": False}}
    result = ran(drawn(*mirrors(ask_first=False, preload=True)), state=state)
    assert commands(result) == [(0, "toaTrue"), (0, "tobFalse")]
    assert (result.devices[Property("light", 2, 1)], result.devices[Property("outlet", 2, 1)]) == (False, True)
