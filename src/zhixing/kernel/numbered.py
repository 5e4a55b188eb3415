"""Ids that are a letter and a number, such as t12: what users know their things by. Pure."""

from __future__ import annotations

MOST_DIGITS = 18
"""Digits of a number; one with more is none of ours."""


def number_of(written: str, prefix: str) -> int | None:
    """Return the number in an id with that prefix; None for what is no such id."""
    digits = written[len(prefix) :]
    known = written.startswith(prefix) and digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS
    return int(digits) if known else None
