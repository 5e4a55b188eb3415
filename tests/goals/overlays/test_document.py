"""What the document fixes of its demonstration: the roster and the three tasks, as they are written there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.goals.overlays.playing import ARCH
from tests.goals.overlays.test_tables import D, R, T, shown

from zhixing.goals.overlays.answering import answer
from zhixing.goals.overlays.planning import plan

GOLDEN = Path(__file__).parent / "golden"
ROSTER = (GOLDEN / "roster.json").read_text(encoding="utf-8")
TASKS = json.loads((GOLDEN / "arch_tasks.json").read_text(encoding="utf-8"))
TECH, DUAL, ARCHITECTS = TASKS


@pytest.mark.parametrize("direction", ["基础架构", "中间件架构", "数据架构"])
def test_the_roster_is_the_block_of_the_document_but_for_the_direction(direction: str) -> None:
    """L-6.3, L-6.4."""
    said = answer(ARCH, f"整理某某某公司{direction}方向的 3 位核心技术架构师")
    assert said == f"```json\n{ROSTER.replace('<被问的方向>', direction)}```"


@pytest.mark.parametrize(
    ("wanted", "tasks"), [([R], [ARCHITECTS]), ([T, R], [TECH, ARCHITECTS]), ([T, D, R], [TECH, DUAL, ARCHITECTS])]
)
def test_the_first_tasks_are_those_of_the_document_word_for_word(wanted: list[str], tasks: list[object]) -> None:
    """L-7.6."""
    reply = plan(ARCH, "g", shown({}, wanted))
    assert reply is not None
    assert json.dumps(json.loads(reply)) == json.dumps({"tasks": tasks, "has_gap": True, "gap_detail": ""})


@pytest.mark.parametrize("done", [{"N_tech_stack": "分层"}, {"N_tech_stack": "分层", "N_dual_view": "两面"}])
def test_what_is_done_is_not_given_again(done: dict[str, str]) -> None:
    """L-7.7."""
    reply = plan(ARCH, "g", shown(done, [T, D, R]))
    assert reply is not None
    assert json.loads(reply)["tasks"] == []
