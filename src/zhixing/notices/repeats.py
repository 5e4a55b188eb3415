"""The pure decision about a text that repeats: words to a series, or the one thing that is missing.

The rule, its times and its bounds are read by `language.repeats`; everything else in the sentence (what is to be done,
提醒我, 前, 提前10分钟) by the same grammar as a single time, over the text with the rule taken out. When it is told is
the table of document 004 §5: 提醒我 at the time itself, a start half an hour and a deadline an hour before, a bare day
at 09:00. A text that is not read whole is left to the model (None).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from msgspec.structs import replace

from zhixing.kernel.claims import Basis, Claim
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.questions import Option, Question
from zhixing.kernel.wording import wording
from zhixing.language import repeats as words
from zhixing.language.numerals import integer
from zhixing.language.repeats import RepeatWords, read_month_days, read_repeat, read_weekdays
from zhixing.language.text import normalise
from zhixing.language.timex import CalendarDate, DateWords, Period, TimeExpression
from zhixing.notices import grammar
from zhixing.notices.answers import Answers
from zhixing.notices.asking import OTHER, question
from zhixing.notices.clocks import Unclear, WallTime, wall_time
from zhixing.notices.dates import Settled, Undecided, add_months, needs_reference, settle_date
from zhixing.notices.model import (
    Answer,
    Candidate,
    CandidateNode,
    Node,
    NodeKind,
    Outcome,
    Precision,
    SeriesPlan,
    Submission,
    Understanding,
)
from zhixing.notices.reminders import DEADLINE_LEAD, DEFAULT_LEAD, MORNING
from zhixing.notices.resolve import Ask
from zhixing.notices.titles import title_of
from zhixing.tasks.schedule import days
from zhixing.tasks.schedule.calendar import Calendar
from zhixing.tasks.schedule.expression import write_expression
from zhixing.tasks.schedule.model import Every
from zhixing.tasks.schedule.next import next_due

REPEAT = "repeat"
"""Why a text waits for a model when it repeats; the cue of that name."""
OWN_QUESTIONS = frozenset(("repeat_interval", "repeat_weekday", "repeat_day"))
_TOLD_EARLY = {NodeKind.START: (DEFAULT_LEAD, "default_start_30"), NodeKind.DEADLINE: (DEADLINE_LEAD, "deadline_1h")}
_ON_TIME = {NodeKind.REMINDER: "specified", NodeKind.OPEN: "open"}
_BLANKS = re.compile(r" {2,}")
_UNITS = {words.EveryDays: "days", words.EveryWeeks: "weeks", words.EveryMonths: "months"}
_ANY_DAY = date(1970, 1, 1)


class _Asks(Exception):
    """Something is missing: a question that `asking` words, or one of ours."""

    def __init__(self, ask: Ask | Question) -> None:
        super().__init__(ask.kind)
        self.ask = ask


class _Unread(Exception):
    """The words say more than this can be sure of."""


def understand_repeat(
    submission: Submission, now: datetime, answers: Sequence[Answer] = (), *, subject: str = "", revision: int = 0
) -> Understanding | None:
    """Decide what becomes of a text that repeats; None leaves it to the model. A series in it is to be begun."""
    text = submission.text
    plain = normalise(text)
    said = read_repeat(plain)
    if said is None:
        return None
    candidate = _candidate(text, said)
    if candidate is None:
        return None
    reading = _Reading(submission, now, answers, said, candidate)
    expression = _expression(text, said)
    known = (candidate.title, candidate.action, text.strip(), candidate.details)
    try:
        plan = reading.plan()
    except _Unread:
        return None
    except _Asks as missing:
        node = Node(NodeKind.REPEAT, Precision.UNKNOWN, expression, text.strip())
        kind = missing.ask.kind
        if kind in reading.answers:
            return Understanding(Outcome.RETRYABLE_FAILURE, f"answered_{kind}", *known, (node,))
        asked = missing.ask
        if isinstance(asked, Ask):
            asked = question(asked, subject, revision, now.astimezone(reading.zone).date())
        asked = Question(asked.kind, asked.prompt, asked.options, subject, revision)
        return Understanding(Outcome.NEEDS_CONFIRMATION, kind, *known, (node,), question=asked)
    node = Node(NodeKind.REPEAT, Precision.UNKNOWN, expression, text.strip(), claims=tuple(reading.claims))
    if plan is None:
        return Understanding(Outcome.NO_REMINDER, "nothing_ahead", *known, (node,))
    return Understanding(Outcome.SCHEDULED, "repeats", *known, (node,), series=plan)


def asked_clock(text: str) -> TimeExpression | None:
    """Return the one time of day of a text that repeats, so that 下午 alone can answer a question about it."""
    said = read_repeat(normalise(text))
    return said.clocks[0] if said is not None and len(said.clocks) == 1 else None


def canonical(kind: str, value: str) -> str | None:
    """Read the answer to one of `OWN_QUESTIONS` into a form that keeps its meaning; None where it is unreadable."""
    plain = normalise(value).strip()
    if kind == "repeat_interval":
        found = re.fullmatch(
            r"(?:每)? *([0-9]{1,2}|[一二两三四五六七八九十]{1,3}) *(?:天|日|个?周|星期|个?月)?(?:一次|1次)?", plain
        )
        number = integer(found[1]) if found else None
        return str(number) if number else None
    read = read_weekdays(plain) if kind == "repeat_weekday" else read_month_days(plain)
    return ",".join(map(str, read)) if read and 0 not in read and max(read) <= 31 else None


def _candidate(text: str, said: RepeatWords) -> Candidate | None:
    """Read the sentence around the rule; None where the grammar for single times would step back, too."""
    spans = [
        *said.bounds,
        *((left.span[1], right.span[1]) for left, right in zip(said.clocks, said.clocks[1:], strict=False)),
    ]
    rest = text
    for start, end in spans:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    start, end = said.span
    # With times of its own the sentence needs no day; without, 今天 stands for it, and 今晚 for 每晚.
    day = "今" if end - start == 1 else "今天"
    stand_in = "" if said.clocks and day == "今天" else day
    rest = rest[:start] + stand_in.ljust(end - start) + rest[end:]
    reading = grammar.read(rest)
    if not isinstance(reading, Candidate) or len(reading.nodes) != 1:
        return None
    if reading.nodes[0].kind not in (*_TOLD_EARLY, *_ON_TIME):
        return None
    action = _BLANKS.sub("", reading.action)
    if stand_in and stand_in not in text:
        # The day that stands in is nobody's word: 每天提醒我 names nothing but itself.
        if any(stand_in in detail for detail in reading.details):
            return None
        action = text.strip() if stand_in in action else action
    return replace(reading, action=action, title=title_of(action))


def _expression(text: str, said: RepeatWords) -> str:
    """Return the words of the rule and its times, from the first to the last of them."""
    spans = [said.span, *(clock.span for clock in said.clocks)]
    return text[min(start for start, _ in spans) : max(end for _, end in spans)].strip()


class _Reading:
    """One decision: the words, what was answered, and the claims that come up on the way."""

    def __init__(
        self, submission: Submission, now: datetime, answers: Sequence[Answer], said: RepeatWords, candidate: Candidate
    ) -> None:
        self.zone = find_zone(submission.zone)
        self.said = said
        self.claims: list[Claim[str]] = []
        self.answers = Answers(answers, now.astimezone(self.zone).date())
        self._given = {answer.kind: answer.value for answer in answers}
        self._submission = submission
        self._now = now
        self._node: CandidateNode = candidate.nodes[0]
        self._local = submission.submitted_at.astimezone(self.zone).replace(tzinfo=None, fold=0, microsecond=0)

    def plan(self) -> SeriesPlan | None:
        """Return the series, or None where nothing of it lies ahead. Raises `_Asks` and `_Unread`."""
        if isinstance(self.said.rule, words.Elapsed):
            return self._elapsed(self.said.rule)
        rule, interval = self._rule()
        clocks, precision = self._clocks()
        lead, reason = self._lead(precision)
        first = self._day(self.said.first)
        last = self._day(self.said.last, closes=True)
        start = self._local if first is None else datetime.combine(first, time(0))
        began = next(Calendar(rule, clocks).readings(max(start, self._local)), None)
        begins = first or (began or self._local).date()
        if interval > 1:
            if not isinstance(rule, days.EveryDays | days.EveryWeeks | days.EveryMonths):
                raise _Unread
            anchor = first if first and isinstance(rule, days.EveryDays) else (began or self._local).date()
            rule = _anchored(rule, anchor, interval)
            self._claim(anchor, Basis.DEFAULT, "repeat_anchor")
        if self.said.length is not None:
            length = self.said.length
            last = add_months(begins, length.months) + timedelta(days=length.days - 1)
        counted = start if first is not None or self.said.count is not None else None
        trigger = Calendar(rule, clocks, counted, last, self.said.count, lead=lead)
        self._tell_what_is_left_out(rule, trigger)
        if next_due(trigger, self.zone, self._now) is None and not trigger.lacks_table:
            return None
        return SeriesPlan(write_expression(trigger), None, self._node.kind, precision, reason)

    def _elapsed(self, rule: words.Elapsed) -> SeriesPlan:
        if (
            self.said.bounds
            or self._node.lead_minutes is not None
            or self._node.kind not in (NodeKind.REMINDER, NodeKind.START)
        ):
            raise _Unread
        anchor = self._submission.submitted_at
        trigger = Every(rule.seconds, anchor)
        return SeriesPlan(write_expression(trigger), anchor, NodeKind.REMINDER, Precision.MINUTE, "specified")

    def _rule(self) -> tuple[days.DayRule, int]:
        """Return the rule as if its interval were one, and the interval."""
        rule = self.said.rule
        match rule:
            case words.EveryDays():
                return days.EveryDays(_ANY_DAY), self._interval(rule)
            case words.EveryWeeks():
                interval = self._interval(rule)
                weekdays = rule.weekdays or self._answered_days("repeat_weekday")
                if rule.plain_work_days:
                    self._claim("周一至周五", Basis.INFERRED, "repeat_work_days")
                return days.EveryWeeks(weekdays, _ANY_DAY), interval
            case words.EveryMonths():
                interval = self._interval(rule)
                return days.EveryMonths(rule.days or self._answered_days("repeat_day"), _ANY_DAY), interval
            case words.MonthlyWeekday():
                return days.MonthlyWeekday(rule.nth, rule.weekday), 1
            case words.EveryYear():
                return days.EveryYear(rule.month, rule.day), 1
            case words.EveryLunar():
                return days.EveryLunar(rule.month, rule.days), 1
            case words.StatutoryDays():
                return days.StatutoryDays(rule.kind), 1
            case words.Elapsed():
                raise _Unread

    def _interval(self, rule: words.EveryDays | words.EveryWeeks | words.EveryMonths) -> int:
        if not rule.gap:
            return rule.interval
        given = self._given.get("repeat_interval", "")
        if given.isdigit() and 1 <= int(given) <= 99:
            return int(given)
        unit = _UNITS[type(rule)]
        options = [_say(f"repeat_every_{unit}", interval=number) for number in (rule.gap, rule.gap + 1)]
        said = self._submission.text[slice(*self.said.span)]
        raise _Asks(
            Question(
                "repeat_interval",
                _say("ask_repeat_interval", words=said),
                (Option(str(rule.gap), options[0]), Option(str(rule.gap + 1), options[1]), _other()),
                "",
                0,
            )
        )

    def _answered_days(self, kind: str) -> tuple[int, ...]:
        given = self._given.get(kind)
        if given is not None:
            with_last = tuple(int(number) for number in given.split(",") if number.lstrip("-").isdigit())
            if with_last:
                return with_last
        today = self._local.date()
        if kind == "repeat_weekday":
            following = today.isoweekday() % 7 + 1
            near = [_weekday(day) for day in (today.isoweekday(), following)]
        else:
            near = [f"{today.day}号", "最后一天"]
        options = (*(Option(one, one) for one in near), _other())
        raise _Asks(Question(kind, _say(f"ask_{kind}"), options, "", 0))

    def _clocks(self) -> tuple[tuple[time, ...], Precision]:
        said = self.said.clocks
        if not said:
            named_days = isinstance(
                self.said.rule, words.EveryMonths | words.MonthlyWeekday | words.EveryYear | words.EveryLunar
            ) or (isinstance(self.said.rule, words.EveryWeeks) and not self.said.rule.plain_work_days)
            in_minutes = self._node.lead_minutes is not None and not self._node.lead_in_days
            if named_days and not in_minutes and "clock_time" not in self.answers:
                self._claim(f"{MORNING:%H:%M}", Basis.DEFAULT, "repeat_morning")
                return (MORNING,), Precision.DATE
            return (self._clock(TimeExpression((0, 0))),), Precision.MINUTE
        if len(said) > 1 and any(not isinstance(self._wall(one), WallTime) for one in said):
            raise _Unread
        return tuple(self._clock(one) for one in said), Precision.MINUTE

    def _wall(self, one: TimeExpression) -> WallTime | Unclear:
        if one.period is Period.LATER:
            raise _Unread
        if one.clock is None:
            return Unclear("clock_time", ())
        return wall_time(one.clock, one.period)

    def _clock(self, one: TimeExpression) -> time:
        found = self._wall(one)
        if isinstance(found, Unclear):
            answered = self.answers.clock(found.kind, one)
            if answered is None:
                raise _Asks(Ask(found.kind, found.options))
            found = answered
        if found.day and not isinstance(self.said.rule, words.EveryDays):
            # 每周三24点 is the beginning of Thursday.
            raise _Unread
        return time(found.hour, found.minute)

    def _lead(self, precision: Precision) -> tuple[int, str]:
        node = self._node
        if node.lead_minutes is not None:
            return node.lead_minutes, "lead"
        if precision is Precision.DATE:
            return 0, "date_0900"
        if node.kind in _TOLD_EARLY:
            early, reason = _TOLD_EARLY[node.kind]
            return early // timedelta(minutes=1), reason
        return 0, _ON_TIME[node.kind]

    def _day(self, day: DateWords | None, *, closes: bool = False) -> date | None:
        if day is None:
            return None
        submission = self._submission
        reference = self._local.date()
        if not submission.source.speaks_now and needs_reference(day, None):
            if submission.message_date is None:
                raise _Unread
            reference = submission.message_date
        found = settle_date(day, reference=reference, submitted=self._local.date(), year=self.answers.year())
        if isinstance(found, Undecided):
            if found.kind == "year" and found.options:
                raise _Asks(Ask("year", found.options))
            raise _Unread
        if closes and found.year_chosen and found.day < self._local.date():
            # The nearest such day is over; a series that is begun now is hardly meant to end then.
            raise _Asks(Ask("year", self._next_years(day)))
        self._tell_year(found)
        return found.day

    def _next_years(self, day: DateWords) -> tuple[date, ...]:
        if not isinstance(day, CalendarDate):
            return ()
        years = (self._local.year, self._local.year + 1)
        settled = (
            settle_date(day, reference=self._local.date(), submitted=self._local.date(), year=year) for year in years
        )
        return tuple(one.day for one in settled if isinstance(one, Settled) and one.day >= self._local.date())

    def _tell_year(self, found: Settled) -> None:
        if found.year_chosen:
            self._claim(found.day.year, Basis.INFERRED, "nearest_year")

    def _tell_what_is_left_out(self, rule: days.DayRule, trigger: Calendar) -> None:
        if isinstance(rule, days.EveryMonths) and (rare := [day for day in rule.days if day > 28]):
            self._claim("、".join(f"{day} 号" for day in rare), Basis.INFERRED, "repeat_short_months")
        if isinstance(rule, days.EveryYear) and (rule.month, rule.day) == (2, 29):
            self._claim("2 月 29 日", Basis.INFERRED, "repeat_short_months")
        if isinstance(rule, days.EveryLunar) and 30 in rule.days:
            self._claim("三十", Basis.INFERRED, "repeat_short_months")
        if trigger.known_until is not None:
            which = "repeat_statutes" if isinstance(rule, days.StatutoryDays) else "repeat_lunar"
            self._claim(trigger.known_until, Basis.INFERRED, which)

    def _claim(self, value: object, basis: Basis, evidence: str) -> None:
        self.claims.append(Claim(str(value), basis, evidence))


def _anchored(
    rule: days.EveryDays | days.EveryWeeks | days.EveryMonths, anchor: date, interval: int
) -> days.EveryDays | days.EveryWeeks | days.EveryMonths:
    match rule:
        case days.EveryDays():
            return days.EveryDays(anchor, interval)
        case days.EveryWeeks():
            return days.EveryWeeks(rule.weekdays, anchor, interval)
        case days.EveryMonths():
            return days.EveryMonths(rule.days, anchor, interval)


def _weekday(day: int) -> str:
    return wording(f"tasks.weekday_{day % 7}", "zh")


def _other() -> Option:
    return Option(OTHER, _say("other"))


def _say(key: str, **values: object) -> str:
    return wording(f"notices.{key}", "zh", **values)
