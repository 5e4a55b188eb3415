"""Tasks of every way in one list, newest first; each way lists its own, and here they are put together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from zhixing.app import App
from zhixing.household import overview as household
from zhixing.household.overview import Overview
from zhixing.notices import listing
from zhixing.notices.notice import Notice
from zhixing.store.connection import Tx
from zhixing.tasks.task import Status, Task, Way


@dataclass(frozen=True, slots=True)
class Page:
    """Some tasks; `more` is the cursor of the next page, if there is one."""

    items: tuple[Notice | Overview, ...]
    more: str | None


def page(
    app: App,
    tx: Tx,
    now: datetime,
    *,
    statuses: Collection[Status] = (),
    ways: Collection[Way] = (),
    limit: int = 50,
    before: str | None = None,
) -> Page:
    """List notices and household tasks of the given statuses and ways (none given: all), from behind the cursor."""
    notices: tuple[Notice, ...] = ()
    tasks: tuple[Task, ...] = ()
    more = False
    if not ways or Way.NOTICE in ways:
        of_notices = listing.page(tx, statuses=statuses, limit=limit, before=before)
        notices, more = of_notices.notices, of_notices.more is not None
    if not ways or Way.HOUSEHOLD in ways:
        of_household = household.page(tx, statuses=statuses, limit=limit, before=before)
        tasks, more = of_household.tasks, more or of_household.more is not None
    by_number: dict[int, Notice | Task] = {_number(one.task): one for one in notices}
    by_number |= {_number(task): task for task in tasks}
    chosen = [by_number[number] for number in sorted(by_number, reverse=True)[:limit]]
    items = tuple(household.overview(tx, app.records, one.id, now) if isinstance(one, Task) else one for one in chosen)
    cut = more or len(by_number) > len(chosen)
    return Page(items, items[-1].task.id if cut and items else None)


def _number(task: Task) -> int:
    return int(task.id[1:])
