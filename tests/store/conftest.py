"""Fixtures of the store's own suite: a database with one small table, and programs that share it from outside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

CHILD = """
import sys
from zhixing.store.opening import open_store

store = open_store(sys.argv[1])

def tell(word):
    print(word, flush=True)

def wait():
    sys.stdin.readline()

"""


class Child:
    """Another process with its own store on the same database; it speaks and listens in lines."""

    def __init__(self, url: str, program: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", CHILD + program, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def hear(self) -> str:
        return self._process.stdout.readline().strip()

    def go_on(self) -> None:
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def finish(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0

    def close(self) -> None:
        self.kill()
        self._process.stdin.close()
        self._process.stdout.close()


@pytest.fixture
def books(fresh_home):
    """Give a home with the table `book(title, copies)` that holds one row."""
    with fresh_home.store.write() as tx:
        tx.execute("CREATE TABLE book (title TEXT PRIMARY KEY, copies BIGINT NOT NULL)")
        tx.execute("INSERT INTO book (title, copies) VALUES (?, ?)", ("论语", 0))
    return fresh_home


@pytest.fixture
def child(books) -> Iterator[Callable[[str], Child]]:
    """Start programs that have `store`, `tell(word)` and `wait()`, on the database of `books`."""
    with ExitStack() as children:
        yield lambda program: children.enter_context(closing(Child(books.url, program)))
