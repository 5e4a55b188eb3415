"""Household tasks as others see them: with their rules and jobs, with their record, and with what happened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import Any

import msgspec

from zhixing.household import job_rows, registry
from zhixing.household.job_rows import Job
from zhixing.household.registry import Named
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.records import store as records
from zhixing.tasks.records.model import Content
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.model import Direction, Rule
from zhixing.tasks.task import Status, Task

LARGEST_LOG = 500
"""Lines of a log given at most at once."""


@dataclass(frozen=True, slots=True)
class TaskView:
    """A household task with all it consists of: enough to judge whether another one would do the same."""

    slug: str
    task: Task
    paused_at: datetime | None
    rules: tuple[Rule, ...]
    jobs: tuple[Job, ...]
    record: Content | None


@dataclass(frozen=True, slots=True)
class Brief:
    """A household task as words may mean it: what it is for, and the names of its rules."""

    slug: str
    description: str
    active: bool
    rules: tuple[str, ...]


class LineKind(StrEnum):
    """What a line of a log is."""

    OCCURRENCE = "occurrence"
    """Something that was due or happened."""
    NEAR_MISS = "near_miss"
    """Something that came close and did not happen."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing in the log of a task: of a rule in a direction, of a job, or of another part.

    `name` is what the rule or the job is called now, or was called last. `why` is a reason code or a sentence.
    """

    at: datetime
    kind: LineKind
    part: str
    name: str
    rule_id: str | None = None
    direction: Direction | None = None
    job_id: str | None = None
    occurrence: Occurrence | None = None
    why: str = ""
    data: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """What happened to a task since an instant, the latest first; `counts` has what is not in `lines`, too."""

    slug: str
    since: datetime | None
    lines: tuple[LogLine, ...]
    counts: dict[OccurrenceState, int]
    near_misses: int


def view(tx: Tx, named: Named) -> TaskView:
    """Return a task with its parts."""
    task_id = named.task.id
    record = records.find(tx, task_id)
    return TaskView(
        slug=named.slug,
        task=named.task,
        paused_at=named.paused_at,
        rules=tuple(rules.of_task(tx, task_id)),
        jobs=tuple(job_rows.of_task(tx, task_id)),
        record=None if record is None else record.content,
    )


def views(tx: Tx) -> list[TaskView]:
    """Return all living tasks, the newest first."""
    return [view(tx, named) for named in registry.living(tx)]


def briefs(tx: Tx) -> list[Brief]:
    """Return all living tasks, the newest first, in one look: every sentence about the home needs them."""
    rows = tx.rows(
        "SELECT household_tasks.slug, tasks.description, tasks.status, rules.name FROM household_tasks"
        " JOIN tasks ON tasks.id = household_tasks.task_id LEFT JOIN rules ON rules.task_id = tasks.id"
        " WHERE household_tasks.living = 1 ORDER BY tasks.number DESC, rules.number"
    )
    return [
        Brief(slug, description, status == Status.ACTIVE.value, tuple(row[3] for row in of_it if row[3] is not None))
        for (slug, description, status), of_it in groupby(rows, lambda row: (row[0], row[1], row[2]))
    ]


def log(tx: Tx, slug: str, task_id: str, since: datetime | None, limit: int) -> Log:
    """Return what happened to a task; asking does not change what the next one who asks gets."""
    limit = max(1, min(limit, LARGEST_LOG))
    start = 0 if since is None else micros(since)
    names = _Names(tx, task_id)
    lines = [
        _of_occurrence(names, one)
        for one in occurrences.of_task(tx, task_id, limit)
        if since is None or one.due >= since
    ]
    lines += [_of_entry(names, entry) for entry in _near_misses(tx, task_id, start, limit)]
    lines.sort(key=lambda line: line.at, reverse=True)
    counts = tx.rows(
        "SELECT state, sum(count) FROM occurrences WHERE task_id = ? AND due >= ? GROUP BY state", (task_id, start)
    )
    missed = tx.row(
        "SELECT count(*) FROM journal WHERE task_id = ? AND kind = ? AND at >= ?",
        (task_id, Kind.NEAR_MISS.value, start),
    )
    return Log(
        slug,
        since,
        tuple(lines[:limit]),
        {OccurrenceState(state): int(number) for state, number in counts},
        0 if missed is None else int(missed[0]),
    )


class _Names:
    """The names of a task's rules and jobs, each looked up once."""

    def __init__(self, tx: Tx, task_id: str) -> None:
        self._tx = tx
        self._rules = {rule.id: rule.plan.name for rule in rules.of_task(tx, task_id)}
        self._jobs = {job.id: job.plan.name for job in job_rows.of_task(tx, task_id)}

    def line(self, at: datetime, kind: LineKind, part: str, **rest: Any) -> LogLine:
        """Return a line about a part."""
        which, _, tail = part.partition(":")
        if which == "rule":
            rule_id, _, direction = tail.partition(":")
            found = Direction(direction) if direction in set(Direction) else None
            return LogLine(at, kind, part, self._rule(rule_id), rule_id=rule_id, direction=found, **rest)
        if which == "cron":
            return LogLine(at, kind, part, self._job(tail), job_id=tail, **rest)
        return LogLine(at, kind, part, "", **rest)

    def _rule(self, rule_id: str) -> str:
        if rule_id not in self._rules:
            found = rules.find(self._tx, rule_id)
            self._rules[rule_id] = "" if found is None else found.plan.name
        return self._rules[rule_id]

    def _job(self, job_id: str) -> str:
        if job_id not in self._jobs:
            found = job_rows.find(self._tx, job_id)
            self._jobs[job_id] = "" if found is None else found.plan.name
        return self._jobs[job_id]


def _of_occurrence(names: _Names, one: Occurrence) -> LogLine:
    return names.line(one.due, LineKind.OCCURRENCE, one.part, occurrence=one, why=one.reason or "")


def _of_entry(names: _Names, entry: Entry) -> LogLine:
    data = dict(entry.data)
    part = data.get("part") or (f"rule:{data['rule']}" if "rule" in data else "")
    return names.line(entry.at, LineKind.NEAR_MISS, str(part), why=entry.why, data=data)


def _near_misses(tx: Tx, task_id: str, start: int, limit: int) -> list[Entry]:
    rows = tx.rows(
        "SELECT seq, task_id, at, kind, who, why, data FROM journal WHERE task_id = ? AND kind = ? AND at >= ?"
        " ORDER BY seq DESC LIMIT ?",
        (task_id, Kind.NEAR_MISS.value, start, limit),
    )
    return [
        Entry(seq, task, from_micros(at), Kind(kind), who, why, msgspec.json.decode(data))
        for seq, task, at, kind, who, why, data in rows
    ]
