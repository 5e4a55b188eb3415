"""The next instants of a trigger: pure, and the same for run, preview and explain."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.model import At, Every, ScheduleState, Trigger

MAX_COUNTED = 10_000
"""Passed instants of a cron or calendar that are counted; where there are more, the count says "at least"."""


def next_due(trigger: Trigger, tz: ZoneInfo, after: datetime) -> datetime | None:
    """Return the first instant strictly after `after`, in UTC, or None when there is none."""
    return next(instants(trigger, tz, after), None)


def upcoming(trigger: Trigger, tz: ZoneInfo, after: datetime, n: int) -> list[datetime]:
    """Return the first `n` instants strictly after `after`, in UTC; fewer when the trigger ends."""
    return list(islice(instants(trigger, tz, after), n))


def instants(trigger: Trigger, tz: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yield the instants strictly after `after`, in UTC, each later than the one before."""
    if isinstance(trigger, At):
        at = trigger.at.astimezone(UTC)
        return iter((at,) if at > after else ())
    if isinstance(trigger, Every):
        return _grid(trigger, after.astimezone(UTC))
    return trigger.instants(after, tz)


def state_before(trigger: Trigger, following: datetime | None) -> ScheduleState:
    """Return the state of a schedule whose next instant is `following`: without one it waits for a table, or ends."""
    if following is not None:
        return ScheduleState.ACTIVE
    lacks = isinstance(trigger, Calendar) and trigger.lacks_table
    return ScheduleState.WAITING if lacks else ScheduleState.ENDED


@dataclass(frozen=True, slots=True)
class Passed:
    """The instants of a span: how many (`count`, a lower bound unless `exact`), the `first`, and the `newest` few.

    With a count of 0, `first` means nothing; otherwise `newest` has at least one instant.
    """

    count: int
    exact: bool
    first: datetime
    newest: tuple[datetime, ...]


def passed(trigger: Trigger, tz: ZoneInfo, after: datetime, until: datetime, keep: int) -> Passed:
    """Look at the instants in (after, until], keeping the newest `keep`; bounded work however long the span is."""
    if isinstance(trigger, Every):
        return _passed_grid(trigger, after.astimezone(UTC), until.astimezone(UTC), keep)
    count, first, newest = _walk(trigger, tz, after, until, keep)
    if count <= MAX_COUNTED:
        return Passed(count, exact=True, first=first, newest=newest)
    # There is at most one instant a minute, so this much in front of the newest one can be walked whole.
    last = _newest(trigger, tz, first, until)
    _, _, newest = _walk(trigger, tz, last - timedelta(minutes=MAX_COUNTED), last, keep)
    return Passed(MAX_COUNTED, exact=False, first=first, newest=newest)


def _walk(
    trigger: Trigger, tz: ZoneInfo, after: datetime, until: datetime, keep: int
) -> tuple[int, datetime, tuple[datetime, ...]]:
    newest: deque[datetime] = deque(maxlen=keep)
    count, first = 0, until
    for instant in instants(trigger, tz, after):
        if instant > until or count > MAX_COUNTED:
            break
        if count == 0:
            first = instant
        newest.append(instant)
        count += 1
    return count, first, tuple(newest)


def _newest(trigger: Trigger, tz: ZoneInfo, instant: datetime, until: datetime) -> datetime:
    """Return the last instant not after `until`, given an earlier one, by bisection."""
    low, high = instant, until
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        following = next_due(trigger, tz, middle)
        if following is not None and following <= until:
            low = following
        else:
            high = middle
    return low


def _passed_grid(every: Every, after: datetime, until: datetime, keep: int) -> Passed:
    step = timedelta(seconds=every.seconds)
    first = max(0, (after - every.anchor) // step + 1)
    last = (until - every.anchor) // step
    if last < first:
        return Passed(0, exact=True, first=until, newest=())
    newest = tuple(every.anchor + n * step for n in range(max(first, last - keep + 1), last + 1))
    return Passed(last - first + 1, exact=True, first=every.anchor + first * step, newest=newest)


def _grid(every: Every, after: datetime) -> Iterator[datetime]:
    step = timedelta(seconds=every.seconds)
    n = max(0, (after - every.anchor) // step + 1)
    while True:
        try:
            instant = every.anchor + n * step
        except OverflowError:
            return  # the calendar ends with the year 9999
        yield instant
        n += 1
