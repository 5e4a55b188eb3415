"""JSON of rules, specifications and homes: bounded, each key once, and what is wrong has a place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from zhixing.graphs.specs.ranges import exact, plain
from zhixing.kernel.errors import BadInput, TooLarge

LARGEST_FILE = 4 * 1024 * 1024
"""UTF-8 bytes of one file, or of one rule, that are read."""
MOST_DEPTH = 64
"""Objects and arrays inside one another; real rules have about eight."""
MOST_DIGITS = 300
"""Digits before the point of a number, so that every one is also a finite double, as it is in the gateway."""
HIGHEST_ID = 2**31 - 1
"""Largest siid, piid, aiid or eiid."""
LONGEST_SHOWN = 60
"""Characters of a name from a file that are shown in an error."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Keys of the errors that refuse one kind of text."""

    large: str
    coding: str
    syntax: str
    depth: str
    number: str
    twice: str


_FAULTS = Faults(
    "miot_too_large", "miot_not_utf8", "miot_not_json", "miot_nested", "miot_number_long", "miot_key_twice"
)


def read_json(raw: bytes) -> Any:
    """Return what a specification or a file of a home says; 1.0 is 1.

    NaN and the infinities are read too, because a broken value-range is kept to be reported. Raises `TooLarge` and
    `BadInput`; a key that is written twice is refused.
    """
    return parsed(decoded(raw, _FAULTS), _FAULTS, _number)


def decoded(given: str | bytes, faults: Faults) -> str:
    """Return a text without its byte order mark. Raises `TooLarge` beyond `LARGEST_FILE`, `BadInput` for no UTF-8."""
    # A text is measured in characters first: each is at least one byte, and encoding a huge one costs memory.
    if len(given) > LARGEST_FILE or (isinstance(given, str) and len(given.encode(errors="replace")) > LARGEST_FILE):
        raise TooLarge(faults.large, limit=LARGEST_FILE // 2**20)
    if isinstance(given, str):
        return given.removeprefix("\ufeff")
    try:
        return given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(faults.coding, line=given.count(b"\n", 0, error.start) + 1) from error


def parsed(text: str, faults: Faults, fraction: Callable[[str], int | float] = float) -> Any:
    """Return the value of a JSON text; `fraction` reads numbers with a point or an exponent."""
    try:
        return json.loads(
            text,
            parse_int=partial(_whole, faults),
            parse_float=fraction,
            object_pairs_hook=partial(_pairs, faults),
        )
    except json.JSONDecodeError as error:
        raise BadInput(faults.syntax, line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise TooLarge(faults.depth, limit=MOST_DEPTH) from error


def fingerprint(value: Any) -> str:
    """Return a text that is equal for equal content, however keys are ordered, numbers written and lines broken."""
    try:
        return json.dumps(value, sort_keys=True)
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


def shown(name: str, limit: int = LONGEST_SHOWN) -> str:
    """Return a name from a file as it may stand in one line: printable, and no longer than is read."""
    cut = name if len(name) <= limit else name[:limit] + "…"
    return cut if cut.isprintable() else "".join(each if each.isprintable() else "\ufffd" for each in cut)


def _pairs(faults: Faults, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise BadInput(faults.twice, name=shown(twice))
    return found


def _whole(faults: Faults, digits: str) -> int:
    # Python itself refuses to read very long ones, and takes its time for long ones.
    if len(digits) > MOST_DIGITS + 1:
        raise BadInput(faults.number)
    return int(digits)


def _number(written: str) -> int | float:
    found = float(written)
    within = exact(found)
    return found if within is None else plain(within)
