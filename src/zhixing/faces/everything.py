"""Tasks of every way in one list, newest first; each way lists its own, and here they are put together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.app import App
from zhixing.documents.operations import DocumentView
from zhixing.faces import document_wire, household_wire, wire
from zhixing.faces.drawn import Drawn, drawn, of_drawn
from zhixing.faces.goal_task_words import Pursued, of_pursued, pursued
from zhixing.faces.household_words import Names
from zhixing.faces.wire import Wire
from zhixing.household import overview as household
from zhixing.household.overview import Overview
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import listing
from zhixing.notices.notice import Notice
from zhixing.store.connection import Tx
from zhixing.tasks import store
from zhixing.tasks.task import Status, Task, Way


@dataclass(frozen=True, slots=True)
class Filed:
    """A document task; `view` is None where it has no file: one whose file is gone, or a message to a chat."""

    task: Task
    view: DocumentView | None

    @property
    def title(self) -> str:
        """What it is called."""
        return self.task.title if self.view is None else self.view.title

    @property
    def zone(self) -> ZoneInfo:
        """Where its times are read: its file may have named another zone since the task was made."""
        return find_zone(self.task.zone if self.view is None else self.view.zone)


Item = Notice | Overview | Filed | Drawn | Pursued
"""A task of whatever way, as its room shows it."""

_BARE = (Way.DOCUMENT, Way.GRAPH, Way.GOAL)
"""Ways whose tasks are found by the table of tasks alone."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some tasks; `more` is the cursor of the next page, if there is one."""

    items: tuple[Item, ...]
    more: str | None


def page(
    app: App,
    tx: Tx,
    now: datetime,
    *,
    statuses: Collection[Status] = (),
    ways: Collection[Way] = (),
    words: str = "",
    limit: int = 50,
    before: str | None = None,
) -> Page:
    """List tasks of the given statuses and ways (none given: all), from behind the cursor.

    With `words` only those that have all of them in their title, or in what was said.
    """
    notices: tuple[Notice, ...] = ()
    tasks: list[Task] = []
    more = False
    if not ways or Way.NOTICE in ways:
        of_notices = listing.page(tx, statuses=statuses, words=words, limit=limit, before=before)
        notices, more = of_notices.notices, of_notices.more is not None
    if not ways or Way.HOUSEHOLD in ways:
        of_household = household.page(tx, statuses=statuses, words=words, limit=limit, before=before)
        tasks, more = [*of_household.tasks], more or of_household.more is not None
    bare = [way for way in _BARE if not ways or way in ways]
    if bare:
        others = store.page(tx, statuses=statuses, ways=bare, words=words, limit=limit, before=before)
        tasks, more = [*tasks, *others.tasks], more or others.more is not None
    by_number: dict[int, Notice | Task] = {_number(one.task): one for one in notices}
    by_number |= {_number(task): task for task in tasks}
    chosen = [by_number[number] for number in sorted(by_number, reverse=True)[:limit]]
    items = tuple(_seen(app, tx, one, now) if isinstance(one, Task) else one for one in chosen)
    cut = more or len(by_number) > len(chosen)
    return Page(items, items[-1].task.id if cut and items else None)


def written(item: Item, names: Names) -> Wire:
    """Write a task of whatever way; `names` are those of devices and cameras, by id."""
    match item:
        case Notice():
            return wire.of_notice(item)
        case Overview():
            return household_wire.of_task(item, names)
        case Drawn():
            return of_drawn(item)
        case Pursued():
            return of_pursued(item)
        case Filed(task, view):
            ahead = () if view is None else view.next_runs
            return {
                **wire.of_task(task),
                "zone": item.zone.key,
                "next": iso(ahead[0], item.zone) if ahead else None,
                "document": None if view is None else document_wire.of_document(view),
            }


def filed(app: App, tx: Tx, task: Task) -> Filed:
    """Return a document task as it stands."""
    return Filed(task, app.documents.seen(tx, task.id))


def _seen(app: App, tx: Tx, task: Task, now: datetime) -> Overview | Filed | Drawn | Pursued:
    if task.way is Way.DOCUMENT:
        return filed(app, tx, task)
    if task.way is Way.GRAPH:
        return drawn(app, tx, task)
    if task.way is Way.GOAL:
        return pursued(tx, task)
    return household.overview(tx, app.records, task.id, now)


def _number(task: Task) -> int:
    return int(task.id[1:])
