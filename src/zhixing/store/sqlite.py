"""The embedded store: one SQLite file in WAL mode.

`synchronous=FULL`: a commit returns when the write-ahead log is on disk. One connection writes, under a lock and with
BEGIN IMMEDIATE, so that "load → decide → save" sees nobody else's change in between, in this process or another.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Literal

from zhixing.kernel.errors import BadInput, StoreUnavailable
from zhixing.store.connection import UniqueViolation
from zhixing.store.pooling import SqlStore

_STATEMENTS = 512
"""Prepared statements kept per connection; more than the package has."""

_LOG_KEPT = 64 * 1024 * 1024
"""Bytes the write-ahead log keeps on disk after a large transaction made it grow."""
_LOG_PAGES = 8000
"""Pages of the log that are carried over at once. Whoever commits then waits for it: eight times as seldom as usual."""

_UNIQUE = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID}
)

_MEANINGS = {
    sqlite3.SQLITE_BUSY: "store_locked",
    sqlite3.SQLITE_LOCKED: "store_locked",
    sqlite3.SQLITE_PROTOCOL: "store_locked",
    sqlite3.SQLITE_FULL: "store_full",
    sqlite3.SQLITE_CORRUPT: "store_corrupt",
    sqlite3.SQLITE_NOTADB: "store_corrupt",
    sqlite3.SQLITE_READONLY: "store_readonly",
    sqlite3.SQLITE_CANTOPEN: "store_unopenable",
    sqlite3.SQLITE_PERM: "store_unopenable",
    sqlite3.SQLITE_AUTH: "store_unopenable",
    sqlite3.SQLITE_IOERR: "store_failing",
}


class SqliteStore(SqlStore[sqlite3.Connection]):
    """The database in the file `path`, which is created when its folder exists.

    Whoever finds the file locked by another process waits up to `busy_seconds`. `changed()` answers for commits of
    other processes only: it asks SQLite for the data version as the writing connection sees it, which this process's
    own commits leave alone.
    """

    dialect: Literal["sqlite", "postgresql"] = "sqlite"
    errors = (sqlite3.Error, UnicodeEncodeError)

    def __init__(self, path: Path | str, busy_seconds: float = 5.0) -> None:
        super().__init__(busy_seconds)
        if sqlite3.sqlite_version_info < (3, 35):
            raise StoreUnavailable("store_too_old", name="SQLite", found=sqlite3.sqlite_version, needed="3.35")
        self._path = Path(path)
        self._writer = self._open_writer()
        self._version = self._data_version(self._writer)

    def changed(self) -> bool:
        """Return whether another process committed since this was last asked; waits for a write under way."""
        if getattr(self._inside, "transaction", False):
            raise RuntimeError("ask changed() outside of transactions")
        with self._slot(self._writing):
            if self._writer is None:
                raise StoreUnavailable("store_closed")
            try:
                version = self._data_version(self._writer)
            except sqlite3.Error as error:
                raise self.explained(error) from error
            changed = version != self._version
            self._version = version
            return changed

    def spelled(self, sql: str) -> str:
        """Return `sql`: SQLite's own placeholder is the question mark."""
        return sql

    def explained(self, error: Exception) -> Exception:
        """Name what happened to the file; errors in our SQL stay what they are."""
        if isinstance(error, UnicodeEncodeError):
            return BadInput("text_unstorable")
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code in _UNIQUE:
            return UniqueViolation(str(error))
        # Extended codes carry the primary one in their low byte.
        meaning = _MEANINGS.get(code & 0xFF)
        return error if meaning is None else StoreUnavailable(meaning, place=self._path)

    @staticmethod
    def _data_version(connection: sqlite3.Connection) -> int:
        return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def _locked(self) -> StoreUnavailable:
        return StoreUnavailable("store_locked", place=self._path)

    def _open_writer(self) -> sqlite3.Connection:
        # What people say is nobody else's business; a file that is there keeps the mode its owner gave it.
        with suppress(OSError):
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = self._connect()
        try:
            self._turn_to_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        except sqlite3.Error as error:
            connection.close()
            raise self.explained(error) from error
        return connection

    def _open_reader(self) -> sqlite3.Connection:
        connection = self._connect()
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _connect(self) -> sqlite3.Connection:
        try:
            return sqlite3.connect(
                self._path,
                timeout=self._busy_seconds,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=_STATEMENTS,
            )
        except sqlite3.Error as error:
            raise self.explained(error) from error

    @staticmethod
    def _turn_to_wal(connection: sqlite3.Connection) -> None:
        """Switch the file to WAL, where it stays. SQLite does not wait for others in this one pragma, so we do."""
        for _ in range(20):
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
            else:
                return
        connection.execute("PRAGMA journal_mode = WAL")

    def _begin_write(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")

    def _begin_read(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")

    def _commit_write(self, connection: sqlite3.Connection) -> None:
        connection.execute("COMMIT")

    def _commit_read(self, connection: sqlite3.Connection) -> None:
        connection.execute("COMMIT")

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        # A full disk makes SQLite roll back by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")

    def _is_lost(self, connection: sqlite3.Connection) -> bool:  # noqa: ARG002 - the base asks for databases that can go away
        return False
