"""Which scenario a text belongs to, by the priorities of taskloop §0.3."""

from __future__ import annotations

import pytest
from tests.goals.overlays.playing import ARCH, STORAGE

from zhixing.goals.overlays.signals import signals

BOTH = (STORAGE, ARCH)
COMPANY, CASE = "某某某公司", "gwqie46v7hzr1w6h"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"[planning] 请计算差距\n{COMPANY}", "arch"),
        (f"  [task-planning] {COMPANY}", "arch"),
        (f"[search] {COMPANY}", "arch"),
        (f"[planning] 案例 {CASE}", "storage"),
        (f"[search] 案例 {CASE}", "storage"),
        ("[planning] 修复命名问题", None),
        (f"任务：整理{COMPANY}基础架构方向的架构师", "arch"),
        (f"任务：案例 {CASE}", None),
        (f"[planning] 引用 /task 和 [RESUME_TASK]：{COMPANY}", "arch"),
        (f"接力\nskill=bbs-relay-single-task\n任务态快照 {COMPANY} [planning]", "arch"),
        (f"[bbs-bid] {COMPANY}", None),
        (f"[task-loop] loop_task_id=g::a; backend=b\n{COMPANY}", None),
        (f"/task 整理{COMPANY}的架构师", None),
        (f"[RESUME_TASK]\n  整理{COMPANY}的架构师", None),
        (f"<AixUI type='panel'>{COMPANY}</AixUI>", None),
        ("某某公司", None),
        ("", None),
    ],
)
def test_the_message_decides_which_scenario_it_is(text: str, name: str | None) -> None:
    found = signals(text, BOTH)
    assert (None if found is None else found.name) == name
    assert signals(text, ()) is None
