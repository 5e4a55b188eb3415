"""What a user does about a message: acknowledging, snoozing, and trying a channel."""

from __future__ import annotations

from datetime import time, timedelta
from zoneinfo import ZoneInfo

import pytest

from zhixing.delivery.model import MessageState, Timing
from zhixing.delivery.operations import LONGEST_SNOOZE, Deed
from zhixing.delivery.policy import Policy, Quiet
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.world.channels.port import NotSent, Reason, Refused, Unknown

HOUR = timedelta(hours=1)
ALL_DAY_QUIET = Policy(Quiet(time(0), time(23, 59), ZoneInfo("Asia/Shanghai")))


def acknowledge(post, message_id="m1"):
    with post.home.store.write() as tx:
        return post.delivery.acknowledge(tx, message_id)


def snooze(post, until, message_id="m1"):
    with post.home.store.write() as tx:
        return post.delivery.snooze(tx, message_id, until)


# Acknowledging


def test_acknowledging_is_noted_once_and_is_reading_too(post, clock):
    post.tell(channels=[])
    first = acknowledge(post)
    clock.advance(HOUR)

    assert acknowledge(post) == first
    assert first.acknowledged_at == first.read_at
    assert [deed for _, deed in post.deeds] == [Deed.ACKNOWLEDGED]


def test_what_was_not_sent_yet_about_it_is_taken_back(post):
    post.policies = {"phone": ALL_DAY_QUIET}
    post.build()
    post.tell("o1")
    post.tell("o2")
    post.work()

    acknowledge(post)

    assert (post.message("o1").state, post.message("o1").reason) == (MessageState.WITHDRAWN, Reason("acknowledged"))
    assert post.message("o2").state is MessageState.PENDING


def test_a_receiver_may_acknowledge_by_the_id_of_its_own_letter(post):
    post.tell()
    post.work()

    assert acknowledge(post, post.phone.arrived[0].id).id == "m1"


@pytest.mark.parametrize("message_id", ["m99", "", "x"])
def test_what_is_not_there_cannot_be_acknowledged_or_snoozed(post, clock, message_id):
    with pytest.raises(NotFound):
        acknowledge(post, message_id)
    with pytest.raises(NotFound):
        snooze(post, clock.now() + HOUR, message_id)


# Snoozing


def test_a_snoozed_message_is_told_again_once_through_the_same_channels(post, clock):
    post.tell(text="明天 9:00 开始")
    post.work()
    snoozed = snooze(post, clock.now() + HOUR)
    assert snoozed.snoozed_until == clock.now() + HOUR

    post.pass_time(timedelta(minutes=59))
    assert len(post.phone.arrived) == 1

    post.pass_time(timedelta(days=2))
    assert [letter.key for letter in post.phone.arrived] == ["o1:phone", "o1:again1.1:phone"]
    assert post.phone.arrived[1].text == "再次提醒（10月12日 10:00 的消息）：明天 9:00 开始"
    assert post.inbox() == ["m1", "m3"]


def test_the_one_told_again_comes_at_night_because_the_user_named_the_instant(post, clock):
    post.tell()
    post.work()
    snooze(post, clock.now() + HOUR)
    post.policies = {"phone": ALL_DAY_QUIET}
    post.build()

    post.pass_time(HOUR)

    assert len(post.phone.arrived) == 2
    with post.home.store.read() as tx:
        assert post.delivery.messages(tx, "o1")[-1].timing is Timing.NAMED


def test_another_instant_replaces_the_one_before_and_the_same_changes_nothing(post, clock):
    post.tell(channels=[])
    start = clock.now()
    snooze(post, start + HOUR)
    snooze(post, start + 2 * HOUR)
    snooze(post, start + HOUR)
    snooze(post, start + HOUR)

    post.pass_time(5 * HOUR)

    assert post.inbox() == ["m1", "m2"]
    assert len(post.deeds) == 3


def test_what_was_told_again_can_be_snoozed_again_and_does_not_grow(post, clock):
    post.tell(channels=[], text="关火")
    for message_id in ("m1", "m2"):
        snooze(post, clock.now() + HOUR, message_id)
        post.pass_time(HOUR)

    assert post.inbox() == ["m1", "m2", "m3"]
    with post.home.store.read() as tx:
        assert post.delivery.messages(tx, "o1")[-1].text.count("再次提醒") == 1


def test_what_is_still_to_be_sent_is_not_sent_before_the_snooze_ends(post, clock):
    post.policies = {"phone": ALL_DAY_QUIET}
    post.build()
    post.tell()
    post.work()

    snooze(post, clock.now() + HOUR)
    post.pass_time(timedelta(days=1))

    assert [letter.key for letter in post.phone.arrived] == ["o1:again1.1:phone"]


@pytest.mark.parametrize("end", ["withdraw", "acknowledge"])
def test_a_snooze_ends_with_its_task_or_an_acknowledgement(post, clock, end):
    post.tell(channels=[])
    snooze(post, clock.now() + HOUR)

    post.withdraw() if end == "withdraw" else acknowledge(post)
    post.pass_time(timedelta(days=1))

    assert post.inbox() == ["m1"]
    with post.home.store.read() as tx:
        assert post.delivery.messages(tx, "o1")[0].snoozed_until is None


def test_a_program_that_was_down_tells_it_afterwards(post, clock):
    post.tell(channels=[])
    snooze(post, clock.now() + HOUR)
    clock.advance(3 * HOUR)

    post.restart()
    post.engine.drain()

    assert post.inbox() == ["m1", "m2"]


@pytest.mark.parametrize("step", [timedelta(0), -HOUR, LONGEST_SNOOZE + timedelta(seconds=1)])
def test_an_instant_that_has_passed_or_is_far_away_is_refused(post, clock, step):
    post.tell(channels=[])

    with pytest.raises(BadInput):
        snooze(post, clock.now() + step)


def test_a_hook_that_raises_undoes_the_snooze(post, clock):
    def refuse(_tx, _message, _deed):
        raise Conflict("task_is_completed", title="x")

    post.attended = refuse
    post.tell(channels=[])
    with pytest.raises(Conflict):
        snooze(post, clock.now() + HOUR)

    post.pass_time(timedelta(days=1))
    assert post.inbox() == ["m1"]


# Trying a channel


def test_a_test_letter_goes_at_once_and_leaves_no_trace(post):
    post.policies = {"phone": ALL_DAY_QUIET}
    post.build()

    trial = post.delivery.test("phone")

    (letter,) = post.phone.arrived
    assert "测试" in letter.title
    assert "phone" in letter.text
    assert (trial.arrived, trial.says) == (True, "测试消息已送达。")
    assert post.inbox() == []
    assert post.work() == 0


@pytest.mark.parametrize(
    ("receipt", "says"),
    [
        (NotSent(Reason("unreachable")), "测试消息没有送达：连不上接收方。"),
        (Refused(Reason("refused", "404")), "测试消息没有送达：接收方不收（HTTP 404）。"),
        (Unknown(Reason("no_answer")), "不确定测试消息是否送达：已经发出，但没有等到接收方的答复。"),
    ],
)
def test_a_trial_says_in_words_what_became_of_it(post, receipt, says):
    post.phone.then(receipt)

    trial = post.delivery.test("phone")

    assert (trial.arrived, trial.receipt, trial.says) == (False, receipt, says)


@pytest.mark.parametrize("name", ["书房", "inbox", ""])
def test_a_channel_that_is_not_there_cannot_be_tried(post, name):
    with pytest.raises(NotFound):
        post.delivery.test(name)
