"""The field `when`: strict, with what to write instead; and what it means, in words and in instants."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.documents.instants import read_instant
from zhixing.documents.model import Manual, Once
from zhixing.documents.when import next_runs, read_when, run_line, warnings_of, when_words, write_when
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant, zone

SHANGHAI = zone("Asia/Shanghai")
NOW = parse_instant("2026-03-08T10:30:00+08:00")


@pytest.mark.parametrize("text", ["@manual", "@Manual", " @MANUAL "])
def test_by_hand_in_any_case(text: str) -> None:
    assert read_when(text) == Manual()
    assert write_when(read_when(text)) == "@manual"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("0 9 * * 1-5", "0 9 * * 1-5"),
        (" 0  9 * * MON ", "0 9 * * MON"),
        ("@Daily", "@daily"),
        ("@WEEKLY", "@weekly"),
        ("time:2026-03-08T10:30:00+08:00", "time:2026-03-08T10:30:00+08:00"),
        ("TIME: 2026-03-08t10:30z", "time:2026-03-08t10:30z"),
        ("2026-03-08T10:30:00.250-05:00", "time:2026-03-08T10:30:00.250-05:00"),
    ],
)
def test_it_is_written_as_the_author_wrote_it(text: str, written: str) -> None:
    """D-2.3."""
    when = read_when(text)
    assert write_when(when) == written
    assert read_when(written) == when


def test_a_single_instant_keeps_the_offset_its_author_thinks_in() -> None:
    when = read_when("time:2026-03-08T10:30:00+08:00")
    assert isinstance(when, Once)
    assert (when.text, when.at.at.utcoffset()) == ("2026-03-08T10:30:00+08:00", timedelta(hours=8))
    assert next_runs(when, zone("UTC"), NOW - timedelta(days=1)) == [parse_instant("2026-03-08T02:30:00Z")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "没有写触发条件"),
        ("2026-02-30T10:00Z", "2026 年 2 月只有 28 天"),
        ("2026-04-31T10:00Z", "4 月只有 30 天"),
        ("2026-03-08T24:00:00Z", "2026-03-09T00:00:00Z"),
        ("2026-12-31T24:00+08:00", "2027-01-01T00:00:00+08:00"),
        ("9999-12-31T24:00+08:00", "第二天零点"),
        ("2026-13-01T10:00Z", "月份是 01 到 12"),
        ("0000-01-01T10:00Z", "没有这样的年月"),
        ("2026-03-08T25:00Z", "小时是 00 到 23"),
        ("2026-03-08T10:60Z", "分和秒是 00 到 59"),
        ("2026-12-31T23:59:60Z", "分和秒是 00 到 59"),
        ("2026-03-08T10:00+25:00", "偏移 +25:00 不存在"),
        ("2026-03-08T10:00+08:60", "偏移 +08:60 不存在"),
        ("2026-03-08T10:00:00+0800", "请写成 2026-03-08T10:00:00+08:00"),
        ("2026-03-08T10:00:00+8", "请写成 2026-03-08T10:00:00+08:00"),
        ("2026-03-08T10:00:00 UTC+8", "请写成 2026-03-08T10:00:00+08:00"),
        ("2026/3/8 9:05+08:00", "请写成 2026-03-08T09:05+08:00"),
        ("time:2026-03-08T10:30:00", "2026-03-08T10:30:00+08:00"),
        ("2026-03-08 10:30", "2026-03-08T10:30+08:00"),
        ("2026-03-08", "2026-03-08T09:00:00+08:00"),
        ("2026-02-30 10:00+0800", "2 月只有 28 天"),
        ("time:明天下午三点", "看不懂时间「明天下午三点」"),
        ("time：", "看不懂时间"),
        ("0 9 * *", "有 4 段"),
        ("0 0 9 * * *", "例如「0 9 * * *」"),
        ("60 * * * *", "0 到 59"),
        ("*/0 * * * *", "步长不能是 0"),
        ("0 22-2 * * *", "拆开写成"),
        ("0 9 15W * *", "看不懂 cron"),
        ("0 9 30 2 *", "永远不会到"),
        ("cron: 0 9 * * *", "直接写「0 9 * * *」"),
        ("@every 5m", "*/15 * * * *"),
        ("every 15m", "*/15 * * * *"),
        ("@reboot", "@hourly"),
        ("@manul", "是不是 @manual"),
        ("daily", "是不是 @daily"),
        ("manual", "是不是 @manual"),
        ("手动", "请写 @manual"),
        ("每天 9 点", "看不懂触发条件"),
        ("soon", "看不懂触发条件"),
        ("CRON_TZ=Asia/Tokyo 0 9 * * *", "只写「0 9 * * *」"),
        ("0 9 * * *" + " " * 300 + "1", "太长"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_write(text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_when(text)
    assert said in str(caught.value)


@given(
    st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31)),
    st.integers(-14 * 60, 14 * 60),
    st.sampled_from(["auto", "minutes", "milliseconds"]),
)
def test_every_instant_that_python_writes_is_read_as_itself(reading: datetime, minutes: int, precision: str) -> None:
    text = reading.replace(tzinfo=timezone(timedelta(minutes=minutes))).isoformat(timespec=precision)
    assert read_instant(text) == datetime.fromisoformat(text)


@given(st.text(max_size=60) | st.from_regex(r"(time:)?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[T ]?[0-9:.+Z-]*", fullmatch=True))
def test_any_text_is_read_or_refused(text: str) -> None:
    said = ""
    try:
        when = read_when(text)
    except BadInput as error:
        said = str(error)
    else:
        assert read_when(write_when(when)) == when
    assert said.isprintable()


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("@manual", "手动运行", "run by hand"),
        ("0 9 15 * 1", "每月 15 日或周一 09:00", "day 15 or Monday of every month at 09:00"),
        ("time:2026-03-08T10:30:00+08:00", "2026-03-08 10:30:00+08:00，一次", "2026-03-08 10:30:00+08:00, once"),
    ],
)
def test_it_is_said_in_words(text: str, zh: str, en: str) -> None:
    assert when_words(read_when(text), "zh") == zh
    assert when_words(read_when(text), "en") == en


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("0 9 15 * 1", ["when_day_or_weekday"]),
        ("0 9 */2 * 1", ["when_day_and_weekday"]),
        ("0 9 31 * *", ["when_months_without"]),
        ("0 9 30 * *", ["when_months_without"]),
        ("0 9 31 1,3 *", []),
        ("0 9 29 * *", ["when_leap_day"]),
        ("0 0 29 2 *", ["when_leap_day"]),
        ("0 9 1,31 * *", []),
        ("0 9 L * *", []),
        ("0 9 * * 1", []),
        ("@daily", []),
        ("@manual", []),
        ("time:2026-03-08T10:30:00+08:00", []),
    ],
)
def test_what_many_misread_is_remarked_upon(text: str, codes: list[str]) -> None:
    found = warnings_of(read_when(text), line=3)
    assert [finding.code for finding in found] == codes
    assert all(finding.line == 3 for finding in found)
    assert all(finding.text("zh") != finding.text("en") for finding in found)


def test_the_remark_about_either_day_says_when_it_runs() -> None:
    assert "每月 15 日或周一 09:00" in warnings_of(read_when("0 9 15 * 1"))[0].text()
    assert "2、4、6、9、11 月没有 31 日" in warnings_of(read_when("0 9 31 * *"))[0].text()


def test_the_next_runs_are_read_in_the_zone_of_the_task() -> None:
    runs = next_runs(read_when("30 8 * * 1-5"), SHANGHAI, NOW)
    assert [run.isoformat() for run in runs] == [
        "2026-03-09T08:30:00+08:00",
        "2026-03-10T08:30:00+08:00",
        "2026-03-11T08:30:00+08:00",
    ]
    assert next_runs(read_when("@manual"), SHANGHAI, NOW) == []
    assert next_runs(read_when("time:2026-03-08T10:30:00+08:00"), SHANGHAI, NOW) == []
    assert len(next_runs(read_when("@hourly"), SHANGHAI, NOW, 5)) == 5


def test_a_run_is_written_with_weekday_offset_and_zone() -> None:
    (run,) = next_runs(read_when("0 9 * * *"), SHANGHAI, NOW, 1)
    assert run_line(run) == "2026-03-09 周一 09:00（UTC+08:00，Asia/Shanghai）"
    assert run_line(parse_instant("2026-03-08T10:30:05-05:00")) == "2026-03-08 周日 10:30:05（UTC-05:00）"
