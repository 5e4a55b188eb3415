"""Say something in one of the homes of the cases, answer what is asked, and see the plans that come of it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tests.household.assembling.saying import CASES, FAMILY, NOW, homes

from zhixing.household.assembling.assembler import Assembly, Outcome, assemble
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Home, Request
from zhixing.household.assembling.wire import read_request
from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Composed, Site
from zhixing.world.devices.kinds import kinds
from zhixing.world.devices.port import DeviceSpec, PropertySpec

CATEGORIES = {"ac": "air-conditioner"}
"""Kinds that the cases call otherwise than the specs."""
SWITCH = (PropertySpec("prop.2.1", "on", "bool", readable=True, writable=True),)
ANSWERS = {
    "channel": "B", "trigger_frequency": "B", "viewpoint": "A", "person": "B", "camera_name": "B", "duplicate": "B",
    "paused": "B", "camera": "A", "expiry": "8月31号",
}  # fmt: skip


def spec(did: str, kind: str) -> DeviceSpec:
    """Return the spec of a kind of the cases; what no shipped kind is can be switched."""
    known = kinds().get(CATEGORIES.get(kind, kind))
    return known.spec(did) if known is not None else DeviceSpec(did, SWITCH, ())


def site_of(home: Home, **more: Any) -> Site:
    return Site(home, {one.did: spec(one.did, one.kind) for one in home.devices}, **more)


def request_of(
    text: str, home: str | dict[str, Any] = FAMILY, *, now: str = NOW, answers: dict[str, str] | None = None,
    source: Any = None, tasks: list[Any] | None = None,
) -> Request:  # fmt: skip
    found = homes()[home] if isinstance(home, str) else home
    context = {**found, "now": now, "tz": "Asia/Shanghai", "source_did": source}
    if tasks is not None:
        context["tasks"] = tasks
    return read_request({"id": "x", "text": text, "context": context, "answers": answers})[1]


def settle(request: Request) -> tuple[Assembly, Request]:
    """Return the decision once everything that was asked is answered (channel B, unless it was answered already)."""
    assembly = assemble(request)
    for _ in range(4):
        if assembly.outcome is not Outcome.ASKED:
            break
        answers = {**{kind: ANSWERS.get(kind, "A") for kind in assembly.questions}, **request.answers}
        request = Request(request.text, request.home, answers)
        assembly = assemble(request)
    return assembly, request


def plans(text: str, home: str | dict[str, Any] = FAMILY, **more: Any) -> tuple[Composed, ...]:
    assembly, request = settle(request_of(text, home, **more))
    assert assembly.outcome is Outcome.PLANNED, (text, assembly.outcome, assembly.questions)
    return tuple(compose(draft, site_of(request.home)) for draft in assembly.drafts)


def plan(text: str, home: str | dict[str, Any] = FAMILY, **more: Any) -> Composed:
    (one,) = plans(text, home, **more)
    return one


def rule(text: str, home: str | dict[str, Any] = FAMILY, **more: Any) -> dict[str, Any]:
    (one,) = plan(text, home, **more).assembly["rules"]
    return dict(one)


@cache
def cases() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in (CASES / "requests.jsonl").read_text(encoding="utf-8").splitlines())


def request_of_case(case: dict[str, Any]) -> Request:
    context = {**homes()[case["home"]], **{key: case.get(key) for key in ("now", "tz", "source_did")}}
    found = read_request({**{key: case.get(key) for key in ("id", "text", "answers")}, "context": context})
    return found[1]


@cache
def drafts_of(name: str) -> tuple[tuple[Draft, ...], Site]:
    """Return the drafts of a case of the sample once everything is answered, with its home; none where none is made."""
    case = next(one for one in cases() if one["id"] == name)
    assembly, request = settle(request_of_case(case))
    made = assembly.op == "create" and assembly.outcome is Outcome.PLANNED and not assembly.cancelled
    return (assembly.drafts if made else ()), site_of(request.home)
