from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.delivery.model import MessageState
from zhixing.kernel.errors import NotFound


@pytest.fixture
def told(post):
    """Have six occurrences told through phone and inbox: the inbox has m1, m3, … m11."""
    for number in range(6):
        post.tell(f"o{number}")
    return post


def change(post, what, message_id):
    with post.home.store.write() as tx:
        return getattr(post.delivery, what)(tx, message_id)


def test_the_inbox_shows_what_was_told_in_order(told):
    assert told.inbox() == ["m1", "m3", "m5", "m7", "m9", "m11"]


def test_without_a_place_to_go_on_from_the_latest_are_shown(told):
    assert told.inbox(limit=2) == ["m9", "m11"]


def test_whoever_remembers_the_last_id_misses_nothing_and_sees_nothing_twice(told):
    first = told.inbox(after="m1", limit=2)
    second = told.inbox(after=first[-1], limit=2)
    told.tell("late")
    third = told.inbox(after=second[-1])

    assert first + second + third == ["m3", "m5", "m7", "m9", "m11", "m13"]


def test_an_id_that_is_not_in_the_inbox_is_a_place_to_go_on_from_too(told):
    assert told.inbox(after="m8") == ["m9", "m11"]


def test_a_page_has_a_bound(told):
    assert told.inbox(limit=-1) == []
    assert len(told.inbox(limit=10**9)) == 6


def test_reading_is_noted_once_and_hides_nothing(told, clock):
    first = change(told, "read", "m3").read_at
    clock.advance(timedelta(hours=1))

    assert change(told, "read", "m3").read_at == first
    assert "m3" in told.inbox()


def test_dismissing_hides_a_message_for_good(told, clock):
    first = change(told, "dismiss", "m3").dismissed_at
    clock.advance(timedelta(hours=1))

    assert change(told, "dismiss", "m3").dismissed_at == first
    assert told.inbox() == ["m1", "m5", "m7", "m9", "m11"]
    assert told.inbox(after="m1", limit=1) == ["m5"]


def test_dismissing_is_not_completing(told):
    """Nothing is settled, withdrawn or taken back by it: the phone is told as if nothing had happened."""
    settled = list(told.settled)
    change(told, "dismiss", "m1")
    assert told.settled == settled

    told.work()

    assert told.message("o0", "phone").state is MessageState.SENT


@pytest.mark.parametrize("message_id", ["m99", "m2", "", "m", "3", "m3x", "x3", "m-3", "m３", "m" + "9" * 40])
@pytest.mark.parametrize("what", ["read", "dismiss"])
def test_what_is_not_in_the_inbox_cannot_be_read_or_dismissed(told, what, message_id):
    with pytest.raises(NotFound):
        change(told, what, message_id)


@pytest.mark.parametrize("message_id", ["", "latest", "m3x", "m" + "9" * 40])
def test_an_unreadable_place_to_go_on_from_is_an_error_and_not_the_beginning(told, message_id):
    with pytest.raises(NotFound):
        told.inbox(after=message_id)
