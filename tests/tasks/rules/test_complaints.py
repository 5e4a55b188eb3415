"""What people complain of in comparable systems (rule_complaints.md), by the number it has there.

Each runs over both databases, and again with a restart before every step.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from tests.tasks.rules.conftest import SAY, SHANGHAI, START, House, at, frames, plan, seconds, verdict

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import micros
from zhixing.tasks.journal import Kind
from zhixing.tasks.rules.machine import quiet_at
from zhixing.tasks.rules.model import Limit, QuietSpan

LATER = 10_000


DOOR = {"query": "门开着", "sources": ("door",)}


def door(text: str, **rest) -> list:
    return frames(text, query="门开着", source="door", **rest)


def test_case_1_a_restart_keeps_the_original_deadline(steady_house: House):
    house = steady_house
    house.add(**DOOR, duration=15)
    house.play(door("F T", every=1))
    house.pass_until(at(6))
    house.restart()
    house.play(door("T", first=8), 30)
    assert house.said == ["r1 enter 16"]
    assert house.fired[0].late == 0.0


def test_case_1_a_deadline_that_passed_during_a_short_absence_is_met_late_and_says_so(steady_house: House):
    house = steady_house
    house.add(**DOOR, duration=15)
    house.play(door("F T", every=1))
    house.clock.advance(timedelta(seconds=59))
    house.restart()
    house.engine.drain()
    assert house.fired == []
    house.take(door("T", first=60))
    house.pass_until(at(61))
    assert [(seconds(each.at), each.late) for each in house.fired] == [("16", 44.0)]


def test_case_1_a_verdict_that_lasts_needs_no_confirmation_after_a_restart(steady_house: House):
    house = steady_house
    house.add(**DOOR, duration=15)
    house.take([verdict("F", 0, "door", "门开着", lasting=True)])
    house.clock.advance(timedelta(seconds=1))
    house.take([verdict("T", 1, "door", "门开着", lasting=True)])
    house.clock.advance(timedelta(hours=2))
    house.restart()
    house.engine.drain()
    assert [seconds(each.at) for each in house.fired] == ["16"]


def test_case_1_what_went_on_during_a_long_absence_counts_anew(steady_house: House):
    house = steady_house
    rule = house.add(**DOOR, duration=900)
    house.play(door("F T T"))
    house.clock.advance(timedelta(seconds=800))
    house.restart()
    house.play(door("T" * 250, first=810), 1810)
    assert house.said == ["r1 enter 1710"]
    assert house.near_misses(rule) == ["outage"]


def test_case_1_what_went_on_during_a_short_absence_goes_on(steady_house: House):
    house = steady_house
    rule = house.add(**DOOR, duration=900)
    house.play(door("F T T"))
    house.clock.advance(timedelta(seconds=500))
    house.restart()
    house.play(door("T" * 110, first=510), 940)
    assert house.said == ["r1 enter 904"]
    assert house.near_misses(rule) == []


def test_case_1_what_ended_during_the_absence_does_not_fire(steady_house: House):
    house = steady_house
    house.add(**DOOR, duration=15)
    house.play(door("F T", every=1))
    house.clock.advance(timedelta(seconds=59))
    house.restart()
    house.play(door("F F T T", first=60), 80)
    assert house.fired == []


def test_case_1_what_began_during_the_absence_is_a_real_edge(steady_house: House):
    house = steady_house
    house.add(**DOOR)
    house.play(door("F F"))
    house.clock.advance(timedelta(hours=2))
    house.restart()
    house.play(door("T", first=7300))
    assert house.said == ["r1 enter 7300"]


def test_case_1_a_pending_exit_keeps_its_instant_and_waits_for_a_first_verdict(steady_house: House):
    house = steady_house
    house.add("state", **DOOR)
    house.play(door("F T F F"))
    house.clock.advance(timedelta(seconds=88))
    house.restart()
    house.engine.drain()
    assert house.said == ["r1 enter 4"]
    house.play(door("F", first=104), 110)
    assert [(str(each.direction), seconds(each.at), each.late) for each in house.fired[1:]] == [("exit", "68", 36.0)]


def test_case_1_a_pending_exit_waits_no_longer_than_a_verdict_stands(steady_house: House):
    house = steady_house
    house.add("state", **DOOR)
    house.play(door("F T F F"))
    house.clock.advance(timedelta(seconds=88))
    house.restart()
    house.pass_until(at(279))
    assert house.said == ["r1 enter 4"]
    house.pass_until(at(281))
    assert house.said == ["r1 enter 4", "r1 exit 68"]


def test_case_1_a_sure_return_after_the_restart_cancels_the_exit(steady_house: House):
    house = steady_house
    house.add("state", **DOOR)
    house.play(door("F T F F"))
    house.clock.advance(timedelta(seconds=88))
    house.restart()
    house.play(door("T T" + "T" * 40, first=104), 260)
    assert house.said == ["r1 enter 4"]


def test_case_4_editing_another_rule_leaves_what_pends_alone(house: House, changed):
    house.add(duration=20, name="甲")
    other = house.add(duration=20, name="乙", query="下雨")
    house.play(frames("F T T"))
    house.do("change", other, changed(other.plan, duration=40))
    house.do("delete", other)
    house.play(frames("T T T T", first=12), 40)
    assert house.said == ["r1 enter 24"]


def test_case_5_editing_an_unrelated_field_keeps_the_deadline(house: House, changed):
    rule = house.add(duration=20)
    house.play(frames("F T T"))
    house.do("change", rule, changed(rule.plan, name="新名字"))
    house.play(frames("T T T T", first=12), 40)
    assert house.said == ["r1 enter 24"]


def test_case_5_editing_the_trigger_tells_that_it_starts_anew(house: House, changed):
    rule = house.add(duration=20)
    house.play(frames("F T T"))
    house.do("change", rule, changed(rule.plan, duration=16))
    house.play(frames("T T T T T", first=12), 40)
    assert house.said == ["r1 enter 24"]
    assert [entry.data["anew"] for entry in house.entries(rule.task_id, Kind.RULE_CHANGED)] == [True]


def test_case_6_disabling_and_enabling_restores_the_deadline(house: House):
    rule = house.add(duration=20)
    house.play(frames("F T T"))
    house.do("disable", rule)
    house.do("enable", rule)
    house.play(frames("T T T T", first=12), 40)
    assert house.said == ["r1 enter 24"]


def test_case_7_what_is_on_already_when_a_rule_is_made(house: House):
    house.add(name="先有的")
    house.play(frames("F T T T"))
    event = house.add(name="事件")
    state = house.add("state", name="状态")
    held = house.add(name="一分钟", duration=60)
    house.play(frames("T" * 20, first=16), 90)
    assert house.said == ["r1 enter 4", f"{state.id} enter 12", f"{held.id} enter 72"]
    assert house.near_misses(event) == ["already_true"]


def test_case_8_on_unavailable_on_is_one_fire(house: House):
    house.add()
    house.play(frames("F T U U T U T"))
    assert house.said == ["r1 enter 4"]


def test_case_9_an_event_that_is_told_again_after_the_router_restarted(house: House):
    house.add(query="按钮", sources=("button",))
    pressed = verdict("T", 4, "button", "按钮", event="2026-10-12T10:00:04#7")
    house.play([pressed, verdict("U", 8, "button", "按钮"), verdict("T", 12, "button", "按钮", event=pressed.event)])
    house.play([verdict("T", 16, "button", "按钮", event="2026-10-12T10:00:16#8")])
    assert house.said == ["r1 enter 4", "r1 enter 16"]


def test_case_10_a_virtual_event_that_comes_when_the_network_is_back(house: House):
    rule = house.add(query="小爱", sources=("speaker",))
    house.clock.advance(timedelta(seconds=100))
    house.take([verdict("T", 60, "speaker", "小爱", event="a")])
    house.take([verdict("T", 61, "speaker", "小爱", event="a")])
    assert house.fired == []
    assert house.near_misses(rule) == ["old_event"]
    house.take([verdict("T", 99, "speaker", "小爱", event="b")])
    assert house.said == ["r1 enter 99"]


def test_case_11_a_hundred_devices_that_come_back_at_the_start(steady_house: House):
    house = steady_house
    task = house.add_task()
    for index in range(100):
        house.add(task=task, name=f"第 {index} 条", sources=(f"s{index}",))
    house.play([verdict("T" if index % 2 else "F", 61, f"s{index}") for index in range(100)])
    house.play([verdict("T" if index % 2 else "F", 65, f"s{index}") for index in range(100)])
    before = len(house.fired)
    house.restart()
    house.take([verdict("U", 66, f"s{index}") for index in range(100)])
    house.clock.advance(timedelta(seconds=2))
    house.take([verdict("T" if index % 2 else "F", 67, f"s{index}") for index in range(100)])
    house.pass_until(at(400))
    assert len(house.fired) == before


def test_case_12_two_seconds_unavailable_in_ten_minutes(house: House):
    house.add(duration=600)
    house.play([*frames("F" + "T" * 75), verdict("U", 305), verdict("T", 307), *frames("T" * 75, first=308)], 610)
    assert house.said == ["r1 enter 604"]


def test_case_13_coming_back_after_an_outage(house: House):
    """Held for fifteen minutes: a blip of three seconds is none, twenty minutes are one, whatever is between."""
    house.add("state", query="网络断了", sources=("router",), duration=900, exit_debounce=0, expiry=None)
    short = [verdict("F", 0, "router", "网络断了"), verdict("T", 10, "router", "网络断了")]
    short += [verdict("F", second, "router", "网络断了") for second in (13, 14)]
    long = [verdict("T", 100, "router", "网络断了"), verdict("U", 400, "router", "网络断了")]
    long += [verdict("T", 420, "router", "网络断了")]
    long += [verdict("F", second, "router", "网络断了") for second in (1300, 1301)]
    house.play(short, 99)
    assert house.fired == []
    house.play(long, 1400)
    assert house.said == ["r1 enter 1000", "r1 exit 1300"]


def test_case_14_a_value_that_was_unavailable_and_is_as_it_was_crossed_nothing(house: House):
    house.add(query="温度 > 30", sources=("t",))
    house.play(frames("F T U T", query="温度 > 30", source="t"))
    assert house.said == ["r1 enter 4"]


def test_case_16_a_value_past_its_threshold_from_the_start(house: House):
    event = house.add(name="事件", query="温度 > 30", sources=("t",))
    house.add("state", name="状态", query="温度 > 30", sources=("t",))
    house.play(frames("T T T", query="温度 > 30", source="t"))
    assert house.said == ["r2 enter 0"]
    assert house.near_misses(event) == ["already_true"]


def test_case_17_three_triggers_in_one_tick_are_one_fire(house: House):
    house.add(sources=("a", "b", "c"))
    house.play([verdict("F", 0, name) for name in "abc"])
    house.clock.advance(timedelta(seconds=4))
    house.take([verdict("T", 4, name) for name in "abc"])
    assert house.said == ["r1 enter 4"]


def test_case_19_a_trigger_while_it_may_not_fire_is_visible(house: House):
    rule = house.add(cooldown=60)
    house.play(frames("F T F F T F F T"))
    assert house.said == ["r1 enter 4"]
    assert house.near_misses(rule) == ["cooldown", "cooldown"]


PARIS = ZoneInfo("Europe/Paris")


def wall(text: str, fold: int = 0) -> int:
    return micros(datetime.fromisoformat(text).replace(tzinfo=PARIS, fold=fold))


@pytest.mark.parametrize(
    ("instant", "fold", "quiet"),
    [
        ("2026-03-29T01:59", 0, False),
        ("2026-03-29T03:00", 0, False),  # 02:00 to 03:00 does not exist that night: nothing is quiet
        ("2026-03-28T02:30", 0, True),
        ("2026-10-25T02:30", 0, True),  # 02:30 happens twice: both are quiet
        ("2026-10-25T02:30", 1, True),
        ("2026-10-25T03:00", 0, False),
    ],
)
def test_cases_22_and_23_quiet_hours_are_those_of_the_clock_on_the_wall(instant, fold, quiet):
    assert quiet_at((QuietSpan(120, 180),), "Europe/Paris", wall(instant, fold)) is quiet


@pytest.mark.parametrize(
    ("instant", "quiet"),
    [
        ("2026-03-28T21:59", False), ("2026-03-28T22:00", True), ("2026-03-29T06:59", True),
        ("2026-03-29T07:00", False),
        ("2026-10-24T22:00", True), ("2026-10-25T06:59", True), ("2026-10-25T07:00", False),
    ],
)  # fmt: skip
def test_case_28_a_span_over_midnight_ends_on_the_day_after_it_began(instant, quiet):
    assert quiet_at((QuietSpan(1320, 420),), "Europe/Paris", wall(instant)) is quiet


def test_case_29_a_short_absence_is_no_leaving_and_an_arrival_is_at_once(house: House):
    house.add("state", query="在家", sources=("phone",), exit_debounce=300)
    house.play(frames("T T F F F F T T F F", query="在家", source="phone"), LATER)
    assert house.said == ["r1 enter 0", "r1 exit 332"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_case_30_a_poll_and_a_push_in_either_order_are_one_transition(house: House, order):
    house.add("state", query="在家", sources=("poll", "push"))
    house.play([verdict("F", 0, "poll", "在家"), verdict("F", 0, "push", "在家")])
    both = [verdict("T", 4, "poll", "在家"), verdict("T", 4.2, "push", "在家")]
    house.clock.advance(timedelta(seconds=5))
    house.take([both[index] for index in order])
    assert [str(each.direction) for each in house.fired] == ["enter"]


def test_case_31_a_rule_that_triggers_itself_is_stopped(house: House):
    rule = house.add(limit=Limit(12, 60), query="灯亮", sources=("lamp",))
    for round_ in range(40):
        house.take([verdict("T", round_ / 10, "lamp", "灯亮", event=f"e{round_}")])
        house.clock.advance(timedelta(seconds=0.1))
    assert len(house.fired) == 12
    assert house.stopped == [rule.id]
    assert [entry.why for entry in house.entries(rule.task_id, Kind.RULE_STOPPED)] == ["limit"]


def test_case_39_what_nearly_ran_can_be_read_after_two_restarts(steady_house: House):
    house = steady_house
    rule = house.add(duration=20)
    house.play([*frames("F T T T T"), verdict("F", 23), verdict("F", 25)], 40)
    house.restart()
    house.restart()
    assert house.near_misses(rule) == ["held"]


def test_case_44_the_clock_leaps_two_weeks_ahead(steady_house: House):
    """Nothing storms: what was counting counts anew, and what pended waits for a verdict."""
    house = steady_house
    held = house.add(duration=20, name="甲")
    house.add("state", name="乙", query="在家")
    house.play([*frames("F T T"), *frames("T F F", query="在家")])
    house.clock.jump(timedelta(days=14))
    house.engine.drain()
    house.clock.advance(timedelta(seconds=1))
    house.engine.drain()
    assert [each.rule.id for each in house.fired] == ["r2"]
    two_weeks = 14 * 86_400
    house.play(frames("T" * 8, first=two_weeks + 12), two_weeks + 40)
    assert [seconds(each.at) for each in house.fired if each.rule.id == held.id] == [f"{two_weeks + 32}"]


def test_case_44_the_clock_is_put_back_an_hour(steady_house: House):
    """Nothing fires twice, nothing is undone, and verdicts of the new time are taken."""
    house = steady_house
    house.add(name="甲")
    house.add("state", name="乙")
    house.add(name="丙", duration=20)
    house.play(frames("F T T"))
    assert house.said == ["r1 enter 4", "r2 enter 4"]
    house.clock.jump(timedelta(hours=-1))
    house.engine.drain()
    hour = -3600 + 8
    house.play(frames("T T T T T T T", first=hour + 4), hour + 40)
    assert house.said == ["r1 enter 4", "r2 enter 4", f"r3 enter {24 - 3600}"]
    house.play(frames("F F F", first=hour + 40), hour + 200)
    assert house.said[3:] == [f"r2 exit {hour + 100}"]


def test_case_44_the_clock_is_put_back_while_the_process_is_away(steady_house: House):
    house = steady_house
    house.add("state")
    house.play(frames("F T F F"))
    house.clock.jump(timedelta(hours=-1))
    house.restart()
    hour = -3600 + 12
    house.play(frames("F F", first=hour + 4), hour + 100)
    assert [str(each.direction) for each in house.fired] == ["enter", "exit"]


def test_case_44_the_clock_is_put_back_a_little(steady_house: House):
    house = steady_house
    house.add("state")
    house.play(frames("F T T"))
    house.clock.jump(timedelta(seconds=-5))
    house.play(frames("F F", first=4), 200)
    assert house.said[0] == "r1 enter 4"
    assert [str(each.direction) for each in house.fired] == ["enter", "exit"]


def test_the_numbers_begin_where_the_clock_stands(clock: ManualClock):
    assert clock.now() == START
    assert plan().on_enter == SAY
    assert SHANGHAI == "Asia/Shanghai"
