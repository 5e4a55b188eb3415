"""What happens around the document's examples: pauses, ends that come twice, cameras that fall silent, exact edges."""

from __future__ import annotations

import pytest


def test_a_pause_stops_the_exit_that_pends(live_in):
    life = live_in()
    life.script(5)
    life.play(
        """
        10-12 13:59:40  0:00:20  phone_time_daily  no
        10-12 14:00:00  0:10:00  phone_time_daily  yes
        10-12 14:10:00  0:00:30  phone_time_daily  no
        10-12 14:10:30  type  task disable phone_time_daily
        10-12 14:10:34  0:30:00  phone_time_daily  no
        10-12 15:30:00  0:20:00  phone_time_daily  yes
        10-12 15:50:00  0:01:00  phone_time_daily  no
        10-12 16:00:00  type  task enable phone_time_daily
        10-12 16:00:04  0:10:00  phone_time_daily  no
        10-12 17:00:00  0:10:00  phone_time_daily  yes
        10-12 17:10:00  0:02:00  phone_time_daily  no
        """
    )
    assert life.books("phone_time_daily") == [
        "10-12 14:01:30 enter done",
        "10-12 17:01:30 enter done",
        "10-12 17:11:00 exit done",
    ]
    # A pause ends a session when it begins: until then it may have been the same one.
    assert life.record("phone_time_daily") == "0:20:30 of 60 min"
    assert (life.near_misses("phone_time_daily"), life.told()) == ([], [])


def test_a_pause_while_it_holds_ends_it_and_its_target(live_in):
    life = live_in()
    life.script(5)
    life.play(
        """
        10-12 13:59:40  0:00:20  phone_time_daily  no
        10-12 14:00:00  0:50:00  phone_time_daily  yes
        10-12 14:50:00  type  task disable phone_time_daily
        10-12 14:50:04  1:00:00  phone_time_daily  yes
        """
    )
    assert life.books("phone_time_daily") == ["10-12 14:01:30 enter done"]
    assert life.record("phone_time_daily") == "0:50:00 of 60 min"
    life.play(
        """
        10-12 15:50:04  type  task enable phone_time_daily
        10-12 15:50:08  0:20:00  phone_time_daily  yes
        10-12 16:10:08  0:02:00  phone_time_daily  no
        """
    )
    assert life.told() == ["10-12 16:00:04 phone 今日累计玩手机已达目标时长，休息一下"]
    assert life.record("phone_time_daily") == "1:10:04 of 60 min reached 10-12 16:00:04"


def test_an_end_that_comes_twice_does_no_harm(live_in):
    life = live_in()
    life.script(4)
    life.until("10-12 23:59:58")
    (_, job) = life.app.cron.list()
    life.until("10-13 00:00:10")
    assert life.ends() == ["10-12 23:59:59 drink_8_today expired with 0"]
    code, _ = life.terminal.refused("task", "delete", "drink_8_today", "--reason", "expired")
    assert code == 2001
    assert life.app.cron.list() == ()
    assert [run.state.value for run in life.app.cron.runs(job.job.id)] == ["cancelled"]
    assert (life.ends(), life.open_jobs()) == (["10-12 23:59:59 drink_8_today expired with 0"], [])
    # The name is free; the old end does not touch the task that bears it now.
    life.script(4)
    life.until("10-13 23:59:58")
    assert life.ends() == ["10-12 23:59:59 drink_8_today expired with 0"]


def test_a_termination_by_hand_ends_it_before(live_in):
    life = live_in()
    life.script(4)
    (_, job) = life.app.cron.list()
    life.until("10-12 15:00:00")
    life.app.cron.run(job.job.id, who="cli")
    life.until("10-13 00:00:10")
    assert life.ends() == ["10-12 15:00:00 drink_8_today expired with 0"]
    assert life.books("drink_8_today") == [
        "10-12 12:00:00 喝水提醒 done",
        "10-12 14:00:00 喝水提醒 done",
        "10-12 15:00:00 到期销毁 done",
    ]
    assert life.open_jobs() == []


def test_what_came_close_is_in_the_log_of_the_task(live_in):
    life = live_in()
    life.script(6)
    life.play(
        """
        10-12 20:00:00  0:00:40  living_room_off  no
        10-12 20:01:00  0:04:50  living_room_off  yes
        10-12 20:05:50  0:00:20  living_room_off  no
        """
    )
    log = life.terminal("task", "logs", "living_room_off").data
    assert (log["counts"], log["near_misses"]) == ({}, 1)
    (line,) = log["logs"]
    assert (line["kind"], line["why"], line["name"]) == ("near_miss", "held", "[living_room_off] 客厅无人关灯")
    assert (line["data"]["held"], line["data"]["needed"], line["data"]["source"]) == (290, 300, "cam_living")


