"""What a hub checks of the nodes of a graph before it keeps them, with its own words (mijia §1.2–§1.4).

Only the shape of each node is looked at, never what its wires lead to, nor whether a variable or a device is there
(mijia §1.2). Pure. The misspelt words are the gateway's own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeGuard

Json = Any

MOST_NODES: Final = 2_000
"""Nodes of one graph."""

_FOREIGN = re.compile(r"[^0-9|a-zA-Z]")
"""What may not stand in the id of a node; that the pipe may is an accident of the gateway."""
_NUMBERED = re.compile(r"input[0-9]+")

_DECLARED_OUTPUTS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            *("deviceInput", "deviceOutput", "deviceInputSetVar", "deviceGetSetVar", "signalOr", "logicOr", "logicAnd"),
            *("logicNot", "loop", "onlyNTimes", "counter", "register", "eventSequence", "statusLast", "onLoad"),
            "varChange",
        ),
        ("output",),
    ),
    **dict.fromkeys(("deviceGet", "varGet"), ("output", "output2")),
    "condition": ("met", "unmet"),
    **dict.fromkeys(("alarmClock", "timeRange", "delay", "varSetNumber", "varSetString", "modeSwitch", "nop"), ()),
}
"""The pins whose lists of wires must be there; its keys are the types that are known."""

_DECLARED_INPUTS: Final[Mapping[str, tuple[str, ...]]] = {
    "condition": ("trigger", "condition"),
    "loop": ("start", "stop"),
    **dict.fromkeys(("onlyNTimes", "counter"), ("input", "zero")),
    "register": ("setTrue", "setFalse"),
    "eventSequence": ("input1", "input2"),
    **dict.fromkeys(
        (*("statusLast", "modeSwitch", "varGet", "varSetNumber", "varSetString", "logicNot", "deviceGetSetVar"),),
        ("input",),
    ),
}

_DEVICE_OPERATORS: Final[Mapping[str, frozenset[str]]] = {
    "int": frozenset({">=", "<=", "=", "!=", ">", "<", "between", "include"}),
    "float": frozenset({">", "<", "between"}),
    "boolean": frozenset({"="}),
    "string": frozenset({"="}),
}
_VARIABLE_OPERATORS: Final[Mapping[str, frozenset[str]]] = {
    "number": frozenset({">=", "<=", "=", "!=", ">", "<", "between"}),
    "string": frozenset({"="}),
}
_SLOTS: Final = ("number", "boolean", "string")


def fault_of(nodes: Json) -> str | None:
    """Return what a hub says of the first node that is not as it should be; None when all are."""
    if not isinstance(nodes, list) or len(nodes) > MOST_NODES:
        return "Invalid nodes"
    for node in nodes:
        fault = _node(node) if isinstance(node, dict) else "Invalid node"
        if fault is not None:
            name = node.get("id") if isinstance(node, dict) else None
            return f"Invalid node parameter:{name if isinstance(name, str) else ''},{fault}"
    return None


def _node(node: Mapping[str, Json]) -> str | None:
    name, kind = node.get("id"), node.get("type")
    if not isinstance(name, str) or not name:
        return "Invliad id"
    if _FOREIGN.search(name):
        return "Invalid charactor in id"
    if not isinstance(kind, str):
        return "Invalid type"
    if kind not in _DECLARED_OUTPUTS:
        return f"Unsupported type: {kind}"
    for part in ("props", "inputs", "outputs"):
        if not isinstance(node.get(part), dict):
            return f"Invalid {part}"
    fault = _wires(node["outputs"])
    if fault is not None:
        return fault
    cfg = node.get("cfg")
    if not isinstance(cfg, dict):
        return "Invalid cfg"
    if not _whole(cfg.get("version")):
        return "Invalid cfg.version"
    return _pins(kind, node["inputs"], node["outputs"]) or _props(kind, node["props"])


def _wires(outputs: Mapping[str, Json]) -> str | None:
    for pin, ends in outputs.items():
        if not isinstance(ends, list):
            return f"Invalid outputs: {pin}"
        for end in ends:
            if not isinstance(end, str) or end.count(".") != 1:
                return f"Invalid connection: {pin}->{end}"
    return None


def _pins(kind: str, inputs: Mapping[str, Json], outputs: Mapping[str, Json]) -> str | None:
    wanted = _DECLARED_OUTPUTS[kind]
    if kind == "modeSwitch":
        wanted = tuple(f"output{number}" for number in range(len(outputs)))
    for pin in wanted:
        if pin not in outputs:
            return f"Invalid outputs: {pin}"
    for pin in _DECLARED_INPUTS.get(kind, ()):
        if pin not in inputs:
            return f"Invalid inputs: {pin}"
    constant = kind in {"logicOr", "logicAnd", "logicNot"}
    for pin, value in inputs.items():
        if kind in {"signalOr", "logicOr", "logicAnd"} and not _NUMBERED.fullmatch(pin):
            return f"Invalid inputs: {pin}"
        given = isinstance(value, bool) and (constant or (kind, pin) == ("condition", "condition"))
        if value is not None and not given:
            return f"Invalid inputs: {pin}"
    return None


def _props(kind: str, props: Mapping[str, Json]) -> str | None:
    check = _CHECKS.get(kind)
    return None if check is None else check(props)


def _device_input(props: Mapping[str, Json]) -> str | None:
    if "piid" in props:
        return _address(props, "piid") or _comparison(props, "dtype", _DEVICE_OPERATORS)
    return _address(props, "eiid") or _arguments(props, _argument, required=False)


def _device_get(props: Mapping[str, Json]) -> str | None:
    return _address(props, "piid") or _comparison(props, "dtype", _DEVICE_OPERATORS)


def _device_output(props: Mapping[str, Json]) -> str | None:
    if "piid" in props:
        return _address(props, "piid") or _sent(props)
    fault = _address(props, "aiid")
    if fault is not None:
        return fault
    ins = props.get("ins", [])
    if not isinstance(ins, list):
        return "Invalid ins"
    for each in ins:
        if not isinstance(each, dict) or not _whole(each.get("piid")):
            return "Invalid ins"
        fault = _sent(each)
        if fault is not None:
            return fault
    return None


def _device_input_set_var(props: Mapping[str, Json]) -> str | None:
    if "piid" in props:
        return _address(props, "piid") or _slot(props)
    return _address(props, "eiid") or _arguments(props, None, required=True)


def _device_get_set_var(props: Mapping[str, Json]) -> str | None:
    return _address(props, "piid") or _slot(props)


def _variable_comparison(props: Mapping[str, Json]) -> str | None:
    return _variable(props) or _comparison(props, "varType", _VARIABLE_OPERATORS)


def _variable_change(props: Mapping[str, Json]) -> str | None:
    if not isinstance(props.get("preload"), bool):
        return "Invalid preload"
    return _variable_comparison(props)


def _variable_set(props: Mapping[str, Json]) -> str | None:
    return _variable(props) or (None if isinstance(props.get("elements"), list) else "Invalid elements")


def _whole_from(name: str, least: int | None) -> Callable[[Mapping[str, Json]], str | None]:
    def check(props: Mapping[str, Json]) -> str | None:
        value = props.get(name)
        good = _whole(value) and (least is None or value >= least)
        return None if good else f"Invalid {name}"

    return check


def _alarm(props: Mapping[str, Json]) -> str | None:
    match props.get("type"):
        case "periodicAlarm":
            return _hour(props) or _filter(props)
        case "sunset":
            return _sun(props) or _filter(props)
        case _:
            return "Invalid type"


def _time_range(props: Mapping[str, Json]) -> str | None:
    for end in ("start", "end"):
        given = props.get(end)
        if not isinstance(given, dict) or _hour(given) is not None:
            return f"Invalid {end}"
    return _filter(props)


def _hour(given: Mapping[str, Json]) -> str | None:
    for name, most in (("hour", 23), ("minute", 59), ("second", 59)):
        value = given.get(name)
        if not _whole(value) or not 0 <= value <= most:
            return f"Invalid {name}"
    return None


def _sun(props: Mapping[str, Json]) -> str | None:
    for name, most in (("latitude", 90), ("longitude", 180)):
        value = props.get(name)
        if not _number(value) or abs(value) > most:
            return f"Invalid {name}"
    if not isinstance(props.get("isSunset"), bool):
        return "Invalid isSunset"
    return None if _whole(props.get("offset")) else "Invalid offset"


def _filter(props: Mapping[str, Json]) -> str | None:
    given = props.get("filter")
    if not isinstance(given, dict):
        return "Invalid filter"
    if "day" in given and "inHoliday" in given:
        return "Double filter"
    days = given.get("day", [])
    if not isinstance(days, list) or not all(_whole(day) and 0 <= day <= 6 for day in days):
        return "Invalid filter"
    return None if isinstance(given.get("inHoliday", False), bool) else "Invalid filter"


def _address(props: Mapping[str, Json], last: str) -> str | None:
    if not isinstance(props.get("did"), str):
        return "Invalid did"
    for name in ("siid", last):
        if not _whole(props.get(name)):
            return f"Invalid {name}"
    return None


def _variable(props: Mapping[str, Json]) -> str | None:
    for name in ("scope", "id"):
        if not isinstance(props.get(name), str):
            return f"Invalid {name}"
    return None


def _slot(props: Mapping[str, Json]) -> str | None:
    return _variable(props) or (None if props.get("dtype") in _SLOTS else "Invalid dtype")


def _sent(given: Mapping[str, Json]) -> str | None:
    if "value" in given:
        return None
    fault = _slot(given)
    if fault is None and given["dtype"] == "number":
        wrong = [name for name in ("min", "max", "step") if not _number(given.get(name))]
        fault = f"Invalid {wrong[0]}" if wrong else None
    return fault


def _argument(given: Mapping[str, Json]) -> str | None:
    if "operator" in given:
        return _comparison(given, "dtype", _DEVICE_OPERATORS)
    return None if given.get("dtype") in _DEVICE_OPERATORS else "Invalid dtype"


def _arguments(
    props: Mapping[str, Json], check: Callable[[Mapping[str, Json]], str | None] | None, *, required: bool
) -> str | None:
    given = props.get("arguments", None if required else [])
    if not isinstance(given, list):
        return "Invalid arguments"
    for each in given:
        if not isinstance(each, dict) or not _whole(each.get("piid")):
            return "Invalid arguments"
        fault = None if check is None else check(each)
        if fault is not None:
            return fault
    return None


def _comparison(given: Mapping[str, Json], key: str, operators: Mapping[str, frozenset[str]]) -> str | None:
    kind, operator = given.get(key), given.get("operator")
    if not isinstance(kind, str) or kind not in operators:
        return f"Invalid {key}"
    if operator not in operators[kind]:
        return "Invalid operator"
    if operator == "include":
        listed = given.get("v1")
        return None if isinstance(listed, list) and all(map(_whole, listed)) else "Invalid v1"
    fits = _OPERANDS[kind]
    if not fits(given.get("v1")):
        return "Invalid v1"
    return "Invalid v2" if operator == "between" and not fits(given.get("v2")) else None


def _whole(value: Json) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Json) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_OPERANDS: Final[Mapping[str, Callable[[Json], bool]]] = {
    "int": _whole,
    "float": _number,
    "number": _number,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
}

_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Json]], str | None]]] = {
    "deviceInput": _device_input,
    "deviceGet": _device_get,
    "deviceOutput": _device_output,
    "deviceInputSetVar": _device_input_set_var,
    "deviceGetSetVar": _device_get_set_var,
    "varChange": _variable_change,
    "varGet": _variable_comparison,
    "varSetNumber": _variable_set,
    "varSetString": _variable_set,
    "alarmClock": _alarm,
    "timeRange": _time_range,
    "delay": _whole_from("timeout", None),
    "statusLast": _whole_from("timeout", 1),
    "eventSequence": _whole_from("timeout", 1),
    "loop": _whole_from("interval", None),
    "onlyNTimes": _whole_from("n", 1),
    "counter": _whole_from("n", 1),
}
