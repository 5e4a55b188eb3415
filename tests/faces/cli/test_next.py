from __future__ import annotations

import pytest


def test_next_says_what_a_rule_means_and_when_it_comes(terminal):
    done = terminal("next", "0 9 * * 1-5", "--tz", "Asia/Shanghai", "--after", "2026-10-16T10:00:00+08:00", "-n", "2")
    assert done.lines == [
        "每周一至周五 09:00（Asia/Shanghai）",
        "  2026-10-19 周一 09:00:00  2026-10-19T09:00:00+08:00",
        "  2026-10-20 周二 09:00:00  2026-10-20T09:00:00+08:00",
    ]


def test_next_for_programs(terminal):
    assert terminal(
        "next", "@daily", "--tz", "America/New_York", "--after", "2026-10-31T12:00:00Z", "-n", "2", "--json"
    ).json == {
        "expression": "@daily",
        "zone": "America/New_York",
        "reading": "每天 00:00",
        "after": "2026-10-31T08:00:00-04:00",
        "next": ["2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"],
    }


@pytest.mark.parametrize(
    ("expression", "first"),
    [
        (("every 15m",), "2026-10-12T10:15:00+08:00"),
        (("every", "90s"), "2026-10-12T10:01:30+08:00"),
        (("at 2026-10-12T18:00:00+08:00",), "2026-10-12T18:00:00+08:00"),
        (("0", "9", "*", "*", "1"), "2026-10-19T09:00:00+08:00"),
    ],
)
def test_without_options_it_counts_from_now_in_the_home_zone(terminal, expression, first):
    assert terminal("next", *expression, "--json").json["next"][0] == first


def test_a_rule_that_ends_says_so(terminal):
    assert terminal("next", "at 2026-10-12T18:00:00+08:00").lines[-1] == "之后没有了。"
    assert terminal("next", "at 2026-10-11T18:00:00+08:00").lines[-1] == "之后不会再到。"


def test_next_makes_no_home(terminal):
    terminal("next", "@daily")
    assert not terminal.home.exists()
