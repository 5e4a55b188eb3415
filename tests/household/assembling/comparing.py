"""Compare a decision with what is expected of it, as the scorer of the cases does."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.household.assembling.saying import homes

from zhixing.household.assembling.assembler import assemble
from zhixing.household.assembling.wire import read_request, to_wire

ALONE = {"camera", "duplicate", "paused", "name_conflict"}
"""Asked first and by themselves; what else the task would be is not looked at."""
FIELDS = (
    "rule", "lifecycle", "expires_at", "mode", "duration_seconds", "exit_debounce_seconds", "on_exit", "action_type",
    "channel", "subject", "source",
)  # fmt: skip
PARTS = {
    "schedule": ("kind", "expr", "at", "every_ms"),
    "record": ("kind", "target", "target_minutes", "window", "task_type"),
}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    context = {**homes()[case["home"]], **{key: case.get(key) for key in ("now", "tz", "source_did")}}
    context["tasks"] = case.get("tasks") or context.get("tasks") or []
    name, request = read_request({**{key: case.get(key) for key in ("id", "text", "answers")}, "context": context})
    return to_wire(name, assemble(request))


def same(ours: Any, wanted: Any) -> bool:
    if isinstance(ours, list) and isinstance(wanted, list):
        return sorted(ours) == sorted(wanted)
    if isinstance(ours, str) and isinstance(wanted, str) and "T" in ours and "T" in wanted:
        try:
            return abs((datetime.fromisoformat(ours) - datetime.fromisoformat(wanted)).total_seconds()) <= 1
        except ValueError:
            return False
    return ours == wanted


def differences(case: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    """Return how a decision differs from what is expected or accepted."""
    wanted, accepted = case["expected"], case.get("accept") or {}

    def fits(key: str, mine: Any, right: Any) -> bool:
        others = accepted.get(key, [])
        others = others if isinstance(others, list) and key != "source" else [others]
        return same(mine, right) or any(same(mine, other) for other in others)

    if not fits("op", ours["op"], wanted["op"]):
        return ["op"]
    if wanted.get("reject"):
        return [] if fits("reject", ours["reject"], wanted["reject"]) else ["reject"]
    if wanted["op"] != "create":
        return [] if sorted(ours.get("target") or []) == sorted(wanted.get("target") or []) else ["target"]
    asked, right = set(ours["questions"]), set(wanted["questions"])
    allowed = [right, set(accepted.get("questions", right)), right | set(accepted.get("questions+", []))]
    wrong = [] if asked in allowed else ["questions"]
    if right & ALONE:
        return wrong
    if len(ours["tasks"]) != len(wanted["tasks"]):
        return [*wrong, "tasks"]
    for mine, theirs in zip(ours["tasks"], wanted["tasks"], strict=True):
        wrong += [key for key in FIELDS if key in theirs and not fits(key, mine.get(key), theirs[key])]
        wrong += [part for part in PARTS if part not in accepted and not part_fits(part, mine, theirs, accepted, fits)]
    tips, needed = set(ours["tips"]), set(wanted["tips"])
    if needed - tips - set(accepted.get("tips-", [])):
        wrong.append("tips missing")
    if tips - needed - set(wanted["tips_optional"]) - set(accepted.get("tips+", [])):
        wrong.append("tips too many")
    return wrong


def part_fits(part: str, mine: Any, theirs: Any, accepted: Any, fits: Any) -> bool:
    ours, right = mine.get(part), theirs.get(part)
    if ours is None or right is None:
        return ours is right
    if part == "schedule" and {"schedule.points", "schedule.hours_within"} & set(accepted):
        return True
    return all(right.get(key) is None or fits(f"{part}.{key}", ours.get(key), right[key]) for key in PARTS[part])


def cases(table: Path) -> list[dict[str, Any]]:
    """Read a table of requests: one JSON object a line."""
    return [json.loads(line) for line in table.read_text(encoding="utf-8").splitlines()]
