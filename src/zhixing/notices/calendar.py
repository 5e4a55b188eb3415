"""The calendar feed: what is coming, as phone calendars read it. Pure: from notices to bytes.

Every resolved time of a notice is an event. Deadlines are events too, because subscribed calendars do not show to-dos.
Times are instants and written in UTC, so that no calendar has to guess a zone; bare dates are whole days. An event
without a known end has none: a length would be invented. What was deleted stays for a while as cancelled, so that
calendars that keep copies strike it out. The same notices always make the same bytes.

What repeats is one event with a rule, in its zone so that it keeps the wall clock; where no rule says it, the next
times are events of their own. What is done or paused ends there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from icalendar import Alarm, Calendar, Event

from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.model import UNTIMED, Node, NodeKind, Precision
from zhixing.notices.notice import MANUAL, Notice, NoticeState, Reminder
from zhixing.notices.recurrence import Recurrence, recurrences, singles
from zhixing.notices.series import Series
from zhixing.tasks.task import Status

KEPT = timedelta(days=30)
"""How long what is over or deleted stays in the feed."""
MOST_EVENTS = 1_000
LONGEST_SUMMARY = 200
LONGEST_DESCRIPTION = 2_000
REFRESH = timedelta(minutes=15)
"""How often calendars should ask again."""

_WORDED = frozenset((NodeKind.OPEN, NodeKind.DEADLINE, NodeKind.END))
_DAY = timedelta(days=1)
_ZONES_FROM = date(2020, 1, 1)
_ZONE_YEARS = 20
"""How far ahead the clock changes of a zone are written."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One event to be: `at` is an instant or a day."""

    notice: Notice
    uid: str
    at: datetime | date
    summary: str
    end: datetime | None = None
    alarms: tuple[datetime | timedelta, ...] = ()
    """When it is told: instants, or spans from its beginning where it repeats."""
    repeats: Recurrence | None = None
    ranked_at: datetime | None = None
    """Of what repeats: the next time, or the last one."""

    @property
    def moment(self) -> datetime:
        """When it begins, for sorting and bounds."""
        if self.ranked_at is not None:
            return self.ranked_at
        return self.at if isinstance(self.at, datetime) else datetime.combine(self.at, time(), UTC)


def calendar(notices: Iterable[Notice], home_id: str, now: datetime) -> bytes:
    """Return the feed of a home. `home_id` never changes, so that an event keeps its identity.

    At most `MOST_EVENTS`, the soonest first; what is longer ago than `KEPT` is left out.
    """
    entries = [entry for notice in notices for entry in _entries(notice, home_id, now) if entry.moment > now - KEPT]
    feed = Calendar()
    feed.add("prodid", "-//zhixing//calendar//ZH")
    feed.add("version", "2.0")
    feed.add("method", "PUBLISH")
    feed.add("x-wr-calname", wording("notices.calendar_name"))
    feed.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    feed.add("x-published-ttl", f"PT{int(REFRESH.total_seconds() // 60)}M")
    for entry in sorted(entries, key=lambda entry: _rank(entry, now))[:MOST_EVENTS]:
        feed.add_component(_event(entry))
    feed.add_missing_timezones(_ZONES_FROM, date(now.year + _ZONE_YEARS, 1, 1))
    written: bytes = feed.to_ical()
    return written


def _rank(entry: _Entry, now: datetime) -> tuple[bool, timedelta, str]:
    """Put what is ahead first, the soonest before the later, then what is over, the latest first."""
    return entry.moment < now - _DAY, abs(entry.moment - now), entry.uid


def _entries(notice: Notice, home_id: str, now: datetime) -> Iterator[_Entry]:
    if notice.state is NoticeState.NOTE or (notice.question is not None and notice.why != MANUAL):
        # What is still asked about has no times yet that anybody may rely on.
        return
    if not notice.task.active and notice.task.updated_at <= now - KEPT:
        return
    title = notice.task.title
    shown: set[int] = set()
    for index, node in enumerate(notice.nodes):
        if node.kind in UNTIMED or (node.at is None and node.day is None) or _closes(notice.nodes, index):
            continue
        shown.add(index)
        yield _Entry(
            notice,
            f"{notice.task.id}.{index}@{home_id}",
            node.at.astimezone(UTC) if node.at else (node.day or date.min),
            wording(f"notices.calendar_{node.kind.value}", title=title) if node.kind in _WORDED else title,
            _end_of(notice.nodes, index),
            tuple(one.at for one in _by_hand_or_rule(notice) if one.nodes and one.nodes[0] == index),
        )
    for reminder in _by_hand_or_rule(notice):
        if not shown.intersection(reminder.nodes[:1]):
            # Set by hand for something without a time of its own.
            uid = f"{notice.task.id}.r{reminder.number}@{home_id}"
            yield _Entry(notice, uid, reminder.at.astimezone(UTC), title, None, (reminder.at,))
    if notice.series is not None:
        yield from _repeated(notice, notice.series, home_id, now)


