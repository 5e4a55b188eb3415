"""When a message may go: quiet hours and the most an hour may carry. Pure.

Quiet hours are read on the wall clock of the home, so each night is one stretch between two instants: a time that the
clocks skip stands for the first instant behind the gap, a time that comes twice for its first coming. Instants that the
user named pass them; what we chose ourselves waits for their end. The hour's limit is for the receiver, so it holds for
both: what is over it waits for the next free place, and the last free place takes everything that waits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from zhixing.delivery.model import Message, Timing
from zhixing.kernel.moments import settle

HOUR = timedelta(hours=1)
MOST_TOGETHER = 50
"""Messages of one digest."""

_QUIET = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*[-–~]\s*([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Quiet:
    """A stretch of each day, over midnight where it ends before it begins."""

    start: time
    end: time
    zone: ZoneInfo

    def until(self, at: datetime) -> datetime | None:
        """Return when the stretch that `at` lies in ends; None when it lies in none. The end lies outside.

        Compared in UTC: two readings of one zone compare as wall clocks, which go back once a year.
        """
        today = at.astimezone(self.zone).date()
        for day in (today - timedelta(days=1), today):
            start, end = self._stretch(day)
            if start <= at.astimezone(UTC) < end:
                return end
        return None

    def _stretch(self, day: date) -> tuple[datetime, datetime]:
        last = day if self.start < self.end else day + timedelta(days=1)
        return (
            settle(datetime.combine(day, self.start), self.zone).astimezone(UTC),
            settle(datetime.combine(last, self.end), self.zone).astimezone(UTC),
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """What the owner set for a channel."""

    quiet: Quiet | None = None
    per_hour: int | None = None


FREE = Policy()
"""Everything goes at once."""


@dataclass(frozen=True, slots=True)
class Go:
    """Send it now; `together` says whether everything that waits goes with it."""

    note: str | None = None
    together: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """Look at it again at `until`."""

    until: datetime
    note: str


def read_quiet(text: str) -> tuple[time, time]:
    """Read `22:00-07:00`; raise `ValueError` for anything else, and where both ends are the same."""
    found = _QUIET.fullmatch(text.strip())
    if found is None:
        raise ValueError("not two times of day")
    start, end = time(int(found[1]), int(found[2])), time(int(found[3]), int(found[4]))
    if start == end:
        raise ValueError("a stretch of no length")
    return start, end


def decide(policy: Policy, message: Message, now: datetime, lately: list[datetime]) -> Go | Hold:
    """Decide whether a message whose turn it is goes now.

    `lately` are the instants at which the channel told something within the hour before, newest first.
    """
    note = None
    until = None if policy.quiet is None else policy.quiet.until(now)
    if until is not None:
        if message.timing is Timing.CHOSEN:
            return Hold(until, "held_quiet")
        note = "named_in_quiet"
    if policy.per_hour is None:
        return Go(note)
    recent = [at for at in lately if at > now - HOUR]
    if len(recent) >= policy.per_hour:
        return Hold(recent[policy.per_hour - 1] + HOUR, "held_limit")
    return Go(note, together=len(recent) == policy.per_hour - 1)


def may_join(policy: Policy, message: Message, now: datetime) -> bool:
    """Whether a message that waits may go out with another one now."""
    return message.timing is Timing.NAMED or policy.quiet is None or policy.quiet.until(now) is None
