"""The event scripts of the case file: replies, what is to be seen at the end, and in between where a script says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zhixing.goals.loop.replaying import replayed

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "loop.jsonl").read_text("utf-8").splitlines()]
OF_SUBJECTS = {"bbs", "hung", "run_mode", "assignee", "first_start", "output", "gaps"}


@pytest.mark.parametrize("case", CASES, ids=[each["id"] for each in CASES])
def test_a_script_leads_to_what_the_case_says(case: dict[str, Any]) -> None:
    out = replayed(case)
    for number, event in enumerate(case["events"]):
        if "reply" in event:
            assert out["replies"][number] in {event["reply"], *event.get("reply_any", [])}, number
        if "then" in event:
            assert not differences({**event["then"], "only_nodes": False}, out["after"][str(number)]), number
    first = differences(case["expected"], out["observed"])
    assert not first or any(not differences(each, out["observed"]) for each in case.get("accept", [])), first


def differences(want: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """Return what is otherwise than wanted; only what is wanted is compared."""
    found = []
    if want.get("only_nodes", True) and "nodes" in want and set(want["nodes"]) != set(got["nodes"]):
        found.append(f"nodes {sorted(got['nodes'])}")
    for key, value in want.items():
        if key == "nodes_max":
            found += [key] if len(got["nodes"]) > value else []
        elif key == "calls":
            found += [f"calls {kind}" for kind, per in value.items() if not _called(per, got["calls"].get(kind, {}))]
        elif key == "outstanding":
            found += [f"outstanding {got[key]}"] if sorted(value) != got[key] else []
        elif key == "retries":
            found += [f"{key} {name}" for name, n in value.items() if got[key].get(name, 0) != n]
        elif key == "nodes" or key in OF_SUBJECTS:
            found += [f"{key} {n} {got[key].get(n)}" for n, x in value.items() if not _is_one_of(got[key].get(n), x)]
        elif key != "only_nodes":
            found += [f"{key} {got[key]}"] if not _is_one_of(got[key], value) else []
    return found


def _called(per: int | dict[str, int], counted: dict[str, int]) -> bool:
    if isinstance(per, int):
        return sum(counted.values()) == per
    return all(counted.get(name, 0) == n for name, n in per.items())


def _is_one_of(got: object, want: Any) -> bool:
    if isinstance(want, dict) and "any" in want:
        return got in want["any"]
    return got == want or (isinstance(want, list) and isinstance(got, str) and got in want)
