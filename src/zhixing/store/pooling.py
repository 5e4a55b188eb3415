"""What both databases have in common: one writer, pooled readers, transactions that end in exactly one way.

A process writes through one connection, so its writers queue here and not in the database. Readers take a connection
from a pool and give it back: threads may come and go without leaving connections behind.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Generic, Literal, TypeVar

from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.connection import Tx
from zhixing.store.sharing import Turns
from zhixing.store.transaction import Connection, SqlTx

READERS = 16
"""Connections a process reads through at most; further readers wait for one."""

C = TypeVar("C", bound=Connection)


def called(acts: Sequence[Callable[[], None]]) -> None:
    """Call every act, in order, even when one of them raises."""
    with ExitStack() as calls:
        for act in reversed(acts):
            calls.callback(act)


class SqlStore(ABC, Generic[C]):
    """A store over connections of one driver. Subclasses say how to connect, begin, commit and what errors mean."""

    dialect: Literal["sqlite", "postgresql"]
    errors: tuple[type[Exception], ...]

    def __init__(self, busy_seconds: float) -> None:
        self._busy_seconds = busy_seconds
        self._inside = threading.local()
        self._writing: threading.Lock | Turns = threading.Lock()
        self._writer: C | None = None
        self._reading = threading.BoundedSemaphore(READERS)
        self._idle: list[C] = []
        self._keeping = threading.Lock()
        self._closed = False

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """Open the one write transaction of this process."""
        acts: list[Callable[[], None]] = []
        with self._alone(), self._slot(self._writing):
            connection = self._begun(self._writer, self._open_writer, self._begin_write)
            self._writer = connection
            yield from self._transact(connection, acts, self._commit_write)
        called(acts)

    @contextmanager
    def read(self) -> Iterator[Tx]:
        """Open a transaction that sees one state, as of its first statement."""
        with self._alone(), self._slot(self._reading):
            connection = self._take()
            try:
                connection = self._begun(connection, self._open_reader, self._begin_read)
                yield from self._transact(connection, None, self._commit_read)
            finally:
                self._keep(connection)

    def close(self) -> None:
        """Close every connection; a read under way ends first."""
        with self._alone(), self._writing, self._keeping:
            self._end_writing()
            self._closed = True
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            while self._idle:
                self._idle.pop().close()

    def _end_writing(self) -> None:
        """End what writers left open, before the connections are closed."""

    def _take(self) -> C | None:
        with self._keeping:
            return self._idle.pop() if self._idle else None

    def _keep(self, connection: C | None) -> None:
        if connection is None:
            return
        with self._keeping:
            if self._closed or self._is_lost(connection):
                connection.close()
            else:
                self._idle.append(connection)

    def _transact(
        self, connection: C, acts: list[Callable[[], None]] | None, commit: Callable[[C], None]
    ) -> Iterator[Tx]:
        tx = SqlTx(connection, self, acts)
        try:
            yield tx
            tx.end()
            self._explaining(commit, connection)
        except BaseException:
            tx.abandon()
            self._explaining(self._roll_back, connection)
            raise

    def _begun(self, kept: C | None, connect: Callable[[], C], begin: Callable[[C], None]) -> C:
        """Return a connection with a transaction begun; a kept one that was lost meanwhile is replaced."""
        if kept is not None:
            try:
                self._explaining(begin, kept)
            except StoreUnavailable:
                if not self._is_lost(kept):
                    self._roll_back(kept)
                    raise
                kept.close()
            else:
                return kept
        fresh = connect()
        try:
            self._explaining(begin, fresh)
        except BaseException:
            fresh.close()
            raise
        return fresh

    def _explaining(self, act: Callable[[C], None], connection: C) -> None:
        try:
            act(connection)
        except self.errors as error:
            raise self.explained(error) from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if getattr(self._inside, "transaction", False):
            raise RuntimeError("transactions do not nest: this thread is already inside one of this store")
        self._inside.transaction = True
        try:
            yield
        finally:
            self._inside.transaction = False

    @contextmanager
    def _slot(self, slot: threading.Lock | threading.BoundedSemaphore | Turns) -> Iterator[None]:
        if not slot.acquire(timeout=self._busy_seconds):
            raise self._locked()
        try:
            if self._closed:
                raise StoreUnavailable("store_closed")
            yield
        finally:
            slot.release()

    @abstractmethod
    def spelled(self, sql: str) -> str:
        """Return `sql` as the driver wants its placeholders."""

    @abstractmethod
    def explained(self, error: Exception) -> Exception:
        """Return what to raise instead of the driver's error."""

    @abstractmethod
    def changed(self) -> bool:
        """Return whether another process may have committed since this was last asked."""

    @abstractmethod
    def _locked(self) -> StoreUnavailable: ...

    @abstractmethod
    def _open_writer(self) -> C: ...

    @abstractmethod
    def _open_reader(self) -> C: ...

    @abstractmethod
    def _begin_write(self, connection: C) -> None: ...

    @abstractmethod
    def _begin_read(self, connection: C) -> None: ...

    @abstractmethod
    def _commit_write(self, connection: C) -> None: ...

    @abstractmethod
    def _commit_read(self, connection: C) -> None: ...

    @abstractmethod
    def _roll_back(self, connection: C) -> None: ...

    @abstractmethod
    def _is_lost(self, connection: C) -> bool: ...
