"""An outbox in a home that can lose its power and come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from zhixing.delivery.model import Message, Timing
from zhixing.delivery.operations import Deed, Delivery
from zhixing.delivery.policy import Policy
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Tx
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import Channel

LEASE = timedelta(seconds=8)
SHANGHAI = ZoneInfo("Asia/Shanghai")


class Killed(BaseException):
    """The process ends here, and nothing that is not on disk survives it."""


class Post:
    """Engine, outbox and channels over one database.

    With `power="failing"` the database is closed and everything is built anew before each round of work, as if the
    program had been stopped and started.
    """

    def __init__(self, home, clock: ManualClock, power: str) -> None:
        self.home = home
        self.clock = clock
        self.power = power
        self.phone = MemoryChannel("phone")
        self.channels: dict[str, Channel] = {"phone": self.phone}
        self.settled: list[Message] = []
        self.hook: Callable[[Tx, Message], None] = self.note
        self.link: Callable[[Message], str | None] = lambda _: None
        self.policies: dict[str, Policy] = {}
        self.deeds: list[tuple[Message, Deed]] = []
        self.attended: Callable[[Tx, Message, Deed], None] = lambda _, *deed: self.deeds.append(deed)
        self.build()

    def note(self, tx: Tx, message: Message) -> None:
        """Remember what was settled, if that is kept."""
        tx.on_commit(lambda: self.settled.append(message))

    def _settle(self, tx: Tx, message: Message) -> None:
        self.hook(tx, message)

    def _attend(self, tx: Tx, message: Message, deed: Deed) -> None:
        self.attended(tx, message, deed)

    def _look_up(self, message: Message) -> str | None:
        return self.link(message)

    def build(self) -> None:
        self.engine = EmbeddedEngine(self.home.store, self.clock, owner="test", lease=LEASE)
        self.delivery = Delivery(
            self.engine,
            self.clock,
            self.channels,
            self._settle,
            self._look_up,
            policies=self.policies,
            attended=self._attend,
            zone=SHANGHAI,
        )

    def restart(self) -> None:
        """Come back after a power cut, as the only worker there is."""
        self.home.reopen()
        self.build()
        self.engine.reclaim_all()

    def succeed(self) -> None:
        """Let another worker take over once the lease of the dead one has run out."""
        self.home.store = self.home.open()
        self.build()
        self.engine.drain()
        self.clock.advance(LEASE)

    def work(self) -> int:
        """Do everything that is due now."""
        if self.power == "failing":
            self.restart()
        return self.engine.drain()

    def pass_time(self, step: timedelta) -> None:
        """Let `step` pass, working whenever something is due in it."""
        end = self.clock.now() + step
        while (next_try := self._next_try()) is not None and next_try <= end:
            self.clock.advance(max(timedelta(0), next_try - self.clock.now()))
            self.work()
        self.clock.advance(end - self.clock.now())
        self.work()

    def _next_try(self):
        with self.home.store.read() as tx:
            keys = [key for (key,) in tx.rows("SELECT key FROM jobs WHERE state = 'pending'")]
            return min((self.engine.get(tx, key).ready_at for key in keys), default=None)

    def tell(self, occurrence: str = "o1", channels: Iterable[str] = ("phone",), **said: str) -> list[Message]:
        with self.home.store.write() as tx:
            return self.delivery.tell(
                tx,
                task_id=said.get("task", "t1"),
                occurrence_id=occurrence,
                title=said.get("title", "交化学作业"),
                text=said.get("text", "今晚九点截止"),
                due_at=self.clock.now() - timedelta(seconds=2),
                channels=channels,
                timing=said.get("timing", Timing.CHOSEN),
            )

    def withdraw(self, task: str = "t1") -> list[Message]:
        with self.home.store.write() as tx:
            return self.delivery.withdraw(tx, task)

    def message(self, occurrence: str = "o1", channel: str = "phone") -> Message:
        with self.home.store.read() as tx:
            (message,) = (found for found in self.delivery.messages(tx, occurrence) if found.channel == channel)
            return message

    def inbox(self, after: str | None = None, limit: int = 50) -> list[str]:
        with self.home.store.read() as tx:
            return [message.id for message in self.delivery.inbox(tx, after, limit)]


@pytest.fixture(params=["steady", "failing"])
def power(request) -> str:
    return request.param


@pytest.fixture
def post(home, clock, power) -> Post:
    return Post(home, clock, power)


@pytest.fixture
def killed() -> type[Killed]:
    return Killed
