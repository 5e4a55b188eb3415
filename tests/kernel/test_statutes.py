from __future__ import annotations

from datetime import date, timedelta

import pytest

from zhixing.kernel.statutes import STATUTES_FROM, STATUTES_UNTIL, is_holiday, is_workday


@pytest.mark.parametrize(
    ("day", "found"),
    [
        (date(2025, 9, 26), (False, True)),
        (date(2025, 9, 27), (False, False)),
        (date(2025, 9, 28), (False, True)),
        (date(2025, 10, 1), (True, False)),
        (date(2025, 10, 8), (True, False)),
        (date(2025, 10, 11), (False, True)),
    ],
    ids=["weekday", "weekend", "weekend that is worked", "holiday", "weekday off", "weekend that is worked after"],
)
def test_days_are_as_they_were_arranged(day: date, found: tuple[bool, bool]) -> None:
    assert (is_holiday(day), is_workday(day)) == found


def test_no_day_of_the_table_is_both() -> None:
    days = [STATUTES_FROM + timedelta(days=n) for n in range((STATUTES_UNTIL - STATUTES_FROM).days + 1)]
    assert not any(is_holiday(day) and is_workday(day) for day in days)
