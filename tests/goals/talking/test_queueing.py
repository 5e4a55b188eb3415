"""Several tasks at once: one is chosen, the others wait, and come back one by one (taskloop §1.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.goals.talking.room import TWO, Room, draft_of

from zhixing.goals.loop.values import GraphStatus
from zhixing.kernel.errors import Conflict

THREE = "/task 1. 修复登录页的空指针 2. 写一份竞品分析报告 3. 整理本周周报"
REST = "交付物：代码 PR；验收标准：CI 通过；约束：不动接口逻辑"


def chosen_of_three(room: Room) -> str:
    talk = room.say(THREE).row.id
    room.answer(talk, "1")
    assert room.states() == {"q1": "open", "q2": "queued", "q3": "queued"}
    return talk


def run(room: Room, talk: str) -> str:
    room.answer(talk, REST)
    return room.talks.execute(talk).row.goal_id


def test_a_list_is_shown_with_a_choice(room: Room):
    view = room.say(TWO)
    assert view.card["type"] == "task_multi_select"
    assert view.lines[:3] == ("识别到 2 个任务：", "① 修复登录页的空指针", "② 给产品写一份竞品分析报告")
    assert [each.value for each in view.question.options] == ["1", "2"]
    with pytest.raises(Conflict):
        room.talks.execute(view.row.id)


@pytest.mark.parametrize("words", ["2", "②", "第二个", "B", "写一份竞品分析报告", "先做竞品分析报告"])
def test_a_task_is_chosen_by_number_sign_letter_or_title(room: Room, words):
    talk = room.say(TWO).row.id
    view = room.answer(talk, words)
    assert draft_of(view).goal == "给产品写一份竞品分析报告"
    assert room.states() == {"q1": "open", "q2": "queued"}
    (waits,) = view.others
    assert waits.text == "修复登录页的空指针"
    assert any("q2" in line for line in view.lines)


def test_what_chooses_none_asks_again(room: Room):
    talk = room.say(TWO).row.id
    view = room.answer(talk, "7")
    assert view.card["type"] == "task_multi_select"
    assert room.states() == {"q1": "open"}


def test_the_next_comes_when_the_goal_of_the_one_before_is_over(room: Room):
    """L-1.34."""
    goal = run(room, chosen_of_three(room))
    assert room.states() == {"q1": "executed", "q2": "queued", "q3": "queued"}
    assert any("q2" in line for line in room.talks.show("q1").lines)
    room.over(goal)
    room.over(goal)
    assert room.states() == {"q1": "finished", "q2": "open", "q3": "queued"}
    assert room.offered == ["q2"]
    room.restart()
    view = room.talks.show("q2")
    assert draft_of(view).goal == "写一份竞品分析报告"
    assert view.card["type"] != "task_multi_select"
    room.over(run(room, "q2"))
    assert room.states() == {"q1": "finished", "q2": "finished", "q3": "open"}


def test_the_next_comes_at_once_when_the_one_before_is_discarded_or_set_aside(room: Room):
    room.answer(chosen_of_three(room), REST)
    view = room.talks.save("q1")
    assert room.states() == {"q1": "saved", "q2": "open", "q3": "queued"}
    assert any("接着是 q2" in line for line in view.lines)
    view = room.talks.discard("q2")
    assert any("接着是 q3" in line for line in view.lines)
    assert room.states() == {"q1": "saved", "q2": "discarded", "q3": "open"}
    assert room.offered == []


def test_one_comes_at_a_time_unless_somebody_wants_it_earlier(room: Room):
    goal = run(room, chosen_of_three(room))
    view = room.talks.show("q2")
    assert [each.label for each in view.question.options] == ["继续", "丢弃"]
    assert room.answer("q2", "A").row.state.value == "open"
    room.over(goal)
    assert room.states() == {"q1": "finished", "q2": "open", "q3": "queued"}


def test_what_waits_can_be_discarded_and_not_executed(room: Room):
    chosen_of_three(room)
    for act in (room.talks.execute, room.talks.save):
        with pytest.raises(Conflict):
            act("q3")
    assert "没听出" in room.answer("q3", "快一点").lines[0]
    room.talks.discard("q2")
    assert room.states() == {"q1": "open", "q2": "discarded", "q3": "queued"}
    room.talks.discard("q1")
    assert room.states() == {"q1": "discarded", "q2": "discarded", "q3": "open"}


def test_a_goal_of_which_nobody_talked_and_one_that_only_hangs_change_nothing(room: Room):
    goal = room.desk.goals.graph(run(room, chosen_of_three(room)))
    hung = replace(goal, head=replace(goal.head, status=GraphStatus.HUNG))
    other = replace(goal.head, status=GraphStatus.DONE, info=replace(goal.head.info, task_id="other"))
    with room.home.store.write() as tx:
        room.talks.changed(tx, goal, hung)
        room.talks.changed(tx, goal, replace(goal, head=other))
    assert room.states() == {"q1": "executed", "q2": "queued", "q3": "queued"}


def test_a_workflow_is_not_lost_to_the_one_that_is_chosen(room: Room):
    talk = room.say("/task workflow_id='wf-1' 修复登录页的空指针。另外给产品写一份竞品分析报告").row.id
    assert draft_of(room.answer(talk, "1")).workflow_id == "wf-1"
