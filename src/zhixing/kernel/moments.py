"""Zone-honest instants.

A wall-clock time in a zone names one instant, none (the clocks were put forward over it) or two (they were put back).
`locate` says which; nobody else in the package may guess. Stored instants are microseconds since the Unix epoch.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from zhixing.kernel.errors import BadInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Exact:
    """The local time names one instant."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Gap:
    """The local time was skipped; `after` is the first instant behind the gap, both zoned."""

    after: datetime
    shifted: datetime
    """The same reading carried over the gap by its length (02:30 → 03:30), what most calendars show."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The local time happened twice."""

    first: datetime
    second: datetime


Located = Exact | Gap | Overlap


@lru_cache(maxsize=512)
def zone(name: str) -> ZoneInfo:
    """Return the IANA zone `name`; raise `BadInput` when there is none."""
    try:
        # A key such as "../x" raises ValueError, a folder such as "Asia" an OSError.
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput("zone_unknown", zone=name[:64]) from error


def locate(local: datetime, tz: ZoneInfo) -> Located:
    """Find the instants that naive `local` names in `tz`.

    PEP 495 round trip: both folds are converted to UTC and back; a reading that does not come back was skipped.
    """
    early = local.replace(tzinfo=tz, fold=0)
    late = local.replace(tzinfo=tz, fold=1)
    early_offset, late_offset = early.utcoffset(), late.utcoffset()
    if early_offset == late_offset:
        return Exact(early)
    back = early.astimezone(UTC).astimezone(tz)
    if back.replace(tzinfo=None, fold=0) == local.replace(fold=0):
        return Overlap(early, late)
    return Gap(after=_first_after_gap(early, late), shifted=back)


def _first_after_gap(early: datetime, late: datetime) -> datetime:
    """Return the instant at which the clocks went forward, by bisection between the two readings of the gap."""
    tz = early.tzinfo
    low, high = late.astimezone(UTC), early.astimezone(UTC)
    before = low.astimezone(tz).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        if middle.astimezone(tz).utcoffset() == before:
            low = middle
        else:
            high = middle
    # Transitions fall on whole seconds; the bisection ends inside the second before one.
    return (high.replace(microsecond=0)).astimezone(tz)


def settle(local: datetime, tz: ZoneInfo) -> datetime:
    """Turn `local` into one instant by the rule for policies nobody typed (such as 09:00 for a bare date).

    A skipped time becomes the first instant after the gap, a repeated one its first occurrence.
    """
    found = locate(local, tz)
    if isinstance(found, Exact):
        return found.at
    return found.after if isinstance(found, Gap) else found.first


def parse_instant(text: str) -> datetime:
    """Read an ISO 8601 instant; an offset (or Z) is required. Raises `BadInput`."""
    try:
        at = datetime.fromisoformat(text)
    except (ValueError, TypeError) as error:
        raise BadInput("instant_unreadable", text=str(text)[:64]) from error
    if at.tzinfo is None:
        raise BadInput("instant_without_offset", text=text[:64])
    try:
        at.astimezone(UTC)
    except OverflowError as error:
        raise BadInput("instant_unreadable", text=text[:64]) from error
    return at


def micros(at: datetime) -> int:
    """Return aware `at` as whole microseconds since the epoch."""
    return (at - EPOCH) // _MICROSECOND


def millis(at: datetime) -> int:
    """Return aware `at` as whole milliseconds since the epoch."""
    return micros(at) // 1000


def from_micros(value: int) -> datetime:
    """Return the UTC instant `value` microseconds after the epoch."""
    return EPOCH + timedelta(microseconds=value)


def iso(at: datetime, tz: ZoneInfo) -> str:
    """Write `at` as ISO 8601 with the offset it has in `tz`, to the second unless it has a fraction."""
    return at.astimezone(tz).isoformat(timespec="microseconds" if at.microsecond else "seconds")
