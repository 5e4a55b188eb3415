"""Which sentences ask for a product or a script (issue 5), and which belong to the other ways.

`cases/wanted.jsonl` and `others.jsonl` were written before the rules, `*_later.jsonl` after them and before they were
run on them. What was changed afterwards are expectations that turned out to be wrong.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.drafting.saying import NOW, ZONE, rows, wish

from zhixing.documents.drafting.recognising import LONGEST_WISH, is_document, needs_model, recognise
from zhixing.documents.drafting.wanted import decode, encode, when_of

TESTS = Path(__file__).parents[2]
WANTED = [row for name in ("wanted", "wanted_later") for row in rows(name) if row.get("certain", True)]
UNCERTAIN = [row["text"] for row in rows("wanted") if not row.get("certain", True)]
OTHERS = [row["text"] for name in ("others", "others_later") for row in rows(name)]
OTHER_WAYS = [
    json.loads(line)["text"]
    for file in ("notices/cases/notices.jsonl", "household/cases/requests.jsonl")
    for line in (TESTS / file).read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("row", WANTED, ids=lambda row: row["text"])
def test_a_wish_for_a_product_is_read_with_its_kind_product_and_time(row: dict[str, Any]) -> None:
    found = wish(row["text"])
    when = "not_cron" if found.timing.faults else found.timing.when.removeprefix("@").removeprefix("time:")

    assert (found.kind.value, when) == (row["kind"], row["when"])
    assert row["product"] in found.topic + found.product


@pytest.mark.parametrize("text", OTHERS)
def test_what_asks_for_no_product_is_left_to_the_other_ways(text: str) -> None:
    assert not is_document(text)


def test_no_case_of_the_other_ways_becomes_a_document_task() -> None:
    assert len(OTHER_WAYS) > 400
    assert [text for text in OTHER_WAYS if is_document(text)] == []


@pytest.mark.parametrize("text", [*UNCERTAIN, "今晚8点写报告", "明天下午写论文", "帮我看看最近的新论文"])
def test_what_people_write_themselves_as_well_is_asked_of_a_model(text: str) -> None:
    assert not is_document(text)
    assert needs_model(text)


@pytest.mark.parametrize(
    "text", ["提醒我写日报", "客厅没人就关灯", "今天天气怎么样", "日报写了吗", "把日报任务删掉", "帮我买菜", "", "你好"]
)
def test_what_is_certainly_none_needs_no_model(text: str) -> None:
    assert not needs_model(text)


@pytest.mark.parametrize("text", ["每天备份", "每天跑一下脚本", "定时执行脚本", "运行一下程序", "执行命令"])
def test_a_command_is_never_made_up(text: str) -> None:
    assert not is_document(text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("每天执行 `df -h`", "df -h"),
        ("每天凌晨3点运行 backup.sh", "backup.sh"),
        ("定时每天23点执行 rsync -a ~/docs nas:docs", "rsync -a ~/docs nas:docs"),
        ("每天8点跑 `df -h | tail -n +2`，发给我", "df -h | tail -n +2"),
        ("每天8点执行 ```\nset -x\ndate\n```", "set -x\ndate"),
        ("每天８点执行 `echo １`", "echo １"),
    ],
)
def test_a_command_is_taken_as_it_was_written(text: str, command: str) -> None:
    assert wish(text).command == command


def test_a_sentence_that_is_too_long_is_not_looked_at() -> None:
    assert not is_document("给我写一份日报" + "，要详细" * LONGEST_WISH)


def test_what_the_words_say_beside_the_product_is_kept() -> None:
    found = wish("每天18:00根据 notes.md 用英文写一份不超过300字的项目日报，要有进展、风险和计划，不要表格")

    assert (found.topic, found.product, found.sources, found.files) == ("项目", "日报", ("notes.md",), ("notes.md",))
    assert (found.language, found.length) == ("英文", "至多 300 字")
    assert (found.wants, found.avoids) == (("进展", "风险", "计划"), ("表格",))


def test_what_is_said_not_to_be_sent_is_kept() -> None:
    assert wish("每天上午10点半写进度简报，写完不用发给我").silent


_NEARLY = st.tuples(st.sampled_from([row["text"] for row in WANTED]), st.text(max_size=9)).map("".join)


@given(st.text(max_size=60) | _NEARLY)
def test_any_text_is_read_or_left_and_keeps_what_was_read(text: str) -> None:
    found = recognise(text, now=NOW, zone=ZONE)

    assert (found is not None) == is_document(text)
    assert not (found is not None and needs_model(text))
    if found is not None:
        assert decode(encode(found)) == found
        assert when_of(found.timing.when) == found.when
