"""A store under a process that dies, and databases that fail: what is left is what was committed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.connection import Store, Tx


class Killed(BaseException):
    """The end of the process, which nothing in it can hold up."""


class Mortal:
    """A store that ends its process at a step: `before` or `after` the n-th commit from when that is set, from 1."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner
        self._when, self._left = "", 0

    def die(self, step: str) -> None:
        """Set the step."""
        self._when, _, number = step.partition(" ")
        self._left = int(number)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @contextmanager
    def write(self) -> Iterator[Tx]:
        self._left -= 1
        with self._inner.write() as tx:
            yield tx
            self._die("before")
        self._die("after")

    def _die(self, when: str) -> None:
        if self._left == 0 and self._when == when:
            raise Killed


class Full:
    """A store that takes `room` more write transactions."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner
        self.room = 1_000

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @contextmanager
    def write(self) -> Iterator[Tx]:
        if self.room <= 0:
            raise StoreUnavailable("store_full", place="home.db")
        self.room -= 1
        with self._inner.write() as tx:
            yield tx
