"""What is said and done about tasks that exist: listed, told about, paused, resumed, changed, ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from zhixing.household.assembling.request import Home
from zhixing.household.operations import Household
from zhixing.household.updating.clauses import cleaned
from zhixing.household.updating.operations import Updating
from zhixing.household.viewing import LineKind, Log, TaskView
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.records.model import RecordKind
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.task import Status

MOST_LISTED = 20
"""Tasks named in one answer."""
LOOKED_BACK = timedelta(days=7)
"""How far back the question what happened looks."""

Standing = Callable[[str], RecordView | None]
"""Returns how the record of a task (its id) stands now."""


class Operating:
    """Does it; each operation is a transaction of its own, and doing it again changes nothing more."""

    def __init__(self, household: Household, updating: Updating, standing: Standing) -> None:
        self._household = household
        self._updating = updating
        self._standing = standing

    def operate(self, op: str, targets: tuple[str, ...], text: str, home: Home, *, who: str) -> tuple[str, ...]:
        """Do `op` to the tasks named, and return what to say about it; errors are those of the operations."""
        match op:
            case "list":
                return self._list()
            case "logs":
                return tuple(line for slug in targets for line in self._logs(slug, home.now))
            case "update":
                return tuple(self._updating.change(slug, text, home, who=who).sentence for slug in targets)
            case "disable" | "enable" | "delete":
                return tuple(self._switch(op, slug, who) for slug in targets)
            case _:
                raise ValueError(op)

    def resume(self, op: str, targets: tuple[str, ...], text: str, home: Home, *, who: str) -> tuple[str, ...]:
        """Do what was begun and perhaps done: a change that stands in the books is not made twice."""
        if op != "update":
            return self.operate(op, targets, text, home, who=who)
        done = [slug for slug in targets if self._is_changed(slug, text, home.now)]
        left = tuple(slug for slug in targets if slug not in done)
        said = tuple(
            wording("talking.updated_already", name=self._household.get(slug).task.description) for slug in done
        )
        return (*said, *self.operate(op, left, text, home, who=who))

    def _is_changed(self, slug: str, text: str, since: datetime) -> bool:
        latest = next(iter(self._household.revisions(slug)), None)
        return latest is not None and latest.at >= since and latest.why == cleaned(text)

    def _switch(self, op: str, slug: str, who: str) -> str:
        try:
            before = self._household.get(slug)
        except NotFound:
            return wording("talking.deleted_already", name=slug)
        name = before.task.description
        if op == "delete":
            self._household.delete(slug, who=who, reason="abandoned", why="said")
            return wording("talking.deleted", name=name)
        switch = self._household.disable if op == "disable" else self._household.enable
        news = switch(slug, who=who).news
        return wording(f"talking.{op}d" if news else f"talking.{op}d_already", name=name)

    def _list(self) -> tuple[str, ...]:
        views = self._household.list()
        if not views:
            return (wording("talking.no_task"),)
        lines = [wording("talking.listed", count=len(views)), *map(_line, views[:MOST_LISTED])]
        if len(views) > MOST_LISTED:
            lines.append(wording("talking.listed_more", count=len(views) - MOST_LISTED))
        return tuple(lines)

    def _logs(self, slug: str, now: datetime) -> tuple[str, ...]:
        view = self._household.get(slug)
        log = self._household.logs(slug, since=now - LOOKED_BACK, limit=1)
        record = self._standing(view.task.id)
        standing = () if record is None else (_standing(view, record),)
        return (*standing, _happened(view, log))


def _line(view: TaskView) -> str:
    paused = wording("talking.paused_mark") if view.task.status is Status.PAUSED else ""
    return wording("talking.listed_task", name=view.task.description, slug=view.slug, paused=paused)


def _standing(view: TaskView, record: RecordView) -> str:
    content = record.record.content
    name, window = view.task.description, record.standing.period.window.value
    match record.kind:
        case RecordKind.PROGRESS:
            amount = wording(
                "talking.so_many_of", current=record.standing.current, target=content.target, unit=content.unit
            )
        case RecordKind.DURATION:
            key = "so_long" if content.target is None else "so_long_of"
            amount = wording(f"talking.{key}", minutes=record.minutes, target=content.target)
        case RecordKind.EVENT:
            return wording("talking.events", name=name, today=record.count_today, count=record.standing.current)
    return wording("talking.stands", name=name, window=wording(f"talking.window_{window}"), amount=amount)


def _happened(view: TaskView, log: Log) -> str:
    name, zone = view.task.description, find_zone(view.task.zone)
    count = sum(number for state, number in log.counts.items() if state is OccurrenceState.DONE)
    last = next((line.at for line in log.lines if line.kind is LineKind.OCCURRENCE), None)
    if not log.counts:
        return wording("talking.nothing_happened", name=name, days=LOOKED_BACK.days)
    when = "" if last is None else wording("talking.last_time", when=_moment(last.astimezone(zone)))
    return wording("talking.happened", name=name, days=LOOKED_BACK.days, count=count, last=when)


def _moment(at: datetime) -> str:
    return f"{at.month}月{at.day}日 {at.hour}:{at.minute:02}"
