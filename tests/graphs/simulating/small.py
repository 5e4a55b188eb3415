"""Tiny graphs and scripts, written short."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.reading import read_script
from zhixing.graphs.simulating.result import Called, Result, Written
from zhixing.graphs.simulating.run import simulate

RULE = "1764000000001"
START = "2025-03-03T08:00:00+08:00"
"""A Monday."""
NOW = datetime(2025, 3, 3, tzinfo=UTC)
REMOTE, LAMP, SENSOR = "remote", "lamp", "sensor"


def node(name: str, kind: str, props: dict[str, Any] | None = None, /, **outputs: Any) -> dict[str, Any]:
    """Make a node; `inputs` and `urn` are its own, every other keyword is an output pin with its ends."""
    inputs = outputs.pop("inputs", {})
    urn = outputs.pop("urn", "")
    return {
        "id": name,
        "type": kind,
        "props": props or {},
        "inputs": inputs,
        "outputs": {pin: ends.split() for pin, ends in outputs.items()},
        "cfg": {"version": 1, "urn": urn},
    }


def button(name: str, key: int, ends: str, urn: str = "") -> dict[str, Any]:
    """Make a source that pulses when key `key` of the remote is pressed."""
    return node(name, "deviceInput", {"did": REMOTE, "siid": 3, "eiid": key}, output=ends, urn=urn)


def sensor(name: str, ends: str, piid: int = 1, **props: Any) -> dict[str, Any]:
    """Make a source that watches a property of the sensor: by default a truth value."""
    asked = {"dtype": "boolean", "operator": "=", "v1": True, "preload": True} | props
    return node(name, "deviceInput", {"did": SENSOR, "siid": 2, "piid": piid, **asked}, output=ends)


def lamp(name: str = "out", ends: str = "") -> dict[str, Any]:
    """Make a command for the lamp."""
    return node(name, "deviceOutput", {"did": LAMP, "siid": 2, "piid": 1, "value": True}, output=ends)


def press(at_ms: int, key: int = 1, **arguments: Any) -> dict[str, Any]:
    """Make a line: a key of the remote is pressed; arguments are by `p<piid>`."""
    given = [{"piid": int(name[1:]), "value": value} for name, value in arguments.items()]
    return {"at_ms": at_ms, "event": {"did": REMOTE, "siid": 3, "eiid": key, "arguments": given}}


def says(at_ms: int, value: Any, piid: int = 1, did: str = SENSOR) -> dict[str, Any]:
    """Make a line: a property is reported."""
    return {"at_ms": at_ms, "event": {"did": did, "siid": 2, "piid": piid, "value": value}}


def sets(at_ms: int, name: str, value: Any) -> dict[str, Any]:
    """Make a line: a global variable is set."""
    return {"at_ms": at_ms, "var_set": {"scope": "global", "id": name, "value": value}}


def rule_of(*nodes: dict[str, Any], enable: bool = True) -> Rule:
    """Make a rule."""
    return rule_from({"id": RULE, "nodes": list(nodes), "cfg": {"id": RULE, "enable": enable}})


def ran(rule: Rule, *lines: dict[str, Any], **setup: Any) -> Result:
    """Run it."""
    given = {"start": START, **setup}
    return simulate(rule, read_script("\n".join(map(json.dumps, [{"setup": given}, *lines])), NOW))


def commands(result: Result) -> list[tuple[int, str]]:
    """Return when which node sent something."""
    return [(each.at_ms, each.node) for each in result.outputs]


def values(result: Result) -> list[object]:
    """Return what was sent."""
    return [each.value if isinstance(each, Written) else list(each.values) for each in result.outputs]


def called(result: Result) -> list[Called]:
    """Return the actions that were called."""
    return [each for each in result.outputs if isinstance(each, Called)]


def codes(result: Result) -> set[str]:
    """Return the codes of the diagnostics."""
    return {each.code for each in result.diagnostics}


def rests_on(result: Result) -> set[object]:
    """Return the options that decided something."""
    return {each.values["option"] for each in result.diagnostics if each.code == "semantics_unproven"}
