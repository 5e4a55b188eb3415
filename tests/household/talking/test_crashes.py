"""Talks that are cut off: by the end of the process, by another process, by a store that takes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from tests.household.talking.mortal import Full, Killed, Mortal

from zhixing.household.talking.talk import TalkState
from zhixing.kernel.errors import Conflict, StoreUnavailable
from zhixing.tasks.task import Status

KILLS = [f"{when} {number}" for number in range(1, 5) for when in ("before", "after")]


def live_on(home) -> None:
    """Open the home again, and let everything happen that was left behind."""
    home.restart()
    home.run(timedelta(minutes=20))


def die(home, step: str, *words: str) -> None:
    """Say something, and answer, in a process that may end at a step."""
    home.reopen_over(Mortal).die(step)
    with suppress(Killed):
        home.say(*words)


@pytest.mark.parametrize("step", KILLS)
def test_what_is_to_be_deleted_is_deleted_once_and_nothing_in_its_place(talking, step) -> None:
    """After a crash the words fit the other task best: it is not the one that was meant."""
    home = talking()
    (kids,) = home.say("儿童房没人就关灯").tasks
    (living,) = home.say("客厅没人就关灯").tasks
    die(home, step, "删掉客厅关灯任务")
    live_on(home)
    talks = [talk for talk in home.app.talks.list() if talk.text == "删掉客厅关灯任务"]
    if step == "before 1":
        assert (talks, home.slugs) == ([], [living, kids])
        return
    (talk,) = talks
    assert (talk.state, talk.tasks, home.slugs) == (TalkState.DONE, (living,), [kids])


@pytest.mark.parametrize("step", KILLS)
def test_a_change_is_made_once(talking, step) -> None:
    home = talking()
    (slug,) = home.say("久坐30分钟提醒一下", "手机").tasks
    die(home, step, "把久坐提醒改成45分钟")
    live_on(home)
    changed = [one for one in home.app.household.revisions(slug) if one.why]
    (rule,) = home.app.household.get(slug).rules
    if step == "before 1":
        assert (changed, rule.plan.trigger.duration) == ([], 1800)
        return
    assert (len(changed), rule.plan.trigger.duration) == (1, 2700)
    assert home.app.talks.list()[0].state is TalkState.DONE


@pytest.mark.parametrize("step", KILLS)
def test_an_answer_makes_one_task_or_the_question_stays_open(talking, step) -> None:
    home = talking()
    die(home, step, "久坐30分钟提醒一下", "手机")
    live_on(home)
    talks = home.app.talks.list()
    if talks and talks[0].state is TalkState.ASKED:
        talks = (home.app.talks.answer(talks[0].id, "手机", who="test"),)
    assert [talk.state for talk in talks] == [TalkState.DONE] * len(home.slugs)
    assert len(home.slugs) == (0 if step == "before 1" else 1)


def test_two_processes_answer_the_same_question_and_one_of_them_is_heard(talking) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    apps, begin, ended = (home.app, home.beside()), threading.Barrier(2), []

    def answer(app, words: str) -> None:
        begin.wait()
        try:
            ended.append(app.talks.answer(talk.id, words, who=words).state)
        except Conflict as late:
            ended.append(late.key)

    threads = [threading.Thread(target=answer, args=each) for each in zip(apps, ("A", "B"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ended) == ["done", "question_closed"]
    assert len(home.slugs) == 1


def test_the_other_process_does_not_take_up_what_is_being_dealt_with(talking) -> None:
    home, texts = talking(), ("客厅没人就关灯", "删掉客厅关灯任务", "儿童房没人就关灯")
    for text in texts:
        home.say(text)
    other = home.beside()
    home.clock.advance(timedelta(minutes=1))
    other.engine.drain()
    assert [view.task.description for view in other.household.list()] == ["儿童房没人就关灯"]


def test_the_same_key_said_to_two_processes_is_one_sentence(talking) -> None:
    home = talking()
    first, second = home.say("客厅没人就关灯", key="k"), home.beside().talks.say("客厅没人就关灯", who="b", key="k")
    assert second == first
    assert len(home.slugs) == 1


def test_a_full_store_refuses_a_sentence_clearly(talking) -> None:
    home = talking()
    full = home.reopen_over(Full)
    full.room = 0
    with pytest.raises(StoreUnavailable) as refused:
        home.say("客厅没人就关灯")
    assert "\n" not in str(refused.value)
    full.room = 1_000
    assert home.app.talks.list() == ()


def test_a_sentence_that_was_kept_while_the_store_filled_up_is_dealt_with_later(talking) -> None:
    home = talking()
    full = home.reopen_over(Full)
    full.room = 1
    talk = home.say("客厅没人就关灯")
    assert (talk.state, home.slugs) == (TalkState.KEPT, [])
    full.room = 1_000
    home.run(timedelta(seconds=10))
    assert home.app.talks.get(talk.id).state is TalkState.DONE
    assert len(home.slugs) == 1


@pytest.mark.parametrize("room", [0, 1])
def test_an_answer_is_kept_or_refused(talking, room) -> None:
    home = talking()
    talk = home.say("久坐30分钟提醒一下")
    full = home.reopen_over(Full)
    full.room = room
    if room:
        assert home.app.talks.answer(talk.id, "手机", who="test").state is TalkState.KEPT
    else:
        with pytest.raises(StoreUnavailable):
            home.app.talks.answer(talk.id, "手机", who="test")
        assert home.app.talks.get(talk.id) == talk
    full.room = 1_000
    home.run(timedelta(seconds=10))
    if not room:
        home.app.talks.answer(talk.id, "手机", who="test")
    assert len(home.slugs) == 1


@pytest.mark.parametrize("room", [1, 2, 3])
def test_a_pause_is_finished_where_the_store_filled_up_in_its_middle(talking, room) -> None:
    home = talking()
    (slug,) = home.say("客厅没人就关灯").tasks
    full = home.reopen_over(Full)
    full.room = room
    talk = home.say("先暂停客厅关灯那个任务")
    full.room = 1_000
    home.run(timedelta(seconds=10))
    assert home.app.talks.get(talk.id).state is TalkState.DONE
    assert home.app.household.get(slug).task.status is Status.PAUSED


class Meanwhile:
    """A hub during whose first look at a device something else happens."""

    def __init__(self, hub: Any) -> None:
        self._hub = hub
        self.happens: Callable[[], object] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hub, name)

    def spec(self, did: str) -> Any:
        happens, self.happens = self.happens, None
        if happens is not None:
            happens()
        return self._hub.spec(did)


def test_two_processes_that_make_the_same_task_at_once_make_one_and_ask(talking) -> None:
    """The name was free when the second one looked: it looks again, and finds what does the same."""
    home = talking()
    hub = home.reopen_with_hub(Meanwhile)
    other = home.beside()
    hub.happens = lambda: other.talks.say("客厅没人就关灯", who="other")
    talk = home.say("客厅没人就关灯")
    assert (talk.state, [one.kind for one in talk.questions], len(home.slugs)) == (TalkState.ASKED, ["duplicate"], 1)
    assert talk.tasks == tuple(home.slugs)


def test_what_is_called_off_while_it_is_understood_is_not_made(talking) -> None:
    home = talking()
    hub = home.reopen_with_hub(Meanwhile)
    hub.happens = lambda: home.app.talks.cancel("s1", who="other")
    assert home.say("客厅没人就关灯").state is TalkState.CANCELLED
    home.run(timedelta(hours=1))
    assert home.slugs == []


def test_what_is_called_off_before_it_is_done_is_not_done(talking) -> None:
    home = talking()
    home.say("客厅没人就关灯")
    hub = home.reopen_with_hub(Meanwhile)
    hub.happens = lambda: home.app.talks.cancel("s2", who="other")
    assert home.say("删掉客厅关灯任务").state is TalkState.CANCELLED
    home.run(timedelta(hours=1))
    assert len(home.slugs) == 1


class Broken(Meanwhile):
    """A hub that breaks while it is asked."""

    def spec(self, did: str) -> Any:
        if self.happens is not None:
            raise RuntimeError(did)
        return super().spec(did)


def test_a_mistake_of_ours_leaves_a_sentence_that_can_be_tried_again(talking) -> None:
    home = talking()
    hub = home.reopen_with_hub(Broken)
    hub.happens = print
    with pytest.raises(RuntimeError):
        home.say("客厅没人就关灯")
    for _ in range(10):
        home.run(timedelta(minutes=15))
    (talk,) = home.app.talks.list()
    assert (talk.state, talk.why, len(talk.lines)) == (TalkState.UNREAD, "gave_up", 1)
    hub.happens = None
    assert home.app.talks.retry(talk.id).state is TalkState.DONE
