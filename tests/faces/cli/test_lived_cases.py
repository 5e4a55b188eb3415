"""What a user may expect of a task over days, as data: `tests/household/cases/lived.jsonl`, through `zhixing simulate`.

`seen` are [condition, instant] for a momentary event and [condition, from, to] for what was so all the while, told once
a minute. `lives` are the lines of record, target, near misses, jobs and the end, each behind its day and time.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parents[2] / "household/cases/lived.jsonl"


def told(seen: list[list[str]]) -> str:
    rows: list[dict[str, Any]] = []
    for number, (condition, first, *last) in enumerate(seen):
        said = {"source": "cam_living", "condition": condition}
        if not last:
            rows.append(said | {"value": True, "at": first, "event": f"e{number}"})
            continue
        at, end = datetime.fromisoformat(first), datetime.fromisoformat(last[0])
        while at < end:
            rows.append(said | {"value": True, "at": at.isoformat()})
            at += timedelta(seconds=60)
        rows.append(said | {"value": False, "at": end.isoformat(), "firm": True})
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def line(event: dict[str, Any]) -> str | None:
    when = f"{event['at'][8:10]} {event['at'][11:19]}"
    match event["what"]:
        case "record" if event["action"] in ("increment", "append"):
            return f"{when} {event['current']}"
        case "record":
            amount = "" if event["action"] == "start" or event.get("current") is None else f" {event['current']}"
            return f"{when} {event['action']}{amount}"
        case "target" | "job":
            return f"{when} {event['what']}"
        case "near_miss":
            return f"{when} near_miss {event['why']} {event['held']:g}/{event['needed']:g}"
        case "ended":
            return f"{when} ended {event['why'] or event['status']}"
    return None


@pytest.mark.parametrize(
    "case", [json.loads(each) for each in CASES.read_text().splitlines()], ids=lambda case: case["case"]
)
def test_a_task_lives_as_a_user_may_expect(case, terminal):
    assert terminal("config", "set", "zone", case["zone"]).code == 0
    plan = case["plan"] | {"task": {"task_id": "case", "description": "用例", **case["plan"].get("task", {})}}
    for part in (*plan.get("rules", ()), *plan.get("schedules", ())):
        part["name"] = f"[case] {part['name']}"
    made = terminal("apply", "-", stdin=json.dumps(plan, ensure_ascii=False).encode())
    assert made.code == 0, made.err
    options = ("--until", case["until"]) if "until" in case else ()
    lived = terminal("simulate", "case", "--verdicts", "-", "--json", *options, stdin=told(case["seen"]).encode()).json
    assert [text for text in map(line, lived["events"]) if text] == case["lives"]
    if "unheard" in case:
        assert lived["unheard"] == case["unheard"]
