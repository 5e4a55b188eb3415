"""What can happen to a file, and the one clear line each gets."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.sqlite import SqliteStore

INSERT = "INSERT INTO book (title) VALUES (?)"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "books.db"


@pytest.fixture
def store(path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as store:
        with store.write() as tx:
            tx.execute("CREATE TABLE book (title TEXT PRIMARY KEY)")
            tx.execute(INSERT, ("论语",))
        yield store


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root may write everywhere; be nobody for a while."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


def add(store, *titles: str) -> None:
    with store.write() as tx:
        tx.many(INSERT, [(title,) for title in titles])


def titles(store) -> list[str]:
    with store.read() as tx:
        return [title for (title,) in tx.rows("SELECT title FROM book ORDER BY title")]


def line(use, *args) -> str:
    """Return the one line that `use` fails with."""
    with pytest.raises(StoreUnavailable) as caught:
        use(*args)
    said = str(caught.value)
    assert "\n" not in said
    return said


def test_what_was_committed_waits_for_the_disk(store):
    assert store._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"


def test_a_row_may_not_point_to_nothing(store):
    with store.write() as tx:
        tx.execute("CREATE TABLE loan (title TEXT NOT NULL REFERENCES book (title))")

    def lend_nothing() -> None:
        with store.write() as tx:
            tx.execute("INSERT INTO loan (title) VALUES ('没有')")

    with pytest.raises(sqlite3.IntegrityError):
        lend_nothing()


def test_a_full_database_keeps_nothing_of_the_transaction_and_works_again_with_room(store):
    pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
    store._writer.execute(f"PRAGMA max_page_count = {pages + 2}")
    assert line(add, store, "孟子", *("长" * 3000 + str(n) for n in range(100))).startswith("磁盘或数据库已满")
    assert titles(store) == ["论语"]
    store._writer.execute("PRAGMA max_page_count = 1000000")
    add(store, "孟子")
    assert titles(store) == ["孟子", "论语"]


def test_a_disk_that_takes_no_more_keeps_nothing_of_the_transaction(store, path):
    store.close()
    program = """
import sys
from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.sqlite import SqliteStore
store = SqliteStore(sys.argv[1])
try:
    with store.write() as tx:
        tx.many("INSERT INTO book (title) VALUES (?)", [("长" * 1000 + str(n),) for n in range(2000)])
except StoreUnavailable as error:
    print(error.key)
store.close()
"""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, path],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "store_failing"
    with closing(SqliteStore(path)) as reopened:
        assert titles(reopened) == ["论语"]
        add(reopened, "孟子")


def test_a_file_that_is_no_database_is_refused_and_left_alone(path):
    content = "这不是数据库\n" * 1000
    path.write_text(content, encoding="utf-8")
    assert line(SqliteStore, path).startswith("数据库文件已损坏或不是数据库")
    assert path.read_text(encoding="utf-8") == content


def test_a_damaged_file_is_reported_when_the_damage_is_met(store, path):
    add(store, *("长" * 1000 + str(n) for n in range(200)))
    store.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    with closing(SqliteStore(path)) as damaged:
        assert line(titles, damaged).startswith("数据库文件已损坏")
        assert line(add, damaged, "孟子").startswith("数据库文件已损坏")


@pytest.mark.parametrize("where", ["missing/books.db", "file/books.db", "folder"])
def test_a_place_where_no_file_can_be_is_refused(tmp_path, where):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    assert line(SqliteStore, tmp_path / where).startswith("打不开数据库")


def test_a_read_only_file_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "books.db")
        SqliteStore(path).close()
        path.chmod(0o444)
        Path(folder).chmod(0o755)
        with without_privileges():
            with pytest.raises(StoreUnavailable) as caught, closing(SqliteStore(path)) as store:
                add(store, "孟子")
            key = caught.value.key
    assert key == "store_readonly"


def test_a_folder_that_may_not_be_used_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        with without_privileges(), pytest.raises(StoreUnavailable) as caught:
            SqliteStore(Path(folder, "books.db"))
        Path(folder).chmod(0o755)
    assert caught.value.key == "store_unopenable"


def test_processes_may_create_the_same_file_at_once(tmp_path):
    program = """
import sys
from zhixing.store.sqlite import SqliteStore
for line in sys.stdin:
    store = SqliteStore(line.strip())
    with store.write() as tx:
        tx.execute("CREATE TABLE IF NOT EXISTS book (title TEXT PRIMARY KEY)")
    store.close()
    print("done", flush=True)
"""
    command = [sys.executable, "-W", "error", "-c", program]
    with ExitStack() as running:
        creators = [
            running.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            for _ in range(4)
        ]
        for number in range(80):
            for creator in creators:
                creator.stdin.write(f"{tmp_path}/{number}.db\n")
                creator.stdin.flush()
            assert [creator.stdout.readline() for creator in creators] == ["done\n"] * len(creators)


def test_only_the_owner_may_read_what_people_said(tmp_path: Path):
    with closing(SqliteStore(tmp_path / "home.db")) as store, store.write() as tx:
        tx.execute("CREATE TABLE said (words TEXT)")
    assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}
