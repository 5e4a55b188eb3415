"""Triggers of `calendar` in words a user reads, built from the catalogue section `tasks`."""

from __future__ import annotations

from datetime import date, datetime, time

from zhixing.kernel.wording import Language, wording
from zhixing.language.repeats import LAST
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.days import (
    DayRule,
    EveryDays,
    EveryLunar,
    EveryMonths,
    EveryWeeks,
    EveryYear,
    MonthlyWeekday,
    StatutoryDays,
)

_MOST_NAMED = 5
"""Days left out that are named one by one."""
_NUMBERS = "〇一二三四五六七八九十"


def calendar_in_words(trigger: Calendar, language: Language) -> str:
    """Say when `trigger` acts: 「每 2 周的周三（从 2026-10-14 那一周算起） 15:00，提前 30 分钟，共 10 次」."""
    times = _joined([f"{clock:%H:%M}" for clock in trigger.clocks], language)
    parts = [_say("cron_at_times", language, date=_days(trigger.days, language), times=times)]
    if trigger.lead:
        count, unit = _measure(trigger.lead)
        parts.append(_say(f"cal_before_{unit}", language, count=count))
    if trigger.first is not None:
        parts.append(_say("cal_from", language, at=_moment(trigger.first)))
    if trigger.last is not None:
        parts.append(_say("cal_until", language, at=trigger.last.isoformat()))
    if trigger.count is not None:
        parts.append(_say("cal_times", language, count=trigger.count))
    if trigger.left_out:
        named = sorted(trigger.left_out, key=date.isoformat)[-_MOST_NAMED:]
        key = "cal_except" if len(named) == len(trigger.left_out) else "cal_except_many"
        days = _joined([_moment(day) for day in named], language)
        parts.append(_say(key, language, days=days, count=len(trigger.left_out)))
    return "".join(parts)


def _say(key: str, language: Language, **values: object) -> str:
    return wording(f"tasks.{key}", language, **values)


def _joined(names: list[str], language: Language) -> str:
    return _say("list_separator", language).join(names)


def _days(rule: DayRule, language: Language) -> str:
    match rule:
        case EveryDays():
            return _every_days(rule, language)
        case EveryWeeks():
            return _every_weeks(rule, language)
        case EveryMonths():
            return _every_months(rule, language)
        case MonthlyWeekday(nth, weekday):
            named = _weekday(weekday, language)
            nth_day = _say("cron_last_weekday" if nth == LAST else "cron_nth_weekday", language, weekday=named, nth=nth)
            return _say("cron_weekday_in", language, month=_say("cron_each_month", language), weekdays=nth_day)
        case EveryYear(month, day):
            return _say("cal_year", language, month=_say(f"month_{month}", language), day=day)
        case EveryLunar(month, days):
            names = _joined([_lunar_day(day, language) for day in days], language)
            if month is None:
                return _say("cal_lunar_months", language, days=names)
            return _say("cal_lunar_year", language, month=_lunar_month(month, language), days=names)
        case StatutoryDays(kind):
            return _say(f"cal_{kind.value}", language)


def _every_days(rule: EveryDays, language: Language) -> str:
    if rule.interval == 1:
        return _say("cron_daily", language)
    return _say("cal_days", language, interval=rule.interval, anchor=rule.anchor.isoformat())


def _every_weeks(rule: EveryWeeks, language: Language) -> str:
    names = _joined([_weekday(weekday, language) for weekday in rule.weekdays], language)
    if rule.interval == 1:
        return _say("cron_weekdays", language, weekdays=names)
    return _say("cal_weeks", language, interval=rule.interval, weekdays=names, anchor=rule.anchor.isoformat())


def _every_months(rule: EveryMonths, language: Language) -> str:
    numbers = _joined([str(day) for day in rule.days if day != LAST], language)
    names = [_say("cron_days", language, days=numbers)] if numbers else []
    if LAST in rule.days:
        names.append(_say("cron_L", language))
    days = _joined(names, language)
    if rule.interval == 1:
        return _say("cron_day_in", language, month=_say("cron_each_month", language), days=days)
    return _say("cal_months", language, interval=rule.interval, days=days, anchor=f"{rule.anchor:%Y-%m}")


def _weekday(weekday: int, language: Language) -> str:
    return _say(f"weekday_{weekday % 7}", language)


def _lunar_day(day: int, language: Language) -> str:
    if day == LAST:
        return wording("tasks.cron_L", language)
    if language != "zh":
        return str(day)
    if day <= 10:
        return f"初{_NUMBERS[day]}"
    if day in (20, 30):
        return f"{_NUMBERS[day // 10]}十"
    return ("十" if day < 20 else "廿") + _NUMBERS[day % 10]


def _lunar_month(month: int, language: Language) -> str:
    return "正二三四五六七八九十冬腊"[month - 1] if language == "zh" else str(month)


def _measure(minutes: int) -> tuple[int, str]:
    """Return minutes in the largest unit that divides them."""
    return next((minutes // size, unit) for unit, size in (("d", 1_440), ("h", 60), ("m", 1)) if minutes % size == 0)


def _moment(day: date) -> str:
    if not isinstance(day, datetime) or day.time() == time(0):
        return day.strftime("%Y-%m-%d")
    return f"{day:%Y-%m-%d %H:%M}"
