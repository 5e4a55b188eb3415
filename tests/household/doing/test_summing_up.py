"""What a report tells of a record: how often, how long, and of which day, week or month."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
COUGHS = "汇总爷爷咳嗽的次数，用手机推送告诉用户"
TV = "汇总看电视的时长，告诉用户"
# It is Monday, 12 October 2026, 10:00 in Shanghai.


def coughing(house, expression, message=COUGHS):
    task = house.task("咳嗽", {}, "event")
    house.cron(task, message, expression)
    return task


def cough(house, task, times=1):
    for _ in range(times):
        house.fire(task, "事件追加：爷爷咳嗽")


def until(house, day, hour, minute=0):
    at = datetime(2026, 10, day, hour, minute, tzinfo=UTC) - timedelta(hours=8)
    house.clock.advance(at - house.clock.now())
    house.work()
    house.work()


def test_a_daily_report_tells_of_the_day(house):
    task = coughing(house, "0 22 * * *")
    cough(house, task, 3)
    until(house, 12, 22)
    assert house.said() == house.inbox() == ["爷爷咳嗽：今天 3 次"]
    assert house.said(house.speaker) == []
    assert house.times(task)[-1] == "22:00 done"
    cough(house, task, 1)
    until(house, 13, 21)
    cough(house, task, 1)
    until(house, 13, 22)
    assert house.said() == ["爷爷咳嗽：今天 3 次", "爷爷咳嗽：今天 1 次"]


def test_a_day_without_any_says_so(house):
    coughing(house, "0 22 * * *")
    until(house, 12, 22)
    assert house.said() == ["爷爷咳嗽：今天还没有"]


@pytest.mark.parametrize("minute", [0, 30])
def test_a_report_right_after_midnight_tells_of_the_day_that_has_ended(house, minute):
    task = coughing(house, f"{minute} 0 * * *")
    until(house, 12, 23, 50)
    cough(house, task, 2)
    until(house, 13, 0, minute)
    assert house.said() == ["爷爷咳嗽：昨天 2 次"]
    until(house, 14, 0, minute)
    assert house.said()[1:] == ["爷爷咳嗽：昨天没有"]


@pytest.mark.parametrize(
    ("expression", "days", "told"),
    [
        ("0 20 * * 0", (13, 17), "爷爷咳嗽：本周 2 次"),
        ("0 9 * * 1", (13, 17), "爷爷咳嗽：上周 2 次"),
        ("0 21 31 * *", (13, 30), "爷爷咳嗽：本月 2 次"),
        ("0 22 * * 1-5", (13, 16), "爷爷咳嗽：今天 1 次"),
    ],
)
def test_what_a_report_tells_of_depends_on_how_often_it_comes(steady, expression, days, told):
    task = coughing(steady, expression)
    heard = False
    for day in range(12, 32):
        until(steady, day, 12)
        if day in days:
            cough(steady, task)
        until(steady, day, 23)
        heard = heard or told in steady.said()
    assert heard


def test_time_is_told_in_hours_and_minutes_with_what_is_under_way(house):
    task = house.task("看电视", {"recurring_pattern": {"window": "day"}}, "duration")
    house.cron(task, TV, "0 22 * * *")
    house.fire(task, "记录计时起点")
    house.clock.advance(HOUR)
    house.fire(task, "结束计时", left=house.clock.now())
    until(house, 12, 21, 40)
    house.fire(task, "记录计时起点")
    until(house, 12, 22)
    assert house.said() == house.said(house.speaker) == ["看电视：今天 1 小时 20 分钟"]


def test_a_report_that_comes_late_tells_of_its_own_day(house):
    task = coughing(house, "0 22 * * *")
    cough(house, task)
    until(house, 13, 7)
    assert house.said() == ["爷爷咳嗽：昨天 1 次"]


def test_a_report_that_comes_once_tells_of_the_day(house):
    task = coughing(house, "at 2026-10-12T20:00:00+08:00")
    cough(house, task, 2)
    until(house, 12, 20)
    assert house.said() == ["爷爷咳嗽：今天 2 次"]


def test_without_a_record_there_is_nothing_to_sum_up(house):
    task = house.task("咳嗽")
    house.cron(task, COUGHS, "0 22 * * *")
    until(house, 12, 22)
    assert house.said() == [f"{COUGHS}（这件事要管家判断，先转告原话）"]
    assert len(house.runs()) == 1


def test_a_medium_that_nothing_serves_is_said(house):
    house.media = {}
    house.open()
    coughing(house, "0 22 * * *")
    until(house, 12, 22)
    assert house.inbox() == ["爷爷咳嗽：今天还没有（没有配置手机推送的渠道，只放进了收件箱）"]


def test_what_is_told_through_named_media_goes_there_and_nowhere_else(house):
    task = house.task("起床")
    house.cron(task, "使用音箱播报通知：该起床了", "0 12 * * *")
    until(house, 12, 12)
    assert (house.said(), house.said(house.speaker), house.inbox()) == ([], ["该起床了"], ["该起床了"])
    assert house.times(task) == ["12:00 done"]


def test_several_notices_are_all_told_and_the_same_words_once(house):
    task = house.task("起床")
    house.cron(task, "使用音箱播报通知：起床；使用手机推送通知：起床；使用手机推送通知：吃药", "0 12 * * *")
    until(house, 12, 12)
    assert house.said() == ["起床", "吃药"]
    assert house.said(house.speaker) == ["起床"]
    assert sorted(house.inbox()) == sorted(["起床", "吃药"])
