"""Words about time → `when:` of a task.md: what five fields can say, and one line for what they cannot."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.drafting.saying import NOW, ZONE

from zhixing.documents.drafting.timing import read_timing
from zhixing.documents.drafting.wanted import Timing, when_of
from zhixing.kernel.wording import wording


def read(text: str) -> Timing:
    return read_timing(text, now=NOW, zone=ZONE)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("工作日早上8点", "0 8 * * 1-5"),
        ("每周一三五早上7点", "0 7 * * 1,3,5"),
        ("周一到周六晚上8点半", "30 20 * * 1-6"),
        ("每周末9:00", "0 9 * * 0,6"),
        ("每周天早上9点", "0 9 * * 0"),
        ("每月1号9点", "0 9 1 * *"),
        ("每月最后一天18点", "0 18 L * *"),
        ("每月第一个周一上午10点", "0 10 * * 1#1"),
        ("每年12月25日早上8点", "0 8 25 12 *"),
        ("每天早晚8点", "0 8,20 * * *"),
        ("每天早晚", "0 8,20 * * *"),
        ("每天上午9点和下午6点", "0 9,18 * * *"),
        ("每两小时", "0 */2 * * *"),
        ("每小时", "0 * * * *"),
        ("每隔15分钟", "*/15 * * * *"),
        ("每天半夜12点", "0 0 * * *"),
        ("每天零点", "0 0 * * *"),
        ("每天中午12点半", "30 12 * * *"),
        ("每天下班前", "0 17 * * *"),
        ("每天傍晚", "0 18 * * *"),
    ],
)
def test_what_repeats_is_one_expression(text: str, when: str) -> None:
    found = read(text)

    assert found.when == when
    assert not found.faults


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("明天早上8点", "2026-10-13T08:00:00+08:00"),
        ("今晚11点", "2026-10-12T23:00:00+08:00"),
        ("今晚12点", "2026-10-13T00:00:00+08:00"),
        ("下周三上午10点", "2026-10-21T10:00:00+08:00"),
        ("周五下午4点", "2026-10-16T16:00:00+08:00"),
        ("周一早上8点", "2026-10-19T08:00:00+08:00"),
        ("1月5日9点", "2027-01-05T09:00:00+08:00"),
        ("半小时后", "2026-10-12T10:30:00+08:00"),
        ("三天后早上9点", "2026-10-15T09:00:00+08:00"),
        ("8点", "2026-10-12T20:00:00+08:00"),
        ("上午9点", "2026-10-13T09:00:00+08:00"),
        ("明天", "2026-10-13T09:00:00+08:00"),
    ],
)
def test_one_instant_keeps_the_offset_of_the_home(text: str, at: str) -> None:
    assert read(text).when == f"time:{at}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("隔周周五17点", "time_not_cron"),
        ("每两周的周五17点", "time_not_cron"),
        ("每三天8点", "time_not_cron"),
        ("农历每月初一早上8点", "time_not_cron"),
        ("法定工作日早上8点", "time_not_cron"),
        ("每45分钟", "time_not_cron"),
        ("每5小时", "time_not_cron"),
        ("每天9点和18:30", "time_not_cron"),
        ("从明天起每天8点", "time_not_cron"),
        ("每天8点，共10次", "time_not_cron"),
        ("每周五晚上12点", "time_not_cron"),
        ("每季度第一天8点", "time_unread"),
        ("除了周末每天8点", "time_unread"),
        ("每天8点到10点", "time_unread"),
        ("每天8点，每周五9点", "time_unread"),
        ("2月30号8点", "time_unread"),
        ("明天8点或者后天9点", "time_unread"),
        ("今天早上8点", "time_past"),
    ],
)
def test_what_cannot_be_said_is_told_in_one_line_and_guessed_by_nobody(text: str, fault: str) -> None:
    found = read(text)

    assert found.when == "@manual"
    assert [one.key for one in found.faults] == [fault]
    line = wording(f"drafting.{fault}", "zh", words=found.faults[0].words)
    assert "\n" not in line
    assert found.faults[0].words in line


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("每天早上", "period_default"),
        ("每天", "hour_default"),
        ("每天睡前", "moment_default"),
        ("每天3点", "small_hours"),
        ("工作日8点", "work_days"),
        ("每周", "weekday_default"),
        ("每月", "month_day_default"),
        ("每月31号9点", "short_months"),
        ("周五9点", "nearest_weekday"),
        ("10月20日9点", "nearest_year"),
        ("9点", "clock_next"),
    ],
)
def test_what_nobody_said_is_a_claim_with_a_tip(text: str, rule: str) -> None:
    marks = [mark for mark in read(text).marks if mark.claim().must_be_told]

    assert rule in [mark.evidence for mark in marks]
    assert all(wording(f"drafting.tip_{mark.evidence}", "zh", value=mark.value, words="…") for mark in marks)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("每天8点，到12月31日", "2027-01-01T00:00:00+08:00"),
        ("每天8点，持续一个月", "2026-11-12T00:00:00+08:00"),
        ("这周每天8点", "2026-10-19T00:00:00+08:00"),
        ("本月每天8点", "2026-11-01T00:00:00+08:00"),
    ],
)
def test_an_end_that_was_said_is_kept(text: str, end: str) -> None:
    found = read(text)

    assert (found.when, found.expires) == ("0 8 * * *", end)


def test_what_a_product_is_about_is_not_when_it_is_made() -> None:
    found = read("每月1号早上9点汇总上个月的账单和最近7天的支出")

    assert (found.when, found.faults) == ("0 9 1 * *", ())


def test_a_time_that_summer_time_skips_is_the_first_after_the_gap() -> None:
    new_york = ZoneInfo("America/New_York")
    found = read_timing("明天凌晨2点半", now=datetime(2026, 3, 7, 10, tzinfo=new_york), zone=new_york)

    assert found.when == "time:2026-03-08T03:00:00-04:00"


def test_the_reading_depends_on_the_zone_and_not_on_that_of_now() -> None:
    assert read_timing("明天早上8点", now=NOW.astimezone(UTC), zone=ZONE) == read("明天早上8点")


@given(st.text(alphabet="每天周月日号点半上下午早晚工作日隔0123456789一二三五十:，到和 明后后写", max_size=24))
def test_any_words_give_a_time_that_a_file_can_hold(text: str) -> None:
    found = read(text)

    when_of(found.when)
    assert not (found.faults and found.when != "@manual")
    assert all(0 <= start <= end <= len(text) for start, end in found.spans)
