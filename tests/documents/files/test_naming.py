"""Every title gets a folder that every disk takes, and no two titles get the same one."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.documents.naming import LONGEST_NAME, folder_name, free_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Daily check", "Daily check"),
        ("a/b", "a b"),
        ("a:b", "a b"),
        ("a\\b", "a b"),
        ("a\x00b", "a b"),
        ("../../etc", "etc"),
        ("ＡＢＣ１２３", "ABC123"),
        ("日报（测试）", "日报 测试"),
        ("🎉 party", "party"),
        ("  a \n b ", "a b"),
        ("a" * 70, "a" * 64),
        ("a" * 63 + " b", "a" * 63),
        ("𠀀" * 40, "𠀀" * 32),
        ("a" + "𠀀" * 40, "a" + "𠀀" * 31),
        ("-foo", "task-foo"),
        ("_x", "task-x"),
        ("CON", "task-CON"),
        ("com1", "task-com1"),
        ("NUL.txt", "NUL txt"),
    ],
)
def test_the_folder_is_named_after_the_title(title: str, name: str) -> None:
    assert folder_name(title) == name


@pytest.mark.parametrize("title", ["", "🎉", "..", "---", "_", "/", "。。。"])
def test_a_title_of_which_nothing_remains_gets_a_name_of_its_own(title: str) -> None:
    assert re.fullmatch(r"task-[0-9a-f]{8}", folder_name(title))
    assert folder_name(title) != folder_name(title + "！")


@pytest.mark.parametrize(
    ("title", "taken", "name"),
    [
        ("日报（测试）", [], "日报 测试"),
        ("日报（测试）", ["日报 测试"], "日报 测试-2"),
        ("日报（测试）", ["日报 测试", "日报 测试-2", "日报 测试-4"], "日报 测试-3"),
        ("Daily", ["daily"], "Daily-2"),
        ("Daily", ["DAILY", "daily-2"], "Daily-3"),
        ("café", [unicodedata.normalize("NFD", "Café")], "café-2"),
        ("a" * 70, ["a" * 64], "a" * 62 + "-2"),
    ],
)
def test_a_name_that_is_taken_gets_a_number(title: str, taken: list[str], name: str) -> None:
    assert free_name(title, taken) == name


@given(st.text(max_size=100), st.integers(0, 12))
def test_every_name_can_be_a_folder_everywhere(title: str, others: int) -> None:
    taken: list[str] = []
    for _ in range(others):
        taken.append(free_name(title, taken))
    name = free_name(title, taken)
    assert name.casefold() not in {each.casefold() for each in taken}
    assert 0 < len(name.encode("utf-16-le")) // 2 <= LONGEST_NAME
    assert len(name.encode()) <= 255
    assert name[0].isalnum()
    assert name == name.strip()
    assert all(each.isalnum() or each in "_- " for each in name)
    assert folder_name(folder_name(title)) == folder_name(title)
