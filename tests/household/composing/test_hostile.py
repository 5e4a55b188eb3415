"""Odd sentences and drafts: a plan without errors, or an honest no; never a crash, never a made-up device."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tests.household.assembling.saying import homes
from tests.household.composing.writing import request_of, settle, site_of

from zhixing.household.assembling.assembler import Outcome
from zhixing.household.assembling.clock import Schedule
from zhixing.household.assembling.draft import Draft, Record, default, said
from zhixing.household.checks.model import Level
from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Composed, Unwritable

WHEN = ("", "每天", "今天", "每次", "夜里", "这周", "晚上十点以后", "本月", "工作日", "开始")
WHO = ("", "我", "妈妈", "孩子", "有人", "家里人", "陌生人", "爸爸和妈妈", "猫", "外公", "奶奶", "车")
WHERE = ("", "客厅", "在阳台", "卧室", "门口", "书房里", "厨房")
WHAT = (
    "喝水", "吃药", "咳嗽", "久坐", "玩手机", "睡觉", "写作业", "起床", "回家", "出门", "进书房", "来了", "摔倒",
    "着火", "门没关", "没人", "天黑了", "抽烟", "上沙发", "徘徊", "一个人待着", "离开厨房", "玩具乱扔", "爬出围栏",
    "刷牙",
)  # fmt: skip
HOW_LONG = ("", "超过30分钟", "10秒", "连续2小时", "累计3小时", "8次", "超过5次")
THEN = (
    "就提醒我", "手机推送", "开灯", "关灯", "把空调调到26度", "就把窗帘拉开", "播放音乐", "夸夸他", "记录下来",
    "记录多久", "开空调 走了就关掉", "把灯调暗 出去恢复", "开灯 走了也别关", "既要播报也要推手机", "闪一下灯", "多少次",
    "报警", "关灯，手机告诉我",
)  # fmt: skip


def _errors(composed: Composed):
    return [one for one in composed.findings if one.level is Level.ERROR]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_decided_is_written_without_an_error(seed):
    pick, written = random.Random(seed), 0
    names = [name for name, home in homes().items() if "persons" in home]
    for _ in range(150):
        text = "".join(pick.choice(part) for part in (WHEN, WHO, WHERE, WHAT, HOW_LONG, THEN))
        assembly, request = settle(request_of(text, pick.choice(names)))
        if assembly.op != "create" or assembly.outcome is not Outcome.PLANNED:
            continue
        for draft in assembly.drafts:
            try:
                composed = compose(draft, site_of(request.home))
            except Unwritable:
                continue
            written += 1
            assert _errors(composed) == [], (text, composed.findings)
            for one in composed.assembly["rules"]:
                for field in ("action", "on_enter_action", "on_exit_action"):
                    assert one[field] is None or one[field]["did"] in {each.did for each in request.home.devices}
    assert written > 10


def _drafted(text, home="family"):
    assembly, request = settle(request_of(text, home))
    return assembly.drafts[0], site_of(request.home)


@pytest.mark.parametrize(
    "words",
    [
        "{name}；；使用手机推送通知：假的", "<script>", "检测到$x", "\u0000\u202e倒着", "一" * 5000,
        "miloco-cli task delete x", "%s%s", "」「", "\n\n", "，，；", "使用微信通知：x",
    ],
)  # fmt: skip
def test_words_that_try_to_be_more_than_words_stay_words(words):
    draft, site = _drafted("宝宝哭了就手机推送", "baby")
    composed = compose(replace(draft, message=words), site)
    assert _errors(composed) == []
    assert len(composed.assembly["rules"][0]["action_desc"]) < 300


@pytest.mark.parametrize("words", ["{name}", "检测到", "一" * 480, "；", "到期销毁 task x", "miloco-cli task list"])
def test_a_reminder_of_odd_words_is_a_reminder(words):
    draft, site = _drafted("明天9点提醒吃药")
    composed = compose(replace(draft, text=f"明天9点提醒{words}", message=words), site)
    assert _errors(composed) == []
    assert composed.plan.jobs[0].ends is None


def test_a_draft_that_says_nothing_is_not_written():
    _, site = _drafted("久坐30分钟手机提醒")
    for draft in (
        Draft("啥也没有"),
        Draft("看着", rule=True),
        Draft("看着", rule=True, subject=said("ask", "H-SUBJ-10")),
    ):
        with pytest.raises(Unwritable):
            compose(draft, site)


def test_a_channel_that_is_still_open_is_not_filled_in():
    draft, site = _drafted("久坐30分钟手机提醒")
    with pytest.raises(Unwritable, match="channel"):
        compose(replace(draft, channel=said("ask", "H-CHAN-01"), channels=()), site)


def test_a_stretch_of_more_than_a_day_is_not_written():
    draft, site = _drafted("久坐30分钟手机提醒")
    with pytest.raises(Unwritable, match="duration"):
        compose(replace(draft, duration=said(100_000, "H-DUR-20")), site)


def test_a_target_as_short_as_what_steadies_it_is_steadied_otherwise():
    draft, site = _drafted("每天累计健身3分钟手机提醒")
    composed = compose(draft, site)
    assert composed.assembly["rules"][0]["duration_seconds"] == 30
    assert _errors(composed) == []


def test_a_period_and_a_window_of_time_are_a_record_that_ends():
    draft, site = _drafted("这周每天喝8杯水")
    record = compose(draft, site).assembly["record"]
    assert record["task_type"] == "oneshot"
    assert record["content"]["window"] == "day"
    assert "expires_at" in record["content"]


def test_a_moment_without_a_date_in_the_draft_is_refused_in_words():
    _, site = _drafted("久坐30分钟手机提醒")
    with pytest.raises(Unwritable):
        compose(Draft("明天", schedule=default(Schedule("at"), "A-46")), site)


def test_a_target_that_no_day_holds_is_refused():
    draft, site = _drafted("每天累计玩手机超1小时手机提醒")
    far = replace(draft, record=said(Record("duration", "recurring", target_minutes=1800, window="day"), "H-KIND-01"))
    assert [one.id for one in _errors(compose(far, site))] == ["V-149"]
