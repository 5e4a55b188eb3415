"""The machine contract: a line in, a line out; a line that cannot be used is answered, and the others go on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zhixing.notices.batch import LONGEST_LINE, understand_lines

GOOD: dict[str, Any] = {
    "id": "a",
    "text": "明天下午3点参加会议，提前10分钟提醒我",
    "source": "direct",
    "submittedAt": "2026-10-12T10:00:00+08:00",
    "tz": "Asia/Shanghai",
    "messageDate": None,
    "entry": "schedule",
}


def answered(*lines: object) -> list[dict[str, Any]]:
    written = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    return [json.loads(found) for found in understand_lines(written)]


def line(**changes: object) -> dict[str, object]:
    return {**GOOD, **changes}


def without(*names: str) -> dict[str, object]:
    return {name: value for name, value in GOOD.items() if name not in names}


def is_chinese(words: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in words)


def test_a_line_is_answered_in_the_words_of_the_contract():
    assert answered(GOOD) == [
        {
            "id": "a",
            "outcome": "scheduled",
            "question": None,
            "nodes": [
                {
                    "kind": "start",
                    "at": "2026-10-13T15:00:00+08:00",
                    "precision": "minute",
                    "expression": "明天下午3点",
                    "evidence": "明天下午3点参加会议",
                    "leadMinutes": 10,
                }
            ],
            "reminders": [{"at": "2026-10-13T14:50:00+08:00", "reason": "lead"}],
            "why": "planned",
        }
    ]


def test_a_question_carries_its_kind_its_prompt_and_its_options():
    (found,) = answered(line(text="明天三点半开会"))
    assert found["question"] == {
        "kind": "meridiem",
        "prompt": "是上午还是下午？",
        "options": [
            {"value": "03:30", "label": "凌晨3:30"},
            {"value": "15:30", "label": "下午3:30"},
            {"value": "other", "label": "其他"},
        ],
    }
    assert (found["outcome"], found["reminders"], found["nodes"]) == ("needs_confirmation", [], [])


def test_a_bare_date_is_written_as_a_date_and_what_is_due_soon_as_asap():
    (found,) = answered(line(text="今天交报告"))
    assert [(node["at"], node["precision"]) for node in found["nodes"]] == [("2026-10-12", "date")]
    assert "leadMinutes" not in found["nodes"][0]
    assert found["reminders"] == [{"at": "asap", "reason": "date_asap"}]


def test_instants_are_written_with_the_offset_of_the_zone_of_input():
    (found,) = answered(line(text="今晚八点提醒我打电话", submittedAt="2026-10-12T17:00:00Z", tz="America/Los_Angeles"))
    assert found["reminders"] == [{"at": "2026-10-12T20:00:00-07:00", "reason": "specified"}]


def test_only_text_time_and_zone_are_needed():
    (found,) = answered(without("id", "source", "messageDate", "entry"))
    assert (found["id"], found["outcome"]) == (None, "scheduled")


@pytest.mark.parametrize("identity", ["a", "", "编号", 7, 0, None])
def test_the_identity_is_given_back_as_it_came(identity: object):
    (found,) = answered(line(id=identity))
    assert found["id"] == identity


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"entry": "note"}, "no_reminder"),
        ({"source": "image"}, "needs_model"),
        ({"source": "quote"}, "needs_model"),
        ({"source": "voice"}, "scheduled"),
        ({"source": "paste"}, "needs_confirmation"),
        ({"source": "share", "messageDate": "2026-10-12"}, "scheduled"),
        ({"source": "paste", "answers": [{"kind": "message_date", "value": "2026-10-12"}]}, "scheduled"),
        ({"now": "2026-10-14T10:00:00+08:00"}, "no_reminder"),
        ({"text": "买菜"}, "no_reminder"),
        ({"text": "每天提醒我喝水"}, "needs_model"),
        ({"text": "5月1日开会", "answers": [{"kind": "year", "value": 2027}]}, "scheduled"),
        ({"text": "5月1日开会", "answers": [{"kind": "year", "value": 2027.0}]}, "scheduled"),
        ({"text": "5月1日开会", "answers": [{"kind": "year", "value": "以后"}]}, "retryable_failure"),
        ({"answers": []}, "scheduled"),
        ({"answers": None, "now": None}, "scheduled"),
        ({"unknown": "field"}, "scheduled"),
    ],
)
def test_every_field_has_its_effect(changes: dict[str, object], outcome: str):
    (found,) = answered(line(**changes))
    assert found["outcome"] == outcome


BAD = {
    "broken json": '{"id": "a", "text": ',
    "no json": "明天下午3点开会",
    "a list": "[1, 2]",
    "a number": "7",
    "null": "null",
    "two objects": json.dumps(GOOD) + json.dumps(GOOD),
    "no text": without("text"),
    "no time": without("submittedAt"),
    "no zone": without("tz"),
    "an empty object": {},
    "text of a wrong type": line(text=7),
    "text that is null": line(text=None),
    "id of a wrong type": line(id=["a"]),
    "source of a wrong type": line(source=1),
    "answers of a wrong type": line(answers="2027"),
    "an answer without a value": line(answers=[{"kind": "year"}]),
    "an answer without a kind": line(answers=[{"value": "2027"}]),
    "an answer of a wrong type": line(answers=[{"kind": "year", "value": [2027]}]),
    "an unknown source": line(source="fax"),
    "an unknown entry": line(entry="calendar"),
    "an unknown zone": line(tz="Mars/Olympus"),
    "an empty zone": line(tz=""),
    "a zone that is a path": line(tz="../../etc/passwd"),
    "a zone that is a folder": line(tz="Asia"),
    "a zone with a null": line(tz="Asia/Shang\0hai"),
    "a time without an offset": line(submittedAt="2026-10-12T10:00:00"),
    "no time at all": line(submittedAt="昨天"),
    "an empty time": line(submittedAt=""),
    "a time before the first day": line(submittedAt="0001-01-01T00:00:00+08:00"),
    "a now without an offset": line(now="2026-10-12T10:00:00"),
    "a now that is no time": line(now="现在"),
    "a message date that is none": line(messageDate="10月12日"),
    "a message date that does not exist": line(messageDate="2026-02-30"),
    "a line that is too long": json.dumps(line(text="长" * LONGEST_LINE), ensure_ascii=False),
    "a half of a surrogate pair": '{"text": "\\ud800", "submittedAt": "2026-10-12T10:00:00+08:00", "tz": "UTC"}',
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_line_that_cannot_be_used_is_rejected_with_a_reason_and_the_others_go_on(name: str):
    before, found, after = answered(GOOD, BAD[name], line(id="b"))
    assert (found["outcome"], found["question"], found["nodes"], found["reminders"]) == ("rejected", None, [], [])
    assert is_chinese(found["why"])
    assert "\n" not in found["why"]
    assert len(found["why"]) < 300
    assert (before["id"], before["outcome"], after["id"], after["outcome"]) == ("a", "scheduled", "b", "scheduled")


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u3000"])
def test_an_empty_text_is_rejected(text: str):
    (found,) = answered(line(text=text))
    assert (found["id"], found["outcome"], found["reminders"]) == ("a", "rejected", [])


def test_a_text_of_20000_characters_is_taken_and_a_longer_one_is_not():
    taken, refused = answered(line(text="长" * 20_000), line(text="长" * 20_001))
    assert (taken["outcome"], refused["outcome"]) == (
        "no_reminder" if taken["why"] == "no_time" else "needs_model",
        "rejected",
    )


def test_a_rejected_line_gives_back_its_identity_where_it_could_be_read():
    assert [found["id"] for found in answered(line(tz="Mars/Olympus"), line(source="fax", id=7), "{")] == ["a", 7, None]


def test_a_line_of_the_longest_length_is_read():
    filler = LONGEST_LINE - len(json.dumps(line(unknown=""), ensure_ascii=False))
    whole = json.dumps(line(unknown="x" * filler), ensure_ascii=False)
    assert len(whole) == LONGEST_LINE
    assert [found["outcome"] for found in answered(whole, whole + " ")] == ["scheduled", "rejected"]


def test_blank_lines_are_passed_over():
    assert [found["id"] for found in answered("", GOOD, "  \n", line(id="b"), "\n")] == ["a", "b"]


def test_lines_are_answered_one_by_one_in_order():
    found = understand_lines(iter([json.dumps(line(id=number)) + "\n" for number in range(3)]))
    assert json.loads(next(found))["id"] == 0
    assert [json.loads(rest)["id"] for rest in found] == [1, 2]


def test_an_answer_is_one_line_of_utf8():
    (found,) = understand_lines([json.dumps(line(text="明天下午3点\u2028开会"))])
    assert b"\n" not in found
    assert "明天下午3点" in found.decode("utf-8")


def test_no_lines_yield_nothing():
    assert answered() == []
