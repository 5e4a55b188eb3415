"""What arrives decides which of the seven segments does something, and no other does (taskloop §0.3).

There is no place that all texts go through: a conversation is recognised, and a bot is asked. So each text is put
before both: `recognise` shows a card for the texts of segment 1 alone, and a scenario is looked for in the others only.
"""

from __future__ import annotations

from enum import IntEnum

import pytest
from tests.goals.overlays.playing import ARCH, STORAGE

from zhixing.goals.overlays.answering import answer
from zhixing.goals.overlays.signals import Part, part_of, signals
from zhixing.goals.recognising.model import Message, Role, Silent
from zhixing.goals.recognising.recognising import recognise

COMPANY = "某某某公司"
PANEL = '<AixUI type="panel" component="taskPanel.TaskLoopView" params=\'{}\'></AixUI>'
GROUP = "[task-loop] loop_task_id=g::a; backend=http://host\n"
RELAY = "你被选中接力\nskill=bbs-relay-single-task\ntask_id=g\nbackend=http://host\n你的 bot_id=r1\n"
NODE = "目标节点 node_id=g\n任务态快照\n{}"


class Segment(IntEnum):
    """The segments by the numbers of the document; NONE is silence."""

    NONE = 0
    RECOGNITION = 1
    PLANNING = 2
    SEARCH = 3
    ACCEPTANCE = 4
    RELAY = 5
    ANSWER = 6
    PLANNING_BY_TABLE = 7


EACH = [
    ("/task 修复命名问题", Segment.RECOGNITION),
    ("/task workflow_id='wf' 修复命名问题", Segment.RECOGNITION),
    ('[RESUME_TASK]\n  生成本月月报\n  source: "月报"', Segment.RECOGNITION),
    (f"[planning] 请计算差距\n{NODE}", Segment.PLANNING),
    (f"[planning] 请计算差距\n{NODE}{COMPANY}", Segment.PLANNING_BY_TABLE),
    ('[search] 子任务需求+候选集\n{"demand": {}, "catalog": []}', Segment.SEARCH),
    (f"{GROUP}目标：对比价格", Segment.ACCEPTANCE),
    (f"{RELAY}任务态快照\n{{}}", Segment.RELAY),
    (f"目标：名册\n任务：整理{COMPANY}基础架构方向的架构师", Segment.ANSWER),
    ("今天天气怎么样", Segment.NONE),
    ("发起任务：修复命名", Segment.NONE),
    ("[EXPLICIT_TASK] 修复命名", Segment.NONE),
    ("", Segment.NONE),
]
SEVERAL = [
    (f"{RELAY}[planning] {COMPANY} /task", Segment.RELAY),
    (f"[planning] 把 /task 的卡片写好\n{NODE}", Segment.PLANNING),
    (f"[planning] {GROUP}{COMPANY}", Segment.PLANNING_BY_TABLE),
    (f"[search] /task {GROUP}", Segment.SEARCH),
    (f"{GROUP}/task 写一份{COMPANY}的名册", Segment.ACCEPTANCE),
    (f"/task 整理{COMPANY}的架构师名册", Segment.RECOGNITION),
]
OF_BOTS = {
    Segment.PLANNING: Part.PLANNING,
    Segment.PLANNING_BY_TABLE: Part.PLANNING,
    Segment.SEARCH: Part.SEARCHING,
    Segment.RELAY: Part.ANSWER,
    Segment.ANSWER: Part.ANSWER,
}


def is_heard_in_a_conversation(text: str) -> bool:
    role = Role.PLATFORM if text.startswith("[RESUME_TASK]") else Role.USER
    return not isinstance(recognise([Message(role, text)]), Silent)


@pytest.mark.parametrize(("text", "segment"), [*EACH, *SEVERAL])
def test_a_conversation_hears_the_texts_of_recognition_and_no_other(text: str, segment: Segment) -> None:
    """L-8.1, L-8.2, L-8.5: 5 > 7, 2, 3 > 4 > 1 > 6: a header in front is no task that somebody hands in."""
    assert is_heard_in_a_conversation(text) is (segment is Segment.RECOGNITION)


@pytest.mark.parametrize(("text", "segment"), [*EACH, *SEVERAL])
def test_a_scenario_is_asked_for_what_its_segments_do_and_for_nothing_of_the_trunk(text: str, segment: Segment) -> None:
    """L-7.1."""
    wanted = OF_BOTS.get(segment)
    # Words without any mark may be the content of a leaf; only the signal of a scenario makes something of them.
    if segment is not Segment.NONE:
        assert part_of(text) is wanted
    found = signals(text, (STORAGE, ARCH))
    assert (found is ARCH) is (COMPANY in text and wanted is not None)
    assert found is not STORAGE


def test_a_framework_question_in_front_goes_before_every_word_inside_it() -> None:
    assert signals(f"[planning] {COMPANY} skill=bbs-relay-single-task", (ARCH,)) is ARCH
    assert part_of("[search] [planning]") is Part.SEARCHING


def test_a_relay_message_is_answered_by_the_scenario_while_the_relay_stays_what_it_is() -> None:
    """L-6.5, L-8.3: The only two segments that work together are 5 and 6."""
    message = f"{RELAY}还缺：整理{COMPANY}基础架构方向的架构师"
    assert signals(message, (ARCH,)) is ARCH
    said = answer(ARCH, message)
    assert said is not None
    assert '"domain": "基础架构"' in said
    assert signals(message, ()) is None


@pytest.mark.parametrize(
    "text", [PANEL, "继续", "[RESUME_TASK", "planning", "search", "[plan] x", "task 修复命名", "请 /task 修复命名"]
)
def test_what_is_of_no_segment_is_met_with_silence(text: str) -> None:
    """L-8.4: No task is made up, nothing is asked back, no card is shown, and no scenario takes it."""
    assert not is_heard_in_a_conversation(text)
    assert signals(text, (STORAGE, ARCH)) is None
