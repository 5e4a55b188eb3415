"""From a draft to the complete plan: everything the checks ask for, the plan to be made, and the report. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zhixing.household.advising import advise
from zhixing.household.assembling.draft import Draft, default
from zhixing.household.assembling.draft import said as assembled
from zhixing.household.checks import check, read_assembly, refused
from zhixing.household.composing import jobs, naming
from zhixing.household.composing.conditions import Subject, subjects
from zhixing.household.composing.context import context_of
from zhixing.household.composing.model import Composed, Report, Site, Unwritable
from zhixing.household.composing.report import Told, report
from zhixing.household.composing.rules import Written, rule
from zhixing.household.composing.saying import read_saying
from zhixing.household.plan import HouseholdPlan, read_plan
from zhixing.kernel.errors import BadInput

_STEADY = 30
"""Seconds that steady a record of time whose target is as long as what usually steadies it."""


def compose(draft: Draft, site: Site) -> Composed:
    """Write the plan of `draft`.

    Raises `Unwritable`, with the name of what is missing, for a draft that leaves open what a plan needs.
    """
    draft = _settled(draft, site)
    saying = read_saying(draft, site.home)
    if saying.missed and _counts_up_unseen(draft):
        raise Unwritable("time")
    order, draft = jobs.ordered(draft, saying, site) or ("", draft)
    cases = _cases(draft) if draft.rule else ()
    about = tuple(dict.fromkeys(one for _, one in cases))
    slug = naming.slug(draft, about, saying, site)
    several = len(about) > 1
    written = _told_apart(tuple(rule(each, one, slug, saying, site, several=several) for each, one in cases))
    reminder = jobs.reminder(draft, slug, about, saying, site, order=order)
    schedules = [job for job in (reminder, jobs.termination(draft, slug, site)) if job is not None]
    tips = advise(draft, site.home)
    words = naming.description(draft)
    message = None if reminder is None else str(reminder["message"])
    said = report(Told(draft, slug, words, cases, written, tips, saying, message), site)
    assembly = {
        "op": "create",
        "tz": site.home.zone.key,
        "reject": None,
        "task": {
            "task_id": slug,
            "description": words,
            "lifecycle": draft.lifecycle.value,
            "expires_at": jobs.iso(draft.expires_at, site) if draft.lifecycle.value == "temporary" else None,
        },
        "record": _record(draft, site),
        "rules": [one.json for one in written],
        "schedules": schedules,
        "steps": _steps(draft, written, schedules),
        "questions": [],
        "tips": [{"kind": tip.kind, "value": tip.value, "reason": tip.reason, "how": tip.how} for tip in tips],
        "final": _final(said),
    }
    findings = check(read_assembly(assembly), context_of(site, draft))
    return Composed(draft, assembly, _plan(assembly, written), tips, said, findings)


def self_check(composed: Composed) -> tuple[tuple[str, bool | None], ...]:
    """Return the three lines of the document's own check of a plan (H-CHK); None where a line does not apply."""
    steps = list(composed.assembly["steps"])
    targets = [number for number, one in enumerate(composed.assembly["rules"]) if one["on_target_desc"] is not None]
    ordered = None
    if targets:
        needed = ["task", "record"]
        ordered = all(step in steps for step in needed) and all(
            steps.index("task") < steps.index("record") < steps.index(f"rule:{number}") for number in targets
        )
    wrong = {finding.id for finding in composed.findings}
    told = bool(composed.report.response.strip()) and not wrong & {"V-222", "V-225"}
    sayable = all("「" in tip.how and "」" in tip.how for tip in composed.tips)
    return (("order", ordered), ("response_and_record", told), ("tips_sayable", sayable))


def sound(composed: Composed) -> bool:
    """Whether a plan may be made: no check refuses it, and it passes its own (H-CHK-03)."""
    return not refused(composed.findings) and all(passed is not False for _, passed in self_check(composed))


def _cases(draft: Draft) -> tuple[tuple[Draft, Subject], ...]:
    """Return one case a rule: each behaviour (A-28) of each subject (H-SUBJ-02)."""
    found = [(draft, one) for one in subjects(draft)]
    for behaviour in draft.also:
        each = replace(draft, behaviour=behaviour, condition=None, also=())
        if behaviour.subject is not None:
            each = replace(each, subject=assembled(behaviour.subject, "H-SUBJ-07"))
        found += [(each, one) for one in subjects(each)]
    return tuple(found)


def _told_apart(written: tuple[Written, ...]) -> tuple[Written, ...]:
    """Give rules of the same name a number."""
    used: dict[str, int] = {}
    for one in written:
        name = str(one.json["name"])
        used[name] = used.get(name, 0) + 1
        if used[name] > 1:
            one.json["name"] = f"{name} {used[name]}"
    return written


def _counts_up_unseen(draft: Draft) -> bool:
    """Whether a target of time has nobody who looks at it by the clock: then it cannot be told that it is missed."""
    return (
        draft.notify and draft.schedule is None and draft.record is not None and draft.record.value.kind == "duration"
    )


def _settled(draft: Draft, site: Site) -> Draft:
    """Return a draft that can be written, or raise `Unwritable`.

    A stretch that steadies a record of time must not be the target itself (H-DUR-09).
    """
    if not draft.rule and draft.schedule is None:
        raise Unwritable("trigger")
    if draft.rule and draft.channel is not None and draft.channel.value == "ask":
        raise Unwritable("channel")
    if draft.rule and not site.home.eyes and not site.home.sources:
        raise Unwritable("camera")
    record = draft.record.value if draft.record is not None else None
    hold = draft.duration
    target = record.target_minutes if record is not None else None
    if hold is not None and target is not None and hold.value == target * 60:
        return replace(draft, duration=default(_STEADY, "H-DUR-22"))
    return draft


def _record(draft: Draft, site: Site) -> dict[str, Any] | None:
    """Return the record with the content of the document (H-CONT)."""
    if draft.record is None:
        return None
    record, ends = draft.record.value, draft.lifecycle.value == "temporary"
    counted = record.kind in ("progress", "duration")
    content: dict[str, Any] = {}
    if record.kind == "progress":
        content = {"target": record.target, "unit": record.unit, "window": record.window or "day"}
    elif record.kind == "duration" and record.target_minutes is not None:
        content = {"target_minutes": record.target_minutes}
    if counted and ends:
        content["expires_at"] = jobs.iso(draft.expires_at, site)
    elif counted:
        content["recurring_pattern"] = {"window": record.window or ("day" if record.kind == "progress" else "longterm")}
    return {
        "kind": record.kind,
        "task_type": "oneshot" if counted and ends else record.task_type,
        "target_origin": "user",
        "content": content,
    }


def _steps(draft: Draft, written: Sequence[Written], schedules: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the order in which the parts are made (A-10)."""
    record = ["record"] if draft.record is not None else []
    clock = [f"{step}:{number}" for number in range(len(schedules)) for step in ("cron", "link")]
    return ["task", *record, *clock, *(f"rule:{number}" for number in range(len(written)))]


def _final(said: Report) -> dict[str, Any]:
    return {
        "task": said.task,
        "trigger": said.trigger,
        "response": said.response,
        "lifecycle": said.lifecycle,
        "tips": list(said.tips),
    }


def _plan(assembly: Mapping[str, Any], written: Sequence[Written]) -> HouseholdPlan:
    """Return the plan to be made."""
    rules = [{**one.json, **one.made} for one in written]
    try:
        return read_plan({**assembly, "rules": rules})
    except BadInput as error:
        raise Unwritable(str(error)) from error
