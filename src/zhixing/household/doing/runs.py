"""The rows of runs of the household agent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

import msgspec

from zhixing.household.doing.model import AgentRun, Origin, Prompt, RunState
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

LARGEST_PAGE = 500
"""Runs given at most at once."""

_COLUMNS = "number, occurrence_id, task_id, origin, prompt, alone, state, why, created_at, deadline, ended_at"
_PROMPT = msgspec.json.Decoder(Prompt)


def add(
    tx: Tx,
    *,
    task_id: str,
    occurrence_id: str,
    origin: Origin,
    prompt: Prompt,
    alone: bool,
    now: datetime,
    deadline: datetime,
) -> AgentRun | None:
    """Enter a run that waits; None where its occurrence has one already."""
    if of_occurrence(tx, occurrence_id) is not None:
        return None
    number = next_number(tx, "household_run")
    run = AgentRun(f"h{number}", task_id, occurrence_id, origin, prompt, RunState.WAITING, now, deadline, alone)
    tx.execute(
        f"INSERT INTO household_runs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            occurrence_id,
            task_id,
            origin.value,
            msgspec.json.encode(prompt).decode(),
            int(alone),
            run.state.value,
            "",
            micros(now),
            micros(deadline),
            None,
        ),
    )
    return run


def move(tx: Tx, run: AgentRun, state: RunState, why: str = "", *, ended_at: datetime | None = None) -> AgentRun:
    """Bring a run into another state, with the deadline it has now."""
    ended = None if ended_at is None else micros(ended_at)
    tx.execute(
        "UPDATE household_runs SET state = ?, why = ?, deadline = ?, ended_at = ? WHERE number = ?",
        (state.value, why, micros(run.deadline), ended, int(run.id[1:])),
    )
    return replace(run, state=state, why=why, ended_at=ended_at)


def get(tx: Tx, run_id: str) -> AgentRun:
    """Return a run; raise `NotFound` when there is none of that id."""
    digits = run_id[1:]
    if run_id.startswith("h") and digits.isascii() and digits.isdigit() and len(digits) <= 15:
        row = tx.row(f"SELECT {_COLUMNS} FROM household_runs WHERE number = ?", (int(digits),))
        if row is not None:
            return _read(row)
    raise NotFound("agent_run_unknown", id=run_id[:64])


def of_occurrence(tx: Tx, occurrence_id: str) -> AgentRun | None:
    """Return the run of an occurrence."""
    row = tx.row(f"SELECT {_COLUMNS} FROM household_runs WHERE occurrence_id = ?", (occurrence_id,))
    return None if row is None else _read(row)


def page(
    tx: Tx,
    *,
    states: Iterable[RunState] = (),
    task_id: str | None = None,
    limit: int = 50,
    before: AgentRun | None = None,
) -> list[AgentRun]:
    """Return runs, newest first: of some states (none: of all), of a task; `before` continues behind one of them."""
    where, params = ["1 = 1"], []
    wanted = [state.value for state in states]
    if wanted:
        where.append(f"state IN ({', '.join('?' for _ in wanted)})")
        params += wanted
    bounds: list[object] = []
    if task_id is not None:
        where.append("task_id = ?")
        bounds.append(task_id)
    if before is not None:
        where.append("number < ?")
        bounds.append(int(before.id[1:]))
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM household_runs WHERE {' AND '.join(where)} ORDER BY number DESC LIMIT ?",
        (*params, *bounds, max(1, min(limit, LARGEST_PAGE))),
    )
    return [_read(row) for row in rows]


def open_of_task(tx: Tx, task_id: str) -> list[AgentRun]:
    """Return the runs of a task that have not ended, the oldest first."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM household_runs WHERE task_id = ? AND state IN ('waiting', 'running') ORDER BY number",
        (task_id,),
    )
    return [_read(row) for row in rows]


def _read(row: Row) -> AgentRun:
    number, occurrence_id, task_id, origin, prompt, alone, state, why, created_at, deadline, ended_at = row
    return AgentRun(
        id=f"h{number}",
        task_id=task_id,
        occurrence_id=occurrence_id,
        origin=Origin(origin),
        prompt=_PROMPT.decode(prompt),
        state=RunState(state),
        created_at=from_micros(created_at),
        deadline=from_micros(deadline),
        alone=bool(alone),
        why=why,
        ended_at=None if ended_at is None else from_micros(ended_at),
    )
