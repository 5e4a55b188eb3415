"""What a model judges, and what comes of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household.agent.conftest import MINUTE, RESET, ends, wants

from zhixing.household.doing.model import RunState
from zhixing.tasks.rules.model import Direction
from zhixing.world.models.scripted import ScriptedModel

SECOND = timedelta(seconds=1)
LEVEL = "prop.2.2"
GATE = "若当前时间在晚上 10 点以后，使用音箱播报通知：客厅还有人，早点休息"
DAILY = {"target": 8, "unit": "杯", "window": "day", "recurring_pattern": {"window": "day"}}
CHECK_CUPS = "检查今天喝水的进度，如果还差三杯以上就提醒妈妈"


def test_an_alert_by_time_is_told_through_the_channel_it_names(agency):
    house = agency([wants("notify", medium="speaker", text="客厅还有人，早点休息"), ends()])
    ended = house.fire(house.task(), GATE, because="沙发上坐着人", source="cam1")
    house.work()
    assert (house.said(house.speaker), house.said()) == (["客厅还有人，早点休息"], [])
    assert house.ended(ended) == "done"
    assert house.run().state is RunState.DONE
    assert house.said_in() == ["1 notify done", "2 finish done"]
    assert "现在：2026-10-12T10:00:00+08:00（周一）" in house.asked()
    assert house.inbox() == ["客厅还有人，早点休息"]


def test_an_alert_whose_time_has_not_come_is_judged_to_nothing(quick_agency):
    house = quick_agency([ends("nothing")])
    ended = house.fire(house.task(), GATE)
    house.work()
    assert (house.said(house.speaker), house.inbox()) == ([], [])
    assert house.ended(ended) == "done agent_nothing"


def test_a_message_reads_the_record_and_tells_what_is_missing(agency):
    script = [wants("read_record"), wants("notify", text="妈妈，今天还差 7 杯水"), ends()]
    house = agency(script)
    task = house.task("喝水", DAILY)
    house.fire(task, "计数加一")
    house.cron(task, CHECK_CUPS)
    house.clock.advance(2 * 60 * MINUTE)
    house.work()
    assert house.said() == ["妈妈，今天还差 7 杯水"]
    assert '"remaining":7' in house.turns()[0].result
    assert house.times(task)[-1] == "12:00 done"


def test_a_reset_that_rows_cannot_decide_goes_to_the_model(agency):
    script = [wants("act_device", device="speaker", property="play"), ends()]
    house = agency(script)
    task = house.task()
    ended = house.episode(task, house.play("早安曲"))
    house.hub.log.clear()
    house.work()
    assert house.hub.commands == [("act", "speaker", "action.7.3")]
    assert house.ended(ended) == "done"
    assert [step.state.value for step in house.steps(ended)] == ["done"]
    assert "条件成立时改过：⟦speaker action.7.3" in house.asked(0)


def test_a_reset_that_rows_can_decide_costs_nothing(quick_agency):
    house = quick_agency([])
    house.hub.values["curtain", LEVEL] = 20.0
    house.episode(house.task(), house.set("curtain", iid=LEVEL, value=100.0))
    house.work()
    assert house.model.asked == []
    assert house.hub.values["curtain", LEVEL] == 20.0


def test_a_model_looks_before_it_acts(quick_agency):
    script = [
        wants("list_devices"),
        wants("read_device", device="lamp", property="on"),
        wants("act_device", device="lamp", property="on", value=False),
        ends(),
    ]
    house = quick_agency(script)
    house.hub.values |= {("lamp", "prop.2.1"): True}
    ended = house.fire(house.task(), "如果客厅灯还开着就关掉")
    house.work()
    assert house.hub.values["lamp", "prop.2.1"] is False
    assert house.ended(ended) == "done"
    first, second, third, _ = house.turns()
    assert "lamp 客厅客厅灯（light）" in first.result
    assert second.result == "on=True"
    assert third.result == "现在是 False"


def test_what_has_to_be_seen_again_is_seen_again(agency):
    house = agency([wants("act_device", device="curtain", property="level", value=0), ends()])
    house.hub.transition, house.hub.shows_after["curtain"] = 5.0, 5.0
    house.hub.values["curtain", LEVEL] = 100.0
    ended = house.fire(house.task(), "如果下雨就把窗帘关上")
    house.work()
    assert house.said_in() == ["1 act_device called"]
    house.pass_time(10 * SECOND, every=5 * SECOND)
    assert house.said_in() == ["1 act_device done", "2 finish done"]
    assert house.ended(ended) == "done"
    assert house.hub.commands == [("write", "curtain", LEVEL, 0.0)]


def test_a_model_that_cannot_tell_says_so_and_the_inbox_has_it(quick_agency):
    house = quick_agency([ends("cannot")])
    ended = house.fire(house.task(), GATE)
    house.work()
    assert (house.run().state, house.ended(ended)) == (RunState.FAILED, "failed agent_cannot")
    assert house.inbox() == [f"这一步没有判断成（管家判断不了）：{GATE}"]


def test_a_model_that_claims_to_have_done_what_it_has_not_is_not_believed(quick_agency):
    house = quick_agency([ends("done")])
    ended = house.fire(house.task(), GATE)
    house.work()
    assert house.ended(ended) == "done agent_nothing"


def test_runs_are_worked_off_one_at_a_time_in_their_order(quick_agency):
    house = quick_agency([ends("nothing"), ends("cannot"), ends("nothing")])
    task = house.task()
    for words in ("看看一", "看看二", "看看三"):
        house.fire(task, words)
        house.clock.advance(SECOND)
    house.work()
    assert [run.why for run in house.runs()[::-1]] == ["agent_nothing", "agent_cannot", "agent_nothing"]
    assert [f"看看{number}" in house.asked(place) for place, number in enumerate("一二三")] == [True] * 3


def test_the_rest_of_an_answer_is_done_beside_it(quick_agency):
    house = quick_agency([ends("nothing")])
    task = house.task("喝水", DAILY)
    ended = house.fire(task, f"计数加一；{GATE}", direction=Direction.ENTER)
    house.work()
    assert (house.count(task), house.ended(ended)) == (1, "done agent_nothing")


def test_looking_says_what_sources_said_last(quick_agency):
    house = quick_agency([wants("look"), wants("look", source="cam9"), ends("nothing")])
    house.fire(house.task(), GATE)
    house.work()
    assert [turn.result for turn in house.turns()[:2]] == ["没有判断", "没有判断"]


def test_with_a_model_that_appears_later_what_waits_is_taken_up(agency):
    house = agency()
    house.fire(house.task(), GATE)
    house.work()
    assert house.run().state is RunState.WAITING
    house.model = ScriptedModel(house.clock, [ends("nothing")])
    house.restart()
    house.work()
    assert house.run().why == "agent_nothing"


@pytest.mark.parametrize("words", [GATE, CHECK_CUPS])
def test_without_a_model_everything_is_as_it_was(quick_agency, words):
    house = quick_agency()
    task = house.task("喝水", DAILY)
    house.fire(task, words)
    house.work()
    assert (house.run().state, len(house.inbox())) == (RunState.WAITING, 1)
    house.clock.advance(5 * MINUTE)
    house.work()
    assert (house.run().state, house.run().why) == (RunState.EXPIRED, "no_agent")


def test_without_a_model_a_message_is_passed_on_at_once(quick_agency):
    house = quick_agency()
    house.cron(house.task("喝水", DAILY), CHECK_CUPS)
    house.clock.advance(2 * 60 * MINUTE)
    house.work()
    assert house.said() == [f"{CHECK_CUPS}（这件事要管家判断，先转告原话）"]


def test_the_words_of_a_reset_are_the_last_resort_of_no_model(quick_agency):
    house = quick_agency()
    house.fire(house.task(), RESET)
    house.work()
    assert (house.run().state, len(house.inbox())) == (RunState.WAITING, 1)


def test_a_message_may_read_the_record_of_the_task_it_names(quick_agency):
    house = quick_agency([wants("read_record", task="drink_8_today"), wants("read_record", task="piano_week"), ends()])
    drinking = house.task("喝水", DAILY)
    house.slugs |= {"drink_8_today": drinking.id, "piano_week": house.task("练琴", DAILY).id}
    house.cron(house.task("别的"), "调 miloco-cli task record get drink_8_today，若还差 3 杯以上就催一下")
    house.clock.advance(2 * 60 * MINUTE)
    house.work()
    assert house.said_in() == ["1 read_record done", "2 read_record refused", "3 finish done"]
