"""What rules are not certain of is read by a model; where it is away, refuses or talks nonsense, rules have to do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.goals.recognising.replying import reply, task
from tests.goals.talking.room import FIX, TWO, draft_of

from zhixing.goals.talking.operations import MOST_TRIES
from zhixing.kernel.errors import Conflict
from zhixing.world.models.failures import ModelRefused, ModelUnavailable, Why
from zhixing.world.models.scripted import FunctionModel

TRAINING = "/task 组织下周三的新人培训"
MINUTE = timedelta(minutes=1)


def read_as(*tasks):
    return lambda _prompt: reply(*tasks)


def test_a_model_reads_it_behind_the_scenes(reading_room, clock):
    model = FunctionModel(read_as(task("组织下周三的新人培训", deliverables=["培训材料"])), clock)
    room = reading_room(model)
    waiting = room.say(TRAINING)
    assert (waiting.row.state.value, waiting.card, waiting.question) == ("pending_ai", None, None)
    with pytest.raises(Conflict):
        room.answer("q1", "验收标准：全员签到")
    room.engine.drain()
    view = room.talks.show("q1")
    assert view.row.state.value == "open"
    assert draft_of(view).deliverables == ("培训材料",)
    assert len(model.asked) == 1


def test_a_command_that_rules_understand_asks_no_model(reading_room, clock):
    model = FunctionModel(read_as(), clock)
    room = reading_room(model)
    assert room.say(FIX).card["type"] == "task_ready"
    room.engine.drain()
    assert model.asked == []


def test_where_a_model_changed_the_draft_a_button_shows_it_first(reading_room, clock):
    text = f"{TRAINING}，交付物：培训材料，验收标准：全员签到，约束：周五前完成"
    model = FunctionModel(read_as(task("组织下周三的新人培训", constraints=[])), clock)
    room = reading_room(model)
    room.say(text)
    talk = room.answer("q1", "再轻松一点点").row
    if talk.state.value == "pending_ai":
        room.engine.drain()
    view = room.answer("q1", "执行")
    assert view.row.state.value == "open"
    assert "请看过再按" in view.lines[0]
    assert room.desk.handed_in == []
    assert room.answer("q1", "执行").row.state.value == "executed"


@pytest.mark.parametrize("failure", [ModelRefused(Why.DECLINED), "这不是 JSON"])
def test_where_it_gives_no_answer_what_rules_know_is_shown(reading_room, clock, failure):
    room = reading_room(FunctionModel(lambda _prompt: failure, clock))
    room.say(TRAINING)
    room.engine.drain()
    view = room.talks.show("q1")
    assert view.card["type"] == "task_clarify"
    assert "培训" in draft_of(view).goal


def test_a_model_that_is_away_is_waited_for_a_while(reading_room, clock):
    model = FunctionModel(lambda _prompt: ModelUnavailable(Why.UNREACHABLE), clock)
    room = reading_room(model)
    room.say(TRAINING)
    for _ in range(MOST_TRIES + 2):
        room.engine.drain()
        clock.advance(MINUTE)
    assert len(model.asked) == MOST_TRIES
    assert room.talks.show("q1").row.state.value == "open"


def test_a_wait_for_a_model_stands_over_a_restart_and_ends_where_there_is_none_any_more(reading_room, clock):
    model = FunctionModel(read_as(task("组织下周三的新人培训", deliverables=["培训材料"])), clock)
    room = reading_room(model)
    room.say(TRAINING)
    room.restart()
    room.engine.drain()
    assert draft_of(room.talks.show("q1")).deliverables == ("培训材料",)
    room.say(TRAINING)
    room.model = None
    room.restart()
    assert room.talks.show("q2").row.state.value == "open"


def test_what_is_discarded_while_a_model_reads_stays_so(reading_room, clock):
    room = reading_room(FunctionModel(read_as(task("组织下周三的新人培训")), clock))
    room.say(TRAINING)
    room.talks.discard("q1")
    room.engine.drain()
    assert room.states() == {"q1": "discarded"}


def test_a_question_that_never_comes_to_an_end_leaves_what_rules_know(reading_room, clock):
    def broken(_prompt):
        raise RuntimeError("a mistake of ours")

    room = reading_room(FunctionModel(broken, clock))
    room.say(TRAINING)
    for _ in range(8):
        room.engine.drain()
        clock.advance(MINUTE * 20)
    assert room.talks.show("q1").row.state.value == "open"


def test_the_tasks_that_were_not_chosen_wait_also_where_a_model_reads_the_rest(reading_room, clock):
    room = reading_room(FunctionModel(read_as(task("修复登录页的空指针")), clock))
    room.say(TWO)
    room.answer("q1", "1，要弄得漂漂亮亮才好呢")
    room.engine.drain()
    assert room.states() == {"q1": "open", "q2": "queued"}
