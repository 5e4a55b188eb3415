"""A database behind a connection: it can be cut, and the server can be restarted."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from zhixing.kernel.errors import BadInput, StoreUnavailable
from zhixing.store.opening import open_store

SERVICES = Path(__file__).parents[2] / "scripts" / "services"

pytestmark = pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)


class Server:
    """A PostgreSQL of this test alone, which may be stopped."""

    def __init__(self, state: Path, port: int) -> None:
        self.url = f"postgresql://zhixing@127.0.0.1:{port}/zhixing"
        self._state = state
        self._environment = os.environ | {"ZHIXING_SERVICES": str(state), "ZHIXING_POSTGRES_PORT": str(port)}

    def order(self, word: str) -> None:
        subprocess.run([SERVICES, word], env=self._environment, check=True, capture_output=True, timeout=120)

    def remove(self) -> None:
        self.order("stop")
        shutil.rmtree((self._state / "postgresql.path").read_text(encoding="utf-8").strip())


@pytest.fixture
def server(tmp_path) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Server(tmp_path, port)
    server.order("start")
    yield server
    server.remove()


class Wire:
    """A loopback port in front of the server that can be told to break when a word passes through it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._server = (parts.hostname, parts.port)
        self._entry = socket.create_server(("127.0.0.1", 0))
        self.url = url.replace(f"{parts.hostname}:{parts.port}", f"127.0.0.1:{self._entry.getsockname()[1]}")
        self.break_at: bytes | None = None
        self._threads = ThreadPoolExecutor()
        self._threads.submit(self._accept)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._entry.accept()
                far = socket.create_connection(self._server)
                self._threads.submit(self._carry, near, far)
                self._threads.submit(self._carry, far, near)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if self.break_at is not None and self.break_at in data:
                    # The word still arrives; its answer never does.
                    source.shutdown(socket.SHUT_RDWR)
                    target.sendall(data)
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        # Closing alone does not wake a thread that waits in accept().
        self._entry.shutdown(socket.SHUT_RDWR)
        self._entry.close()
        self._threads.shutdown()


def copies(store) -> int:
    with store.read() as tx:
        return tx.row("SELECT copies FROM book")[0]


def set_copies(store, number: int) -> None:
    with store.write() as tx:
        tx.execute("UPDATE book SET copies = ?", (number,))


def cut(store) -> None:
    """End every connection that `store` has, as an administrator or a firewall does, and wait until they are gone."""
    pids = [c.info.backend_pid for c in (store._writer, store._listener, *store._idle)]
    with psycopg.connect(dsn(store), autocommit=True) as other:
        for pid in pids:
            other.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,))


def dsn(store) -> str:
    return store._writer.info.dsn


def test_connections_that_broke_while_idle_are_replaced_unnoticed(books):
    copies(books.store)
    cut(books.store)
    set_copies(books.store, 3)
    assert copies(books.store) == 3


def test_a_connection_that_breaks_inside_a_transaction_is_one_clear_error(books):
    def write() -> None:
        with books.store.write() as tx:
            tx.execute("UPDATE book SET copies = 99")
            cut(books.store)
            tx.execute("UPDATE book SET copies = 100")

    with pytest.raises(StoreUnavailable) as caught:
        write()
    assert str(caught.value).startswith("连不上 PostgreSQL")
    assert "\n" not in str(caught.value)
    assert copies(books.store) == 0
    set_copies(books.store, 1)
    assert copies(books.store) == 1


def test_a_connection_that_breaks_inside_a_read_is_replaced_for_the_next(books):
    def read() -> None:
        with books.store.read() as tx:
            pid = tx.row("SELECT pg_backend_pid()")[0]
            with psycopg.connect(dsn(books.store), autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,))
            tx.row("SELECT copies FROM book")

    with pytest.raises(StoreUnavailable):
        read()
    assert copies(books.store) == 0


def test_a_commit_whose_answer_was_lost_is_said_to_be_unsure(books):
    wire = Wire(books.url)
    with closing(wire), closing(open_store(wire.url)) as store:
        wire.break_at = b"; COMMIT"
        with pytest.raises(StoreUnavailable) as caught:
            set_copies(store, 5)
        assert caught.value.key == "store_unsure"
        wire.break_at = None
        with store.write() as tx:
            assert tx.row("SELECT copies FROM book") == (5,), "the writers' lock waits for that commit"
        set_copies(store, 6)
        assert copies(books.store) == 6


def test_a_lost_listener_counts_as_one_change_and_listens_again(books, child):
    cut(books.store)
    assert books.store.changed()
    assert not books.store.changed()
    child("with store.write() as tx: tx.execute('UPDATE book SET copies = 1')\nstore.close()").finish()
    assert any(books.store.changed() for _ in range(100_000))
    assert not books.store.changed()


def test_a_transaction_that_changed_nothing_tells_nobody(books, child):
    child(
        "with store.write() as tx: tx.execute('UPDATE book SET copies = 1 WHERE copies = 99')\nstore.close()"
    ).finish()
    assert not any(books.store.changed() for _ in range(10_000))


def test_homes_in_schemas_of_their_own_do_not_wait_for_each_other(books, postgresql_schemas):
    with closing(open_store(postgresql_schemas("other"), busy_seconds=0.05)) as other, books.store.write():

        def write() -> None:
            with other.write() as tx:
                tx.execute("CREATE TABLE book (title TEXT PRIMARY KEY)")

        with ThreadPoolExecutor(1) as thread:
            thread.submit(write).result()
    assert not books.store.changed()


def test_a_restarted_server_is_an_error_while_it_is_away_and_then_works_again(server, dialect):
    assert dialect == "postgresql"
    with closing(open_store(server.url)) as store:
        with store.write() as tx:
            tx.execute("CREATE TABLE book (copies BIGINT NOT NULL)")
            tx.execute("INSERT INTO book (copies) VALUES (1)")
        assert copies(store) == 1

        def write_across_a_stop() -> None:
            with store.write() as tx:
                tx.execute("UPDATE book SET copies = 99")
                server.order("stop")

        with pytest.raises(StoreUnavailable) as caught:
            write_across_a_stop()
        assert str(caught.value).startswith("连不上 PostgreSQL")
        for use in (copies, lambda store: set_copies(store, 98)):
            with pytest.raises(StoreUnavailable) as caught:
                use(store)
            assert str(caught.value).startswith("连不上 PostgreSQL")
        assert not store.changed()

        server.order("start")
        assert store.changed()
        assert not store.changed()
        assert copies(store) == 1
        set_copies(store, 2)
        assert copies(store) == 2
        with closing(open_store(server.url)) as other:
            set_copies(other, 3)
        assert any(store.changed() for _ in range(100_000))


def test_a_zero_character_is_bad_input(books):
    def write() -> None:
        with books.store.write() as tx:
            tx.execute("UPDATE book SET title = ?", ("a\x00b",))

    with pytest.raises(BadInput) as caught:
        write()
    assert caught.value.key == "text_unstorable"


def test_a_schema_that_is_not_there_is_refused_at_once(books):
    with pytest.raises(StoreUnavailable) as caught:
        open_store(books.url.replace("fresh", "missing"))
    assert "search_path" in str(caught.value)
