"""What a task would do: its plan, copied into a home of its own, lived through on a virtual clock.

It is the real rooms that act, over a database nobody else knows; so what is said here is what would happen. The caller
makes that home (`Stage`): devices that are copies, channels that lead nowhere, a clock that moves when it is told to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby
from typing import Any

from zhixing.delivery.operations import Delivery
from zhixing.engine import ledger
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.household.creating import Made
from zhixing.household.doing.model import Step
from zhixing.household.doing.operations import Doing
from zhixing.household.operations import Household
from zhixing.household.plan import HouseholdPlan
from zhixing.household.replaying import WHILE
from zhixing.household.rulebook import fields_of
from zhixing.household.viewing import TaskView
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import TooLarge
from zhixing.kernel.moments import from_micros, parse_instant
from zhixing.store.connection import Store, Tx
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.records.operations import Records
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.rules.model import StoppedBy
from zhixing.tasks.rules.operations import Rules
from zhixing.tasks.task import Task
from zhixing.world.perception.verdict import Verdict

MOST_STEPS = 200_000
"""Instants at which anything happens that are lived through."""
MOST_EVENTS = 20_000
_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Stage:
    """A home of its own, in which nothing has happened yet; `clock` stands at the start."""

    store: Store
    clock: ManualClock
    engine: EmbeddedEngine
    household: Household
    rules: Rules
    records: Records
    doing: Doing
    delivery: Delivery


class What(StrEnum):
    """What kind of thing happened."""

    RULE = "rule"
    """A rule answered; `direction` says to what."""
    JOB = "job"
    """A cron job came."""
    NEAR_MISS = "near_miss"
    """A rule came close."""
    DEVICE = "device"
    """A device was commanded."""
    RECORD = "record"
    """Something was counted, timed or written down."""
    TARGET = "target"
    """A target was reached for the first time in its period."""
    TOLD = "told"
    """Somebody was told something."""
    WAITS = "waits"
    """Something needs the household agent."""
    ENDED = "ended"
    """The task ended."""


_ORDER = (
    What.JOB,
    What.NEAR_MISS,
    What.RULE,
    What.RECORD,
    What.TARGET,
    What.DEVICE,
    What.TOLD,
    What.WAITS,
    What.ENDED,
)
"""What is told first of what happened at one instant: what the others follow from."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; `part` is the id of the real task's rule or job, `data` what belongs to its kind."""

    at: datetime
    what: What
    part: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a task did from `start` until `end`, in order, and how it stood then."""

    task: Task
    slug: str
    start: datetime
    end: datetime
    events: tuple[Event, ...]
    record: RecordView | None
    names: dict[str, str]
    """What the task's rules and jobs are called, by id."""
    unheard: int
    """Verdicts that no rule of the task watches."""


def plan_of(seen: TaskView, start: datetime) -> HouseholdPlan:
    """Return the plan that makes a task anew: without rules that somebody stopped, and without what is over."""
    return HouseholdPlan(
        slug=seen.slug,
        description=seen.task.description or seen.task.title,
        lifecycle=seen.task.lifecycle,
        zone=seen.task.zone,
        record=seen.record,
        jobs=tuple(job.plan for job in seen.jobs if job.plan.when.at is None or job.plan.when.at > start),
        rules=tuple(fields_of(rule.plan) for rule in seen.rules if _acts(rule.stopped_by)),
    )


def start_of(verdicts: Sequence[Verdict], now: datetime) -> datetime:
    """Return where a simulation begins: now, or a while before the first verdict, at a full minute."""
    if not verdicts:
        return now.replace(microsecond=0)
    first = min(verdict.at for verdict in verdicts)
    return (first - WHILE).replace(second=0, microsecond=0)


def simulate(stage: Stage, seen: TaskView, verdicts: Sequence[Verdict], end: datetime) -> Simulated:
    """Make the task in `stage` and let it live until `end`.

    Raises `TooLarge` where that would never end.
    """
    start = stage.clock.now()
    made = stage.household.apply(plan_of(seen, start), who="simulation")
    unheard = _live(stage, verdicts, end)
    with stage.store.read() as tx:
        task = tasks.get(tx, made.task.id)
        events = sorted(_events(stage, tx, made, seen), key=lambda event: (event.at, _ORDER.index(event.what)))
        record = stage.records.find(tx, task.id)
    if len(events) > MOST_EVENTS:
        raise TooLarge("simulation_long", limit=MOST_EVENTS)
    task = replace(task, id=seen.task.id)
    names = {rule.id: rule.plan.name for rule in seen.rules} | {job.id: job.plan.name for job in seen.jobs}
    return Simulated(task, seen.slug, start, end, tuple(events), record, names, unheard)


