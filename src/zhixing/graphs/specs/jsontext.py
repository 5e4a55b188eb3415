"""JSON of specifications and homes: bounded, numbers stay what was written, and what is wrong has a place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal, DecimalException
from typing import Any

from zhixing.graphs.specs.ranges import exact, plain
from zhixing.kernel.errors import BadInput, TooLarge

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes of one file that are read."""
HIGHEST_ID = 2**31 - 1
"""Largest siid, piid, aiid or eiid."""
_LONGEST_SHOWN = 60
"""Characters of a name from a file that are shown in an error."""


def read_json(raw: bytes) -> Any:
    """Return what is written, with a `Decimal` for every number that is not whole.

    NaN and the infinities are read too, because a broken value-range is kept to be reported. Raises `TooLarge` and
    `BadInput`; a key that is written twice is refused.
    """
    if len(raw) > LARGEST_FILE:
        raise TooLarge("miot_too_large", limit=LARGEST_FILE)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("miot_not_utf8", at=error.start + 1) from error
    try:
        return json.loads(text, parse_float=_decimal, parse_constant=Decimal, object_pairs_hook=_pairs)
    except json.JSONDecodeError as error:
        raise BadInput("miot_not_json", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise BadInput("miot_nested") from error
    except ValueError as error:  # a whole number of thousands of digits
        raise BadInput("miot_number_long") from error


def fingerprint(value: Any) -> str:
    """Return a text that is equal for equal content, however keys are ordered, numbers written and lines broken."""
    try:
        return json.dumps(value, sort_keys=True, default=_written)
    except RecursionError as error:
        raise BadInput("miot_nested") from error


def optional(row: Mapping[str, Any], name: str, default: object) -> Any:
    """Return an entry, or `default` where it is missing or null."""
    found = row.get(name)
    return default if found is None else found


def table(value: object, place: str) -> Mapping[str, Any]:
    """Return an object."""
    if not isinstance(value, dict):
        raise BadInput("miot_not_object", place=place)
    return value


def rows(value: object, place: str, limit: int) -> Sequence[Any]:
    """Return a list of at most `limit`."""
    if not isinstance(value, list):
        raise BadInput("miot_not_list", place=place)
    if len(value) > limit:
        raise TooLarge("miot_too_many", place=place, limit=limit)
    return value


def text(value: object, place: str) -> str:
    """Return text that can be stored and shown."""
    if not isinstance(value, str) or any("\ud800" <= each <= "\udfff" or each == "\0" for each in value):
        raise BadInput("miot_not_text", place=place)
    return value


def number(value: object, place: str) -> int | float:
    """Return a finite number; whole ones as `int`."""
    found = exact(value)
    if found is None:
        raise BadInput("miot_not_number", place=place)
    return plain(found)


def flag(value: object, place: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise BadInput("miot_not_flag", place=place)
    return value


def number_of(value: object, place: str) -> int:
    """Return the number of a service, property, action or event."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= HIGHEST_ID:
        raise BadInput("miot_not_id", place=place, limit=HIGHEST_ID)
    return value


def shown(name: str) -> str:
    """Return a name from a file as it may stand in one line."""
    line = "".join(each if each.isprintable() else "?" for each in name)
    return line if len(line) <= _LONGEST_SHOWN else line[:_LONGEST_SHOWN] + "…"


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BadInput("miot_key_twice", name=shown(text(key, "key")))
        found[key] = value
    return found


def _decimal(written: str) -> Decimal:
    try:
        return Decimal(written)
    except DecimalException:  # an exponent beyond what a decimal holds
        return Decimal("Infinity")


def _written(value: object) -> int | float | str:
    found = exact(value)
    return str(value) if found is None else plain(found)
