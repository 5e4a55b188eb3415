"""The rows of projects and of what their task.md files said when they were last read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.kernel.moments import micros
from zhixing.store.connection import Row, Tx
from zhixing.tasks.schedule.model import ScheduleState
from zhixing.tasks.task import Status

_COLUMNS = "project, folder, task_id, title, source, digest, stamp, fault"


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A file as it was last read.

    `source` is the last text that could be read as a task ("": there was none), `digest` that of the text that is
    there now, `fault` what is wrong with it. `stamp` is empty when the file must be read again whatever it looks like.
    `task_id` is None while the file never could be read.
    """

    project: Path
    folder: str
    task_id: str | None
    title: str
    source: str
    digest: str
    stamp: str
    fault: ZhixingError | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a file looked like when it was last read, and whether something was wrong with it."""

    stamp: str
    faulty: bool


def add_project(tx: Tx, path: Path, now: datetime) -> bool:
    """Remember a project; return whether it is new."""
    return (
        tx.execute(
            "INSERT INTO document_projects (path, added_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (str(path), micros(now)),
        )
        == 1
    )


def projects(tx: Tx) -> list[Path]:
    """Return all projects, the oldest first."""
    return [Path(row[0]) for row in tx.rows("SELECT path FROM document_projects ORDER BY added_at, path")]


def of_project(tx: Tx, project: Path) -> dict[str, DocumentRow]:
    """Return the rows of a project, by folder."""
    rows = tx.rows(f"SELECT {_COLUMNS} FROM documents WHERE project = ? ORDER BY folder", (str(project),))
    return {str(row[1]): _read(row) for row in rows}


def known(tx: Tx, project: Path) -> dict[str, Known]:
    """Return what tells of each folder of a project whether its file must be read again."""
    rows = tx.rows("SELECT folder, stamp, fault FROM documents WHERE project = ?", (str(project),))
    return {str(folder): Known(str(stamp), fault is not None) for folder, stamp, fault in rows}


def titles(tx: Tx, project: Path) -> list[str]:
    """Return the titles of a project, as `DocumentRow` has them."""
    rows = tx.rows("SELECT title FROM documents WHERE project = ? ORDER BY folder", (str(project),))
    return [str(row[0]) for row in rows]


def is_empty(tx: Tx, project: Path) -> bool:
    """Whether nothing is known of any file of a project."""
    return tx.row("SELECT 1 FROM documents WHERE project = ? LIMIT 1", (str(project),)) is None


def find(tx: Tx, project: Path, folder: str) -> DocumentRow | None:
    """Return the row of a folder."""
    row = tx.row(f"SELECT {_COLUMNS} FROM documents WHERE project = ? AND folder = ?", (str(project), folder))
    return None if row is None else _read(row)


def titled(tx: Tx, project: Path, title: str) -> list[DocumentRow]:
    """Return the rows of a project whose file has, or last had, that title."""
    rows = tx.rows(
        f"SELECT {_COLUMNS} FROM documents WHERE project = ? AND title = ? ORDER BY folder", (str(project), title)
    )
    return [_read(row) for row in rows]


def of_task(tx: Tx, task_id: str) -> DocumentRow | None:
    """Return the row of a task."""
    row = tx.row(f"SELECT {_COLUMNS} FROM documents WHERE task_id = ?", (task_id,))
    return None if row is None else _read(row)


def spent(tx: Tx, project: Path, part: str) -> list[str]:
    """Return the tasks of a project that are active though the schedule that is their `part` has come to its end."""
    found = tx.rows(
        "SELECT documents.task_id FROM documents JOIN tasks ON tasks.id = documents.task_id"
        " JOIN schedules ON schedules.task_id = documents.task_id"
        " WHERE documents.project = ? AND documents.fault IS NULL AND tasks.status = ? AND schedules.part = ?"
        " AND schedules.state = ?",
        (str(project), Status.ACTIVE.value, part, ScheduleState.ENDED.value),
    )
    return [str(row[0]) for row in found]


def save(tx: Tx, row: DocumentRow) -> None:
    """Write down how a file is now."""
    tx.execute(
        f"INSERT INTO documents ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (project, folder) DO UPDATE SET task_id = excluded.task_id, title = excluded.title,"
        " source = excluded.source, digest = excluded.digest, stamp = excluded.stamp, fault = excluded.fault",
        (
            str(row.project),
            row.folder,
            row.task_id,
            row.title,
            row.source,
            row.digest,
            row.stamp,
            None if row.fault is None else _write_fault(row.fault),
        ),
    )


def restamp(tx: Tx, row: DocumentRow, stamp: str) -> None:
    """Note that a file looks otherwise and says the same."""
    tx.execute("UPDATE documents SET stamp = ? WHERE project = ? AND folder = ?", (stamp, str(row.project), row.folder))


def relocate(tx: Tx, row: DocumentRow, folder: str) -> None:
    """Note that a folder has another name now."""
    tx.execute(
        "UPDATE documents SET folder = ?, stamp = '' WHERE project = ? AND folder = ?",
        (folder, str(row.project), row.folder),
    )


def delete(tx: Tx, row: DocumentRow) -> None:
    """Forget a file."""
    tx.execute("DELETE FROM documents WHERE project = ? AND folder = ?", (str(row.project), row.folder))


def _write_fault(fault: ZhixingError) -> str:
    """Write what is wrong with a file, so that it can be told in every language."""
    values: dict[str, Any] = {
        name: value if isinstance(value, int | str) else str(value) for name, value in fault.values.items()
    }
    return msgspec.json.encode([fault.key, values]).decode()


def _read(row: Row) -> DocumentRow:
    project, folder, task_id, title, source, digest, stamp, fault = row
    return DocumentRow(Path(project), folder, task_id, title, source, digest, stamp, _read_fault(fault))


def _read_fault(written: str | None) -> ZhixingError | None:
    if written is None:
        return None
    key, values = msgspec.json.decode(written)
    return BadInput(key, **values)
