"""What a task of whatever way will do, instant by instant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice, takewhile

from zhixing.app import App
from zhixing.faces import wire
from zhixing.faces.cli.house import House
from zhixing.faces.rule_words import single_line
from zhixing.faces.wire import Wire
from zhixing.household.overview import SeenJob, overview
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import listing
from zhixing.notices.explaining import reasons_text
from zhixing.tasks.schedule.model import ScheduleState
from zhixing.tasks.schedule.next import instants
from zhixing.tasks.task import Task, Way

MOST = 2_000
"""Instants of one schedule that are looked at."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """One instant, in words and for programs."""

    at: datetime
    says: str
    wire: Wire


def coming_of(home: House, task: Task, end: datetime) -> list[Ahead]:
    """Return what a task will do before `end`, in order. What follows from what cameras or the hub see nobody knows."""
    return ahead_of(home.app, task, end)


def ahead_of(app: App, task: Task, end: datetime, most: int = MOST) -> list[Ahead]:
    """Return the same for a home that is open already; of each schedule at most so many."""
    now, zone = app.clock.now(), find_zone(task.zone)
    if task.way is Way.DOCUMENT:
        with app.store.read() as tx:
            view = app.documents.seen(tx, task.id)
        if view is None or not view.next_runs:
            return []
        later = takewhile(lambda at: at < end, app.documents.next_runs(view, most))
        return [Ahead(at, view.title, {"at": iso(at, zone), "title": view.title}) for at in later]
    if task.way in {Way.GRAPH, Way.GOAL}:
        return []
    if task.way is not Way.HOUSEHOLD:
        notice = app.notices.get(task.id)
        return [
            Ahead(one.at, reasons_text(one.reason), wire.of_reminder(one, zone))
            for one in listing.within(notice, now, end)
        ]
    ahead = [
        Ahead(at, single_line(job.job.plan.name), {"job": job.job.id, "at": iso(at, zone), "name": job.job.plan.name})
        for job in _jobs(app, task.id, now)
        for at in _instants(job, now, end, most)
    ]
    return sorted(ahead, key=lambda one: one.at)


def _jobs(app: App, task_id: str, now: datetime) -> tuple[SeenJob, ...]:
    with app.store.read() as tx:
        return overview(tx, app.records, task_id, now).jobs


def _instants(job: SeenJob, now: datetime, end: datetime, most: int) -> list[datetime]:
    schedule = job.schedule
    if schedule is None or schedule.state is not ScheduleState.ACTIVE:
        return []
    after = instants(schedule.trigger, find_zone(schedule.zone), max(schedule.settled, now))
    return list(takewhile(lambda at: at < end, islice(after, most)))
