"""What is over, impossible or beside the time of running is told (issue 5): nothing that was said is lost in silence.

`cases/over.jsonl` was written before the rules.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.drafting.saying import NOW, ZONE, drafted, rows, wish

from zhixing.documents.drafting.composing import Draft, draft
from zhixing.documents.drafting.recognising import find_pair, recognise
from zhixing.documents.drafting.stretches import stretches
from zhixing.documents.drafting.wanted import Recognised
from zhixing.language.text import normalise

OVER = rows("over")
MISSED = [row for row in OVER if "fault" in row]
COVERED = [row for row in OVER if "covers" in row]
TOLD = [row for row in OVER if "says" in row]
WANTED = [row["text"] for name in ("wanted", "wanted_later") for row in rows(name) if row.get("certain", True)]
PHRASES = [
    "昨天",
    "昨天早上8点",
    "前天晚上",
    "大前天",
    "上周五",
    "上周五下午3点",
    "上个月5号",
    "去年10月1日",
    "昨晚9点",
    "上个月",
    "今天早上8点",
    "今天",
    "明天",
    "明天早上8点",
    "后天下午3点",
    "大后天",
    "今晚8点",
    "下周三",
    "下周三上午10点",
    "下个月5号",
    "周五",
    "周五下午5点",
    "周末",
    "月底",
    "年底",
    "国庆节",
    "春节",
    "除夕",
    "清明节",
    "10月1日",
    "10月20日9点",
    "12月25日",
    "2027年1月1日",
    "2025年3月1日",
    "2月30日",
    "4月31日",
    "13月1日",
    "25点",
    "40号",
    "周八",
    "8点75分",
    "早上8点",
    "晚上",
    "傍晚",
    "下班前",
    "睡前",
    "半小时后",
    "三天后",
    "两周后",
    "8点",
    "每天",
    "每周一",
    "每月1号",
    "隔周",
    "每两小时",
    "工作日",
    "节假日",
    "过年",
    "回头",
    "有空",
]


@pytest.mark.parametrize("row", MISSED, ids=lambda row: row["text"])
def test_a_day_that_is_over_or_in_no_calendar_is_run_by_hand_and_named(row: dict[str, Any]) -> None:
    made = drafted(row["text"])

    assert made.recognised.timing.when == row["when"]
    assert [fault.key for fault in made.recognised.timing.faults] == [row["fault"]]
    assert any(row["words"] in warning for warning in made.warnings)


@pytest.mark.parametrize("row", COVERED, ids=lambda row: row["text"])
def test_what_a_product_is_about_is_kept_as_that(row: dict[str, Any]) -> None:
    found = wish(row["text"])

    assert (found.timing.when, found.timing.faults, found.covers) == (row["when"], (), row["covers"])


@pytest.mark.parametrize("row", TOLD, ids=lambda row: row["text"])
def test_a_year_that_was_taken_and_a_word_that_was_not_are_told(row: dict[str, Any]) -> None:
    made = drafted(row["text"])

    assert (made.recognised.timing.when, made.warnings) == (row["when"], ())
    assert any(row["says"] in tip for tip in made.tips)


def test_a_date_of_this_year_that_is_over_says_so() -> None:
    assert any("今年的「10月1日」已经过去" in tip for tip in drafted("10月1日给我写一份总结").tips)


@pytest.mark.parametrize("text", ["目前日报", "早上周报", "马上周报", "三天前天气", "下班前天天"])
def test_a_word_within_other_words_is_no_day(text: str) -> None:
    found = stretches(text, NOW.date())

    assert (found.covers, found.missed) == ((), ())


def _spots(text: str) -> list[int]:
    """Return where a time is said: before all, or before what is asked for."""
    asked = re.search("给我|帮我|替我|自动|生成|汇总|写", text)
    return [0] if asked is None else [0, asked.start()]


def _is_told(made: Draft, found: Recognised, phrase: str, start: int) -> bool:
    read = {place for first, last in found.timing.spans for place in range(first, last)}
    return (
        read.issuperset(range(start, start + len(phrase)))
        or phrase in found.covers
        or any(phrase in line for line in (*made.warnings, *made.tips))
    )


@given(st.sampled_from(WANTED), st.sampled_from(PHRASES), st.integers(0, 1))
def test_a_time_that_is_added_is_kept_to_or_named(text: str, phrase: str, which: int) -> None:
    start = _spots(text)[min(which, len(_spots(text)) - 1)]
    said = text[:start] + phrase + text[start:]
    found = recognise(said, now=NOW, zone=ZONE)
    pair = find_pair(normalise(said))
    if found is None or (pair is not None and pair.content[0] <= start and start + len(phrase) <= pair.content[1]):
        # A question, a deadline, or part of the product's own name.
        return
    made = draft(found, session_id="chat-1", now=NOW, zone=ZONE)

    assert _is_told(made, found, phrase, start)
