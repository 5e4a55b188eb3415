"""The rows of runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

from zhixing.documents.run import Cause, Run, RunState, Waiting
from zhixing.kernel.errors import Conflict, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx

LARGEST_PAGE = 500
"""Runs given at most at once."""
_LOOK = 20
"""Waiting runs that are looked through at once."""

_COLUMNS = (
    "id, task_id, occurrence_id, trigger, reason, due, attempt, state, who, session_id, ready_at, queued_at,"
    " started_at, ended_at, why, cancel_asked, seal"
)


def insert(tx: Tx, run: Run) -> None:
    """Enter a run whose id is free."""
    tx.execute(
        f"INSERT INTO document_runs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run.id,
            run.task_id,
            run.occurrence_id,
            run.cause.value,
            run.reason,
            None if run.due is None else micros(run.due),
            run.attempt,
            run.state.value,
            run.who,
            run.session_id,
            micros(run.ready_at),
            micros(run.queued_at),
            None if run.started_at is None else micros(run.started_at),
            None if run.ended_at is None else micros(run.ended_at),
            run.why,
            int(run.cancel_asked),
            run.seal,
        ),
    )


def newest_id(tx: Tx) -> str | None:
    """Return the greatest id there is."""
    row = tx.row("SELECT max(id) FROM document_runs")
    return None if row is None or row[0] is None else str(row[0])


def move(tx: Tx, run: Run, state: RunState, *, now: datetime, why: str = "") -> Run:
    """Bring a run into its next state; raise `Conflict` when it is not where it was any more."""
    started = now if state is RunState.RUNNING else run.started_at
    ended = None if state.open else now
    changed = tx.execute(
        "UPDATE document_runs SET state = ?, why = ?, started_at = ?, ended_at = ? WHERE id = ? AND state = ?",
        (
            state.value,
            why,
            None if started is None else micros(started),
            None if ended is None else micros(ended),
            run.id,
            run.state.value,
        ),
    )
    if changed != 1:
        raise Conflict("document_run_changed", id=run.id)
    return replace(run, state=state, why=why, started_at=started, ended_at=ended)


def make_ready(tx: Tx, run: Run) -> None:
    """Let a run that waits start at its `ready_at`, for whom it says."""
    tx.execute(
        "UPDATE document_runs SET ready_at = ?, who = ?, session_id = ?, reason = ? WHERE id = ? AND state = 'queued'",
        (micros(run.ready_at), run.who, run.session_id, run.reason, run.id),
    )


def ask_to_cancel(tx: Tx, run: Run, why: str) -> Run:
    """Note that somebody wants a run to stop; the first reason stands."""
    tx.execute(
        "UPDATE document_runs SET cancel_asked = 1, why = ? WHERE id = ? AND cancel_asked = 0 AND ended_at IS NULL",
        (why, run.id),
    )
    return get(tx, run.id)


def find(tx: Tx, run_id: str) -> Run | None:
    """Return the run of that id, if there is one."""
    row = tx.row(f"SELECT {_COLUMNS} FROM document_runs WHERE id = ?", (run_id,))
    return None if row is None else _read(row)


def get(tx: Tx, run_id: str) -> Run:
    """Return the run of that id; raise `NotFound` when there is none."""
    run = find(tx, run_id)
    if run is None:
        raise NotFound("document_run_unknown", id=run_id[:64])
    return run


def page(tx: Tx, *, task_id: str | None = None, limit: int = 50, before: str | None = None) -> list[Run]:
    """Return runs, the newest first: of a task or of all; `before` continues behind an id."""
    where: list[str] = []
    params: list[object] = []
    if task_id is not None:
        where.append("task_id = ?")
        params.append(task_id)
    if before is not None:
        where.append("id < ?")
        params.append(before)
    condition = f" WHERE {' AND '.join(where)}" if where else ""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM document_runs{condition} ORDER BY id DESC LIMIT ?",
        (*params, max(1, min(limit, LARGEST_PAGE))),
    )
    return [_read(row) for row in rows]


def open_of_task(tx: Tx, task_id: str) -> list[Run]:
    """Return the runs of a task that have not ended, the oldest first; they are few."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM document_runs WHERE ended_at IS NULL AND task_id = ? ORDER BY id", (task_id,)
    )
    return [_read(row) for row in rows]


def holds(tx: Tx, occurrence_id: str) -> bool:
    """Whether a run of an occurrence has not ended."""
    row = tx.row("SELECT 1 FROM document_runs WHERE occurrence_id = ? AND ended_at IS NULL", (occurrence_id,))
    return row is not None


def under_way(tx: Tx) -> list[tuple[str, str]]:
    """Return id and task of all runs that are promised or run; they are at most as many as may run at once."""
    rows = tx.rows("SELECT id, task_id FROM document_runs WHERE ended_at IS NULL AND state IN ('starting', 'running')")
    return [(str(run_id), str(task_id)) for run_id, task_id in rows]


def waiting(tx: Tx, now: datetime, busy: Collection[str]) -> list[Waiting]:
    """Return the first runs that are ready to start, in the order in which they may; none of tasks that are busy."""
    others = f" AND task_id NOT IN ({', '.join('?' for _ in busy)})" if busy else ""
    rows = tx.rows(
        "SELECT id, task_id FROM document_runs WHERE ended_at IS NULL AND state = 'queued' AND ready_at <= ?"
        f"{others} ORDER BY ready_at, id LIMIT ?",
        (micros(now), *busy, _LOOK),
    )
    return [Waiting(str(run_id), str(task_id)) for run_id, task_id in rows]


def newest_of(tx: Tx, occurrence_id: str) -> str | None:
    """Return the id of the newest run of an occurrence."""
    row = tx.row("SELECT max(id) FROM document_runs WHERE occurrence_id = ?", (occurrence_id,))
    return None if row is None or row[0] is None else str(row[0])


def behind(tx: Tx, task_id: str, kept: int, limit: int) -> list[str]:
    """Return the ids of ended runs of a task behind the newest `kept`, the newest first."""
    rows = tx.rows(
        "SELECT id FROM document_runs WHERE task_id = ? AND ended_at IS NOT NULL ORDER BY id DESC LIMIT ? OFFSET ?",
        (task_id, limit, kept),
    )
    return [str(row[0]) for row in rows]


def hand_over(tx: Tx, before: str, after: str) -> None:
    """Let the runs of a task be those of another one."""
    tx.execute("UPDATE document_runs SET task_id = ? WHERE task_id = ?", (after, before))


def delete(tx: Tx, run_ids: Iterable[str]) -> None:
    """Forget runs."""
    tx.many("DELETE FROM document_runs WHERE id = ?", [(run_id,) for run_id in run_ids])


def _read(row: Row) -> Run:
    run_id, task_id, occurrence_id, cause, reason, due, attempt, state, who, session_id, *rest = row
    ready_at, queued_at, started_at, ended_at, why, cancel_asked, seal = rest
    return Run(
        id=run_id,
        task_id=task_id,
        occurrence_id=occurrence_id,
        cause=Cause(cause),
        reason=reason,
        due=None if due is None else from_micros(due),
        attempt=attempt,
        state=RunState(state),
        who=who,
        session_id=session_id,
        ready_at=from_micros(ready_at),
        queued_at=from_micros(queued_at),
        started_at=None if started_at is None else from_micros(started_at),
        ended_at=None if ended_at is None else from_micros(ended_at),
        why=why,
        cancel_asked=bool(cancel_asked),
        seal=seal,
    )
