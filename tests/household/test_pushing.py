"""A push reaches the phone once; what certainly did not arrive may be pushed again at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from zhixing.app import App, build
from zhixing.household.pushing import Pushed, Pushing
from zhixing.kernel.clock import ManualClock
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import NotSent, Reason, Refused, Unknown

Push = Callable[[str], Pushed]


@pytest.fixture
def phone() -> MemoryChannel:
    return MemoryChannel("phone")


@pytest.fixture
def app(store: Store, clock: ManualClock, phone: MemoryChannel) -> App:
    return build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {"phone": phone})


@pytest.fixture
def push(app: App) -> Push:
    def call(text: str) -> Pushed:
        with app.store.write() as tx:
            pushed = Pushing(app.tasks, app.doing.telling, app.clock, "Asia/Shanghai").push(tx, text, who="cli")
        app.engine.drain()
        return pushed

    return call


def test_it_goes_to_the_phone_in_the_words_that_were_given(push: Push, phone: MemoryChannel) -> None:
    push("水 开了\n快来")
    (letter,) = phone.arrived
    assert letter.text == "水 开了 快来"


def test_the_same_words_go_out_once_within_a_minute(push: Push, phone: MemoryChannel, clock: ManualClock) -> None:
    assert [push("水开了").fresh for _ in range(3)] == [True, False, False]
    clock.advance(timedelta(seconds=60))
    assert push("水开了").fresh
    assert len(phone.arrived) == 2


def test_what_was_certainly_not_taken_may_be_pushed_again(push: Push, phone: MemoryChannel) -> None:
    phone.then(Refused(Reason("refused")))
    assert push("水开了").fresh
    assert push("水开了").fresh
    assert len(phone.arrived) == 1


@pytest.mark.parametrize("receipt", [Unknown(Reason("no_answer")), NotSent(Reason("unreachable"))])
def test_what_may_have_arrived_or_is_still_being_tried_is_not_pushed_again(
    push: Push, phone: MemoryChannel, receipt: Unknown | NotSent
) -> None:
    phone.then(receipt)
    assert push("水开了").fresh
    assert not push("水开了").fresh


def test_after_a_day_nobody_tries_any_more(push: Push, phone: MemoryChannel, app: App, clock: ManualClock) -> None:
    phone.then(*[NotSent(Reason("unreachable"))] * 1_000)
    push("水开了")
    for _ in range(200):
        clock.advance(timedelta(minutes=10))
        app.engine.drain()
    tried = len(phone.sent)
    clock.advance(timedelta(days=1))
    app.engine.drain()
    assert (len(phone.sent), phone.arrived) == (tried, [])


def test_pushes_of_two_processes_are_one(app: App, push: Push, phone: MemoryChannel, home: object) -> None:
    push("水开了")
    other = build(home.open(), app.clock, app.zone, {"phone": phone})
    with other.store.write() as tx:
        pushed = Pushing(other.tasks, other.doing.telling, other.clock, "Asia/Shanghai").push(tx, "水开了", who="cli")
    assert not pushed.fresh
