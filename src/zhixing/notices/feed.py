"""Loading what the calendar feed shows."""

from __future__ import annotations

import secrets

from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import micros
from zhixing.notices import store
from zhixing.notices.calendar import KEPT, calendar
from zhixing.store.connection import Store, Tx

MOST_NOTICES = 1_000
"""Notices looked through, the newest first."""


class CalendarFeed:
    """The feed of one home."""

    def __init__(self, database: Store, clock: Clock) -> None:
        self._store = database
        self._clock = clock

    def read(self) -> bytes:
        """Return the feed as it stands (`text/calendar; charset=utf-8`)."""
        home_id = self._home_id()
        now = self._clock.now()
        with self._store.read() as tx:
            ids = tx.rows(
                "SELECT notices.task_id FROM notices JOIN tasks ON tasks.id = notices.task_id"
                " WHERE tasks.status IN ('active', 'paused') OR tasks.updated_at > ?"
                " ORDER BY tasks.number DESC LIMIT ?",
                (micros(now - KEPT), MOST_NOTICES),
            )
            notices = [store.get(tx, task_id) for (task_id,) in ids]
        return calendar(notices, home_id, now)

    def _home_id(self) -> str:
        """Return the identity of the home, made once."""
        with self._store.read() as tx:
            known = _known_id(tx)
        if known is not None:
            return known
        with self._store.write() as tx:
            tx.execute(
                "INSERT INTO identity (name, value) VALUES ('home', ?) ON CONFLICT DO NOTHING",
                (secrets.token_hex(8),),
            )
            return _known_id(tx) or ""


def _known_id(tx: Tx) -> str | None:
    row = tx.row("SELECT value FROM identity WHERE name = 'home'")
    return None if row is None else str(row[0])
