"""Changes of a household task, each one revision, and taking back the latest: inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from zhixing.household import job_rows, revisions
from zhixing.household.carrying import read_job_state, write_job
from zhixing.household.creating import add_record, add_rule, settle_end
from zhixing.household.job_rows import Job
from zhixing.household.jobs import JobPlan
from zhixing.household.parts import Parts
from zhixing.household.plan import check_target
from zhixing.household.revisions import Change, Json, Kind, Revision
from zhixing.household.rule_reading import read_fields
from zhixing.household.rulebook import RuleFields, fields_of, make_plan, write_rule
from zhixing.household.sessions import let_go
from zhixing.kernel.errors import BadInput, Conflict
from zhixing.kernel.moments import parse_instant
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks_store
from zhixing.tasks.records import store as records
from zhixing.tasks.records.content import read_content, write_content
from zhixing.tasks.records.model import Content
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.model import Plan, Rule, StoppedBy

_LIFECYCLE, _DESCRIPTION, _RECORD = "lifecycle", "description", "record"


@dataclass(frozen=True, slots=True)
class Ends:
    """When a task is to end by itself; None: never."""

    at: datetime | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be changed about a task at once: its words, settings of its record, fields of its rules.

    `content` is the record as a whole, made where there is none. A job that becomes None is removed.
    """

    description: str | None = None
    record: Mapping[str, Any] | None = None
    rules: tuple[tuple[str, RuleFields], ...] = ()
    content: Content | None = None
    jobs: tuple[tuple[str, JobPlan | None], ...] = ()
    ends: Ends | None = None

    @property
    def touched(self) -> list[str]:
        """The parts that it is about, beside words and lifecycle."""
        record = [] if self.record is None and self.content is None else [_RECORD]
        return [
            *record,
            *(f"rule:{rule_id}" for rule_id, _ in self.rules),
            *(f"job:{job_id}" for job_id, _ in self.jobs),
        ]

    @property
    def kind(self) -> Kind:
        """What kind of revision it becomes."""
        kinds = [
            *([] if self.description is None else [Kind.DESCRIPTION]),
            *([Kind.RECORD] if _RECORD in self.touched else []),
            *([Kind.RULE] if self.rules else []),
            *([Kind.JOB] if self.jobs else []),
            *([] if self.ends is None else [Kind.SEVERAL]),
        ]
        return kinds[0] if len(kinds) == 1 else Kind.SEVERAL


def revise(
    parts: Parts,
    tx: Tx,
    task_id: str,
    act: Callable[[], Sequence[str]],
    *,
    kind: Kind,
    touched: Iterable[str],
    who: str,
    why: str = "",
    description: str | None = None,
) -> Revision | None:
    """Let `act` change the parts `touched` and write the revision; None where nothing is different afterwards.

    `act` returns the parts that it made.
    """
    before = {part: state_of(tx, task_id, part) for part in (_LIFECYCLE, *touched)}
    made = act()
    changes = [Change(part, before.get(part), state_of(tx, task_id, part)) for part in dict.fromkeys((*before, *made))]
    words = tasks_store.get(tx, task_id).description
    if description is not None and description != words:
        changes.insert(0, Change(_DESCRIPTION, words, description))
    changes = [change for change in changes if change.before != change.after]
    if not changes:
        return None
    new_words = description if description != words else None
    return revisions.record(tx, parts.tasks, task_id, kind, changes, who=who, why=why, description=new_words)


def change(parts: Parts, tx: Tx, task_id: str, wanted: Wanted, *, who: str, why: str = "") -> Revision | None:
    """Change several things of a task in one revision: its jobs, the record, then its rules, which rely on that."""

    def act() -> Sequence[str]:
        for job_id, plan in wanted.jobs:
            _change_job(parts, tx, _job_of(tx, task_id, job_id), plan, who)
        if wanted.record is not None:
            _patch_record(parts, tx, task_id, wanted.record, who)
        if wanted.content is not None:
            _set_record(parts, tx, task_id, wanted.content, who)
        for rule_id, said in wanted.rules:
            rule = rules.get(tx, rule_id)
            if rule.task_id != task_id:
                raise BadInput("rule_of_other_task", id=rule_id[:64])
            patch_rule(parts, tx, rule, said, who=who)
        if wanted.ends is not None:
            # Last: it is what was said, whatever the record and a termination would make of it.
            parts.tasks.limit(tx, task_id, wanted.ends.at, who=who, why=why)
        return ()

    return revise(
        parts,
        tx,
        task_id,
        act,
        kind=wanted.kind,
        touched=wanted.touched,
        who=who,
        why=why,
        description=wanted.description,
    )


def patch_rule(parts: Parts, tx: Tx, rule: Rule, said: RuleFields, *, who: str) -> Rule:
    """Change what was said of a rule and keep the rest."""
    plan = make_plan(fields_of(rule.plan).patched(said))
    if plan == rule.plan:
        return rule
    _check_target(tx, rule.task_id, plan)
    let_go(parts, tx, rule, to=plan, who=who)
    return parts.rules.change(tx, rule.id, plan, who=who)


def switch_rule(parts: Parts, tx: Tx, rule: Rule, *, who: str, on: bool) -> None:
    """Let a rule act again, or stop it at once, with whatever is pending of it."""
    if on:
        parts.rules.enable(tx, rule.id, who=who)
    else:
        let_go(parts, tx, rule, who=who)
        parts.rules.disable(tx, rule.id, who=who)


