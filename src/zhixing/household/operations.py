"""What can be done to household tasks. Every operation is one transaction; names are looked up in the home before it.

A task is named by its slug, the document's `task_id`; one that has ended is unknown under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from zhixing.household import changing, creating, job_rows, registry, revisions, terminations, viewing
from zhixing.household.changing import Wanted
from zhixing.household.creating import Made
from zhixing.household.job_rows import Job
from zhixing.household.parts import Parts
from zhixing.household.plan import HouseholdPlan, read_description, read_lifecycle, read_slug
from zhixing.household.resolving import Lookup
from zhixing.household.revisions import Kind, Revision
from zhixing.household.rule_reading import read_fields
from zhixing.household.rulebook import RuleFields, make_plan
from zhixing.household.sessions import let_go
from zhixing.household.terminations import Reason, Termination
from zhixing.household.viewing import Brief, Log, TaskView
from zhixing.kernel.errors import BadInput, Conflict
from zhixing.store.connection import Store, Tx
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.model import Content
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.model import Rule
from zhixing.tasks.task import Status, Task
from zhixing.world.devices.port import DeviceHub


@dataclass(frozen=True, slots=True)
class Switched:
    """A pause or its end, which everything that hangs on the task follows; no `news` where it was so already."""

    slug: str
    task: Task
    news: bool
    rules: tuple[Rule, ...]
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A task and its record as it stands now; `total` has the sums over all of it where these were asked for."""

    view: TaskView
    record: RecordView | None
    total: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A task that was ended, with the rules and jobs that went with it."""

    slug: str
    termination: Termination
    rules: tuple[Rule, ...]
    jobs: tuple[Job, ...]


class Household:
    """The operations; `who` is the user or the face that asked."""

    def __init__(self, store: Store, hub: DeviceHub, parts: Parts) -> None:
        self._store = store
        self._hub = hub
        self._parts = parts

    # Making

    def apply(self, plan: HouseholdPlan, *, who: str) -> Made:
        """Make a task with everything in its plan, or, where anything is wrong, nothing."""
        lookup = Lookup(self._hub)
        rule_plans = [make_plan(lookup.resolved(rule)) for rule in plan.rules]
        with self._store.write() as tx:
            return creating.make_all(self._parts, tx, plan, rule_plans, who=who)

    def create_task(
        self,
        slug: str,
        description: str,
        *,
        who: str,
        lifecycle: str | None = None,
        expires_at: datetime | None = None,
    ) -> TaskView:
        """Make a task with nothing in it. A temporary one without an end waits for its record or its jobs to say it."""
        slug, description = read_slug(slug), read_description(description)
        ends = [] if expires_at is None else [expires_at]
        life = read_lifecycle(lifecycle, ends, ends_itself=True)
        with self._store.write() as tx:
            creating.make_task(self._parts, tx, slug, description, life, who=who)
            return viewing.view(tx, registry.get(tx, slug))

    def init_record(self, slug: str, kind: str, content: Mapping[str, Any], *, who: str) -> Content:
        """Give a task its record; one with `expires_at` ends the task, too."""
        read = read_content(kind, content)
        with self._store.write() as tx:
            task_id = registry.task_of(tx, slug)

            def act() -> Sequence[str]:
                creating.add_record(self._parts, tx, task_id, read, who=who)
                return ()

            changing.revise(self._parts, tx, task_id, act, kind=Kind.RECORD, touched=("record",), who=who)
        return read

    def create_rule(self, slug: str, said: Mapping[str, Any], *, who: str) -> Rule:
        """Give a task a rule, from the flat fields of `rule create`."""
        plan = make_plan(Lookup(self._hub).resolved(read_fields(said)))
        made: dict[str, Rule] = {}
        with self._store.write() as tx:
            task_id = registry.task_of(tx, slug)

            def act() -> Sequence[str]:
                made["rule"] = creating.add_rule(self._parts, tx, task_id, plan, who=who)
                return (f"rule:{made['rule'].id}",)

            changing.revise(self._parts, tx, task_id, act, kind=Kind.RULE, touched=(), who=who)
        return made["rule"]

    def link(self, slug: str, kind: str, ref: str, *, who: str) -> Job:
        """Hang a cron job on a task. Rules belong to theirs from the start."""
        if kind != "cron":
            raise BadInput("link_kind", kind=kind[:32])
        with self._store.write() as tx:
            task_id = registry.task_of(tx, slug)
            return self._parts.carrying.link(tx, job_rows.get(tx, ref), task_id, who=who)

    # Looking

    def list(self) -> tuple[TaskView, ...]:
        """Return all living tasks, the newest first; paused ones are among them."""
        with self._store.read() as tx:
            return tuple(viewing.views(tx))

    def briefs(self) -> tuple[Brief, ...]:
        """Return all living tasks as words may mean them, the newest first."""
        with self._store.read() as tx:
            return tuple(viewing.briefs(tx))

    def get(self, slug: str) -> TaskView:
        """Return a living task."""
        with self._store.read() as tx:
            return viewing.view(tx, registry.get(tx, slug))

    def summary(self, *, window: str = "day") -> tuple[Summary, ...]:
        """Return all living tasks with how their records stand; `day` is the present period, `all` everything."""
        if window not in ("day", "all"):
            raise BadInput("choice_unknown", name="window", value=window[:32], choices="day、all")
        with self._store.read() as tx:
            return tuple(self._summed(tx, view, window) for view in viewing.views(tx))

    def rules(self) -> tuple[tuple[str, Rule], ...]:
        """Return the rules of all living tasks with the slugs of these, in the order they were made."""
        with self._store.read() as tx:
            found = [(named.slug, rule) for named in registry.living(tx) for rule in rules.of_task(tx, named.task.id)]
        return tuple(sorted(found, key=lambda each: int(each[1].id[1:])))

    def rule(self, rule_id: str) -> tuple[str, Rule]:
        """Return a rule of a living task with its slug."""
        with self._store.read() as tx:
            return self._rule(tx, rule_id)

    def logs(self, slug: str, *, since: datetime | None = None, limit: int = 50) -> Log:
        """Return what happened to a task, also to the last one of that slug that has ended."""
        with self._store.read() as tx:
            task_id = registry.newest(tx, slug) or registry.task_of(tx, slug)
            return viewing.log(tx, slug, task_id, since, limit)

    def revisions(self, slug: str) -> tuple[Revision, ...]:
        """Return what was changed about a task since it was made, the latest first."""
        with self._store.read() as tx:
            return tuple(revisions.of_task(tx, registry.task_of(tx, slug)))

    def ended(self, limit: int = 50) -> tuple[Termination, ...]:
        """Return how tasks ended, the latest first."""
        with self._store.read() as tx:
            return tuple(terminations.page(tx, limit))

    # Changing

    def update(
        self,
        slug: str,
        *,
        who: str,
        description: str | None = None,
        record: Mapping[str, Any] | None = None,
        rules: Mapping[str, Mapping[str, Any]] | None = None,
        why: str = "",
    ) -> Revision | None:
        """Change several things of a task in one revision; None where nothing is different afterwards."""
        lookup = Lookup(self._hub)
        said = tuple((rule_id, lookup.resolved(read_fields(fields))) for rule_id, fields in (rules or {}).items())
        words = None if description is None else read_description(description)
        with self._store.write() as tx:
            wanted = Wanted(words, record, said)
            return changing.change(self._parts, tx, registry.task_of(tx, slug), wanted, who=who, why=why)

    def update_rule(self, rule_id: str, said: Mapping[str, Any], *, who: str, clear: Iterable[str] = ()) -> Rule:
        """Change the fields of a rule that are in `said`, and take away those in `clear`; the rest stays."""
        fields = self._patch(said, clear)
        with self._store.write() as tx:
            _, rule = self._rule(tx, rule_id)
            changing.change(self._parts, tx, rule.task_id, Wanted(rules=((rule_id, fields),)), who=who)
            return rules.get(tx, rule_id)

    def enable_rule(self, rule_id: str, *, who: str) -> Rule:
        """Let a rule act again."""
        return self._switch_rule(rule_id, who=who, on=True)

    def disable_rule(self, rule_id: str, *, who: str) -> Rule:
        """Stop a rule at once, with whatever is pending of it."""
        return self._switch_rule(rule_id, who=who, on=False)

    def delete_rule(self, rule_id: str, *, who: str) -> Rule:
        """Remove a rule; `undo` makes it again, under another id."""
        with self._store.write() as tx:
            _, rule = self._rule(tx, rule_id)

            def act() -> Sequence[str]:
                let_go(self._parts, tx, rule, who=who)
                self._parts.rules.delete(tx, rule_id, who=who)
                return ()

            changing.revise(self._parts, tx, rule.task_id, act, kind=Kind.RULE, touched=(f"rule:{rule_id}",), who=who)
        return rule

    def undo(self, slug: str, *, who: str, why: str = "") -> Revision:
        """Take back the latest change of a task; doing so again does it again."""
        with self._store.write() as tx:
            return changing.undo(self._parts, tx, registry.task_of(tx, slug), slug, who=who, why=why)

    # Pausing and ending

    def disable(self, slug: str, *, who: str) -> Switched:
        """Stop a task with everything that hangs on it; doing so again changes nothing."""
        return self._switch(slug, Status.PAUSED, who=who)

    def enable(self, slug: str, *, who: str) -> Switched:
        """End a pause: what the pause stopped acts again, what was stopped on its own does not."""
        return self._switch(slug, Status.ACTIVE, who=who)

    def delete(self, slug: str, *, who: str, reason: str = "completed", why: str = "") -> Ended:
        """End a task for a reason; a slug that no living task has is `NotFound`."""
        if reason not in set(Reason):
            raise BadInput("end_reason", reason=reason[:32])
        with self._store.write() as tx:
            task = registry.get(tx, slug).task
            view = viewing.view(tx, registry.get(tx, slug))
            end = {
                Reason.COMPLETED: self._parts.tasks.complete,
                Reason.EXPIRED: self._parts.tasks.expire,
                Reason.ABANDONED: self._parts.tasks.delete,
            }[Reason(reason)]
            end(tx, task.id, who=who, why=why)
            (termination, *_) = terminations.of_task(tx, task.id)
            return Ended(slug, termination, view.rules, view.jobs)

    def _summed(self, tx: Tx, view: TaskView, window: str) -> Summary:
        task_id = view.task.id
        record = self._parts.records.find(tx, task_id)
        total = None if record is None or window == "day" else self._parts.records.compute(tx, task_id, window=window)
        return Summary(view, record, total)

    def _patch(self, said: Mapping[str, Any], clear: Iterable[str]) -> RuleFields:
        cleared = dict.fromkeys(clear)
        both = [name for name in cleared if name in said]
        if both:
            raise BadInput("rule_clear_and_set", name=both[0][:64])
        fields = Lookup(self._hub).resolved(read_fields({**said, **cleared}))
        if not fields.said:
            raise BadInput("rule_nothing_to_change")
        return fields

    def _rule(self, tx: Tx, rule_id: str) -> tuple[str, Rule]:
        rule = rules.get(tx, rule_id)
        slug = registry.slug_of(tx, rule.task_id)
        if slug is None or registry.find(tx, slug) != rule.task_id:
            raise Conflict("rule_of_ended_task", id=rule_id[:64])
        return slug, rule

    def _switch_rule(self, rule_id: str, *, who: str, on: bool) -> Rule:
        with self._store.write() as tx:
            _, rule = self._rule(tx, rule_id)

            def act() -> Sequence[str]:
                changing.switch_rule(self._parts, tx, rule, who=who, on=on)
                return ()

            if changing.wanted_on(rule) != on:
                changing.revise(
                    self._parts, tx, rule.task_id, act, kind=Kind.RULE, touched=(f"rule:{rule_id}",), who=who
                )
            return rules.get(tx, rule_id)

    def _switch(self, slug: str, status: Status, *, who: str) -> Switched:
        with self._store.write() as tx:
            task = registry.get(tx, slug).task
            news = task.status is not status
            if news:
                act = self._parts.tasks.pause if status is Status.PAUSED else self._parts.tasks.resume
                task = act(tx, task.id, who=who)
            view = viewing.view(tx, registry.get(tx, slug))
            return Switched(slug, task, news, view.rules, view.jobs)
