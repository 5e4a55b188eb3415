"""The list of tasks: what was chosen, found and worded, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush
from urllib.parse import urlencode

from zhixing.app import App
from zhixing.faces import document_words, everything
from zhixing.faces.drawn import Drawn
from zhixing.faces.everything import Filed, Item
from zhixing.faces.goal_task_words import Pursued, status_words
from zhixing.faces.household_words import record_text
from zhixing.household.overview import Overview
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import Language, wording
from zhixing.notices import store as notices
from zhixing.notices.notice import Notice
from zhixing.notices.telling import moment_text
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.schedule import store as schedules
from zhixing.tasks.schedule.model import ScheduleState
from zhixing.tasks.schedule.next import next_due
from zhixing.tasks.task import Status, Task, Way

ROWS = 50
"""Tasks of a page."""
LONGEST_SEARCH = 200
"""Characters of what is looked for."""
_LOOKED_AT = 500
"""Single reminders that are looked through for what comes next, the first."""
_SCHEDULES = 2_000
"""Schedules, likewise."""

STATUSES: dict[str, tuple[Status, ...]] = {
    "open": (Status.ACTIVE, Status.PAUSED),
    "active": (Status.ACTIVE,),
    "paused": (Status.PAUSED,),
    "ended": (Status.COMPLETED, Status.EXPIRED),
    "deleted": (Status.DELETED,),
    "all": (),
}
"""What can be chosen, the usual first; none means all."""
_KINDS = {Status.ACTIVE: "good", Status.PAUSED: "warm"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody wants to see. What is not known is read as the usual."""

    words: str = ""
    way: Way | None = None
    status: str = "open"
    by_next: bool = False
    before: str | None = None

    @property
    def statuses(self) -> tuple[Status, ...]:
        """The statuses that are wanted; none means all."""
        return STATUSES[self.status]

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways that are wanted; none means all."""
        return () if self.way is None else (self.way,)

    @property
    def is_usual(self) -> bool:
        """Whether nothing was chosen."""
        return not self.words and self.way is None and self.status == "open"

    def address(self, order: str, before: str | None = None) -> str:
        """Return where the same is shown in another order, or from behind a cursor."""
        found = {"q": self.words, "way": self.way or "", "status": self.status, "order": order, "before": before or ""}
        left = {name: value for name, value in found.items() if value and (name, value) != ("status", "open")}
        return f"/tasks?{urlencode(left)}" if left else "/tasks"


@dataclass(frozen=True, slots=True)
class Row:
    """A task in the list. `kind` is that of a badge; `way` is "" for a notice, whose state says enough."""

    id: str
    title: str
    way: str
    state: str
    kind: str
    about: str
    next: str

    @property
    def line(self) -> str:
        """What stands below its title."""
        return " · ".join(part for part in (self.way, self.about, self.next) if part)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the list; `more` is the address of the next one, "" where there is none. `cut`: there are others."""

    rows: tuple[Row, ...]
    more: str
    cut: bool = False


def read_choice(q: str, way: str, status: str, order: str, before: str) -> Choice:
    """Read what stands in an address."""
    words = " ".join(q[:LONGEST_SEARCH].replace("\0", " ").split()).encode(errors="replace").decode()
    return Choice(
        words,
        Way(way) if way in set(Way) else None,
        status if status in STATUSES else "open",
        order == "next",
        before or None,
    )


def listed(app: App, choice: Choice, language: Language) -> Listed:
    """List what was chosen. Raises `BadInput` for a cursor that is none."""
    now = app.clock.now()
    with app.store.read() as tx:
        if choice.by_next:
            return _coming(tx, choice, now, language)
        page = everything.page(
            app,
            tx,
            now,
            statuses=choice.statuses,
            ways=choice.ways,
            words=choice.words,
            limit=ROWS,
            before=choice.before,
        )
    more = "" if page.more is None else choice.address("", page.more)
    return Listed(tuple(_row(item, now, language) for item in page.items), more)


def _row(item: Item, now: datetime, language: Language) -> Row:
    match item:
        case Notice():
            ahead = [reminder.at for reminder in item.planned]
            if item.task.active and item.series is not None and item.series.next is not None:
                ahead.append(item.series.next)
            about = wording(f"cli.state_{item.state.value}", language) if item.task.active else ""
            return _made(item.task, item.task.title, about, min(ahead, default=None), now=now, language=language)
        case Overview(task=task):
            about = "" if item.record is None else record_text(item.record)
            return _made(task, task.title, about, item.next if task.active else None, now=now, language=language)
        case Filed(task=task, view=view):
            coming = None if view is None or not view.next_runs else view.next_runs[0]
            about = "" if view is None else document_words.status_words(view)
            return _made(task, item.title, about, coming, now=now, language=language)
        case Drawn(task=task):
            return _made(task, task.title, "", None, now=now, language=language)
        case Pursued(task=task):
            return _made(task, task.title, status_words(item) if task.active else "", None, now=now, language=language)


def _made(task: Task, title: str, about: str, coming: datetime | None, *, now: datetime, language: Language) -> Row:
    return Row(
        task.id,
        title,
        "" if task.way is Way.NOTICE else wording(f"tasks.way_{task.way.value}", language),
        status_text(task.status, language),
        status_kind(task.status),
        about,
        "" if coming is None else wording("web_tasks.next_at", language, when=_when(task, coming, now)),
    )


def _when(task: Task, at: datetime, now: datetime) -> str:
    zone = find_zone(task.zone)
    return moment_text(at, now.astimezone(zone).date(), zone)


def status_text(status: Status, language: Language) -> str:
    """Say where a task is in its life."""
    return wording(f"tasks.status_{status.value}", language)


def status_kind(status: Status) -> str:
    """Return the kind of badge that belongs to it."""
    return _KINDS.get(status, "")


def _coming(tx: Tx, choice: Choice, now: datetime, language: Language) -> Listed:
    """List what comes next, of every task its first instant; only what lives has any.

    Only tasks that come to be shown are read: a home may have hundreds that repeat.
    """
    heap = [(at, task_id, True) for task_id, at in notices.planned(tx, now, _LOOKED_AT)]
    for schedule in schedules.in_state(tx, ScheduleState.ACTIVE, None, _SCHEDULES):
        at = next_due(schedule.trigger, find_zone(schedule.zone), max(schedule.settled, now))
        heap += [] if at is None else [(at, schedule.task_id, False)]
    heapify(heap)
    done: set[str] = set()
    rows: list[Row] = []
    while heap and len(rows) <= ROWS:
        at, task_id, sure = heappop(heap)
        task = None if task_id in done else tasks.find(tx, task_id)
        if task is None or not _wanted(task, choice):
            continue
        due = at if sure or task.way is not Way.NOTICE else _not_done(tx, task, now)
        if due is not None and due > at:
            heappush(heap, (due, task_id, True))
            continue
        if due is not None:
            done.add(task_id)
            rows.append(_made(task, task.title, "", at, now=now, language=language))
    return Listed(tuple(rows[:ROWS]), "", len(rows) > ROWS)


def _not_done(tx: Tx, task: Task, now: datetime) -> datetime | None:
    """Return the next time of a notice that repeats which nobody has called done or left out."""
    series = notices.get(tx, task.id).series
    return None if series is None else next(series.ahead(now), None)


def _wanted(task: Task, choice: Choice) -> bool:
    words = choice.words.casefold().split()
    text = f"{task.title}\n{task.description}".casefold()
    chosen = task.status in (choice.statuses or (task.status,)) and task.way in (choice.ways or (task.way,))
    return task.active and chosen and all(word in text for word in words)
