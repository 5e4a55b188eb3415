from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.simulating.small import (
    button,
    codes,
    commands,
    lamp,
    node,
    press,
    ran,
    rests_on,
    rule_of,
    says,
    sensor,
    sets,
)

BELOW = {"dtype": "int", "operator": "<", "v1": 20}
INSIDE = {"dtype": "int", "operator": "include", "v1": [1, 2]}
UP = {"scope": "global", "id": "Vx", "varType": "number", "operator": ">=", "v1": 0, "preload": False}


@pytest.mark.parametrize(
    ("props", "before", "reported", "options", "pulses"),
    [
        (BELOW, 25, [19, 18, 21, 5], {}, [1000, 4000]),
        (BELOW, 25, [20, 25], {}, []),
        (BELOW, 10, [9], {}, [0]),
        (BELOW | {"preload": False}, 10, [9, 8], {}, [1000]),
        (BELOW | {"preload": False}, 10, [9, 25, 8], {"state_without_preload": "read_cache"}, [3000]),
        (BELOW, None, [9], {}, [1000]),
        (BELOW, 25, [19, 19, 18], {"device_rereport_pulses": True}, [1000, 2000]),
        (INSIDE, 0, [1, 2, 0, 2], {}, [1000, 4000]),
        (INSIDE, 0, [1, 2, 2], {"include_inner_change_pulses": True}, [1000, 2000]),
        ({"dtype": "string", "operator": "=", "v1": "a"}, "b", ["a", "a ", "a"], {}, [1000, 3000]),
        ({"dtype": "boolean", "operator": "=", "v1": False}, True, [True, False], {}, [2000]),
        ({"dtype": "int", "operator": "~", "v1": 1}, 0, [1], {}, []),
    ],
)
def test_a_property_pulses_when_its_condition_becomes_true(
    props: dict[str, Any], before: Any, reported: list[Any], options: dict[str, Any], pulses: list[int]
) -> None:
    lines = [says(1000 * number, value) for number, value in enumerate(reported, 1)]
    state = {} if before is None else {"sensor": {"2.1": before}}
    result = ran(rule_of(sensor("in", "out.trigger", **props), lamp()), *lines, state=state, options=options)
    assert [at for at, _ in commands(result)] == pulses


def test_a_report_that_changes_nothing_is_explained() -> None:
    result = ran(rule_of(sensor("in", "out.trigger"), lamp()), says(1, True), says(2, True))
    assert "already_true" in codes(result)


@pytest.mark.parametrize(
    ("arguments", "line", "pulses"),
    [
        ([], press(1000), [1000]),
        ([], press(1000, p1=7), [1000]),
        ([], press(1000, key=2), []),
        ([{"piid": 1, "dtype": "int"}], press(1000, p1=7), [1000]),
        ([{"piid": 1, "dtype": "int", "operator": "=", "v1": 7}], press(1000, p1=7), [1000]),
        ([{"piid": 1, "dtype": "int", "operator": "=", "v1": 7}], press(1000, p1=8), []),
        ([{"piid": 1, "dtype": "int", "operator": "=", "v1": 7}], press(1000), []),
        (
            [{"piid": p, "dtype": "int", "operator": ">", "v1": 5} for p in (1, 2)],
            press(1000, p1=9, p2=4),
            [],
        ),
    ],
)
def test_an_event_pulses_when_all_its_arguments_match(
    arguments: list[dict[str, Any]], line: dict[str, Any], pulses: list[int]
) -> None:
    source = node(
        "in", "deviceInput", {"did": "remote", "siid": 3, "eiid": 1, "arguments": arguments}, output="out.trigger"
    )
    assert [at for at, _ in commands(ran(rule_of(source, lamp()), line))] == pulses


@pytest.mark.parametrize(
    ("urn", "options", "pulses"),
    [
        ("", {}, [1000, 1300, 1600]),
        ("urn:miot-spec-v2:device:remote-control:0000A021:x:1", {}, [1000, 2000, 3000]),
        ("urn:miot-spec-v2:device:remote-control:0000A021:x:1", {"event_queue_interval_ms": 0}, [1000, 1300, 1600]),
        ("", {"event_queue_interval_ms": 500}, [1000, 1500, 2000]),
    ],
)
def test_clicks_of_a_remote_are_worked_off_one_a_second(urn: str, options: dict[str, Any], pulses: list[int]) -> None:
    rule = rule_of(button("in", 1, "out.trigger", urn=urn), lamp())
    result = ran(rule, *(press(at) for at in (1000, 1300, 1600)), until_ms=9000, options=options)
    assert [at for at, _ in commands(result)] == pulses


@pytest.mark.parametrize(
    ("preload", "before", "written", "pulses"),
    [
        (False, -1, [111, 0, -5, 3], [1000, 4000]),
        (True, 5, [6], [0]),
        (True, -1, [1], [1000]),
        (True, None, [1], []),
    ],
)
def test_a_variable_pulses_when_its_condition_becomes_true(
    *, preload: bool, before: Any, written: list[int], pulses: list[int]
) -> None:
    source = node("in", "varChange", UP | {"preload": preload}, output="out.trigger")
    lines = [sets(1000 * number, "Vx", value) for number, value in enumerate(written, 1)]
    result = ran(rule_of(source, lamp()), *lines, variables={} if before is None else {"global.Vx": before})
    assert [at for at, _ in commands(result)] == pulses
    assert ("variable_missing" in codes(result)) is (before is None)


