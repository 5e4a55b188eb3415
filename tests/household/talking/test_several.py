"""Several tasks in one sentence (H-IN-01): all of them or none, and each of them told."""

from __future__ import annotations

import pytest

from zhixing.household import registry
from zhixing.household.talking.talk import TalkState


def test_each_of_them_is_made_and_told(talking) -> None:
    home = talking()
    talk = home.say("客厅没人就关灯。儿童房没人就关灯。")
    assert (talk.state, len(talk.tasks), len(home.slugs)) == (TalkState.DONE, 2, 2), talk
    assert all(any(slug in line for line in talk.lines) for slug in talk.tasks)


@pytest.mark.parametrize("text", ["客厅没人就关灯\n儿童房没人就关灯", "客厅没人就关灯\r\n\r\n儿童房没人就关灯\n"])
def test_lines_are_sentences(talking, text) -> None:
    home = talking()
    assert len(home.say(text).tasks) == 2


def test_what_one_of_them_leaves_open_holds_up_both(talking) -> None:
    home = talking()
    talk = home.say("客厅没人就关灯。久坐30分钟提醒一下。")
    assert (talk.state, home.slugs) == (TalkState.ASKED, [])
    talk = home.app.talks.answer(talk.id, "手机", who="test")
    assert (talk.state, len(talk.tasks), len(home.slugs)) == (TalkState.DONE, 2, 2), talk


def test_a_question_says_which_of_them_it_is_about(talking) -> None:
    talk = talking().say("客厅没人就关灯。久坐30分钟提醒一下。")
    assert "久坐" in talk.prompt


def test_none_is_made_where_one_of_them_cannot_be(talking, monkeypatch) -> None:
    home = talking()
    home.say("起床后自动开窗帘")
    monkeypatch.setattr(registry, "MOST_TASKS", 2)
    talk = home.say("客厅没人就关灯。儿童房没人就关灯。")
    assert (talk.state, talk.why, talk.tasks, len(home.slugs)) == (TalkState.REFUSED, "household_tasks_many", (), 1)
    assert len(talk.lines) == 1


@pytest.mark.parametrize("text", ["客厅没人就关灯，妈妈回家播报欢迎", "客厅没人就关灯；妈妈回家就播报欢迎回家"])
def test_two_wishes_in_one_breath(talking, text) -> None:
    talk = talking().say(text)
    assert (talk.state, len(talk.tasks)) == (TalkState.DONE, 2)
    assert [line.partition("：")[0] for line in talk.lines if line.startswith("任务")] == [
        f"任务「{slug}」" for slug in talk.tasks
    ]
