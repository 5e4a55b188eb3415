from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.delivery.model import MessageState
from zhixing.delivery.operations import Delivery
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import Letter, NotSent, Reason, Refused, Unknown

AWAY = NotSent(Reason("unreachable"))
LOST = Unknown(Reason("no_answer"))
IN_AN_HOUR = NotSent(Reason("busy", "429"), after=timedelta(hours=1))


def test_an_occurrence_is_told_once_through_each_channel(post):
    post.channels["speaker"] = MemoryChannel("speaker")
    post.build()

    post.tell(channels=["phone", "speaker"])
    post.work()

    assert len(post.phone.arrived) == 1
    assert len(post.channels["speaker"].arrived) == 1
    assert post.message(channel="phone").state is MessageState.SENT
    assert post.message(channel="speaker").state is MessageState.SENT


def test_the_letter_says_what_was_told_and_when_it_was_due(post, clock):
    post.link = lambda message: f"http://home.local/tasks/{message.task_id}"
    due_at = clock.now() - timedelta(seconds=2)

    post.tell("o5", task="t9", title="关火", text="水开了")
    clock.advance(timedelta(minutes=3))
    post.work()

    assert post.phone.sent == [
        Letter("m2", "o5:phone", "t9", "o5", "关火", "水开了", due_at, "http://home.local/tasks/t9")
    ]


def test_the_inbox_has_a_message_as_soon_as_it_is_told(post):
    post.tell(channels=[])

    assert post.message(channel="inbox").state is MessageState.SENT
    assert post.inbox() == ["m1"]


def test_what_was_rolled_back_was_never_told(post):
    def tell_and_fail():
        with post.home.store.write() as tx:
            due_at = post.clock.now()
            post.delivery.tell(
                tx, task_id="t1", occurrence_id="o1", title="", text="", due_at=due_at, channels=["phone"]
            )
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tell_and_fail()

    assert post.work() == 0
    assert post.inbox() == []
    assert post.settled == []


def test_telling_the_same_again_changes_nothing(post):
    first = post.tell(title="交作业")
    post.work()

    again = post.tell(title="别的话")
    post.work()

    assert [message.id for message in first] == ["m1", "m2"]
    assert again == []
    assert [letter.title for letter in post.phone.sent] == ["交作业"]


def test_telling_again_through_one_more_channel_adds_only_that(post):
    post.tell(channels=[])

    added = post.tell(channels=["phone", "phone", "inbox"])

    assert [message.channel for message in added] == ["phone"]


def test_the_same_words_about_another_occurrence_are_told_again(post):
    post.tell("o1")
    post.tell("o2")
    post.work()

    assert [letter.key for letter in post.phone.arrived] == ["o1:phone", "o2:phone"]


def test_a_channel_that_nobody_configured_fails_and_says_so(post):
    post.tell(channels=["书房音箱"])
    post.work()

    message = post.message(channel="书房音箱")
    assert message.state is MessageState.FAILED
    assert "书房音箱" in message.reason.text()


def test_a_channel_that_was_removed_while_it_could_not_be_reached_fails_and_says_so(post):
    post.phone.then(AWAY)
    post.tell()
    post.work()

    del post.channels["phone"]
    post.restart()
    post.pass_time(timedelta(minutes=1))

    assert post.message().state is MessageState.FAILED


def test_no_channel_can_take_the_name_of_the_inbox(post):
    with pytest.raises(ValueError, match="inbox"):
        Delivery(post.engine, post.clock, {"inbox": post.phone}, post.hook)


# What receipts make of it


def test_a_refused_message_is_not_repeated(post):
    post.phone.then(Refused(Reason("refused", "410")))
    post.tell()

    post.pass_time(timedelta(days=2))

    assert len(post.phone.sent) == 1
    assert post.message().state is MessageState.FAILED
    assert post.message().reason == Reason("refused", "410")


