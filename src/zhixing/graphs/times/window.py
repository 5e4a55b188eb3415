"""The time window of a rule graph (specification §1.6, §1.7): a state that is true inside [start, end).

A window whose end is before its start crosses midnight. Ends that summer time skips or repeats are placed as
`zhixing.kernel.moments.settle` places them; a window that lies wholly in a gap does not open that day.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from zhixing.graphs.checks.finding import Level
from zhixing.graphs.times.clockface import REACH_DAYS, days_from, local_day, read_time
from zhixing.graphs.times.filters import DayFilter, passes, read_filter
from zhixing.graphs.times.findings import Reading, TimeFinding, fields, finding
from zhixing.graphs.times.options import DEFAULT_OPTIONS, DayOwner, TimeOptions, ZeroLength
from zhixing.kernel.moments import settle

_BACK_DAYS = 2
"""Days before an instant whose windows may still be open at it."""

_MIDNIGHT = time()
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` to before `end` on days that pass `days`."""

    start: time
    end: time
    days: DayFilter

    @property
    def overnight(self) -> bool:
        """Whether it ends on the day after the one it starts on."""
        return self.end < self.start


@dataclass(frozen=True, slots=True)
class Change:
    """From `at` on the window is open, closed, or (None) not known: its filter asks for a year not in the table.

    `at` is in UTC.
    """

    at: datetime
    open: bool | None


@dataclass(frozen=True, slots=True)
class _Piece:
    start: datetime
    end: datetime
    open: bool | None


def read_window(props: Mapping[str, object]) -> Reading[Window]:
    """Read a window's `props`.

    Codes: `invalid_hour`, `invalid_minute`, `invalid_second`, those of `read_filter`, and the warning
    `time_range_zero_length` beside a window whose start is its end.
    """
    start, end = (_read_end(props.get(name), f"props.{name}") for name in ("start", "end"))
    days = read_filter(props.get("filter"))
    findings = start.findings + end.findings + days.findings
    if start.value is None or end.value is None:
        return Reading(None, findings)
    if start.value == end.value:
        findings += (finding("time_range_zero_length", "props.end", end.value.isoformat(), Level.WARN),)
    return Reading(None if days.value is None else Window(start.value, end.value, days.value), findings)


def is_open(window: Window, at: datetime, tz: ZoneInfo, options: TimeOptions = DEFAULT_OPTIONS) -> bool | None:
    """Whether `at` lies inside the window; None when that is not known (see `Change`)."""
    for day in days_from(local_day(at, tz), back=_BACK_DAYS, count=1):
        for piece in _pieces(window, day, tz, options):
            if piece.start <= at < piece.end:
                return piece.open
    return False


def boundaries(
    window: Window, after: datetime, tz: ZoneInfo, options: TimeOptions = DEFAULT_OPTIONS
) -> Iterator[Change]:
    """Yield the instants later than `after` at which `is_open` changes, in order, up to `REACH_DAYS` ahead.

    A window that reopens at the instant at which it closes does not change.
    """
    return (change for change in _changes(window, local_day(after, tz), tz, options) if change.at > after)


def next_change(window: Window, after: datetime, tz: ZoneInfo, options: TimeOptions = DEFAULT_OPTIONS) -> Change | None:
    """Return the first change later than `after`; None when there is none within `REACH_DAYS`."""
    return next(boundaries(window, after, tz, options), None)


def _changes(window: Window, day: date, tz: ZoneInfo, options: TimeOptions) -> Iterator[Change]:
    last: _Piece | None = None
    for one in days_from(day, back=_BACK_DAYS, count=REACH_DAYS):
        for piece in _pieces(window, one, tz, options):
            if last is not None and last.end < piece.start:
                yield Change(last.end, open=False)
                last = None
            if last is None or last.open is not piece.open:
                yield Change(piece.start, piece.open)
            last = piece
    if last is not None and last.end.date() < day + _DAY * REACH_DAYS:
        yield Change(last.end, open=False)


def _pieces(window: Window, day: date, tz: ZoneInfo, options: TimeOptions) -> Iterator[_Piece]:
    """Yield the stretches that the filter lets through for `day`, in order; they never overlap those of another day."""
    known = passes(window.days, day, options)
    if known is False:
        return
    for start, end in _stretches(window, day, options):
        # In UTC: Python compares two readings of one zone by their wall time, blind to the hour that comes twice.
        first, behind = settle(start, tz).astimezone(UTC), settle(end, tz).astimezone(UTC)
        if first < behind:
            yield _Piece(first, behind, known)


def _stretches(window: Window, day: date, options: TimeOptions) -> Iterator[tuple[datetime, datetime]]:
    midnight, next_midnight = datetime.combine(day, _MIDNIGHT), datetime.combine(day + _DAY, _MIDNIGHT)
    start, end = datetime.combine(day, window.start), datetime.combine(day, window.end)
    by_start = options.timerange_day_owner is DayOwner.START_DAY
    if window.start < window.end:
        yield start, end
    elif window.start == window.end and options.timerange_zero_length is ZeroLength.NEVER:
        return
    elif by_start:
        yield start, end + _DAY
    else:
        yield midnight, end
        yield start, next_midnight


def _read_end(value: object, where: str) -> Reading[time]:
    given = fields(value)
    if given is value:
        return read_time(given, where)
    missing: tuple[TimeFinding, ...] = (finding("invalid_hour", where, value),)
    return Reading(None, missing)
