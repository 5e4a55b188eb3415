"""Plans to start from, and changes of them: what the tables of this folder mean."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from zhixing.household.checks import Finding, check, read_assembly, read_context

HERE = Path(__file__).parent
HOME: dict[str, Any] = json.loads((HERE / "home.json").read_text(encoding="utf-8"))
ONE_PERSON = [{"name": "李娜", "role": "妈妈"}]
PLANS: dict[str, dict[str, Any]] = {
    file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted((HERE / "plans").glob("*.json"))
}


def rows(name: str) -> list[dict[str, Any]]:
    """Read a table: `{id?, base, set, drop, home, also}`, one row a line."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def changed(row: dict[str, Any]) -> dict[str, Any]:
    """Give the base of a row with values set at `a.0.b` and others dropped."""
    plan = deepcopy(PLANS[row["base"]])
    for path, value in row.get("set", {}).items():
        holder, last = _holder(plan, path)
        holder[last] = deepcopy(value)
    for path in row.get("drop", []):
        holder, last = _holder(plan, path)
        del holder[last]
    return plan


def found(plan: dict[str, Any], home: dict[str, Any] | None = None) -> tuple[Finding, ...]:
    """Check a plan in the home, with some of the home's values in others' place."""
    return check(read_assembly(plan), read_context({**HOME, **(home or {})}))


def _holder(plan: Any, path: str) -> tuple[Any, Any]:
    *way, last = path.split(".")
    for step in way:
        plan = plan[int(step) if isinstance(plan, list) else step]
    return plan, int(last) if isinstance(plan, list) else last
