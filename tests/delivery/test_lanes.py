"""With the engine running in the background, as it does in a server."""

from __future__ import annotations

import threading

import pytest

from zhixing.delivery.model import MessageState
from zhixing.delivery.operations import Delivery
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import SystemClock
from zhixing.world.channels.memory import MemoryChannel

PATIENCE = 20
"""Seconds after which a test that would hang fails instead."""


class Busy(MemoryChannel):
    """A receiver that takes its time, until it is let go."""

    def __init__(self, name):
        super().__init__(name)
        self.reached = threading.Event()
        self.let_go = threading.Event()
        self.most = 0
        self._inside = 0

    def send(self, letter):
        self._inside += 1
        self.most = max(self.most, self._inside)
        self.reached.set()
        assert self.let_go.wait(PATIENCE)
        self._inside -= 1
        return super().send(letter)


@pytest.fixture
def speaker():
    return Busy("speaker")


@pytest.fixture
def phone():
    phone = Busy("phone")
    phone.let_go.set()
    return phone


@pytest.fixture
def all_settled():
    return threading.Event()


@pytest.fixture
def delivery(store, speaker, phone, all_settled):
    clock = SystemClock()
    engine = EmbeddedEngine(store, clock, owner="test")
    left = ["o1:phone", "o1:speaker", "o2:phone", "o2:speaker"]

    def settled(tx, message):
        if message.key in left:
            left.remove(message.key)
        if not left:
            tx.on_commit(all_settled.set)

    delivery = Delivery(engine, clock, {"phone": phone, "speaker": speaker}, settled)
    engine.start()
    yield delivery
    speaker.let_go.set()
    engine.stop()


def tell(store, delivery, occurrence):
    with store.write() as tx:
        delivery.tell(
            tx,
            task_id="t1",
            occurrence_id=occurrence,
            title="",
            text="",
            due_at=SystemClock().now(),
            channels=["speaker", "phone"],
        )


def test_a_slow_receiver_holds_up_nobody_else_and_is_sent_one_letter_at_a_time(
    store, delivery, speaker, phone, all_settled
):
    tell(store, delivery, "o1")
    tell(store, delivery, "o2")
    assert speaker.reached.wait(PATIENCE)
    assert phone.reached.wait(PATIENCE)
    assert speaker.arrived == []

    speaker.let_go.set()

    assert all_settled.wait(PATIENCE)
    assert [letter.occurrence_id for letter in phone.arrived] == ["o1", "o2"]
    assert [letter.occurrence_id for letter in speaker.arrived] == ["o1", "o2"]
    assert speaker.most == 1


def test_no_transaction_is_open_while_a_letter_is_on_its_way(store, delivery, speaker):
    """Otherwise a slow receiver would keep everybody from saving anything."""
    tell(store, delivery, "o1")
    assert speaker.reached.wait(PATIENCE)

    tell(store, delivery, "o2")
    with store.read() as tx:
        states = {message.channel: message.state for message in delivery.messages(tx, "o1")}

    assert states["speaker"] is MessageState.SENDING