def test_a_message_of_unknown_fate_is_never_repeated(post):
    post.phone.then(LOST)
    post.tell()

    post.pass_time(timedelta(days=2))

    assert len(post.phone.sent) == 1
    assert post.message().state is MessageState.UNKNOWN
    assert post.message().reason == LOST.reason


def test_a_receiver_that_drops_doubles_is_asked_again_under_the_same_key(post):
    post.phone.idempotent = True
    post.phone.then(LOST, LOST)
    post.tell()

    post.pass_time(timedelta(minutes=1))

    assert [letter.key for letter in post.phone.sent] == ["o1:phone"] * 3
    assert len(set(post.phone.sent)) == 1
    assert len(post.phone.arrived) == 1
    assert post.message().state is MessageState.SENT


def test_even_such_a_receiver_is_given_up_after_a_day_without_an_answer(post):
    post.phone.idempotent = True
    post.phone.then(LOST, *[IN_AN_HOUR] * 100)
    post.tell()

    post.pass_time(timedelta(hours=30))

    assert post.message().state is MessageState.UNKNOWN
    assert len(post.phone.arrived) == 1
    assert len(post.phone.sent) < 30


def test_an_unreachable_receiver_is_tried_with_growing_pauses_and_then_told_once(post):
    post.phone.then(*[AWAY] * 5)
    post.tell()
    told_at = post.clock.now()
    seen = []
    post.link = lambda _: seen.append((post.clock.now() - told_at).total_seconds())

    post.work()
    post.pass_time(timedelta(hours=1))

    assert seen == [0, 1, 3, 7, 15, 31]
    assert len(post.phone.arrived) == 1
    assert post.message().state is MessageState.SENT


def test_a_receiver_unreachable_for_a_day_fails_visibly(post):
    post.phone.then(*[IN_AN_HOUR] * 100)
    post.tell()

    post.pass_time(timedelta(hours=30))

    assert post.message().state is MessageState.FAILED
    assert post.message().reason == IN_AN_HOUR.reason
    assert post.phone.arrived == []


def test_a_receiver_is_not_bothered_before_the_time_it_named(post):
    post.phone.then(NotSent(Reason("busy", "429"), after=timedelta(minutes=30)))
    post.tell()

    post.pass_time(timedelta(minutes=29))
    assert len(post.phone.sent) == 1

    post.pass_time(timedelta(minutes=1))
    assert len(post.phone.arrived) == 1


# Order


def test_messages_of_one_channel_arrive_in_the_order_of_telling(post):
    for number in range(5):
        post.tell(f"o{number}")
    post.work()

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o0", "o1", "o2", "o3", "o4"]


def test_a_message_does_not_overtake_one_that_waits_for_the_same_receiver(post):
    post.phone.then(AWAY, AWAY, AWAY)
    post.tell("o1")
    post.work()
    post.clock.advance(timedelta(milliseconds=300))
    post.tell("o2")
    post.tell("o3")

    post.pass_time(timedelta(minutes=1))

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o1", "o2", "o3"]
    assert [letter.occurrence_id for letter in post.phone.sent] == ["o1", "o1", "o1", "o1", "o2", "o3"]


def test_when_the_first_in_line_is_withdrawn_the_next_goes_at_once(post):
    post.phone.then(IN_AN_HOUR)
    post.tell("o1", task="t1")
    post.work()
    post.tell("o2", task="t2")
    post.tell("o3", task="t1")
    post.tell("o4", task="t2")

    post.withdraw("t1")
    post.work()

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o2", "o4"]


def test_the_wait_behind_an_unreachable_message_counts_as_trying(post):
    """Otherwise each of a hundred messages would be tried for a day of its own, one day after the other."""
    post.phone.then(*[IN_AN_HOUR] * 100)
    post.tell("o1")
    post.tell("o2")

    post.pass_time(timedelta(hours=25))

    assert post.message("o1").state is MessageState.FAILED
    assert post.message("o2").state is MessageState.FAILED


