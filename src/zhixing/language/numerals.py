"""Whole numbers as Chinese writes them: 3, 十五, 二十三, 两, 廿三, 一百二十, and digit by digit 二〇二六."""

from __future__ import annotations

_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "俩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_TENS = {"廿": 20, "卅": 30}

NUMBER = r"(?:[0-9]{1,5}|[零〇一二两俩三四五六七八九十百廿卅]{1,6})"
"""A pattern (without groups) for what `integer` may be able to read."""


def integer(text: str) -> int | None:
    """Read a whole number below 100,000, or None where the characters make none (十百) or no certain one (两三)."""
    if text.isascii():
        return int(text) if text.isdigit() else None
    total, pending, seen_unit = 0, None, False
    for position, char in enumerate(text):
        digit = _DIGITS.get(char)
        if digit is not None:
            if pending:
                # 二〇二六 is read digit by digit; 两三 and 十五六 are about numbers, not numbers.
                return _digit_by_digit(text) if len(text) == 4 and not seen_unit else None
            pending = digit
        elif char in _TENS:
            if position:
                return None
            total, pending, seen_unit = _TENS[char], None, True
        else:
            unit = 10 if char == "十" else 100
            if (unit == 100 and (pending is None or total)) or (unit == 10 and pending is None and total % 100):
                return None
            total += (1 if pending is None else pending) * unit
            pending, seen_unit = None, True
    return total + (pending or 0)


def _digit_by_digit(text: str) -> int | None:
    value = 0
    for char in text:
        digit = _DIGITS.get(char)
        if digit is None:
            return None
        value = value * 10 + digit
    return value
