"""Answers to a draft that is shown: saved, changed, dropped, or not understood and nothing happens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.drafting.saying import NOW, ZONE, drafted

from zhixing.documents.drafting.changing import Answered, Changed, Dropped, NotUnderstood, Saved, answered
from zhixing.documents.drafting.composing import Draft
from zhixing.documents.drafting.details import MOST_PARTS
from zhixing.documents.drafting.wanted import decode, encode
from zhixing.documents.model import Declared, Deliver, Kind, Standing
from zhixing.kernel.wording import wording

SAID = "工作日早上 8 点给我写一份日报"


def answer(words: str, said: str = SAID) -> Answered:
    return answered(drafted(said), words, now=NOW, zone=ZONE)


def changed(words: str, said: str = SAID) -> Draft:
    found = answer(words, said)
    assert isinstance(found, Changed), found
    return found.draft


@pytest.mark.parametrize(
    "words", ["A", "a", "Ａ", "A 保存并启用", "保存", "保存并启用", "好", "好的", "可以", "就这样", "启用吧", "确认"]
)
def test_it_is_saved_and_enabled(words: str) -> None:
    assert answer(words) == Saved(Standing.ENABLED)


@pytest.mark.parametrize(
    "words", ["B", "b", "B 先存着（paused）", "先存着", "先存着，别启用", "保存但不启用", "暂存", "paused"]
)
def test_it_is_kept_paused(words: str) -> None:
    assert answer(words) == Saved(Standing.PAUSED)


@pytest.mark.parametrize("words", ["C", "c", "C 不要了", "不要了", "算了", "取消", "不用了", "删掉"])
def test_it_is_dropped(words: str) -> None:
    assert answer(words) == Dropped()


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("改成9点", "0 9 * * 1-5"),
        ("晚上9点", "0 21 * * 1-5"),
        ("改到下午6点半", "30 18 * * 1-5"),
        ("改成每天8点", "0 8 * * *"),
        ("改成每周五下午5点", "0 17 * * 5"),
        ("时间改成每两小时", "0 */2 * * *"),
        ("改成明天早上8点", "time:2026-10-13T08:00:00+08:00"),
        ("改成手动", "@manual"),
        ("手动运行", "@manual"),
    ],
)
def test_another_time(words: str, when: str) -> None:
    assert changed(words).recognised.timing.when == when


def test_a_time_that_was_answered_asks_for_nothing_more() -> None:
    assert not any("没有说几点" in tip for tip in changed("改成9点", "每天给我写一份日报").tips)


def test_an_hour_of_one_day_stays_on_that_day() -> None:
    assert changed("改成10点", "明天早上8点给我写一份简报").recognised.timing.when == "time:2026-10-13T10:00:00+08:00"


def test_another_title() -> None:
    made = changed("标题叫「晨间/日报」")

    assert made.definition.title == "晨间 日报"
    assert not any("标题是自动起的" in tip for tip in made.tips)


def test_parts_are_added_and_left_out() -> None:
    made = changed("加上天气和日程，不要明日计划")

    assert "必须包含：天气、日程" in made.definition.body
    assert "「明日计划」" not in made.definition.body


def test_a_part_that_was_added_and_is_not_wanted_any_more_is_not_asked_for() -> None:
    made = answered(changed("加上天气和日程"), "去掉天气", now=NOW, zone=ZONE)
    assert isinstance(made, Changed)
    assert (made.draft.recognised.wants, made.draft.recognised.avoids) == (("日程",), ("天气",))
    again = answered(made.draft, "加上天气", now=NOW, zone=ZONE)
    assert isinstance(again, Changed)
    assert (again.draft.recognised.wants, again.draft.recognised.avoids) == (("日程", "天气"), ())


@pytest.mark.parametrize("change", ["加上第{}节", "不要第{}节", "根据 part{}.md"])
def test_a_draft_does_not_grow_without_end(change: str) -> None:
    draft = drafted(SAID)
    for number in range(MOST_PARTS + 1):
        found = answered(draft, change.format(number), now=NOW, zone=ZONE)
        if isinstance(found, NotUnderstood):
            break
        assert isinstance(found, Changed)
        draft = found.draft

    assert found == NotUnderstood(change.format(number), "parts_many")


def test_it_becomes_a_script_with_the_command_that_was_said() -> None:
    made = changed("用脚本 `df -h`")

    assert made.definition.kind is Kind.SCRIPT
    assert made.definition.body.strip().endswith("\ndf -h")


def test_without_a_command_it_becomes_no_script() -> None:
    assert answer("用脚本") == NotUnderstood("用脚本", "script_without_command")


def test_it_is_sent_elsewhere_or_nowhere() -> None:
    assert changed("发到 tg-123").definition.session_id == "tg-123"
    assert changed("不用发给我").definition.deliver is Deliver.NONE


def test_a_source_is_given() -> None:
    made = changed("根据 notes.md")

    assert made.definition.paths == (Declared("notes.md"),)
    assert not any("资料来源" in tip for tip in made.tips)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("不超过200字", "长度：至多 200 字"),
        ("用英文", "语言：英文"),
        ("用韩语", "语言：韩语"),
        ("做成表格", "格式：Markdown 表格"),
        ("覆盖昨天", "覆盖的时间：昨天"),
    ],
)
def test_length_language_form_and_stretch(words: str, line: str) -> None:
    assert line in changed(words).definition.body


def test_several_changes_at_once() -> None:
    made = changed("改成每周五下午5点，标题叫周末总结，加上天气")

    assert (made.definition.title, made.recognised.timing.when) == ("周末总结", "0 17 * * 5")
    assert made.recognised.wants == ("天气",)


@pytest.mark.parametrize(
    "words",
    [
        "今天天气怎么样",
        "嗯？",
        "改成9点，乱七八糟",
        "改成隔周周五",
        "改成昨天8点",
        "发到",
        "标题叫 / ",
        "好不好",
        "",
        " ",
        "改" * 600,
    ],
)
def test_what_is_not_understood_changes_nothing_and_is_told_in_one_line(words: str) -> None:
    found = answer(words)

    assert isinstance(found, NotUnderstood)
    assert "\n" not in wording(f"drafting.{found.reason}", "zh", words=found.words)


def test_a_script_has_no_sections_to_add_to() -> None:
    assert isinstance(answer("加上天气", "每天执行 `df -h`"), NotUnderstood)


_BEGUN = st.sampled_from(["改成9点", "加上", "标题叫", "A", "，", "根据", "用脚本 `"])
_NEARLY = st.tuples(_BEGUN, st.text(max_size=8)).map("".join)


@given(st.text(max_size=30) | _NEARLY)
def test_any_answer_leaves_a_draft_that_can_be_kept(words: str) -> None:
    found = answer(words)

    if isinstance(found, Changed):
        made = found.draft
        assert decode(encode(made.recognised)) == made.recognised
        assert made.definition.title
        assert made.definition.body.strip()
