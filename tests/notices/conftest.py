"""A whole house over a test database, which in half of the tests is restarted before every single step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from zhixing.app import App, build
from zhixing.delivery.model import Message
from zhixing.delivery.policy import Policy
from zhixing.kernel.moments import parse_instant
from zhixing.notices.explaining import explain_notice
from zhixing.notices.model import Entry, Source, Submission
from zhixing.notices.notice import Notice
from zhixing.notices.pictures import read_picture
from zhixing.settings import HomeZone, ZoneSource
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import Occurrence
from zhixing.tasks.task import Task
from zhixing.world.channels.memory import MemoryChannel

ZONE = "Asia/Shanghai"


class House:
    """Operations on notices as a user performs them; `phone` is a channel that records what it was given."""

    def __init__(self, home, clock, *, restarts: bool) -> None:
        self._home = home
        self._restarts = restarts
        self.clock = clock
        self.phone = MemoryChannel("phone")
        self._app: App | None = None
        self.channels: dict[str, MemoryChannel] = {}
        self.model = None
        self.policies: dict[str, Policy] = {}

    @property
    def app(self) -> App:
        """The running house; a restart closes the store and wires everything anew."""
        if self._app is None or self._restarts:
            store = self._home.store if self._app is None else self._home.reopen()
            zone = HomeZone(ZONE, ZoneSource.CONFIG)
            channels = dict(self.channels)
            self._app = build(store, self.clock, zone, channels, policies=self.policies, model=self.model)
        return self._app

    def say(self, text: str, *, source: str = "direct", key: str | None = None, **more) -> Notice:
        entry = Entry(more.get("entry", "schedule"))
        submission = Submission(
            text, Source(source), self.clock.now(), more.get("zone", ZONE), more.get("message_date"), entry
        )
        return self.app.notices.submit(submission, who="test", key=key)

    def show(self, picture: bytes, caption: str = "", *, key: str | None = None, **more) -> Notice:
        """Give a picture, with or without words beside it."""
        submission = Submission(
            caption, Source.IMAGE, self.clock.now(), more.get("zone", ZONE), more.get("message_date")
        )
        return self.app.notices.submit_picture(submission, read_picture(picture), who="test", key=key)

    def answer(self, notice: Notice, value: str, revision: int | None = None) -> Notice:
        return self.app.notices.answer(notice.task.id, value, revision=revision, who="test")

    def edit(self, notice: Notice, text: str) -> Notice:
        return self.app.notices.edit(notice.task.id, text, who="test")

    def remind(self, notice: Notice, at: str) -> Notice:
        return self.app.notices.remind(notice.task.id, parse_instant(at), who="test")

    def change(self, notice: Notice, operation: str) -> Notice:
        app = self.app
        with app.store.write() as tx:
            getattr(app.tasks, operation)(tx, notice.task.id, who="test")
        return self.look(notice)

    def look(self, notice: Notice) -> Notice:
        return self.app.notices.get(notice.task.id)

    def let_pass(self, until: str | timedelta) -> None:
        """Let time pass, running what is due when it is due at the latest second."""
        step = until if isinstance(until, timedelta) else parse_instant(until) - self.clock.now()
        self.clock.advance(step)
        self.app.engine.drain()

    def inbox(self) -> list[Message]:
        app = self.app
        with app.store.read() as tx:
            return app.delivery.inbox(tx, limit=500)

    def restart(self) -> None:
        """Close everything and open it again, whatever kind of house this is."""
        self._home.reopen()
        self._app = None

    def tasks(self) -> list[Task]:
        app = self.app
        with app.store.read() as tx:
            return list(tasks.page(tx).tasks)

    def occurrences(self, notice: Notice) -> list[Occurrence]:
        app = self.app
        with app.store.read() as tx:
            return occurrences.of_task(tx, notice.task.id)

    def journal(self, notice: Notice) -> list[Kind]:
        app = self.app
        with app.store.read() as tx:
            return [entry.kind for entry in reversed(journal.of_task(tx, notice.task.id, 200))]

    def why(self, notice: Notice) -> Sequence[str]:
        return explain_notice(self.look(notice), self.occurrences(notice), self.clock.now())


@pytest.fixture(params=["running", "restarted"])
def house(home, clock, request) -> House:
    return House(home, clock, restarts=request.param == "restarted")


def planned(notice: Notice) -> list[tuple[str, str]]:
    """Give the reminders still to come as (local time, reason)."""
    return [(at(reminder.at), reminder.reason) for reminder in notice.planned]


def at(instant: datetime) -> str:
    return instant.astimezone(parse_instant("2026-10-12T10:00:00+08:00").tzinfo).strftime("%m-%d %H:%M")
