from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import (
    EPOCH,
    Exact,
    Gap,
    Overlap,
    from_micros,
    iso,
    locate,
    micros,
    parse_instant,
    settle,
    zone,
)

# zone, the first reading that was skipped, the first reading behind the gap
GAPS = [
    ("America/New_York", "2026-03-08T02:00", "2026-03-08T03:00-04:00"),
    ("Europe/Paris", "2026-03-29T02:00", "2026-03-29T03:00+02:00"),
    ("Australia/Lord_Howe", "2026-10-04T02:00", "2026-10-04T02:30+11:00"),
    ("America/Santiago", "2026-09-06T00:00", "2026-09-06T01:00-03:00"),
    ("Africa/Cairo", "2026-04-24T00:00", "2026-04-24T01:00+03:00"),
    ("Asia/Shanghai", "1991-04-14T02:00", "1991-04-14T03:00+09:00"),
    ("Pacific/Apia", "2011-12-30T00:00", "2011-12-31T00:00+14:00"),
]
# zone, the first reading that happened twice, its two instants, how long readings repeat
OVERLAPS = [
    ("America/New_York", "2026-11-01T01:00", "2026-11-01T01:00-04:00", "2026-11-01T01:00-05:00", 60),
    ("Europe/Paris", "2026-10-25T02:00", "2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00", 60),
    ("Australia/Lord_Howe", "2026-04-05T01:30", "2026-04-05T01:30+11:00", "2026-04-05T01:30+10:30", 30),
    ("America/Santiago", "2026-04-04T23:00", "2026-04-04T23:00-03:00", "2026-04-04T23:00-04:00", 60),
    ("Africa/Cairo", "2026-10-29T23:00", "2026-10-29T23:00+03:00", "2026-10-29T23:00+02:00", 60),
]
ZONES = sorted({name for name, *_ in [*GAPS, *OVERLAPS]} | {"UTC", "Asia/Kathmandu", "Africa/Casablanca"})
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def naive(text: str) -> datetime:
    return datetime.fromisoformat(text)


def length(first: str, after: str) -> timedelta:
    return naive(after[:16]) - naive(first)


@pytest.mark.parametrize(("name", "first", "after"), GAPS)
def test_a_skipped_reading_is_a_gap_that_ends_when_the_clocks_went_forward(name: str, first: str, after: str) -> None:
    tz, start, end = zone(name), naive(first), parse_instant(after)
    span = length(first, after)
    for local in (start, start + SECOND, start + span / 2, start + span - SECOND):
        found = locate(local, tz)
        assert isinstance(found, Gap)
        assert found.after == end
        assert found.shifted.replace(tzinfo=None) == local + span
    assert isinstance(locate(start - SECOND, tz), Exact)
    assert locate(start + span, tz) == Exact((start + span).replace(tzinfo=tz))


@pytest.mark.parametrize(("name", "first", "after"), GAPS)
def test_a_policy_in_a_gap_takes_the_first_instant_after_it(name: str, first: str, after: str) -> None:
    tz = zone(name)
    for local in (naive(first), naive(first) + length(first, after) / 2):
        assert settle(local, tz) == parse_instant(after)


@pytest.mark.parametrize(("name", "reading", "first", "second", "minutes"), OVERLAPS)
def test_a_repeated_reading_has_two_instants(name: str, reading: str, first: str, second: str, minutes: int) -> None:
    tz, start, span = zone(name), naive(reading), minutes * MINUTE
    # Python never calls a repeated reading equal to an instant in another zone, so both are compared in UTC.
    found = locate(start, tz)
    assert isinstance(found, Overlap)
    assert found.first.astimezone(UTC) == parse_instant(first)
    assert found.second.astimezone(UTC) == parse_instant(second)
    for local in (start, start + span / 2, start + span - SECOND):
        found = locate(local, tz)
        assert isinstance(found, Overlap)
        assert found.second.astimezone(UTC) - found.first.astimezone(UTC) == span
    assert isinstance(locate(start - SECOND, tz), Exact)
    assert isinstance(locate(start + span, tz), Exact)


