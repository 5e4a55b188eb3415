"""Tasks that exist already, and answers that continue a decision."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import COUPLE, FAMILY, decided, flat

OFF = {"id": "living_room_off", "description": "客厅没人关灯", "status": "active", "rule_briefs": []}


def paused(task):
    return {**task, "status": "paused"}


@pytest.mark.parametrize(
    ("text", "task", "asked"),
    [
        ("客厅没人就关灯", OFF, ["duplicate"]),
        ("客厅没人10分钟就关灯", OFF, ["duplicate"]),
        ("客厅没人就关灯", paused(OFF), ["paused"]),
        ("明天9点提醒吃药", {"id": "m", "description": "明天 9 点提醒吃药"}, ["duplicate"]),
        ("儿童房没人就关灯", OFF, []),  # another place
        ("客厅没人就关空调", OFF, []),  # another device
        ("客厅没人就推送", OFF, []),
        ("客厅有人就把灯的色温调到3000", {"id": "m", "description": "客厅有人就把灯的亮度调到50"}, []),  # H-DUP-07
        ("客厅有人就关灯", {"id": "m", "description": "客厅有人就开灯"}, ["duplicate"]),  # H-DUP-04
        ("明天10点提醒吃药", {"id": "m", "description": "明天 9 点提醒吃药"}, []),
        ("客厅没人就关灯", {"id": "m", "description": "不知所云"}, []),
    ],
)
def test_a_task_that_is_there_already(text, task, asked) -> None:
    """H-DUP-03 … H-DUP-06."""
    assert decided(text, tasks=[task])["questions"] == asked


def test_a_duplicate_is_cancelled_or_made_anyway() -> None:
    assert decided("客厅没人就关灯", tasks=[OFF], answers={"duplicate": "取消"})["tasks"] == []
    forced = flat("客厅没人就关灯", tasks=[OFF], answers={"duplicate": "强制新建"})
    assert (forced["outcome"], forced["mode"]) == ("planned", "event")


@pytest.mark.parametrize(("letter", "channel"), [("A", "speaker"), ("B", "phone"), ("C", "chat")])
def test_the_channel_is_answered(letter, channel) -> None:
    """H-CHAN-05."""
    found = flat("有人敲门就告诉我", answers={"channel": letter})
    assert (found["channel"], found["questions"], found["asked"]) == (channel, [], ["channel"])


def test_an_answer_to_what_was_not_asked_changes_nothing() -> None:
    assert flat("爸爸抽烟就播报", answers={"channel": "B"})["channel"] == "speaker"


def test_how_often_is_answered() -> None:
    """H-MODE-08, H-MODE-09."""
    each = flat("客厅有人就推送", answers={"trigger_frequency": "A"})
    assert (each["mode"], each["exit_debounce_seconds"], each["questions"]) == ("event", None, [])
    rarely = flat("客厅有人就推送", answers={"trigger_frequency": "B"})
    assert (rarely["mode"], rarely["exit_debounce_seconds"]) == ("state", 1800)


def test_who_is_answered() -> None:
    """H-SUBJ-10, H-SUBJ-14."""
    assert flat("外公咳嗽就推送", answers={"person": "B"})["subject"] == "任何人"
    assert flat("我坐满50分钟就推送", answers={"person": "妈妈"})["subject"] == "妈妈"
    assert flat("我坐满50分钟就推送", answers={"person": "不知道"})["questions"] == ["person"]


def test_where_is_answered() -> None:
    found = flat("阳台有人抽烟就推送", answers={"camera_name": "B"})
    assert (found["source"], found["questions"]) == (None, [])
    assert "source_broadcast" in found["tips"]


def test_the_viewpoint_is_answered() -> None:
    assert decided("妈妈回家就播报", COUPLE, answers={"viewpoint": "A"})["questions"] == []
    assert decided("妈妈回家就播报", COUPLE)["questions"] == ["viewpoint"]


def test_only_what_is_missing_is_asked_together() -> None:
    """A-57."""
    assert decided("陌生人来了告诉我", FAMILY)["questions"] == ["trigger_frequency", "channel"]
