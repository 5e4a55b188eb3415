from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.times.sun import Place, SunEvent, sun_time

CHINA = ZoneInfo("Asia/Shanghai")
BEIJING = Place(39.9042, 116.4074)
SHANGHAI = Place(31.2304, 121.4737)
URUMQI = Place(43.8256, 87.6168)
TROMSO = Place(69.6492, 18.9553)
SYDNEY = Place(-33.8688, 151.2093)

ALMANAC = [
    # place, day, sunrise, sunset by published almanacs, in the place's civil time
    (BEIJING, "2025-03-20", "06:18", "18:26", "Asia/Shanghai"),
    (BEIJING, "2025-06-21", "04:46", "19:46", "Asia/Shanghai"),
    (BEIJING, "2025-12-21", "07:32", "16:53", "Asia/Shanghai"),
    (SHANGHAI, "2025-03-20", "05:58", "18:06", "Asia/Shanghai"),
    (SHANGHAI, "2025-06-21", "04:50", "19:01", "Asia/Shanghai"),
    (SHANGHAI, "2025-12-21", "06:49", "16:56", "Asia/Shanghai"),
    (SYDNEY, "2025-12-21", "05:41", "20:05", "Australia/Sydney"),
]


@pytest.mark.parametrize(("place", "day", "rises", "sets", "zone"), ALMANAC)
def test_times_are_those_of_the_almanac_within_three_minutes(
    place: Place, day: str, rises: str, sets: str, zone: str
) -> None:
    for event, clock in ((SunEvent.SUNRISE, rises), (SunEvent.SUNSET, sets)):
        found = sun_time(place, date.fromisoformat(day), event)
        assert found is not None
        wanted = datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(zone))
        assert abs(found - wanted) <= timedelta(minutes=3), found


@pytest.mark.parametrize("day", ["2025-06-21", "2025-12-21"], ids=["polar day", "polar night"])
@pytest.mark.parametrize("event", SunEvent)
def test_polar_days_and_nights_have_neither(day: str, event: SunEvent) -> None:
    assert sun_time(TROMSO, date.fromisoformat(day), event) is None
    assert sun_time(TROMSO, date(2025, 3, 20), event) is not None


@pytest.mark.parametrize("place", [BEIJING, SHANGHAI, URUMQI, Place(0, -180), Place(0, 180)])
@pytest.mark.parametrize("event", SunEvent)
def test_no_day_of_the_year_is_lost_or_counted_twice(place: Place, event: SunEvent) -> None:
    """In Ürümqi the sunrise drifts over midnight UTC in spring and autumn."""
    found = [sun_time(place, date(2025, 1, 1) + timedelta(days=n), event) for n in range(366)]
    times = [one for one in found if one is not None]
    assert len(times) == 366
    steps = [later - earlier for earlier, later in pairwise(times)]
    assert all(abs(step - timedelta(days=1)) < timedelta(minutes=4) for step in steps)


def test_in_china_a_solar_day_is_the_date() -> None:
    for place in (BEIJING, SHANGHAI, URUMQI):
        for event in SunEvent:
            found = sun_time(place, date(2025, 5, 1), event)
            assert found is not None
            assert found.astimezone(CHINA).date() == date(2025, 5, 1)


@settings(deadline=None)
@given(
    st.floats(-90, 90),
    st.floats(-180, 180),
    st.dates(date(1900, 1, 1), date(9990, 1, 1)),
)
def test_every_place_and_day_has_a_sunrise_before_its_sunset_or_none(
    latitude: float, longitude: float, day: date
) -> None:
    place = Place(latitude, longitude)
    rises, sets = (sun_time(place, day, event) for event in SunEvent)
    if rises is not None and sets is not None:
        assert rises.tzinfo is UTC
        assert timedelta() <= sets - rises <= timedelta(days=1)