@pytest.mark.parametrize(
    ("reported", "stored", "pulses"),
    [
        ([21.5, 21.5], 21.5, 2),
        ([True], 1, 1),
        ([False], 0, 1),
        (["text"], 9, 0),
    ],
)
def test_every_report_is_stored_before_the_pulse(reported: list[Any], stored: float, pulses: int) -> None:
    props = {"did": "sensor", "siid": 2, "piid": 1, "dtype": "number", "scope": "global", "id": "Vx"}
    rule = rule_of(node("in", "deviceInputSetVar", props, output="out.trigger"), lamp())
    result = ran(rule, *(says(1000 + n, value) for n, value in enumerate(reported)), variables={"global.Vx": 9})
    assert (list(result.variables.values()), result.fired.get("in", 0)) == ([stored], pulses)


def test_arguments_of_an_event_are_stored_together_or_not_at_all() -> None:
    arguments = [{"piid": p, "dtype": "number", "scope": "global", "id": f"V{p}"} for p in (1, 2)]
    props = {"did": "remote", "siid": 3, "eiid": 1, "arguments": arguments}
    rule = rule_of(node("in", "deviceInputSetVar", props, output="out.trigger"), lamp())
    variables = {"global.V1": 0, "global.V2": 0}
    good = ran(rule, press(1, p1=4, p2=5), variables=variables)
    bad = ran(rule, press(1, p1=4, p2="x"), variables=variables)
    assert (list(good.variables.values()), good.fired) == ([4, 5], {"in": 1, "out": 1})
    assert (list(bad.variables.values()), bad.fired) == ([0, 0], {})


def at(hour: int, minute: int = 0, second: int = 0) -> dict[str, int]:
    return {"hour": hour, "minute": minute, "second": second}


def test_an_alarm_rings_by_the_wall_clock_and_never_catches_up() -> None:
    rule = rule_of(
        node("in", "alarmClock", {"type": "periodicAlarm", **at(8, 30), "filter": {}}, output="out.trigger"), lamp()
    )
    day = 86_400_000
    assert [at for at, _ in commands(ran(rule, until_ms=day * 2))] == [1_800_000, 1_800_000 + day]
    jumped = ran(rule, {"at_ms": 600_000, "clock": "2025-03-03T09:10:00+08:00"}, until_ms=day // 2)
    assert commands(jumped) == []
    off = ran(rule, {"at_ms": 1000, "disable": True}, {"at_ms": 3_600_000, "enable": True}, until_ms=day)
    assert commands(off) == []


def test_an_alarm_that_never_rings_says_so() -> None:
    empty = {"type": "periodicAlarm", **at(8), "filter": {"day": []}}
    result = ran(rule_of(node("in", "alarmClock", empty, output="out.trigger"), lamp()))
    assert "never_rings" in codes(result)


@pytest.mark.parametrize(
    ("options", "pulses"),
    [({}, [(1_800_000, "late")]), ({"timerange_event_on_enable": True}, [(0, "now"), (1_800_000, "late")])],
)
def test_a_window_pulses_at_its_start_only(options: dict[str, Any], pulses: list[tuple[int, str]]) -> None:
    now = node("a", "timeRange", {"start": at(7), "end": at(8, 45), "filter": {}}, output="now.trigger")
    late = node("b", "timeRange", {"start": at(8, 30), "end": at(8, 40), "filter": {}}, output="late.trigger")
    result = ran(rule_of(now, late, lamp("now"), lamp("late")), until_ms=7_200_000, options=options)
    assert commands(result) == pulses
    assert "timerange_event_on_enable" in rests_on(result)


@pytest.mark.parametrize(
    ("start", "clicked"),
    [
        ("2025-03-07T23:00:00+08:00", "yes"),
        ("2025-03-08T02:00:00+08:00", "yes"),
        ("2025-03-07T02:00:00+08:00", "no"),
        ("2025-03-08T23:00:00+08:00", "no"),
    ],
)
def test_after_midnight_the_day_on_which_a_window_began_counts(start: str, clicked: str) -> None:
    friday = {"start": at(22), "end": at(6), "filter": {"day": [5]}}
    rule = rule_of(
        node("night", "timeRange", friday, output="c.condition"),
        button("in", 1, "c.trigger"),
        node("c", "condition", met="yes.trigger", unmet="no.trigger"),
        lamp("yes"),
        lamp("no"),
    )
    result = ran(rule, press(1000), start=start)
    assert commands(result) == [(1000, clicked)]
    assert "timerange_day_owner" in rests_on(result)


def test_setting_the_clock_moves_windows_but_not_timers() -> None:
    rule = rule_of(
        node("in", "timeRange", {"start": at(9), "end": at(10), "filter": {}}, output="hold.input out.trigger"),
        node("hold", "statusLast", {"timeout": 5000}, output="held.trigger"),
        lamp(),
        lamp("held"),
    )
    result = ran(rule, {"at_ms": 1000, "clock": "2025-03-03T09:30:00+08:00"}, until_ms=3_600_000)
    assert commands(result) == [(6000, "held")]


@pytest.mark.parametrize(
    ("enable", "lines", "options", "pulses"),
    [
        (True, [], {}, [0]),
        (True, [], {"onload_on_save": False}, []),
        (False, [], {}, []),
        (False, [{"at_ms": 500, "enable": True}, {"at_ms": 600, "enable": True}], {}, [500]),
        (
            True,
            [{"at_ms": 500, "disable": True}, {"at_ms": 700, "enable": True}],
            {"onload_on_save": False},
            [700],
        ),
    ],
)
def test_the_start_pulses_when_the_rule_is_enabled(
    *, enable: bool, lines: list[dict[str, Any]], options: dict[str, Any], pulses: list[int]
) -> None:
    result = ran(rule_of(node("in", "onLoad", output="out.trigger"), lamp(), enable=enable), *lines, options=options)
    assert [at for at, _ in commands(result)] == pulses
