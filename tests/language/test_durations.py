"""Amounts of time: what was said, or nothing."""

from __future__ import annotations

import pytest

from zhixing.language.durations import read_duration
from zhixing.language.timex import Duration

MINUTE, HOUR = 60, 3600


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("90秒", Duration(seconds=90)),
        ("30秒钟", Duration(seconds=30)),
        ("半分钟", Duration(seconds=30)),
        ("0分钟", Duration()),
        ("10分钟", Duration(seconds=10 * MINUTE)),
        ("10 分钟", Duration(seconds=10 * MINUTE)),
        ("十五分", Duration(seconds=15 * MINUTE)),
        ("五分半钟", Duration(seconds=5 * MINUTE + 30)),
        ("99999分钟", Duration(seconds=99999 * MINUTE)),
        ("一刻钟", Duration(seconds=15 * MINUTE)),
        ("三刻钟", Duration(seconds=45 * MINUTE)),
        ("半小时", Duration(seconds=30 * MINUTE)),
        ("半个小时", Duration(seconds=30 * MINUTE)),
        ("半个钟头", Duration(seconds=30 * MINUTE)),
        ("两小时", Duration(seconds=2 * HOUR)),
        ("两个钟头", Duration(seconds=2 * HOUR)),
        ("一个半小时", Duration(seconds=90 * MINUTE)),
        ("一小时半", Duration(seconds=90 * MINUTE)),
        ("三个半钟头", Duration(seconds=210 * MINUTE)),
        ("1小时20分钟", Duration(seconds=80 * MINUTE)),
        ("一小时零五分", Duration(seconds=65 * MINUTE)),
        ("1.5小时", Duration(seconds=90 * MINUTE)),
        ("0.1小时", Duration(seconds=6 * MINUTE)),
        ("12.5个小时", Duration(seconds=12 * HOUR + 30 * MINUTE)),
        ("三天", Duration(days=3)),
        ("3日", Duration(days=3)),
        ("两周", Duration(days=14)),
        ("两个星期", Duration(days=14)),
        ("一个礼拜", Duration(days=7)),
        ("一个月", Duration(months=1)),
        ("十二个月", Duration(months=12)),
        ("一年", Duration(months=12)),
        ("半年", Duration(months=6)),
        ("俩小时", Duration(seconds=7200)),
        ("一个半钟", Duration(seconds=5400)),
        ("10min", Duration(seconds=600)),
        ("2h", Duration(seconds=7200)),
    ],
)
def test_an_amount_is_read(words: str, expected: Duration):
    assert read_duration(words) == expected


@pytest.mark.parametrize(
    "words",
    ["半天", "半个月", "一个半月", "几分钟", "十百分钟", "小时", "分钟", "10", "一会儿", "些", "", "三廿天"],
)
def test_what_is_no_definite_amount_is_not_read(words: str):
    assert read_duration(words) is None


@pytest.mark.parametrize(
    ("duration", "minutes", "in_whole_days"),
    [
        (Duration(), 0, True),
        (Duration(seconds=600), 10, False),
        (Duration(seconds=90), None, False),
        (Duration(days=7), 10_080, True),
        (Duration(days=1, seconds=60), 1_441, False),
        (Duration(months=1), None, True),
    ],
)
def test_an_amount_in_minutes(duration: Duration, minutes: int | None, *, in_whole_days: bool):
    assert (duration.minutes, duration.in_whole_days) == (minutes, in_whole_days)
