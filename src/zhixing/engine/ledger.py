"""The jobs table: every statement the engine runs on it.

A job that runs is held by a token, new with every start. Whatever a worker writes about its job is conditional on that
token (`WHERE … token = ?`), so a worker that was cancelled or taken over cannot write any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from zhixing.engine.backoff import Again, GiveUp
from zhixing.engine.model import Job, JobRow, JobState
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx


class Slot(NamedTuple):
    """Where a pending job stands in the order in which jobs become ready."""

    ready: int
    seq: int
    key: str
    lane: str | None
    name: str


class Held(NamedTuple):
    """A job this worker has just started, as its row says."""

    key: str
    name: str
    due: int
    lane: str | None
    payload: str
    attempt: int
    failures: int
    losses: int
    token: str

    def job(self) -> Job:
        """Return the job; its payload has to be readable JSON."""
        return _job(self.key, self.name, self.due, self.lane, self.payload)


class Lease(NamedTuple):
    """What a running job's row says about who holds it, and until when."""

    key: str
    token: str
    until: int


INSERT = (
    "INSERT INTO jobs (key, name, due, ready, seq, lane, payload, state, attempt, failures, losses, enqueued_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', 0, 0, 0, ?) ON CONFLICT (key) DO NOTHING"
)


def insert(tx: Tx, job: Job, seq: int, now: datetime) -> Slot | None:
    """Add `job`; return where it stands, or None when its key was there before."""
    row = _inserted(job, seq, micros(now))
    if tx.execute(INSERT, row) == 0:
        return None
    return Slot(row[2], seq, job.key, job.lane, job.name)


def insert_all(tx: Tx, jobs: Sequence[Job], first_seq: int, now: datetime) -> int:
    """Add many jobs; return how many keys were new."""
    at = micros(now)
    return tx.many(INSERT, (_inserted(job, first_seq + index, at) for index, job in enumerate(jobs)))


def _inserted(job: Job, seq: int, now: int) -> tuple[str, str, int, int, int, str | None, str, int]:
    due = micros(job.due)
    payload = msgspec.json.encode(dict(job.payload)).decode() if job.payload else "{}"
    return (job.key, job.name, due, due, seq, job.lane, payload, now)


FROM_HEAD = "SELECT ready, seq, key, lane, name FROM jobs WHERE state = 'pending' ORDER BY ready, seq, key LIMIT ?"
FROM_SLOT = (
    "SELECT ready, seq, key, lane, name FROM jobs WHERE state = 'pending' AND (ready, seq, key) > (?, ?, ?)"
    " ORDER BY ready, seq, key LIMIT ?"
)


def pending(tx: Tx, after: Slot | None, limit: int) -> list[Slot]:
    """Return the next `limit` pending jobs behind `after` (None: from the first on), in order."""
    rows = tx.rows(FROM_HEAD, (limit,)) if after is None else tx.rows(FROM_SLOT, (*after[:3], limit))
    return [Slot(*row) for row in rows]


_START = "UPDATE jobs SET state = 'running', attempt = attempt + 1, token = ?, owner = ?, lease_until = ?"
_STARTED = " RETURNING key, name, due, lane, payload, attempt, failures, losses, token"