@pytest.mark.parametrize(("name", "reading", "first"), [row[:3] for row in OVERLAPS])
def test_a_policy_in_a_repeated_hour_takes_its_first_pass(name: str, reading: str, first: str) -> None:
    assert settle(naive(reading), zone(name)).astimezone(UTC) == parse_instant(first)


@pytest.mark.parametrize("name", ["Asia/Shanghai", "UTC", "America/Phoenix"])
def test_a_zone_without_summer_time_has_neither_this_year(name: str) -> None:
    tz = zone(name)
    hours = (datetime(2026, 1, 1) + timedelta(hours=hour) for hour in range(365 * 24))
    assert all(isinstance(locate(local, tz), Exact) for local in hours)


def test_a_fold_given_by_the_caller_changes_nothing() -> None:
    tz = zone("America/New_York")
    for text in ("2026-11-01T01:30", "2026-03-08T02:30", "2026-06-01T12:00"):
        assert locate(naive(text).replace(fold=1), tz) == locate(naive(text), tz)


instants = st.datetimes(datetime(1972, 1, 1), datetime(2037, 12, 30), timezones=st.just(UTC))


@given(instants, st.sampled_from(ZONES))
def test_every_instant_is_found_again_from_its_local_reading(at: datetime, name: str) -> None:
    local = at.astimezone(zone(name)).replace(tzinfo=None, fold=0)
    found = locate(local, zone(name))
    if isinstance(found, Overlap):
        assert at in (found.first.astimezone(UTC), found.second.astimezone(UTC))
    else:
        assert isinstance(found, Exact)
        assert found.at.astimezone(UTC) == at


@given(instants, st.sampled_from(ZONES))
def test_an_instant_survives_being_stored(at: datetime, name: str) -> None:
    assert from_micros(micros(at.astimezone(zone(name)))) == at


@given(instants, st.sampled_from(ZONES))
def test_an_instant_survives_being_written_and_read(at: datetime, name: str) -> None:
    assert parse_instant(iso(at, zone(name))) == at


def test_microseconds_are_counted_from_the_epoch_both_ways() -> None:
    assert micros(EPOCH) == 0
    assert micros(EPOCH - timedelta(microseconds=1)) == -1
    assert micros(datetime.max.replace(tzinfo=UTC)) == 253_402_300_799_999_999


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-10-12T10:00:00+08:00", "2026-10-12T10:00:00+08:00"),
        ("2026-10-12T02:00:00Z", "2026-10-12T10:00:00+08:00"),
        ("2026-10-12T10:00+08:00", "2026-10-12T10:00:00+08:00"),
        ("20261012T100000+0800", "2026-10-12T10:00:00+08:00"),
        ("2026-10-12T10:00:00.5+08:00", "2026-10-12T10:00:00.500000+08:00"),
    ],
)
def test_instants_are_read_in_iso_forms_and_written_in_the_asked_zone(text: str, written: str) -> None:
    assert iso(parse_instant(text), zone("Asia/Shanghai")) == written


@pytest.mark.parametrize("text", ["2026-10-12T10:00:00", "2026-10-12"])
def test_an_instant_without_offset_is_told_to_have_none(text: str) -> None:
    with pytest.raises(BadInput, match="缺少时区偏移"):
        parse_instant(text)


@pytest.mark.parametrize(
    "text",
    ["", "tomorrow", "2026-02-30T10:00:00+08:00", "2026-10-12T25:00:00+08:00", "0001-01-01T00:00:00+14:00", "x" * 5000],
)
def test_an_unreadable_instant_is_told_in_one_short_line(text: str) -> None:
    with pytest.raises(BadInput, match="看不懂时间") as error:
        parse_instant(text)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    "name", ["", "Asia", "Mars/Base", "../etc/passwd", "/etc/passwd", "a" * 5000, "Asia/\x00", "上海"]
)
def test_an_unknown_zone_is_told_in_one_short_line(name: str) -> None:
    with pytest.raises(BadInput, match="不认识的时区") as error:
        zone(name)
    assert len(str(error.value)) < 200
