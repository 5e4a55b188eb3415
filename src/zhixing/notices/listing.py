"""Lists of notices for faces to show: bounded, newest first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice, takewhile

from zhixing.kernel.errors import BadInput
from zhixing.notices import store
from zhixing.notices.notice import Notice, NoticeState, Reminder
from zhixing.notices.series import MOST_AHEAD
from zhixing.store.connection import Tx
from zhixing.tasks.searching import having
from zhixing.tasks.task import Status

LARGEST_PAGE = 200
"""Notices a list gives at most at once."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some notices, newest first; `more` is the cursor of the next page, if there is one."""

    notices: tuple[Notice, ...]
    more: str | None


def page(
    tx: Tx,
    *,
    statuses: Collection[Status] = (),
    states: Collection[NoticeState] = (),
    words: str = "",
    limit: int = 50,
    before: str | None = None,
) -> Page:
    """List notices of the given statuses and states (none given: all), newest first, from behind the cursor.

    With `words` only those that have all of them in their title, or in what was said.
    """
    where, params = ["1 = 1"], list[object]()
    for column, values in (("tasks.status", statuses), ("notices.state", states)):
        if values:
            where.append(f"{column} IN ({', '.join('?' * len(values))})")
            params.extend(str(value) for value in values)
    said, sought = having(words, "tasks.title", "notices.words")
    where, params = where + said, params + sought
    if before is not None:
        where.append("tasks.number < ?")
        params.append(_number(before))
    return _page(tx, " AND ".join(where), params, limit)


def to_do(tx: Tx, limit: int = 50) -> Page:
    """List what is to be done and will not be told (any more): to-dos, and whatever was told and is not completed."""
    planned = "SELECT 1 FROM reminders WHERE reminders.task_id = tasks.id AND reminders.state = 'planned'"
    repeats = "SELECT 1 FROM schedules WHERE schedules.task_id = tasks.id AND schedules.state IN ('active', 'waiting')"
    where = (
        "tasks.status = 'active' AND notices.state IN ('no_reminder', 'scheduled')"
        f" AND NOT EXISTS ({planned}) AND NOT EXISTS ({repeats})"
    )
    return _page(tx, where, (), limit)


def within(notice: Notice, start: datetime, end: datetime) -> tuple[Reminder, ...]:
    """Return what an active notice will tell in [start, end), in order."""
    if not notice.task.active:
        return ()
    ahead = [reminder for reminder in notice.planned if reminder.number and start <= reminder.at < end]
    if notice.series is not None:
        coming = takewhile(lambda at: at < end, notice.series.ahead(start - timedelta(microseconds=1)))
        ahead += [notice.of_series(notice.series, at) for at in islice(coming, MOST_AHEAD)]
    return tuple(sorted(ahead, key=lambda reminder: reminder.at))


def _page(tx: Tx, where: str, params: Collection[object], limit: int) -> Page:
    limit = max(1, min(limit, LARGEST_PAGE))
    rows = tx.rows(
        "SELECT tasks.id FROM tasks JOIN notices ON notices.task_id = tasks.id"
        f" WHERE {where} ORDER BY tasks.number DESC LIMIT ?",
        (*params, limit + 1),
    )
    notices = tuple(store.get(tx, str(row[0])) for row in rows[:limit])
    return Page(notices, notices[-1].task.id if len(rows) > limit else None)


def _number(task_id: str) -> int:
    digits = task_id.removeprefix("t")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise BadInput("cursor_unreadable", text=task_id[:64])
    return int(digits)