def test_a_refused_message_does_not_hold_up_the_next(post):
    post.phone.then(Refused(Reason("refused", "400")))
    post.tell("o1")
    post.tell("o2")
    post.work()

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o2"]


def test_one_unreachable_receiver_holds_up_nobody_else(post):
    post.channels["speaker"] = MemoryChannel("speaker", [AWAY] * 10)
    post.build()

    post.tell("o1", channels=["speaker", "phone"])
    post.tell("o2", channels=["speaker", "phone"])
    post.work()

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o1", "o2"]
    assert post.message("o1", "speaker").state is MessageState.PENDING


# The hook


def test_each_message_is_settled_exactly_once_with_its_final_state(post):
    post.phone.then(AWAY, Refused(Reason("refused", "410")))
    post.tell("o1")
    post.tell("o2")
    post.pass_time(timedelta(minutes=5))
    post.tell("o1")
    post.withdraw()
    post.pass_time(timedelta(minutes=5))

    assert sorted((message.id, message.state) for message in post.settled) == [
        ("m1", "sent"),
        ("m2", "failed"),
        ("m3", "sent"),
        ("m4", "sent"),
    ]


def test_the_hook_sees_every_message_of_the_occurrence_as_it_stands(post):
    seen = []
    post.hook = lambda tx, message: seen.append(
        [(found.channel, found.state) for found in post.delivery.messages(tx, message.occurrence_id)]
    )

    post.tell()
    post.work()

    assert seen == [
        [("inbox", "sent"), ("phone", "pending")],
        [("inbox", "sent"), ("phone", "sent")],
    ]


def test_a_hook_that_raises_while_telling_undoes_the_telling(post):
    def fail(_tx, _message):
        raise ZeroDivisionError

    post.hook = fail
    with pytest.raises(ZeroDivisionError):
        post.tell()

    post.work()
    assert post.phone.sent == []
    assert post.inbox() == []


# Withdrawing


def test_what_was_not_sent_yet_is_withdrawn_with_its_task(post):
    post.tell("o1", task="t1")
    post.tell("o2", task="t2")

    withdrawn = post.withdraw("t1")
    post.pass_time(timedelta(hours=1))

    assert [(message.id, message.state) for message in withdrawn] == [("m2", MessageState.WITHDRAWN)]
    assert [letter.occurrence_id for letter in post.phone.sent] == ["o2"]
    assert withdrawn[0] in post.settled


def test_what_waits_to_be_tried_again_is_withdrawn_too(post):
    post.phone.then(AWAY)
    post.tell()
    post.work()

    post.withdraw()
    post.pass_time(timedelta(hours=1))

    assert len(post.phone.sent) == 1
    assert post.message().state is MessageState.WITHDRAWN


def test_what_was_told_before_the_task_ended_stays_told(post):
    post.tell()
    post.work()

    assert post.withdraw() == []
    assert post.message().state is MessageState.SENT
    assert post.inbox() == ["m1"]


class Interrupting(MemoryChannel):
    """Has something happen while a letter is on its way."""

    def __init__(self, meanwhile, script=()):
        super().__init__("phone", script)
        self.meanwhile = meanwhile

    def send(self, letter):
        receipt = super().send(letter)
        self.meanwhile()
        return receipt


@pytest.mark.parametrize(
    ("receipt", "state"),
    [(None, MessageState.SENT), (AWAY, MessageState.WITHDRAWN), (LOST, MessageState.UNKNOWN)],
)
def test_a_message_on_its_way_when_its_task_ends_is_told_as_it_went_and_not_tried_again(post, receipt, state):
    withdrawn = []
    phone = Interrupting(lambda: withdrawn.extend(post.withdraw()), [receipt] if receipt else [])
    post.channels["phone"] = phone
    post.build()

    post.tell()
    post.pass_time(timedelta(hours=1))

    assert withdrawn == []
    assert len(phone.sent) == 1
    assert post.message().state is state
    assert [message.state for message in post.settled] == [MessageState.SENT, state]
