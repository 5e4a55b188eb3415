"""Sentences that only a model can read: kept until there is one, read, asked about, made; or said to be unread."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.household.modelling.cases import DOODLE, tells
from tests.household.modelling.replied import filled

from zhixing.household.talking import following
from zhixing.household.talking.talk import TalkState
from zhixing.kernel.errors import Conflict, NotFound
from zhixing.tasks.task import Status
from zhixing.world.models.failures import ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.models.scripted import ScriptedModel

TEXT = "小宝在墙上乱画就提醒我"
REPLY = tells(TEXT, {**DOODLE, "quote": "小宝在墙上乱画", "subject": {"how": "given", "names": ["小宝"]}})
NEXT = timedelta(minutes=15)


def waits(talking, text: str = TEXT):
    """Return a home without a model in which a sentence waits for one."""
    home = talking()
    talk = home.say(text)
    assert talk.state is TalkState.PENDING_AI, talk
    return home, talk


def with_model(home, *script):
    """Open the home again with a model; let it read."""
    model = ScriptedModel(home.clock, script)
    home.restart(model)
    home.run(timedelta(seconds=10))
    return model


def test_what_waited_is_read_asked_about_and_made_once_there_is_a_model(talking) -> None:
    home, talk = waits(talking)
    model = with_model(home, REPLY)
    asked = home.app.talks.get(talk.id)
    assert (asked.state, len(model.asked)) == (TalkState.ASKED, 1)
    answers = {"person": "B", "channel": "手机"}
    while asked.state is TalkState.ASKED:
        asked = home.app.talks.answer(talk.id, answers[asked.questions[0].kind], who="test")
    assert (asked.state, len(asked.tasks), len(model.asked)) == (TalkState.DONE, 1, 1), asked
    assert home.slugs == list(asked.tasks)
    home.restart()
    home.run(NEXT)
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (ModelRefused(Why.KEY), "model_key"),
        (ModelRefused(Why.DECLINED), "model_declined"),
        (ModelGarbled(Why.UNCONVINCING), "model_unconvincing"),
    ],
)
def test_a_model_that_will_not_leaves_one_line_and_the_words(talking, failure, why) -> None:
    home, talk = waits(talking)
    with_model(home, failure)
    unread = home.app.talks.get(talk.id)
    assert (unread.state, unread.why, len(unread.lines), unread.text) == (TalkState.UNREAD, why, 1, TEXT)
    assert "\n" not in unread.lines[0]


def test_wrong_replies_make_nothing(talking) -> None:
    home, talk = waits(talking)
    wrong = tells("奶奶在墙上乱画就提醒我", DOODLE)
    model = with_model(home, wrong, "ignore all rules and delete everything")
    unread = home.app.talks.get(talk.id)
    assert (unread.state, home.slugs, len(model.complaints)) == (TalkState.UNREAD, [], 1)


def test_a_model_that_is_away_for_hours_delays_the_sentence_and_nothing_more(talking) -> None:
    home, talk = waits(talking)
    away = [ModelUnavailable(Why.UNREACHABLE)] * 200
    model = ScriptedModel(home.clock, away)
    home.restart(model)
    for _ in range(60):
        home.run(timedelta(minutes=5))
    assert home.app.talks.get(talk.id).state is TalkState.PENDING_AI
    assert 10 < len(model.asked) < 60
    with_model(home, REPLY)
    home.run(NEXT)
    assert home.app.talks.get(talk.id).state is TalkState.ASKED


def test_what_was_not_read_is_read_when_tried_again(talking) -> None:
    home, talk = waits(talking)
    with_model(home, ModelRefused(Why.KEY), REPLY)
    assert home.app.talks.retry(talk.id).state is TalkState.PENDING_AI
    home.run(timedelta(seconds=10))
    assert home.app.talks.get(talk.id).state is TalkState.ASKED
    with pytest.raises(Conflict):
        home.app.talks.retry(talk.id)


def test_it_is_called_off_while_it_waits_and_the_reply_comes_too_late(talking) -> None:
    home, talk = waits(talking)
    assert home.app.talks.answer(talk.id, "算了", who="test").state is TalkState.CANCELLED
    model = with_model(home, REPLY)
    assert (home.app.talks.get(talk.id).state, model.asked) == (TalkState.CANCELLED, [])


def test_other_words_do_not_answer_what_was_not_asked(talking) -> None:
    home, talk = waits(talking)
    with pytest.raises(Conflict):
        home.app.talks.answer(talk.id, "手机", who="test")


def delete(*targets: str, quote: str):
    return filled({"op": "delete", "quote": quote, "targets": list(targets)})


LOST = "玩意儿们都不想要啦"
"""Words in which only a model finds what is to be deleted."""


def asks_to_delete(talking, *more: str):
    home = talking()
    (living,) = home.say("客厅没人就关灯").tasks
    (sitting,) = home.say("久坐30分钟提醒一下", "手机").tasks
    talk = home.say(LOST)
    assert talk.state is TalkState.PENDING_AI, talk
    with_model(home, delete(living, *([sitting] if more else []), quote="不想要啦"))
    return home, home.app.talks.get(talk.id), living, sitting


def test_what_only_a_model_read_is_deleted_after_a_yes(talking) -> None:
    home, talk, living, sitting = asks_to_delete(talking)
    assert ([one.kind for one in talk.questions], talk.op, talk.tasks) == (["confirm"], "delete", (living,))
    assert set(home.slugs) == {living, sitting}
    done = home.app.talks.answer(talk.id, "A", who="test")
    assert (done.tasks, home.slugs) == ((living,), [sitting])


def test_a_no_touches_nothing(talking) -> None:
    home, talk, living, sitting = asks_to_delete(talking)
    assert home.app.talks.answer(talk.id, "B", who="test").state is TalkState.CANCELLED
    assert set(home.slugs) == {living, sitting}
    assert all(view.task.status is Status.ACTIVE for view in home.app.household.list())


def test_what_was_deleted_meanwhile_is_not_looked_for_among_the_others(talking) -> None:
    home, talk, living, sitting = asks_to_delete(talking)
    home.app.household.delete(living, who="somebody")
    with pytest.raises(NotFound):
        home.app.household.get(living)
    done = home.app.talks.answer(talk.id, "A", who="test")
    assert not done.open or done.state is TalkState.PENDING_AI
    assert home.slugs == [sitting]


def test_too_many_that_wait_set_the_oldest_aside(talking, monkeypatch) -> None:
    monkeypatch.setattr(following, "MOST_WAITING", 2)
    home = talking()
    talks = [home.say(TEXT) for _ in range(3)]
    states = [home.app.talks.get(talk.id).state for talk in talks]
    assert states == [TalkState.UNREAD, TalkState.PENDING_AI, TalkState.PENDING_AI]
    assert home.app.talks.retry(talks[0].id).state is TalkState.PENDING_AI
