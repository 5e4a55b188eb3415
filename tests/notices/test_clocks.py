"""What a clock reading means beside each part of the day: the whole table, hour by hour.

`m` asks only for the half of the day, `?` asks for the time, `+1` is midnight at the end of the day.
"""

from __future__ import annotations

import pytest

from zhixing.language.timex import ClockStyle, ClockWords, Period
from zhixing.notices.clocks import Unclear, WallTime, wall_time

#                       0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
TABLE = {
    None:              "0  m  m  m  m  m  m  m  m  m  m  m  m 13 14 15 16 17 18 19 20 21 22 23 +1",
    Period.BEFORE_DAWN: "0  1  2  3  4  5  6  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?",
    Period.MORNING:    "?  ?  ?  ?  4  5  6  7  8  9 10 11  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?",
    Period.FORENOON:   "?  ?  ?  ?  ?  5  6  7  8  9 10 11  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?",
    Period.NOON:       "? 13 14  ?  ?  ?  ?  ?  ?  ?  ? 11 12 13 14  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?",
    Period.AFTERNOON:  "? 13 14 15 16 17 18 19 20  ?  ?  ?  ? 13 14 15 16 17 18 19 20  ?  ?  ?  ?",
    Period.EVENING:    "?  ?  ?  ?  ? 17 18 19 20 21 22 23  ?  ?  ?  ?  ? 17 18 19 20 21 22 23 +1",
    Period.NIGHT:      "?  ?  ?  ?  ?  ?  ?  ?  ? 21 22 23  ?  ?  ?  ?  ?  ?  ?  ?  ? 21 22 23 +1",
    Period.AM:         "?  1  2  3  4  5  6  7  8  9 10 11  0  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ?",
    Period.PM:         "? 13 14 15 16 17 18 19 20 21 22 23 12 13 14 15 16 17 18 19 20 21 22 23  ?",
}  # fmt: skip
ROWS = [
    pytest.param(period, hour, cell, id=f"{period or '不说'}-{hour}")
    for period, cells in TABLE.items()
    for hour, cell in enumerate(cells.split())
]


def spoken(hour: int, minute: int = 0) -> ClockWords:
    return ClockWords(hour, minute, ClockStyle.SPOKEN)


def colon(hour: int, minute: int) -> ClockWords:
    return ClockWords(hour, minute, ClockStyle.COLON)


def test_the_table_names_every_part_of_the_day_and_every_hour():
    assert set(TABLE) == {None, *Period} - {Period.LATER}
    assert all(len(cells.split()) == 25 for cells in TABLE.values())


@pytest.mark.parametrize(("period", "hour", "cell"), ROWS)
@pytest.mark.parametrize("minute", [0, 20])
def test_each_hour_beside_each_part_of_the_day(period: Period | None, hour: int, cell: str, minute: int):
    found = wall_time(spoken(hour, minute), period)

    if hour == 24 and minute:
        assert found == Unclear("clock_time", ())
    elif cell in ("?", "m"):
        assert isinstance(found, Unclear)
        assert found.kind == ("meridiem" if cell == "m" else "clock_time")
    else:
        assert found == (WallTime(1, 0, 0) if cell == "+1" else WallTime(0, int(cell), minute))


@pytest.mark.parametrize(("period", "hour", "cell"), ROWS)
def test_a_question_offers_the_likely_readings_and_keeps_the_minutes(period: Period | None, hour: int, cell: str):
    minute = 0 if hour == 24 else 20
    found = wall_time(spoken(hour, minute), period)

    if isinstance(found, Unclear):
        assert cell in ("?", "m")
        # 今晚12点 is the midnight that ends tonight or a slip; noon is nothing that anybody means by it.
        midnight = period in (Period.EVENING, Period.NIGHT) and hour in (0, 12)
        assert len(set(found.options)) == (1 if midnight else 2)
        assert all(option.minute == minute and option.hour % 12 == hour % 12 for option in found.options)


@pytest.mark.parametrize("period", [Period.FORENOON, Period.AFTERNOON, Period.EVENING, None])
def test_twelve_is_asked_unless_it_is_noon(period: Period | None):
    # The document: 上午／下午／晚上12点需确认, 中午12点 is clear.
    assert isinstance(wall_time(spoken(12), period), Unclear)
    assert wall_time(spoken(12), Period.NOON) == WallTime(0, 12, 0)


@pytest.mark.parametrize("hour", range(24))
def test_a_colon_reading_without_a_part_of_the_day_is_a_24_hour_one(hour: int):
    assert wall_time(colon(hour, 5), None) == WallTime(0, hour, 5)


@pytest.mark.parametrize(("period", "hour"), [(Period.FORENOON, 15), (Period.MORNING, 20), (Period.NOON, 3)])
def test_a_colon_reading_may_still_contradict_the_part_of_the_day(period: Period, hour: int):
    assert isinstance(wall_time(colon(hour, 30), period), Unclear)


def test_a_colon_reading_may_agree_with_the_part_of_the_day():
    assert wall_time(colon(15, 30), Period.AFTERNOON) == WallTime(0, 15, 30)
    assert wall_time(colon(3, 30), Period.AFTERNOON) == WallTime(0, 15, 30)


@pytest.mark.parametrize(("hour", "minute"), [(25, 0), (24, 1), (24, 59), (23, 60), (9, 75), (99, 99), (203, 0)])
@pytest.mark.parametrize("period", [None, Period.AFTERNOON])
def test_an_impossible_reading_is_asked_without_offering_a_guess(hour: int, minute: int, period: Period | None):
    assert wall_time(colon(hour, minute), period) == Unclear("clock_time", ())


@pytest.mark.parametrize(
    ("hour", "period", "options"),
    [
        (12, Period.EVENING, ["次日00:00"]),
        (0, Period.EVENING, ["次日00:00"]),
        (2, Period.NIGHT, ["次日02:00", "02:00"]),
        (12, Period.AFTERNOON, ["12:00", "00:00"]),
        (12, Period.FORENOON, ["00:00", "12:00"]),
        (3, Period.NOON, ["15:00", "03:00"]),
        (15, Period.FORENOON, ["15:00", "03:00"]),
        (9, Period.AFTERNOON, ["09:00", "21:00"]),
    ],
)
def test_a_contradiction_offers_what_people_mean_by_it(hour: int, period: Period, options: list[str]):
    found = wall_time(spoken(hour), period)
    assert isinstance(found, Unclear)
    assert [str(option) for option in found.options] == options
