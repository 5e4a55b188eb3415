"""How much a goal may use (taskloop §4.12), and how much it did. None is no limit; 0 means that nothing is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

WARN_AT = 0.8
"""The share of a limit at which people are told."""
MOST_SECONDS = 7 * 24 * 3600
MOST_COUNT = 1000
MOST_SPENT = 10**15
"""What one answer can have used, in whatever unit."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used: tokens, and cost in the currency of the price list."""

    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        """Add up; an amount that makes no sense counts as nothing, and none is ever given back."""
        return Spent(self.tokens + _counted(other.tokens), self.cost + _counted(other.cost))


_Amount = TypeVar("_Amount", int, float)


def _counted(amount: _Amount) -> _Amount:
    # The comparison is also false for what is not a number.
    return amount if 0 <= amount <= MOST_SPENT else type(amount)()


NO_SPENDING = Spent()


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one goal. Times are milliseconds; `sla` None: 600 s for one bot and a relay, 900 s for a group."""

    max_depth: int = 2
    max_loop: int = 10
    max_plan_round: int = 10
    max_harness: int = 3
    bbs_max_depth: int = 3
    max_nodes: int = 500
    max_concurrency: int = 32
    sla: int | None = None
    pending_timeout: int = 180_000
    tokens: int | None = None
    cost: float | None = None
    wall_clock: int | None = None


NO_LIMITS = Limits()
"""What a goal has that sets nothing."""
SINGLE_SLA = 600_000
GROUP_SLA = 900_000
REOFFER = 300_000
"""How long after a round without a taker bots are asked again."""
LATER_REOFFER = 3_600_000
PATIENT_AFTER = 12
"""Rounds after which bots are asked less often."""
MOST_OFFERS = 100
MOST_LATE = 20
"""Late results that a node keeps; more are only counted."""
LONGEST_LATE = 1000
"""Characters of a late result that a node keeps; the log has all of it."""
MOST_COUNTED = 200
"""Late results that a node counts: a flood of them leaves no more behind."""
MOST_RECEIPTS = 200
MOST_GAPS = 50
"""Gaps that a node keeps of one verdict."""

_COUNTS = {
    "MAX_DEPTH": "max_depth",
    "MAX_LOOP": "max_loop",
    "MAX_PLAN_ROUND": "max_plan_round",
    "MAX_HARNESS": "max_harness",
    "BBS_MAX_DEPTH": "bbs_max_depth",
    "MAX_NODES": "max_nodes",
    "MAX_CONCURRENCY": "max_concurrency",
}
_TIMES = {"SLA_TIMEOUT": "sla", "PENDING_TIMEOUT": "pending_timeout"}
_BUDGETS = {"MAX_TOKENS": "tokens", "MAX_COST": "cost", "MAX_WALL_CLOCK": "wall_clock"}
LIMIT_KEYS = frozenset((*_COUNTS, *_TIMES, *_BUDGETS))
"""The limits that an execution config can set."""


class InvalidLimit(ValueError):
    """A limit that cannot be used; `key` is its name in the execution config."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def read_limits(config: Mapping[str, Any]) -> Limits:
    """Return the limits that an execution config sets, seconds becoming milliseconds.

    Raises `InvalidLimit` for a count that is no whole number from 1 to 1000, a time that is not positive, a budget
    below 0: limits are never guessed, and 0 is never "without limit".
    """
    found: dict[str, Any] = {}
    for key, name in _COUNTS.items():
        if config.get(key) is not None:
            found[name] = _count(key, config[key])
    for key, name in _TIMES.items():
        if config.get(key) is not None:
            found[name] = _millis(key, config[key], lowest=1)
    for key, name in _BUDGETS.items():
        if config.get(key) is not None:
            found[name] = _budget(key, config[key])
    return Limits(**found)


def within(standing: Limits, own: Limits) -> Limits:
    """Return the limits of a goal, with the standing budget wherever it has none of its own."""
    budgets = {name: getattr(standing, name) for name in _BUDGETS.values() if getattr(own, name) is None}
    return replace(own, **budgets)


def _count(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST_COUNT:
        raise InvalidLimit(key)
    return value


def _number(key: str, value: object) -> float:
    # The comparison also refuses what is not a number.
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1e15:
        raise InvalidLimit(key)
    return value


def _millis(key: str, value: object, *, lowest: int) -> int:
    millis = int(min(_number(key, value), MOST_SECONDS) * 1000)
    if millis < lowest:
        raise InvalidLimit(key)
    return millis


def _budget(key: str, value: object) -> float:
    if key == "MAX_WALL_CLOCK":
        return _millis(key, value, lowest=0)
    if key == "MAX_TOKENS" and not isinstance(value, int):
        raise InvalidLimit(key)
    return _number(key, value)


def shares(limits: Limits, spent: Spent, age: int) -> dict[str, float]:
    """Return how much of each limited budget is used up: 1 and more means that nothing is left."""
    used = {"tokens": spent.tokens, "cost": spent.cost, "wall_clock": age}
    found = {}
    for each in fields(limits):
        limit = getattr(limits, each.name) if each.name in used else None
        if limit is not None:
            found[each.name] = used[each.name] / limit if limit > 0 else 1.0
    return found
