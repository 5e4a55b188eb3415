"""Writers that wait for each other share a commit, and each is promised what a writer alone is promised."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from zhixing.kernel.errors import StoreUnavailable
from zhixing.store import sharing
from zhixing.store.sqlite import SqliteStore

INSERT = "INSERT INTO book (title) VALUES (?)"
PATIENCE = 30.0


class Noted:
    """The lock under which waiting writers are counted; says each time that the count was changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.changes = threading.Semaphore(0)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        self.changes.release()


class Shop:
    """A store whose commits are counted, and writers that are made to wait for each other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = SqliteStore(path, busy_seconds=PATIENCE)
        with self.store.write() as tx:
            tx.execute("CREATE TABLE book (title TEXT PRIMARY KEY)")
        self.commits = 0
        self.told: list[str] = []
        self._counted = self.store._commit_write
        self.store._commit_write = self._count
        self._noted = self.store._turns._counting = Noted()

    def _count(self, connection: sqlite3.Connection) -> None:
        self.commits += 1
        self._counted(connection)

    def refuse_commits(self) -> None:
        def refuse(_connection: sqlite3.Connection) -> None:
            self.store._commit_write = self._count
            raise sqlite3.OperationalError("disk I/O error")

        self.store._commit_write = refuse

    def add(self, title: str, *then: Callable[[], object]) -> None:
        with self.store.write() as tx:
            tx.execute(INSERT, (title,))
            tx.on_commit(lambda: self.told.append(title))
            for each in then:
                each()

    def together(self, first: Callable[[Callable[[], None]], None], *others: Callable[[], None]) -> list[Future[None]]:
        """Do the first, which is given how to wait until all others wait for it; then they come, in any order."""

        def all_wait() -> None:
            for _ in others:
                assert self._noted.changes.acquire(timeout=PATIENCE)

        with ThreadPoolExecutor(len(others) + 1) as threads:
            begun = threading.Event()

            def wait_for_all() -> None:
                begun.set()
                all_wait()

            futures = [threads.submit(first, wait_for_all)]
            assert begun.wait(PATIENCE)
            futures += [threads.submit(each) for each in others]
        return futures

    @property
    def titles(self) -> list[str]:
        """What another process would see."""
        with closing(sqlite3.connect(self.path)) as other:
            return [title for (title,) in other.execute("SELECT title FROM book ORDER BY title")]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    shop = Shop(tmp_path / "books.db")
    with closing(shop.store):
        yield shop


def failures(futures: list[Future[None]]) -> list[BaseException]:
    return [error for error in (each.exception() for each in futures) if error is not None]


def test_writers_that_wait_for_each_other_share_one_commit(shop):
    others = [lambda n=n: shop.add(f"book {n}") for n in range(5)]
    futures = shop.together(lambda wait: shop.add("first", wait), *others)
    assert failures(futures) == []
    assert shop.titles == sorted(shop.told) == [*(f"book {n}" for n in range(5)), "first"]
    assert shop.commits == 1


def test_a_writer_alone_commits_alone(shop):
    for title in "ab":
        shop.add(title)
    assert (shop.commits, shop.titles) == (2, ["a", "b"])


def test_no_more_than_a_bounded_number_share_a_commit(shop, monkeypatch):
    monkeypatch.setattr("zhixing.store.sqlite.MOST", 2)
    others = [lambda n=n: shop.add(f"book {n}") for n in range(5)]
    assert failures(shop.together(lambda wait: shop.add("first", wait), *others)) == []
    assert shop.commits == 3
    assert len(shop.titles) == 6


def test_nobody_is_told_before_the_shared_commit(shop):
    seen = []

    def look() -> None:
        seen.append((shop.titles, list(shop.told)))

    shop.together(lambda wait: shop.add("first", wait), lambda: shop.add("second", look))
    assert seen == [([], [])]
    assert shop.titles == ["first", "second"]


def test_a_later_writer_sees_what_an_earlier_one_wrote(shop):
    seen = []

    def look() -> None:
        with shop.store.write() as tx:
            seen.extend(tx.rows("SELECT title FROM book"))

    shop.together(lambda wait: shop.add("first", wait), look)
    assert seen == [("first",)]


def test_one_that_raises_keeps_nothing_and_harms_nobody(shop):
    def burn() -> None:
        raise KeyError

    def twice() -> None:
        shop.add("first")

    others = [lambda: shop.add("burnt", burn), twice, lambda: shop.add("last")]
    futures = shop.together(lambda wait: shop.add("first", wait), *others)
    assert sorted(type(error).__name__ for error in failures(futures)) == ["KeyError", "UniqueViolation"]
    assert shop.titles == sorted(shop.told) == ["first", "last"]
    assert shop.commits == 1


def test_a_first_one_that_raises_leaves_the_turn_to_the_next(shop):
    def burn(wait: Callable[[], None]) -> None:
        def fail() -> None:
            wait()
            raise KeyError

        shop.add("burnt", fail)

    futures = shop.together(burn, lambda: shop.add("second"), lambda: shop.add("third"))
    assert [type(error) for error in failures(futures)] == [KeyError]
    assert shop.titles == ["second", "third"]


def test_a_commit_that_fails_has_failed_for_everybody(shop):
    shop.refuse_commits()
    futures = shop.together(lambda wait: shop.add("first", wait), lambda: shop.add("second"), lambda: shop.add("third"))
    assert len(failures(futures)) == 3
    assert shop.titles == shop.told == []
    shop.add("again")
    assert shop.titles == ["again"]


def test_a_transaction_that_the_database_gave_up_has_failed_for_everybody(shop):
    def give_up() -> None:
        shop.store._writer.execute("ROLLBACK")
        raise KeyError

    futures = shop.together(lambda wait: shop.add("first", wait), lambda: shop.add("second", give_up))
    assert [type(error) for error in failures(futures)] == [StoreUnavailable, KeyError]
    assert shop.titles == shop.told == []
    shop.add("again")
    assert shop.titles == ["again"]


def test_who_is_interrupted_before_he_could_roll_back_keeps_nothing(shop):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    def burn() -> None:
        shop.store._undo = interrupted
        raise KeyError

    futures = shop.together(lambda wait: shop.add("first", wait), lambda: shop.add("second", burn))
    assert [type(error) for error in failures(futures)] == [StoreUnavailable, KeyboardInterrupt]
    assert shop.titles == shop.told == []
    shop.add("again")
    assert shop.titles == ["again"]


def test_who_finds_no_room_any_more_takes_nobody_along(shop):
    def fill() -> None:
        with shop.store.write() as tx:
            (pages,) = tx.row("PRAGMA page_count")
            tx.execute(f"PRAGMA max_page_count = {pages + 2}")
            tx.many(INSERT, [("长" * 3000 + str(n),) for n in range(100)])

    futures = shop.together(lambda wait: shop.add("first", wait), fill)
    kept = futures[0].exception() is None
    assert isinstance(futures[1].exception(), StoreUnavailable)
    assert shop.titles == shop.told == (["first"] if kept else [])
    shop.store._writer.execute("PRAGMA max_page_count = 1000000")
    shop.add("later")
    assert "later" in shop.titles


def test_a_commit_left_to_somebody_who_does_not_come_is_made_all_the_same(shop, monkeypatch):
    answers = iter([True, False] * 2)
    monkeypatch.setattr(sharing.Turns, "wanted", property(lambda _turns: next(answers)))
    shop.add("a")
    shop.add("b")
    assert shop.titles == shop.told == ["a", "b"]


def test_closing_ends_what_was_left_open(shop, monkeypatch):
    answers = iter([True])
    monkeypatch.setattr(sharing.Turns, "wanted", property(lambda _turns: next(answers, False)))
    left = threading.Event()
    finished = shop.store._pass_on

    def pass_on() -> None:
        finished()
        left.set()

    shop.store._pass_on = pass_on
    with ThreadPoolExecutor(1) as threads:
        adding = threads.submit(shop.add, "a")
        assert left.wait(PATIENCE)
        shop.store.close()
    assert adding.exception() is None
    assert shop.titles == ["a"]
