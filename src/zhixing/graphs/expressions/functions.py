"""The functions of an expression (mijia.md §1.11), over numbers as JavaScript has them.

Readings that nobody proved are options: the order of `log`, the upper end of `randint`, what a bare `$` is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol

from zhixing.graphs.expressions.arithmetic import divided, floored, logarithm, power, raised, rounded

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Chance(Protocol):
    """Where chance comes from; a seeded `random.Random` is one."""

    def random(self) -> float:
        """Return a number from 0 up to, and without, 1."""
        ...


@dataclass(frozen=True, slots=True)
class ExpressionOptions:
    """What the gateway does where nobody proved it; each run records the options it was made with.

    `dollar_means`: a bare `$` in a constant is the variable that is set, or it is refused.
    `log_order`: `log(x, y)` is the logarithm of y to base x (the editor's help text), or of x to base y.
    `randint_upper`: whether the second argument of `randint` can come out.
    """

    dollar_means: Literal["target_variable", "refused"] = "target_variable"
    log_order: Literal["base_first", "base_last"] = "base_first"
    randint_upper: Literal["included", "excluded"] = "included"


@dataclass(frozen=True, slots=True)
class Moment:
    """What functions without arguments look at: the hub's wall clock, chance and the options.

    `now` is aware and in the zone of the hub. Raises `ValueError` for an instant without an offset.
    """

    now: datetime
    chance: Chance
    options: ExpressionOptions

    def __post_init__(self) -> None:
        if self.now.tzinfo is None:
            raise ValueError("the wall clock of a hub needs an aware instant")


Body = Callable[[Sequence[float], Moment], float]


@dataclass(frozen=True, slots=True)
class Function:
    """A function and how many arguments it takes; `most` is None without an upper limit."""

    fewest: int
    most: int | None
    body: Body

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        return self.fewest <= count and (self.most is None or count <= self.most)


def _of_one(body: Callable[[float], float]) -> Function:
    """Make a function of one number; outside its domain it gives NaN."""

    def call(arguments: Sequence[float], _moment: Moment) -> float:
        try:
            return body(arguments[0])
        except ValueError:
            return math.nan

    return Function(1, 1, call)


def _of_clock(body: Callable[[datetime], int]) -> Function:
    return Function(0, 0, lambda _, moment: float(body(moment.now)))


def _constant(value: float) -> Function:
    return Function(0, 0, lambda _arguments, _moment: value)


def _extreme(body: Callable[[Sequence[float]], float]) -> Function:
    return Function(1, None, lambda arguments, _: math.nan if any(map(math.isnan, arguments)) else body(arguments))


def _log(arguments: Sequence[float], moment: Moment) -> float:
    base, value = arguments if moment.options.log_order == "base_first" else reversed(arguments)
    return divided(logarithm(value), logarithm(base))


def _randint(arguments: Sequence[float], moment: Moment) -> float:
    """Draw a whole number between the two; NaN where there is none."""
    low, high = raised(arguments[0]), floored(arguments[1])
    count = high - low + (1 if moment.options.randint_upper == "included" else 0)
    if not math.isfinite(count) or count < 1:
        return math.nan
    return low + floored(moment.chance.random() * count)


def _epoch_ms(now: datetime) -> int:
    return (now - EPOCH) // timedelta(milliseconds=1)


FUNCTIONS: Mapping[str, Function] = {
    "abs": _of_one(abs),
    "round": _of_one(rounded),
    "floor": _of_one(floored),
    "ceil": _of_one(raised),
    "sin": _of_one(math.sin),
    "cos": _of_one(math.cos),
    "tan": _of_one(math.tan),
    "asin": _of_one(math.asin),
    "acos": _of_one(math.acos),
    "atan": _of_one(math.atan),
    "pow": Function(2, 2, lambda arguments, _: power(*arguments)),
    "log": Function(2, 2, _log),
    "max": _extreme(max),
    "min": _extreme(min),
    "pi": _constant(math.pi),
    "e": _constant(math.e),
    "rand": Function(0, 0, lambda _, moment: moment.chance.random()),
    "randint": Function(2, 2, _randint),
    "now": _of_clock(_epoch_ms),
    "year": _of_clock(lambda now: now.year),
    "month": _of_clock(lambda now: now.month),
    "date": _of_clock(lambda now: now.day),
    "day": _of_clock(lambda now: now.isoweekday() % 7),
    "hours": _of_clock(lambda now: now.hour),
    "minutes": _of_clock(lambda now: now.minute),
    "seconds": _of_clock(lambda now: now.second),
}
"""By name. `day` is 0 on Sunday, `date` is the day of the month, `now` counts milliseconds since 1970."""
