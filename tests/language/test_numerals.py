"""Numbers as Chinese writes them. What does not make one number must not become one."""

from __future__ import annotations

import re

import pytest

from zhixing.language.numerals import NUMBER, integer

DIGITS = "零一二三四五六七八九"


def spelled(number: int) -> str:
    """Write a number below 1,000 as people do: 十五, 一百零五, 三百二十."""
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    words = f"{DIGITS[hundreds]}百" if hundreds else ""
    if tens:
        words += "十" if tens == 1 and not hundreds else f"{DIGITS[tens]}十"
    elif hundreds and ones:
        words += "零"
    return words + (DIGITS[ones] if ones else "") or "零"


def test_every_number_below_a_thousand_is_read_back():
    assert [integer(spelled(number)) for number in range(1000)] == list(range(1000))


def test_every_number_below_a_thousand_that_is_written_in_six_characters_is_offered_to_the_reader():
    assert all(re.fullmatch(NUMBER, spelled(number)) for number in range(1000))


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("0", 0),
        ("3", 3),
        ("007", 7),
        ("99999", 99999),
        ("两", 2),
        ("两百", 200),
        ("一十五", 15),
        ("廿", 20),
        ("廿三", 23),
        ("卅一", 31),
        ("〇", 0),
        ("零五", 5),
        ("一百零五", 105),
        ("二〇二六", 2026),
        ("二零二六", 2026),
    ],
)
def test_a_number_is_read(words: str, number: int):
    assert integer(words) == number


@pytest.mark.parametrize(
    "words",
    [
        "",
        "百",
        "百二十",
        "十百",
        "十十",
        "一百一百",
        "三廿",
        "廿十",
        "卅十一",
        "3十",
        "1a",
        "1 2",
        "-1",
        "1.5",
        # Digits of other scripts are not ours to read.
        "２",
        "١",
        "²",
    ],
)
def test_what_is_no_number_is_not_read(words: str):
    assert integer(words) is None
