"""The port every room's SQL goes through.

SQL is written once, in the subset that SQLite (3.35 or newer) and PostgreSQL share, with `?` for bound values. Instants
are BIGINT microseconds since the epoch (`kernel.moments.micros`), JSON is TEXT, truth is INTEGER 0/1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

Row = tuple[Any, ...]
Params = Sequence[object]


class UniqueViolation(Exception):
    """A statement would have stored a second row with a key that must be unique.

    To be caught outside the `with` block of its transaction, which can only be rolled back. Where a second row is
    nothing unusual, `INSERT … ON CONFLICT DO NOTHING` and the number of changed rows say the same without an error.
    """


class Tx(Protocol):
    """One transaction, to be used by the thread that opened it and only inside its `with` block.

    After a statement failed the transaction can only be rolled back, on both databases: further statements, and leaving
    the block as if nothing had happened, raise `RuntimeError`.
    """

    def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; return the number of rows it changed."""
        ...

    def many(self, sql: str, rows: Iterable[Params]) -> int:
        """Run one statement for each of `rows`; return the number of rows changed in all."""
        ...

    def row(self, sql: str, params: Params = ()) -> Row | None:
        """Return the first row, or None."""
        ...

    def rows(self, sql: str, params: Params = ()) -> list[Row]:
        """Return all rows."""
        ...

    def on_commit(self, act: Callable[[], None]) -> None:
        """Call `act` in this thread right after this transaction is durable; never if it is rolled back.

        By then the transaction is closed: `act` may open another. Read transactions refuse.
        """
        ...


class Store(Protocol):
    """A database. Safe to use from several threads.

    Transactions do not nest: opening one inside another of the same thread raises `RuntimeError` at once.
    """

    dialect: Literal["sqlite", "postgresql"]

    def write(self) -> AbstractContextManager[Tx]:
        """Open a read-write transaction: commits at the end of the block, rolls back on an exception.

        What is committed is on disk. Never wait inside a block for another writer to return, even one whose block is
        over: writers may share a commit, and then he returns only after this block. Raises `StoreUnavailable` when the
        database is locked for longer than the configured wait, full, corrupt or gone; then nothing of the block was
        kept.
        """
        ...

    def read(self) -> AbstractContextManager[Tx]:
        """Open a transaction that sees one consistent state and may not write."""
        ...

    def changed(self) -> bool:
        """Return whether anybody else (another process) may have committed since this was last asked.

        Cheap enough to be asked once a second: it reads no table.
        """
        ...

    def close(self) -> None:
        """Close every connection. Later use raises `StoreUnavailable`."""
        ...
