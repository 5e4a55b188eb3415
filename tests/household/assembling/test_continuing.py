from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from zhixing.household.assembling.assembler import assemble
from zhixing.household.assembling.request import Camera, Device, Home, Person, Request

ZONE = ZoneInfo("Asia/Shanghai")
HOME = Home(
    persons=(Person("王强", "爸爸"), Person("李梅", "妈妈")),
    cameras=(Camera("cam_lr", "客厅摄像头", "客厅", True), Camera("cam_st", "书房摄像头", "书房", True)),
    devices=(Device("light_lr", "客厅吸顶灯", "客厅", "light"), Device("fan_st", "书房风扇", "书房", "fan")),
    tasks=(),
    sources=(),
    now=datetime(2026, 11, 14, 18, 30, tzinfo=ZONE),
    zone=ZONE,
)


def continued(text: str, **answers: str):
    found = assemble(Request(text, HOME, answers))
    return found.questions, found.drafts[0]


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        ("到8月31日", "2027-09-01T00:00:00+08:00"),
        ("8月底", "2027-09-01T00:00:00+08:00"),
        ("下个月底", "2027-01-01T00:00:00+08:00"),
        ("12月底", "2027-01-01T00:00:00+08:00"),
        ("两周", "2026-11-28T00:00:00+08:00"),
        ("3天", "2026-11-17T00:00:00+08:00"),
        ("这周", "2026-11-16T00:00:00+08:00"),
        ("到明天为止", "2026-11-16T00:00:00+08:00"),
    ],
)
def test_an_end_that_was_asked_for_is_taken_in_words(answer: str, end: str) -> None:
    questions, draft = continued("暑假期间客厅有人抽烟就推送手机", expiry=answer)
    assert "expiry" not in questions
    assert draft.expires_at == datetime.fromisoformat(end)
    assert draft.lifecycle.value == "temporary"


@pytest.mark.parametrize("answer", ["不知道", "昨天", "100年", "十三月底", "0天", ""])
def test_an_end_that_says_nothing_is_asked_again(answer: str) -> None:
    questions, _ = continued("暑假期间客厅有人抽烟就推送手机", expiry=answer)
    assert "expiry" in questions


def test_another_time_is_taken_for_one_that_is_past() -> None:
    questions, draft = continued("今天下午3点提醒我吃药", time="明天早上8点")
    assert questions == ()
    assert draft.schedule is not None
    assert draft.schedule.value.at == datetime.fromisoformat("2026-11-15T08:00:00+08:00")
    assert continued("今天下午3点提醒我吃药", time="今天中午")[0] == ("time",)


def test_a_device_is_taken_by_its_name() -> None:
    assert continued("客厅没人就关空调")[0] == ("device",)
    questions, draft = continued("客厅没人就关空调", device="书房风扇")
    assert questions == ()
    assert draft.device is not None
    assert draft.device.value == "fan_st"
    assert continued("客厅没人就关空调", device="冰箱")[0] == ("device",)


def test_a_camera_is_taken_by_its_name_or_room() -> None:
    assert continued("阳台有人抽烟就推送手机")[0] == ("camera_name",)
    for answer in ("书房", "书房摄像头", "看书房那个"):
        questions, draft = continued("阳台有人抽烟就推送手机", camera_name=answer)
        assert questions == ()
        assert draft.source is not None
        assert draft.source.value == ("cam_st",)
    assert continued("阳台有人抽烟就推送手机", camera_name="车库")[0] == ("camera_name",)
