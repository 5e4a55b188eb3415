"""What reading a node's fields brings: a value to run with, and findings about it. Nothing here raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from zhixing.graphs.checks.finding import Level

MOST_SHOWN = 60
"""Characters of a wrong value that a finding carries."""

MOST_WHOLE = 2**53 - 1
"""The largest whole number that a hub, which counts in IEEE doubles, holds exactly."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class TimeFinding:
    """Something about one field of a node; `code` is one of the validator's codes."""

    code: str
    where: str
    """The field inside the node, such as `props.start.hour`."""
    found: str
    """What stands there, shortened; empty when nothing does."""
    level: Level = Level.ERROR


@dataclass(frozen=True, slots=True)
class Reading(Generic[_Value]):
    """What was read. `value` is None when the hub itself could not run the node; findings may stand beside a value."""

    value: _Value | None
    findings: tuple[TimeFinding, ...] = ()


def finding(code: str, where: str, found: object = None, level: Level = Level.ERROR) -> TimeFinding:
    """Make a finding that quotes `found`."""
    text = "" if found is None else _written(found)
    return TimeFinding(code, where, text[:MOST_SHOWN], level)


def whole(value: object, low: int = -MOST_WHOLE, high: int = MOST_WHOLE) -> int | None:
    """Return `value` as a whole number from `low` to `high`, or None. 7.0 is whole, as in JSON of JavaScript."""
    found = number(value, low, high)
    return int(found) if found is not None and found == int(found) else None


def number(value: object, low: float, high: float) -> float | None:
    """Return `value` as a number from `low` to `high`, both finite, or None; truth values are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if low <= value <= high else None


def fields(value: object) -> Mapping[str, object]:
    """Return `value` when it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def _written(found: object) -> str:
    # Python refuses to write whole numbers of thousands of digits in decimal.
    return hex(found) if isinstance(found, int) and abs(found) > MOST_WHOLE else str(found)
