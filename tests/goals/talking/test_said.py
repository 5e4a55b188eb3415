"""Which words begin a goal, said to the home as any others."""

from __future__ import annotations

import pytest

from zhixing.app import App, build
from zhixing.goals.talking.talk import GoalTalk
from zhixing.goals.talking.views import GoalTalkView, Silence
from zhixing.kernel.errors import BadInput
from zhixing.notices.model import Source, Submission
from zhixing.notices.notice import Notice
from zhixing.say import say
from zhixing.settings import HomeZone, ZoneSource


@pytest.fixture
def app(store, clock) -> App:
    return build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG, ()), {})


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
