"""Fields and body of a task.md are read strictly, and changed without touching anything else."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from zhixing.documents import frontmatter, yamlblock
from zhixing.documents.frontmatter import edit_frontmatter, plain_body, read_frontmatter, write_value
from zhixing.kernel.errors import BadInput, TooLarge

FILE = """---
title: 每日晨报   # 名字
# 工作日八点
when: '0 8 * * 1-5'
description: "写一份晨报"
sessionId: tg-4711
env:   # 变量
  - API_BASE
  - CITY # 城市
note: |
  第一行
  第二行

# 尾注
status:
x-own: [a, 'b']
---

# 任务目标

- 产出晨报
"""


def read(text: str) -> dict[str, object]:
    return dict(read_frontmatter(text).fields)


def complaint(text: str) -> str:
    with pytest.raises(BadInput) as caught:
        read_frontmatter(text)
    return str(caught.value)


def test_every_value_is_text_or_a_list_of_texts() -> None:
    assert read(FILE) == {
        "title": "每日晨报",
        "when": "0 8 * * 1-5",
        "description": "写一份晨报",
        "sessionId": "tg-4711",
        "env": ("API_BASE", "CITY"),
        "note": "第一行\n第二行\n",
        "status": "",
        "x-own": ("a", "b"),
    }


@pytest.mark.parametrize("value", ["yes", "0123", "12:30", "2026-03-08T10:30:00Z", "null", "~", "1e3"])
def test_nothing_is_taken_for_a_number_a_truth_or_a_date(value: str) -> None:
    assert read(f"---\ntitle: {value}\n---\n") == {"title": value}


@pytest.mark.parametrize("value", ["@manual", "@daily", "* * * * *", "*/5 8-10 * * *"])
def test_a_trigger_may_stand_without_quotes_as_the_document_writes_it(value: str) -> None:
    assert read(f"---\nwhen: {value}   # 时间\ntitle: a\n---\n") == {"when": value, "title": "a"}


def test_a_text_of_several_lines_that_looks_like_a_trigger_stays_as_it_is() -> None:
    assert read('---\nnote: "a\nwhen: *b"\nwhen: "1"\n---\n') == {"note": "a when: *b", "when": "1"}


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    front = read_frontmatter(FILE)
    assert (front.lines["title"], front.lines["x-own"], front.body_line) == (2, 16, 19)
    assert front.body.startswith("# 任务目标")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + FILE,
        "\n \n" + FILE,
        FILE.replace("\n", "\r\n"),
        FILE.replace("---\n", "---  \n"),
    ],
)
def test_marks_blank_lines_and_windows_line_ends_do_not_matter(text: str) -> None:
    assert read_frontmatter(text).fields["title"] == "每日晨报"
    assert plain_body(read_frontmatter(text).body) == "# 任务目标\n\n- 产出晨报"


@pytest.mark.parametrize("text", ["---\ntitle: a\n---", "---\ntitle: a\n---\n", "---\ntitle: a\n---\n \n\n"])
def test_a_body_may_be_missing(text: str) -> None:
    assert plain_body(read_frontmatter(text).body) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title: a\n", "第 1 行应是 ---"),
        ("", "第 1 行应是 ---"),
        ("---\ntitle: a\n", "没有结束"),
        ("---\n---\n", "没有字段"),
        ("---\n# 只有注释\n---\n", "没有字段"),
        ("---\n- a\n---\n", "第 2 行：两行 --- 之间"),
        ("---\n{title: a}\n---\n", "第 2 行：两行 --- 之间"),
        ("---\n只是一句话\n---\n", "第 2 行"),
        ("---\ntitle: a\ntitle: b\n---\n", "第 3 行又写了一次「title」，第 2 行"),
        ("---\ntitle: a\ndescription: b: c\n---\n", "第 3 行写法不对"),
        ("---\nwhen: @daily\ndescription: b: c\n---\n", "第 3 行写法不对"),
        ('---\ntitle: a\nnote: "b\n\n---\n', "第 3 行写法不对"),
        ("---\ntitle: &x a\n---\n", "第 2 行：不支持 YAML 的 & 和 *"),
        ("---\ntitle: *x\n---\n", "第 2 行：不支持 YAML 的 & 和 *"),
        ("---\ntitle: !!python/object:os.system a\n---\n", "第 2 行：不支持 YAML 的 ! 标签"),
        ("---\na: b\nnote:\n  deep: 1\n---\n", "「note」只能是一个值或一个列表"),
        ("---\nnote: [[a]]\n---\n", "「note」只能是一个值或一个列表"),
        ("---\n? a\n: b\n---\n", "第 2 行写法不对"),
        ("---\n[a]: b\n---\n", "第 2 行"),
        ("---\ntitle: a\n...\n---\n", "第 3 行写法不对"),
        ("---\ntitle: a\x07\n---\n", "第 2 行有看不见的控制字符"),
        ("---\ntitle: a\u2028b\n---\n", "第 2 行有看不见的控制字符"),
        ("---\ntitle: a\rb: c\n---\n", "第 2 行有看不见的控制字符"),
        ("---\ntitle: a\n---\n\x00", "NUL"),
        ("---\ntitle: \ud800\n---\n", "无法保存"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str) -> None:
    assert said in complaint(text)
    assert "\n" not in complaint(text)


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: a\n---\n" + "x" * frontmatter.LARGEST,
        "---\ntitle: a\n---\n" + "字" * (frontmatter.LARGEST // 3),
        "---\n" + "#" * yamlblock.LONGEST_BLOCK + "\ntitle: a\n---\n",
        "---\n" + "".join(f"k{n}: v\n" for n in range(yamlblock.MOST_FIELDS + 1)) + "---\n",
        "---\nenv: [" + "a, " * yamlblock.MOST_ITEMS + "a]\n---\n",
        "---\ntitle: " + "a" * (yamlblock.LONGEST_VALUE + 1) + "\n---\n",
    ],
)
def test_everything_has_a_bound(text: str) -> None:
    with pytest.raises(TooLarge):
        read_frontmatter(text)


def test_no_nesting_is_too_deep_to_be_refused() -> None:
    assert "不能再分层" in complaint("---\nnote: " + "[" * 20_000 + "\n---\n")


def test_a_change_touches_its_own_bytes_only() -> None:
    changed = edit_frontmatter(
        FILE,
        {
            "title": '早报: "新"',
            "when": None,
            "env": ("A",),
            "note": "短",
            "status": "paused",
            "timezone": "Asia/Tokyo",
        },
    )
    assert changed == (
        FILE.replace("每日晨报", '"早报: \\"新\\""')
        .replace("when: '0 8 * * 1-5'\n", "")
        .replace("env:   # 变量\n  - API_BASE\n  - CITY # 城市\n", 'env: ["A"]   # 变量 # 城市\n')
        .replace("|\n  第一行\n  第二行\n", '"短"\n')
        .replace("status:\n", 'status: "paused"\n')
        .replace("x-own: [a, 'b']\n", "x-own: [a, 'b']\ntimezone: \"Asia/Tokyo\"\n")
    )


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("a: 1\nb:\n- x\n- y\nc: 2\n", {"b": None}, "a: 1\nc: 2\n"),
        ("a: 1\nb:\n- x\n- y\nc: 2\n", {"b": "z"}, 'a: 1\nb: "z"\nc: 2\n'),
        ("a: 1\nb: [x,\n  y] # k\nc: 2\n", {"b": ()}, "a: 1\nb: [] # k\nc: 2\n"),
        ("  a: 1\n", {"b": "x"}, '  a: 1\n  b: "x"\n'),
        ("a: 1\nb: |+\n  x\n\n", {"c": "y"}, 'a: 1\nb: |+\n  x\n\nc: "y"\n'),
        ("a:\n  1\n", {"a": "2"}, 'a: "2"\n'),
        ("a: # k\n  1\n", {"a": "2"}, 'a: "2" # k\n'),
        ("a: 1\n", {"a": "1", "b": None}, "a: 1\n"),
        ("a: one\n  two # k\nb: 1\n", {"a": "x"}, 'a: "x" # k\nb: 1\n'),
        ("when: @daily # k\n", {"when": "@manual"}, 'when: "@manual" # k\n'),
        ("a: 1\n", {"on": "x"}, 'a: 1\n"on": "x"\n'),
    ],
)
def test_changes_fit_in_wherever_they_stand(before: str, changes: dict[str, object], after: str) -> None:
    assert edit_frontmatter(f"---\n{before}---\nbody\n", changes) == f"---\n{after}---\nbody\n"  # type: ignore[arg-type]


def test_windows_line_ends_stay_windows_line_ends() -> None:
    text = FILE.replace("\n", "\r\n")
    changed = edit_frontmatter(text, {"timezone": "Asia/Tokyo", "env": ("A",)}, "# 新\n\n- 一\n")
    assert "\n" not in changed.replace("\r\n", "")
    assert plain_body(read_frontmatter(changed).body) == "# 新\n\n- 一"


@pytest.mark.parametrize(
    ("text", "body", "after"),
    [
        ("---\na: 1\n---\n\nold\n\n", "old", "---\na: 1\n---\n\nold\n\n"),
        ("---\na: 1\n---\n\n\nold\n\n", "new", "---\na: 1\n---\n\n\nnew\n"),
        ("---\na: 1\n---", "new", "---\na: 1\n---\n\nnew\n"),
        ("---\na: 1\n---\nold", "", "---\na: 1\n---\n"),
        ("---\na: 1\n---\n", "---\nb: 2\n---", "---\na: 1\n---\n\n---\nb: 2\n---\n"),
    ],
)
def test_a_body_is_changed_only_when_it_says_something_else(text: str, body: str, after: str) -> None:
    assert edit_frontmatter(text, {}, body) == after


def test_a_change_after_which_nothing_could_be_read_is_refused() -> None:
    with pytest.raises(BadInput, match="读不出来"):
        edit_frontmatter("---\na: |+\n  x\n\n---\n", {"a": "b", "": "c"})
    with pytest.raises(BadInput, match="读不出来"):
        edit_frontmatter("---\na: 1\n---\n", {"a": None})


def test_the_bounds_hold_for_what_is_written_too() -> None:
    with pytest.raises(TooLarge):
        edit_frontmatter("---\na: 1\n---\n", {}, "字" * frontmatter.LARGEST)
    with pytest.raises(TooLarge):
        edit_frontmatter("---\na: 1\n---\n", {"a": "x" * (yamlblock.LONGEST_VALUE + 1)})


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60)


@given(value=TEXTS, items=st.lists(TEXTS, max_size=4), key=st.sampled_from(["title", "env", "note", "status", "new"]))
def test_what_is_written_is_what_is_read_and_nothing_else_changes(value: str, items: list[str], key: str) -> None:
    for written in (value, tuple(items)):
        changed = edit_frontmatter(FILE, {key: written})
        assert read(changed) == read(FILE) | {key: written}
        assert read_frontmatter(changed).body == read_frontmatter(FILE).body
        assert "# 工作日八点\n" in changed
        assert edit_frontmatter(changed, {key: written}) == changed


@given(TEXTS)
def test_other_readers_of_yaml_and_of_json_read_the_same_text(value: str) -> None:
    assert yaml.safe_load(write_value(value)) == value
    assert json.loads(write_value(value)) == value


PIECES = st.lists(
    st.sampled_from(
        [
            "---\n",
            "---",
            "title: ",
            "when: *",
            "a",
            ": ",
            "\n",
            "- ",
            "# x",
            "|\n",
            "  ",
            '"',
            "'",
            "[",
            "]",
            "{",
            "\t",
            "\r",
        ]
    )
    | TEXTS,
    max_size=30,
).map("".join)


@given(PIECES, TEXTS)
def test_any_text_is_read_or_refused_and_no_change_changes_nothing(inside: str, value: str) -> None:
    text = f"---\ntitle: a\n{inside}\n---\nbody\n"
    try:
        front = read_frontmatter(text)
    except BadInput:
        return
    assert edit_frontmatter(text, {}) == text
    for entry in front.entries:
        changed = edit_frontmatter(text, {entry.key: value})
        assert read(changed) == dict(front.fields) | {entry.key: value}