@pytest.mark.parametrize("value", ["no", "unknown"])
def test_a_camera_that_falls_silent_elsewhere_holds_nothing_up(live_in, value):
    """Nobody is in the hall for hours, so its camera has nothing to judge: that is no reason to count on for ever."""
    life = live_in()
    life.script(5)
    life.script(9)
    life.play(
        f"""
        10-12 12:00:00  0:00:40  phone_time_daily  no  cam_living cam_entrance
        10-12 12:00:00  0:00:40  drink_8_daily  no  cam_living cam_entrance
        10-12 12:00:40  0:00:08  phone_time_daily  {value}  cam_entrance
        10-12 12:00:40  0:00:08  drink_8_daily  {value}  cam_entrance
        10-12 13:00:00  0:10:00  phone_time_daily  yes
        10-12 13:10:00  0:02:00  phone_time_daily  no
        10-12 13:20:00  0:00:12  drink_8_daily  yes
        10-12 13:20:12  0:00:40  drink_8_daily  no
        10-12 15:00:00  0:20:00  phone_time_daily  yes
        10-12 15:20:00  0:02:00  phone_time_daily  no
        10-12 15:30:00  0:00:12  drink_8_daily  yes
        10-12 15:30:12  0:00:40  drink_8_daily  no
        """
    )
    assert life.books("phone_time_daily") == [
        "10-12 13:01:30 enter done",
        "10-12 13:11:00 exit done",
        "10-12 15:01:30 enter done",
        "10-12 15:21:00 exit done",
    ]
    assert life.record("phone_time_daily") == "0:30:00 of 60 min"
    assert life.record("drink_8_daily") == "2 of 8"


def test_who_goes_from_one_camera_to_the_other_goes_on(live_in):
    life = live_in()
    life.script(5)
    life.play(
        """
        10-12 13:00:00  0:00:20  phone_time_daily  no  cam_living cam_entrance
        10-12 13:00:20  0:10:00  phone_time_daily  yes  cam_living
        10-12 13:10:20  0:20:00  phone_time_daily  no  cam_living
        10-12 13:10:40  0:20:00  phone_time_daily  yes  cam_entrance
        10-12 13:30:40  0:02:00  phone_time_daily  no  cam_entrance
        """,
        until="10-12 13:40:00",
    )
    assert life.books("phone_time_daily") == ["10-12 13:01:50 enter done", "10-12 13:31:40 exit done"]
    assert life.record("phone_time_daily") == "0:30:20 of 60 min"


def test_a_session_that_ends_where_its_target_is_has_reached_it(live_in):
    life = live_in()
    life.script(5)
    life.play(
        """
        10-12 13:59:40  0:00:20  phone_time_daily  no
        10-12 14:00:00  1:00:00  phone_time_daily  yes
        10-12 15:00:00  0:02:00  phone_time_daily  no
        10-12 22:59:40  0:00:20  phone_time_daily  no
        10-13 23:00:00  1:00:00  phone_time_daily  yes
        10-14 00:00:00  0:02:00  phone_time_daily  no
        10-14 22:59:40  0:00:20  phone_time_daily  no
        10-14 23:00:00  0:59:56  phone_time_daily  yes
        10-14 23:59:56  0:02:00  phone_time_daily  no
        """
    )
    assert life.days("phone_time_daily") == [
        "10-12 1:00:00 of 60 min reached 10-12 15:00:00",
        "10-13 1:00:00 of 60 min reached 10-14 00:00:00",
        "10-14 0:59:56 of 60 min",
    ]
    assert [row[:11] for row in life.told()] == ["10-12 15:00", "10-14 00:00"]


def test_a_target_that_came_while_nobody_was_there_is_told_when_it_is_sure(live_in):
    """Midnight was in between, too: by then it is the next day that counts, and the target of the last one is news."""
    life = live_in()
    life.script(5)
    life.play(
        """
        10-12 22:57:40  0:00:20  phone_time_daily  no
        10-12 22:58:00  0:52:00  phone_time_daily  yes
        """
    )
    life.clock.advance(life.at("10-13 00:01:00") - life.clock.now())
    life.restart()
    life.play(
        """
        10-13 00:01:00  1:05:00  phone_time_daily  yes
        10-13 01:06:00  0:02:00  phone_time_daily  no
        """
    )
    assert life.books("phone_time_daily") == [
        "10-12 22:59:30 enter done",
        "10-12 23:58:00 target done",
        "10-13 01:00:00 target done",
        "10-13 01:07:00 exit done",
    ]
    assert life.days("phone_time_daily") == ["10-12 1:02:00 of 60 min reached 10-12 23:58:00"]
    assert life.record("phone_time_daily") == "1:06:00 of 60 min reached 10-13 01:00:00"
    assert [row[:11] for row in life.told()] == ["10-13 00:01", "10-13 01:00"]
