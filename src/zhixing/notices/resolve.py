"""From the words of one time to its meaning: a node, or the one thing that is missing (document 004 §4).

Pure: `(candidate node, context) -> Node | Ask`. The part of the day is asked first, then the day, then what the zone
makes of them. Every value that nobody said becomes a claim of the node.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from zhixing.kernel.claims import Basis, Claim
from zhixing.kernel.moments import Exact, Gap, Overlap, locate, settle
from zhixing.language.timex import CalendarDate, DateWords, Duration, Period, TimeExpression, WeekDay
from zhixing.notices.answers import Answers
from zhixing.notices.clocks import WallTime, wall_time
from zhixing.notices.dates import YEARS, Settled, Undecided, add_months, needs_reference, settle_date
from zhixing.notices.model import CandidateNode, Node, NodeKind, Precision


class Context(msgspec.Struct, frozen=True):
    """Everything outside the words that their meaning rests on."""

    submitted_at: datetime
    now: datetime
    zone: ZoneInfo
    speaks_now: bool
    """The user speaks himself, so that relative days count from the first submission (§1)."""
    message_date: date | None
    answers: Answers

    @property
    def submitted_day(self) -> date:
        """The day of first submission in the input zone."""
        return self.submitted_at.astimezone(self.zone).date()

    @property
    def today(self) -> date:
        """The day on which this is decided, for the buttons of a question."""
        return self.now.astimezone(self.zone).date()

    def reference_day(self) -> date | None:
        """Return the day that relative words count from, or None where only the sender knows it."""
        if self.speaks_now:
            return self.submitted_day
        answered = self.answers.day("message_date")
        return answered.day if answered else self.message_date


_NEAR = timedelta(days=1)
"""How far an answer may be from the time that the clocks skip."""
Choice = date | WallTime | datetime


class Ask(msgspec.Struct, frozen=True):
    """The one missing thing: the kind of question and at most two likely answers."""

    kind: str
    options: tuple[Choice, ...] = ()
    day: date | None = None
    """The day the options belong to, where it is known."""
    about: str = ""
    """The words of the time that asks, where there are several."""


class _Draft:
    """What is known of a node while it is being resolved."""

    __slots__ = ("claims",)

    def __init__(self) -> None:
        self.claims: list[Claim[str]] = []

    def claim(self, value: object, basis: Basis, evidence: str) -> None:
        self.claims.append(Claim(str(value), basis, evidence))


def resolve(node: CandidateNode, context: Context) -> Node | Ask:
    """Resolve one time of a candidate."""
    draft = _Draft()
    time = node.time
    if time.after is not None and time.after.seconds and context.speaks_now:
        return _node(node, draft, at=_count_on(context.submitted_at, time.after, context.zone))
    whole = _answered_whole(context)
    if whole is not None:
        draft.claim(whole.isoformat(), Basis.ANSWERED, "clock_time")
        return _node(node, draft, at=whole)
    clock = _clock(node, context, draft)
    if isinstance(clock, Ask):
        return clock
    day = _day(node, context, draft, clock)
    if isinstance(day, Ask):
        return day
    if day.year not in YEARS:
        return Ask("invalid_date")
    if isinstance(day, datetime):
        return _node(node, draft, at=day)
    if clock is None:
        return _dated(node, draft, day)
    return _instant(node, context, draft, day, clock)


def _count_on(start: datetime, duration: Duration, tz: ZoneInfo) -> datetime:
    """Return `start` plus `duration`: months and days by the calendar of `tz`, seconds by real time."""
    local = start.astimezone(tz).replace(microsecond=0)
    day = add_months(local.date(), duration.months) + timedelta(days=duration.days)
    moved = local if day == local.date() else settle(datetime.combine(day, local.time()), tz)
    return (moved.astimezone(UTC) + timedelta(seconds=duration.seconds)).astimezone(tz)


def _clock(node: CandidateNode, context: Context, draft: _Draft) -> WallTime | Ask | None:
    """Settle the time of day; None where the words give none."""
    time, answers = node.time, context.answers
    if time.clock is None:
        for kind in ("lead_needs_clock", "clock_time"):
            answered = answers.clock(kind, time)
            unclear = None if answered else answers.unclear(kind)
            if unclear is not None:
                answered = answers.clock("meridiem")
                if answered is None:
                    return Ask(unclear.kind, unclear.options)
            if answered is not None:
                draft.claim(answered, Basis.ANSWERED, kind)
                return answered
        if time.after is not None and time.after.seconds:
            # 半小时后 in somebody else's message: its minute is unknown, and importing it is not its beginning (§4).
            return Ask("message_date") if context.reference_day() is None else Ask("clock_time")
        return None
    found = wall_time(time.clock, time.period)
    if isinstance(found, WallTime):
        return found
    for kind in ("clock_time", "meridiem"):
        answered = answers.clock(kind, time)
        if answered is not None:
            answered = _of_that_night(answered, time.period)
            draft.claim(answered, Basis.ANSWERED, kind)
            return answered
    return Ask(found.kind, found.options, day=_known_day(node, context))


def _answered_whole(context: Context) -> datetime | None:
    """Return the instant where a question about the time was answered with date and time (§6)."""
    if context.answers.empty:
        return None
    for kind in ("clock_time", "meridiem", "lead_needs_clock"):
        moment = context.answers.instant(kind)
        if moment is not None:
            return settle(moment, context.zone) if moment.tzinfo is None else moment.astimezone(context.zone)
    return None


def _of_that_night(clock: WallTime, period: Period | None) -> WallTime:
    """Read 00:00 as an answer about tonight as the midnight that ends it."""
    night = period in (Period.EVENING, Period.NIGHT) and clock.day == 0 and clock.hour < 5
    return WallTime(1, clock.hour, clock.minute) if night else clock


def _known_day(node: CandidateNode, context: Context) -> date | None:
    found = _day(node, context, _Draft(), None)
    return found if isinstance(found, date) and not isinstance(found, datetime) else None


def _day(node: CandidateNode, context: Context, draft: _Draft, clock: WallTime | None) -> date | datetime | Ask:
    """Settle the day; a datetime where the words fix the instant at once. An answer counts for what was asked."""
    found = _worded_day(node, context, draft, clock)
    if not isinstance(found, Ask) or found.kind not in ("weekday_conflict", "invalid_date", "date"):
        return found
    return _answered_day(found.kind, context, draft) or found


def _worded_day(node: CandidateNode, context: Context, draft: _Draft, clock: WallTime | None) -> date | datetime | Ask:
    time = node.time
    reference = context.reference_day()
    if reference is None and needs_reference(time.date, time.after):
        return Ask("message_date")
    if time.after is not None:
        counted = _day_after(node, context, time.after, reference or context.submitted_day, clock)
        return counted if isinstance(counted, Ask | datetime) else _checked(counted, time.weekday)
    if time.date is None:
        return _day_unsaid(node, context, draft, clock)
    return _said_day(time.date, time, reference, context, draft)


def _answered_day(kind: str, context: Context, draft: _Draft) -> date | Ask | None:
    """Return the day of the user's own answer; its weekday must fit as well."""
    answered = context.answers.day(kind)
    if answered is None:
        return None
    if answered.weekday is not None and answered.weekday != answered.day.isoweekday():
        return Ask(kind)
    draft.claim(answered.day, Basis.ANSWERED, kind)
    return answered.day


