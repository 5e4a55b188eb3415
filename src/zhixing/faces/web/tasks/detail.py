"""One task with everything that is known of it, read and worded for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from urllib.parse import quote

from zhixing.app import App
from zhixing.faces.cli.coming import Ahead, ahead_of
from zhixing.faces.household_words import entries_of, record_text
from zhixing.faces.web.tasks.charts import Bars, Cell, bars, heat
from zhixing.faces.web.tasks.happened import Moment, Stretch, Teller
from zhixing.faces.web.tasks.listing import status_kind, status_text
from zhixing.faces.web.today.household import ShownTask, shown_task
from zhixing.faces.web.today.views import Shown, shown_notice
from zhixing.goals.keeping.viewing import status_of
from zhixing.household import job_rows, registry
from zhixing.household.sight import names_of
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import Language, wording
from zhixing.notices.asking import day_label
from zhixing.notices.telling import moment_text
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.records.model import RecordKind, Window
from zhixing.tasks.records.periods import last_day, period_at
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.rules import store as rules
from zhixing.tasks.task import Status, Task, Way

DAYS = 30
"""Of the preview, and of the bars."""
NEXT = 10
_FURTHEST = timedelta(days=3660)
_MOST_AHEAD = 800
"""Instants of one schedule that the preview has."""
_MOST_A_DAY = 12
_OPEN = (Status.ACTIVE, Status.PAUSED)
_MINUTE = 60_000_000


@dataclass(frozen=True, slots=True)
class Recorded:
    """A record, in words and drawn. `value` of `most` is the present period, where it has a target."""

    text: str
    value: int
    most: int
    period: str
    bars: Bars
    unit: str
    heat: tuple[Cell, ...]
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """What comes on one day; `more` is how many there are beside those that are named."""

    label: str
    times: tuple[str, ...]
    says: str
    more: int


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks: why it was as it was at one moment, and how far back the lists go."""

    at: str = ""
    older: str = ""
    earlier: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """All of it."""

    task: Task
    way: str
    state: str
    kind: str
    created: str
    elsewhere: str
    """The address of the page of what it stands for, a rule or a goal; "" where there is none."""
    deeds: tuple[str, ...]
    """What can be done, the usual first; the last is the one that takes it out of sight."""
    shown: Shown | None
    """A notice."""
    running: ShownTask | None
    """A task of another way."""
    words: str
    next: tuple[tuple[str, str], ...]
    preview: tuple[Day, ...]
    preview_count: int
    record: Recorded | None
    occurrences: Stretch
    journal: Stretch
    revisions: tuple[Moment, ...]
    why: tuple[Moment, ...]
    why_before: tuple[Moment, ...]
    """What was due last before the moment that was asked for."""
    asked_at: str


def see(app: App, task_id: str, asked: Question, language: Language) -> Detail:
    """Return everything about a task. Raises `NotFound`, and `BadInput` for a moment or a cursor that is none."""
    now = app.clock.now()
    with app.store.read() as tx:
        task = tasks.get(tx, task_id)
    running = shown_task(app, task_id, now)
    ahead = _ahead(app, task, now)
    devices = names_of(app.hub) if task.way is Way.HOUSEHOLD else {}
    with app.store.read() as tx:
        # What was read before was another transaction: the task may have changed meanwhile.
        task = tasks.get(tx, task_id)
        teller = Teller(app, task, now, language, {**devices, **_parts(tx, task)})
        at = None if not asked.at else teller.moment(asked.at)
        changed = teller.revisions(tx) if task.way is Way.HOUSEHOLD else ()
        record = app.records.find(tx, task_id)
        soon = [one for one in ahead if one.at < now + timedelta(days=DAYS)]
        return Detail(
            task,
            wording(f"tasks.way_{task.way.value}", language),
            status_text(task.status, language),
            status_kind(task.status),
            teller.when(task.created_at),
            _elsewhere(app, tx, task),
            _deeds(task, can_undo=bool(changed) and registry.slug_of(tx, task_id) is not None),
            shown_notice(tx, task_id, now) if task.way is Way.NOTICE else None,
            running,
            "" if task.way in (Way.NOTICE, Way.GRAPH, Way.GOAL) else task.description,
            tuple((teller.when(one.at), one.says) for one in ahead[:NEXT]),
            tuple(_days(soon, task, now)),
            len(soon),
            None if record is None else _recorded(app, tx, record, language),
            teller.occurrences(tx, asked.older),
            teller.journal(tx, asked.earlier),
            changed,
            () if at is None else teller.around(tx, at, ahead),
            () if at is None else teller.before(tx, at),
            "" if at is None else moment_text(at, now.astimezone(teller.zone).date(), teller.zone),
        )


