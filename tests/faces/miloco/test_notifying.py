"""notify push: told once, by whichever process, and told again after a minute."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO, StringIO

import pytest

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house


def inbox(terminal):
    desk = Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())
    with house(desk) as home, home.app.store.read() as tx:
        return [message.text for message in home.app.delivery.inbox(tx)]


def test_a_push_is_in_the_inbox_at_once(on_any_store):
    pushed = on_any_store("notify", "push", "--text", "水开了").data
    assert (pushed["pushed"], pushed["deduplicated"]) == (True, False)
    (text,) = inbox(on_any_store)
    assert text.startswith("水开了")


def test_the_same_words_are_pushed_once_within_a_minute(on_any_store, clock):
    first = on_any_store("notify", "push", "--text", "水开了").data
    clock.advance(timedelta(seconds=59))
    again = on_any_store("notify", "push", "--text", " 水开了 ").data
    assert again == {"pushed": False, "deduplicated": True, "occurrence_id": first["occurrence_id"]}
    assert on_any_store("notify", "push", "--text", "水烧干了").data["pushed"] is True
    clock.advance(timedelta(seconds=1))
    assert on_any_store("notify", "push", "--text", "水开了").data["pushed"] is True
    assert len(inbox(on_any_store)) == 3


def test_a_clock_that_was_put_back_does_not_silence_anything(miloco, clock):
    miloco("notify", "push", "--text", "水开了")
    clock.jump(timedelta(hours=-1))
    assert miloco("notify", "push", "--text", "水开了").data["pushed"] is True


def test_a_push_is_no_task_that_anybody_sees(miloco, clock):
    miloco("notify", "push", "--text", "水开了")
    assert miloco("task", "list").data == []
    assert miloco("rule", "logs").data["total_items"] == 0
    clock.advance(timedelta(days=2))
    miloco.ring()
    assert len(inbox(miloco)) == 1


@pytest.mark.parametrize("text", ["", " \n", "话" * 501])
def test_there_must_be_something_to_say_and_not_too_much(miloco, text):
    assert miloco.refused("notify", "push", f"--text={text}")[0] == 1002


def test_what_is_pushed_is_one_line(miloco):
    miloco("notify", "push", "--text", "水开了\n{快来} %s")
    assert inbox(miloco)[0].startswith("水开了 {快来} %s")
