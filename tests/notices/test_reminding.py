"""Telling: on time, late, never twice, never silently not."""

from __future__ import annotations

from datetime import timedelta

from zhixing.app import build
from zhixing.kernel.errors import StoreUnavailable
from zhixing.notices.model import Source, Submission
from zhixing.notices.notice import NoticeState, ReminderState
from zhixing.settings import HomeZone, ZoneSource
from zhixing.tasks.journal import Kind
from zhixing.world.channels.memory import MemoryChannel


def test_every_configured_channel_is_told_beside_the_inbox(house):
    phone = house.channels["phone"] = MemoryChannel("phone")
    house.say("今天下午3点提醒我喝水")
    house.let_pass("2026-10-12T15:00:00+08:00")
    assert [letter.text for letter in phone.sent] == ["喝水"]
    assert [message.text for message in house.inbox()] == ["喝水"]


def test_a_late_reminder_says_when_it_was_due(house):
    house.say("今天下午3点提醒我喝水")
    house.let_pass("2026-10-12T15:30:00+08:00")
    assert [message.text for message in house.inbox()] == ["喝水（原定 今天（10月12日 周一） 15:00，迟到送达）"]


def test_a_reminder_a_day_too_late_is_recorded_as_missed_and_not_told(house):
    notice = house.say("今天下午3点提醒我喝水")
    house.let_pass(timedelta(hours=30))
    assert house.inbox() == []
    assert [(one.state, one.reason) for one in house.occurrences(notice)] == [("missed", "too_late")]
    assert house.look(notice).reminders[0].state is ReminderState.MISSED
    assert Kind.OCCURRENCE_MISSED in house.journal(notice)


def test_a_clock_put_back_does_not_tell_twice(house):
    house.say("今天下午3点提醒我喝水")
    house.let_pass("2026-10-12T15:00:00+08:00")
    house.clock.jump(timedelta(hours=-1))
    house.app.engine.drain()
    house.let_pass(timedelta(hours=3))
    assert len(house.inbox()) == 1


def test_a_clock_put_forward_tells_at_once_and_says_that_it_is_late(house):
    house.say("今天下午3点提醒我喝水")
    house.clock.jump(timedelta(hours=6))
    house.app.engine.drain()
    assert len(house.inbox()) == 1


def test_a_clock_a_day_ahead_records_a_miss(house):
    notice = house.say("今天上午10:30提醒我喝水")
    house.clock.jump(timedelta(days=1, hours=1))
    house.app.engine.drain()
    assert house.look(notice).reminders[0].state is ReminderState.MISSED


def test_one_hour_left_is_told_as_soon_as_possible(house):
    house.clock.advance(timedelta(hours=7, minutes=30))
    house.say("今天18:00前提交报告")
    house.app.engine.drain()
    assert [message.text for message in house.inbox()] == ["提交报告；今天（10月12日 周一） 18:00 截止"]


def test_a_date_is_told_at_nine_with_date_precision(house):
    house.say("10月15日前交报告")
    house.let_pass("2026-10-15T09:00:00+08:00")
    assert [message.text for message in house.inbox()] == ["交报告；今天（10月15日 周四） 截止"]


def test_a_submission_whose_process_died_is_taken_up_again(house):
    """The process is gone between keeping the words and reading them: the kept job reads them."""
    app, said_at = house.app, house.clock.now()
    with app.store.write() as tx:
        words = Submission("半小时后提醒我关火", Source.DIRECT, said_at, "Asia/Shanghai")
        task_id = app.notices._keep(tx, words, "test", None).task.id
    assert app.notices.get(task_id).state is NoticeState.RECEIVED
    house.let_pass(timedelta(minutes=10))
    again = house.app.notices.get(task_id)
    assert again.state is NoticeState.SCHEDULED
    assert [reminder.at - said_at for reminder in again.planned] == [timedelta(minutes=30)]


def test_a_store_that_fails_after_keeping_does_not_ask_for_the_words_again(home, clock):
    """The words are on disk: whoever says them again would have them twice."""
    store = FailsTheSecondTime(home.store)
    app = build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {})
    kept = app.notices.submit(Submission("半小时后提醒我关火", Source.DIRECT, clock.now(), "Asia/Shanghai"), who="test")
    assert kept.state is NoticeState.RECEIVED
    clock.advance(timedelta(seconds=5))
    app.engine.drain()
    assert app.notices.get(kept.task.id).state is NoticeState.SCHEDULED


class FailsTheSecondTime:
    """A store whose second write transaction finds the database gone."""

    def __init__(self, inner) -> None:
        self._inner = inner
        self._writes = 0

    def __getattr__(self, name: str):
        return getattr(self._inner, name)

    def write(self):
        self._writes += 1
        if self._writes == 2:
            raise StoreUnavailable("store_locked")
        return self._inner.write()
