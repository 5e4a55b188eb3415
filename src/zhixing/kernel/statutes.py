"""Mainland China's holidays and working days, as the State Council arranges them year by year. Pure; no clock.

The arrangement comes from a table, and a table ends: outside `STATUTES_FROM` to `STATUTES_UNTIL` no answer holds.
"""

from __future__ import annotations

from datetime import date

from chinese_calendar.constants import holidays, workdays

STATUTES_FROM = date(min(holidays).year, 1, 1)
"""The first day whose arrangement is in the table."""
STATUTES_UNTIL = date(max(holidays).year, 12, 31)
"""The last day whose arrangement is in the table."""


def is_holiday(day: date) -> bool:
    """Tell whether a day was arranged as a day off; an ordinary weekend was not."""
    return day in holidays


def is_workday(day: date) -> bool:
    """Tell whether people work on a day: an ordinary weekday, or a weekend that was made a working day."""
    return day in workdays or (day.isoweekday() <= 5 and day not in holidays)
