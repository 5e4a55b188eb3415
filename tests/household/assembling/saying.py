"""Say something in one of the homes of the cases, and see what is decided."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from zhixing.household.assembling.assembler import assemble
from zhixing.household.assembling.wire import read_request, to_wire

CASES = Path(__file__).parents[1] / "cases"
NOW = "2026-06-12T15:20:00+08:00"  # a Friday afternoon
FAMILY, BABY, OLD, LARGE, ALONE, FLAT, COUPLE = "family", "baby", "old", "large", "alone", "flat", "couple"
_FIRST = {"王强": FAMILY, "赵敏": BABY, "张桂兰": OLD, "林峰": LARGE, "陈晨": ALONE, "阿杰": FLAT, "李娜": COUPLE}
TASKS = [
    {
        "id": "drink_8_daily",
        "description": "妈妈每天喝 8 杯水",
        "status": "active",
        "rule_briefs": ["喝水计数→达标推送"],
    },
    {"id": "sit_30min", "description": "久坐 30 分钟提醒", "status": "active", "rule_briefs": ["坐姿 1800s→手机推送"]},
    {"id": "living_room_off", "description": "客厅没人关灯", "status": "active", "rule_briefs": ["客厅·无人→关灯"]},
    {"id": "mom_arrival", "description": "妈妈回家欢迎播报", "status": "active", "rule_briefs": ["玄关·妈妈进门→播报"]},
    {"id": "phone_time", "description": "每天累计玩手机超 1 小时提醒", "status": "paused", "rule_briefs": []},
]


@cache
def homes() -> dict[str, Any]:
    """Return the homes of the cases by their keys, and the usual ones by a name."""
    found = json.loads((CASES / "homes.json").read_text(encoding="utf-8"))
    for home in list(found.values()):
        people = home.get("persons") or []
        name = _FIRST.get(people[0]["name"]) if people else None
        if name and name not in found and "tasks" not in home:
            found[name] = home
    return found


def decided(
    text: str, home: str = FAMILY, *, now: str = NOW, tasks: list[Any] | None = None, source: Any = None,
    answers: dict[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the decision on `text` as the machine contract writes it."""
    context = {**homes()[home], "now": now, "tz": "Asia/Shanghai", "source_did": source}
    if tasks is not None:
        context["tasks"] = tasks
    name, request = read_request({"id": "x", "text": text, "context": context, "answers": answers})
    return to_wire(name, assemble(request))


def flat(text: str, home: str = FAMILY, **more: Any) -> dict[str, Any]:
    """Return the decision with the fields of its only task beside the others; schedule and record under their names."""
    found = decided(text, home, **more)
    one = found["tasks"][0] if len(found["tasks"]) == 1 else {}
    parts = {f"{part}.{key}": value for part in ("schedule", "record") for key, value in (one.get(part) or {}).items()}
    return {**one, **parts, **found}
