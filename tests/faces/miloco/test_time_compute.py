"""time-compute as the document calls it: a bare instant on standard output, a code on standard error."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.household.anchors import KINDS


def test_it_prints_a_bare_instant_counted_from_now(miloco):
    done = miloco("time-compute", "--anchor", '{"kind":"tomorrow_at","time":"09:00:00"}')
    assert (done.code, done.out, done.err) == (0, "2026-10-13T09:00:00+08:00\n", "")


def test_now_may_be_given(miloco):
    done = miloco("time-compute", "--anchor", '{"kind":"end_of_day"}', "--now", "2026-06-10T14:30:00+08:00")
    assert done.out == "2026-06-10T23:59:59+08:00\n"


def test_it_needs_no_home_and_makes_none(miloco):
    assert miloco("time-compute", "--anchor", '{"kind":"end_of_week"}').code == 0
    assert not miloco.home.exists()


def test_it_counts_in_the_zone_of_the_home(miloco):
    miloco.home.mkdir()
    (miloco.home / "config.toml").write_text('zone = "America/New_York"\n', encoding="utf-8")
    done = miloco("time-compute", "--anchor", '{"kind":"end_of_day"}', "--now", "2026-06-10T02:00:00Z")
    assert done.out == "2026-06-09T23:59:59-04:00\n"
    done = miloco(
        "time-compute", "--anchor", '{"kind":"add","amount":1,"unit":"hours"}', "--now", "2026-03-08T01:30:00"
    )
    assert done.out == "2026-03-08T03:30:00-04:00\n"


def test_the_clock_of_the_home_is_asked_each_time(miloco, clock):
    anchor = '{"kind":"add","amount":0,"unit":"minutes"}'
    assert miloco("time-compute", "--anchor", anchor).out == "2026-10-12T10:00:00+08:00\n"
    clock.advance(timedelta(minutes=90, milliseconds=999))
    assert miloco("time-compute", "--anchor", anchor).out == "2026-10-12T11:30:00+08:00\n"


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("--anchor", "x"), 'error: invalid_anchor 看不懂时间锚点「x」，可用：{"kind":"end_of_day"}。\n'),
        (
            ("--anchor", '{"kind":"today_at","time":"9点"}'),
            "error: invalid_time 时刻「9点」要写成 HH:MM:SS，如 09:00:00。\n",
        ),
        (
            ("--anchor", '{"kind":"end_of_day"}', "--now", "gestern"),
            "error: invalid_now_iso 看不懂起算时间「gestern」，请写成 2026-10-12T10:00:00+08:00 这样的形式。\n",
        ),
    ],
)
def test_what_means_nothing_has_its_code_on_standard_error(miloco, argv, line):
    done = miloco("time-compute", *argv)
    assert (done.code, done.out, done.err) == (1, "", line)


def test_an_unknown_anchor_is_answered_with_the_nine(miloco):
    assert "、".join(KINDS) in miloco("time-compute", "--anchor", '{"kind":"eod"}').err


def test_settings_that_cannot_be_read_are_no_fault_of_the_anchor(miloco):
    miloco.home.mkdir()
    (miloco.home / "config.toml").write_text("zone = ", encoding="utf-8")
    done = miloco("time-compute", "--anchor", '{"kind":"end_of_day"}')
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith('{"error":"')
