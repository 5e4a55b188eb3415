"""Bots that reply off a list, for goals that run without a network."""

from __future__ import annotations

import json
from typing import Any

PLAN = {
    "tasks": [
        {
            "metadata": {"task_id": "draft", "title": "写初稿", "instruction": "写周报的初稿"},
            "goal": {"objective": "周报初稿", "acceptances": [{"id": "ac1", "description": "写完"}]},
        }
    ],
    "has_gap": True,
    "gap_detail": "",
}
CLOSED = {
    "tasks": [],
    "has_gap": False,
    "gap_detail": "done",
    "acceptance_verdicts": [{"ac_id": "ac1", "passed": True, "reason": "只有一页"}],
}
HIT = {"outcome": "HIT_SINGLE", "bot_id": "writer"}
MISS = {"outcome": "MISS", "miss_reason": "没有人会"}
REPORT = "周报写好了"


def bots_file(search: object = HIT, *others: str) -> str:
    """Return the file of a planner that splits once and is content with the report, and of a writer that writes it."""
    planner = [_line(REPORT, CLOSED), _line("[planning]", PLAN), _line("[search]", search)]
    return "\n".join([
        _bot("planner", "规划员", planner, '"规划"'),
        _bot("writer", "写手", [_line("", {"success": True, "data": REPORT, "gaps": []})], '"写周报"'),
        *others,
    ])  # fmt: skip


def _bot(bot_id: str, name: str, lines: list[str], abilities: str) -> str:
    return (
        f'[[bots]]\nid = "{bot_id}"\nname = "{name}"\nkind = "scripted"\nabilities = [{abilities}]\n'
        f"scripted = {{ lines = [{', '.join(lines)}] }}\n"
    )


def _line(when: str, reply: object) -> str:
    said = f"reply = '{json.dumps(reply, ensure_ascii=False)}'"
    return f"{{ when = {json.dumps(when, ensure_ascii=False)}, {said} }}" if when else f"{{ {said} }}"


def with_bots(terminal: Any, text: str) -> Any:
    """Give the home of a terminal its bots."""
    terminal.home.mkdir(parents=True, exist_ok=True)
    (terminal.home / "bots.toml").write_text(text, encoding="utf-8")
    return terminal
