"""What a model may make of a sentence that the rules are not certain of: facts, each with the words it rests on. Pure.

A model names devices by did out of a list, and quotes; numbers and times count only as far as the quote carries them.
What it says becomes a `Request` like any other and goes the same way: graph, checks, trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.graphs.composing.acts import MOST_ACTS
from zhixing.graphs.composing.composing import LONGEST_TEXT, NO_ANSWERS, NeedsModel, Outcome, built
from zhixing.graphs.composing.facts import MOST_FACTS
from zhixing.graphs.composing.plan import Ground
from zhixing.graphs.composing.quoting import Quoting, Unquoted
from zhixing.graphs.composing.reading import MOST_BRANCHES
from zhixing.graphs.composing.request import MEASURES, Branch, Request
from zhixing.graphs.specs.home import Device, Home
from zhixing.graphs.times.sun import Place
from zhixing.kernel.wording import wording
from zhixing.world.models.fence import RULE, fence, single_line
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.shape import Shape

MOST_LISTED = 200
"""Devices that a model is told of."""


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _text(what: str) -> dict[str, Any]:
    return {"type": "string", "description": what}


def _maybe(kind: str, what: str = "") -> dict[str, Any]:
    return {"type": [kind, "null"], "description": what}


def _one_of(*names: str) -> dict[str, Any]:
    return {"anyOf": [{"type": "string", "enum": list(names)}, {"type": "null"}]}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_DIDS = _list({"type": "string", "description": "列表里的 did"})
_FACT = _object(
    quote=_text("说这个条件的原话"),
    kind={"type": "string", "enum": ["level", "state", "press", "clock", "sun"]},
    dids=_DIDS,
    measure=_one_of(*MEASURES),
    operator=_one_of(">", "<", ">=", "<=", "between"),
    low=_maybe("number"),
    high=_maybe("number"),
    state=_one_of("on", "off", "present", "absent"),
    press=_one_of("click", "double-click", "long-press"),
    at=_maybe("string", "HH:MM"),
    days=_maybe("string", "说哪些天的原话，如“工作日”“每天”；没说是 null"),
    sun=_one_of("sunrise", "sunset"),
    offset_minutes=_maybe("integer", "日出日落之后多少分钟，之前为负"),
    hold_seconds=_maybe("integer", "要持续多少秒"),
    joint=_one_of("all", "any"),
)
_ACT = _object(
    quote=_text("说要做这件事的原话"),
    kind={"type": "string", "enum": ["switch", "set", "say", "play"]},
    dids=_DIDS,
    turn=_one_of("on", "off", "toggle"),
    measure=_one_of(*MEASURES),
    value=_maybe("number"),
    choice=_maybe("string", "模式等的名字，原话里逐字"),
    text=_maybe("string", "要说的话，原话里逐字"),
    doing=_one_of("play", "pause", "stop"),
    after_seconds=_maybe("integer", "多少秒之后才做"),
)
_WINDOW = _object(quote=_text("说这个时段的原话"), start=_text("HH:MM"), end=_text("HH:MM"), days=_maybe("string"))
_BRANCH = _object(
    facts=_list(_FACT),
    joint={"type": "string", "enum": ["all", "any"]},
    windows=_list(_WINDOW),
    asked=_list(_FACT),
    acts=_list(_ACT),
    otherwise=_list(_ACT),
    every_seconds=_maybe("integer", "每隔多少秒重复"),
    every_quote=_maybe("string"),
    until={"anyOf": [_FACT, {"type": "null"}]},
    times=_maybe("integer", "重复多少次"),
)
SHAPE = Shape("graph_request", _object(understood={"type": "boolean"}, branches=_list(_BRANCH)))
"""A reply. What was not said is null or empty."""


def prompt_for(text: str, home: Home) -> Prompt:
    """Return the question what a sentence asks for; `complaint` checks the reply to it."""
    rows = (
        f"{each.did}={single_line(each.name)}@{single_line(each.room)}({_kind(home, each)})" for each in listed(home)
    )
    system = wording("composing_graphs.prompt_request", "zh", rule=RULE, devices=fence("；".join(rows)))
    return Prompt(system, (Text(fence(text[:LONGEST_TEXT], "原话")),), SHAPE)


def listed(home: Home) -> tuple[Device, ...]:
    """Return the devices that a model may name."""
    known = [each for each in (home.devices or {}).values() if each.usable and home.spec_of(each.did) is not None]
    return tuple(known[:MOST_LISTED])


def _kind(home: Home, device: Device) -> str:
    spec = home.spec_of(device.did)
    return spec.kind if spec else ""


def complaint(value: dict[str, Any], text: str, home: Home) -> str:
    """Return what is wrong with a reply, for its one repair, or ""."""
    try:
        request_of(value, text, home)
    except Unquoted as error:
        return wording(f"composing_graphs.model_{error.kind}", "zh", place=error.place)
    return ""


def request_of(value: dict[str, Any], text: str, home: Home) -> Request | None:
    """Return the request that a reply is; None where the model did not understand. Raises `Unquoted`."""
    if SHAPE.mismatch(value):
        raise Unquoted("value", "reply")
    if not value["understood"] or not value["branches"]:
        return None
    quoting = Quoting(text, home, frozenset(each.did for each in listed(home)))
    branches = tuple(
        _branch(each, quoting, f"branches[{n}]") for n, each in enumerate(value["branches"][: MOST_BRANCHES + 1])
    )
    facts = sum(len(each.facts) + len(each.asked) + len(each.windows) for each in branches)
    acts = sum(len(each.acts) + len(each.otherwise) for each in branches)
    if len(branches) > MOST_BRANCHES or facts > MOST_FACTS or acts > MOST_ACTS:
        raise Unquoted("value", "branches")
    return Request(text, branches, taken=quoting.taken)


def read_by_model(
    value: dict[str, Any],
    text: str,
    home: Home,
    answers: Mapping[str, str] = NO_ANSWERS,
    *,
    rule_id: str,
    now: datetime,
    zone: ZoneInfo,
    place: Place | None = None,
) -> Outcome:
    """Return what a reply makes of a sentence: as `composing.answered`; `NeedsModel` where it is not believed."""
    try:
        request = request_of(value, text, home)
    except Unquoted as error:
        return NeedsModel("model", error.place)
    if request is None or len(text) > LONGEST_TEXT:
        return NeedsModel("model")
    return built(request, home, answers, Ground(rule_id, now, zone, place))


def _branch(value: Mapping[str, Any], quoting: Quoting, at: str) -> Branch:
    facts = tuple(quoting.fact(each, f"{at}.facts[{n}]") for n, each in enumerate(value["facts"]))
    acts = tuple(quoting.act(each, f"{at}.acts[{n}]") for n, each in enumerate(value["acts"]))
    if not facts or not acts:
        raise Unquoted("value", at)
    return Branch(
        facts,
        value["joint"],
        tuple(quoting.window(each, f"{at}.windows[{n}]") for n, each in enumerate(value["windows"])),
        tuple(quoting.fact(each, f"{at}.asked[{n}]") for n, each in enumerate(value["asked"])),
        acts,
        tuple(quoting.act(each, f"{at}.otherwise[{n}]") for n, each in enumerate(value["otherwise"])),
        quoting.rounds(value, at),
    )
