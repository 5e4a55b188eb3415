"""The button 执行: pressed twice, with the program stopped in between, refused, and from two sides at once."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from tests.goals.talking.room import FIX, Dies, Room, draft_of

from zhixing.goals.recognising.mapping import Asker
from zhixing.kernel.errors import BadInput, Conflict, Unavailable


def test_pressed_twice_it_is_one_goal(room: Room):
    talk = room.say(FIX).row.id
    first = room.talks.execute(talk)
    assert room.talks.execute(talk) == first
    assert room.answer(talk, "执行") == first
    assert [each.task_id for each in room.desk.handed_in] == [first.row.goal_id]


def at_once(act, times: int = 2) -> list:
    """Do something from several threads at once; return what came of it."""
    ready, found = threading.Barrier(times), []

    def run() -> None:
        ready.wait(30)
        found.append(act())

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return found


def test_said_from_several_sides_at_once_under_one_key_it_is_one_talk(room: Room):
    assert at_once(lambda: room.say(FIX, key="k").row.id, 4) == ["q1"] * 4
    assert room.states() == {"q1": "open"}


def test_pressed_from_two_sides_at_once_it_is_one_goal(room: Room):
    talk = room.say(FIX).row.id
    found = at_once(lambda: room.talks.execute(talk).row.goal_id)
    assert found == [room.desk.handed_in[0].task_id] * 2


def test_stopped_between_the_button_and_the_goal_it_goes_on_at_the_next_start(room: Room):
    talk = room.say(FIX).row.id
    room.desk.dies_before = True
    with pytest.raises(Dies):
        room.talks.execute(talk)
    view = room.talks.show(talk)
    assert view.row.state.value == "executing"
    assert [each.label for each in view.question.options] == ["执行"]
    for act in (room.talks.discard, room.talks.save, room.talks.resume):
        with pytest.raises(Conflict):
            act(talk)
    room.desk.dies_before = False
    room.restart()
    (goal,) = room.desk.handed_in
    view = room.talks.show(talk)
    assert (view.row.state.value, view.row.goal_id) == ("executed", goal.task_id)


@pytest.mark.parametrize("watched", [True, False])
def test_stopped_behind_the_goal_it_is_the_same_goal(room: Room, watched):
    room.watched = watched
    room.open()
    talk = room.say(FIX).row.id
    room.desk.dies_behind = True
    with pytest.raises(Dies):
        room.talks.execute(talk)
    (goal,) = room.desk.handed_in
    # Who watches knows it with the goal.
    assert room.talks.show(talk).row.state.value == ("executed" if watched else "executing")
    room.desk.dies_behind = False
    room.restart()
    assert room.talks.execute(talk).row.goal_id == goal.task_id
    assert room.desk.handed_in == [goal]


def test_who_asks_is_written_down_with_the_button_so_that_the_goal_stays_the_same(room: Room):
    room.watched = False
    room.open()
    talk = room.say(FIX).row.id
    room.desk.dies_behind = True
    with pytest.raises(Dies):
        room.talks.execute(talk)
    room.desk.dies_behind = False
    room.talks._asker = Asker("user-2", "bot-2")
    (goal,) = room.desk.handed_in
    assert room.answer(talk, "执行").row.goal_id == goal.task_id


@pytest.mark.parametrize("key", ["goal_draft:q1", "goal_draft:q9", "goal_draft:", "q1", "goal_draft:\ud800"])
def test_a_goal_of_somebody_else_takes_no_talk(room: Room, key):
    room.say(FIX)
    room.talks.execute(room.say(FIX).row.id)
    (goal,) = room.desk.handed_in
    with room.home.store.write() as tx:
        room.talks.handed_in(tx, replace(goal, task_id="other", key=key))
    assert room.states() == {"q1": "open", "q2": "executed"}


def test_what_is_refused_leaves_the_draft_as_it_was(room: Room):
    talk = room.say(FIX).row.id
    room.desk.refuses = BadInput("goal_owner_missing")
    with pytest.raises(BadInput):
        room.talks.execute(talk)
    view = room.talks.show(talk)
    assert view.row.state.value == "open"
    room.desk.refuses = None
    assert draft_of(room.answer(talk, "约束改成今天内完成")).constraints == ("今天内完成",)
    assert room.talks.execute(talk).row.state.value == "executed"


def test_where_it_is_not_known_what_became_of_it_nothing_changes_until_it_is(room: Room):
    talk = room.say(FIX).row.id
    room.desk.refuses = Unavailable("store_locked")
    with pytest.raises(Unavailable):
        room.talks.execute(talk)
    assert room.talks.show(talk).row.state.value == "executing"
    room.restart()
    assert room.talks.show(talk).row.state.value == "executing"
    room.desk.refuses = None
    assert room.talks.execute(talk).row.state.value == "executed"


def test_without_an_owner_nothing_is_handed_in(room: Room):
    talk = room.say(FIX).row.id
    room.talks._asker = Asker("", "")
    with pytest.raises(BadInput):
        room.talks.execute(talk)
    assert room.talks.show(talk).row.state.value == "open"
