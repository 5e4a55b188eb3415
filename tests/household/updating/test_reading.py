"""What is said about a task that exists becomes what it says, all of it or nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.household.updating.made import drafted, home_of, later, made, phrases, sample, site, standing

from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.routing import route
from zhixing.household.checks import lint_condition
from zhixing.household.composing.composer import compose
from zhixing.household.jobs import JobKind
from zhixing.household.rulebook import fields_of, make_plan
from zhixing.household.updating.clauses import LONGEST_TEXT
from zhixing.household.updating.model import Change, Standing, Unclear
from zhixing.household.updating.reading import read_change
from zhixing.kernel.errors import BadInput
from zhixing.tasks.records.content import read_content, write_content
from zhixing.tasks.records.model import Content, RecordKind, Window
from zhixing.tasks.rules.model import Mode, QuietSpan

HOME = home_of("family")
TASKS = {
    "drink": ("妈妈每天喝8杯水 够了手机推送我", {}),
    "sit": ("久坐30分钟提醒一下", {"channel": "B"}),
    "phone": ("每天累计玩手机超1小时用音箱提醒", {}),
    "light": ("客厅没人就关灯", {}),
    "once": ("明天9点提醒我吃药", {}),
    "daily": ("每天晚上9点提醒我吃药", {}),
    "every": ("每2小时提醒我喝水", {}),
    "mom": ("妈妈回家就播放欢迎曲", {}),
    "both": ("妈妈和爸爸回家都播报一声", {}),
    "fall": ("家里有人摔倒就推送我手机", {}),
    "curtain": ("起床后自动开窗帘", {}),
    "homework": ("记录儿子每天写作业多久", {}),
    "week": ("本周看电视加起来到10小时手机告诉我", {}),
    "today": ("今天喝够8杯水手机提醒我", {}),
    "cough": ("每次爸爸咳嗽记下来", {}),
    "stranger": ("陌生人在门口徘徊2分钟以上推送给我", {}),
    "lamp": ("妈妈回家就开灯", {}),
}


def task(name: str) -> Standing:
    text, answers = TASKS[name]
    return made(text, HOME, **answers)


def change(name: str, text: str) -> Change:
    found = read_change(text, task(name), HOME)
    assert isinstance(found, Change), str(BadInput(found.key, **found.values))
    return found


def unclear(name: str, text: str) -> Unclear:
    found = read_change(text, task(name), HOME)
    assert isinstance(found, Unclear), found.sentence
    assert str(BadInput(found.key, **found.values))
    return found


# Every phrase that a tip offers


def test_every_phrase_of_every_tip_of_the_sample_changes_the_task_it_was_said_about() -> None:
    for name, draft, home in sample():
        composed = compose(draft, site(home))
        stands = standing(composed.plan, home)
        for kind, phrase in phrases(composed):
            wanted = route(plain(phrase), later(home, composed.plan))
            assert wanted.target == (composed.plan.slug,), (name, phrase)
            if wanted.op == "delete":
                assert phrase.startswith("删掉")
                continue
            assert wanted.op == "update", (name, phrase)
            found = read_change(phrase, stands, home)
            assert isinstance(found, Change), (name, phrase, found)
            assert what_changed(found) in PROMISED[kind], (name, kind, phrase)


RARE = (
    ("晚上10点后客厅有人就推送到我手机", {"trigger_frequency": "B"}),
    ("爸爸回家播报一声 两小时内别重复播报", {}),
    ("家里有人摔倒30秒没起来就手机推送我", {}),
    ("每天走10000步 手机提醒我", {}),
    ("家里人回家就播报一声", {}),
    ("久坐10秒就手机提醒我", {}),
    ("做够50个俯卧撑手机告诉我", {}),
    ("累计看书100小时手机告诉我", {}),
    ("没人就关灯", {}),
    ("这周每天喝8杯水 够了手机告诉我", {}),
    ("一会儿提醒我收衣服", {}),
)


@pytest.mark.parametrize(("text", "answers"), RARE, ids=[text for text, _ in RARE])
def test_so_does_every_phrase_of_the_rarer_tips(text: str, answers: dict[str, str]) -> None:
    composed = compose(drafted(text, HOME, **answers), site(HOME))
    stands = standing(composed.plan, HOME)
    for kind, phrase in phrases(composed):
        wanted = route(plain(phrase), later(HOME, composed.plan))
        assert wanted.target == (composed.plan.slug,), phrase
        if wanted.op != "update":
            assert wanted.op == {"删": "delete", "暂": "disable"}[phrase[0]]
            continue
        found = read_change(phrase, stands, HOME)
        assert isinstance(found, Change), phrase
        assert what_changed(found) in PROMISED[kind], phrase


PROMISED = {
    "subject_default_user": ["subject"],
    "subject_any_person": ["subject"],
    "subject_registered_members": ["subject"],
    "subject_first_person": ["subject"],
    "source_broadcast": ["sources"],
    "source_multi": ["sources"],
    "room_empty_any_camera": ["sources"],
    "duration_default": ["duration"],
    "duration_long_restart": ["duration"],
    "duration_deviation": ["duration"],
    "single_continuous": ["record"],
    "exit_debounce_default": ["debounce"],
    "exit_debounce_deviation": ["debounce"],
    "exit_debounce_capped": ["debounce"],
    "viewpoint_default": ["subject"],
    "device_first_candidate": ["device", "descs"],
    "on_exit_reset_default": ["exit"],
    "schedule_default": ["job"],
    "time_default": ["job"],
    "lifecycle_conflict": ["ends"],
    "window_default": ["record"],
    "time_gate": ["quiet"],
}
"""What a kind of tip promises to change; of a condition the words (`subject`)."""


def what_changed(found: Change) -> str:
    """Name the first thing that is different, the one with the largest effect first."""
    old, new = facts(found.before), facts(found.after)
    return next((name for name in old if old[name] != new[name]), "")


def facts(stands: Standing) -> dict[str, Any]:
    """Give what a person may set, the largest first."""
    plans = [rule.plan for rule in stands.rules]
    return {
        "ends": stands.ends,
        "record": stands.record,
        "job": [job.plan.when for job in stands.jobs],
        "subject": [plan.trigger.query for plan in plans],
        "sources": [plan.trigger.sources for plan in plans],
        "duration": [plan.trigger.duration for plan in plans],
        "debounce": [plan.exit_debounce for plan in plans],
        "quiet": [plan.quiet for plan in plans],
        "device": [[action.did for action in plan.on_enter.actions] for plan in plans],
        "exit": [plan.on_exit for plan in plans],
        "descs": [(plan.on_enter, plan.on_target) for plan in plans],
    }


# How many, how long


@pytest.mark.parametrize(
    "text", ["把喝水改成10杯", "改成 10 杯", "喝水目标改成10", "每天喝10杯水", "从8杯改成十杯", "加到10杯"]
)
def test_a_goal_is_changed_however_it_is_said(text: str) -> None:
    found = change("drink", text)
    assert found.after.record is not None
    assert (found.after.record.target, found.after.record.unit) == (10, "杯")
    assert found.sentence == "已把「妈妈每天喝8杯水，够了手机推送我」的目标从 8 杯改成 10 杯"


def test_a_number_is_brought_along_in_the_texts_that_have_it() -> None:
    assert change("drink", "改成10杯").after.description == "妈妈每天喝10杯水，够了手机推送我"
    (rule,) = change("sit", "久坐改成 40 分钟").after.rules
    assert rule.plan.trigger.duration == 2400
    assert "40 分钟" in rule.plan.name
    assert rule.plan.on_enter.descs == ("使用手机推送通知：已久坐 40 分钟，建议起身活动",)


def test_a_goal_may_get_another_period() -> None:
    found = change("drink", "改成每周50杯")
    assert found.after.record is not None
    assert (found.after.record.target, found.after.record.window, found.after.record.recurring) == (
        50,
        Window.WEEK,
        Window.WEEK,
    )
    assert found.after.description.startswith("妈妈每周喝50杯水")


@pytest.mark.parametrize("text", ["改成40分钟", "久坐改成 40 分钟", "40分钟", "等40分钟再提醒", "改成持续40分钟才算"])
def test_how_long_something_has_to_go_on_is_changed(text: str) -> None:
    (rule,) = change("sit", text).after.rules
    assert rule.plan.trigger.duration == 2400


def test_a_length_of_a_record_is_its_goal_unless_it_says_otherwise() -> None:
    goal = change("phone", "改成2小时").after
    assert goal.record is not None
    assert (goal.record.target, goal.rules[0].plan.trigger.duration) == (120, 90)
    steady = change("phone", "改成持续2分钟才算").after
    assert steady.record is not None
    assert (steady.record.target, steady.rules[0].plan.trigger.duration) == (60, 120)
    beyond = change("phone", "玩手机超过2小时再提醒").after.record
    assert beyond is not None
    assert beyond.target == 120
    assert unclear("homework", "改成40分钟").key == "update_span_unclear"
    aimed = change("homework", "目标改成2小时").after.record
    assert aimed is not None
    assert aimed.target == 120


def test_one_go_becomes_adding_up() -> None:
    after = change("sit", "把久坐改成每天累计2小时").after
    assert after.record is not None
    assert (after.record.kind, after.record.target, after.record.recurring) == (RecordKind.DURATION, 120, Window.DAY)
    plan = after.rules[0].plan
    assert plan.trigger.mode is Mode.STATE
    assert (plan.on_enter.descs, plan.on_exit.descs) == (("开始计时",), ("结束计时",))
    assert plan.on_target.descs[0].startswith("使用手机推送通知：")


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("drink", "改成10分钟", "update_unit"),
        ("drink", "改成10次", "update_unit"),
        ("phone", "改成10杯", "update_unit"),
        ("cough", "改成10次", "update_no_goal"),
        ("drink", "改成0杯", "update_amount_range"),
        ("drink", "改成8.5杯", "update_amount_range"),
        ("drink", "改成99999999999999999999杯", "update_amount_range"),
        ("drink", "改成100001杯", "update_amount_range"),
        ("drink", "改成-5杯", "update_unclear"),
        ("sit", "改成0分钟", "update_amount_range"),
        ("sit", "改成25小时", "update_amount_range"),
        ("sit", "改成9999999999999999分钟", "update_amount_range"),
        ("phone", "改成90秒", "update_amount_range"),
        ("phone", "累计目标改成0分钟", "update_amount_range"),
        ("every", "改成每10秒", "update_amount_range"),
        ("fall", "改成持续30秒才算", "update_safety"),
        ("light", "改成每天累计2小时", "update_no_total"),
    ],
)
def test_an_amount_that_does_not_fit_is_said_in_one_line(name: str, text: str, key: str) -> None:
    assert unclear(name, text).key == key


def test_the_distance_is_changed_and_has_a_longest() -> None:
    assert change("phone", "离开30秒就算结束").after.rules[0].plan.exit_debounce == 30
    (rule,) = change("mom", "间隔改成10分钟").after.rules
    assert rule.plan.exit_debounce == 600
    capped = change("mom", "间隔改成2小时")
    assert capped.after.rules[0].plan.exit_debounce == 3600
    assert "最长只能这么久" in capped.sentence


# When


@pytest.mark.parametrize(
    ("name", "text", "expr"),
    [
        ("drink", "提醒时间改成每天 9 点", "0 9 * * *"),
        ("drink", "提醒改成9点和15点", "0 9,15 * * *"),
        ("drink", "改成早上8点半、晚上8点半", "30 8,20 * * *"),
        ("daily", "改成每天早上8点", "0 8 * * *"),
        ("daily", "改成工作日早上8点", "0 8 * * 1-5"),
        ("daily", "改成每周三晚上8点", "0 20 * * 3"),
        ("daily", "改成晚上10点", "0 22 * * *"),
        ("once", "改成每天早上9点", "0 9 * * *"),
        ("every", "改成每天早上9点", "0 9 * * *"),
    ],
)
def test_reminders_get_another_time(name: str, text: str, expr: str) -> None:
    when = change(name, text).after.reminders[0].plan.when
    assert (when.kind, when.expr, when.zone) == (JobKind.CRON, expr, "Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("改成10点", "2026-06-13T10:00:00+08:00"),
        ("推迟到下午3点半", "2026-06-13T15:30:00+08:00"),
        ("改成后天早上8点", "2026-06-14T08:00:00+08:00"),
        ("改成1小时后", "2026-06-12T16:20:00+08:00"),
    ],
)
def test_a_single_reminder_moves_and_keeps_its_day_where_only_the_hour_is_said(text: str, at: str) -> None:
    found = change("once", text)
    assert found.after.reminders[0].plan.when.at == datetime.fromisoformat(at)
    assert not found.after.description.startswith("明天")


def test_an_interval_is_changed() -> None:
    for text in ("改成每3小时", "改成3小时", "间隔改成3小时"):
        assert change("every", text).after.reminders[0].plan.when.every == 10_800_000
    assert change("drink", "每隔三小时提醒").after.reminders[0].plan.when.every == 10_800_000
    assert change("drink", "每 2 小时提醒一次").after.reminders[0].plan.when.every == 7_200_000


def test_days_alone_keep_the_hours_and_a_shift_keeps_the_days() -> None:
    expected = {
        "改成工作日": "0 21 * * 1-5",
        "改成每周三": "0 21 * * 3",
        "改成每月1号": "0 21 1 * *",
        "提醒提前半小时": "30 20 * * *",
        "推迟1小时": "0 22 * * *",
        "改成早上": "0 8 * * *",
    }
    for text, expr in expected.items():
        assert change("daily", text).after.reminders[0].plan.when.expr == expr, text
    assert unclear("daily", "推迟5小时").key == "update_time_past"
    later_on = change("once", "推迟一天").after.reminders[0].plan.when.at
    assert later_on == datetime.fromisoformat("2026-06-14T09:00:00+08:00")
    assert change("once", "改成每周三").after.reminders[0].plan.when.expr == "0 9 * * 3"


def test_the_description_follows_the_time() -> None:
    assert change("daily", "改成每天早上8点").after.description == "每天早上8点提醒我吃药"
    assert change("every", "改成每3小时").after.description == "每 3 小时提醒我喝水"


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("daily", "改成8点半", "update_half_day"),
        ("once", "改成3点", "update_half_day"),
        ("daily", "改成9点和15点半", "update_times_mixed"),
        ("once", "改成今天早上8点", "update_time_past"),
        ("sit", "提醒时间改成9点", "update_no_schedule"),
        ("once", "改成昨天8点", "update_unclear"),
        ("daily", "到10点", "update_unclear"),
        ("daily", "从9点到18点", "update_unclear"),
        ("daily", "每天晚上9点不提醒", "update_unclear"),
        ("daily", "改成每天26点", "update_unclear"),
        ("once", "改成25点", "update_time_past"),
        ("once", "改成手机推送", "update_no_telling"),
    ],
)
def test_a_time_that_is_not_certain_is_asked_about(name: str, text: str, key: str) -> None:
    assert unclear(name, text).key == key


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("到这周日为止", "2026-06-15T00:00:00+08:00"),
        ("到6月20号", "2026-06-21T00:00:00+08:00"),
        ("期限改成到月底", "2026-07-01T00:00:00+08:00"),
        ("到明天晚上8点为止", "2026-06-13T20:00:00+08:00"),
        ("只在这周有效", "2026-06-15T00:00:00+08:00"),
        ("到周五为止", "2026-06-13T00:00:00+08:00"),
        ("有效期到6月底", "2026-07-01T00:00:00+08:00"),
        ("这个任务保留到下周三", "2026-06-18T00:00:00+08:00"),
    ],
)
def test_a_task_gets_an_end(text: str, end: str) -> None:
    after = change("drink", text).after
    assert after.ends == datetime.fromisoformat(end)
    assert after.record is not None
    assert after.record.expires_at == after.ends


def test_what_had_an_end_goes_on_for_ever_and_begins_anew_every_period() -> None:
    after = change("today", "长期").after
    assert after.ends is None
    assert after.record is not None
    assert (after.record.expires_at, after.record.recurring) == (None, Window.DAY)
    assert [job.plan.name for job in after.jobs if "到期" in job.plan.name] == []
    assert after.description == "每天喝够8杯水手机提醒我"
    weekly = change("week", "期限改成长期").after.record
    assert weekly is not None
    assert weekly.recurring is Window.WEEK


def test_an_end_is_moved_everywhere_it_stands() -> None:
    after = change("today", "到明天为止").after
    end = datetime.fromisoformat("2026-06-14T00:00:00+08:00")
    assert after.record is not None
    assert {after.ends, after.record.expires_at, *(job.plan.when.at for job in after.jobs if job.plan.when.at)} == {end}


def test_an_end_that_is_over_or_none_is_refused() -> None:
    assert unclear("drink", "到昨天为止").key == "update_end_unclear"
    assert unclear("drink", "期限改成月亮升起的时候").key == "update_end_unclear"
    assert unclear("once", "长期").key == "update_once"


def test_hours_of_quiet_are_set() -> None:
    (rule,) = change("sit", "改成晚上10点到早上7点不提醒").after.rules
    assert rule.plan.quiet == (QuietSpan(22 * 60, 7 * 60),)


# Who, where, what, how


@pytest.mark.parametrize("text", ["主语改成爸爸", "改成爸爸", "只看爸爸", "把喝水改成只看老爸", "对象改成王强"])
def test_another_person_is_looked_at(text: str) -> None:
    found = change("drink", text)
    assert found.after.rules[0].plan.trigger.query.startswith("爸爸")
    assert found.after.description.startswith("爸爸")


def test_a_stranger_is_never_one_of_the_family() -> None:
    query = change("mom", "改成陌生人").after.rules[0].plan.trigger.query
    assert query.startswith("陌生人")
    assert "；不含家庭成员，不含" in query
    back = change("stranger", "改成爸爸").after.rules[0].plan.trigger.query
    assert back.startswith("爸爸")
    assert "家庭成员" not in back
    assert "；不含" in back


def test_one_of_two_people_is_changed_where_it_is_named() -> None:
    found = change("both", "把妈妈那条改成儿子")
    assert [rule.plan.trigger.query[:2] for rule in found.after.rules] == ["儿子", "爸爸"]
    assert [rule.plan.name.partition("] ")[2][:2] for rule in found.after.rules] == ["儿子", "爸爸"]


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("both", "改成儿子", "update_person_one"),
        ("both", "把妈妈那条改成爸爸", "update_person_one"),
        ("drink", "改成儿子和爸爸", "update_person_one"),
        ("drink", "改成奶奶", "update_person_unknown"),
        ("drink", "对象改成我", "update_person_unknown"),
        ("light", "改成妈妈", "update_no_subject"),
    ],
)
def test_a_person_that_is_not_certain_is_asked_about(name: str, text: str, key: str) -> None:
    assert unclear(name, text).key == key


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("只看客厅", ("cam_lr",)),
        ("把喝水改成只看客厅摄像头", ("cam_lr",)),
        ("改成客厅和玄关", ("cam_ent", "cam_lr")),
        ("摄像头改成儿童房", ("cam_kid",)),
    ],
)
def test_other_cameras_look(text: str, sources: tuple[str, ...]) -> None:
    (rule,) = change("drink", text).after.rules
    assert rule.plan.trigger.sources == sources


def test_all_cameras_look() -> None:
    for text in ("所有摄像头都看", "改成全屋", "家里所有摄像头都看"):
        assert change("light", text).after.rules[0].plan.trigger.sources == ()


def test_a_room_is_brought_along() -> None:
    found = change("light", "客厅关灯那条改成玄关没人才关")
    assert found.after.description == "玄关没人就关灯"
    assert found.after.rules[0].plan.trigger.sources == ("cam_ent",)
    assert found.after.rules[0].plan.on_enter.actions[0].did == "light_lr"


def test_a_camera_that_is_not_in_use_is_named_with_those_that_are() -> None:
    found = unclear("drink", "只看主卧")
    assert found.key == "update_camera_unknown"
    assert found.values["known"] == "客厅、玄关、儿童房"
    assert unclear("light", "改成阳台没人才关").key == "update_camera_unknown"


@pytest.mark.parametrize(
    ("text", "desc"),
    [
        ("改用音箱播报", "使用音箱播报通知："),
        ("通知方式改成AI对话", "使用AI 对话通知："),
        ("换成对话里说", "使用AI 对话通知："),
        ("改成语音播报", "使用音箱播报通知："),
    ],
)
def test_it_is_told_another_way(text: str, desc: str) -> None:
    (rule,) = change("sit", text).after.rules
    assert rule.plan.on_enter.descs[0].startswith(desc)


def test_two_ways_of_telling_are_two_notices_and_one_is_one_again() -> None:
    found = change("drink", "改成音箱和手机都提醒")
    (desc,) = found.after.rules[0].plan.on_enter.descs
    assert desc.count("通知：") == 2
    assert desc.count("首次达标时") == 2
    back = read_change("改成手机推送", found.after, HOME)
    assert isinstance(back, Change)
    assert back.after.rules == found.before.rules


def test_another_device_is_switched_by_the_name_of_its_command() -> None:
    for text in ("改成玄关的灯", "换成玄关灯", "灯改成玄关的灯", "关的灯换成玄关的", "客厅的灯换成玄关的灯"):
        (action,) = change("light", text).after.rules[0].plan.on_enter.actions
        assert (action.did, action.iid, action.value) == ("light_ent", "prop.on", False)
    assert unclear("light", "改成打开客厅灯").key == "update_unclear"
    assert unclear("light", "灯改成厨房的灯").key == "update_device_unknown"
    assert unclear("light", "改成手机推送").key == "update_no_telling"


def test_leaving_changes_nothing_unless_it_stops_the_time() -> None:
    assert not change("curtain", "离开不用管").after.rules[0].plan.on_exit
    assert not change("lamp", "离开不用关灯").after.rules[0].plan.on_exit
    assert unclear("light", "改成不关").key == "update_unclear"
    assert unclear("phone", "离开不用管").key == "update_exit_timed"


def test_being_in_the_picture_is_enough() -> None:
    assert change("mom", "改成在画面里就算").after.rules[0].plan.trigger.query == "妈妈的身体或面部出现在屋内画面中"


def test_what_is_told_and_what_the_task_is_called_are_taken_as_they_were_written() -> None:
    (rule,) = change("sit", "播报内容改成该起来走走了；别坐着").after.rules
    assert rule.plan.on_enter.descs == ("使用手机推送通知：该起来走走了，别坐着",)
    assert change("sit", "名字改成「别一直坐着，伤腰！」").after.description == "别一直坐着，伤腰！"
    assert change("daily", "提醒内容改成吃降压药").after.reminders[0].plan.message == "提醒用户吃降压药"


# Several at once, and nothing halfway


def test_several_wishes_are_all_carried_out() -> None:
    found = change("drink", "把喝水改成10杯，只看客厅，并且改用音箱播报")
    assert found.after.record is not None
    assert found.after.record.target == 10
    (rule,) = found.after.rules
    assert rule.plan.trigger.sources == ("cam_lr",)
    assert "音箱播报" in rule.plan.on_enter.descs[0]
    assert found.sentence.count("；") == 2


def test_what_is_no_more_may_stand_in_front_of_what_is_instead() -> None:
    assert change("drink", "别看书房了，只看客厅").after.rules[0].plan.trigger.sources == ("cam_lr",)
    assert "音箱播报" in change("sit", "不要推手机了，改用音箱").sentence


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("改成10杯，还有什么什么", "update_partly"),
        ("改成10杯，只看主卧", "update_camera_unknown"),
        ("改成10杯，改成11杯，改成12杯，改成13杯，改成14杯，改成15杯", "update_many"),
        ("改得好一点", "update_unclear"),
        ("音量改成50", "update_unclear"),
        ("10~12杯", "update_twice"),
        ("改成10杯，然后改成12杯", "update_twice"),
        ("改成八到十杯", "update_unclear"),
        ("改成10杯或12杯", "update_unclear"),
        ("改成10杯8", "update_unclear"),
        ("改成10杯水和2杯牛奶", "update_unclear"),
        ("如果下雨就改成10杯", "update_bound"),
        ("明天改成10杯", "update_bound"),
        ("从明天起改成10杯", "update_bound"),
        ("为什么改成10杯", "update_bound"),
        ("只看客厅和厨房", "update_camera_unknown"),
        ("不看客厅", "update_unclear"),
        ("不用提醒了", "update_unclear"),
        ("改成", "update_unclear"),
        ("", "update_unclear"),
        ("\x00\ud800", "update_unclear"),
        ("改成10杯" * 200, "update_long"),
    ],
)
def test_what_is_not_understood_whole_changes_nothing(text: str, key: str) -> None:
    assert unclear("drink", text).key == key


@pytest.mark.parametrize(
    "text", ["改成50分钟不提醒", "改成50分钟别算", "不要改成50分钟", "改成50分钟提醒李雷", "改成50分钟或者一小时"]
)
def test_a_word_that_turns_it_round_is_never_passed_over(text: str) -> None:
    assert isinstance(read_change(text, task("sit"), HOME), Unclear)


def test_what_is_so_already_is_said_and_changes_nothing() -> None:
    found = change("drink", "目标改成8杯")
    assert found.after == found.before
    assert found.sentence == "「妈妈每天喝8杯水，够了手机推送我」的目标本来就是 8 杯，没有改动"


def test_an_update_of_the_sample_is_understood_about_its_task() -> None:
    later_on = {
        "把喝水改成10杯": "drink",
        "久坐提醒从30分钟调到45分钟": "sit",
        "妈妈回家的播报换成手机推送": "mom",
        "那个没人关灯的 等10分钟再关": "light",
    }
    for text, name in later_on.items():
        found = change(name, text)
        assert found.after != found.before, text


SAID = (
    *("改成20次", "改成2小时", "改成每天累计1小时", "持续2分钟才算", "按周算", "改成9点和15点", "推迟一小时"),
    *("到6月20号", "长期", "改成客厅的灯", "离开不用管", "改成在画面里就算", "改成爸爸", "改成陌生人"),
    *("只看客厅", "所有摄像头都看", "改成音箱和手机都提醒"),
)


def test_whatever_is_changed_is_a_task_that_can_be_made_and_undone() -> None:
    """Of every task of the sample: its rules, conditions, jobs and record stay well formed."""
    for name, draft, home in sample():
        composed = compose(draft, site(home))
        stands = standing(composed.plan, home)
        for text in SAID:
            found = read_change(text, stands, home)
            if isinstance(found, Unclear):
                continue
            record = found.after.record
            assert record is None or read_content(record.kind.value, write_content(record)) == utc(record), (name, text)
            for one, written in zip(found.after.rules, composed.assembly["rules"], strict=True):
                assert make_plan(fields_of(one.plan)) == one.plan, (name, text)
                kind = "presence" if "画面" in text else written["query"]["kind"]
                wrong = [each for each in lint_condition(one.plan.trigger.query, kind) if each.level.value == "error"]
                assert wrong == [], (name, text, one.plan.trigger.query)
            assert all(job.plan.when.zone or job.plan.when.kind is not JobKind.CRON for job in found.after.jobs)
            assert 0 < len(found.after.description) <= 200


def utc(record: Content) -> Content:
    return replace(record, expires_at=record.expires_at.astimezone(UTC) if record.expires_at else None)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("light", "改成客厅和玄关", "客厅和玄关没人就关灯"),
        ("light", "所有摄像头都看", "家里没人就关灯"),
        ("lamp", "只看客厅", "妈妈回家就开灯"),
        ("today", "到6月20号", "喝够8杯水手机提醒我（到6月20日当天）"),
        ("once", "改成每天早上8点", "每天早上8点提醒我吃药"),
        ("drink", "按周算", "妈妈每周喝8杯水，够了手机推送我"),
    ],
)
def test_the_description_says_what_the_task_became(name: str, text: str, words: str) -> None:
    assert change(name, text).after.description == words


JUNK = (
    "把将改成为到换调10八半杯次分钟小时点号周月天每只看所有摄像头客厅妈妈任何人长期手机音箱不用离开间隔目标累计持续"
    "，。「」 {}%\\"
)


def test_no_words_break_the_reader_and_every_answer_can_be_shown() -> None:
    chance = random.Random(7)
    tasks = [task(name) for name in TASKS]
    for _ in range(1500):
        text = "".join(chance.choice(JUNK) for _ in range(chance.randint(0, 40)))
        found = read_change(text, chance.choice(tasks), HOME)
        if isinstance(found, Unclear):
            assert "\n" not in str(BadInput(found.key, **found.values))
        else:
            assert found.sentence


@pytest.mark.parametrize("unit", ["9", "改成", "一个半小时", "到", "客厅", "10分钟", "早上9点", "不"])
def test_a_sentence_of_the_longest_kind_is_read_at_once(unit: str) -> None:
    for name in ("drink", "sit", "daily"):
        read_change((unit * LONGEST_TEXT)[:LONGEST_TEXT], task(name), HOME)


def test_a_camera_whose_name_looks_like_an_id_is_understood() -> None:
    eyes = tuple(replace(eye, name=f"front_door_{number}", room="") for number, eye in enumerate(HOME.cameras))
    home: Home = replace(HOME, cameras=eyes)
    draft = drafted("家里有人摔倒就推送我手机", home)
    composed = compose(draft, site(home))
    assert [found.id for found in composed.findings] == []
    phrase = dict(phrases(composed))["source_broadcast"]
    found = read_change(phrase, standing(composed.plan, home), home)
    assert isinstance(found, Change)
    assert found.after.rules[0].plan.trigger.sources == ("cam_lr",)
