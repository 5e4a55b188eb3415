"""Triggers in words a user reads, built from the catalogue section `tasks`.

The words say what the expression means here, in full: nothing is rounded to a prettier rule.
"""

from __future__ import annotations

from zhixing.kernel.wording import Language, wording
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.day_words import calendar_in_words
from zhixing.tasks.schedule.fields import DAY, HOUR, MINUTE, MONTH, WEEKDAY, Field, NthWeekday, Special
from zhixing.tasks.schedule.model import At, Every, Trigger

_MOST_TIMES = 8
"""Clock times that are listed one by one."""


def in_words(trigger: Trigger, language: Language = "zh") -> str:
    """Say when `trigger` acts: 「每周一至周五 08:00」, 「每月 15 日或周一 09:00」, 「每 15 分钟」."""
    if isinstance(trigger, At):
        return _say("at", language, at=trigger.at.isoformat(sep=" ", timespec="seconds"))
    if isinstance(trigger, Every):
        count, unit = trigger.measure
        return _say(f"every_{unit}", language, count=count)
    if isinstance(trigger, Calendar):
        return calendar_in_words(trigger, language)
    return _Sentence(trigger, language).text()


def _say(key: str, language: Language, **values: object) -> str:
    return wording(f"tasks.{key}", language, **values)


class _Sentence:
    """One cron expression in one language."""

    def __init__(self, cron: Cron, language: Language) -> None:
        self._cron = cron
        self._language = language

    def text(self) -> str:
        times = self._times()
        if times is not None:
            return self._say("cron_at_times", date=self._date(), times=times)
        if self._date_is_free() and (self._cron.hour.whole(HOUR) or self._comes_in_even_hours()):
            return self._rhythm()
        return self._say("cron_with_rhythm", date=self._date(), rhythm=self._rhythm())

    def _say(self, key: str, **values: object) -> str:
        return _say(key, self._language, **values)

    def _joined(self, items: list[str]) -> str:
        return self._say("list_separator").join(items)

    # The time of day

    def _times(self) -> str | None:
        """List the clock times when they are few and no field is a pattern."""
        cron = self._cron
        if cron.follows_real_time or len(cron.hour.values) * len(cron.minute.values) > _MOST_TIMES:
            return None
        return self._joined([f"{h:02}:{m:02}" for h in cron.hour.values for m in cron.minute.values])

    def _rhythm(self) -> str:
        minute, hour = self._cron.minute, self._cron.hour
        minutes = self._numbers(minute)
        if hour.whole(HOUR):
            if minute.whole(MINUTE):
                return self._say("cron_every_minute")
            if minute.step is not None and 60 % minute.step == 0:
                return self._say("cron_every_minutes", step=minute.step)
            if minute.values == (0,):
                return self._say("cron_on_the_hour")
            return self._say("cron_minutes_of_hour", minutes=minutes)
        if self._comes_in_even_hours():
            return self._say("cron_every_hours", step=hour.step)
        hours = self._numbers(hour)
        if minute.whole(MINUTE):
            return self._say("cron_every_minute_in_hours", hours=hours)
        if minute.step is not None and 60 % minute.step == 0:
            return self._say("cron_every_minutes_in_hours", step=minute.step, hours=hours)
        if minute.values == (0,):
            return self._say("cron_on_hours", hours=hours)
        return self._say("cron_minutes_in_hours", hours=hours, minutes=minutes)

    def _comes_in_even_hours(self) -> bool:
        step = self._cron.hour.step
        return step is not None and 24 % step == 0 and self._cron.minute.values == (0,)

    # The date

    def _date_is_free(self) -> bool:
        return self._days_are_free() and self._cron.month.whole(MONTH)

    def _days_are_free(self) -> bool:
        day_free, weekday_free = self._cron.day.whole(DAY), self._cron.weekday.whole(WEEKDAY)
        # As alternatives, one that is always true is enough.
        return (day_free and weekday_free) if self._cron.needs_both_days else (day_free or weekday_free)

    def _date(self) -> str:
        cron = self._cron
        every_month = cron.month.whole(MONTH)
        month = self._say("cron_each_month") if every_month else self._say("cron_months", months=self._months())
        if self._days_are_free():
            return self._say("cron_daily") if every_month else self._say("cron_daily_in", month=month)
        if cron.weekday.whole(WEEKDAY):
            return self._say("cron_day_in", month=month, days=self._days())
        if cron.day.whole(DAY):
            if every_month and not cron.weekday.specials:
                return self._say("cron_weekdays", weekdays=self._weekdays())
            return self._say("cron_weekday_in", month=month, weekdays=self._weekdays())
        both = "cron_day_and_weekday" if cron.needs_both_days else "cron_day_or_weekday"
        return self._say(both, month=month, days=self._days(), weekdays=self._weekdays())

    def _days(self) -> str:
        said = [self._say("cron_days", days=self._numbers(self._cron.day))] if self._cron.day.values else []
        return self._joined(said + [self._special(special) for special in self._cron.day.specials])

    def _weekdays(self) -> str:
        # A week begins on Monday, so Sunday comes last.
        values = sorted(value or 7 for value in self._cron.weekday.values)
        said = [
            self._span("cron_weekday_range", [self._weekday(value) for value in run]) for run in _runs(tuple(values))
        ]
        return self._joined(said + [self._special(special) for special in self._cron.weekday.specials])

    def _weekday(self, value: int) -> str:
        return self._say(f"weekday_{value % 7}")

    def _months(self) -> str:
        names = [[self._say(f"month_{value}") for value in run] for run in _runs(self._cron.month.values)]
        return self._joined([self._span("cron_month_range", run) for run in names])

    def _special(self, special: Special) -> str:
        if isinstance(special, NthWeekday):
            weekday = self._weekday(special.weekday)
            if special.nth is None:
                return self._say("cron_last_weekday", weekday=weekday)
            return self._say("cron_nth_weekday", nth=special.nth, weekday=weekday)
        return self._say(f"cron_{special}")

    # Numbers

    def _numbers(self, field: Field) -> str:
        return self._joined(
            [self._span("cron_number_range", [str(value) for value in run]) for run in _runs(field.values)]
        )

    def _span(self, key: str, run: list[str]) -> str:
        return self._joined(run) if len(run) < 3 else self._say(key, first=run[0], last=run[-1])


def _runs(values: tuple[int, ...]) -> list[list[int]]:
    """Group sorted numbers into runs of neighbours."""
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return runs
