"""The nine examples of the document: from the sentence, and the answer to the one question, to its commands."""

from __future__ import annotations

import pytest
from tests.household import examples
from tests.household.composing.writing import plan

LAMP = {"did": "light_lr", "iid": "prop.on", "value": False, "idempotent": True}
CURTAIN = {"did": "cur_lr", "iid": "prop.target-position", "value": 100, "idempotent": True}

SAID = {
    "fall": ("家里有人摔倒就报警", "A"),
    "curtain": ("起床后自动开窗帘", None),
    "medicine": ("明天 9 点提醒吃药", None),
    "drink_today": ("今天喝够 8 杯水提醒", "B"),
    "phone": ("每天累计玩手机超 1 小时提醒", "B"),
    "lights_off": ("客厅没人就关灯", None),
    "sitting": ("久坐 30 分钟提醒一下", "B"),
    "mother": ("妈妈回家就播放欢迎曲", None),
    "drink_daily": ("提醒我每天喝 8 杯水", "B"),
}
SUBJECTS = {"fall": "任何人", "lights_off": "画面", "mother": "妈妈", "drink_daily": "妈妈"}
OURS = {
    "fall": {"action_desc": "使用音箱播报通知：有人摔倒了，请马上查看"},
    "mother": {"on_enter_desc": "使用音箱播报通知：妈妈，欢迎回家"},
}
"""What we say in words of our own."""
HERE = {
    "curtain": {"on_enter_action": CURTAIN},
    "lights_off": {"action": LAMP, "source": ["cam_lr"]},
    "mother": {"source": ["cam_ent"]},
}
"""The devices of the home of the sample."""
SAME = (
    "name", "mode", "duration_seconds", "exit_debounce_seconds", "action", "action_desc", "on_enter_action",
    "on_enter_desc", "on_exit_action", "on_exit_desc", "on_target_desc",
)  # fmt: skip
MOTHER_ALONE = {
    "persons": [{"name": "李梅", "role": "妈妈"}],
    "cameras": [{"did": "cam_ent", "name": "玄关摄像头", "room_name": "玄关", "in_use": True}],
    "devices": [],
}


def _said(name):
    text, channel = SAID[name]
    return plan(text, MOTHER_ALONE if name == "drink_daily" else "h1", answers={"channel": channel} if channel else {})


@pytest.mark.parametrize("name", SAID)
def test_a_sentence_of_the_document_becomes_its_commands(name):
    document, composed = getattr(examples, name)(), _said(name)
    ours = composed.assembly
    assert ours["task"]["task_id"] == document["task"]["task_id"]
    assert ours["task"]["lifecycle"] == document["task"]["lifecycle"]
    assert (ours["record"] is None) == (document.get("record") is None)
    assert len(ours["rules"]) == len(document.get("rules", ()))
    for mine, written in zip(ours["rules"], document.get("rules", ()), strict=True):
        theirs = {**written, **OURS.get(name, {}), **HERE.get(name, {})}
        assert {field: mine[field] for field in SAME} == {field: theirs.get(field) for field in SAME}
        assert mine["source"] == theirs.get("source")
        assert mine["query"]["text"].startswith(SUBJECTS.get(name, "用户"))


@pytest.mark.parametrize("name", ["drink_today", "phone", "drink_daily"])
def test_a_record_has_the_content_of_the_document(name):
    theirs = getattr(examples, name)()["record"]
    mine = _said(name).assembly["record"]
    assert mine["kind"] == theirs["kind"]
    expected = dict(theirs["content"])
    if "expires_at" in expected:
        expected["expires_at"] = "2026-06-13T00:00:00+08:00"  # 24:00 of the day it was said (A-12)
    assert mine["content"] == expected


@pytest.mark.parametrize("name", ["medicine", "drink_today", "drink_daily"])
def test_the_jobs_of_the_clock_are_those_of_the_document(name):
    theirs, mine = getattr(examples, name)()["schedules"], _said(name).assembly["schedules"]
    assert len(mine) == len(theirs)
    for one, other in zip(mine, theirs, strict=True):
        for field in ("name", "kind", "message", "purpose"):
            assert one[field] == other[field]
        assert one["expr"] == other.get("expr")
        assert one["tz"] == other.get("tz")


def test_the_moments_of_the_document_are_the_home_s():
    assert _said("medicine").assembly["schedules"][0]["at"] == "2026-06-13T09:00:00+08:00"
    end = _said("drink_today").assembly
    assert end["task"]["expires_at"] == end["schedules"][1]["at"] == "2026-06-13T00:00:00+08:00"


def test_parts_are_made_in_the_order_that_a_target_needs():
    assert _said("phone").assembly["steps"] == ["task", "record", "rule:0"]
    steps = _said("drink_today").assembly["steps"]
    assert steps == ["task", "record", "cron:0", "link:0", "cron:1", "link:1", "rule:0"]