def undo(parts: Parts, tx: Tx, task_id: str, slug: str, *, who: str, why: str = "") -> Revision:
    """Take back the latest change: rules, jobs, settings of the record, words; not counts.

    That is a change itself: taking it back, too, does it again.
    """
    last = revisions.latest(tx, task_id)
    if last is None:
        raise Conflict("nothing_to_undo", slug=slug)
    back = [_put_back(parts, tx, task_id, one.taken_back, who) for one in reversed(last.changes)]
    words = next((str(one.after) for one in back if one.part == _DESCRIPTION), None)
    return revisions.record(tx, parts.tasks, task_id, Kind.UNDO, back, who=who, why=why, description=words)


def state_of(tx: Tx, task_id: str, part: str) -> Json:
    """Return a part as revisions keep it; None where it is not there."""
    kind, _, identity = part.partition(":")
    match kind:
        case "lifecycle":
            end = tasks_store.get(tx, task_id).lifecycle.expires_at
            return None if end is None else end.isoformat()
        case "record":
            record = records.find(tx, task_id)
            return None if record is None else _written(record.content)
        case "rule":
            rule = rules.find(tx, identity)
            return None if rule is None else {**write_rule(rule.plan), "enabled": wanted_on(rule)}
        case "job":
            job = job_rows.find(tx, identity)
            return None if job is None or job.removed else write_job(job)
    raise ValueError(part)


def wanted_on(rule: Rule) -> bool:
    """Whether a rule would act if its task did."""
    return rule.stopped_by in (None, StoppedBy.TASK)


def _put_back(parts: Parts, tx: Tx, task_id: str, wanted: Change, who: str) -> Change:
    """Bring one part into the state `wanted.after`; return what became of it."""
    kind, _, identity = wanted.part.partition(":")
    match kind:
        case "lifecycle":
            parts.tasks.limit(
                tx, task_id, None if wanted.after is None else parse_instant(wanted.after), who=who, why="undo"
            )
        case "record":
            _put_record_back(parts, tx, task_id, wanted, who)
        case "rule":
            return _put_rule_back(parts, tx, task_id, wanted, who)
        case "job":
            _put_job_back(parts, tx, identity, wanted, who)
        case _:
            pass
    return wanted


def _put_record_back(parts: Parts, tx: Tx, task_id: str, wanted: Change, who: str) -> None:
    if wanted.after is None:
        parts.records.remove(tx, task_id, who=who)
        return
    content = read_content(wanted.after["kind"], wanted.after["content"])
    if wanted.before is None:
        parts.records.init(tx, task_id, content, who=who)
    else:
        parts.records.set_content(tx, task_id, content, who=who)


def _put_rule_back(parts: Parts, tx: Tx, task_id: str, wanted: Change, who: str) -> Change:
    rule_id = wanted.part.partition(":")[2]
    if wanted.after is None:
        let_go(parts, tx, rules.get(tx, rule_id), who=who)
        parts.rules.delete(tx, rule_id, who=who)
        return wanted
    state = dict(wanted.after)
    on = state.pop("enabled")
    plan: Plan = make_plan(read_fields(state))
    rule = rules.find(tx, rule_id) if wanted.before is not None else None
    if rule is None:
        rule = add_rule(parts, tx, task_id, plan, who=who)
    elif rule.plan != plan:
        _check_target(tx, task_id, plan)
        let_go(parts, tx, rule, to=plan, who=who)
        rule = parts.rules.change(tx, rule.id, plan, who=who)
    if on != wanted_on(rule):
        switch_rule(parts, tx, rule, who=who, on=on)
    return Change(f"rule:{rule.id}", wanted.before, wanted.after)


def _put_job_back(parts: Parts, tx: Tx, job_id: str, wanted: Change, who: str) -> None:
    job = job_rows.find(tx, job_id)
    if job is None:
        raise Conflict("job_gone", id=job_id)
    if wanted.after is None:
        parts.carrying.drop(tx, job, who=who)
    else:
        parts.carrying.put(tx, job, read_job_state(wanted.after), who=who)


def _job_of(tx: Tx, task_id: str, job_id: str) -> Job:
    job = job_rows.get(tx, job_id)
    if job.task_id != task_id:
        raise BadInput("job_of_other_task", id=job_id[:64])
    return job


def _change_job(parts: Parts, tx: Tx, job: Job, plan: JobPlan | None, who: str) -> None:
    if plan is None:
        parts.carrying.drop(tx, job, who=who)
    else:
        parts.carrying.put(tx, job, plan, who=who)


def _patch_record(parts: Parts, tx: Tx, task_id: str, patch: Mapping[str, Any], who: str) -> None:
    before = records.get(tx, task_id).content
    parts.records.update(tx, task_id, patch, who=who)
    _settle_record(parts, tx, task_id, before, who)


def _set_record(parts: Parts, tx: Tx, task_id: str, content: Content, who: str) -> None:
    record = records.find(tx, task_id)
    if record is None:
        add_record(parts, tx, task_id, content, who=who)
    else:
        parts.records.set_content(tx, task_id, content, who=who)
        _settle_record(parts, tx, task_id, record.content, who)


def _settle_record(parts: Parts, tx: Tx, task_id: str, before: Content, who: str) -> None:
    after = records.get(tx, task_id).content
    settle_end(parts, tx, task_id, before.expires_at, after.expires_at, who=who)
    if (
        after.target is None
        and before.target is not None
        and any(rule.plan.on_target for rule in rules.of_task(tx, task_id))
    ):
        raise BadInput("rule_target_without_minutes")


def _written(content: Content) -> Json:
    return {"kind": content.kind.value, "content": write_content(content)}


def _check_target(tx: Tx, task_id: str, plan: Plan) -> None:
    record = records.find(tx, task_id)
    check_target(plan, None if record is None else record.content)
