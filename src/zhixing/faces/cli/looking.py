"""list, show, preview: what there is, and what will come of it. Nothing here changes anything."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

from cyclopts import Parameter

from zhixing.faces import wire
from zhixing.faces.cli.house import house
from zhixing.faces.cli.layout import table
from zhixing.faces.cli.options import AtDesk, Json, Limit, task_id, within
from zhixing.faces.cli.pages import INDENT, heading, kept_page, notice_page, notice_row
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices import listing
from zhixing.notices import store as notices
from zhixing.notices.explaining import reasons_text
from zhixing.notices.notice import NoticeState
from zhixing.notices.telling import moment_text
from zhixing.tasks import journal, occurrences
from zhixing.tasks.task import Status

LONGEST_PREVIEW = 3_660
"""Days."""

_OPEN = (Status.ACTIVE, Status.PAUSED)

All = Annotated[bool, Parameter(name="--all", negative=())]
OfStatus = Annotated[Literal["active", "paused", "completed", "expired", "deleted"] | None, Parameter(name="--status")]
OfState = Annotated[
    Literal["received", "note", "needs_confirmation", "pending_ai", "scheduled", "no_reminder", "retryable_failure"]
    | None,
    Parameter(name="--state"),
]
Before = Annotated[str | None, Parameter(name="--before")]
Days = Annotated[int, Parameter(name="--days")]


def list_(
    *,
    every: All = False,
    status: OfStatus = None,
    state: OfState = None,
    limit: Limit = 50,
    before: Before = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """List tasks, the newest first; those that have ended only when asked for."""
    within("--limit", limit, 1, listing.LARGEST_PAGE)
    statuses = [Status(status)] if status else [] if every or state else _OPEN
    states = [NoticeState(state)] if state else []
    cursor = None if before is None else task_id(before)
    with house(desk) as home, home.app.store.read() as tx:
        page = listing.page(tx, statuses=statuses, states=states, limit=limit, before=cursor)
    if as_json:
        desk.give({"tasks": [wire.of_notice(notice) for notice in page.notices], "more": page.more})
        return
    now = desk.clock.now()
    desk.say(*table([notice_row(notice, now) for notice in page.notices], desk.width))
    if page.more is not None:
        desk.say(wording("cli.list_more", before=page.more))
    if not page.notices:
        chosen = every or status or state or before
        desk.say(wording("cli.list_nothing" if chosen else "cli.list_empty"))


def show(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show everything about a task."""
    with house(desk) as home, home.app.store.read() as tx:
        notice = notices.get(tx, task_id(task))
        happened = occurrences.of_task(tx, notice.task.id)
        entries = journal.of_task(tx, notice.task.id)
    zone = find_zone(notice.task.zone)
    written = wire.of_notice(notice)
    written["occurrences"] = [wire.of_occurrence(one, zone) for one in happened]
    written["journal"] = [wire.of_entry(entry, zone) for entry in reversed(entries)]
    desk.answer(written, kept_page(notice, happened, entries, desk.clock.now()), as_json=as_json)


def preview(task: str, /, *, days: Days = 30, as_json: Json = False, desk: AtDesk) -> None:
    """Show when a task will remind within the next days."""
    within("--days", days, 1, LONGEST_PREVIEW)
    with house(desk) as home:
        notice, now = home.app.notices.get(task_id(task)), desk.clock.now()
        coming = listing.within(notice, now, now + timedelta(days=days))
        zone = find_zone(notice.task.zone)
        if as_json:
            reminders = [wire.of_reminder(reminder, zone) for reminder in coming]
            desk.give({"task": notice.task.id, "zone": notice.task.zone, "reminders": reminders})
            return
        key = "cli.preview" if coming else "cli.preview_nothing"
        desk.say(wording(key, task=heading(notice.task), days=days, count=len(coming)))
        today = now.astimezone(zone).date()
        desk.lay_out([[INDENT + moment_text(one.at, today, zone), reasons_text(one.reason)] for one in coming])
        desk.say(*(home.notes() if coming else notice_page(notice, now)[1:]))