def _said_day(
    words: DateWords, time: TimeExpression, reference: date | None, context: Context, draft: _Draft
) -> date | Ask:
    """Settle the day that the words name, and check it against every other way in which they name it."""
    year = context.answers.year()
    submitted = context.submitted_day
    found = settle_date(words, reference=reference or submitted, submitted=submitted, year=year)
    if isinstance(found, Undecided):
        return Ask(found.kind, found.options)
    if found.year_chosen:
        draft.claim(found.day.year, Basis.INFERRED, "nearest_year")
    elif year is not None and isinstance(words, CalendarDate) and words.year is words.year_offset:
        draft.claim(year, Basis.ANSWERED, "year")
    if time.also is not None and reference is not None:
        again = settle_date(time.also, reference=reference, submitted=submitted, year=None)
        if isinstance(again, Settled) and again.day != found.day:
            return Ask("weekday_conflict", (found.day, again.day))
    return _checked(found.day, time.also.weekday if isinstance(time.also, WeekDay) else time.weekday)


def _checked(day: date, weekday: int | None) -> date | Ask:
    """Check the day against the weekday written beside it (§4: the year is chosen first)."""
    if weekday is None or day.isoweekday() == weekday:
        return day
    named = day + timedelta(days=(weekday - day.isoweekday() + 3) % 7 - 3)
    return Ask("weekday_conflict", (day, named))


def _day_after(
    node: CandidateNode, context: Context, after: Duration, reference: date, clock: WallTime | None
) -> date | datetime | Ask:
    if not after.in_whole_days:
        return reference
    try:
        day = add_months(reference, after.months) + timedelta(days=after.days)
    except (OverflowError, ValueError):
        return Ask("invalid_date")
    exact = clock is None and node.kind is NodeKind.REMINDER and context.speaks_now and day.year in YEARS
    return _count_on(context.submitted_at, after, context.zone) if exact else day


