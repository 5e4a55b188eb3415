"""What a record came to, drawn: bars by day, and events by weekday and hour. Pure: from numbers to places on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

WIDTH = 600
HEIGHT = 140
"""Of a chart with bars, without what is written below it."""
CELL = 22
"""Of the heat map, along both sides."""
LEVELS = 4
"""Shades of a cell that has any events."""
_ROOM = 12
"""Left free above the highest bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One day. `met`: it came to the target."""

    x: float
    y: float
    width: float
    height: float
    day: date
    value: int
    met: bool


@dataclass(frozen=True, slots=True)
class Bars:
    """Days side by side, the latest last; `target` is the height of its line, None where there is none."""

    bars: tuple[Bar, ...]
    target: float | None
    most: int
    total: int

    @property
    def first(self) -> date:
        """The first day."""
        return self.bars[0].day

    @property
    def last(self) -> date:
        """The last day."""
        return self.bars[-1].day


@dataclass(frozen=True, slots=True)
class Cell:
    """One hour of one weekday: Monday is 0. `level` is 0 where nothing was."""

    x: int
    y: int
    weekday: int
    hour: int
    count: int
    level: int


def bars(amounts: Mapping[date, int], last: date, days: int, target: int | None) -> Bars:
    """Draw the last so many days, also those on which nothing was; `target` is that of one day."""
    shown = [last - timedelta(days=back) for back in reversed(range(days))]
    values = [max(0, amounts.get(day, 0)) for day in shown]
    most = max(values, default=0)
    top = max(most, target or 0, 1)
    step = WIDTH / days
    drawn = []
    for number, (day, value) in enumerate(zip(shown, values, strict=True)):
        height = round(value / top * (HEIGHT - _ROOM), 1)
        met = target is not None and value >= target
        drawn.append(
            Bar(round(number * step, 1), round(HEIGHT - height, 1), round(step * 0.7, 1), height, day, value, met)
        )
    line = None if not target else round(HEIGHT - target / top * (HEIGHT - _ROOM), 1)
    return Bars(tuple(drawn), line, most, sum(values))


def heat(instants: Iterable[datetime], zone: ZoneInfo) -> tuple[Cell, ...]:
    """Draw how often something happened by weekday and hour; nothing where it never did."""
    counts: Counter[tuple[int, int]] = Counter()
    for at in instants:
        local = at.astimezone(zone)
        counts[local.weekday(), local.hour] += 1
    most = max(counts.values(), default=0)
    if not most:
        return ()
    return tuple(
        Cell(
            hour * CELL,
            weekday * CELL,
            weekday,
            hour,
            counts[weekday, hour],
            -(-counts[weekday, hour] * LEVELS // most),
        )
        for weekday in range(7)
        for hour in range(24)
    )
