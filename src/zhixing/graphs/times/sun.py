"""When the sun rises and sets.

Positions come from astral. Its own search by calendar date loses a sunrise wherever one drifts over midnight UTC, which
happens in the west of China; so days are counted here from one true solar noon to the next, and the crossing of the
horizon is found between a noon and the midnight beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache

from astral import Observer
from astral.julian import julianday, julianday_to_juliancentury
from astral.sun import eq_of_time, zenith

HORIZON = 90 + 50 / 60
"""Degrees from the zenith to the centre of a sun whose upper edge is on the horizon: 34′ of refraction, 16′ of sun."""

_HALF_DAY = timedelta(hours=12)
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the Earth at sea level, in degrees: latitude −90 to 90, longitude −180 to 180, east positive."""

    latitude: float
    longitude: float


class SunEvent(StrEnum):
    """One of the two crossings of the horizon."""

    SUNRISE = "sunrise"
    SUNSET = "sunset"


@lru_cache(maxsize=4096)
def sun_time(place: Place, day: date, event: SunEvent) -> datetime | None:
    """Return when the sun crosses the horizon on solar day `day` of `place`: UTC, to the second.

    A solar day is the 24 hours around the true noon of that date by local mean time, so every day has at most one of
    each and later days have later ones. None in polar day and polar night.
    """
    noon = _true_noon(place, day)
    midnight = noon - _HALF_DAY if event is SunEvent.SUNRISE else noon + _HALF_DAY
    observer = Observer(place.latitude, place.longitude)
    if not _up(observer, noon) or _up(observer, midnight):
        return None
    dark, light = midnight, noon
    while abs(light - dark) > _SECOND:
        middle = dark + (light - dark) / 2
        if _up(observer, middle):
            light = middle
        else:
            dark = middle
    return light.replace(microsecond=0)


def _true_noon(place: Place, day: date) -> datetime:
    mean = datetime.combine(day, time(12), UTC) - timedelta(minutes=4 * place.longitude)
    return mean - timedelta(minutes=eq_of_time(julianday_to_juliancentury(julianday(day))))


def _up(observer: Observer, at: datetime) -> bool:
    return zenith(observer, at, with_refraction=False) < HORIZON
