"""What a record came to: in a window, on a day, over a range, and period by period (`task record compute`, `archive`).

Every kind answers every question, because whatever is counted or timed is added up by day. Words for days are read in
the record's zone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import iso, zone
from zhixing.store.connection import Tx
from zhixing.tasks.records import entries, sessions, store, tallies
from zhixing.tasks.records.model import Period, Record, RecordKind, Window
from zhixing.tasks.records.periods import before, last_day, period_at, period_of, split
from zhixing.tasks.records.standing import standing
from zhixing.tasks.records.views import amounts, view

LONGEST_RANGE = 3_660
"""Days of a range."""
MOST_PERIODS = 400
"""Periods that are over, given at most; the newest ones."""

_YEARS = (1970, 2999)
_SECOND = 1_000_000
"""Time is kept in microseconds."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked of a record: nothing (the present), a window, a day, or a range of days with both ends in it.

    `window` is day, week, month or all; a day is YYYY-MM-DD, today or yesterday.
    """

    window: str | None = None
    day: str | None = None
    first: str | None = None
    last: str | None = None


def compute(tx: Tx, record: Record, ask: Ask, now: datetime, until: datetime) -> dict[str, Any]:
    """Answer it. Raises `BadInput` where more than one thing is asked at once."""
    tz = zone(record.zone)
    today = period_at(now, Window.DAY, tz).day
    ranged = ask.first is not None or ask.last is not None
    if sum((ask.window is not None, ask.day is not None, ranged)) > 1:
        raise BadInput("record_ask_mixed")
    if ranged:
        first, last = _range(ask, today)
        found = {"from": first.isoformat(), "to": last.isoformat(), "derived": _over(tx, record, first, last, until)}
        return {"kind": record.content.kind.value, **found}
    if ask.day is not None:
        day = _day(ask.day, today)
        return _answer(record, Window.DAY, day, _in(tx, record, period_of(day, Window.DAY, tz), until))
    match ask.window:
        case None | "all":
            derived = view(tx, record, now, until).derived()
            return {"kind": record.content.kind.value, "window": "all", "date": None, "derived": derived}
        case "day" | "week" | "month":
            window = Window(ask.window)
            return _answer(record, window, today, _in(tx, record, period_at(now, window, tz), until))
        case other:
            raise BadInput("choice_unknown", name="window", value=other[:64], choices="all、day、week、month")


def archives(tx: Tx, record: Record, now: datetime, until: datetime) -> dict[str, Any]:
    """List the periods that are over, the newest first; those in which nothing happened too. Events go by day."""
    kind = record.content.kind
    window = Window.DAY if kind is RecordKind.EVENT else record.content.rhythm
    past = [] if window is Window.LONGTERM else _past(tx, record, window, now)
    return {"kind": kind.value, "archives": list(_lines(tx, record, past, until)) if past else []}


def _answer(record: Record, window: Window, day: date, derived: dict[str, Any]) -> dict[str, Any]:
    kind = record.content.kind.value
    return {"kind": kind, "window": window.value, "date": day.isoformat(), "derived": derived}


def _in(tx: Tx, record: Record, period: Period, until: datetime) -> dict[str, Any]:
    tz = zone(record.zone)
    bounds = _bounds(period, tz)
    kind = record.content.kind
    if kind is RecordKind.EVENT:
        number = tallies.amount(tx, record, period)
        _, last_at = entries.bounds(tx, record, period.start, period.end)
        last = None if last_at is None else iso(last_at, tz)
        return {"kind": kind.value, "count_total": number, "last_at": last, **bounds}
    stands = standing(tx, record, period, until)
    reached_at = None if stands.reached is None else iso(stands.reached.at, tz)
    return {**amounts(kind, stands), "reached": stands.met, "reached_at": reached_at, **bounds}


def _over(tx: Tx, record: Record, first: date, last: date, until: datetime) -> dict[str, Any]:
    content = record.content
    found = by_day(tx, record, first, last, until)
    total = found.total()
    match content.kind:
        case RecordKind.PROGRESS:
            return _named(content.kind, len(found), total_current=total, target_recent=content.target)
        case RecordKind.DURATION:
            seconds = total // _SECOND
            totals = {"total_minutes": seconds // 60, "total_seconds": seconds}
            return _named(content.kind, len(found), **totals, target_minutes_recent=content.target)
        case RecordKind.EVENT:
            return _named(content.kind, len(found), total_count=total)


def by_day(tx: Tx, record: Record, first: date, last: date, until: datetime) -> Counter[date]:
    """Return the amounts of the days that have any; the session under way has come to `until`."""
    found = Counter(tallies.amounts(tx, record, first, last))
    under_way = sessions.under_way(tx, record)
    if under_way is not None:
        for piece in split(under_way.start, until, Window.DAY, zone(record.zone)):
            if first <= piece.period.day <= last:
                found[piece.period.day] += (piece.end - piece.start) // timedelta(microseconds=1)
    return found


def _named(kind: RecordKind, days: int, **totals: int | None) -> dict[str, Any]:
    return {"kind": f"{kind.value}_range", "days_with_data": days, **totals}


def _past(tx: Tx, record: Record, window: Window, now: datetime) -> list[Period]:
    """Return the periods that are over, newest first, back to the one in which the record or its first write was."""
    tz = zone(record.zone)
    day = tallies.first_day(tx, record)
    under_way = sessions.under_way(tx, record)
    began = [record.created_at]
    began += [] if day is None else [period_of(day, Window.DAY, tz).start]
    began += [] if under_way is None else [under_way.start]
    first = period_at(min(began), window, tz)
    period = before(period_at(now, window, tz), tz)
    past: list[Period] = []
    while period.day >= first.day and len(past) < MOST_PERIODS:
        # A day that a zone skipped when it changed sides of the date line has no time in it.
        past += [period] if period.end is not None and period.start < period.end else []
        period = before(period, tz)
    return past


def _lines(tx: Tx, record: Record, past: list[Period], until: datetime) -> Iterator[dict[str, Any]]:
    tz = zone(record.zone)
    kind = record.content.kind
    amount: Counter[date] = Counter()
    for day, number in by_day(tx, record, past[-1].day, last_day(past[0]) or past[0].day, until).items():
        amount[period_of(day, past[0].window, tz).day] += number
    if kind is RecordKind.EVENT:
        yield from ({"date": period.day.isoformat(), "count": amount[period.day]} for period in past)
        return
    marks = tallies.reached_since(tx, record, past[-1])
    terms = store.terms(tx, record)
    for period in past:
        mark, target, current = marks.get(period.day), _target(terms, period), amount[period.day]
        line: dict[str, Any] = {"date": period.day.isoformat()}
        if kind is RecordKind.PROGRESS:
            met = target is not None and current >= target
            status = "completed" if mark is not None or met else "active"
            line |= {"current": current, "target": target, "status": status}
        else:
            seconds = current // _SECOND
            line |= {"accumulated_minutes": seconds // 60, "accumulated_seconds": seconds, "target_minutes": target}
        line["reached_at"] = None if mark is None else iso(mark.at, tz)
        yield line | _bounds(period, tz)


def _target(terms: list[tuple[datetime, Window, int | None]], period: Period) -> int | None:
    """Return the target that held when a period ended; None where its periods were others then."""
    held = [term for term in terms if period.end is None or term[0] < period.end]
    _, rhythm, target = (held or terms)[-1 if held else 0]
    return target if rhythm is period.window else None


def _range(ask: Ask, today: date) -> tuple[date, date]:
    if ask.first is None or ask.last is None:
        raise BadInput("record_range_half")
    first, last = _day(ask.first, today), _day(ask.last, today)
    if first > last:
        raise BadInput("record_range_order")
    if (last - first).days >= LONGEST_RANGE:
        raise TooLarge("record_range_long", limit=LONGEST_RANGE)
    return first, last


def _day(text: str, today: date) -> date:
    if text in {"today", "yesterday"}:
        return today if text == "today" else today - timedelta(days=1)
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise BadInput("date_unreadable", text=text[:64]) from error
    if not _YEARS[0] <= day.year <= _YEARS[1]:
        raise BadInput("date_unreadable", text=text[:64])
    return day


def _bounds(period: Period, tz: ZoneInfo) -> dict[str, str | None]:
    end = None if period.end is None else iso(period.end, tz)
    return {"period_start": iso(period.start, tz), "period_end": end}
