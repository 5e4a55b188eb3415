"""What the words about the clock come to, and where they are not certain."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import flat

FRIDAY, EVENING = "2026-06-12T15:20:00+08:00", "2026-09-30T21:05:00+08:00"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("下午四点半提醒我开会", "06-12T16:30"),
        ("今晚8点提醒我看新闻", "06-12T20:00"),
        ("今天下午五点半叫我去买菜", "06-12T17:30"),
        ("明早6点叫我起床", "06-13T06:00"),
        ("大后天上午九点半提醒我去医院", "06-15T09:30"),
        ("下周一早上8点提醒我带身份证", "06-15T08:00"),
        ("周六晚上七点提醒我看比赛", "06-13T19:00"),
        ("6月20号下午2点提醒我开家长会", "06-20T14:00"),
        ("下个月3号上午10点提醒我打疫苗", "07-03T10:00"),
        ("3号上午10点提醒我打疫苗", "07-03T10:00"),
        ("过半个钟头喊我一声", "06-12T15:50"),
        ("三刻钟后提醒我关火", "06-12T16:05"),
        ("3天后提醒我还书", "06-15T15:20"),
        ("8点提醒我开会", "06-12T20:00"),
        ("一会儿提醒我收衣服", "06-12T15:35"),
        ("后天提醒我交电费", "06-14T09:00"),
        ("明晚9点提醒我关窗", "06-13T21:00"),
    ],
)
def test_one_instant(text, at) -> None:
    """H-TRG-01, A-46."""
    found = flat(text, now=FRIDAY)
    assert found["schedule.at"] == f"2026-{at}:00+08:00"
    assert (found["rule"], found["lifecycle"]) == (False, "temporary")


def test_a_bare_hour_is_the_next_one_that_comes() -> None:
    assert flat("等会儿十点半提醒我关电热毯", now=EVENING)["schedule.at"] == "2026-09-30T22:30:00+08:00"
    assert flat("8点提醒我开会", now=EVENING)["schedule.at"] == "2026-10-01T08:00:00+08:00"


@pytest.mark.parametrize(
    ("text", "expr"),
    [
        ("每天早上8点提醒我吃早饭", "0 8 * * *"),
        ("每天早晚八点各提醒我一次吃药", "0 8,20 * * *"),
        ("每天下午3点和晚上9点提醒我吃药", "0 15,21 * * *"),
        ("每天早上8点、中午12点、晚上6点提醒妈妈吃药", "0 8,12,18 * * *"),
        ("每日三餐 八点十二点六点 提醒妈妈吃药", "0 8,12,18 * * *"),
        ("每天凌晨两点提醒我看看门锁", "0 2 * * *"),
        ("每天中午12点半提醒我午休", "30 12 * * *"),
        ("每周一三五晚上8点提醒我去健身", "0 20 * * 1,3,5"),
        ("每周二和周四晚上7点提醒儿子上课", "0 19 * * 2,4"),
        ("每个礼拜天晚上8点提醒我给爸妈打电话", "0 20 * * 0"),
        ("工作日早上7点叫我起床", "0 7 * * 1-5"),
        ("周一到周五早上7点20叫儿子起床", "20 7 * * 1-5"),
        ("周末上午十点提醒大扫除", "0 10 * * 0,6"),
        ("每月15号提醒我还信用卡", "0 9 15 * *"),
        ("每月最后一天晚上九点提醒我记账", "0 21 28-31 * *"),
        ("每年6月1号提醒我买礼物", "0 9 1 6 *"),
        ("每天早上提醒我吃维生素", "0 8 * * *"),
        ("每晚睡前提醒我刷牙", "0 22 * * *"),
        ("每天提醒我喝水", "0 9 * * *"),
        ("每个月提醒我交物业费", "0 9 1 * *"),
    ],
)
def test_a_pattern(text, expr) -> None:
    """H-TRG-03, H-FREQ-01, H-FREQ-09 … 11."""
    found = flat(text)
    assert found["schedule.expr"] == expr
    assert (found["rule"], found["lifecycle"]) == (False, "permanent")


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("每半小时提醒我站起来", 30),
        ("每90分钟用音箱播一句 该休息了", 90),
        ("隔两个钟头提醒我喝水", 120),
        ("3个小时提醒我一次吃药", 180),
        ("每隔一天提醒我浇花", 2880),
    ],
)
def test_an_interval(text, minutes) -> None:
    """H-TRG-02, A-60."""
    found = flat(text)
    assert found["schedule.every_ms"] == minutes * 60_000
    assert found["rule"] is False


@pytest.mark.parametrize(
    "text",
    [
        "晚上12点提醒我睡觉",
        "明天3点提醒我开会",
        "今晚3点提醒我看球",
        "25点提醒我睡觉",
        "8点70分提醒我",
        "2月30号提醒我",
        "每月32号提醒我还款",
        "每天8点10分和9点20分提醒我吃药",
        "明天8点后天9点提醒我",
        "每天8点提醒我下午3点开会",
        "每两小时提醒我喝水 晚上10点后别提醒",
        "99999999999小时后提醒我",
        "每99999999999小时提醒我",
    ],
)
def test_what_is_odd_is_not_guessed(text) -> None:
    assert flat(text)["outcome"] == "needs_model"


def test_the_zone_of_the_home_counts() -> None:
    found = flat("明天9点提醒吃药", now="2026-06-12T23:30:00Z")  # already the 13th at home
    assert found["schedule.at"] == "2026-06-14T09:00:00+08:00"
