"""Whole numbers as Chinese writes them: 3, 十五, 二十三, 两, 廿三, 一百二十, and digit by digit 二〇二六."""

from __future__ import annotations

import re

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_TENS = {"廿": 20, "卅": 30}
_NUMERAL = re.compile(
    r"(?:(?P<hundreds>[一二两三四五六七八九])百)?(?P<zero>[零〇])?"
    r"(?:(?P<tens>[一二三四五六七八九])?(?P<ten>十)|(?P<twenty>[廿卅]))?(?P<ones>[一二两俩三四五六七八九])?"
)
_YEAR = re.compile(r"[一二三四五六七八九][零〇一二三四五六七八九]{3}")

NUMBER = r"(?:[0-9]{1,5}|[零〇一二两俩三四五六七八九十百廿卅]{1,6})"
"""A pattern (without groups) for what `integer` may be able to read."""


def integer(text: str) -> int | None:
    """Read a whole number below 100,000, or None where the characters make none (十百) or no certain one (两三)."""
    if text.isascii():
        return int(text) if text.isdigit() else None
    if not text.strip("零〇"):
        return 0 if text else None
    match = _NUMERAL.fullmatch(text)
    if match is None:
        return int("".join(str(_DIGITS[char]) for char in text)) if _YEAR.fullmatch(text) else None
    hundreds, zero, tens, ten, twenty, ones = match.groups()
    # 二百五 is two hundred and fifty to some ears; 一百零五 and 一百五十 are certain.
    if hundreds and ones and not (zero or ten or twenty):
        return None
    ten_value = _TENS[twenty] if twenty else (_DIGITS[tens] if tens else 1) * 10 if ten else 0
    return (_DIGITS[hundreds] * 100 if hundreds else 0) + ten_value + (_DIGITS[ones] if ones else 0)
