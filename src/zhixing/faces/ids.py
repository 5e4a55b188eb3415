"""Ids as people write them: a letter and a number, `s12` or `S012`. Pure."""

from __future__ import annotations

_MOST_DIGITS = 18
"""Digits of a number; with more it is none of ours."""


def read_id(written: str, prefix: str) -> str | None:
    """Return the id with this prefix that a person means; None where it is no such id."""
    plain = written.strip().lower()
    digits = plain[1:]
    known = plain[:1] == prefix and digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
    return f"{prefix}{int(digits)}" if known else None
