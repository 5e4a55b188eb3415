"""Sentences and answers in the wrong order, too late, too many, about what is gone, in odd characters."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.household.talking import operations
from zhixing.household.talking.talk import TalkState
from zhixing.kernel.errors import BadInput, Conflict, TooLarge
from zhixing.tasks.task import Status

STATES = {
    TalkState.DONE: "客厅没人就关灯",
    TalkState.ASKED: "久坐30分钟提醒一下",
    TalkState.REFUSED: "连续30小时没人就推送手机",
}


def test_two_sentences_in_a_row_are_two_questions(talking) -> None:
    home = talking()
    first, second = home.say("久坐30分钟提醒一下"), home.say("每天累计玩手机超1小时提醒")
    assert (first.state, second.state) == (TalkState.ASKED, TalkState.ASKED)
    home.app.talks.answer(second.id, "A", who="test")
    home.app.talks.answer(first.id, "B", who="test")
    told = {view.slug: str(view.rules) for view in home.app.household.list()}
    assert "手机推送" in told[home.app.talks.get(first.id).tasks[0]]
    assert "音箱播报" in told[home.app.talks.get(second.id).tasks[0]]


def test_the_same_sentence_twice_asks_about_the_first_one_when_that_is_made(talking) -> None:
    home = talking()
    first, second = home.say("久坐30分钟提醒一下"), home.say("久坐30分钟提醒一下")
    made = home.app.talks.answer(first.id, "B", who="test")
    again = home.app.talks.answer(second.id, "B", who="test")
    assert (again.state, [one.kind for one in again.questions], again.tasks) == (
        TalkState.ASKED,
        ["duplicate"],
        made.tasks,
    )
    assert home.app.talks.answer(second.id, "C", who="test").state is TalkState.CANCELLED
    assert home.slugs == list(made.tasks)


def test_a_yes_is_a_yes_to_the_tasks_that_were_named(talking) -> None:
    home = talking()
    home.say("客厅没人就关灯")
    home.say("久坐30分钟提醒一下", "A")
    talk = home.say("把所有任务都删了")
    (later,) = home.say("儿童房没人就关灯").tasks
    assert home.app.talks.answer(talk.id, "A", who="test").state is TalkState.DONE
    assert home.slugs == [later]


def test_a_no_is_a_no_also_when_only_one_of_them_is_left(talking) -> None:
    home = talking()
    (first,) = home.say("客厅没人就关灯").tasks
    (second,) = home.say("久坐30分钟提醒一下", "A").tasks
    talk = home.say("把所有任务都删了")
    home.app.household.delete(first, who="somebody")
    assert home.app.talks.answer(talk.id, "B", who="test").state is TalkState.CANCELLED
    assert home.slugs == [second]


def test_what_was_to_be_replaced_is_not_somebody_elses_task_of_the_same_kind(talking) -> None:
    home = talking()
    (first,) = home.say("客厅没人就关灯").tasks
    talk = home.say("客厅没人就关灯")
    (other,) = home.say("没人在客厅就关灯", "B").tasks
    home.app.household.delete(first, who="somebody")
    asked = home.app.talks.answer(talk.id, "A", who="test")
    assert (asked.state, asked.tasks, home.slugs) == (TalkState.ASKED, (other,), [other])


def test_a_question_about_a_task_that_was_deleted_meanwhile_ends_in_one_line(talking) -> None:
    home = talking()
    for text in ("客厅没人就关灯", "儿童房没人就关灯"):
        home.say(text)
    talk = home.say("那个提醒先停一停")
    assert [one.kind for one in talk.questions] == ["which_task"]
    for slug in home.slugs:
        home.app.household.delete(slug, who="somebody")
    ended = home.app.talks.answer(talk.id, "A", who="test")
    assert (ended.state, len(ended.lines)) == (TalkState.REFUSED, 1)


def test_tasks_of_the_same_name_can_be_told_apart(talking) -> None:
    home = talking()
    first = home.say("客厅没人就关灯").tasks[0]
    second = home.say("客厅没人就关灯", "B").tasks[0]
    talk = home.say("那个提醒先停一停")
    labels = [one.label for one in talk.questions[0].options]
    assert len(set(labels)) == 2
    done = home.app.talks.answer(talk.id, "A", who="test")
    assert done.state is TalkState.DONE
    assert done.tasks in {(first,), (second,)}
    states = {view.slug: view.task.status for view in home.app.household.list()}
    assert sorted(states.values()) == [Status.ACTIVE, Status.PAUSED]


@pytest.mark.parametrize("text", ["今天久坐30分钟提醒一下", "今天每次喝水就提醒我"])
def test_what_has_gone_by_when_the_answer_comes_is_not_made(talking, text) -> None:
    home = talking()
    talk = home.say(text)
    while talk.state is TalkState.ASKED:
        home.run(timedelta(days=3))
        talk = home.app.talks.answer(talk.id, "A", who="test")
    assert (talk.state, talk.why, len(talk.lines), home.slugs) == (TalkState.REFUSED, "past", 1, [])


def test_a_clock_set_back_leaves_questions_and_answers_as_they_are(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    home.clock.jump(-timedelta(days=2))
    assert home.app.talks.answer(talk.id, "A", who="test").state is TalkState.DONE


def test_no_more_questions_are_open_than_anybody_answers(talking, monkeypatch) -> None:
    monkeypatch.setattr(operations, "MOST_OPEN", 3)
    home = talking()
    talks = [home.say("久坐30分钟提醒一下") for _ in range(3)]
    with pytest.raises(TooLarge) as refused:
        home.say("客厅没人就关灯")
    assert "\n" not in str(refused.value)
    home.app.talks.cancel(talks[0].id, who="test")
    assert home.say("客厅没人就关灯").state is TalkState.DONE


def test_what_waits_for_a_model_stops_nobody(talking, monkeypatch) -> None:
    monkeypatch.setattr(operations, "MOST_OPEN", 2)
    home = talking()
    for _ in range(3):
        assert home.say("小宝在墙上乱画就提醒我").state is TalkState.PENDING_AI
    assert home.say("客厅没人就关灯").state is TalkState.DONE


@pytest.mark.parametrize("state", list(STATES))
def test_what_is_no_longer_unread_cannot_be_tried_again(talking, state) -> None:
    home = talking()
    talk = home.say(STATES[state])
    assert talk.state is state
    with pytest.raises(Conflict) as refused:
        home.app.talks.retry(talk.id)
    assert "\n" not in str(refused.value)
    assert home.app.talks.get(talk.id) == talk


def test_what_was_called_off_stays_so(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下", "取消")
    for act in (
        lambda: home.app.talks.answer(talk.id, "A", who="test"),
        lambda: home.app.talks.answer(talk.id, "取消", who="test"),
        lambda: home.app.talks.retry(talk.id),
    ):
        with pytest.raises(Conflict):
            act()
    home.run(timedelta(hours=1))
    assert (home.app.talks.get(talk.id), home.slugs) == (talk, [])


@pytest.mark.parametrize("text", ["客厅没人就关灯\x00", "\x00", "客厅没人就关灯\ud800"])
def test_what_no_database_keeps_is_refused_in_one_line(talking, text) -> None:
    home = talking()
    with pytest.raises(BadInput) as refused:
        home.say(text)
    assert "\n" not in str(refused.value)
    assert home.app.talks.list() == ()


@pytest.mark.parametrize(
    "words", ["\x00", "到八月底\x00", "\ud800", "🙂" * 100, "'; DROP TABLE tasks; --", "A\nB\nC\nD"]
)
def test_no_answer_breaks_anything(talking, words) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    with pytest.raises(BadInput) as refused:
        home.app.talks.answer(talk.id, words, who="test")
    assert "\n" not in str(refused.value)
    assert home.app.talks.get(talk.id) == talk


@pytest.mark.parametrize(
    "text",
    ["客 厅 没 人 就 关 灯", "客厅没人\u200b就关灯", "\u202e客厅没人就关灯", "客厅没人就關燈", "客厅没人就关灯！！！"],
)
def test_odd_characters_change_nothing_or_make_it_wait(talking, text) -> None:
    talk = talking().say(text)
    assert talk.state in (TalkState.DONE, TalkState.PENDING_AI), talk


@pytest.mark.parametrize("cursor", ["s", "s\u0663", "x1", "s" + "9" * 40, "s-1", ""])
def test_a_cursor_that_no_page_gave_is_refused(talking, cursor) -> None:
    home = talking()
    with pytest.raises(BadInput):
        home.app.talks.page(before=cursor)


def test_pages_follow_each_other_without_a_gap(talking) -> None:
    home = talking()
    for _ in range(4):
        home.say("谢谢你")
    first = home.app.talks.page(limit=2)
    second = home.app.talks.page(limit=2, before=first.more)
    assert [talk.id for talk in (*first.talks, *second.talks)] == ["s4", "s3", "s2", "s1"]
    assert second.more is None
