"""Rules and values in words."""

from __future__ import annotations

import pytest

from zhixing.faces.rule_words import action_text, amount, exact_text, level_text, plan_lines, single_line
from zhixing.kernel.moments import parse_instant, zone
from zhixing.tasks.rules.model import Agreement, DeviceAction, Mode, Plan, QuietSpan, Response, Trigger

NAMES = {
    "light": "客厅灯",
    "light prop.2.1": "on",
    "speaker": "音箱",
    "speaker action.5.1": "play-text",
    "cam": "客厅摄像头",
}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 秒"),
        (1, "1 秒"),
        (59, "59 秒"),
        (60, "1 分钟"),
        (90, "90 秒"),
        (299, "299 秒"),
        (300, "5 分钟"),
        (2190, "36 分钟 30 秒"),
        (3600, "1 小时"),
        (5400, "1 小时 30 分钟"),
        (86_399, "23 小时 59 分钟 59 秒"),
    ],
)
def test_an_amount_of_time_is_said_exactly(seconds, words):
    assert amount(seconds) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "true"),
        (False, "false"),
        (24.5, "24.5"),
        (26.0, "26"),
        (100, "100"),
        (None, "-"),
        ("你 好\n吗", "你 好 吗"),
    ],
)
def test_a_value_is_written_as_it_is_typed(value, words):
    assert level_text(value) == words


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (DeviceAction("light", "prop.2.1", value=False), "客厅灯 on → false"),
        (DeviceAction("light", "prop.2.2", value=50), "客厅灯 prop.2.2 → 50"),
        (DeviceAction("lamp", "prop.2.1", value=True), "lamp prop.2.1 → true"),
        (DeviceAction("speaker", "action.5.1", params=("欢迎回家", 2)), "音箱 play-text（欢迎回家、2）"),
        (DeviceAction("speaker", "action.5.2"), "音箱 action.5.2（）"),
    ],
)
def test_a_command_is_said_with_the_names_of_things(action, words):
    assert action_text(action, NAMES) == words


def test_an_event_rule_is_said_in_two_lines():
    trigger = Trigger("画面中无人", ("cam", "other"), Agreement.ALL, duration=300)
    plan = Plan("x", trigger, Response((DeviceAction("light", "prop.2.1", value=False),)))
    assert plan_lines(plan, NAMES) == [
        "看 客厅摄像头、other：“画面中无人”，要全部都这样，持续 5 分钟",
        "发生时：客厅灯 on → false",
    ]


def test_a_state_rule_says_everything_that_was_set():
    plan = Plan(
        "x",
        Trigger("看电视", mode=Mode.STATE),
        Response(descs=("开始计时", "再说一句")),
        Response(descs=("结束计时",)),
        Response(descs=("休息一下",)),
        exit_debounce=0,
        cooldown=600,
        quiet=(QuietSpan(22 * 60, 7 * 60), QuietSpan(12 * 60, 13 * 60 + 5)),
    )
    assert plan_lines(plan, {}) == [
        "看 所有启用的摄像头：“看电视”",
        "进入时：开始计时；再说一句",
        "离开 0 秒后：结束计时",
        "达标时：休息一下",
        "触发后 10 分钟内不再触发",
        "22:00–07:00、12:00–13:05 不触发",
    ]


def test_text_from_the_world_stays_on_one_line_and_has_an_end():
    assert single_line("a\n b\t c") == "a b c"
    assert len(single_line("好" * 1000)) == 200


def test_an_instant_is_named_to_its_fraction_where_it_has_one():
    china = zone("Asia/Shanghai")
    assert exact_text(parse_instant("2026-10-12T02:00:00Z"), china) == "2026-10-12 10:00:00"
    assert exact_text(parse_instant("2026-10-12T02:00:00.250Z"), china) == "2026-10-12 10:00:00.250000"
