"""The machine contract: a line for a line, whatever comes in."""

from __future__ import annotations

import json
import time

import pytest
from tests.household.assembling.saying import FAMILY, NOW, homes

from zhixing.household.assembling.assembler import LONGEST_TEXT
from zhixing.household.assembling.batch import LONGEST_LINE, plan_lines


def line(text: str, name: str = "a", **more: object) -> str:
    context = {**homes()[FAMILY], "now": NOW, "tz": "Asia/Shanghai"}
    return json.dumps({"id": name, "text": text, "context": context, **more}, ensure_ascii=False)


def planned(*lines: str) -> list[dict]:
    return [json.loads(found) for found in plan_lines(lines)]


def test_answers_come_in_the_order_of_the_lines() -> None:
    found = planned(line("开灯", "1"), "", line("客厅没人就关灯", "2"), line("天马行空", "3"))
    assert [(each["id"], each["op"]) for each in found] == [("1", "none"), ("2", "create"), ("3", None)]


@pytest.mark.parametrize(
    "broken",
    [
        '{"id":"x"',
        "[1]",
        "null",
        '{"id":"x","text":"开灯"}',
        '{"id":"x","text":5,"context":{"now":"2026-06-12T15:20:00+08:00","tz":"Asia/Shanghai"}}',
        '{"id":"x","text":"a","context":{"now":"yesterday","tz":"Asia/Shanghai"}}',
        '{"id":"x","text":"a","context":{"now":"2026-06-12T15:20:00+08:00","tz":"Mars/Base"}}',
        '{"id":"x","text":"a","context":{"now":"2026-06-12T15:20:00+08:00","tz":"Asia/Shanghai","persons":[1]}}',
        '{"id":"x","text":"a","context":{"now":"2026-06-12T15:20:00+08:00","tz":"Asia/Shanghai","cameras":{}}}',
        '{"id":"x","text":"a","answers":[],"context":{"now":"2026-06-12T15:20:00+08:00","tz":"Asia/Shanghai","source_did":7}}',
        "[" * 100_000,
    ],
)
def test_a_line_that_cannot_be_used_says_so_and_the_next_one_counts(broken) -> None:
    found = planned(broken, line("开灯"))
    assert found[0]["outcome"] == "rejected"
    assert found[0]["why"]
    assert found[1]["op"] == "none"


def test_a_line_that_is_too_long_is_refused() -> None:
    assert planned(" " * LONGEST_LINE + line("开灯"))[0]["outcome"] == "rejected"


def test_a_text_that_is_no_sentence_is_left_to_a_model() -> None:
    assert planned(line("客厅没人就关灯" * LONGEST_TEXT))[0]["outcome"] == "needs_model"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00\u202e",
        "每" * 400,
        "一" * 400,
        "就提醒" * 120,
        "客厅" * 200,
        "9" * 400 + "点提醒我",
        "把" * 250 + "灯开" * 100,
        "半个半" * 130,
    ],
)
def test_hostile_text_is_answered_soon(text) -> None:
    began = time.perf_counter()
    assert planned(line(text))[0]["outcome"] in ("needs_model", "planned", "asked")
    assert time.perf_counter() - began < 2


def test_an_example_of_the_document_keeps_what_was_asked() -> None:
    asked = {"answers": {"channel": "A"}}
    assert planned(line("有人敲门就告诉我", "doc-1", **asked))[0]["questions"] == ["channel"]
    assert planned(line("有人敲门就告诉我", "ans-1", **asked))[0]["questions"] == []
