"""A history on a line: where its stretches and moments lie, in percent of the width. Pure.

Places are percent, so that a drawing fits any width while its signs and words keep their size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.faces.web.home.asking import Span
from zhixing.faces.web.home.history import History, Moment

NARROWEST = 0.5
"""Percent: what is shorter is still seen."""
MOST_BARS = 200
MOST_SIGNS = 100
_STEPS = {
    Span.HOUR: (timedelta(minutes=15), "%H:%M"),
    Span.DAY: (timedelta(hours=6), "%H:%M"),
    Span.WEEK: (timedelta(days=2), "%m-%d"),
}
_EDGE = 6.0
"""Percent at either end in which no mark of the time stands: its words would be cut."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch."""

    look: str
    start: str
    width: str
    when: str


@dataclass(frozen=True, slots=True)
class Sign:
    """A moment."""

    sign: str
    at: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the time."""

    at: str
    label: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """All of it, the earliest first; of too much, the latest."""

    bars: tuple[Bar, ...]
    signs: tuple[Sign, ...]
    ticks: tuple[Tick, ...]


def draw(history: History, span: Span, now: datetime, zone: ZoneInfo) -> Drawing:
    """Lay a history out over a span that ends now."""
    start = now - span.length

    def place(at: datetime) -> float:
        return min(100.0, max(0.0, (at - start) / span.length * 100))

    bars = []
    for each in history.stretches:
        if each.end <= start or each.start >= now:
            continue
        left, right = place(each.start), place(each.end)
        width = max(NARROWEST, right - left)
        left = min(left, 100 - width)
        when = f"{_clock(each.start, zone)}–{_clock(each.end, zone)}"
        bars.append(Bar(each.look.value, _percent(left), _percent(width), when))
    signs = [Sign(each.sign, _percent(place(each.at)), each) for each in history.moments if start <= each.at <= now]
    ticks = tuple(Tick(_percent(place(at)), label) for at, label in _marks(span, start, now, zone))
    return Drawing(tuple(bars[-MOST_BARS:]), tuple(signs[-MOST_SIGNS:]), ticks)


def _marks(span: Span, start: datetime, now: datetime, zone: ZoneInfo) -> Iterator[tuple[datetime, str]]:
    step, style = _STEPS[span]
    local = start.astimezone(zone)
    at = local.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(start.tzinfo)
    margin = span.length * (_EDGE / 100)
    while at <= now - margin:
        if at >= start + margin:
            yield at, f"{at.astimezone(zone):{style}}"
        at += step


def _clock(at: datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%m-%d %H:%M:%S}"


def _percent(value: float) -> str:
    return f"{value:.2f}%"