def _by_hand_or_rule(notice: Notice) -> tuple[Reminder, ...]:
    """Return what is planned once; the times of a series have its rule."""
    return tuple(one for one in notice.planned if one.number)


def _repeated(notice: Notice, series: Series, home_id: str, now: datetime) -> Iterator[_Entry]:
    task, kind = notice.task, series.plan.kind
    summary = wording(f"notices.calendar_{kind.value}", title=task.title) if kind in _WORDED else task.title
    until = None if task.active or task.status is Status.DELETED else task.updated_at
    rules = recurrences(series, until)
    if rules is None:
        for due in singles(series, now, until):
            at = series.matter(due)
            uid = f"{task.id}.s{at.astimezone(find_zone(series.schedule.zone)):%Y%m%dT%H%M%S}@{home_id}"
            alarms = (due,) if task.active and due > series.schedule.settled else ()
            yield _Entry(notice, uid, _day_or_instant(series, at), summary, None, alarms)
        return
    for rule in rules:
        ahead = series.next
        ranked = series.matter(ahead) if ahead is not None else rule.last if task.active else task.updated_at
        told = (rule.alarm,) if task.active else ()
        uid = f"{task.id}.s{rule.key}@{home_id}"
        yield _Entry(notice, uid, rule.start, summary, None, told, rule, ranked)


def _day_or_instant(series: Series, at: datetime) -> datetime | date:
    if series.plan.precision is Precision.DATE:
        return at.astimezone(find_zone(series.schedule.zone)).date()
    return at.astimezone(UTC)


def _end_of(nodes: Sequence[Node], index: int) -> datetime | None:
    """Return when what starts at a node ends, if the next one says so."""
    node = nodes[index]
    after = nodes[index + 1] if index + 1 < len(nodes) else None
    if node.kind is not NodeKind.START or node.at is None or after is None or after.kind is not NodeKind.END:
        return None
    return after.at.astimezone(UTC) if after.at is not None and after.at > node.at else None


def _closes(nodes: Sequence[Node], index: int) -> bool:
    return index > 0 and _end_of(nodes, index - 1) is not None


def _event(entry: _Entry) -> Event:
    task = entry.notice.task
    event = Event()
    event.add("uid", entry.uid)
    # When it was written, not when it was asked for: the same notices make the same bytes.
    event.add("dtstamp", _second(task.updated_at))
    event.add("last-modified", _second(task.updated_at))
    event.add("created", _second(task.created_at))
    event.add("sequence", task.revision)
    event.add("summary", _line(entry.summary, LONGEST_SUMMARY))
    event.add("status", "CANCELLED" if task.status is Status.DELETED else "CONFIRMED")
    event.add("transp", "TRANSPARENT" if entry.end is None else "OPAQUE")
    if isinstance(entry.at, datetime):
        event.add("dtstart", _second(entry.at) if entry.repeats is None else entry.at)
        if entry.end is not None:
            event.add("dtend", _second(entry.end))
    else:
        event.add("dtstart", entry.at)
        event.add("dtend", entry.at + _DAY)
    if entry.repeats is not None:
        event.add("rrule", entry.repeats.rule)
        if entry.repeats.left_out:
            event.add("exdate", list(entry.repeats.left_out))
    details = entry.notice.understood.details if entry.notice.understood else ()
    if details:
        event.add("description", _cut("\n".join(_line(each, LONGEST_DESCRIPTION) for each in details)))
    for told in entry.alarms:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", _line(task.title, LONGEST_SUMMARY))
        if isinstance(told, datetime):
            alarm.add("trigger", _second(told), parameters={"VALUE": "DATE-TIME"})
        else:
            alarm.add("trigger", told)
        event.add_component(alarm)
    return event


def _second(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)


def _line(text: str, longest: int) -> str:
    """Make one line of it, without anything that is not to be seen."""
    seen = "".join(each if unicodedata.category(each) not in {"Cc", "Cs", "Zl", "Zp"} else " " for each in text)
    flat = " ".join(seen.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_DESCRIPTION else text[: LONGEST_DESCRIPTION - 1] + "…"
