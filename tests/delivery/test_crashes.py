"""The power fails at every point at which it makes a difference."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.delivery.model import MessageState
from zhixing.delivery.policy import Policy
from zhixing.kernel.errors import StoreUnavailable
from zhixing.world.channels.memory import MemoryChannel


@pytest.fixture(params=["restart", "succeed"])
def revive(request, post):
    """Come back: the same program again, or another worker that waits for the lease to run out."""

    def revive():
        getattr(post, request.param)()
        post.engine.drain()

    return revive


@pytest.fixture
def power():
    """Nothing fails here but what the test makes fail."""
    return "steady"


@pytest.fixture
def die(post, killed):
    """Kill the program at one point, and see that it was reached."""

    def before_the_commit(_tx, _message):
        raise killed

    def after_the_commit(tx, message):
        post.note(tx, message)
        tx.on_commit(phone.fall)

    phone = DyingPhone(killed)

    def die(point):
        post.channels["phone"] = phone
        post.build()
        post.tell("o1")
        phone.point = point
        post.hook = {"committing": before_the_commit, "committed": after_the_commit}.get(point, post.note)
        with pytest.raises(killed):
            post.engine.drain()
        phone.point = "never"
        post.hook = post.note
        return phone

    return die


class DyingPhone(MemoryChannel):
    """A phone that takes the whole program with it."""

    def __init__(self, killed):
        self.point = "never"
        self.killed = killed
        super().__init__("phone")

    def fall(self):
        raise self.killed

    @property
    def idempotent(self):
        # Asked for inside the transaction that marks the message, before it commits.
        if self.point == "marking":
            self.fall()
        return self.knows_keys

    @idempotent.setter
    def idempotent(self, value):
        self.knows_keys = value

    def send(self, letter):
        if self.point == "sending":
            self.fall()
        receipt = super().send(letter)
        if self.point == "sent":
            self.fall()
        return receipt


def test_a_message_that_was_not_marked_yet_is_sent_afterwards(die, revive, post):
    phone = die("marking")
    assert post.message().state is MessageState.PENDING

    revive()

    assert len(phone.arrived) == 1
    assert post.message().state is MessageState.SENT


@pytest.mark.parametrize("point", ["sending", "sent", "committing"])
def test_a_message_that_was_on_its_way_is_marked_unknown_and_not_sent_again(die, revive, post, point):
    phone = die(point)
    assert post.message().state is MessageState.SENDING
    sent_before = len(phone.sent)

    revive()
    post.pass_time(timedelta(days=2))

    assert len(phone.sent) == sent_before
    assert post.message().state is MessageState.UNKNOWN
    assert post.message().reason.key == "interrupted"


@pytest.mark.parametrize("point", ["sending", "sent", "committing"])
def test_a_receiver_that_drops_doubles_gets_it_again_under_the_same_key(die, revive, post, point):
    phone = die(point)
    phone.idempotent = True

    revive()

    assert {letter.key for letter in phone.sent} == {"o1:phone"}
    assert len(phone.arrived) == 1
    assert post.message().state is MessageState.SENT


def test_a_message_that_was_settled_stays_settled(die, revive, post):
    phone = die("committed")

    revive()

    assert len(phone.sent) == 1
    assert post.message().state is MessageState.SENT


@pytest.mark.parametrize("point", ["marking", "sending", "sent", "committing", "committed"])
def test_wherever_it_stops_each_message_is_settled_exactly_once(die, revive, post, point):
    die(point)

    revive()
    revive()

    assert sorted(message.channel for message in post.settled) == ["inbox", "phone"]


@pytest.mark.parametrize("point", ["marking", "sending", "sent", "committing", "committed"])
def test_wherever_it_stops_the_next_message_comes_through_and_in_order(die, revive, post, point):
    phone = die(point)
    post.tell("o2")
    post.tell("o3")

    revive()
    post.pass_time(timedelta(minutes=1))

    assert [letter.occurrence_id for letter in phone.arrived][-2:] == ["o2", "o3"]
    assert post.message("o3").state is MessageState.SENT


def test_a_task_that_ends_while_the_program_is_down_between_mark_and_send_sends_nothing(die, revive, post):
    phone = die("sending")
    phone.idempotent = True
    post.withdraw()

    revive()

    assert phone.sent == []
    assert post.message().state is MessageState.UNKNOWN


@pytest.mark.parametrize("point", ["sending", "sent", "committing"])
def test_a_digest_that_was_on_its_way_leaves_all_of_it_unknown_and_is_not_sent_again(die, revive, post, point):
    post.policies = {"phone": Policy(per_hour=1)}
    post.tell("o0")
    phone = die(point)
    sent_before = len(phone.sent)

    revive()
    post.pass_time(timedelta(days=2))

    assert len(phone.sent) == sent_before
    assert [post.message(occurrence).state for occurrence in ("o0", "o1")] == [MessageState.UNKNOWN] * 2
    assert sorted(message.key for message in post.settled) == ["o0:inbox", "o0:phone", "o1:inbox", "o1:phone"]


# What fails without anybody dying


def test_a_receipt_that_could_not_be_written_down_at_once_is_not_forgotten(post):
    """The disk was full for a moment: the letter arrived, and the program that knows it is still there."""
    settle = post.hook
    full = [True, True]

    def hook(tx, message):
        if message.channel == "phone" and full:
            full.pop()
            raise StoreUnavailable("store_full", place="home.db")
        settle(tx, message)

    post.hook = hook
    post.tell()
    post.pass_time(timedelta(minutes=10))

    assert len(post.phone.sent) == 1
    assert post.message().state is MessageState.SENT


class BrokenPhone(MemoryChannel):
    """An adapter with an error in it."""

    def send(self, letter):
        super().send(letter)
        raise ZeroDivisionError("password=hunter2")


def test_an_adapter_that_raises_leaves_the_fate_open_and_is_not_asked_again(post):
    phone = post.channels["phone"] = BrokenPhone("phone")
    post.build()

    post.tell()
    post.pass_time(timedelta(hours=1))

    assert len(phone.sent) == 1
    assert post.message().state is MessageState.UNKNOWN


class UnaskablePhone(MemoryChannel):
    """An adapter that cannot even be asked what it is."""

    @property
    def idempotent(self):
        raise ZeroDivisionError("password=hunter2")

    @idempotent.setter
    def idempotent(self, value):
        pass


def test_a_message_whose_job_the_engine_gave_up_is_visibly_failed_and_quotes_no_error(post):
    post.channels["phone"] = UnaskablePhone("phone")
    post.build()

    post.tell("o1")
    post.pass_time(timedelta(hours=1))

    message = post.message("o1")
    assert message.state is MessageState.FAILED
    assert "hunter2" not in message.reason.text()
    assert [settled.channel for settled in post.settled] == ["inbox", "phone"]


def test_a_message_nobody_can_settle_does_not_hold_up_the_next_for_ever(post):
    """The hook fails for it, every time, even when the engine gives up."""

    def hook(tx, message):
        if message.key == "o1:phone":
            raise ZeroDivisionError
        post.note(tx, message)

    post.hook = hook
    post.tell("o1")
    post.tell("o2")
    post.pass_time(timedelta(hours=1))
    post.tell("o3")
    post.pass_time(timedelta(hours=1))

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o1", "o2", "o3"]
    assert post.message("o3").state is MessageState.SENT
