"""What a cron job's message asks for."""

from __future__ import annotations

import pytest

from zhixing.household.descs import Medium, Notification
from zhixing.household.doing.wishes import (
    EndTask,
    Judge,
    Notify,
    Remind,
    Sometimes,
    SumUp,
    Switch,
    Turn,
    UrgeOn,
    read_message,
)


@pytest.mark.parametrize(
    "text",
    [
        "到期销毁 task drink_8_today",
        "到期销毁task drink_8_today。",
        "到期删除任务「drink_8_today」",
        "到期终止：drink_8_today",
    ],
)
def test_the_end_of_a_task(text):
    assert read_message(text) == EndTask("drink_8_today")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("提醒用户吃药", "吃药"),
        ("提醒我吃药。", "吃药"),
        ("提醒吃药", "吃药"),
        ("请提醒大家：开会", "开会"),
        ("到点提醒用户喝水", "喝水"),
        ("提醒妈妈喝水", "妈妈喝水"),
        ("提醒 爸爸 吃药", "爸爸 吃药"),
        ("提醒用户检查门窗", "检查门窗"),
        ("提醒用户看看煤气关了没有", "看看煤气关了没有"),
        ("提醒用户关电热毯", "关电热毯"),
        ("提醒用户打疫苗", "打疫苗"),
        ("提醒用户查看有没有快递", "查看有没有快递"),
        ("提醒用户确认孩子是否写完作业", "确认孩子是否写完作业"),
        ("提醒用户打开窗户通风", "打开窗户通风"),
        ("提醒用户开会并做记录", "开会并做记录"),
        ("提醒用户吃药，然后量血压", "吃药，然后量血压"),
        ("提醒用户若干事项", "若干事项"),
    ],
)
def test_a_reminder(text, told):
    assert read_message(text) == Remind(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("使用音箱播报通知：该起床了", [(Medium.SPEAKER, "该起床了")]),
        ("使用手机推送通知：如果下雨记得带伞", [(Medium.PHONE, "如果下雨记得带伞")]),
        ("使用 AI 对话通知：开会", [(Medium.CHAT, "开会")]),
        ("使用手机推送通知：开会；使用音箱播报通知：开会", [(Medium.PHONE, "开会"), (Medium.SPEAKER, "开会")]),
    ],
)
def test_what_is_told_through_what_is_named(text, told):
    assert read_message(text) == Notify(tuple(Notification(medium, words) for medium, words in told))


@pytest.mark.parametrize(
    ("text", "what", "media"),
    [
        ("汇总爷爷咳嗽的次数，用手机推送告诉用户", "爷爷咳嗽", (Medium.PHONE,)),
        ("汇总看电视的时长，告诉用户", "看电视", ()),
        ("汇总爷爷、奶奶咳嗽的次数，用音箱播报和用 AI 对话告诉用户", "爷爷、奶奶咳嗽", (Medium.SPEAKER, Medium.CHAT)),
    ],
)
def test_what_a_record_has_come_to(text, what, media):
    assert read_message(text) == SumUp(what, media)


@pytest.mark.parametrize(
    ("text", "turn", "wish"),
    [
        ("若今天是本月最后一天，提醒用户记账", Turn.LAST_DAY, Remind("记账")),
        ("隔一周一次：若上周没有提醒过，提醒用户交周报", Turn.OTHER_WEEK, Remind("交周报")),
    ],
)
def test_what_no_expression_can_say(text, turn, wish):
    assert read_message(text) == Sometimes(turn, wish)


@pytest.mark.parametrize(
    ("text", "commands", "told"),
    [
        ("打开主卧窗帘", 1, 0),
        ("请把客厅空调调到 26 度。", 1, 0),
        ("关掉客厅灯；关掉客厅空调", 2, 0),
        ("拉开主卧窗帘；使用音箱播报通知：早上好", 1, 1),
        ("拉开主卧窗帘；提醒用户吃药", 1, 1),
        ("提醒用户吃药；关掉客厅灯", 1, 1),
    ],
)
def test_commands_to_devices(text, commands, told):
    wish = read_message(text)
    assert isinstance(wish, Switch)
    assert (len(wish.orders), len(wish.notifications) + len(wish.reminders)) == (commands, told)


@pytest.mark.parametrize(
    "text",
    [
        "调 miloco-cli task record get drink_8_today，按 derived.remaining 决定是否催",
        "调用 miloco-cli task record get drink_8_today, 根据 remaining 判断是否提醒",
        "miloco-cli task record get drink_8_today --pretty；按derived.remaining决定要不要催一下。",
    ],
)
def test_urging_by_what_is_missing(text):
    assert read_message(text) == UrgeOn("drink_8_today")


@pytest.mark.parametrize(
    ("text", "tellable"),
    [
        ("提醒", True),
        ("提醒用户喝水，如果还没达标", True),
        ("提醒用户根据天气带伞", True),
        ("提醒用户吃药；然后关灯", True),
        ("提醒用户吃药并关灯", True),
        ("检查窗户有没有关", True),
        ("看看天气，下雨就提醒带伞", True),
        ("不要提醒用户吃药", True),
        ("取消提醒", True),
        ("到期销毁 task Drink 8", True),
        ("到期提醒 task drink_8_today", True),
        ("销毁 task drink_8_today", True),
        ("到期销毁 task a 和 task b", True),
        ("调 miloco-cli task record get drink，按 derived.remaining 决定是否催并关灯", False),
        ("调 miloco-cli task delete drink，按 derived.remaining 决定是否催", False),
        ("调 miloco-cli task record get drink", False),
        ("提醒用户 ${name} 吃药", False),
        ("提醒" + "很长" * 60, True),
        ("提醒用户要是下雨就收衣服", True),
        ("提醒用户吃药，没回应就再提醒一次", True),
        ("提醒用户吃药，再把灯关了", True),
        ("提醒用户直到他起床", True),
        ("提醒用户除非下雨都去跑步", True),
        ("提醒用户看情况带伞", True),
        ("提醒用户按天气决定穿什么", True),
        ("若已达标，使用手机推送通知：休息", True),
        ("计数加一；使用手机推送通知：休息", True),
        ("如果没人就关掉客厅灯", True),
        ("若今天是本月最后一天，看看账单", True),
        ("若今天是本月最后一天，若今天是本月最后一天，提醒用户记账", True),
        ("别打开客厅灯", True),
        ("打开客厅灯；看看天气", True),
        ("；".join(["打开客厅灯", "关掉客厅灯"] * 3), True),
        ("打开" + "客" * 200, True),
        ("", False),
        ("；；；", True),
    ],
)
def test_everything_else_is_for_somebody_with_judgement(text, tellable):
    wish = read_message(text)
    assert isinstance(wish, Judge)
    assert wish.tellable is tellable