def _ahead(app: App, task: Task, now: datetime) -> list[Ahead]:
    """Return what comes in the days of the preview, and further where that is not enough to name the next times."""
    if not task.active:
        return []
    near = ahead_of(app, task, now + timedelta(days=DAYS), _MOST_AHEAD)
    return near if len(near) >= NEXT else ahead_of(app, task, now + _FURTHEST, NEXT)


def _parts(tx: Tx, task: Task) -> dict[str, str]:
    """Return the names of the rules and jobs of a household task, by id."""
    if task.way is not Way.HOUSEHOLD:
        return {}
    names = {rule.id: rule.plan.name for rule in rules.of_task(tx, task.id)}
    return names | {job.id: job.plan.name for job in job_rows.of_task(tx, task.id)}


def _elsewhere(app: App, tx: Tx, task: Task) -> str:
    if task.way is Way.GRAPH:
        linked = app.rule_graphs.following.linked(tx, task.id)
        return "" if linked is None else f"/graphs/{quote(linked.graph_id, safe='')}"
    goal = status_of(tx, task.id) if task.way is Way.GOAL else None
    return "" if goal is None else f"/goals/{quote(goal[0], safe='')}"


def _deeds(task: Task, *, can_undo: bool) -> tuple[str, ...]:
    found: list[str] = []
    if task.status in _OPEN:
        found.append("done")
        if task.way is not Way.GOAL:
            found.append("pause" if task.active else "resume")
        found += ["undo"] if can_undo else []
        found.append("delete")
    elif task.way is not Way.GOAL:
        found.append("restore")
    return tuple(found)


def _days(ahead: Sequence[Ahead], task: Task, now: datetime) -> list[Day]:
    zone = find_zone(task.zone)
    today = now.astimezone(zone).date()

    def day_of(one: Ahead) -> date:
        return one.at.astimezone(zone).date()

    found = []
    for day, group in groupby(ahead, day_of):
        ones = list(group)
        times = tuple(f"{one.at.astimezone(zone):%H:%M}" for one in ones[:_MOST_A_DAY])
        says = " · ".join(dict.fromkeys(one.says for one in ones[:_MOST_A_DAY]))
        found.append(Day(day_label(day, today), times, says, len(ones) - len(times)))
    return found


def _recorded(app: App, tx: Tx, view: RecordView, language: Language) -> Recorded:
    record, content = view.record, view.record.content
    zone = find_zone(record.zone)
    today = period_at(view.now, Window.DAY, zone).day
    amounts = app.records.by_day(tx, record.task_id, today - timedelta(days=DAYS - 1), today)
    timed = view.kind is RecordKind.DURATION
    if timed:
        amounts = {day: amount // _MINUTE for day, amount in amounts.items()}
    daily = content.target if content.rhythm is Window.DAY else None
    period = view.standing.period
    end = last_day(period)
    unit = (
        wording("web_tasks.unit_minutes", language)
        if timed
        else content.unit or wording("web_tasks.unit_times", language)
    )
    return Recorded(
        record_text(view),
        view.minutes if timed else view.standing.current,
        content.target or 0,
        "" if end is None else f"{period.day} – {end}" if end != period.day else str(period.day),
        bars(amounts, today, DAYS, daily),
        unit,
        heat((entry.at for entry in view.entries), zone),
        tuple(entries_of(view, view.now)[-20:][::-1]),
    )
