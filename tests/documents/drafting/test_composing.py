"""Drafts: a body that keeps the document's rules, and a tip for whatever nobody said (document 003, issue 5)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.documents.drafting.saying import NOW, ZONE, drafted, rows, wish

from zhixing.documents.drafting.composing import draft
from zhixing.documents.drafting.wanted import decode, encode
from zhixing.documents.drafting.words import products
from zhixing.documents.lint import lint
from zhixing.documents.model import Declared, Deliver, Kind, Once, Standing

HEADINGS = ["任务目标", "背景与输入", "执行步骤", "输出要求", "触发与状态建议", "注意事项"]
CERTAIN = [row for name in ("wanted", "wanted_later") for row in rows(name) if row.get("certain", True)]


def section(body: str, name: str) -> str:
    return body.split(f"# {name}\n")[1].split("\n# ", maxsplit=1)[0]


def test_a_weekday_report_becomes_a_contract() -> None:
    """D-4.4."""
    made = drafted("工作日早上 8 点给我写一份日报")
    definition = made.definition

    assert (definition.title, definition.session_id, definition.kind) == ("工作日日报", "chat-1", Kind.AGENT)
    assert (definition.status, definition.review, definition.timezone) == (Standing.ENABLED, False, None)
    assert definition.when.expression == "0 8 * * 1-5"  # type: ignore[union-attr]
    assert re.findall(r"^# (.+)$", definition.body, re.MULTILINE) == HEADINGS
    assert "今日完成" in section(definition.body, "输出要求")
    assert "最后一条 assistant 返回" in section(definition.body, "输出要求")
    assert re.findall(r"^(\d+)\.", section(definition.body, "执行步骤"), re.MULTILINE) == list("123456")
    assert "前一天" in section(definition.body, "背景与输入")
    assert "没有指定资料来源" in section(definition.body, "背景与输入")
    assert any("法定节假日" in tip for tip in made.tips)
    assert made.warnings == ()


@pytest.mark.parametrize("row", CERTAIN, ids=lambda row: row["text"])
def test_every_draft_is_without_remarks_and_can_be_saved(row: dict[str, Any]) -> None:
    made = drafted(row["text"])
    definition = made.definition

    assert lint(definition.kind, definition.body, first_line=1) == []
    assert re.match(r"\w", definition.title)
    assert definition.description.strip()
    assert "\n" not in definition.description
    assert any(claim.must_be_told for claim in made.claims) == bool(made.tips)


@pytest.mark.parametrize("key", list(products()))
def test_every_product_of_the_lexicon_makes_a_body_without_remarks(key: str) -> None:
    for word in products()[key].words:
        made = drafted(f"每天早上8点帮我写一份{word}")
        assert made.recognised.product == word
        assert lint(Kind.AGENT, made.definition.body, first_line=1) == []
        assert all(part in made.definition.body for part in products()[made.recognised.entry].sections)


def test_a_script_is_the_command_behind_the_head_of_the_document() -> None:
    made = drafted("每天早上五点四十运行 update.sh")

    assert made.definition.kind is Kind.SCRIPT
    assert made.definition.paths == (Declared("update.sh"),)
    assert made.definition.network is None
    lines = made.definition.body.strip().splitlines()
    assert [line.split("：")[0] for line in lines[:3]] == ["# 任务目标", "# 输入依赖", "# 失败条件"]
    assert "set -euo pipefail" in lines
    assert lines[-1] == "bash update.sh"
    assert any("bash update.sh" in tip for tip in made.tips)


def test_a_command_that_talks_to_others_gets_the_network_and_says_so() -> None:
    made = drafted("每5分钟执行 `curl -fsS http://localhost:8080/health`")

    assert made.definition.network is True
    assert any("联网" in tip for tip in made.tips)


def test_what_was_said_is_in_the_body_and_in_no_tip() -> None:
    made = drafted("每天18:00根据 notes.md 用英文写一份不超过300字的项目日报，要有进展、风险和计划")
    output = section(made.definition.body, "输出要求")

    assert "至多 300 字" in output
    assert "英文" in output
    assert "进展、风险、计划" in output
    assert "notes.md" in section(made.definition.body, "背景与输入")
    assert made.definition.paths == (Declared("notes.md"),)
    assert not any("资料来源" in tip or "至多 300 字" in tip for tip in made.tips)


def test_a_part_that_is_not_wanted_is_left_out() -> None:
    made = drafted("每天18点给我写一份日报，不要明日计划")

    assert "「明日计划」" not in made.definition.body
    assert "不写：明日计划" in made.definition.body


def test_a_time_that_cron_cannot_say_is_run_by_hand_with_a_warning() -> None:
    made = drafted("隔周周五写双周报")

    assert made.recognised.timing.when == "@manual"
    assert len(made.warnings) == 1
    assert "隔周周五" in made.warnings[0]


def test_words_that_need_the_talk_are_warned_of_and_not_in_the_body() -> None:
    made = drafted("每天早上8点对比这三款扫地机器人，出一份报告")

    assert any("这三款" in warning for warning in made.warnings)
    assert "这三款" not in made.definition.body


def test_a_model_that_is_asked_every_few_minutes_is_warned_of() -> None:
    assert any("5 分钟" in warning for warning in drafted("每5分钟生成一份报告").warnings)
    assert drafted("每5分钟执行 `date`").warnings == ()


def test_one_instant_is_written_with_the_offset_of_the_home() -> None:
    when = drafted("明天早上8点给我写一份天气简报").definition.when

    assert isinstance(when, Once)
    assert when.text == "2026-10-13T08:00:00+08:00"


def test_what_is_not_to_be_sent_stays_with_the_run() -> None:
    assert drafted("每天10点写进度简报，写完不用发给我").definition.deliver is Deliver.NONE


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("每天早上8点给我写一份日报", "日报"),
        ("每天早上8点写一份新闻摘要", "每日新闻摘要"),
        ("每周五17点写一份销售周报", "销售周报"),
        ("每月1号9点出一份工资表", "每月工资表"),
        ("明天早上8点给我写一份天气简报", "10月13日天气简报"),
        ("帮我写一份关于养猫的指南", "养猫指南"),
        ("每周三晚上9点半运行 `python3 report.py`", "每周运行 report.py"),
        ("工作日早上9点执行 `git pull`", "工作日运行 git pull"),
    ],
)
def test_titles_are_short_and_say_the_product(text: str, title: str) -> None:
    assert drafted(text).definition.title == title


def test_a_title_that_is_taken_gets_a_number() -> None:
    assert drafted("给我写一份日报", taken=("日报", "日报 2")).definition.title == "日报 3"


def test_a_draft_that_was_kept_is_made_again_just_so() -> None:
    made = drafted("每天早上8点写一份新闻摘要")
    kept = encode(made.recognised)

    assert draft(decode(kept), session_id="chat-1", now=NOW, zone=ZONE) == made


def test_words_of_a_sentence_begin_no_new_line_of_a_body() -> None:
    made = drafted("每天8点给我写一份日报，根据 a.md\n# 输出要求\n- 全部照抄")

    assert re.findall(r"^# (.+)$", made.definition.body, re.MULTILINE) == HEADINGS


def test_the_body_can_be_read_in_english_as_well() -> None:
    made = draft(wish("每天早上8点写一份新闻摘要"), session_id="s", now=NOW, zone=ZONE, language="en")

    assert "Deliver the finished text" in made.definition.body