class Claims:
    """The statements that start jobs, for the names a worker has handlers for."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        known = ", ".join("?" for _ in names)
        self.one = (
            f"{_START} WHERE key = ? AND state = 'pending' AND ready <= ? AND lane IS NULL AND name IN ({known})"
            f"{_STARTED}"
        )
        # Jobs nobody here has a handler for are passed over, so that they cannot hold up their lane.
        of_lane = (
            "FROM jobs head WHERE head.lane = ? AND head.state = 'pending'"
            f" AND head.ready <= ? AND head.name IN ({known}) ORDER BY head.ready, head.seq, head.key LIMIT 1"
        )
        self.of_lane = (
            f"{_START} WHERE key = (SELECT head.key {of_lane}) AND state = 'pending'"
            " AND NOT EXISTS (SELECT 1 FROM jobs other WHERE other.lane = ? AND other.state = 'running')"
        )
        self.first_of_lane = f"SELECT head.ready, head.seq, head.key, head.lane, head.name {of_lane}"

    def claim(
        self, tx: Tx, slot: Slot, now: int, full: Sequence[str] = (), *, token: str, owner: str, until: int
    ) -> Held | None:
        """Start the job at `slot`, or the first ready one of its lane; return it, or None when there is none to start.

        A job of a lane starts only when no other of that lane is running, and none whose name is among `full`.
        """
        if slot.lane is None:
            if slot.name in full:
                return None
            rows = tx.rows(self.one, (token, owner, until, slot.key, now, *self._names))
        else:
            row = (token, owner, until, slot.lane, now, *self._names, slot.lane, *full)
            free = f" AND name NOT IN ({', '.join('?' for _ in full)})" if full else ""
            rows = tx.rows(f"{self.of_lane}{free}{_STARTED}", row)
        return Held(*rows[0]) if rows else None

    def first(self, tx: Tx, lane: str, now: int) -> Slot | None:
        """Return where the first ready job of a lane stands."""
        row = tx.row(self.first_of_lane, (lane, now, *self._names))
        return None if row is None else Slot(*row)


EXTEND = "UPDATE jobs SET lease_until = ? WHERE key = ? AND state = 'running' AND token = ?"


def extend(tx: Tx, leases: Iterable[tuple[str, str]], until: int) -> int:
    """Extend the leases of the jobs given by key and token; return how many are still held."""
    return tx.many(EXTEND, [(until, key, token) for key, token in leases])


FAIL = (
    "UPDATE jobs SET state = 'failed', finished_at = ?, failures = ?, losses = ?, error = ?,"
    " token = NULL, owner = NULL, lease_until = NULL"
    " WHERE key = ? AND state = 'running' AND token = ?"
)
PUT_BACK = (
    "UPDATE jobs SET state = 'pending', ready = ?, failures = ?, losses = ?, error = ?,"
    " token = NULL, owner = NULL, lease_until = NULL"
    " WHERE key = ? AND state = 'running' AND token = ? RETURNING ready, seq, key, lane, name"
)
DONE = (
    "UPDATE jobs SET state = 'done', finished_at = ?, error = NULL, token = NULL, owner = NULL, lease_until = NULL"
    " WHERE key = ? AND state = 'running' AND token = ?"
)


def finish(tx: Tx, held: Held, now: datetime) -> bool:
    """Mark the job done; return whether it was still held."""
    return tx.execute(DONE, (micros(now), held.key, held.token)) == 1


def give_up(tx: Tx, held: Held, verdict: GiveUp, now: datetime) -> bool:
    """Mark the job failed for good; return whether it was still held."""
    row = (micros(now), verdict.failures, verdict.losses, verdict.error, held.key, held.token)
    return tx.execute(FAIL, row) == 1


def put_back(tx: Tx, held: Held, verdict: Again) -> Slot | None:
    """Make the job pending again; return where it stands, or None when it was not held any more."""
    row = (micros(verdict.ready), verdict.failures, verdict.losses, verdict.error, held.key, held.token)
    rows = tx.rows(PUT_BACK, row)
    return Slot(*rows[0]) if rows else None


RUNNING = "SELECT key, token, lease_until FROM jobs WHERE state = 'running'"


def running(tx: Tx) -> list[Lease]:
    """Return every running job's lease."""
    return [Lease(*row) for row in tx.rows(RUNNING)]


def lost(tx: Tx, lease: Lease) -> Held | None:
    """Return the job of `lease` if nobody extended that lease or ended the job since it was read."""
    row = tx.row(
        "SELECT key, name, due, lane, payload, attempt, failures, losses, token FROM jobs"
        " WHERE key = ? AND state = 'running' AND token = ? AND lease_until = ?",
        lease,
    )
    return None if row is None else Held(*row)


CANCEL = "UPDATE jobs SET state = 'cancelled', finished_at = ?, token = NULL, owner = NULL, lease_until = NULL"
# Two statements for a lane, because each has its own partial index.
CANCEL_WAITING = f"{CANCEL} WHERE lane = ? AND state = 'pending'"
CANCEL_RUNNING = f"{CANCEL} WHERE lane = ? AND state = 'running'"


def cancel(tx: Tx, key: str, now: datetime) -> bool:
    """Cancel one unfinished job; return whether there was one."""
    return tx.execute(f"{CANCEL} WHERE key = ? AND state IN ('pending', 'running')", (micros(now), key)) == 1


def cancel_lane(tx: Tx, lane: str, now: datetime) -> int:
    """Cancel the unfinished jobs of a lane; return how many there were."""
    at = micros(now)
    return tx.execute(CANCEL_WAITING, (at, lane)) + tx.execute(CANCEL_RUNNING, (at, lane))


PRUNE = (
    "DELETE FROM jobs WHERE key IN"
    " (SELECT key FROM jobs WHERE finished_at IS NOT NULL AND finished_at < ? ORDER BY finished_at LIMIT ?)"
)


def prune(tx: Tx, before: datetime, limit: int) -> int:
    """Forget up to `limit` jobs that were finished before an instant; return how many were."""
    return tx.execute(PRUNE, (micros(before), limit))


def get(tx: Tx, key: str) -> JobRow | None:
    """Return the job of that key."""
    row = tx.row(
        "SELECT key, name, due, lane, payload, state, attempt, error, finished_at, ready FROM jobs WHERE key = ?",
        (key,),
    )
    return None if row is None else _job_row(row)


def _job_row(row: Row) -> JobRow:
    key, name, due, lane, payload, state, attempt, error, finished_at, ready = row
    return JobRow(
        job=_job(key, name, due, lane, payload),
        state=JobState(state),
        attempt=attempt,
        error=error,
        finished_at=None if finished_at is None else from_micros(finished_at),
        ready_at=from_micros(ready),
    )


def _job(key: str, name: str, due: int, lane: str | None, payload: str) -> Job:
    return Job(name, key, from_micros(due), msgspec.json.decode(payload, type=dict), lane)
