"""The document's examples where clocks are put forward and back: what lasts, lasts as long as it really does.

A day belongs to whoever lives in it, with 23 or 25 hours; what is at ten is at ten.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

import pytest


class Change(NamedTuple):
    """A night in which the clocks are changed; `start` is the day before."""

    zone: str
    start: str
    hour: str
    """The hour that comes twice, or the last one before the one that does not come."""

    @property
    def eve(self) -> str:
        return self.start[5:10]

    @property
    def day(self) -> str:
        return after(self.eve, int(self.start[:4]))


def after(day: str, year: int = 2026) -> str:
    """Return the day after one."""
    return f"{date.fromisoformat(f'{year}-{day}') + timedelta(days=1):%m-%d}"


BACK = [
    Change("Europe/Paris", "2026-10-24T10:00:00+02:00", "02"),
    Change("America/New_York", "2026-10-31T10:00:00-04:00", "01"),
]
FORWARD = [
    Change("Europe/Paris", "2027-03-27T10:00:00+01:00", "01"),
    Change("America/New_York", "2027-03-13T10:00:00-05:00", "01"),
]
AT_TEN = [f"{hour}:00:00 喝水提醒 done" for hour in (10, 12, 14, 16, 18, 20)]


def cup(at: str) -> str:
    """Write the script of a cup at a full minute."""
    day_and_minute, star = at.removesuffix("*")[:-2], "*" if at.endswith("*") else ""
    seen = f"{at}  0:00:12  drink_8_daily  yes"
    return f"{seen}\n{day_and_minute}12{star}  0:00:28  drink_8_daily  no"


@pytest.mark.parametrize("change", BACK, ids=lambda change: change.zone)
def test_the_clocks_are_put_back(live_in, change):
    life = live_in(change.zone, change.start)
    for number in (3, 5, 7, 9):
        life.script(number)
    eve, day, twice = change.eve, change.day, f"{change.day} {change.hour}"
    before = f"{day} {int(change.hour) - 1:02}"
    life.play(
        f"""
        {before}:25:00  0:00:20  phone_time_daily  no
        {before}:30:00  2:00:40  phone_time_daily  yes
        {twice}:30:40*  0:01:00  phone_time_daily  no
        {twice}:44:00   0:00:20  sit_30min  no
        {twice}:45:00   0:31:00  sit_30min  yes
        {twice}:16:00*  0:00:20  sit_30min  no
        """
    )
    for time in ["09:10", "11:10", "13:10", "15:10", "17:10", "19:10", "21:10", "23:59"]:
        life.play(cup(f"{day} {time}:00"))
    life.play(cup(f"{after(day)} 00:01:00"))
    assert life.books("phone_time_daily") == [
        f"{before}:31:30 enter done",
        f"{twice}:30:00 target done",
        f"{twice}:31:40* exit done",
    ]
    assert life.books("sit_30min") == [f"{twice}:15:00* enter done"]
    assert life.books("med_tomorrow_9am") == [f"{day} 09:00:00 吃药提醒 done"]
    assert life.days("phone_time_daily") == [
        f"{eve} 0:00:00 of 60 min",
        f"{day} 2:00:40 of 60 min reached {twice}:30:00",
    ]
    assert life.days("drink_8_daily") == [f"{eve} 0 of 8", f"{day} 8 of 8 reached {day} 23:59:00"]
    assert [row[6:] for row in life.books("drink_8_daily") if "提醒" in row and row.startswith(day)] == AT_TEN
    assert [row for row in life.told() if "还差" not in row] == [
        f"{twice}:30:00 phone 今日累计玩手机已达目标时长，休息一下",
        f"{twice}:15:00* phone 已久坐 30 分钟，建议起身活动",
        f"{day} 09:00:00 phone 吃药",
        f"{day} 09:00:00 speaker 吃药",
        f"{day} 23:59:00 phone 恭喜达标",
    ]


@pytest.mark.parametrize("change", FORWARD, ids=lambda change: change.zone)
def test_the_clocks_are_put_forward(live_in, change):
    life = live_in(change.zone, change.start)
    for number in (3, 5, 6, 7, 9):
        life.script(number)
    life.hub.set_property("light_living", "on", value=True)
    eve, day = change.eve, change.day
    last, first = f"{day} {change.hour}", f"{day} {int(change.hour) + 2:02}"
    life.play(
        f"""
        {last}:29:00   0:00:20  phone_time_daily  no
        {last}:30:00   1:20:00  phone_time_daily  yes
        {first}:50:00  0:01:00  phone_time_daily  no
        {last}:44:00   0:00:20  sit_30min  no
        {last}:45:00   0:31:00  sit_30min  yes
        {first}:16:00  0:00:20  sit_30min  no
        {last}:55:00   0:00:20  living_room_off  no
        {last}:57:00   0:05:04  living_room_off  yes
        {first}:02:04  0:00:20  living_room_off  no
        """
    )
    life.until(f"{after(day, 2027)} 00:00:00")
    assert life.books("phone_time_daily") == [
        f"{last}:31:30 enter done",
        f"{first}:30:00 target done",
        f"{first}:51:00 exit done",
    ]
    assert life.books("sit_30min") == [f"{first}:15:00 enter done"]
    assert life.commands("light_living") == [f"{first}:02:00 prop.2.1=false"]
    assert life.days("phone_time_daily") == [
        f"{eve} 0:00:00 of 60 min",
        f"{day} 1:20:00 of 60 min reached {first}:30:00",
    ]
    assert life.books("med_tomorrow_9am") == [f"{day} 09:00:00 吃药提醒 done"]
    assert [row[6:] for row in life.books("drink_8_daily") if row.startswith(day)] == AT_TEN


def test_a_day_that_begins_at_one(live_in):
    life = live_in("Asia/Beirut", "2027-03-27T10:00:00+02:00")
    life.script(5)
    life.script(9)
    life.play(
        """
        03-27 23:09:00  0:00:20  phone_time_daily  no
        03-27 23:10:00  2:00:00  phone_time_daily  yes
        03-28 02:10:00  0:01:00  phone_time_daily  no
        """
    )
    life.play(cup("03-28 03:00:00"))
    life.until("03-29 00:00:00")
    assert life.books("phone_time_daily") == [
        "03-27 23:11:30 enter done",
        "03-28 02:00:00 target done",
        "03-28 02:11:00 exit done",
    ]
    assert life.days("phone_time_daily") == [
        "03-27 0:50:00 of 60 min",
        "03-28 1:10:00 of 60 min reached 03-28 02:00:00",
    ]
    assert life.days("drink_8_daily") == ["03-27 0 of 8", "03-28 1 of 8"]


def test_a_day_whose_last_hour_comes_twice(live_in):
    life = live_in("Asia/Beirut", "2026-10-24T10:00:00+03:00")
    life.script(4)
    life.play(cup("10-24 23:30:00").replace("drink_8_daily", "drink_8_today"))
    life.play(cup("10-24 23:30:00*").replace("drink_8_daily", "drink_8_today"))
    life.until("10-24 23:59:58*")
    assert life.record("drink_8_today") == "2 of 8"
    life.until("10-25 00:00:00")
    assert life.ends() == ["10-24 23:59:59* drink_8_today expired with 2"]
