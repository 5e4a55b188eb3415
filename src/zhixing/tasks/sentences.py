"""Sentences that are shown before anything comes of them: what is alike about their rows, whichever way they go.

Each way has a table of its own with `number`, `text`, `who`, `zone`, `said_at`, `state` and `key`, and whatever else it
needs. People know a sentence by the letter of its way and its number (d12).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from zhixing.kernel.errors import BadInput, NotFound
from zhixing.kernel.moments import from_micros, micros
from zhixing.kernel.numbered import number_of
from zhixing.store.connection import Row, Tx
from zhixing.store.counters import next_number

LARGEST_PAGE = 200
"""Sentences given at most at once."""

_COLUMNS = ("number", "text", "who", "zone", "said_at")
_LONGEST_SHOWN = 64
"""Characters of an id that are repeated in an error."""
_NO_NUMBER = 2**62
"""More than any number."""


Fixed = tuple[str, str, str, str, datetime]
"""What never changes of a sentence: its id, what was said, who said it, where its times are read, and when it was."""


class Sentence(Protocol):
    """What the rows of all ways are alike in."""

    @property
    def id(self) -> str:
        """The letter and the number."""
        ...

    @property
    def text(self) -> str:
        """What was said."""
        ...

    @property
    def who(self) -> str:
        """Who said it."""
        ...

    @property
    def zone(self) -> str:
        """Where its times are read."""
        ...

    @property
    def said_at(self) -> datetime:
        """When it was said."""
        ...


S = TypeVar("S", bound=Sentence)


class Sentences(Generic[S]):
    """The rows of one way.

    `columns` are its own, in the order in which `written` gives and `read` takes their values; a sentence whose id is
    not there is told by the error `unknown`; `counter` counts the numbers, and `states` are all there are.
    """

    def __init__(
        self,
        table: str,
        *,
        prefix: str,
        counter: str,
        unknown: str,
        states: type[StrEnum],
        columns: Sequence[str],
        written: Callable[[S], tuple[object, ...]],
        read: Callable[[Fixed, Row], S],
    ) -> None:
        self._prefix = prefix
        self._counter = counter
        self._unknown = unknown
        self._states = states
        self._written = written
        self._read_own = read
        every = (*_COLUMNS, *columns)
        self._select = f"SELECT {', '.join(every)} FROM {table}"
        self._insert = f"INSERT INTO {table} ({', '.join(every)}, key) VALUES ({', '.join('?' * (len(every) + 1))})"
        self._update = f"UPDATE {table} SET {', '.join(f'{each} = ?' for each in columns)} WHERE number = ?"

    def new_id(self, tx: Tx) -> str:
        """Return the next id: d1, then d2, and so on."""
        return f"{self._prefix}{next_number(tx, self._counter)}"

    def insert(self, tx: Tx, row: S, key: str | None = None) -> S:
        """Add a row whose id comes from `new_id`; the caller has looked for `key` before."""
        fixed = (self._number(row), row.text, row.who, row.zone, micros(row.said_at))
        tx.execute(self._insert, (*fixed, *self._written(row), key))
        return row

    def save(self, tx: Tx, row: S) -> S:
        """Write down what changed about a sentence."""
        tx.execute(self._update, (*self._written(row), self._number(row)))
        return row

    def get(self, tx: Tx, sentence_id: str) -> S:
        """Return a sentence; raise `NotFound` when there is none of that id."""
        number = number_of(sentence_id, self._prefix)
        found = None if number is None else self.first(tx, "number = ?", (number,))
        if found is None:
            raise NotFound(self._unknown, id=sentence_id[:_LONGEST_SHOWN])
        return found

    def find_by_key(self, tx: Tx, key: str) -> S | None:
        """Return the sentence that was kept under `key`."""
        return self.first(tx, "key = ?", (key,))

    def first(self, tx: Tx, where: str, values: Sequence[object]) -> S | None:
        """Return the sentence for which a condition holds, None where there is none."""
        row = tx.row(f"{self._select} WHERE {where}", values)
        return None if row is None else self._read(row)

    def every(self, tx: Tx, where: str, values: Sequence[object]) -> list[S]:
        """Return all sentences for which a condition holds, the oldest first."""
        return [self._read(row) for row in tx.rows(f"{self._select} WHERE {where} ORDER BY number", values)]

    def page(self, tx: Tx, *, states: Collection[StrEnum] = (), limit: int = 50, before: str | None = None) -> list[S]:
        """Return sentences in the given states (none given: all), the newest first; `before` continues behind an id.

        Raises `BadInput` for a cursor that is no id.
        """
        wanted = [state.value for state in states or self._states]
        until = _NO_NUMBER if before is None else number_of(before, self._prefix)
        if until is None:
            raise BadInput("cursor_unreadable", text=(before or "")[:_LONGEST_SHOWN])
        rows = tx.rows(
            f"{self._select} WHERE state IN ({', '.join('?' * len(wanted))}) AND number < ?"
            " ORDER BY number DESC LIMIT ?",
            (*wanted, until, max(1, min(limit, LARGEST_PAGE))),
        )
        return [self._read(row) for row in rows]

    def _number(self, row: S) -> int:
        return int(row.id.removeprefix(self._prefix))

    def _read(self, row: Row) -> S:
        number, text, who, zone, said_at, *own = row
        return self._read_own((f"{self._prefix}{number}", text, who, zone, from_micros(said_at)), tuple(own))
