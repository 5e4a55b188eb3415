"""Ids as people write them: a letter and a number, `s12` or `S012`. Pure."""

from __future__ import annotations

from zhixing.kernel.errors import NotFound
from zhixing.kernel.numbered import number_of

_LONGEST_SHOWN = 64
"""Characters of an id that are repeated in an error."""


def read_id(written: str, prefix: str) -> str | None:
    """Return the id with this prefix that a person means; None where it is no such id."""
    number = number_of(written.strip().lower(), prefix)
    return None if number is None else f"{prefix}{number}"


def needed_id(written: str, prefix: str, unknown: str) -> str:
    """Return the id that a person means; raise `NotFound` with the key `unknown` where it is none."""
    known = read_id(written, prefix)
    if known is None:
        raise NotFound(unknown, id=written[:_LONGEST_SHOWN])
    return known
