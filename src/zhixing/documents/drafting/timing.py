"""Words about time → `when:` of a task.md. Pure; a part of the words that is not understood is never dropped.

Five fields say every day, days of the week, days of the month or the year, at hours of one minute, and intervals that
divide an hour or a day. What they cannot say (lunar days, every second week, statutory days) is a fault that is told.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import structs

from zhixing.documents.drafting.days import day_of, later, named_day
from zhixing.documents.drafting.hours import USUAL_HOUR, Hour, hour_of
from zhixing.documents.drafting.leftovers import AMOUNT, HALF_DAYS, IMPOSSIBLE, LOOSE, TORN
from zhixing.documents.drafting.stretches import MASK, stretches
from zhixing.documents.drafting.wanted import MANUAL, Mark, Timing, Warned, once
from zhixing.documents.drafting.words import moments, phrases
from zhixing.kernel.claims import Basis
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import settle
from zhixing.language.expressions import read_times
from zhixing.language.repeats import (
    LAST,
    Elapsed,
    EveryDays,
    EveryMonths,
    EveryWeeks,
    EveryYear,
    MonthlyWeekday,
    RepeatWords,
    Rule,
    read_repeat,
)
from zhixing.language.text import normalise
from zhixing.language.timex import Span, TimeExpression
from zhixing.language.tokens import tokens
from zhixing.tasks.schedule.cron import Cron

_TWICE = re.compile(r"早晚(?P<clock>(?:各)?(?= *[0-9一二两三四五六七八九十]))?(?![饭餐报间安])")
_GREETS = re.compile(r"^ *(?:早上好|上午好|中午好|下午好|晚上好|早安|晚安|早啊|早)(?=[ ,!。])|(?:从今)?以后(?=,? *每)")
_EACH = re.compile(r"各(?=[来出写生做给发推跑执运]|一)|分别")
_REPEATS = re.compile(
    r"每(?!次|个人|人|家|项|条|位|一[项条个份])|天天|隔|逢|工作日|双休日|农历|周[一二三四五六日天]到|除了|轮流"
)
_PERIODIC = re.compile(r"每个?季度?|双周|单周|每半年|每旬|月底|月末|季末|年底|年末")
_WITHIN = re.compile(r"(?:(?P<week>这个?周|本周)|(?P<month>这个月|本月)|(?P<year>今年))的? *(?=每|工作日)")
"""A stretch in which something repeats: it ends with it."""
_LONGEST_WORDS = 80


def read_timing(text: str, *, now: datetime, zone: ZoneInfo, aside: Sequence[Span] = ()) -> Timing:
    """Read all that `text` says about when; `aside` are spans that say nothing about it (the product, a command).

    What is over and no time that comes again is a fault, whatever else is said.
    """
    plain = _masked(normalise(text), aside)
    plain = _GREETS.sub(lambda match: " " * len(match[0]), plain)
    over = stretches(plain, now.astimezone(zone).date())
    plain = _masked(plain, over.covers)
    impossible = IMPOSSIBLE.search(plain)
    whole = plain
    within = _WITHIN.search(plain)
    if within is not None:
        plain = _masked(plain, [within.span()])
    twice = _TWICE.search(plain)
    if twice is not None:
        plain = plain[: twice.start()] + "早上" + plain[twice.start() + 2 :]
    plain = _EACH.sub(lambda match: " " * len(match[0]), plain)
    said = list(moments().finditer(plain))
    plain = _masked(plain, [moment.span() for moment in said])
    reader = _Reader(
        text,
        plain,
        whole,
        now=now.astimezone(zone),
        zone=zone,
        twice=twice is not None,
        moment=said[0][0] if said else "",
    )
    if over.missed:
        return reader.missed(over.missed)
    if impossible is not None or len(said) > 1:
        return reader.unread()
    found = reader.read()
    if reader.is_torn(found.spans):
        return reader.unread()
    if found.faults:
        return reader.with_what_is_left(reader.named(found))
    if within is not None and found.expires is not None:
        return reader.unread()
    if within is not None:
        found = structs.replace(found, expires=_end_of(within, now.astimezone(zone).date(), zone))
    spans = [match.span() for match in (within, *said) if match is not None]
    found = structs.replace(found, spans=tuple(sorted({*found.spans, *spans})))
    return reader.with_what_is_left(found)


def _masked(text: str, spans: Sequence[Span]) -> str:
    for start, end in spans:
        text = text[:start] + MASK * (end - start) + text[end:]
    return text


class _Reader:
    """One text with one reading. `plain` and `whole` have the length of `text`; `now` is in `zone`.

    `whole` still holds what `plain` was read without: the stretch, the two times and the moment of the day.
    """

    def __init__(
        self, text: str, plain: str, whole: str, *, now: datetime, zone: ZoneInfo, twice: bool, moment: str
    ) -> None:
        self._text = text
        self._plain = plain
        self._whole = whole
        self._now = now
        self._zone = zone
        self._twice = twice
        self._moment = moment
        self._marks: list[Mark] = []

    def read(self) -> Timing:
        repeat = None if _PERIODIC.search(self._plain) else read_repeat(self._plain)
        if repeat is not None:
            return self._repeated(repeat)
        if _REPEATS.search(self._plain) or _PERIODIC.search(self._plain):
            return self.unread()
        times = read_times(self._plain)
        if times.leftover or times.leads or len(times.expressions) > 1:
            return self.unread()
        if times.expressions:
            return self._single(times.expressions[0])
        return self.unread() if self._moment or self._twice else Timing()

    def unread(self) -> Timing:
        """Return the fault that names all words about time."""
        spans = self._seen()
        if not spans:
            return self._fault("time_unread", self._text.strip()[:_LONGEST_WORDS])
        words = self._text[spans[0][0] : spans[-1][1]]
        if len(words) > _LONGEST_WORDS // 2:
            words = "、".join(self._text[start:end] for start, end in spans)[:_LONGEST_WORDS]
        return self._fault("time_unread", words, spans)

    def missed(self, spans: Sequence[Span]) -> Timing:
        """Return the fault that names the days that are over."""
        return self._fault("time_past", "、".join(self._text[start:end].strip() for start, end in spans), spans)

    def named(self, found: Timing) -> Timing:
        """Return the fault `found` with the moment and the stretch that its words leave out."""
        words = found.faults[0].words
        left = [match[0] for pattern in (_WITHIN, moments()) for match in pattern.finditer(self._whole)]
        words = "、".join([words, *(word for word in dict.fromkeys(left) if word not in words)])
        return structs.replace(found, words=words, faults=(Warned(found.faults[0].key, words),))

    def is_torn(self, spans: Sequence[Span]) -> bool:
        """Whether one of `spans` begins or ends within another word about time."""
        return any(
            TORN.match(self._whole, end) is not None
            or (self._whole.startswith("天", start) and self._whole[max(0, start - 1) : start] in tuple(HALF_DAYS))
            for start, end in spans
        )

    def with_what_is_left(self, found: Timing) -> Timing:
        """Return `found` with a claim for every loose word about time that it was read without."""
        rest = _masked(self._whole, found.spans)
        left = "、".join(dict.fromkeys(self._text[one.start() : one.end()] for one in LOOSE.finditer(rest)))
        if not left:
            return found
        return structs.replace(found, marks=(*found.marks, Mark("when", left, Basis.INFERRED.value, "time_left")))

    # What repeats

    def _repeated(self, repeat: RepeatWords) -> Timing:
        spans = (repeat.span, *(self._trimmed(clock.span) for clock in repeat.clocks), *repeat.bounds)
        words = self._words(spans)
        if _REPEATS.search(_masked(self._plain, spans)):
            return self.unread()
        if repeat.first is not None or repeat.count is not None:
            return self._fault("time_not_cron", words, spans)
        if not self._fits(repeat):
            return self.unread()
        expression = self._expression(repeat)
        if expression is None:
            return self._fault("time_not_cron", words, spans)
        expires = self._expiry(repeat)
        if expires == "":
            return self._fault("time_unread", words, spans)
        self._mark("when", expression, Basis.SAID, words)
        return Timing(expression, words, tuple(self._marks), (), expires, tuple(sorted(spans)))

    def _fits(self, repeat: RepeatWords) -> bool:
        """Whether every hour is one, and a moment or 早晚 beside it says nothing more."""
        hours = [hour_of(clock, self._plain) for clock in repeat.clocks]
        if None in hours or (self._moment and (hours or self._twice or isinstance(repeat.rule, Elapsed))):
            return False
        if not self._twice:
            return True
        return (
            not isinstance(repeat.rule, Elapsed)
            and all(hour and hour.hour < 12 for hour in hours[:1])
            and len(hours) < 2
        )

    def _expression(self, repeat: RepeatWords) -> str | None:
        rule = repeat.rule
        if isinstance(rule, Elapsed):
            return _interval(rule.seconds)
        days = self._days(rule)
        hours = self._hours(repeat.clocks)
        if days is None or hours is None:
            return None
        minutes = {hour.minute for hour in hours}
        if len(minutes) != 1:
            return None
        if any(hour.day for hour in hours) and days != "* * *":
            return None
        named = ",".join(map(str, sorted({hour.hour for hour in hours})))
        expression = f"{minutes.pop()} {named} {days}"
        with suppress(BadInput):
            return Cron.parse(expression).expression
        return None

    def _days(self, rule: Rule) -> str | None:
        match rule:
            case EveryDays(interval=1, gap=0):
                return "* * *"
            case EveryWeeks(interval=1, gap=0):
                if not rule.weekdays:
                    self._mark("day", "1", Basis.DEFAULT, "weekday_default")
                if rule.plain_work_days:
                    self._mark("days", "1-5", Basis.INFERRED, "work_days")
                return f"* * {_weekdays(rule.weekdays or (1,))}"
            case EveryMonths(interval=1, gap=0):
                if not rule.days:
                    self._mark("day", "1", Basis.DEFAULT, "month_day_default")
                if any(day > 28 for day in rule.days):
                    self._mark("day", str(max(rule.days)), Basis.INFERRED, "short_months")
                return f"{','.join('L' if day == LAST else str(day) for day in rule.days or (1,))} * *"
            case MonthlyWeekday():
                weekday = rule.weekday % 7
                return f"* * {weekday}L" if rule.nth == LAST else f"* * {weekday}#{rule.nth}"
            case EveryYear():
                return f"{rule.day} {rule.month} *"
            case _:
                return None

    def _hours(self, clocks: Sequence[TimeExpression]) -> list[Hour] | None:
        if not clocks and self._twice:
            return [Hour(0, 8, 0), Hour(0, 20, 0)]
        if not clocks:
            usual = Hour(0, phrases().moments.get(self._moment, USUAL_HOUR), 0)
            self._mark("hour", str(usual), Basis.DEFAULT, "moment_default" if self._moment else "hour_default")
            return [usual]
        read = [hour_of(clock, self._plain) for clock in clocks]
        hours = [hour for hour in read if hour is not None]
        if len(hours) != len(read):
            return None
        for clock, hour in zip(clocks, hours, strict=True):
            self._doubt(clock, hour)
        if self._twice and hours[0].hour < 12:
            hours.append(Hour(0, hours[0].hour + 12, hours[0].minute))
        return hours

    def _expiry(self, repeat: RepeatWords) -> str | None:
        """Return the end of the last day, None where there is no bound, "" where it cannot be read."""
        if repeat.last is None and repeat.length is None:
            return None
        today = self._now.date()
        if repeat.length is not None:
            day = later(today, repeat.length) - timedelta(days=1)
        else:
            named = named_day(repeat.last, today) if repeat.last is not None else None
            if named is None or named.day < today:
                return ""
            day = named.day
        return _midnight_after(day, self._zone)

    # What comes once

    def _single(self, one: TimeExpression) -> Timing:
        span = self._trimmed(one.span)
        words = self._text[span[0] : span[1]]
        timed = one.clock is not None or one.period is not None or (one.after is not None and one.after.seconds > 0)
        if self._twice or (self._moment and timed):
            return self.unread()
        at = self._instant(one)
        if at is None:
            return self._fault("time_unread", words, (span,))
        if at <= self._now:
            return self._fault("time_past", words, (span,))
        when = once(at)
        self._mark("when", when, Basis.SAID, words)
        return Timing(when, words, tuple(self._marks), (), None, (span,))

    def _instant(self, one: TimeExpression) -> datetime | None:
        now = self._now.replace(microsecond=0)
        if one.after is not None and not one.after.in_whole_days:
            day = later(now.date(), one.after)
            moved = settle(datetime.combine(day, now.time()), self._zone)
            return (moved.astimezone(UTC) + timedelta(seconds=one.after.seconds)).astimezone(self._zone)
        if one.after is not None:
            day, rule = later(now.date(), one.after), ""
        elif one.date is not None:
            found = day_of(one, now.date())
            if found is None:
                return None
            day, rule = found.day, found.rule
        else:
            return self._today(one)
        hour = hour_of(one, self._plain)
        if hour is None and (one.clock is not None or one.period is not None):
            return None
        if hour is None:
            hour = Hour(0, phrases().moments.get(self._moment, USUAL_HOUR), 0)
            self._mark("hour", str(hour), Basis.DEFAULT, "moment_default" if self._moment else "hour_default")
        else:
            self._doubt(one, hour)
        at = self._at(day, hour)
        if rule == "nearest_weekday" and at <= self._now:
            day += timedelta(days=7)
            at = self._at(day, hour)
        if rule:
            self._mark("day", day.isoformat(), Basis.INFERRED, rule)
        return at

    def _today(self, one: TimeExpression) -> datetime | None:
        """Return the next time that the clock alone names: a bare hour may be the one of the afternoon."""
        hour = hour_of(one, self._plain)
        if hour is None:
            return None
        at = self._at(self._now.date(), hour)
        if at <= self._now and one.period is None and hour.hour < 12:
            at = self._at(self._now.date(), Hour(0, hour.hour + 12, hour.minute))
        if at <= self._now:
            at = self._at(self._now.date() + timedelta(days=1), hour)
        self._mark("day", at.isoformat(timespec="minutes"), Basis.INFERRED, "clock_next")
        return at

    def _at(self, day: date, hour: Hour) -> datetime:
        return settle(datetime.combine(day, time(hour.hour, hour.minute)) + timedelta(days=hour.day), self._zone)

    def _trimmed(self, span: Span) -> Span:
        """Return `span` without the 整 of 9点整理."""
        torn = self._plain.startswith("整理", span[1] - 1)
        return (span[0], span[1] - 1) if torn else span

    # What is said about it

    def _doubt(self, clock: TimeExpression, hour: Hour) -> None:
        if clock.clock is None:
            self._mark("hour", str(hour), Basis.DEFAULT, "period_default")
        elif hour.doubtful:
            self._mark("hour", str(hour), Basis.INFERRED, "small_hours")

    def _mark(self, name: str, value: str, basis: Basis, evidence: str) -> None:
        self._marks.append(Mark(name, value, basis.value, evidence))

    def _words(self, spans: Sequence[Span]) -> str:
        """Return the words of `spans`, each verbatim, joined where they do not stand together."""
        joined: list[Span] = []
        for start, end in sorted(spans):
            if joined and not self._plain[joined[-1][1] : start].strip(f" ,的{MASK}"):
                joined[-1] = (joined[-1][0], max(joined[-1][1], end))
            else:
                joined.append((start, end))
        return " ".join(self._text[start:end].strip() for start, end in joined)

    def _seen(self) -> list[Span]:
        """Return the words about time, those that touch as one."""
        spans = [(token.start, token.end) for text in (self._plain, self._whole) for token in tokens(text)]
        for pattern in (_REPEATS, _PERIODIC, IMPOSSIBLE, _WITHIN, _TWICE, LOOSE, AMOUNT, moments()):
            spans += [match.span() for match in pattern.finditer(self._whole)]
        seen: list[Span] = []
        for start, end in sorted(spans):
            if seen and start <= seen[-1][1]:
                seen[-1] = (seen[-1][0], max(end, seen[-1][1]))
            else:
                seen.append((start, end))
        return seen

    def _fault(self, key: str, words: str, spans: Sequence[Span] = ()) -> Timing:
        return Timing(MANUAL, words, (), (Warned(key, words),), None, tuple(sorted(spans)))


def _end_of(within: re.Match[str], today: date, zone: ZoneInfo) -> str:
    """Return the end of this week, month or year."""
    if within["week"]:
        last = today + timedelta(days=7 - today.isoweekday())
    elif within["month"]:
        last = today.replace(day=monthrange(today.year, today.month)[1])
    else:
        last = today.replace(month=12, day=31)
    return _midnight_after(last, zone)


def _midnight_after(day: date, zone: ZoneInfo) -> str:
    return settle(datetime.combine(day + timedelta(days=1), time()), zone).isoformat(timespec="seconds")


def _interval(seconds: int) -> str | None:
    """Return the expression of an interval that divides an hour or a day."""
    if seconds % 60:
        return None
    minutes = seconds // 60
    if minutes < 60:
        return None if 60 % minutes else "* * * * *" if minutes == 1 else f"*/{minutes} * * * *"
    hours, rest = divmod(minutes, 60)
    if rest or hours >= 24 or 24 % hours:
        return None
    return "0 * * * *" if hours == 1 else f"0 */{hours} * * *"


def _weekdays(days: Sequence[int]) -> str:
    """Return the field of the weekdays (Monday is 1): three or more in a row as a range, Sunday as 0."""
    if len(days) == 7:
        return "*"
    if len(days) >= 3 and list(days) == list(range(days[0], days[-1] + 1)) and days[-1] < 7:
        return f"{days[0]}-{days[-1]}"
    return ",".join(str(day) for day in sorted(day % 7 for day in days))
