from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from zhixing.faces.cli.spoken import instant
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import iso, parse_instant

NOW = parse_instant("2026-10-12T10:00:00+08:00")
SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("2026-10-13T18:30:00+08:00", "2026-10-13T18:30:00+08:00"),
        ("2026-10-13T18:30Z", "2026-10-14T02:30:00+08:00"),
        (" 明天下午3点 ", "2026-10-13T15:00:00+08:00"),
        ("明天 15:00", "2026-10-13T15:00:00+08:00"),
        ("下周三晚上八点半", "2026-10-21T20:30:00+08:00"),
        ("10月20日15:00", "2026-10-20T15:00:00+08:00"),
        ("半小时后", "2026-10-12T10:30:00+08:00"),
        ("３天后", "2026-10-15T10:00:00+08:00"),
        ("晚上9点", "2026-10-12T21:00:00+08:00"),
    ],
)
def test_an_instant_is_read(written, at):
    assert iso(instant(written, NOW, SHANGHAI), SHANGHAI) == at


@pytest.mark.parametrize(
    "written",
    [
        *("", "x", "3点", "明天", "周五下午3点", "下午", "2026-10-13T18:30:00", "2026-10-13T99:00:00+08:00"),
        *("明天下午3点左右", "明天下午3点或4点", "明天下午3点交表", "每天下午3点", "提前半小时", "早上8点"),
        *("2月30日下午3点", "10月13日周一下午3点", "明天25点"),
    ],
)
def test_nothing_is_guessed(written):
    with pytest.raises(BadInput):
        instant(written, NOW, SHANGHAI)


def test_a_time_that_the_clocks_skip_is_asked_about():
    newyork = ZoneInfo("America/New_York")
    with pytest.raises(BadInput, match="当天没有这个时刻"):
        instant("2027年3月14日凌晨2点半", NOW, newyork)
