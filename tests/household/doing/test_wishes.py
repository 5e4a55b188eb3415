"""What a cron job's message asks for."""

from __future__ import annotations

import pytest

from zhixing.household.doing.wishes import EndTask, Judge, Remind, UrgeOn, read_message


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
    ],
)
def test_a_reminder(text, told):
    assert read_message(text) == Remind(told)


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
    ],
)
def test_everything_else_is_for_somebody_with_judgement(text, tellable):
    wish = read_message(text)
    assert isinstance(wish, Judge)
    assert wish.tellable is tellable
