"""Which operation is meant, and which task (§1)."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import TASKS, decided

ABOUT = [
    ("H-OP-03", "我有哪些任务", "list", None),
    ("H-OP-03", "查看任务列表", "list", None),
    ("H-OP-03", "把停用的那些也列出来", "list", None),
    ("H-OP-04", "喝水任务今天触发几次", "logs", "drink_8_daily"),
    ("H-OP-04", "看下久坐提醒的触发记录", "logs", "sit_30min"),
    ("H-OP-05", "暂停喝水任务", "disable", "drink_8_daily"),
    ("H-OP-05", "久坐提醒先停两天", "disable", "sit_30min"),
    ("H-OP-06", "启用玩手机任务", "enable", "phone_time"),
    ("H-OP-06", "欢迎播报恢复一下", "enable", "mom_arrival"),
    ("H-OP-07", "把喝水改成10杯", "update", "drink_8_daily"),
    ("H-OP-07", "妈妈回家的播报换成手机推送", "update", "mom_arrival"),
    ("H-OP-08", "删除喝水任务", "delete", "drink_8_daily"),
    ("H-OP-08", "客厅关灯取消掉", "delete", "living_room_off"),
    ("A-64", "别再提醒我喝水了", "delete", "drink_8_daily"),
]
NEW = [
    "客厅有人空调开26度 人走了就调到28",  # 调到 changes no task
    "宝宝睡觉的时候把净化器调静音 醒了恢复",  # 恢复 enables none
    "记录阿姨洗了几次手 不用提醒",  # 不用提醒 deletes none
    "妈妈回家就开客厅灯 走了也别关",
    "儿子看电视超过1小时就关掉电视",
    "数一下儿子今天做了多少个俯卧撑",
]


@pytest.mark.parametrize("row", ABOUT, ids=[f"{row[0]}-{row[1]}" for row in ABOUT])
def test_an_operation_on_a_task(row) -> None:
    _, text, op, target = row
    found = decided(text, tasks=TASKS)
    assert (found["op"], found.get("target")) == (op, None if target is None else [target])


@pytest.mark.parametrize("text", NEW)
def test_words_of_an_operation_inside_a_new_task(text) -> None:
    assert decided(text, tasks=[])["op"] in ("create", None)


@pytest.mark.parametrize("text", ["删掉跑步任务", "把跑步任务停用", "启用那个任务"])
def test_a_task_that_is_not_there_is_none_of_the_others(text) -> None:
    assert decided(text, tasks=TASKS)["target"] == []


def test_everything_at_once_is_all_of_them_and_nothing_that_is_only_some() -> None:
    found = decided("删除所有任务", tasks=TASKS)
    assert (found["op"], found["target"]) == ("delete", [task["id"] for task in TASKS])
    assert decided("删除所有关于妈妈的任务", tasks=TASKS)["outcome"] == "needs_model"


@pytest.mark.parametrize("text", ["谢谢你啊", "你会做啥", "刚才谁回来了", "现在客厅有人吗", "开灯", "把客厅灯打开"])
def test_what_is_no_task(text) -> None:
    """A-66."""
    assert decided(text)["op"] in ("none", None)


def test_a_voice_message_is_what_it_says() -> None:
    """H-OP-09."""
    frame = "[感知引擎] 语音指令 来源=客厅摄像头 内容：{}"
    assert decided(frame.format("把喝水任务删了"), tasks=TASKS)["op"] == "delete"
    assert decided(frame.format("每天九点提醒我吃药"))["tasks"][0]["schedule"]["expr"] == "0 9 * * *"
