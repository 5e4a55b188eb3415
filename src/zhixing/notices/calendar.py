"""The calendar feed: what is coming, as phone calendars read it. Pure: from notices to bytes.

Every resolved time of a notice is an event. Deadlines are events too, because subscribed calendars do not show to-dos.
Times are instants and written in UTC, so that no calendar has to guess a zone; bare dates are whole days. An event
without a known end has none: a length would be invented. What was deleted stays for a while as cancelled, so that
calendars that keep copies strike it out. The same notices always make the same bytes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from icalendar import Alarm, Calendar, Event

from zhixing.kernel.wording import wording
from zhixing.notices.model import UNTIMED, Node, NodeKind
from zhixing.notices.notice import MANUAL, Notice, NoticeState, Reminder
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


@dataclass(frozen=True, slots=True)
class _Entry:
    """One event to be: `at` is an instant or a day."""

    notice: Notice
    uid: str
    at: datetime | date
    summary: str
    end: datetime | None = None
    reminders: tuple[Reminder, ...] = ()

    @property
    def moment(self) -> datetime:
        """When it begins, for sorting and bounds."""
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
            tuple(one for one in notice.planned if one.nodes and one.nodes[0] == index),
        )
    for reminder in notice.planned:
        if not shown.intersection(reminder.nodes[:1]):
            # Set by hand for something without a time of its own.
            uid = f"{notice.task.id}.r{reminder.number}@{home_id}"
            yield _Entry(notice, uid, reminder.at.astimezone(UTC), title, None, (reminder,))


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
        event.add("dtstart", _second(entry.at))
        if entry.end is not None:
            event.add("dtend", _second(entry.end))
    else:
        event.add("dtstart", entry.at)
        event.add("dtend", entry.at + _DAY)
    details = entry.notice.understood.details if entry.notice.understood else ()
    if details:
        event.add("description", _cut("\n".join(_line(each, LONGEST_DESCRIPTION) for each in details)))
    for reminder in entry.reminders:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", _line(task.title, LONGEST_SUMMARY))
        alarm.add("trigger", _second(reminder.at.astimezone(UTC)), parameters={"VALUE": "DATE-TIME"})
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
