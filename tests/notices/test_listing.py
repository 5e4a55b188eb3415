"""Lists of notices over both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.delivery.operations import Delivery
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.errors import BadInput
from zhixing.notices import listing
from zhixing.notices.listing import LARGEST_PAGE
from zhixing.notices.model import Source, Submission
from zhixing.notices.notice import NoticeState
from zhixing.notices.operations import Notices
from zhixing.notices.reminding import Reminding
from zhixing.tasks.operations import Tasks
from zhixing.tasks.task import Status


class Desk:
    """Notices over a store, with what tells them."""

    def __init__(self, store, clock) -> None:
        self.store, self.clock = store, clock
        self.engine = EmbeddedEngine(store, clock, owner="test")
        delivery = Delivery(self.engine, clock, {}, lambda _tx, _message: None)
        self.notices = Notices(store, self.engine, clock)
        Reminding(self.engine, clock, delivery, ())
        self.tasks = Tasks(self.engine, clock, (self.notices.status_changed,))

    def say(self, text: str) -> str:
        submission = Submission(text, Source.DIRECT, self.clock.now(), "Asia/Shanghai")
        return self.notices.submit(submission, who="test").task.id

    def complete(self, task_id: str) -> None:
        with self.store.write() as tx:
            self.tasks.complete(tx, task_id, who="test")

    def page(self, **asked) -> list[str]:
        with self.store.read() as tx:
            return [notice.task.id for notice in listing.page(tx, **asked).notices]

    def to_do(self) -> list[str]:
        with self.store.read() as tx:
            return [notice.task.id for notice in listing.to_do(tx).notices]

    def within(self, task_id: str, step: timedelta) -> list[int]:
        notice, now = self.notices.get(task_id), self.clock.now()
        return [reminder.number for reminder in listing.within(notice, now, now + step)]


@pytest.fixture
def desk(store, clock) -> Desk:
    return Desk(store, clock)


def test_statuses_and_states_are_asked_for_together_or_not_at_all(desk) -> None:
    milk, form, rice = desk.say("买牛奶"), desk.say("明晚九点提醒我交表"), desk.say("买米")
    desk.complete(rice)
    assert desk.page() == [rice, form, milk]
    assert desk.page(statuses=(Status.ACTIVE,)) == [form, milk]
    assert desk.page(states=(NoticeState.NO_REMINDER,)) == [rice, milk]
    assert desk.page(statuses=(Status.ACTIVE,), states=(NoticeState.NO_REMINDER,)) == [milk]


def test_the_cursor_leads_through_all_of_them(desk) -> None:
    said = [desk.say(f"买第{number}样东西") for number in range(5)]
    seen, more = [], None
    while True:
        with desk.store.read() as tx:
            page = listing.page(tx, limit=2, before=more)
        seen += [notice.task.id for notice in page.notices]
        more = page.more
        if more is None:
            break
    assert seen == said[::-1]


@pytest.mark.parametrize("cursor", ["", "t", "t-1", "x1", "t1; DROP TABLE tasks", "t" + "9" * 19])
def test_a_cursor_that_is_none_is_refused(desk, cursor) -> None:
    with pytest.raises(BadInput, match="看不懂翻页位置"):
        desk.page(before=cursor)


def test_a_page_is_bounded_whatever_is_asked_for(desk) -> None:
    for number in range(3):
        desk.say(f"买第{number}样东西")
    assert len(desk.page(limit=0)) == 1
    assert len(desk.page(limit=LARGEST_PAGE + 1)) == 3


def test_to_do_is_what_nothing_will_be_told_about_any_more(desk) -> None:
    milk = desk.say("买牛奶")
    stove = desk.say("半小时后提醒我关火")
    desk.say("明天三点开会")
    desk.say("每天早上七点提醒我吃药")
    done = desk.say("买米")
    desk.complete(done)
    assert desk.to_do() == [milk]
    desk.clock.advance(timedelta(minutes=30))
    desk.engine.drain()
    assert desk.to_do() == [stove, milk]


def test_a_preview_has_what_lies_within_and_nothing_of_what_is_done(desk) -> None:
    task = desk.say("明晚九点提醒我交表")
    assert desk.within(task, timedelta(hours=34)) == []
    assert desk.within(task, timedelta(hours=36)) == [1]
    desk.complete(task)
    assert desk.within(task, timedelta(days=30)) == []
