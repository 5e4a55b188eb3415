"""Quiet hours, acknowledging and snoozing as a household meets them."""

from __future__ import annotations

from datetime import time, timedelta
from zoneinfo import ZoneInfo

import pytest

from zhixing.delivery.policy import Policy, Quiet
from zhixing.kernel.errors import Conflict
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.explaining import explain_occurrence
from zhixing.notices.notice import Reminder, ReminderState
from zhixing.notices.reminding import timing_of
from zhixing.tasks import journal
from zhixing.tasks.journal import Kind
from zhixing.world.channels.memory import MemoryChannel


@pytest.fixture
def phone(house):
    house.channels["phone"] = MemoryChannel("phone")
    house.policies["phone"] = Policy(Quiet(time(22), time(7), ZoneInfo("Asia/Shanghai")))
    return house.channels["phone"]


def explained(house, notice):
    (occurrence,) = house.occurrences(notice)
    app = house.app
    with app.store.read() as tx:
        messages = app.delivery.messages(tx, occurrence.id)
    return "\n".join(explain_occurrence(occurrence, messages, find_zone("Asia/Shanghai"), house.clock.now()))


def do(house, what, *args):
    app = house.app
    with app.store.write() as tx:
        return getattr(app.delivery, what)(tx, *args)


@pytest.mark.parametrize(
    ("reason", "timing"),
    [
        ("specified", "named"),
        ("lead", "named"),
        ("manual", "named"),
        ("default_start_30", "chosen"),
        ("deadline_1h", "chosen"),
        ("date_0900", "chosen"),
        ("open", "chosen"),
        ("default_start_30+lead", "named"),
    ],
)
def test_the_rule_of_a_reminder_says_who_chose_its_instant(reason, timing):
    at = parse_instant("2026-10-12T23:00:00+08:00")

    assert timing_of(Reminder(1, at, reason, (0,), ReminderState.PLANNED, 1)) == timing


def test_a_default_reminder_in_the_night_waits_on_the_phone_and_says_why(house, phone):
    notice = house.say("今天23:00开会")
    house.let_pass("2026-10-12T22:30:00+08:00")

    assert len(house.inbox()) == 1
    assert phone.sent == []
    assert "phone：等待发送" in explained(house, notice)
    assert "安静时段，等到 明天（10月13日 周二） 07:00" in explained(house, notice)

    house.let_pass("2026-10-13T07:00:00+08:00")
    assert len(phone.arrived) == 1


def test_an_instant_that_was_named_goes_in_the_night_and_says_so(house, phone):
    notice = house.say("今天23:00提醒我关火")
    house.let_pass("2026-10-12T23:00:00+08:00")

    assert len(phone.arrived) == 1
    assert "您指定的时刻，安静时段照发" in explained(house, notice)


def test_acknowledging_completes_nothing_and_is_in_the_journal(house, phone):
    notice = house.say("今天23:00开会")
    house.let_pass("2026-10-12T22:30:00+08:00")

    do(house, "acknowledge", house.inbox()[0].id)
    house.let_pass("2026-10-13T08:00:00+08:00")

    assert house.look(notice).task.active
    assert Kind.ACKNOWLEDGED in house.journal(notice)
    assert phone.sent == []
    assert "收件箱里已处理" in explained(house, notice)
    assert house.occurrences(notice)[0].state == "done"


def test_a_snooze_is_told_again_and_in_the_journal_with_its_instant(house, phone):
    notice = house.say("今天下午3点提醒我喝水")
    house.let_pass("2026-10-12T15:00:00+08:00")

    do(house, "snooze", house.inbox()[0].id, parse_instant("2026-10-12T16:00:00+08:00"))
    house.let_pass("2026-10-12T16:00:00+08:00")

    assert [message.text for message in house.inbox()] == ["喝水", "再次提醒（10月12日 15:00 的消息）：喝水"]
    assert len(phone.arrived) == 2
    with house.app.store.read() as tx:
        (entry,) = [one for one in journal.of_task(tx, notice.task.id) if one.kind is Kind.SNOOZED]
    assert entry.data["until"] == "2026-10-12T16:00:00+08:00"


@pytest.mark.parametrize("operation", ["complete", "delete", "pause"])
def test_a_snooze_ends_with_its_task(house, operation):
    notice = house.say("今天下午3点提醒我喝水")
    house.let_pass("2026-10-12T15:00:00+08:00")
    do(house, "snooze", house.inbox()[0].id, parse_instant("2026-10-12T16:00:00+08:00"))

    house.change(notice, operation)
    house.let_pass(timedelta(days=1))

    assert len(house.inbox()) == 1


def test_what_is_done_cannot_be_snoozed(house):
    notice = house.say("今天下午3点提醒我喝水")
    house.let_pass("2026-10-12T15:00:00+08:00")
    house.change(notice, "complete")

    with pytest.raises(Conflict):
        do(house, "snooze", house.inbox()[0].id, parse_instant("2026-10-12T16:00:00+08:00"))
