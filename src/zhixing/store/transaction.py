"""One transaction on one connection, over either driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.connection import Params, Row


class Connection(Protocol):
    """The part of a driver's connection that is used here; `sqlite3` and `psycopg` agree on it."""

    def execute(self, sql: Any, params: Any = ..., /) -> Any:
        """Run one statement and return its cursor."""
        ...

    def cursor(self) -> Any:
        """Return a new cursor."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class Driver(Protocol):
    """How a transaction speaks to its database."""

    errors: tuple[type[Exception], ...]
    """What the driver raises."""

    def spelled(self, sql: str) -> str:
        """Return `sql` as the driver wants its placeholders."""
        ...

    def explained(self, error: Exception) -> Exception:
        """Return what to raise instead of the driver's error."""
        ...


class SqlTx:
    """One transaction on one connection."""

    __slots__ = ("_acts", "_connection", "_driver", "_failed")

    def __init__(self, connection: Connection, driver: Driver, acts: list[Callable[[], None]] | None) -> None:
        self._connection: Connection | None = connection
        self._driver = driver
        self._acts = acts
        self._failed = False

    def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; return the number of rows it changed."""
        with self._cursor() as cursor:
            cursor.execute(self._driver.spelled(sql), params)
            return max(0, int(cursor.rowcount))

    def many(self, sql: str, rows: Iterable[Params]) -> int:
        """Run one statement for each of `rows`; return the number of rows changed in all."""
        with self._cursor() as cursor:
            cursor.executemany(self._driver.spelled(sql), rows)
            return max(0, int(cursor.rowcount))

    def row(self, sql: str, params: Params = ()) -> Row | None:
        """Return the first row, or None."""
        with self._cursor() as cursor:
            cursor.execute(self._driver.spelled(sql), params)
            found: Row | None = cursor.fetchone()
            return found

    def rows(self, sql: str, params: Params = ()) -> list[Row]:
        """Return all rows."""
        with self._cursor() as cursor:
            cursor.execute(self._driver.spelled(sql), params)
            found: list[Row] = cursor.fetchall()
            return found

    def on_commit(self, act: Callable[[], None]) -> None:
        """Call `act` once this transaction is durable."""
        if self._acts is None:
            raise RuntimeError("a read transaction commits nothing to wait for")
        self._acts.append(act)

    def end(self) -> None:
        """Make sure that every statement succeeded; nothing more can be run."""
        self.abandon()
        if self._failed:
            raise RuntimeError("a statement of this transaction failed: catch its error outside the with block")

    def abandon(self) -> None:
        """See to it that nothing more can be run."""
        self._connection = None

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        if self._connection is None:
            raise RuntimeError("this transaction is over")
        if self._failed:
            raise RuntimeError("a statement of this transaction failed: it can only be rolled back")
        cursor = self._connection.cursor()
        try:
            yield cursor
        except Exception as error:
            self._failed = True
            if not isinstance(error, self._driver.errors):
                raise
            raise self._explained(error) from error
        finally:
            cursor.close()

    def _explained(self, error: Exception) -> Exception:
        explained = self._driver.explained(error)
        # Both databases refuse in the words they also have for a read-only disk or server.
        if self._acts is None and isinstance(explained, StoreUnavailable) and explained.key == "store_readonly":
            return RuntimeError("a read transaction may not write")
        return explained
