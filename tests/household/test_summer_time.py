"""The document's examples in homes whose clocks are put forward and back: what lasts, lasts as long as it really does.

A day belongs to whoever lives in it, with 23 or 25 hours; what is at ten is at ten.
"""

from __future__ import annotations

import pytest

BACK = [
    ("Europe/Paris", "2026-10-24T10:00:00+02:00", "10-24", "10-25", 1),
    ("America/New_York", "2026-10-31T10:00:00-04:00", "10-31", "11-01", 0),
]
"""Zone, start, the days before and of the change, and the last hour that comes once."""
FORWARD = [
    ("Europe/Paris", "2027-03-27T10:00:00+01:00", "03-27", "03-28"),
    ("America/New_York", "2027-03-13T10:00:00-05:00", "03-13", "03-14"),
]
"""In both, what would be the hour from two to three does not come."""


def cup(slug: str, day: str, time: str) -> str:
    return f"{day} {time}  0:00:12  {slug}  yes\n{day} {time[:6]}12{time[8:]}  0:00:28  {slug}  no"


@pytest.mark.parametrize(("zone", "start", "eve", "day", "once"), BACK)
def test_the_clocks_are_put_back(live_in, zone, start, eve, day, once):
    life = live_in(zone, start)
    for number in (3, 5, 7, 9):
        life.script(number)
    a, b = f"{day} {once:02}", f"{day} {once + 1:02}"
    late = ["01:00", "09:10", "11:10", "13:10", "15:10", "17:10", "19:10"]
    life.play(f"""
        {a}:25:00   0:00:20  phone_time_daily  no
        {a}:30:00   2:00:40  phone_time_daily  yes
        {b}:30:40*  0:01:00  phone_time_daily  no
        {b}:44:00   0:00:20  sit_30min  no
        {b}:45:00   0:31:00  sit_30min  yes
        {b}:16:00*  0:00:20  sit_30min  no
    """)
    life.play("\n".join(cup("drink_8_daily", day, f"{at}:00") for at in (*late[1:], "21:10", "23:59")))
    life.until(f"{day} 23:59:59")
    life.play(cup("drink_8_daily", next_day(day), "00:00:00"))
    assert life.books("phone_time_daily") == [
        f"{a}:31:30 enter done",
        f"{b}:30:00 target done",
        f"{b}:31:40* exit done",
    ]
    assert life.books("sit_30min") == [f"{b}:15:00* enter done"]
    assert life.books("med_tomorrow_9am") == [f"{day} 09:00:00 吃药提醒 done"]
    assert life.days("phone_time_daily") == [f"{eve} 0:00:00 of 60 min", f"{day} 2:00:40 of 60 min reached {b}:30:00"]
    assert life.days("drink_8_daily") == [f"{eve} 0 of 8", f"{day} 8 of 8 reached {day} 23:59:00"]
    assert [row[6:] for row in life.books("drink_8_daily") if "喝水提醒" in row and row.startswith(day)] == [
        f"{hour}:00:00 喝水提醒 done" for hour in (10, 12, 14, 16, 18, 20)
    ]
    assert [row for row in life.told() if "还差" not in row] == [
        f"{b}:30:00 phone 今日累计玩手机已达目标时长，休息一下",
        f"{b}:15:00* phone 已久坐 30 分钟，建议起身活动",
        f"{day} 09:00:00 phone 吃药",
        f"{day} 09:00:00 speaker 吃药",
        f"{day} 23:59:00 phone 恭喜达标",
    ]


@pytest.mark.parametrize(("zone", "start", "eve", "day"), FORWARD)
def test_the_clocks_are_put_forward(live_in, zone, start, eve, day):
    life = live_in(zone, start)
    for number in (3, 5, 6, 7, 9):
        life.script(number)
    life.hub.set_property("light_living", "on", True)
    life.play(f"""
        {day} 01:29:00  0:00:20  phone_time_daily  no
        {day} 01:30:00  1:20:00  phone_time_daily  yes
        {day} 03:50:00  0:01:00  phone_time_daily  no
        {day} 01:44:00  0:00:20  sit_30min  no
        {day} 01:45:00  0:31:00  sit_30min  yes
        {day} 03:16:00  0:00:20  sit_30min  no
        {day} 01:55:00  0:00:20  living_room_off  no
        {day} 01:57:00  0:05:04  living_room_off  yes
        {day} 03:02:04  0:00:20  living_room_off  no
    """)
    life.until(f"{next_day(day)} 00:00:00")
    assert life.books("phone_time_daily") == [
        f"{day} 01:31:30 enter done",
        f"{day} 03:30:00 target done",
        f"{day} 03:51:00 exit done",
    ]
    assert life.books("sit_30min") == [f"{day} 03:15:00 enter done"]
    assert life.commands("light_living") == [f"{day} 03:02:00 prop.2.1=false"]
    assert life.days("phone_time_daily") == [
        f"{eve} 0:00:00 of 60 min",
        f"{day} 1:20:00 of 60 min reached {day} 03:30:00",
    ]
    assert life.books("med_tomorrow_9am") == [f"{day} 09:00:00 吃药提醒 done"]
    assert [row[6:] for row in life.books("drink_8_daily") if row.startswith(day)] == [
        f"{hour}:00:00 喝水提醒 done" for hour in (10, 12, 14, 16, 18, 20)
    ]


def next_day(day: str) -> str:
    month, number = map(int, day.split("-"))
    return f"{month:02}-{number + 1:02}"


def test_a_day_that_begins_at_one(live_in):
    life = live_in("Asia/Beirut", "2027-03-27T10:00:00+02:00")
    life.script(5)
    life.script(9)
    life.play("""
        03-27 23:09:00  0:00:20  phone_time_daily  no
        03-27 23:10:00  2:00:00  phone_time_daily  yes
        03-28 02:10:00  0:01:00  phone_time_daily  no
    """)
    life.play(cup("drink_8_daily", "03-28", "01:00:00"))
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
    life.play(cup("drink_8_today", "10-24", "23:30:00"))
    life.play(cup("drink_8_today", "10-24", "23:30:00*"))
    life.until("10-24 23:59:58*")
    assert life.record("drink_8_today") == "2 of 8"
    life.until("10-25 00:00:00")
    assert life.ends() == ["10-24 23:59:59* drink_8_today expired"]