def _day_unsaid(node: CandidateNode, context: Context, draft: _Draft, clock: WallTime | None) -> date | Ask:
    """Settle a time of day alone: a direct reminder means today, anything else has to be asked (§4)."""
    if node.kind is NodeKind.REMINDER and context.speaks_now:
        moved = _answered_day("date_passed", context, draft)
        if moved is not None:
            return moved
        draft.claim(context.submitted_day, Basis.DEFAULT, "clock_only_today")
        return context.submitted_day
    passed = clock is not None and _reading(context.today, clock) <= context.now.astimezone(context.zone).replace(
        tzinfo=None
    )
    first = context.today + timedelta(days=1 if passed else 0)
    return Ask("date", (first, first + timedelta(days=1)))


def _reading(day: date, clock: WallTime) -> datetime:
    return datetime(day.year, day.month, day.day, clock.hour, clock.minute) + timedelta(days=clock.day)


def _dated(node: CandidateNode, draft: _Draft, day: date) -> Node | Ask:
    """Keep date precision for a day without a time of day; a lead in minutes needs the time (§4)."""
    if node.lead_minutes is not None and not node.lead_in_days:
        return Ask("lead_needs_clock", day=day)
    period = node.time.period
    unsaid = node.time.date is None and node.time.after is None
    if period in (Period.LATER, Period.NIGHT) or (unsaid and node.kind is NodeKind.REMINDER):
        return Ask("clock_time", day=day)
    if node.kind is NodeKind.REMINDER and period not in (None, Period.MORNING, Period.FORENOON):
        # 明天下午提醒我: 09:00 would be a wrong time of day, and no other is said.
        return Ask("clock_time", day=day)
    return _node(node, draft, day=day)


def _instant(node: CandidateNode, context: Context, draft: _Draft, day: date, clock: WallTime) -> Node | Ask:
    try:
        local = _reading(day, clock)
    except OverflowError:
        return Ask("invalid_date")
    found = locate(local, context.zone)
    match found:
        case Exact():
            at: datetime | Ask = found.at
        case Gap():
            at = _over_gap(found, context, draft, local)
        case Overlap():
            at = _one_of_two(found, context, draft)
    if isinstance(at, Ask):
        return at
    taken_for_today = any(claim.evidence == "clock_only_today" for claim in draft.claims)
    if taken_for_today and at < context.now:
        return Ask("date_passed", (context.today + timedelta(days=1),), day=day)
    return _node(node, draft, at=at)


def _over_gap(gap: Gap, context: Context, draft: _Draft, local: datetime) -> datetime | Ask:
    answers = context.answers
    moment = answers.instant("tz_gap")
    if moment is None:
        clock = answers.clock("tz_gap")
        if clock is not None:
            moment = _reading(local.date(), clock)
        elif answers.fold("tz_gap") is not None:
            moment = gap.after if answers.fold("tz_gap") == 0 else gap.shifted
    if moment is None:
        return Ask("tz_gap", (gap.after, gap.shifted) if gap.after != gap.shifted else (gap.after,), day=local.date())
    if moment.tzinfo is None:
        found = locate(moment, context.zone)
        if not isinstance(found, Exact):
            return Ask("tz_gap")
        moment = found.at
    if abs(moment - gap.after) > _NEAR:
        return Ask("tz_gap")
    draft.claim(moment.isoformat(), Basis.ANSWERED, "tz_gap")
    return moment.astimezone(context.zone)


def _one_of_two(overlap: Overlap, context: Context, draft: _Draft) -> datetime | Ask:
    answers = context.answers
    moment = answers.instant("tz_overlap")
    if moment is not None and moment.tzinfo is not None:
        instants = [one.astimezone(UTC) for one in (overlap.first, overlap.second)]
        if moment.astimezone(UTC) not in instants:
            return Ask("tz_overlap")
        draft.claim(moment.isoformat(), Basis.ANSWERED, "tz_overlap")
        return moment.astimezone(context.zone)
    fold = answers.fold("tz_overlap")
    offset = answers.value("tz_overlap")
    for index, candidate in enumerate((overlap.first, overlap.second)):
        if fold == index or (offset and candidate.isoformat().endswith(offset)):
            draft.claim(candidate.isoformat(), Basis.ANSWERED, "tz_overlap")
            return candidate
    return Ask("tz_overlap", (overlap.first, overlap.second))


def _node(node: CandidateNode, draft: _Draft, *, at: datetime | None = None, day: date | None = None) -> Node:
    return Node(
        node.kind,
        Precision.MINUTE if at is not None else Precision.DATE,
        node.expression,
        node.evidence,
        at,
        day,
        node.lead_minutes,
        node.lead_evidence,
        tuple(draft.claims),
    )