def _live(stage: Stage, verdicts: Sequence[Verdict], end: datetime) -> int:
    """Let time pass from one instant at which anything happens to the next; return how many verdicts nobody watches."""
    unheard = 0
    clock = stage.clock
    in_order = sorted((one for one in verdicts if one.at <= end), key=lambda verdict: verdict.at)
    coming = [(at, list(group)) for at, group in groupby(in_order, lambda verdict: verdict.at)]
    coming.reverse()
    stage.engine.drain()
    for _ in range(MOST_STEPS):
        due = _next_job(stage)
        said = coming[-1][0] if coming else None
        instants = [at for at in (due, said) if at is not None and at <= end]
        if not instants:
            clock.advance(max(end - clock.now(), timedelta(0)))
            stage.engine.drain()
            return unheard
        at = min(instants)
        clock.advance(max(at - clock.now(), timedelta(0)))
        if said == at:
            unheard += stage.rules.ingest(coming.pop()[1]).unheard
        stage.engine.drain()
    raise TooLarge("simulation_long", limit=MOST_STEPS)


def _next_job(stage: Stage) -> datetime | None:
    with stage.store.read() as tx:
        slots = ledger.pending(tx, None, 1)
    return from_micros(slots[0].ready) if slots else None


def _acts(stopped_by: StoppedBy | None) -> bool:
    return stopped_by in (None, StoppedBy.TASK)


def _events(stage: Stage, tx: Tx, made: Made, seen: TaskView) -> Iterator[Event]:
    names = _Names(made, seen)
    for occurrence in reversed(list(_occurrences(tx, made.task.id))):
        what, part, direction = names.part(occurrence.part)
        data = {"state": occurrence.state.value, "reason": occurrence.reason or ""}
        if direction:
            data["direction"] = direction
        yield Event(occurrence.due, what, part, data)
        for step in stage.doing.steps(tx, [occurrence.id]):
            wanted = list(step.wanted) if isinstance(step.wanted, tuple) else step.wanted
            command = {"did": step.did, "iid": step.iid, "wanted": wanted, "seen": step.seen, "settled": step.at}
            yield Event(step.began_at, What.DEVICE, part, {**command, "state": step.state.value, "why": _why(step)})
        for message in stage.delivery.messages(tx, occurrence.id):
            told = {"channel": message.channel, "text": message.text, "state": message.state.value}
            yield Event(message.settled_at or message.told_at, What.TOLD, part, told)
    for entry in reversed(list(_journal(tx, made.task.id))):
        event = _event_of(entry, names)
        if event is not None:
            yield event


def _event_of(entry: Entry, names: _Names) -> Event | None:
    data = dict(entry.data)
    match entry.kind:
        case Kind.NEAR_MISS:
            _, part, _ = names.part(str(data.pop("part", "")) or f"rule:{data.pop('rule', '')}")
            data.pop("rule", None)
            at = parse_instant(data.pop("at")) if "at" in data else entry.at
            if "since" in data:
                data["since"] = parse_instant(data["since"])
            return Event(at, What.NEAR_MISS, part, {"why": entry.why, **data})
        case Kind.RECORDED | Kind.TARGET_REACHED:
            data.pop("record", None)
            at = parse_instant(data.pop("at"))
            return Event(at, What.RECORD if entry.kind is Kind.RECORDED else What.TARGET, "", data)
        case Kind.AGENT_WAITS:
            return Event(entry.at, What.WAITS, "", {"words": data.get("words", [])})
        case Kind.COMPLETED | Kind.EXPIRED | Kind.DELETED:
            return Event(entry.at, What.ENDED, "", {"status": entry.kind.value, "why": entry.why})
        case _:
            return None


class _Names:
    """The ids of the real task's rules and jobs, which those of the copy stand for."""

    def __init__(self, made: Made, seen: TaskView) -> None:
        rules = [rule for rule in seen.rules if _acts(rule.stopped_by)]
        by_name = {job.plan.name: job.id for job in seen.jobs}
        self._rules = {copy.id: rule.id for copy, rule in zip(made.rules, rules, strict=True)}
        self._jobs = {copy.id: by_name.get(copy.plan.name, copy.id) for copy in made.jobs}

    def part(self, part: str) -> tuple[What, str, str]:
        """Return what a part is, whose it is, and in which direction of a rule."""
        kind, _, rest = part.partition(":")
        identity, _, direction = rest.partition(":")
        if kind == "cron":
            return What.JOB, self._jobs.get(identity, identity), ""
        return What.RULE, self._rules.get(identity, identity), direction


def _occurrences(tx: Tx, task_id: str) -> Iterator[Occurrence]:
    last: Occurrence | None = None
    while True:
        page = occurrences.of_task(tx, task_id, _PAGE, last)
        yield from page
        if len(page) < _PAGE:
            return
        last = page[-1]


def _journal(tx: Tx, task_id: str) -> Iterator[Entry]:
    last: int | None = None
    while True:
        page = journal.of_task(tx, task_id, _PAGE, last)
        yield from page
        if len(page) < _PAGE:
            return
        last = page[-1].seq


def _why(step: Step) -> str:
    return step.why() if step.reason else ""
