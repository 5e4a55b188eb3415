"""The chat that a session id stands for: where results go, and what else is sent there.

Source: document 003 (output principles), downcity.md §3.8, §4.5. A session is bound to channels of the home by
`bind`; one that never was is the channel of the same name, if there is one. The inbox has everything in any case, so
that a result whose session nobody knows is not lost.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from zhixing.delivery.model import Timing
from zhixing.delivery.operations import Delivery
from zhixing.engine.model import Engine, Job, Run
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, NotFound, TooLarge
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Store, Tx
from zhixing.store.counters import next_number
from zhixing.tasks import occurrences
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.task import Way, until

HOME = "home"
"""The session of whoever said something at home: all channels, unless it is bound to some."""
SEND = "chat.send"
"""The name of the job of a message that is sent later."""
LONGEST_TEXT = 20_000
"""Characters of one message."""
LONGEST_SESSION = 256
"""Characters of a session id."""
MOST_CHANNELS = 10
"""Channels of one session."""
FURTHEST = timedelta(days=366)
"""How far ahead a message may be sent."""
KEPT = timedelta(days=7)
"""How long the task that carries a message goes on."""
_LONGEST_TITLE = 30

_CHANNELS = msgspec.json.Decoder(tuple[str, ...])


@dataclass(frozen=True, slots=True)
class Bound:
    """A session and the channels it is bound to."""

    session_id: str
    channels: tuple[str, ...]
    bound_at: datetime


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that is in the outbox, or will be `at` an instant."""

    id: str
    session_id: str
    channels: tuple[str, ...]
    at: datetime


class Chats:
    """Sessions and what is sent to them. `channels` are those of the home. Make it before the engine starts."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        *,
        tasks: Tasks,
        delivery: Delivery,
        channels: Collection[str],
        zone: str,
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._tasks = tasks
        self._delivery = delivery
        self._channels = tuple(channels)
        self._zone = zone
        engine.register(SEND, self._send_later)

    def channels_of(self, tx: Tx, session_id: str) -> tuple[str, ...]:
        """Return the channels of a session, without the inbox."""
        row = tx.row("SELECT channels FROM chat_sessions WHERE session_id = ?", (session_id,))
        if row is not None:
            return _CHANNELS.decode(row[0])
        if session_id == HOME:
            return self._channels
        return (session_id,) if session_id in self._channels else ()

    def bind(self, session_id: str, channels: Collection[str]) -> Bound:
        """Let a session be these channels, from now on; raise `NotFound` for one that is not configured."""
        session_id, wanted = read_session(session_id), tuple(dict.fromkeys(channels))
        if len(wanted) > MOST_CHANNELS:
            raise TooLarge("chat_many_channels", limit=MOST_CHANNELS)
        for name in wanted:
            if name not in self._channels:
                raise NotFound("chat_channel_unknown", name=name[:64], known="、".join(self._channels) or "-")
        now = self._clock.now()
        with self._store.write() as tx:
            tx.execute(
                "INSERT INTO chat_sessions (session_id, channels, bound_at) VALUES (?, ?, ?)"
                " ON CONFLICT (session_id) DO UPDATE SET channels = excluded.channels, bound_at = excluded.bound_at",
                (session_id, msgspec.json.encode(wanted).decode(), micros(now)),
            )
        return Bound(session_id, wanted, now)

    def unbind(self, session_id: str) -> None:
        """Forget what a session is bound to; raise `NotFound` when it is not."""
        session_id = read_session(session_id)
        with self._store.write() as tx:
            if tx.execute("DELETE FROM chat_sessions WHERE session_id = ?", (session_id,)) != 1:
                raise NotFound("chat_session_unknown", id=session_id[:64])

    def sessions(self) -> list[Bound]:
        """Return what is bound, by session."""
        with self._store.read() as tx:
            found = tx.rows("SELECT session_id, channels, bound_at FROM chat_sessions ORDER BY session_id LIMIT 1000")
        return [Bound(name, _CHANNELS.decode(channels), from_micros(at)) for name, channels, at in found]

    def send(self, session_id: str, text: str, *, who: str, at: datetime | None = None) -> Sent:
        """Send a message to a session, now or at an instant; an instant that has passed is now."""
        session_id = read_session(session_id)
        if not text.strip():
            raise BadInput("text_empty")
        if len(text) > LONGEST_TEXT:
            raise TooLarge("text_long", limit=LONGEST_TEXT)
        must_be_storable(text)
        now = self._clock.now()
        due = max(now, at or now)
        if due > now + FURTHEST:
            raise BadInput("chat_far", days=FURTHEST.days)
        with self._store.write() as tx:
            return self.put(tx, session_id, text, who=who, due=due)

    def put(self, tx: Tx, session_id: str, text: str, *, who: str, due: datetime, key: str | None = None) -> Sent:
        """Put a message into the outbox, or have it put there when it is due."""
        now = self._clock.now()
        words = " ".join(text.split())
        task = self._tasks.create(
            tx,
            title=words if len(words) <= _LONGEST_TITLE else words[: _LONGEST_TITLE - 1] + "…",
            way=Way.DOCUMENT,
            zone_name=self._zone,
            who=who,
            lifecycle=until(due + KEPT),
            why="chat",
        )
        message = key or f"chat{next_number(tx, 'chat_message')}"
        sent = Sent(message, session_id, self.channels_of(tx, session_id), due)
        if due > now:
            payload = {"task": task.id, "session": session_id, "text": text, "message": message}
            self._engine.enqueue(tx, Job(SEND, f"chat:{message}", due, payload))
        else:
            self._tell(tx, task.id, sent, text)
        return sent

    def _send_later(self, run: Run) -> None:
        payload = run.job.payload
        with run.commit() as tx:
            session_id = str(payload["session"])
            sent = Sent(str(payload["message"]), session_id, self.channels_of(tx, session_id), run.job.due)
            self._tell(tx, str(payload["task"]), sent, str(payload["text"]))

    def _tell(self, tx: Tx, task_id: str, sent: Sent, text: str) -> None:
        made = occurrences.new(task_id, "chat", sent.id, sent.at, OccurrenceState.CLAIMED, now=self._clock.now())
        entered = occurrences.add(tx, made, now=self._clock.now(), who=sent.session_id)
        if entered is not None:
            self._delivery.tell(
                tx,
                task_id=task_id,
                occurrence_id=entered.id,
                title="",
                text=text,
                due_at=sent.at,
                channels=sent.channels,
                timing=Timing.NAMED,
            )


def must_be_storable(text: str) -> None:
    """Raise `BadInput` for words that PostgreSQL cannot keep; no person types them."""
    if "\x00" in text:
        raise BadInput("text_nul")


def read_session(written: str) -> str:
    """Return a session id as it is known by. Raises `BadInput`."""
    session_id = written.strip()
    if not session_id or len(session_id) > LONGEST_SESSION or not session_id.isprintable():
        raise BadInput("chat_session_wrong", limit=LONGEST_SESSION)
    return session_id
