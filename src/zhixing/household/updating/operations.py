"""Carrying out what was said about a task: all of it is one revision, in one transaction, which `undo` takes back."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from zhixing.household import changing, registry, viewing
from zhixing.household.assembling.request import Home
from zhixing.household.changing import Wanted
from zhixing.household.jobs import JobPlan
from zhixing.household.parts import Parts
from zhixing.household.plan import read_description
from zhixing.household.resolving import Lookup
from zhixing.household.rulebook import RuleFields, fields_of
from zhixing.household.updating.clauses import cleaned
from zhixing.household.updating.model import Change, Standing, StandingJob, StandingRule, Unclear
from zhixing.household.updating.reading import read_change
from zhixing.household.viewing import TaskView
from zhixing.kernel.errors import BadInput, Conflict
from zhixing.store.connection import Store
from zhixing.tasks.rules.model import DeviceAction, Plan
from zhixing.world.devices.port import DeviceHub, DeviceSpec

_ATTEMPTS = 3
"""How often it is read again where somebody else changes the task meanwhile."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What was done, in one sentence; `revision` is None where nothing is different."""

    sentence: str
    revision: int | None


class Updating:
    """The operation; `who` is the user or the face that asked."""

    def __init__(self, store: Store, hub: DeviceHub, parts: Parts) -> None:
        self._store = store
        self._hub = hub
        self._parts = parts

    def change(self, slug: str, text: str, home: Home, *, who: str) -> Changed:
        """Change a task, paused or not, as `text` says; its counts and sessions stay.

        Raises `BadInput` with one line where the words are not clear, `NotFound` where no living task has the slug.
        """
        for _ in range(_ATTEMPTS):
            with self._store.read() as tx:
                view = viewing.view(tx, registry.get(tx, slug))
            read = read_change(text, self._standing(view), home)
            if isinstance(read, Unclear):
                raise BadInput(read.key, **read.values)
            if read.after == read.before:
                return Changed(read.sentence, None)
            done = self._carry_out(slug, view, read, who=who, why=cleaned(text))
            if done is not None:
                return done
        raise Conflict("update_moved", slug=slug[:64])

    def _carry_out(self, slug: str, seen: TaskView, read: Change, *, who: str, why: str) -> Changed | None:
        """Write it; None where the task is not any more what it was when the words were read."""
        lookup = Lookup(self._hub)
        wanted = _wanted(read, lookup)
        with self._store.write() as tx:
            if viewing.view(tx, registry.get(tx, slug)) != seen:
                return None
            revision = changing.change(self._parts, tx, seen.task.id, wanted, who=who, why=why)
        return Changed(read.sentence, None if revision is None else revision.number)

    def _standing(self, view: TaskView) -> Standing:
        return replace(standing_of(view), capabilities=self._capabilities(view))

    def _capabilities(self, view: TaskView) -> dict[tuple[str, str], str]:
        """Return what the devices call the commands of the rules; what is gone is left out."""
        used = {(action.did, action.iid) for rule in view.rules for action in _commands(rule.plan)}
        known = {device.did for device in self._hub.devices()} if used else set()
        return {
            (did, iid): f"{iid.partition('.')[0]}.{name}"
            for did, iid in used
            if did in known and (name := _called(self._hub.spec(did), iid)) is not None
        }


def _called(spec: DeviceSpec, iid: str) -> str | None:
    names = {one.iid: one.name for one in spec.properties} | {one.iid: one.name for one in spec.actions}
    return names.get(iid)


def _commands(plan: Plan) -> tuple[DeviceAction, ...]:
    return (*plan.on_enter.actions, *plan.on_exit.actions)


def standing_of(view: TaskView) -> Standing:
    """Return a stored task as the reader sees it; without `capabilities`, which its devices know."""
    return Standing(
        slug=view.slug,
        description=view.task.description,
        ends=view.task.lifecycle.expires_at,
        record=view.record,
        rules=tuple(StandingRule(rule.id, rule.plan) for rule in view.rules),
        jobs=tuple(StandingJob(job.id, job.plan) for job in view.jobs),
    )


def _wanted(read: Change, lookup: Lookup) -> Wanted:
    """Return what is different, with the names of devices looked up."""
    before, after = read.before, read.after
    return Wanted(
        description=None if after.description == before.description else read_description(after.description),
        content=None if after.record == before.record else after.record,
        rules=_rules(before, after, lookup),
        jobs=_jobs(before, after),
        ends=None if after.ends == before.ends else changing.Ends(after.ends),
    )


def _rules(before: Standing, after: Standing, lookup: Lookup) -> tuple[tuple[str, RuleFields], ...]:
    plans = {one.id: one.plan for one in before.rules}
    return tuple(
        (one.id, lookup.resolved(_news(fields_of(plans[one.id]), fields_of(one.plan))))
        for one in after.rules
        if one.plan != plans[one.id]
    )


def _news(before: RuleFields, after: RuleFields) -> RuleFields:
    """Return the fields that differ: what nobody spoke of is not looked up again."""
    both = ((each.name, getattr(before, each.name), getattr(after, each.name)) for each in fields(after))
    return RuleFields(**{name: new for name, old, new in both if new != old})


def _jobs(before: Standing, after: Standing) -> tuple[tuple[str, JobPlan | None], ...]:
    left = {one.id: one.plan for one in after.jobs}
    return tuple((one.id, left.get(one.id)) for one in before.jobs if left.get(one.id) != one.plan)
