from __future__ import annotations

import os
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.faces.cli.desk import width_of
from zhixing.faces.cli.layout import columns, printable, table, wrapped


@pytest.mark.parametrize(
    ("text", "wide"),
    [("abc", 3), ("交表", 4), ("ａ", 2), ("，。", 4), ("e\u0301", 1), ("\u200b", 0), ("한국", 4), ("", 0)],
)
def test_a_wide_character_takes_two_columns(text, wide):
    assert columns(text) == wide


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\x1b[31mb", "a�[31mb"), ("a\tb", "a    b"), ("a\r\nb", "a\nb"), ("a\rb", "a�b"), ("a\u202eb", "a�b")],
)
def test_what_steers_a_terminal_is_not_printed(text, shown):
    assert printable(text) == shown


def test_a_line_is_broken_between_characters_of_chinese_and_between_words_of_english():
    assert wrapped("  明天下午三点在会议室开会 please bring laptops", 24) == [
        "  明天下午三点在会议室开",
        "  会 please bring",
        "  laptops",
    ]


def test_punctuation_does_not_begin_a_line():
    assert wrapped("一二三四五六七八九十，一二三四五六七八九", 20) == [
        "一二三四五六七八九",
        "十，一二三四五六七八",
        "九",
    ]


def test_without_a_width_nothing_is_broken():
    assert wrapped("字" * 500, None) == ["字" * 500]


@given(st.text(max_size=200), st.integers(20, 60))
def test_no_line_is_too_wide_and_nothing_but_blanks_is_lost(text, width):
    lines = wrapped(text, width)
    assert all(columns(line) <= width for line in lines)
    kept, given_ = "".join(lines), printable(text)
    assert kept.replace(" ", "").replace("\n", "") == given_.replace(" ", "").replace("\n", "")


def test_rows_stand_under_one_another():
    assert table([["t1", "待办", "x"], ["t10", "ok", "y"]], None) == ["t1   待办  x", "t10  ok    y"]


def test_what_does_not_fit_is_cut_from_the_last_column():
    assert table([["t1", "一二三四五六七八九十"]], 20) == ["t1  一二三四五六七…"]
    assert table([["t1", "一二三四五六七八九十"]], 24) == ["t1  一二三四五六七八九十"]


def test_a_row_is_one_line_whatever_is_in_it():
    assert table([["t1", "a\nb"]], None) == ["t1  a b"]


@pytest.mark.parametrize(
    ("columns_", "width"), [("80", 80), ("5", 20), ("0", None), ("x", None), ("", None), ("-1", None)]
)
def test_columns_says_how_wide_a_line_may_be(columns_, width):
    assert width_of(StringIO(), {"COLUMNS": columns_}) == width


def test_a_terminal_says_how_wide_it_is():
    leader, follower = os.openpty()
    try:
        with open(follower, "w", encoding="utf-8") as screen:  # noqa: PTH123 - a descriptor
            assert width_of(screen, {}) == 80  # a new one does not know its size
    finally:
        os.close(leader)
