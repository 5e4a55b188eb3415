"""Quiet hours, the most an hour may carry, and digests, as rows and jobs."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from zhixing.delivery.model import MessageState, Timing
from zhixing.delivery.policy import Policy, Quiet
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import NotSent, Reason, Refused, Unknown

SHANGHAI = ZoneInfo("Asia/Shanghai")
NIGHT = Policy(Quiet(time(22), time(7), SHANGHAI))
AWAY = NotSent(Reason("unreachable"))
LOST = Unknown(Reason("no_answer"))


@pytest.fixture
def under(post):
    """Put the phone under a policy and go to a time of day."""

    def under(policy, clock_time="12:00"):
        post.policies = {"phone": policy}
        post.build()
        now = post.clock.now().astimezone(SHANGHAI)
        then = datetime.combine(now.date(), time.fromisoformat(clock_time), SHANGHAI)
        post.clock.advance(then - now)
        return post

    return under


def arrived(post):
    return [letter.occurrence_id for letter in post.phone.arrived]


def local(at):
    return at.astimezone(SHANGHAI).strftime("%H:%M")


# Quiet hours


def test_what_we_chose_waits_for_the_end_of_the_night_and_then_comes_in_order(under):
    post = under(NIGHT, "23:00")
    for number in range(3):
        post.tell(f"o{number}")
    post.pass_time(timedelta(hours=7, minutes=59))
    assert arrived(post) == []
    assert post.message("o0").state is MessageState.PENDING
    assert (local(post.message("o0").held_until), post.message("o0").note) == ("07:00", "held_quiet")

    post.pass_time(timedelta(minutes=1))

    assert arrived(post) == ["o0", "o1", "o2"]


def test_the_inbox_has_it_at_once_all_the_same(under):
    post = under(NIGHT, "23:00")

    post.tell()

    assert post.message(channel="inbox").state is MessageState.SENT


def test_an_instant_that_the_user_named_overtakes_what_waits(under):
    post = under(NIGHT, "23:00")
    post.tell("o1")
    post.work()
    post.tell("o2", timing=Timing.NAMED)
    post.work()

    assert arrived(post) == ["o2"]
    assert post.message("o2").note == "named_in_quiet"

    post.pass_time(timedelta(hours=8))
    assert arrived(post) == ["o2", "o1"]


def test_a_message_that_could_not_be_sent_before_the_night_waits_too(under):
    post = under(NIGHT, "21:59")
    post.phone.then(*[AWAY] * 8)
    post.tell()

    post.pass_time(timedelta(hours=9))
    assert arrived(post) == []
    tried = len(post.phone.sent)
    assert tried < 9

    post.pass_time(timedelta(minutes=30))
    assert arrived(post) == ["o1"]


def test_what_waits_is_withdrawn_with_its_task(under):
    post = under(NIGHT, "23:00")
    post.tell()
    post.work()

    post.withdraw()
    post.pass_time(timedelta(hours=12))

    assert post.phone.sent == []
    assert post.message().state is MessageState.WITHDRAWN


def test_a_wall_clock_that_is_set_back_at_the_end_of_the_night_loses_nothing(under):
    post = under(NIGHT, "23:00")
    post.tell()
    post.work()
    post.clock.jump(timedelta(hours=8))
    post.clock.jump(timedelta(minutes=-30))
    post.work()
    assert arrived(post) == []

    post.pass_time(timedelta(minutes=31))

    assert arrived(post) == ["o1"]


def test_a_program_that_was_down_over_the_end_of_the_night_tells_afterwards(under):
    post = under(NIGHT, "23:00")
    post.tell()
    post.work()
    post.clock.advance(timedelta(hours=10))

    post.restart()
    post.engine.drain()

    assert arrived(post) == ["o1"]


def test_one_channels_night_is_not_anothers(under):
    post = under(NIGHT, "23:00")
    speaker = post.channels["speaker"] = MemoryChannel("speaker")
    post.build()

    post.tell(channels=["phone", "speaker"])
    post.work()

    assert len(speaker.arrived) == 1
    assert arrived(post) == []


# The hour's limit and digests


def test_up_to_the_limit_each_message_comes_alone(under):
    post = under(Policy(per_hour=3))
    for number in range(3):
        post.tell(f"o{number}")
        post.work()

    assert arrived(post) == ["o0", "o1", "o2"]


def test_the_last_place_of_an_hour_takes_everything_that_waits(under):
    post = under(Policy(per_hour=2))
    for number in range(5):
        post.tell(f"o{number}", title=f"第{number}件")
    post.work()

    alone, together = post.phone.arrived
    assert alone.title == "第0件"
    assert together.title == "合并 4 条提醒"
    assert [line.split("（")[0] for line in together.text.splitlines()] == [f"· 第{n}件" for n in (1, 2, 3, 4)]
    assert [post.message(f"o{n}").state for n in range(5)] == [MessageState.SENT] * 5
    assert [post.message(f"o{n}").digest for n in range(5)] == [None, None, *[post.message("o1").id] * 3]


def test_over_the_limit_messages_wait_for_the_next_place_and_come_together(under):
    post = under(Policy(per_hour=1))
    post.tell("o0")
    post.work()
    for number in range(1, 4):
        post.clock.advance(timedelta(minutes=10))
        post.tell(f"o{number}")
        post.work()
    assert arrived(post) == ["o0"]
    assert post.message("o1").note == "held_limit"

    post.pass_time(timedelta(minutes=30))

    assert len(post.phone.arrived) == 2
    assert {post.message(f"o{n}").state for n in range(4)} == {MessageState.SENT}


def test_each_message_of_a_digest_is_settled_once(under):
    post = under(Policy(per_hour=1))
    for number in range(4):
        post.tell(f"o{number}")
    post.work()
    post.pass_time(timedelta(hours=3))

    assert sorted(message.key for message in post.settled if message.channel == "phone") == [
        f"o{number}:phone" for number in range(4)
    ]


def test_a_digest_counts_once_in_its_hour(under):
    post = under(Policy(per_hour=2))
    for number in range(4):
        post.tell(f"o{number}")
    post.work()
    post.pass_time(timedelta(hours=1))

    post.tell("o4")
    post.work()

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o0", "o1", "o4"]


def test_a_digest_that_was_certainly_not_sent_is_put_together_anew(under):
    post = under(Policy(per_hour=1))
    post.phone.then(AWAY)
    post.tell("o0", task="t0")
    post.tell("o1", task="t1")
    post.work()
    assert post.message("o1").digest is None

    post.withdraw("t1")
    post.tell("o2", task="t2")
    post.pass_time(timedelta(minutes=1))

    assert [letter.title for letter in post.phone.arrived] == ["合并 2 条提醒"]
    assert post.message("o1").state is MessageState.WITHDRAWN
    assert post.message("o2").digest == post.message("o0").id


def test_a_digest_of_unknown_fate_leaves_all_of_it_unknown(under):
    post = under(Policy(per_hour=1))
    post.phone.then(LOST)
    post.tell("o0")
    post.tell("o1")

    post.pass_time(timedelta(hours=5))

    assert len(post.phone.sent) == 1
    assert {post.message("o0").state, post.message("o1").state} == {MessageState.UNKNOWN}


def test_a_digest_that_is_refused_leaves_the_others_their_own_try(under):
    post = under(Policy(per_hour=1))
    post.phone.then(Refused(Reason("refused", "400")))
    post.tell("o0")
    post.tell("o1")

    post.pass_time(timedelta(hours=2))

    assert post.message("o0").state is MessageState.FAILED
    assert post.message("o1").state is MessageState.SENT


def test_a_receiver_that_drops_doubles_is_sent_the_very_same_digest_again(under):
    post = under(Policy(per_hour=1))
    post.phone.idempotent = True
    post.phone.then(LOST)
    post.tell("o0", task="t0")
    post.tell("o1", task="t1")
    post.work()
    post.withdraw("t1")

    post.pass_time(timedelta(minutes=1))

    assert len(post.phone.sent) == 2
    assert len(set(post.phone.sent)) == 1
    assert {post.message("o0").state, post.message("o1").state} == {MessageState.SENT}


def test_when_the_leader_of_a_digest_is_withdrawn_the_others_still_come(under):
    post = under(Policy(per_hour=1))
    post.phone.then(AWAY)
    post.tell("o0", task="t0")
    post.tell("o1", task="t1")
    post.tell("o2", task="t2")
    post.work()

    post.withdraw("t0")
    post.pass_time(timedelta(minutes=1))

    assert [letter.title for letter in post.phone.arrived] == ["合并 2 条提醒"]
    assert post.message("o0").state is MessageState.WITHDRAWN


def test_a_digest_takes_along_only_what_may_go_in_the_night(under):
    post = under(Policy(NIGHT.quiet, per_hour=1), "23:00")
    post.tell("o0")
    post.tell("o1", timing=Timing.NAMED)
    post.tell("o2", timing=Timing.NAMED)
    post.work()

    assert [letter.occurrence_id for letter in post.phone.arrived] == ["o1"]
    assert post.message("o2").digest == post.message("o1").id
    assert post.message("o0").state is MessageState.PENDING


def test_a_hundred_at_once_come_in_bounded_digests_and_none_is_lost(under):
    post = under(Policy(per_hour=1))
    with post.home.store.write() as tx:
        for number in range(100):
            post.delivery.tell(
                tx,
                task_id="t1",
                occurrence_id=f"o{number}",
                title=f"第{number}件",
                text="",
                due_at=post.clock.now(),
                channels=["phone"],
            )

    post.pass_time(timedelta(hours=3))

    assert {post.message(f"o{number}").state for number in range(100)} == {MessageState.SENT}
    assert [len(letter.text.splitlines()) for letter in post.phone.arrived] == [50, 50]
