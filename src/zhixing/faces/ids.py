"""Ids as people write them: a letter and a number, `s12` or `S012`. Pure."""

from __future__ import annotations

from zhixing.kernel.numbered import number_of


def read_id(written: str, prefix: str) -> str | None:
    """Return the id with this prefix that a person means; None where it is no such id."""
    number = number_of(written.strip().lower(), prefix)
    return None if number is None else f"{prefix}{number}"
