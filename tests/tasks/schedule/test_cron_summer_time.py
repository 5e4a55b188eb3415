"""Cron where the clocks are moved, against a brute-force reading of Debian's rule.

The oracle knows nothing of how `Cron` works: it lists every real minute around a change together with what the clock on
the wall shows, and reads the rule off that list.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from zhixing.kernel.moments import zone
from zhixing.tasks.schedule.cron import Cron

MINUTE = timedelta(minutes=1)

CHANGES = {
    # zone: when clocks go forward, when they go back (2026, UTC)
    "America/New_York": ("2026-03-08T07:00Z", "2026-11-01T06:00Z"),
    "Europe/Paris": ("2026-03-29T01:00Z", "2026-10-25T01:00Z"),
    "Australia/Lord_Howe": ("2026-10-03T15:30Z", "2026-04-04T15:00Z"),
    "America/Santiago": ("2026-09-06T04:00Z", "2026-04-05T03:00Z"),
    "Africa/Cairo": ("2026-04-23T22:00Z", "2026-10-29T21:00Z"),
}

EVERY = frozenset(range(60))
ANY_HOUR = frozenset(range(24))


@dataclass(frozen=True)
class Pattern:
    """An expression, and what it matches written out by hand for the oracle."""

    expression: str
    minutes: frozenset[int]
    hours: frozenset[int]
    weekdays: frozenset[int] = frozenset(range(7))
    fixed: bool = True

    def matches(self, reading: datetime) -> bool:
        return (
            reading.minute in self.minutes and reading.hour in self.hours and reading.isoweekday() % 7 in self.weekdays
        )


def at(*values: int) -> frozenset[int]:
    return frozenset(values)


PATTERNS = [
    Pattern("30 2 * * *", at(30), at(2)),
    Pattern("15 2 * * *", at(15), at(2)),
    Pattern("45 1 * * *", at(45), at(1)),
    Pattern("0 0 * * *", at(0), at(0)),
    Pattern("30 0,23 * * *", at(30), at(0, 23)),
    Pattern("0,20,40 1-3 * * *", at(0, 20, 40), at(1, 2, 3)),
    Pattern("5 2,3 * * 0", at(5), at(2, 3), weekdays=at(0)),
    Pattern("0 9 * * 1-5", at(0), at(9), weekdays=at(1, 2, 3, 4, 5)),
    Pattern("0 * * * *", at(0), ANY_HOUR, fixed=False),
    Pattern("0 */3 * * *", at(0), frozenset(range(0, 24, 3)), fixed=False),
    Pattern("30 */2 * * *", at(30), frozenset(range(0, 24, 2)), fixed=False),
    Pattern("*/15 * * * *", at(0, 15, 30, 45), ANY_HOUR, fixed=False),
    Pattern("*/30 0-3 * * *", at(0, 30), at(0, 1, 2, 3), fixed=False),
    Pattern("* 2 * * *", EVERY, at(2), fixed=False),
]


def real_minutes(change: str, tz_name: str) -> list[tuple[datetime, datetime]]:
    """List every minute from three days before `change` to three days after, with its reading."""
    moment = datetime.fromisoformat(change) - timedelta(days=3)
    tz = zone(tz_name)
    return [(at, at.astimezone(tz).replace(tzinfo=None)) for at in (moment + n * MINUTE for n in range(6 * 24 * 60))]


def expected_instants(pattern: Pattern, minutes: list[tuple[datetime, datetime]]) -> list[datetime]:
    if not pattern.fixed:
        return [instant for instant, reading in minutes if pattern.matches(reading)]
    first_shown: dict[datetime, datetime] = {}
    for instant, reading in minutes:
        first_shown.setdefault(reading, instant)
    found = set()
    reading = minutes[0][1]
    while reading <= minutes[-1][1]:
        if pattern.matches(reading):
            shown = first_shown.get(reading)
            # A reading that was never shown runs at the first minute that shows a later one.
            found.add(shown or next(instant for instant, other in minutes if other > reading))
        reading += MINUTE
    return sorted(found)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.expression)
@pytest.mark.parametrize("direction", ["forward", "back"])
@pytest.mark.parametrize("tz_name", CHANGES)
def test_cron_agrees_with_every_minute_on_the_wall(tz_name: str, direction: str, pattern: Pattern):
    change = CHANGES[tz_name][direction == "back"]
    minutes = real_minutes(change, tz_name)
    expected = expected_instants(pattern, minutes)
    assert expected, "the window must hold something to compare"
    begin, end = minutes[0][0] - MINUTE, minutes[-1][0]
    found = []
    for instant in Cron.parse(pattern.expression).instants(begin, zone(tz_name)):
        if instant > end:
            break
        found.append(instant)
    assert found == expected


@pytest.mark.parametrize(
    ("tz_name", "expression", "after", "expected"),
    [
        # The clocks go forward: a skipped time runs once, right after the gap.
        ("America/New_York", "30 2 * * *", "2026-03-08T00:00-05:00", ["03-08 03:00-0400", "03-09 02:30-0400"]),
        ("Europe/Paris", "30 2 * * *", "2026-03-29T00:00+01:00", ["03-29 03:00+0200", "03-30 02:30+0200"]),
        ("Europe/Paris", "0,20,40 2 * * *", "2026-03-29T00:00+01:00", ["03-29 03:00+0200", "03-30 02:00+0200"]),
        ("Australia/Lord_Howe", "15 2 * * *", "2026-10-04T00:00+10:30", ["10-04 02:30+1100", "10-05 02:15+1100"]),
        ("America/Santiago", "0 0 * * *", "2026-09-05T12:00-04:00", ["09-06 01:00-0300", "09-07 00:00-0300"]),
        ("Africa/Cairo", "0 0 * * *", "2026-04-23T12:00+02:00", ["04-24 01:00+0300", "04-25 00:00+0300"]),
        # A wildcard follows real time: nothing is made up for the hour that never was.
        ("Europe/Paris", "*/30 2 * * *", "2026-03-29T00:00+01:00", ["03-30 02:00+0200", "03-30 02:30+0200"]),
        ("Europe/Paris", "0 * * * *", "2026-03-29T00:30+01:00", ["03-29 01:00+0100", "03-29 03:00+0200"]),
        # The clocks go back: a repeated time runs the first time only.
        ("America/New_York", "30 1 * * *", "2026-11-01T00:00-04:00", ["11-01 01:30-0400", "11-02 01:30-0500"]),
        ("Europe/Paris", "30 2 * * *", "2026-10-25T00:00+02:00", ["10-25 02:30+0200", "10-26 02:30+0100"]),
        ("Australia/Lord_Howe", "45 1 * * *", "2026-04-05T00:00+11:00", ["04-05 01:45+1100", "04-06 01:45+1030"]),
        ("America/Santiago", "30 23 * * *", "2026-04-04T12:00-03:00", ["04-04 23:30-0300", "04-05 23:30-0400"]),
        ("Africa/Cairo", "30 23 * * *", "2026-10-29T12:00+03:00", ["10-29 23:30+0300", "10-30 23:30+0200"]),
        # A wildcard runs in both of the repeated hours.
        ("Europe/Paris", "0 * * * *", "2026-10-25T01:30+02:00", ["10-25 02:00+0200", "10-25 02:00+0100"]),
        ("Australia/Lord_Howe", "0 */3 * * *", "2026-04-05T00:30+11:00", ["04-05 03:00+1030", "04-05 06:00+1030"]),
        ("Australia/Lord_Howe", "0 */3 * * *", "2026-10-04T00:30+10:30", ["10-04 03:00+1100", "10-04 06:00+1100"]),
        # Starting inside the second of two equal hours.
        ("Europe/Paris", "30 2 * * *", "2026-10-25T02:10+01:00", ["10-26 02:30+0100", "10-27 02:30+0100"]),
        ("Europe/Paris", "*/30 * * * *", "2026-10-25T02:10+01:00", ["10-25 02:30+0100", "10-25 03:00+0100"]),
        # Samoa crossed the date line: 30 December 2011 never was.
        ("Pacific/Apia", "0 9 * * *", "2011-12-29T12:00-10:00", ["12-31 00:00+1400", "12-31 09:00+1400"]),
        # Where no clock is moved.
        ("Asia/Shanghai", "30 2 * * *", "2026-03-29T00:00+08:00", ["03-29 02:30+0800", "03-30 02:30+0800"]),
    ],
)
def test_where_the_clocks_are_moved(tz_name: str, expression: str, after: str, expected: list[str]):
    instants = Cron.parse(expression).instants(datetime.fromisoformat(after), zone(tz_name))
    found = [next(instants).astimezone(zone(tz_name)).strftime("%m-%d %H:%M%z") for _ in expected]
    assert found == expected


@pytest.mark.parametrize("tz_name", CHANGES)
def test_a_yearly_wildcard_finds_its_way_over_several_changes(tz_name: str):
    tz = zone(tz_name)
    instant = Cron.parse("* 12 29 2 *").next(datetime(2026, 1, 1, tzinfo=UTC), tz)
    assert instant is not None
    assert instant.astimezone(tz).isoformat().startswith("2028-02-29T12:00:00")
