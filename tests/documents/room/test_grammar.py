"""T36-T39: what is written behind `when`, from the file to the list of what comes."""

from __future__ import annotations

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant


@pytest.mark.parametrize("when", ["0 9 30 2 *", "0 0 31 4 *", "0 0 31 2,4,6 *"])
def test_t36_a_day_that_never_comes_is_refused(house, when):
    with pytest.raises(BadInput):
        house.create("task", when)
    assert house.views() == []
    house.write("by hand", when)
    (view,) = house.views()
    assert (view.definition, view.next_runs) == (None, ())
    assert view.fault is not None


def test_t37_the_leap_day_is_waited_for(house):
    assert str(house.create("task", "0 0 29 2 *").view.next_runs[0]) == "2028-02-29 00:00:00+08:00"


def test_t38_a_day_and_a_weekday_are_either_and_that_is_said(furnished):
    house = furnished(clock=ManualClock(parse_instant("2026-10-01T00:00:00+08:00")))
    view = house.create("task", "0 9 15 * 1").view
    assert [at.day for at in view.next_runs] == [5, 12, 15]
    assert "when_day_or_weekday" in [each.code for each in house.app.documents.validate(house.text("task"))]


@pytest.mark.parametrize(
    "when",
    [
        "*/0 * * * *",
        "60 * * * *",
        "0 24 * * *",
        "0 9 * *",
        "0 0 9 * * *",
        "@every 5m",
        "0 22-2 * * *",
        "0 9 15W * *",
        "0 9 * * 5-1",
        "@reboot",
    ],
)
def test_t39_what_means_nothing_certain_is_refused_with_the_reason(house, when):
    with pytest.raises(BadInput) as refused:
        house.create("task", when)
    assert len(str(refused.value)) > 10


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("0 9 31 * *", ["10-31 09:00", "12-31 09:00", "01-31 09:00"]),
        ("1-59/2 * * * *", ["10-12 10:01", "10-12 10:03", "10-12 10:05"]),
        ("0 9 * * 1#2", ["11-09 09:00", "12-14 09:00", "01-11 09:00"]),
        ("5/15 * * * *", ["10-12 10:05", "10-12 10:20", "10-12 10:35"]),
    ],
)
def test_t39_what_means_something_means_what_cron_means(house, when, expected):
    """`5/15` and `1#2` are read as Debian's cron and cronsim read them, or refused; never as something else."""
    try:
        view = house.create("task", when).view
    except BadInput:
        assert when in {"5/15 * * * *", "0 9 * * 1#2"}
        return
    assert [at.strftime("%m-%d %H:%M") for at in view.next_runs] == expected
