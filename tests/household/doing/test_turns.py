"""What comes on the last day of a month, or every other week: a schedule comes more often, and nothing is told then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def days(house, count):
    """Live through days from noon to noon; return on which something was told."""
    told = []
    for _ in range(count):
        before = len(house.said())
        house.clock.advance(DAY)
        house.work()
        house.work()
        if len(house.said()) > before:
            told.append(f"{house.clock.now() + 8 * HOUR:%m-%d}")
    return told


def test_the_last_day_of_each_month(steady):
    steady.clock.jump(datetime(2027, 1, 25, 4, tzinfo=UTC) - steady.clock.now())
    task = steady.task("记账")
    steady.cron(task, "若今天是本月最后一天，提醒用户记账", "0 9 28-31 * *")
    assert days(steady, 100) == ["01-31", "02-28", "03-31", "04-30"]
    assert steady.said() == ["记账"] * 4
    assert "09:00 skipped not_its_turn" in steady.times(task)
    assert steady.runs() == []


def test_every_other_week(steady):
    task = steady.task("周报")
    steady.cron(task, "隔一周一次：若上周没有提醒过，提醒用户交周报", "0 9 * * 5")
    assert days(steady, 45) == ["10-16", "10-30", "11-13"]


def test_every_other_week_on_two_days(steady):
    task = steady.task("浇花")
    steady.cron(task, "隔一周一次：若上周没有提醒过，提醒用户浇花", "0 9 * * 3,5")
    assert days(steady, 30) == ["10-14", "10-16", "10-28", "10-30", "11-11"]


def test_a_light_on_the_last_day(house):
    task = house.task("开灯")
    house.cron(task, "若今天是本月最后一天，打开客厅灯", "at 2026-10-12T12:00:00+08:00")
    house.clock.advance(2 * HOUR)
    for _ in range(4):
        house.work()
    assert house.hub.commands == []
    assert house.times(task) == ["12:00 skipped not_its_turn"]
