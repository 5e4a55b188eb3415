"""Scripts and cards for explanations, written short."""

from __future__ import annotations

import json
from typing import Any

from tests.graphs.simulating.small import NOW, START, node

from zhixing.graphs.simulating.reading import read_script
from zhixing.graphs.simulating.script import Script


def script_of(*lines: dict[str, Any], **setup: Any) -> Script:
    """Make a script."""
    return read_script("\n".join(map(json.dumps, [{"setup": {"start": START, **setup}}, *lines])), NOW)


def alarm(ends: str, **more: Any) -> dict[str, Any]:
    """Make an alarm that rings at 09:00, one hour after the start."""
    at = {"type": "periodicAlarm", "hour": 9, "minute": 0, "second": 0, "filter": {}}
    return node("it", "alarmClock", at | more, output=ends)


def hours(ends: str, start: int, end: int) -> dict[str, Any]:
    """Make a window by hours of the day; the run starts at 08:00."""
    whole = {"start": {"hour": start, "minute": 0, "second": 0}, "end": {"hour": end, "minute": 0, "second": 0}}
    return node("it", "timeRange", {**whole, "filter": {}}, output=ends)


def number(kind: str, ends: str, name: str = "x", **more: Any) -> dict[str, Any]:
    """Make a card that compares a global number."""
    asked = {"scope": "global", "id": name, "varType": "number", "operator": ">=", "v1": 3}
    outputs = {"output": ends} if kind == "varChange" else {"output": ends, "output2": ""}
    return node("it", kind, asked | more, **outputs)


def force(at_ms: int, name: str, pin: str = "output", **more: Any) -> dict[str, Any]:
    """Make a line: an output is forced."""
    return {"at_ms": at_ms, "force": {"node": name, "pin": pin, **more}}
