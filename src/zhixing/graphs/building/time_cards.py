"""Cards about time: alarms, windows and timers (mijia §1.5, §1.6). Pure."""

from __future__ import annotations

from datetime import time

from zhixing.graphs.building.sketch import Sketch, Span
from zhixing.graphs.rule import Members
from zhixing.graphs.times.alarm import MOST_OFFSET
from zhixing.graphs.times.filters import DayFilter, EveryDay, Holidays, Weekdays
from zhixing.graphs.times.sun import Place, SunEvent
from zhixing.kernel.errors import BadInput

EVERY_DAY = EveryDay()


def alarm_clock(at: time, days: DayFilter = EVERY_DAY) -> Sketch:
    """Pulse at a time of day."""
    props: Members = {"type": "periodicAlarm", **_time(at), "filter": _filter(days)}
    return Sketch("alarmClock", props, cfg={"happenType": "now", "tempOffset": 0})


def sun_alarm(place: Place, event: SunEvent, offset: int = 0, days: DayFilter = EVERY_DAY) -> Sketch:
    """Pulse at sunrise or sunset; `offset` in minutes, negative is before. Raises `BadInput` beyond a day."""
    if abs(offset) > MOST_OFFSET:
        raise BadInput("building_offset", limit=MOST_OFFSET)
    props: Members = {
        "type": "sunset",
        "latitude": place.latitude,
        "longitude": place.longitude,
        "isSunset": event is SunEvent.SUNSET,
        "offset": offset,
        "filter": _filter(days),
    }
    happens = "now" if not offset else "before" if offset < 0 else "after"
    return Sketch("alarmClock", props, cfg={"happenType": happens, "tempOffset": abs(offset)})


def time_range(start: time, end: time, days: DayFilter = EVERY_DAY) -> Sketch:
    """Be true from `start` to before `end`, over midnight when `end` is earlier. No window has equal ends."""
    if start == end:
        raise BadInput("building_empty_window")
    return Sketch("timeRange", {"start": _time(start), "end": _time(end), "filter": _filter(days)})


def delay(timeout: Span) -> Sketch:
    """Pulse some time after the last pulse; each new one starts the wait again."""
    return Sketch("delay", {"timeout": timeout.ms}, ("input",), cfg=timeout.display)


def status_last(timeout: Span) -> Sketch:
    """Become true, and pulse once, when a state has been true for so long without a break."""
    return Sketch("statusLast", {"timeout": timeout.ms}, ("input",), cfg=timeout.display)


def event_sequence(timeout: Span) -> Sketch:
    """Pulse when `input2` follows `input1` within some time."""
    return Sketch("eventSequence", {"timeout": timeout.ms}, ("input1", "input2"), cfg=timeout.display)


def loop(interval: Span) -> Sketch:
    """Pulse again and again between `start` and `stop`; the first time after one interval."""
    return Sketch("loop", {"interval": interval.ms}, ("start", "stop"), cfg=interval.display)


def _time(at: time) -> Members:
    return {"hour": at.hour, "minute": at.minute, "second": at.second}


def _filter(days: DayFilter) -> Members:
    match days:
        case EveryDay():
            return {}
        case Weekdays():
            if not days.days or not days.days <= set(range(7)):
                raise BadInput("building_days")
            return {"day": sorted(days.days)}
        case Holidays():
            return {"inHoliday": days.wanted}
