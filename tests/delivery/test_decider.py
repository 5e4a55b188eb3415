"""What becomes of a message, without a database, a network or a clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.delivery import decider
from zhixing.delivery.model import Message, MessageState
from zhixing.world.channels.port import Delivered, NotSent, Reason, Refused, Unknown

NOW = datetime(2026, 10, 12, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
AWAY = NotSent(Reason("unreachable"))
LOST = Unknown(Reason("no_answer"))
NO = Refused(Reason("refused", "404"))

FRESH = Message(
    id="m2",
    key="o1:phone",
    channel="phone",
    task_id="t1",
    occurrence_id="o1",
    title="交作业",
    text="今晚截止",
    due_at=NOW,
    told_at=NOW,
    state=MessageState.PENDING,
    next_try_at=NOW,
)
SENDING = replace(FRESH, state=MessageState.SENDING, tries=1, tried_since=NOW)


def start(message, now=NOW, *, idempotent=False):
    return decider.start(message, now, idempotent=idempotent)


def conclude(message, receipt, now=NOW, *, idempotent=False):
    return decider.conclude(message, receipt, now, idempotent=idempotent)


# Starting


def test_a_pending_message_is_marked_before_it_is_sent():
    begun = start(FRESH)

    assert (begun.state, begun.tries, begun.tried_since) == (MessageState.SENDING, 1, NOW)


def test_a_message_that_is_to_wait_waits():
    waiting = replace(FRESH, next_try_at=NOW + SECOND)

    assert start(waiting) == waiting


@pytest.mark.parametrize("state", [state for state in MessageState if state not in ("pending", "sending")])
def test_a_settled_message_is_left_alone(state):
    settled = replace(FRESH, state=state, settled_at=NOW)

    assert start(settled) == settled
    assert decider.withdraw(settled, NOW) == settled
    assert decider.abandon(settled, Reason("broken"), NOW) == settled


def test_a_message_whose_attempt_died_while_sending_is_not_sent_again():
    found = start(SENDING)

    assert (found.state, found.reason) == (MessageState.UNKNOWN, Reason("interrupted"))


def test_it_is_sent_again_to_a_receiver_that_drops_doubles():
    found = start(SENDING, idempotent=True)

    assert (found.state, found.tries, found.in_doubt) == (MessageState.SENDING, 2, True)


def test_it_is_not_sent_again_even_there_once_its_task_ended():
    found = start(replace(SENDING, unwanted=True), idempotent=True)

    assert found.state is MessageState.UNKNOWN


def test_the_days_of_trying_do_not_add_up_along_a_line():
    gone = conclude(SENDING, AWAY, NOW + decider.GIVE_UP_AFTER)

    followed = decider.follow(replace(FRESH, id="m3", told_at=NOW + 5 * SECOND), gone)

    assert followed.tried_since == NOW + 5 * SECOND
    assert decider.follow(replace(FRESH, id="m3", told_at=NOW - 5 * SECOND), gone).tried_since == NOW


@pytest.mark.parametrize("receipt", [Delivered(), NO, LOST])
def test_a_message_behind_one_whose_receiver_answered_has_its_own_day(receipt):
    assert decider.follow(FRESH, conclude(SENDING, receipt)).tried_since is None


def test_a_message_behind_a_withdrawn_one_has_its_own_day():
    assert decider.follow(FRESH, decider.withdraw(FRESH, NOW)).tried_since is None


# Concluding


@pytest.mark.parametrize(
    ("receipt", "idempotent", "state"),
    [
        (Delivered(), False, MessageState.SENT),
        (Delivered(), True, MessageState.SENT),
        (NO, False, MessageState.FAILED),
        (NO, True, MessageState.FAILED),
        (AWAY, False, MessageState.PENDING),
        (AWAY, True, MessageState.PENDING),
        (LOST, False, MessageState.UNKNOWN),
        (LOST, True, MessageState.PENDING),
    ],
)
def test_what_each_receipt_makes_of_a_message(receipt, idempotent, state):
    after = conclude(SENDING, receipt, idempotent=idempotent)

    assert after.state is state
    assert after.settled == (state is not MessageState.PENDING)


def test_a_delivered_message_keeps_no_reason_from_earlier_tries():
    assert conclude(replace(SENDING, reason=Reason("unreachable")), Delivered()).reason is None


def test_pauses_double_up_to_two_minutes():
    pauses = [
        (conclude(replace(SENDING, tries=tries), AWAY).next_try_at - NOW).total_seconds() for tries in range(1, 12)
    ]

    assert pauses == [1, 2, 4, 8, 16, 32, 64, 120, 120, 120, 120]


def test_the_pause_stays_at_two_minutes_however_many_tries_there_were():
    assert conclude(replace(SENDING, tries=10_000), AWAY).next_try_at == NOW + timedelta(minutes=2)


def test_a_receiver_that_names_a_later_time_gets_it():
    busy = NotSent(Reason("busy", "429"), after=timedelta(minutes=10))

    assert conclude(SENDING, busy).next_try_at == NOW + timedelta(minutes=10)


def test_a_receiver_may_not_put_us_off_for_longer_than_an_hour():
    busy = NotSent(Reason("busy", "429"), after=timedelta(days=300))

    assert conclude(SENDING, busy).next_try_at == NOW + timedelta(hours=1)


def test_a_receiver_that_names_no_wait_still_gets_the_usual_pause():
    busy = NotSent(Reason("busy", "429"), after=timedelta(0))

    assert conclude(replace(SENDING, tries=4), busy).next_try_at == NOW + timedelta(seconds=8)


def test_the_last_try_is_at_the_end_of_the_day_of_trying():
    almost = NOW + decider.GIVE_UP_AFTER - SECOND

    assert conclude(replace(SENDING, tries=50), AWAY, almost).next_try_at == NOW + decider.GIVE_UP_AFTER


def test_after_a_day_an_unreachable_receiver_is_given_up_with_the_reason():
    after = conclude(SENDING, AWAY, NOW + decider.GIVE_UP_AFTER)

    assert (after.state, after.reason) == (MessageState.FAILED, AWAY.reason)


@pytest.mark.parametrize("receipt", [AWAY, NO, LOST])
def test_a_message_that_may_have_arrived_once_never_ends_as_not_delivered(receipt):
    doubted = replace(SENDING, in_doubt=True)

    after = conclude(doubted, receipt, NOW + decider.GIVE_UP_AFTER, idempotent=True)

    assert after.state is MessageState.UNKNOWN


# Ending


def test_a_pending_message_is_withdrawn():
    assert decider.withdraw(FRESH, NOW).state is MessageState.WITHDRAWN


def test_a_message_on_its_way_cannot_be_withdrawn_but_is_not_tried_again():
    unwanted = decider.withdraw(SENDING, NOW)

    assert unwanted.state is MessageState.SENDING
    assert conclude(unwanted, AWAY).state is MessageState.WITHDRAWN
    assert conclude(unwanted, LOST, idempotent=True).state is MessageState.UNKNOWN
    assert conclude(unwanted, Delivered()).state is MessageState.SENT


def test_withdrawing_a_message_that_may_have_arrived_does_not_pretend_it_did_not():
    assert decider.withdraw(replace(FRESH, in_doubt=True), NOW).state is MessageState.UNKNOWN


def test_a_message_abandoned_before_it_was_sent_failed():
    assert decider.abandon(FRESH, Reason("broken"), NOW).state is MessageState.FAILED


def test_a_message_abandoned_on_its_way_is_unknown():
    assert decider.abandon(SENDING, Reason("broken"), NOW).state is MessageState.UNKNOWN


# Whatever happens


STEPS = st.lists(
    st.sampled_from(
        ["delivered", "refused", "away", "lost before", "lost after", "killed before", "killed after", "withdrawn"]
    ),
    max_size=30,
)
RECEIPTS = {"delivered": Delivered(), "refused": NO, "away": AWAY, "lost before": LOST, "lost after": LOST}
ARRIVES = {"delivered", "lost after", "killed after"}


@given(steps=STEPS, idempotent=st.booleans(), pause=st.timedeltas(timedelta(0), timedelta(hours=7)))
def test_whatever_happens_no_receiver_has_a_message_twice_and_no_state_lies(steps, idempotent, pause):
    message, copies, now = FRESH, 0, NOW
    for step in steps:
        if step == "withdrawn":
            message = decider.withdraw(message, now)
            continue
        now = max(now, message.next_try_at)
        message = start(message, now, idempotent=idempotent)
        if message.settled:
            break
        assert message.state is MessageState.SENDING
        if step in ARRIVES:
            copies = 1 if idempotent else copies + 1
        now += pause
        if step in RECEIPTS:
            message = conclude(message, RECEIPTS[step], now, idempotent=idempotent)

    assert copies <= 1
    if message.state is MessageState.SENT:
        assert copies == 1
    if message.state in {MessageState.FAILED, MessageState.WITHDRAWN}:
        assert copies == 0
    if message.state is MessageState.PENDING and not message.in_doubt:
        assert copies == 0
