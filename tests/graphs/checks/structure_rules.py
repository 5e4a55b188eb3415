"""Small rules to check: cards of every type that are right until a test says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from zhixing.graphs.catalogue import node_type
from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.rule import Rule

ID = "1764550800001"
WATCHED = {"did": "lamp1", "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True, "preload": False}
HEARD = {"did": "key1", "siid": 3, "eiid": 1012}
SEVEN = {"type": "periodicAlarm", "hour": 7, "minute": 0, "second": 0, "filter": {}}
DUSK = {"type": "sunset", "latitude": 31.2, "longitude": 121.5, "isSunset": True, "offset": 0, "filter": {}}
NIGHT = {
    "start": {"hour": 22, "minute": 0, "second": 0},
    "end": {"hour": 6, "minute": 0, "second": 0},
    "filter": {},
}
VARIABLE = {"scope": "global", "id": "count"}
PROPS: Mapping[str, dict[str, Any]] = {
    "deviceInput": WATCHED,
    "deviceGet": {key: value for key, value in WATCHED.items() if key != "preload"},
    "deviceOutput": {"did": "lamp2", "siid": 2, "piid": 1, "value": True},
    "deviceInputSetVar": {"did": "warm1", "siid": 2, "piid": 1, "dtype": "number", **VARIABLE},
    "deviceGetSetVar": {"did": "warm1", "siid": 2, "piid": 1, "dtype": "number", **VARIABLE},
    "alarmClock": SEVEN,
    "timeRange": NIGHT,
    "delay": {"timeout": 5000},
    "statusLast": {"timeout": 5000},
    "eventSequence": {"timeout": 5000},
    "loop": {"interval": 5000},
    "onlyNTimes": {"n": 3},
    "counter": {"n": 3},
    "varChange": {**VARIABLE, "varType": "number", "preload": False, "operator": ">", "v1": 5},
    "varGet": {**VARIABLE, "varType": "number", "operator": ">", "v1": 5},
    "varSetNumber": {**VARIABLE, "elements": [{"type": "const", "value": "1"}]},
    "varSetString": {**VARIABLE, "elements": [{"type": "const", "value": "1"}]},
}
TIMED = {"delay", "statusLast", "eventSequence", "loop"}


def node(name: str, kind: str, to: str = "", **parts: Any) -> dict[str, Any]:
    """Draw a card. `to` is its wires, such as `output>out.trigger output>or.input0`; `parts` stand in for what it has.

    `props` are laid over those it has, and one that is `...` is taken away.
    """
    known = node_type(kind)
    assert known is not None
    inputs = [*known.inputs, *(known.numbered_inputs.names if known.numbered_inputs else ())]
    outputs = [*known.outputs, *(known.numbered_outputs.names if known.numbered_outputs else ())]
    cfg: dict[str, Any] = {"name": kind, "version": 1}
    if kind in TIMED:
        cfg |= {"unit": "s", "value": 5}
    if kind == "nop":
        cfg |= {"contents": {"ops": [{"insert": "夜里开灯\n"}]}}
    props = deepcopy(PROPS.get(kind, {})) | parts.pop("props", {})
    drawn: dict[str, Any] = {
        "id": name,
        "type": kind,
        "cfg": cfg | parts.pop("cfg", {}),
        "props": {key: value for key, value in props.items() if value is not ...},
        "inputs": dict.fromkeys(inputs) | parts.pop("constants", {}),
        "outputs": {pin: [] for pin in outputs},
    }
    for wire in to.split():
        pin, end = wire.split(">")
        drawn["outputs"].setdefault(pin, []).append(end)
    drawn |= parts
    return {key: value for key, value in drawn.items() if value is not ...}


def rule(*nodes: Any, **parts: Any) -> Rule:
    """Put cards into a rule that is right."""
    raw = {"id": ID, "nodes": list(nodes), "cfg": {"id": ID, "enable": True, "uiType": "graph", "userData": {}}} | parts
    return Rule.of({key: value for key, value in raw.items() if value is not ...})


def lit(*nodes: Any) -> tuple[Any, ...]:
    """Add a lamp `out` to cards, to have something that happens."""
    return (*nodes, node("out", "deviceOutput"))


def found(given: Rule, profile: Profile = Profile.EDITOR) -> set[tuple[str, str, str]]:
    """Return what is found as code, level and node."""
    return {(each.code, each.level.value, each.node) for each in check_structure(given, profile)}
