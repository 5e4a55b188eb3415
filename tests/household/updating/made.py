"""Sentences of the sample as the tasks they become, and what is said about these afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from tests.household.assembling.saying import CASES, homes

from zhixing.household.assembling.assembler import Outcome, assemble
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Home, Known, Request
from zhixing.household.assembling.wire import read_request
from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Composed, Site
from zhixing.household.plan import HouseholdPlan
from zhixing.household.rulebook import make_plan
from zhixing.household.updating.model import Standing, StandingJob, StandingRule
from zhixing.world.devices.port import ActionSpec, DeviceSpec, PropertySpec

_ON = PropertySpec("prop.2.1", "on", "bool", readable=True, writable=True)
_POSITION = PropertySpec("prop.2.2", "target-position", "int", readable=True, writable=True, low=0, high=100)
_TEXT = PropertySpec("prop.5.1", "text", "string", readable=False, writable=True)
_LEVELS = tuple(
    PropertySpec(f"prop.2.{number}", name, "int", readable=True, writable=True, low=0, high=100)
    for number, name in ((3, "brightness"), (4, "target-temperature"), (5, "volume"), (6, "fan-level"))
)
_SPEECH = (ActionSpec("action.5.1", "play-text", (_TEXT,)), ActionSpec("action.5.2", "play-music", (_TEXT,)))


def spec(did: str, kind: str) -> DeviceSpec:
    """Give a device what all of its kind can do."""
    if kind == "curtain":
        return DeviceSpec(did, (_POSITION,), ())
    return DeviceSpec(did, (_ON, *_LEVELS), _SPEECH if kind == "speaker" else ())


def site(home: Home) -> Site:
    """Give a home with the specs of its devices."""
    return Site(home, {device.did: spec(device.did, device.kind) for device in home.devices})


@cache
def sample() -> tuple[tuple[str, Draft, Home], ...]:
    """Give every sentence of the sample that becomes a task without a question, one by one."""
    found = []
    for line in (CASES / "requests.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        context = {**homes()[case["home"]], **{key: case.get(key) for key in ("now", "tz", "source_did")}}
        said = {**{key: case.get(key) for key in ("id", "text", "answers")}, "context": context}
        name, request = read_request(said)
        assembly = assemble(request)
        if assembly.op == "create" and assembly.outcome is Outcome.PLANNED:
            found += [(name, draft, request.home) for draft in assembly.drafts]
    return tuple(found)


def standing(plan: HouseholdPlan, home: Home) -> Standing:
    """Give a plan as the task that it becomes."""
    kinds = {device.did: device.kind for device in home.devices}
    rules = tuple(StandingRule(f"r{number}", make_plan(rule)) for number, rule in enumerate(plan.rules, start=1))
    known = {}
    for rule in rules:
        for response in (rule.plan.on_enter, rule.plan.on_exit):
            for action in response.actions:
                members = spec(action.did, kinds[action.did])
                name = next(
                    one.name
                    for one in (*members.properties, *members.actions)
                    if action.iid.endswith((one.iid, one.name))
                )
                known[action.did, action.iid] = f"{action.iid.partition('.')[0]}.{name}"
    return Standing(
        slug=plan.slug,
        description=plan.description,
        ends=plan.lifecycle.expires_at,
        record=plan.record,
        rules=rules,
        jobs=tuple(StandingJob(f"j{number}", job) for number, job in enumerate(plan.jobs, start=1)),
        capabilities=known,
    )


def made(text: str, home: Home, **answers: str) -> Standing:
    """Give the task that a sentence becomes."""
    draft = drafted(text, home, **answers)
    return standing(compose(draft, site(home)).plan, home)


def drafted(text: str, home: Home, **answers: str) -> Draft:
    """Give what is decided about a sentence."""
    (draft,) = assemble(Request(text, home, answers)).drafts
    return draft


def home_of(name: str, now: str = "2026-06-12T15:20:00+08:00") -> Home:
    """Give one of the homes of the cases."""
    context: dict[str, Any] = {**homes()[name], "now": now, "tz": "Asia/Shanghai"}
    _, request = read_request({"id": "x", "text": "x", "context": context})
    return request.home


def phrases(composed: Composed) -> Iterator[tuple[str, str]]:
    """Give what the tips of a task say can be said back, by kind."""
    for tip in composed.tips:
        for phrase in re.findall("「([^「」]*)」", tip.how):
            yield tip.kind, phrase


def later(home: Home, plan: HouseholdPlan) -> Home:
    """Give the home with the task in its list."""
    briefs = tuple(rule.name for rule in plan.rules if isinstance(rule.name, str))
    return replace(home, tasks=(*home.tasks, Known(plan.slug, plan.description, active=True, briefs=briefs)))
