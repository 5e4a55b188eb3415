"""The vectors of `time-compute` (miloco.md §2.5) and what they leave open: summer time, ends of months, fractions."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.household.anchors import KINDS, UNITS, WEEKDAYS, compute, read_anchor, read_now
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import iso

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = "2026-06-10T14:30:00+08:00"


def computed(now: str, anchor: dict[str, object], zone: str = "Asia/Shanghai") -> str:
    tz = ZoneInfo(zone)
    return iso(compute(read_anchor(json.dumps(anchor)), read_now(now, tz), tz), tz)


def code_of(text: str, now: str = WEDNESDAY) -> str:
    with pytest.raises(BadInput) as refused:
        compute(read_anchor(text), read_now(now, SHANGHAI), SHANGHAI)
    assert str(refused.value)
    return refused.value.key


@pytest.mark.parametrize(
    ("now", "anchor", "expected"),
    [
        # the vectors of the contract
        (WEDNESDAY, {"kind": "end_of_day"}, "2026-06-10T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "end_of_week"}, "2026-06-14T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "end_of_month"}, "2026-06-30T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "tomorrow_at", "time": "09:00:00"}, "2026-06-11T09:00:00+08:00"),
        (WEDNESDAY, {"kind": "today_at", "time": "09:00:00"}, "2026-06-10T09:00:00+08:00"),
        (WEDNESDAY, {"kind": "next_weekday", "weekday": "monday"}, "2026-06-15T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "next_weekday", "weekday": "wednesday"}, "2026-06-17T23:59:59+08:00"),
        ("2026-01-31T10:00+08:00", {"kind": "add", "amount": 1, "unit": "months"}, "2026-02-28T10:00:00+08:00"),
        (WEDNESDAY, {"kind": "date", "month_day": "01-15"}, "2027-01-15T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "date", "month_day": "06-10"}, "2026-06-10T23:59:59+08:00"),
        # every kind once more, at its edges
        ("2026-06-10T23:59:59.9+08:00", {"kind": "end_of_day"}, "2026-06-10T23:59:59+08:00"),
        ("2026-06-10T00:00:00+08:00", {"kind": "end_of_day"}, "2026-06-10T23:59:59+08:00"),
        ("2026-06-14T00:00:00+08:00", {"kind": "end_of_week"}, "2026-06-14T23:59:59+08:00"),
        ("2026-06-15T00:00:00+08:00", {"kind": "end_of_week"}, "2026-06-21T23:59:59+08:00"),
        ("2026-12-30T08:00:00+08:00", {"kind": "end_of_week"}, "2027-01-03T23:59:59+08:00"),
        ("2028-02-01T08:00:00+08:00", {"kind": "end_of_month"}, "2028-02-29T23:59:59+08:00"),
        ("2026-12-31T23:00:00+08:00", {"kind": "end_of_month"}, "2026-12-31T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "today_at", "time": "20:15:30"}, "2026-06-10T20:15:30+08:00"),
        ("2026-12-31T08:00:00+08:00", {"kind": "tomorrow_at", "time": "00:00:00"}, "2027-01-01T00:00:00+08:00"),
        (WEDNESDAY, {"kind": "next_weekday", "weekday": "thursday", "time": "07:30:00"}, "2026-06-11T07:30:00+08:00"),
        (WEDNESDAY, {"kind": "next_weekday", "weekday": "tuesday"}, "2026-06-16T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "date", "month_day": "06-10", "time": "09:00:00"}, "2026-06-10T09:00:00+08:00"),
        (WEDNESDAY, {"kind": "date", "month_day": "06-09"}, "2027-06-09T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "date", "month_day": "02-29"}, "2027-02-28T23:59:59+08:00"),
        ("2026-02-28T08:00:00+08:00", {"kind": "date", "month_day": "02-29"}, "2026-02-28T23:59:59+08:00"),
        ("2027-03-01T08:00:00+08:00", {"kind": "date", "month_day": "02-29"}, "2028-02-29T23:59:59+08:00"),
        ("2028-02-29T08:00:00+08:00", {"kind": "date", "month_day": "02-29"}, "2028-02-29T23:59:59+08:00"),
        ("2028-03-01T08:00:00+08:00", {"kind": "date", "month_day": "02-29"}, "2029-02-28T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "date_full", "date": "2030-01-02"}, "2030-01-02T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "date_full", "date": "2020-02-29", "time": "06:00:00"}, "2020-02-29T06:00:00+08:00"),
        (WEDNESDAY, {"kind": "date_full", "date": "9999-12-31"}, "9999-12-31T23:59:59+08:00"),
        (WEDNESDAY, {"kind": "date_full", "date": "1900-01-01", "time": "12:00:00"}, "1900-01-01T12:00:00+08:05:43"),
        # amounts
        (WEDNESDAY, {"kind": "add", "amount": 30, "unit": "minutes"}, "2026-06-10T15:00:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 0.5, "unit": "hours"}, "2026-06-10T15:00:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 0.3, "unit": "minutes"}, "2026-06-10T14:30:18+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 0.005, "unit": "minutes"}, "2026-06-10T14:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 2, "unit": "days"}, "2026-06-12T14:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 1.5, "unit": "days"}, "2026-06-12T02:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 2, "unit": "weeks"}, "2026-06-24T14:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 0.5, "unit": "weeks"}, "2026-06-14T02:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": -90, "unit": "minutes"}, "2026-06-10T13:00:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": -0.5, "unit": "days"}, "2026-06-10T02:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 0, "unit": "hours"}, WEDNESDAY),
        (WEDNESDAY, {"kind": "add", "amount": 7, "unit": "months"}, "2027-01-10T14:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": -6, "unit": "months"}, "2025-12-10T14:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 1.9, "unit": "months"}, "2026-07-10T14:30:00+08:00"),
        (WEDNESDAY, {"kind": "add", "amount": 0.9, "unit": "months"}, WEDNESDAY),
        ("2027-12-31T10:00:00+08:00", {"kind": "add", "amount": 2, "unit": "months"}, "2028-02-29T10:00:00+08:00"),
        ("2026-03-31T10:00:00+08:00", {"kind": "add", "amount": -1, "unit": "months"}, "2026-02-28T10:00:00+08:00"),
        ("2028-02-29T10:00:00+08:00", {"kind": "add", "amount": 12, "unit": "months"}, "2029-02-28T10:00:00+08:00"),
        # the instant counted from
        ("2026-06-10T14:30:00", {"kind": "add", "amount": 0, "unit": "hours"}, WEDNESDAY),
        ("2026-06-10T20:00:00Z", {"kind": "end_of_day"}, "2026-06-11T23:59:59+08:00"),
        ("2026-06-14T09:30:00-07:00", {"kind": "end_of_week"}, "2026-06-21T23:59:59+08:00"),
        (" 2026-06-10T14:30:00.999+08:00 ", {"kind": "add", "amount": 0, "unit": "days"}, WEDNESDAY),
    ],
)
def test_what_an_anchor_means(now: str, anchor: dict[str, object], expected: str) -> None:
    assert computed(now, anchor) == expected


@pytest.mark.parametrize(
    ("zone", "now", "anchor", "expected"),
    [
        # New York goes from 02:00 to 03:00 on 2026-03-08 and from 02:00 back to 01:00 on 2026-11-01.
        (
            "America/New_York",
            "2026-03-07T12:00:00-05:00",
            {"kind": "tomorrow_at", "time": "02:30:00"},
            "2026-03-08T03:00:00-04:00",
        ),
        (
            "America/New_York",
            "2026-10-31T12:00:00-04:00",
            {"kind": "tomorrow_at", "time": "01:30:00"},
            "2026-11-01T01:30:00-04:00",
        ),
        ("America/New_York", "2026-03-08T00:30:00-05:00", {"kind": "end_of_day"}, "2026-03-08T23:59:59-04:00"),
        (
            "America/New_York",
            "2026-03-08T01:30:00-05:00",
            {"kind": "add", "amount": 1, "unit": "hours"},
            "2026-03-08T03:30:00-04:00",
        ),
        (
            "America/New_York",
            "2026-03-07T02:30:00-05:00",
            {"kind": "add", "amount": 1, "unit": "days"},
            "2026-03-08T03:00:00-04:00",
        ),
        (
            "America/New_York",
            "2026-03-07T09:00:00-05:00",
            {"kind": "add", "amount": 1, "unit": "days"},
            "2026-03-08T09:00:00-04:00",
        ),
        (
            "America/New_York",
            "2026-03-07T09:00:00-05:00",
            {"kind": "add", "amount": 24, "unit": "hours"},
            "2026-03-08T10:00:00-04:00",
        ),
        (
            "America/New_York",
            "2026-11-01T01:30:00-04:00",
            {"kind": "add", "amount": 60, "unit": "minutes"},
            "2026-11-01T01:30:00-05:00",
        ),
        (
            "America/New_York",
            "2026-11-01T01:30:00-05:00",
            {"kind": "add", "amount": 0, "unit": "days"},
            "2026-11-01T01:30:00-05:00",
        ),
        (
            "America/New_York",
            "2026-10-01T01:30:00-04:00",
            {"kind": "add", "amount": 1, "unit": "months"},
            "2026-11-01T01:30:00-04:00",
        ),
        # Beirut's midnight is skipped in spring; in autumn its 23:00 to 24:00 comes twice.
        (
            "Asia/Beirut",
            "2026-03-28T12:00:00+02:00",
            {"kind": "tomorrow_at", "time": "00:00:00"},
            "2026-03-29T01:00:00+03:00",
        ),
        ("Asia/Beirut", "2026-10-24T12:00:00+03:00", {"kind": "end_of_day"}, "2026-10-24T23:59:59+02:00"),
        ("Asia/Beirut", "2026-10-24T23:30:00+02:00", {"kind": "end_of_day"}, "2026-10-24T23:59:59+02:00"),
        (
            "Asia/Beirut",
            "2026-10-23T12:00:00+03:00",
            {"kind": "tomorrow_at", "time": "23:59:59"},
            "2026-10-24T23:59:59+03:00",
        ),
        # Samoa had no 2011-12-30; Toronto's 1919-03-30 ended at 23:30.
        ("Pacific/Apia", "2011-12-29T12:00:00-10:00", {"kind": "end_of_day"}, "2011-12-29T23:59:59-10:00"),
        (
            "Pacific/Apia",
            "2011-12-29T12:00:00-10:00",
            {"kind": "tomorrow_at", "time": "09:00:00"},
            "2011-12-31T00:00:00+14:00",
        ),
        ("America/Toronto", "1919-03-30T12:00:00-05:00", {"kind": "end_of_day"}, "1919-03-30T23:29:59-05:00"),
    ],
)
def test_a_time_that_is_skipped_or_comes_twice_is_settled_by_rule(
    zone: str, now: str, anchor: dict[str, object], expected: str
) -> None:
    assert computed(now, anchor, zone) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "invalid_anchor"),
        ("{", "invalid_anchor"),
        ("[]", "invalid_anchor"),
        ("null", "invalid_anchor"),
        ('"end_of_day"', "invalid_anchor"),
        ("{}", "invalid_anchor"),
        ('{"kind":null}', "invalid_anchor"),
        ('{"kind":["end_of_day"]}', "invalid_anchor"),
        ('{"kind":"end_of_dya"}', "invalid_anchor"),
        ('{"kind":"END_OF_DAY"}', "invalid_anchor"),
        ('{"kind":"end_of_day","time":"21:00:00"}', "invalid_anchor"),
        ('{"kind":"end_of_day","tz":"Asia/Tokyo"}', "invalid_anchor"),
        ('{"kind":"end_of_day"}' + " " * 2000, "invalid_anchor"),
        ('{"kind":"' + "[" * 900 + '"}', "invalid_anchor"),
        ('{"kind":"add","amount":NaN,"unit":"days"}', "invalid_anchor"),
        ('{"kind":"\ud800"}', "invalid_anchor"),
        ('{"kind":"today_at"}', "invalid_time"),
        ('{"kind":"today_at","time":null}', "invalid_time"),
        ('{"kind":"today_at","time":9}', "invalid_time"),
        ('{"kind":"today_at","time":"9:00:00"}', "invalid_time"),
        ('{"kind":"today_at","time":"09:00"}', "invalid_time"),
        ('{"kind":"today_at","time":"24:00:00"}', "invalid_time"),
        ('{"kind":"today_at","time":"09:60:00"}', "invalid_time"),
        ('{"kind":"today_at","time":"09:00:00\\n"}', "invalid_time"),
        ('{"kind":"today_at","time":"０9:00:00"}', "invalid_time"),
        ('{"kind":"tomorrow_at","time":"noon"}', "invalid_time"),
        ('{"kind":"date","month_day":"06-10","time":null}', "invalid_time"),
        ('{"kind":"next_weekday"}', "invalid_weekday"),
        ('{"kind":"next_weekday","weekday":"mon"}', "invalid_weekday"),
        ('{"kind":"next_weekday","weekday":"周一"}', "invalid_weekday"),
        ('{"kind":"next_weekday","weekday":[1]}', "invalid_weekday"),
        ('{"kind":"next_weekday","weekday":"monday","time":"x"}', "invalid_time"),
        ('{"kind":"add","unit":"days"}', "invalid_amount"),
        ('{"kind":"add","amount":"1","unit":"days"}', "invalid_amount"),
        ('{"kind":"add","amount":true,"unit":"days"}', "invalid_amount"),
        ('{"kind":"add","amount":1e300,"unit":"days"}', "invalid_amount"),
        ('{"kind":"add","amount":1.7e308,"unit":"weeks"}', "invalid_amount"),
        ('{"kind":"add","amount":1e300,"unit":"hours"}', "invalid_amount"),
        ('{"kind":"add","amount":9999999999999999999999,"unit":"months"}', "invalid_amount"),
        ('{"kind":"add","amount":-30000,"unit":"months"}', "invalid_amount"),
        ('{"kind":"add","amount":1}', "invalid_unit"),
        ('{"kind":"add","amount":1,"unit":"year"}', "invalid_unit"),
        ('{"kind":"add","amount":1,"unit":{"days":1}}', "invalid_unit"),
        ('{"kind":"date"}', "invalid_month_day"),
        ('{"kind":"date","month_day":"6-10"}', "invalid_month_day"),
        ('{"kind":"date","month_day":"02-30"}', "invalid_month_day"),
        ('{"kind":"date","month_day":"13-01"}', "invalid_month_day"),
        ('{"kind":"date","month_day":610}', "invalid_month_day"),
        ('{"kind":"date_full"}', "invalid_date"),
        ('{"kind":"date_full","date":"2027-02-29"}', "invalid_date"),
        ('{"kind":"date_full","date":"0000-01-01"}', "invalid_date"),
        ('{"kind":"date_full","date":"20270101"}', "invalid_date"),
        ('{"kind":"date_full","date":"2027-W01-1"}', "invalid_date"),
    ],
)
def test_an_anchor_that_means_nothing_has_a_code(text: str, code: str) -> None:
    assert code_of(text) == code


@pytest.mark.parametrize(
    "text", ["", "now", "2026-13-01", "2026-06-10T25:00:00", "2026-06-10T14:30:00+99:00", "0001-01-01T00:00:00+08:00"]
)
def test_an_instant_nobody_can_read_has_a_code(text: str) -> None:
    assert code_of('{"kind":"end_of_day"}', text) == "invalid_now_iso"


@pytest.mark.parametrize(
    "anchor",
    [
        {"kind": "tomorrow_at", "time": "09:00:00"},
        {"kind": "date", "month_day": "01-01"},
        {"kind": "next_weekday", "weekday": "monday"},
        {"kind": "end_of_week"},
    ],
)
def test_behind_the_last_year_there_is_nothing(anchor: dict[str, object]) -> None:
    assert code_of(json.dumps(anchor), "9999-12-31T12:00:00+08:00") == "invalid_now_iso"


def test_the_document_has_nine_anchors() -> None:
    assert len(KINDS) == 9


ZONES = st.sampled_from(["Asia/Shanghai", "America/New_York", "Asia/Beirut", "Pacific/Apia", "Australia/Lord_Howe"])
NOWS = st.datetimes(datetime(2000, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))


@given(ZONES, NOWS)
def test_the_ends_of_day_week_and_month_follow_one_another(zone: str, now: datetime) -> None:
    tz = ZoneInfo(zone)
    day, week, month = (compute({"kind": f"end_of_{each}"}, now, tz) for each in ("day", "week", "month"))
    assert now.replace(microsecond=0) <= day <= min(week, month)
    assert day.date() == now.astimezone(tz).date()
    assert (week.astimezone(UTC) + timedelta(seconds=1)).astimezone(tz).weekday() == 0
    assert (month.astimezone(UTC) + timedelta(seconds=1)).astimezone(tz).day == 1


@given(ZONES, NOWS, st.sampled_from(WEEKDAYS))
def test_the_next_weekday_is_one_to_seven_days_ahead(zone: str, now: datetime, weekday: str) -> None:
    tz = ZoneInfo(zone)
    found = compute({"kind": "next_weekday", "weekday": weekday}, now, tz)
    ahead = (found.date() - now.astimezone(tz).date()).days
    # The one day that a zone left out is counted as the one before it.
    assert 1 <= ahead <= 7 or (zone == "Pacific/Apia" and ahead == 0)


@given(ZONES, NOWS, st.floats(-1e4, 1e4), st.sampled_from(["minutes", "hours"]))
def test_minutes_and_hours_elapse(zone: str, now: datetime, amount: float, unit: str) -> None:
    tz = ZoneInfo(zone)
    found = compute({"kind": "add", "amount": amount, "unit": unit}, now, tz)
    assert timedelta(0) <= now + amount * timedelta(**{unit: 1}) - found.astimezone(UTC) < timedelta(seconds=1)


@given(
    st.dictionaries(
        st.sampled_from(["kind", "time", "weekday", "amount", "unit", "month_day", "date", "x"]),
        st.sampled_from([*KINDS, *UNITS, *WEEKDAYS, "09:00:00", "02-29", "2026-10-12", 1, -0.5, None, True, [], {}])
        | st.text("0123456789-:.TZ 一\n\x00", max_size=12)
        | st.floats()
        | st.integers(),
    ),
    NOWS,
)
def test_whatever_an_anchor_holds_it_is_an_instant_or_a_code(anchor: dict[str, object], now: datetime) -> None:
    refused, found = None, None
    try:
        found = compute(anchor, now, SHANGHAI)
    except BadInput as error:
        refused = error
    if found is None:
        assert refused.key.startswith("invalid_")
        assert "\n" not in str(refused)
    else:
        assert found.tzinfo is SHANGHAI
        assert found.microsecond == 0
