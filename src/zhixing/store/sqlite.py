"""The embedded store: one SQLite file in WAL mode.

`synchronous=FULL`: a commit returns when the write-ahead log is on disk. One connection writes, under a lock and with
BEGIN IMMEDIATE, so that "load → decide → save" sees nobody else's change in between, in this process or another.
Writers that wait for each other share a commit (`sharing`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from zhixing.kernel.errors import BadInput, StoreUnavailable
from zhixing.store.connection import Tx, UniqueViolation
from zhixing.store.pooling import SqlStore, called
from zhixing.store.sharing import MOST, Commit, Turns
from zhixing.store.transaction import SqlTx

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
    errors: tuple[type[Exception], ...] = (sqlite3.Error, UnicodeEncodeError)

    def __init__(self, path: Path | str, busy_seconds: float = 5.0) -> None:
        super().__init__(busy_seconds)
        if sqlite3.sqlite_version_info < (3, 35):
            raise StoreUnavailable("store_too_old", name="SQLite", found=sqlite3.sqlite_version, needed="3.35")
        self._path = Path(path)
        self._turns = self._writing = Turns()
        self._commit: Commit | None = None
        """The one that is to come for whoever has the turn to write, and for those before him who wait for it."""
        self._writer = self._open_writer()
        self._version = self._data_version(self._writer)

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """Open the one write transaction of this process, or go on with it for those who wait for their turn."""
        acts: list[Callable[[], None]] = []
        with self._alone():
            if not self._turns.acquire_to_write(self._busy_seconds):
                raise self._locked()
            try:
                commit = self._joined()
                yield from self._take_part(commit, acts)
            finally:
                self._pass_on()
            while not commit.wait():
                self._commit_if_nobody_does(commit)
        called(acts)

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

    def _joined(self) -> Commit:
        """Begin, or go on in what an earlier writer left open."""
        if self._closed:
            raise StoreUnavailable("store_closed")
        if self._commit is None:
            self._writer = self._begun(self._writer, self._open_writer, self._begin_write)
            self._commit = Commit()
        else:
            self._explaining(_begin_part, self._writing_connection)
        return self._commit

    def _take_part(self, commit: Commit, acts: list[Callable[[], None]]) -> Iterator[Tx]:
        connection = self._writing_connection
        tx = SqlTx(connection, self, acts)
        commit.is_whole = False
        try:
            yield tx
            tx.end()
            if commit.members:
                self._explaining(_end_part, connection)
            commit.members += 1
            commit.is_whole = True
        except BaseException as error:
            tx.abandon()
            self._undo(commit, error)
            raise

    def _undo(self, commit: Commit, error: BaseException) -> None:
        """Roll back what one writer did, or everything if the database has done that already."""
        connection = self._writing_connection
        try:
            if commit.members and connection.in_transaction:
                self._explaining(_roll_part_back, connection)
                commit.is_whole = True
                return
            self._explaining(self._roll_back, connection)
        except Exception as trouble:  # noqa: BLE001 - told to everybody who wrote before
            error = trouble
            with suppress(sqlite3.Error):
                self._roll_back(connection)
        self._commit = None
        commit.fail(error if isinstance(error, StoreUnavailable) else self._failing())

    def _pass_on(self) -> None:
        """Leave the turn to the next writer, who commits for us as well, or commit when there is none."""
        try:
            commit = self._commit
            if commit is not None and (commit.members >= MOST or not self._turns.wanted):
                self._finish(commit)
        finally:
            self._turns.release()

    def _commit_if_nobody_does(self, commit: Commit) -> None:
        if not self._turns.wanted and self._turns.acquire(blocking=False):
            try:
                if self._commit is commit:
                    self._finish(commit)
            finally:
                self._turns.release()

    def _finish(self, commit: Commit) -> None:
        """Commit for everybody. What that fails with is told to those who wait for it."""
        connection = self._writing_connection
        self._commit = None
        try:
            self._explaining(self._commit_write if commit.is_whole else self._roll_back, connection)
        except Exception as error:  # noqa: BLE001 - raised by `Commit.wait`
            with suppress(sqlite3.Error):
                self._roll_back(connection)
            commit.fail(error)
        except BaseException:
            # An interrupt comes before or after the statement, never halfway.
            if connection.in_transaction or not commit.is_whole:
                self._roll_back(connection)
                commit.fail(self._failing())
            else:
                commit.succeed()
            raise
        else:
            if commit.is_whole:
                commit.succeed()
            else:
                commit.fail(self._failing())

    def _end_writing(self) -> None:
        if self._commit is not None:
            self._finish(self._commit)

    @property
    def _writing_connection(self) -> sqlite3.Connection:
        if self._writer is None:
            raise StoreUnavailable("store_closed")
        return self._writer

    def _failing(self) -> StoreUnavailable:
        return StoreUnavailable("store_failing", place=self._path)

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


def _begin_part(connection: sqlite3.Connection) -> None:
    connection.execute("SAVEPOINT part")


def _end_part(connection: sqlite3.Connection) -> None:
    connection.execute("RELEASE part")


def _roll_part_back(connection: sqlite3.Connection) -> None:
    connection.execute("ROLLBACK TO part")
    connection.execute("RELEASE part")
