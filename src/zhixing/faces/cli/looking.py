"""list, show, preview: what there is, and what will come of it. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from zhixing.faces import document_words, everything, household_wire, wire
from zhixing.faces.cli import household_pages
from zhixing.faces.cli.coming import coming_of
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.household_pages import task_row
from zhixing.faces.cli.household_tasks import filed_lines, see
from zhixing.faces.cli.layout import table
from zhixing.faces.cli.options import AtDesk, Json, Limit, task_id, within
from zhixing.faces.cli.pages import INDENT, NOTHING, heading, kept_page, notice_page, notice_row
from zhixing.faces.cli.proposal_pages import show_proposal
from zhixing.faces.cli.rule_tasks import rule_of, rule_page
from zhixing.faces.drawn import Drawn, of_drawn
from zhixing.faces.everything import Filed, Item
from zhixing.faces.goal_task_words import Pursued, goal_page, of_pursuit, see_pursuit, status_words
from zhixing.faces.proposal_wire import is_proposal, proposal_id
from zhixing.household import viewing
from zhixing.household.overview import Overview
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices import listing
from zhixing.notices.notice import Notice, NoticeState
from zhixing.notices.telling import moment_text
from zhixing.store.connection import Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks.task import Status, Way

LONGEST_PREVIEW = 3_660
"""Days."""
_SHOWN = 10
"""Lines of the log of a household task that are shown."""

_OPEN = (Status.ACTIVE, Status.PAUSED)

All = Annotated[bool, Parameter(name="--all", negative=())]
OfStatus = Annotated[Literal["active", "paused", "completed", "expired", "deleted"] | None, Parameter(name="--status")]
OfState = Annotated[
    Literal["received", "note", "needs_confirmation", "pending_ai", "scheduled", "no_reminder", "retryable_failure"]
    | None,
    Parameter(name="--state"),
]
OfWay = Annotated[Literal["notice", "household", "document", "graph", "goal"] | None, Parameter(name="--way")]
Before = Annotated[str | None, Parameter(name="--before")]
Days = Annotated[int, Parameter(name="--days")]


def list_(
    *,
    every: All = False,
    status: OfStatus = None,
    state: OfState = None,
    way: OfWay = None,
    limit: Limit = 50,
    before: Before = None,
    as_json: Json = False,
    desk: AtDesk,
) -> None:
    """List tasks of all ways, the newest first; those that have ended only when asked for."""
    within("--limit", limit, 1, listing.LARGEST_PAGE)
    statuses = [Status(status)] if status else [] if every or state else _OPEN
    cursor = None if before is None else task_id(before)
    now = desk.clock.now()
    with house(desk) as home:
        with home.app.store.read() as tx:
            page = _page(home, tx, statuses, state, way, limit=limit, before=cursor)
        names = home.names() if as_json else {}
    if as_json:
        desk.give({"tasks": [everything.written(one, names) for one in page.items], "more": page.more})
        return
    desk.say(*table([_row(one, now) for one in page.items], desk.width))
    if page.more is not None:
        desk.say(wording("cli.list_more", before=page.more))
    if not page.items:
        chosen = every or status or state or way or before
        desk.say(wording("cli.list_nothing" if chosen else "cli.list_empty"))


def _page(
    home: House, tx: Tx, statuses: Sequence[Status], state: str | None, way: str | None, **which: Any
) -> everything.Page:
    """List what was asked for: only notices have a state."""
    if state is None:
        ways = [Way(way)] if way else []
        return everything.page(home.app, tx, home.app.clock.now(), statuses=statuses, ways=ways, **which)
    if way not in (None, Way.NOTICE):
        return everything.Page((), None)
    found = listing.page(tx, statuses=statuses, states=[NoticeState(state)], **which)
    return everything.Page(found.notices, found.more)


def _row(item: Item, now: datetime) -> list[str]:
    match item:
        case Notice():
            return notice_row(item, now)
        case Overview():
            return task_row(item, now)
        case Filed():
            return _document_row(item, now)
        case Drawn(task):
            return [task.id, wording(f"tasks.status_{task.status.value}"), NOTHING, task.title]
        case Pursued(task):
            return [task.id, status_words(item), NOTHING, task.title]


def _document_row(filed: Filed, now: datetime) -> list[str]:
    """Return the row of a document task in a list: number, state, what comes next, title."""
    task, view = filed.task, filed.view
    if view is None:
        return [task.id, wording(f"tasks.status_{task.status.value}"), NOTHING, task.title]
    zone = filed.zone
    coming = moment_text(view.next_runs[0], now.astimezone(zone).date(), zone) if view.next_runs else NOTHING
    return [task.id, document_words.status_words(view), coming, task.title]


def show(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show everything about a task."""
    with house(desk) as home:
        if is_proposal(task) and not home.has_task(task):
            show_proposal(home.app.proposals.show(proposal_id(task)), home, desk, as_json=as_json)
            return
        with home.app.store.read() as tx:
            found = home.task(tx, task)
            happened = occurrences.of_task(tx, found.id)
            entries = journal.of_task(tx, found.id)
            log = viewing.log(tx, "", found.id, None, _SHOWN)
        zone, now = find_zone(found.zone), desk.clock.now()
        if found.way is Way.HOUSEHOLD:
            seen, names = see(home, found.id), home.names()
            written = household_wire.of_task(seen, names)
            lines = household_pages.kept_page(seen, names, log.lines, entries, now)
        elif found.way is Way.DOCUMENT:
            with home.app.store.read() as tx:
                filed = everything.filed(home.app, tx, found)
            written, lines, zone = everything.written(filed, {}), filed_lines(filed), filed.zone
        elif found.way is Way.GRAPH:
            ruled = rule_of(home, found)
            written, lines = of_drawn(ruled.drawn, ruled), rule_page(ruled, entries, now)
        elif found.way is Way.GOAL:
            with home.app.store.read() as tx:
                pursuit = see_pursuit(tx, found)
            written, lines = of_pursuit(pursuit), [heading(found), *(INDENT + line for line in goal_page(pursuit, now))]
        else:
            notice = home.app.notices.get(found.id)
            written, lines = wire.of_notice(notice), kept_page(notice, happened, entries, now)
    written["occurrences"] = [wire.of_occurrence(one, zone) for one in happened]
    written["journal"] = [wire.of_entry(entry, zone) for entry in reversed(entries)]
    desk.answer(written, lines, as_json=as_json)


def preview(task: str, /, *, days: Days = 30, as_json: Json = False, desk: AtDesk) -> None:
    """Show when a task will act within the next days."""
    within("--days", days, 1, LONGEST_PREVIEW)
    with house(desk) as home:
        with home.app.store.read() as tx:
            found = home.task(tx, task)
        now = desk.clock.now()
        zone = find_zone(found.zone)
        coming = coming_of(home, found, now + timedelta(days=days))
        if as_json:
            reminders = [one.wire for one in coming]
            desk.give({"task": found.id, "zone": found.zone, "reminders": reminders})
            return
        key = "cli.preview" if coming else "cli.preview_nothing"
        desk.say(wording(key, task=heading(found), days=days, count=len(coming)))
        today = now.astimezone(zone).date()
        desk.lay_out([[INDENT + moment_text(one.at, today, zone), one.says] for one in coming])
        if coming:
            desk.say(*home.notes())
        elif found.way is Way.NOTICE:
            desk.say(*notice_page(home.app.notices.get(found.id), now)[1:])
