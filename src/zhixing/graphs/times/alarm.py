"""The alarm clock of a rule graph (specification §1.6, §1.7): a fixed time of day, or the sun's with an offset.

An alarm rings at wall time when its filter lets the day through; what was missed is not made up for. The day asked is
the date on which it rings. A fixed time that summer time skips rings at the first instant behind the gap, one that
comes twice rings the first time (`zhixing.kernel.moments.settle`). Instants that are returned are in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from zhixing.graphs.checks.finding import Level
from zhixing.graphs.times.clockface import REACH_DAYS, days_from, local_day, read_time
from zhixing.graphs.times.filters import NO_DAY, DayFilter, passes, read_filter
from zhixing.graphs.times.findings import Reading, TimeFinding, fields, finding, number, whole
from zhixing.graphs.times.options import DEFAULT_OPTIONS, TimeOptions
from zhixing.graphs.times.sun import Place, SunEvent, sun_time
from zhixing.kernel.moments import settle

MOST_OFFSET = 1440
"""Minutes that an alarm may lie before or after the sun: a day."""

_SUN_BACK_DAYS = 5
"""Solar days before a date whose sun may ring on it: the offset, a zone far from the place, the end of a solar day."""


@dataclass(frozen=True, slots=True)
class FixedAlarm:
    """Rings at one time of day."""

    at: time
    days: DayFilter


@dataclass(frozen=True, slots=True)
class SunAlarm:
    """Rings `offset` minutes after (negative: before) the sun rises or sets at `place`."""

    place: Place
    event: SunEvent
    offset: int
    days: DayFilter


Alarm = FixedAlarm | SunAlarm


class Silence(StrEnum):
    """Why no ring was found."""

    CALENDAR_UNKNOWN = "calendar_unknown"
    """The filter asks for holidays of a year that is not in the table."""
    NO_SUN = "no_sun"
    """The sun does not rise or set there within reach."""
    NO_DAY = "no_day"
    """No day within reach passes the filter."""


def read_alarm(props: Mapping[str, object], cfg: object = None) -> Reading[Alarm]:
    """Read an alarm's `props`, and hold the card's `cfg` against them.

    Codes: `invalid_alarm_type`, `invalid_hour`, `invalid_minute`, `invalid_second`, `invalid_latitude`,
    `invalid_longitude`, `invalid_is_sunset`, `invalid_offset`, those of `read_filter`, and the warning
    `offset_display_mismatch` when `happenType` and `tempOffset` say another offset than the one that runs.
    """
    match props.get("type"):
        case "periodicAlarm":
            return _read_fixed(props)
        case "sunset":
            return _read_sun(props, fields(cfg))
        case other:
            return Reading(None, (finding("invalid_alarm_type", "props.type", other),))


def search_ring(
    alarm: Alarm, after: datetime, tz: ZoneInfo, options: TimeOptions = DEFAULT_OPTIONS
) -> datetime | Silence:
    """Return the first ring later than `after`, or why there is none within `REACH_DAYS`."""
    if alarm.days == NO_DAY:
        return Silence.NO_DAY
    silence = Silence.NO_SUN
    for ring in _rings(alarm, local_day(after, tz), tz):
        if ring <= after:
            continue
        silence = Silence.NO_DAY
        known = passes(alarm.days, ring.astimezone(tz).date(), options)
        if known is None:
            return Silence.CALENDAR_UNKNOWN
        if known:
            return ring
    return silence


def _rings(alarm: Alarm, day: date, tz: ZoneInfo) -> Iterator[datetime]:
    """Yield the rings of every day in order, unfiltered, from before `day` on."""
    match alarm:
        case FixedAlarm():
            for one in days_from(day, back=1, count=REACH_DAYS):
                yield settle(datetime.combine(one, alarm.at), tz).astimezone(UTC)
        case SunAlarm():
            for one in days_from(day, back=_SUN_BACK_DAYS, count=REACH_DAYS):
                sun = sun_time(alarm.place, one, alarm.event)
                if sun is not None:
                    yield sun + timedelta(minutes=alarm.offset)


def _read_fixed(props: Mapping[str, object]) -> Reading[Alarm]:
    at = read_time(props, "props")
    days = read_filter(props.get("filter"))
    findings = at.findings + days.findings
    if at.value is None or days.value is None:
        return Reading(None, findings)
    return Reading(FixedAlarm(at.value, days.value), findings)


def _read_sun(props: Mapping[str, object], cfg: Mapping[str, object]) -> Reading[Alarm]:
    latitude = number(props.get("latitude"), -90, 90)
    longitude = number(props.get("longitude"), -180, 180)
    is_sunset = props.get("isSunset")
    offset = whole(props.get("offset"), -MOST_OFFSET, MOST_OFFSET)
    days = read_filter(props.get("filter"))
    wrong: dict[str, tuple[str, bool]] = {
        "latitude": ("invalid_latitude", latitude is None),
        "longitude": ("invalid_longitude", longitude is None),
        "isSunset": ("invalid_is_sunset", not isinstance(is_sunset, bool)),
        "offset": ("invalid_offset", offset is None),
    }
    findings = tuple(finding(code, f"props.{key}", props.get(key)) for key, (code, bad) in wrong.items() if bad)
    if latitude is None or longitude is None or offset is None or findings or days.value is None:
        return Reading(None, findings + days.findings)
    event = SunEvent.SUNSET if is_sunset else SunEvent.SUNRISE
    alarm = SunAlarm(Place(latitude, longitude), event, offset, days.value)
    return Reading(alarm, days.findings + _shown_offset(offset, cfg))


def _shown_offset(offset: int, cfg: Mapping[str, object]) -> tuple[TimeFinding, ...]:
    """Compare the offset with what the card shows; a card that shows none is left alone."""
    happens = "now" if offset == 0 else "before" if offset < 0 else "after"
    shown = cfg.get("happenType", happens), cfg.get("tempOffset", abs(offset))
    if shown == (happens, abs(offset)):
        return ()
    return (finding("offset_display_mismatch", "cfg.tempOffset", f"{shown[0]} {shown[1]}", Level.WARN),)
