from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.household.talking import store
from zhixing.household.talking.talk import TalkState
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.tasks.task import Status


def test_a_clear_sentence_becomes_a_task_at_once(talking) -> None:
    home = talking()
    talk = home.say("客厅没人就关灯")
    assert talk.state is TalkState.DONE
    (slug,) = talk.tasks
    view = home.app.household.get(slug)
    assert [rule.plan.trigger.query for rule in view.rules] == ["画面中无人"]
    assert slug in talk.lines[0]


def test_what_is_missing_is_asked_and_the_answer_continues_the_same_sentence(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    assert talk.state is TalkState.ASKED
    assert [question.kind for question in talk.questions] == ["channel"]
    assert home.slugs == []
    talk = home.say("久坐40分钟提醒一下", "手机")
    assert talk.state is TalkState.DONE
    (rule,) = home.app.household.get(talk.tasks[0]).rules
    assert rule.plan.trigger.duration == 2400


def test_the_answer_counts_only_for_what_it_was_asked_at(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    with pytest.raises(Conflict):
        home.app.talks.answer(talk.id, "A", who="test", revision=talk.revision + 1)
    home.app.talks.answer(talk.id, "A", who="test", revision=talk.revision)
    with pytest.raises(Conflict):
        home.app.talks.answer(talk.id, "B", who="test")
    assert len(home.slugs) == 1


def test_an_answer_that_says_nothing_leaves_the_question_open(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    with pytest.raises(BadInput):
        home.app.talks.answer(talk.id, "随便", who="test")
    assert home.app.talks.get(talk.id) == talk


def test_it_can_be_called_off(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下", "算了")
    assert (talk.state, home.slugs) == (TalkState.CANCELLED, [])
    other = home.say("久坐30分钟提醒一下")
    assert home.app.talks.cancel(other.id, who="test").state is TalkState.CANCELLED
    assert home.app.talks.cancel(other.id, who="test").state is TalkState.CANCELLED


def test_the_same_key_is_the_same_sentence(talking) -> None:
    home = talking()
    first = home.say("客厅没人就关灯", key="k")
    assert home.say("客厅没人就关灯", key="k") == first
    assert len(home.slugs) == 1


def test_an_open_question_survives_the_end_of_the_process(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    home.restart()
    assert home.app.talks.answer(talk.id, "音箱", who="test").state is TalkState.DONE


def test_a_sentence_whose_process_died_is_taken_up(talking) -> None:
    """Killed between keeping and understanding: what is on disk is a sentence and its job."""
    home = talking()
    with home.app.store.write() as tx:
        talk = store.insert(
            tx, "客厅没人就关灯", who="test", zone="Asia/Shanghai", sources=(), said_at=home.clock.now(), key=None
        )
        home.app.talks._following.expect(tx, talk)
    home.restart()
    home.run(timedelta(seconds=10))
    assert home.app.talks.get(talk.id).state is TalkState.DONE
    assert len(home.slugs) == 1
    home.run(timedelta(hours=1))
    assert len(home.slugs) == 1


def test_two_conditions_at_once_are_refused_in_one_line(talking) -> None:
    home = talking()
    talk = home.say("客厅没人而且厨房也没人就关灯")
    assert (talk.state, talk.why, len(talk.lines)) == (TalkState.REFUSED, "and_rule", 1)
    talk = home.say("连续30小时没人就推送手机")
    assert (talk.state, talk.why) == (TalkState.REFUSED, "duration_over_24h")


def test_the_same_again_asks_whether_to_replace(talking) -> None:
    home = talking()
    (first,) = home.say("客厅没人就关灯").tasks
    talk = home.say("客厅没人就关灯")
    assert [question.kind for question in talk.questions] == ["duplicate"]
    assert home.app.talks.answer(talk.id, "C", who="test").state is TalkState.CANCELLED
    assert home.slugs == [first]
    replaced = home.say("客厅没人就关灯", "A")
    assert replaced.state is TalkState.DONE
    assert home.slugs == list(replaced.tasks)
    both = home.say("客厅没人就关灯", "B")
    assert both.state is TalkState.DONE
    assert len(home.slugs) == 2


def test_another_amount_pauses_the_old_task_on_wish(talking) -> None:
    home = talking()
    (first,) = home.say("久坐30分钟提醒一下", "A").tasks
    talk = home.say("久坐45分钟提醒一下", "B", "A")
    assert talk.state is TalkState.DONE
    assert home.app.household.get(first).task.status is Status.PAUSED
    again = home.say("久坐30分钟提醒一下")
    assert [question.kind for question in again.questions] in (["paused"], ["duplicate"])


def test_tasks_are_paused_resumed_listed_and_ended_by_words(talking) -> None:
    home = talking()
    assert "没有家庭任务" in home.say("我有哪些任务").lines[0]
    (slug,) = home.say("客厅没人就关灯").tasks
    assert slug in "".join(home.say("我有哪些任务").lines)
    assert home.say("先暂停客厅关灯那个任务").state is TalkState.DONE
    assert home.app.household.get(slug).task.status is Status.PAUSED
    assert home.say("恢复客厅关灯任务").state is TalkState.DONE
    assert home.app.household.get(slug).task.status is Status.ACTIVE
    assert home.say("客厅关灯那个任务触发了几次").lines
    assert home.say("删掉客厅关灯任务").state is TalkState.DONE
    assert home.slugs == []


def test_what_is_not_clear_is_asked_among_the_tasks(talking) -> None:
    home = talking()
    home.say("客厅没人就关灯")
    home.say("久坐30分钟提醒一下", "A")
    talk = home.say("那个提醒先停一停")
    assert [question.kind for question in talk.questions] == ["which_task"]
    assert len(talk.questions[0].options) == 2
    talk = home.app.talks.answer(talk.id, "A", who="test")
    assert talk.state is TalkState.DONE
    assert home.app.household.get(talk.tasks[0]).task.status is Status.PAUSED


def test_several_tasks_are_only_ended_after_a_yes(talking) -> None:
    home = talking()
    home.say("客厅没人就关灯")
    home.say("久坐30分钟提醒一下", "A")
    talk = home.say("把所有任务都删了")
    assert [question.kind for question in talk.questions] == ["confirm"]
    assert home.say("把所有任务都删了", "B").state is TalkState.CANCELLED
    assert len(home.slugs) == 2
    assert home.app.talks.answer(talk.id, "A", who="test").state is TalkState.DONE
    assert home.slugs == []


def test_what_no_rule_is_certain_of_waits_for_a_model(talking) -> None:
    home = talking()
    talk = home.say("孩子在墙上乱画就提醒我")
    assert talk.state is TalkState.PENDING_AI
    home.run(timedelta(days=1))
    assert home.app.talks.get(talk.id).state is TalkState.PENDING_AI


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_said_is_nothing_kept(talking, text) -> None:
    home = talking()
    with pytest.raises(BadInput):
        home.say(text)
    assert home.app.talks.list() == ()


def test_what_is_too_long_or_too_much_is_one_line(talking) -> None:
    home = talking()
    with pytest.raises(TooLarge):
        home.say("灯" * 501)
    with pytest.raises(NotFound):
        home.app.talks.get("s99")
    with pytest.raises(NotFound):
        home.app.talks.get("s" + "9" * 40)
    talk = home.say("久坐30分钟提醒一下")
    with pytest.raises(TooLarge):
        home.app.talks.answer(talk.id, "A" * 201, who="test")


def test_chat_makes_nothing(talking) -> None:
    talk = talking().say("谢谢你")
    assert (talk.state, talk.why, talk.tasks) == (TalkState.DONE, "none", ())
