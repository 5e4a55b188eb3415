"""What a write does to a record, decided without I/O and without a clock.

Everything about time is derived from the instant of the write: which period it counts for, when a target was reached,
when a session ends. So a write that comes late, after an outage or from another process, is booked where it belongs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import iso
from zhixing.tasks.records.model import Content, Period, Reached, Record, Session
from zhixing.tasks.task import Status, Task

AHEAD = timedelta(seconds=60)
"""How far ahead of our clock the instant of a write may be."""
BEHIND = timedelta(days=366)
"""How far behind."""
LARGEST_STEP = 1_000_000
"""Of one increment, either way."""
LONGEST_DESCRIPTION = 500
"""Characters of an event."""
LONGEST_KEY = 200
"""Characters of the key of a write."""

_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a record stands in one period: `current` is a count, or the whole seconds so far.

    `met` says whether it has as much as the target now, to the microsecond; `reached` whether it had once.
    """

    period: Period
    current: int
    target: int | None
    met: bool
    reached: Reached | None


def counted(period: Period, count: int, target: int | None, reached: Reached | None) -> Standing:
    """Return the standing of what is counted."""
    return Standing(period, count, target, target is not None and count >= target, reached)


def timed(period: Period, spent: timedelta, target: int | None, reached: Reached | None) -> Standing:
    """Return the standing of what is timed."""
    met = target is not None and spent >= timedelta(minutes=target)
    return Standing(period, spent // timedelta(seconds=1), target, met, reached)


def check_end(content: Content, now: datetime, tz: ZoneInfo) -> None:
    """Refuse a record that would be over before it begins."""
    if content.expires_at is not None and content.expires_at <= now:
        raise BadInput("record_end_past", at=iso(content.expires_at, tz))


def check_write(at: datetime, key: str, now: datetime, tz: ZoneInfo) -> None:
    """Refuse an instant or a key that nobody can mean."""
    if not key or len(key) > LONGEST_KEY or not key.isprintable():
        raise BadInput("record_key", limit=LONGEST_KEY)
    if at > now + AHEAD:
        raise BadInput("record_at_ahead", at=iso(at, tz))
    if at < now - BEHIND:
        raise BadInput("record_at_old", at=iso(at, tz), days=BEHIND.days)


def check_step(delta: int) -> None:
    """Refuse an increment that is none, or is out of all proportion."""
    if type(delta) is not int or delta == 0 or abs(delta) > LARGEST_STEP:
        raise BadInput("record_step", value=str(delta)[:64], most=LARGEST_STEP)


def one_line(text: str) -> str:
    """Make one line of what happened; refuse nothing at all, or a whole story."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    if not line:
        raise BadInput("record_entry_empty")
    if len(line) > LONGEST_DESCRIPTION:
        raise TooLarge("record_entry_long", limit=LONGEST_DESCRIPTION)
    return line


def limit(content: Content, task: Task) -> datetime | None:
    """Return the instant from which nothing counts any more: the end of the record or of its task."""
    ends = [end for end in (content.expires_at, task.lifecycle.expires_at) if end is not None]
    return min(ends, default=None)


def counts_until(content: Content, task: Task, now: datetime) -> datetime:
    """Return the instant up to which a session under way counts."""
    end = limit(content, task)
    return now if end is None else min(now, end)


def refusal(record: Record, task: Task, at: datetime) -> str:
    """Say why a write at `at` changes nothing (`paused`, `ended`), or nothing."""
    if task.status is Status.PAUSED:
        return "paused"
    end = limit(record.content, task)
    return "ended" if not task.active or (end is not None and at >= end) else ""


def began(at: datetime, last_end: datetime | None) -> datetime:
    """Return when a session begins: never before the one before it ended, so that no time counts twice."""
    return at if last_end is None else max(at, last_end)


def length(session: Session, until: datetime | None, period: Period) -> timedelta:
    """Return the part of a session that lies in a period; one under way has come to `until`."""
    end = session.end or until
    if end is None:
        return timedelta()
    start = max(session.start, period.start)
    end = end if period.end is None else min(end, period.end)
    return max(end - start, timedelta())


def reached_at(sessions: Iterable[Session], missing: timedelta, period: Period) -> datetime | None:
    """Return the instant at which the sessions, in order, had come to what was missing; None when they never do.

    A session without an end is taken to go on. A target may be reached at the very end of its period.
    """
    for session in sessions:
        start = max(session.start, period.start)
        end = _earlier(session.end, period.end)
        if end is None or start + missing <= end:
            return start + missing
        missing -= max(end - start, timedelta())
    return None


def just_before(at: datetime) -> datetime:
    """Return the last instant of the time that ended at `at`: what ends at midnight belongs to the day before."""
    return at - _TICK


def taken_back(amount: int, days: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Take an amount away from days with counts, in their order; return what each loses. None goes below zero."""
    losses = []
    for day, count in days:
        loss = min(amount, count)
        if loss > 0:
            losses.append((day, loss))
            amount -= loss
    return losses


def completed(content: Content, standing: Standing) -> bool:
    """Whether a oneshot is through: it has its target, or had it once and the target was not raised since."""
    if not content.oneshot or standing.target is None:
        return False
    return standing.met or (standing.reached is not None and standing.reached.target >= standing.target)


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min((end for end in (one, other) if end is not None), default=None)
