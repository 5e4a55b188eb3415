"""The jobs of the clock, and that the house can do what they say."""

from __future__ import annotations

import pytest
from tests.household.composing.writing import plan

from zhixing.household.doing.wishes import EndTask, Remind, UrgeOn, read_message


def _job(text, home="family", **more):
    return plan(text, home, **more).assembly["schedules"][0]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("明天9点提醒吃药", "吃药"),
        ("明儿早上七点半叫我起床", "起床"),
        ("每晚9点提醒我抹药膏", "抹药膏"),
        ("今天每小时提醒我滴一次眼药水", "滴眼药水"),
        ("过半个钟头喊我一声", "时间到了"),
        ("每天早上8点提醒爷爷吃药", "爷爷吃药"),
    ],
)
def test_a_reminder_is_told_without_a_model(text, what):
    assert read_message(_job(text)["message"]) == Remind(what)


def test_the_first_of_several_devices_is_named_and_said():
    composed = plan("10分钟后关灯")
    assert composed.draft.device.evidence == "H-DEV-04"
    assert [tip.kind for tip in composed.tips] == ["device_first_candidate"]
    assert "关掉客厅吸顶灯" in composed.report.response


def test_a_home_without_such_a_device_keeps_the_words():
    assert _job("每天早上7点打开客厅窗帘", "flat")["message"] == "打开客厅窗帘"


def test_the_report_says_both_things_that_happen():
    said = plan("每天早上7点打开客厅窗帘 用音箱说早上好").report.response
    assert "拉开客厅窗帘" in said
    assert "早上好" in said


def test_a_goal_reminds_of_what_is_left():
    composed = plan("妈妈每天喝6杯水")
    assert read_message(composed.assembly["schedules"][0]["message"]) == UrgeOn(composed.plan.slug)


def test_a_task_that_ends_has_a_job_for_it():
    composed = plan("这周每天晚上9点提醒我抹药膏")
    end = composed.assembly["schedules"][-1]
    assert read_message(end["message"]) == EndTask(composed.plan.slug)
    assert end["at"] == composed.assembly["task"]["expires_at"]


def test_nothing_but_a_moment_ends_by_itself():
    composed = plan("明天9点提醒吃药")
    assert len(composed.assembly["schedules"]) == 1
    assert composed.assembly["task"]["expires_at"] is None


def test_only_what_repeats_by_the_calendar_has_a_zone():
    assert _job("每天早上8点提醒我吃药")["tz"] == "Asia/Shanghai"
    assert _job("每隔6小时提醒我喝水")["tz"] is None
    assert _job("明天9点提醒吃药")["at"].endswith("+08:00")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("每月最后一天晚上九点提醒我记账", "若今天是本月最后一天，提醒用户记账"),
        ("双周的周五下午5点提醒我交周报", "隔一周一次：若上周没有提醒过，提醒用户交周报"),
        ("每90分钟用音箱播一句 该休息了", "使用音箱播报通知：该休息了"),
        ("周二四六下午4点用喇叭喊孩子练琴", "使用音箱播报通知：孩子，该练琴了"),
        ("每月5号提醒我交房租 用音箱播报", "使用音箱播报通知：该交房租了"),
        ("下午5点提醒我开会 到时手机推送", "使用手机推送通知：该开会了"),
        ("每天早上七点把客厅窗帘拉开", "拉开客厅窗帘"),
        ("晚上10点关客厅灯", "关掉客厅吸顶灯"),
        ("明天下午3点把空调调到26度", "把客厅空调调到 26 度"),
        ("每晚10点把客厅灯调暗", "把客厅吸顶灯调暗"),
        ("10分钟后关灯", "关掉客厅吸顶灯"),
        ("每天早上7点放音乐", "在客厅音箱上播放音乐"),
        ("每天早上7点打开客厅窗帘 用音箱说早上好", "拉开客厅窗帘；使用音箱播报通知：早上好"),
        ("每天早上7点开客厅灯 提醒我吃药", "打开客厅吸顶灯；提醒用户吃药"),
        ("每天晚上10点关灯关空调", "关掉客厅吸顶灯；关掉客厅空调"),
        ("每天晚上10点关灯 关空调 拉上窗帘", "关掉客厅吸顶灯；关掉客厅空调；拉上客厅窗帘"),
        ("每天晚上10点打开客厅灯和空调", "打开客厅灯和空调"),
        ("每天睡觉前念一段故事给宝宝 用音箱", "用音箱念一段故事给宝宝"),
    ],
)
def test_a_message_says_what_is_wanted(text, message):
    assert _job(text)["message"] == message


def test_a_default_time_says_so():
    assert _job("周末提醒我洗车")["origin"] == "default"
    assert _job("每天早上8点提醒我吃药")["origin"] == "user"
    assert _job("今天吃够3次药就行")["scene"] is not None


def test_natural_hours_are_as_many_as_the_goal_is_worth():
    after_school = _job("女儿放学后每天跳绳20组 手机提醒她", "large")
    assert after_school["expr"] == "0 16,17,18,19,20,21 * * *"
    assert after_school["scene"] is not None


def test_what_was_counted_is_summed_up_at_the_time_that_was_said():
    assert _job("每次爷爷咳嗽记下来 晚上9点汇总发我手机", "old")["message"] == "汇总爷爷咳嗽的次数，用手机推送告诉用户"
