"""Who may use the copy of the rules: whoever holds the write transaction, for as long as it does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from zhixing.engine.model import Engine, Job
from zhixing.kernel.moments import from_micros
from zhixing.store.connection import Tx
from zhixing.tasks.rules import store
from zhixing.tasks.rules.book import Book

WAKE = "rules.wake"
"""The name of the job that looks at the clock for all rules."""


class Attendant(Protocol):
    """Who is told when the book is opened and closed."""

    def began(self, tx: Tx, book: Book) -> None:
        """Do what comes before everything else."""
        ...

    def ending(self, tx: Tx) -> None:
        """Do the last of what is to be done; then it is written."""
        ...

    def failed(self) -> None:
        """Forget what was done: it is not kept."""
        ...


class Sessions:
    """Gives the book out. One transaction may open it several times, also while it is open."""

    def __init__(self, engine: Engine, attendant: Attendant) -> None:
        self._engine = engine
        self._attendant = attendant
        self._guard = threading.Lock()
        self._book: Book | None = None
        self._owner: Tx | None = None
        """The transaction whose changes the book has and nobody knows yet whether they will be kept."""
        self._working: Tx | None = None
        """The transaction in which it is open."""
        self.avoided: dict[str, int] = {}
        """Conditions whose rules could not be settled, and until when they are left alone."""

    @contextmanager
    def open(self, tx: Tx) -> Iterator[Book]:
        """Give the book, as it is in this transaction; what changed in it is written at the end of the outermost."""
        if self._working is tx and self._book is not None:
            yield self._book
            return
        book = self._valid(tx)
        self._working = tx
        try:
            self._attendant.began(tx, book)
            yield book
            self._attendant.ending(tx)
            self._arm(tx, book)
            book.flush(tx)
        except BaseException:
            self._book = None
            self._attendant.failed()
            raise
        finally:
            self._working = None

    def _valid(self, tx: Tx) -> Book:
        with self._guard:
            mine, nobodys = self._owner is tx, self._owner is None
            self._owner = tx
        if mine and self._book is not None:
            return self._book
        if not mine:
            tx.on_commit(lambda: self._committed(tx))
        row = store.book(tx)
        # What a transaction that is not known to be kept left in the copy must not be seen by another.
        if not nobodys or self._book is None or self._book.generation != row.generation:
            self._book = Book(tx, row, self.avoided)
        return self._book

    def _committed(self, tx: Tx) -> None:
        with self._guard:
            if self._owner is tx:
                self._owner = None

    def _arm(self, tx: Tx, book: Book) -> None:
        """Have the engine look at the clock when the first rule wants to."""
        book.settle()
        earliest = book.earliest()
        if earliest is None or (book.wake is not None and book.wake <= earliest):
            return
        if book.wake_key is not None:
            self._engine.cancel(tx, book.wake_key)
        book.wake = earliest
        book.wake_key = f"rules:wake:{book.generation + 1}:{earliest}"
        book.altered = True
        self._engine.enqueue(tx, Job(WAKE, book.wake_key, from_micros(earliest)))
