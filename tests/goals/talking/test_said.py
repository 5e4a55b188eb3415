"""Which words begin a goal, said to the home as any others."""

from __future__ import annotations

import pytest

from zhixing.app import App, build
from zhixing.goals.room import GoalTerms
from zhixing.goals.talking.talk import GoalTalk
from zhixing.goals.talking.views import GoalTalkView, Silence
from zhixing.kernel.errors import BadInput
from zhixing.notices.model import Source, Submission
from zhixing.notices.notice import Notice
from zhixing.say import say
from zhixing.settings import HomeZone, ZoneSource
from zhixing.world.bots.scripted import Line, ScriptedBot

HOME = HomeZone("Asia/Shanghai", ZoneSource.CONFIG, ())


@pytest.fixture
def app(store, clock) -> App:
    return build(store, clock, HOME, {})


def said(app: App, text: str, source: Source = Source.DIRECT) -> object:
    return say(app.ways, Submission(text, source, app.clock.now(), app.zone.name), who="cli")


def test_a_command_begins_a_goal_whatever_else_it_looks_like(app) -> None:
    for text in ("/task 明天下午3点提醒我开会", "/task 客厅没人就关灯", "/task 工作日早上8点写日报", " /task 写周报"):
        found = said(app, text)
        assert isinstance(found, GoalTalkView), text
        assert isinstance(found.row, GoalTalk)


def test_the_panel_is_answered_with_silence(app) -> None:
    panel = '<AixUI type="panel" component="taskPanel.TaskLoopView" params=\'{"taskId":"1"}\'></AixUI>'
    assert isinstance(said(app, panel), Silence)


@pytest.mark.parametrize("typed", ["/tsk 写周报", "/tasks 写周报", "/Taks", "/taks 写周报"])
def test_a_mistyped_command_is_no_to_do(app, typed: str) -> None:
    with pytest.raises(BadInput) as told:
        said(app, typed)
    assert "/task" in str(told.value)
    assert app.goals.talks.page() == []


@pytest.mark.parametrize(
    "text", ["/etc/hosts 改一下", "/usr 清理", "/", "/ 写周报", "/任务 写周报", "发起任务", "做个任务"]
)
def test_other_words_are_what_they_always_were(app, text: str) -> None:
    assert isinstance(said(app, text), Notice)


def test_what_was_pasted_begins_no_goal(app) -> None:
    assert isinstance(said(app, "/task 写周报", Source.PASTE), Notice)


def test_the_turn_of_the_next_task_is_told_when_the_goal_before_is_over(store, clock) -> None:
    content = ScriptedBot([Line('{"tasks": [], "has_gap": false, "gap_detail": "done"}')])
    app = build(store, clock, HOME, {}, goals=GoalTerms(fallback=content))
    talk = said(app, "/task 1. 修复登录页的空指针 2. 整理本周周报").row.id
    app.goals.talks.answer(talk, "1", who="cli")
    app.goals.talks.answer(talk, "交付物：代码 PR；验收标准：CI 通过；约束：没有", who="cli")
    goal = app.goals.talks.execute(talk).row.goal_id
    app.engine.drain()
    assert app.goals.goals.graph(goal).head.status.value == "DONE"
    with app.store.read() as tx:
        told = [message.text for message in app.delivery.inbox(tx)]
    assert any(text.startswith("轮到下一个任务了：整理本周周报。\n接着说：zhixing answer q2") for text in told), told
    assert app.goals.talks.show("q2").card is not None
