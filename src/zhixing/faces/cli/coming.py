"""What a task of whatever way will do, instant by instant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice, takewhile

from zhixing.faces import wire
from zhixing.faces.cli.house import House
from zhixing.faces.cli.household_tasks import see
from zhixing.faces.rule_words import single_line
from zhixing.faces.wire import Wire
from zhixing.household.overview import SeenJob
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
    now, zone = home.app.clock.now(), find_zone(task.zone)
    if task.way is Way.DOCUMENT:
        with home.app.store.read() as tx:
            view = home.app.documents.seen(tx, task.id)
        if view is None or not view.next_runs:
            return []
        later = takewhile(lambda at: at < end, home.app.documents.next_runs(view, MOST))
        return [Ahead(at, view.title, {"at": iso(at, zone), "title": view.title}) for at in later]
    if task.way in {Way.GRAPH, Way.GOAL}:
        return []
    if task.way is not Way.HOUSEHOLD:
        notice = home.app.notices.get(task.id)
        return [
            Ahead(one.at, reasons_text(one.reason), wire.of_reminder(one, zone))
            for one in listing.within(notice, now, end)
        ]
    ahead = [
        Ahead(at, single_line(job.job.plan.name), {"job": job.job.id, "at": iso(at, zone), "name": job.job.plan.name})
        for job in see(home, task.id).jobs
        for at in _instants(job, now, end)
    ]
    return sorted(ahead, key=lambda one: one.at)


def _instants(job: SeenJob, now: datetime, end: datetime) -> list[datetime]:
    schedule = job.schedule
    if schedule is None or schedule.state is not ScheduleState.ACTIVE:
        return []
    after = instants(schedule.trigger, find_zone(schedule.zone), max(schedule.settled, now))
    return list(takewhile(lambda at: at < end, islice(after, MOST)))
