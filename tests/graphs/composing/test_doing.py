"""What composed rules do on the simulated hub, against scripts that were written by hand."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from tests.graphs.composing.homes import HERE, flat, house, outcome

from zhixing.graphs.composing.composing import Composed
from zhixing.graphs.simulating.reading import read_script
from zhixing.graphs.simulating.result import Written
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.specs.home import Home

MINUTE = 60_000
MORNING = "2026-12-01T08:00:00+08:00"
"""A Tuesday."""


def said(at_ms: int, did: str, siid: int, piid: int, value: Any) -> dict[str, Any]:
    return {"at_ms": at_ms, "event": {"did": did, "siid": siid, "piid": piid, "value": value}}


def sent(at_ms: int, did: str, siid: int, eiid: int) -> dict[str, Any]:
    return {"at_ms": at_ms, "event": {"did": did, "siid": siid, "eiid": eiid, "arguments": []}}


def ran(
    text: str,
    *lines: dict[str, Any],
    until_ms: int = 0,
    start: str = MORNING,
    state: Any = None,
    home: Home | None = None,
) -> list[tuple[int, str, Any]]:
    """Give when which device was told what; actions with their first input."""
    composed = outcome(text, home or flat(), place=HERE)
    assert isinstance(composed, Composed), composed
    variables = {each.variable.key: each.initial for each in composed.variables}
    last = max([until_ms, *(each["at_ms"] for each in lines)])
    setup = {"start": start, "until_ms": last, "variables": variables, "state": state or {}}
    script = read_script("\n".join(map(json.dumps, [{"setup": setup}, *lines])), datetime(2026, 12, 1, tzinfo=UTC))
    return [
        (each.at_ms, each.property.did, each.value)
        if isinstance(each, Written)
        else (each.at_ms, each.did, each.values[0] if each.values else "")
        for each in simulate(composed.rule, script).outputs
    ]


def warm(at_ms: int, value: float) -> dict[str, Any]:
    return said(at_ms, "climate", 2, 1, value)


def moved(at_ms: int, value: bool, did: str = "motion1") -> dict[str, Any]:  # noqa: FBT001 - what a sensor says
    return said(at_ms, did, 2, 1, value)


def door(at_ms: int, *, closed: bool) -> dict[str, Any]:
    return said(at_ms, "door", 2, 5, closed)


def test_two_limits_leave_a_gap_between_them():
    text = "客厅温度高于28度就打开空调，低于24度关掉"
    told = ran(text, warm(1000, 25.0), warm(2000, 28.5), warm(3000, 26.0), warm(4000, 23.5))
    assert told == [(2000, "ac", True), (4000, "ac", False)]


def test_somebody_who_comes_back_in_time_keeps_the_light_on():
    text = "玄关有人移动就开玄关灯，2分钟没人就关"
    lines = [moved(0, True), moved(MINUTE, False), moved(2 * MINUTE, True), moved(3 * MINUTE, False)]
    assert ran(text, *lines, until_ms=6 * MINUTE) == [
        (0, "lamp5", True),
        (2 * MINUTE, "lamp5", True),
        (5 * MINUTE, "lamp5", False),
    ]


def test_a_sensor_that_only_sees_movement_waits_from_the_last_one():
    text = "玄关有人移动就开玄关灯，2分钟没人就关"
    seen = [{"at_ms": at, "event": {"did": "h11", "siid": 2, "eiid": 1, "arguments": []}} for at in (0, MINUTE)]
    told = ran(text, *seen, until_ms=4 * MINUTE, home=house())
    assert told == [(0, "h22", True), (MINUTE, "h22", True), (3 * MINUTE, "h22", False)]


def test_a_window_over_midnight_is_open_on_both_sides_of_it():
    text = "晚上10点到早上6点玄关有人就开灯，亮度30%"
    late, noon = "2026-12-01T23:00:00+08:00", "2026-12-01T12:00:00+08:00"
    assert ran(text, moved(0, True), start=late) == [(0, "lamp5", True), (0, "lamp5", 30)]
    assert ran(text, moved(0, True), start="2026-12-02T05:00:00+08:00") == [(0, "lamp5", True), (0, "lamp5", 30)]
    assert ran(text, moved(0, True), start=noon) == []


def test_a_press_finds_the_light_on_or_off():
    text = "有人按按钮就开灯，如果灯已经开着就关掉"
    press = sent(0, "remote", 3, 1012)
    assert ran(text, press, state={"lamp3": {"2.1": True}}) == [(0, "lamp3", False)]
    assert ran(text, press, state={"lamp3": {"2.1": False}}) == [(0, "lamp3", True)]


def test_a_door_that_is_shut_in_time_is_not_told_of():
    text = "入户门打开超过5分钟就用音箱说门没关"
    assert ran(text, door(0, closed=False), door(4 * MINUTE, closed=True), until_ms=9 * MINUTE) == []
    assert ran(text, door(0, closed=False), until_ms=9 * MINUTE) == [(5 * MINUTE, "speaker", "门没关")]


def test_a_reminder_goes_on_until_the_door_is_shut():
    text = "门开着时每隔1分钟提醒一次，直到关门"
    told = ran(text, door(0, closed=False), door(3 * MINUTE + 1, closed=True), until_ms=9 * MINUTE)
    assert told == [(at * MINUTE, "speaker", "门开着") for at in (1, 2, 3)]


def test_a_reminder_with_a_number_ends_by_itself():
    text = "入户门开着超过10分钟，每隔5分钟提醒一次，最多3次"
    told = ran(text, door(0, closed=False), until_ms=60 * MINUTE)
    assert [at // MINUTE for at, _, _ in told] == [10, 15, 20]


def test_working_days_are_monday_to_friday():
    text = "工作日早上7点和晚上7点开客厅灯"
    friday = ran(text, until_ms=3 * 24 * 60 * MINUTE, start="2026-12-04T00:00:00+08:00")
    assert [at // (60 * MINUTE) for at, _, _ in friday] == [7, 19]


def test_one_that_follows_does_not_change_the_other():
    text = "客厅灯开了阳台灯也开，关了也关"
    lines = [said(0, "lamp1", 2, 1, True), said(1000, "lamp2", 2, 1, False), said(2000, "lamp1", 2, 1, False)]
    assert ran(text, *lines, state={"lamp1": {"2.1": False}}) == [(0, "lamp2", True), (2000, "lamp2", False)]


def test_two_that_go_together_do_not_swing():
    told = ran(
        "客厅灯和阳台灯同步",
        said(0, "lamp1", 2, 1, True),
        said(1000, "lamp2", 2, 1, True),
        state={"lamp1": {"2.1": False}, "lamp2": {"2.1": False}},
        until_ms=60_000,
    )
    assert told == [(0, "lamp2", True)]


def test_two_of_three_sensors_are_enough():
    text = "三个传感器里至少两个有人就打开客厅灯"
    nobody = {did: {"2.1": False} for did in ("motion1", "motion2", "motion3")}
    assert ran(text, moved(1000, True, "motion1"), state=nobody) == []
    lines = [moved(1000, True, "motion1"), moved(2000, True, "motion3")]
    assert ran(text, *lines, state=nobody) == [(2000, "lamp1", True)]


def test_of_two_states_either_may_come_last():
    text = "客厅有人且玄关没人就关玄关灯"
    first = ran(text, moved(0, True, "motion3"), state={"motion1": {"2.1": False}})
    second = ran(text, moved(0, False, "motion1"), state={"motion1": {"2.1": True}, "motion3": {"2.1": True}})
    assert first == second == [(0, "lamp5", False)]


def test_everybody_must_be_gone_for_the_whole_time():
    text = "客厅和卧室都没人超过30分钟就关空调"
    gone = [moved(0, False, "motion3"), moved(10 * MINUTE, False, "motion2")]
    there = {"motion3": {"2.1": True}, "motion2": {"2.1": True}}
    assert ran(text, *gone, until_ms=60 * MINUTE, state=there) == [(40 * MINUTE, "ac", False)]


def test_enabling_a_rule_switches_nothing():
    state = {"climate": {"2.1": 30.0}, "motion1": {"2.1": True}, "lamp1": {"2.1": True}}
    for text in ("客厅温度高于28度就打开空调", "玄关有人就开玄关灯", "客厅灯开了阳台灯也开"):
        assert ran(text, state=state, until_ms=1000) == []


def test_a_lamp_that_is_turned_off_by_hand_stays_off():
    text = "客厅有人但是灯没开就开客厅灯"
    lit = {"lamp1": {"2.1": True}, "motion3": {"2.1": True}}
    assert ran(text, said(1000, "lamp1", 2, 1, False), state=lit) == []
    assert ran(text, moved(0, True, "motion3"), state={"lamp1": {"2.1": False}}) == [(0, "lamp1", True)]
    assert ran(text, moved(0, True, "motion3"), state={"lamp1": {"2.1": True}}) == []


def test_the_days_of_the_first_time_are_those_of_the_second():
    told = ran("工作日7点开客厅灯，9点关掉", until_ms=3 * 24 * 60 * MINUTE, start="2026-12-04T00:00:00+08:00")
    assert [at // (60 * MINUTE) for at, _, _ in told] == [7, 9]
