"""What a transaction promises, on both databases."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zhixing.kernel.errors import BadInput, StoreUnavailable
from zhixing.store.connection import UniqueViolation

INSERT = "INSERT INTO book (title, copies) VALUES (?, ?)"


def titles(store) -> set[str]:
    with store.read() as tx:
        return {title for (title,) in tx.rows("SELECT title FROM book")}


def copies(store) -> int:
    with store.read() as tx:
        return tx.row("SELECT copies FROM book WHERE title = ?", ("论语",))[0]


def buy_one(store) -> None:
    with store.write() as tx:
        (had,) = tx.row("SELECT copies FROM book WHERE title = ?", ("论语",))
        tx.execute("UPDATE book SET copies = ? WHERE title = ?", (had + 1, "论语"))


def insert_and_raise(store, *, acts=()) -> None:
    with store.write() as tx:
        tx.execute(INSERT, ("孟子", 1))
        for act in acts:
            tx.on_commit(act)
        raise KeyError


def test_what_was_committed_is_there_after_a_restart(books):
    with books.store.write() as tx:
        tx.execute(INSERT, ("孟子", 1))
    assert titles(books.reopen()) == {"论语", "孟子"}


def test_nothing_is_kept_of_a_block_that_raised(books):
    with pytest.raises(KeyError):
        insert_and_raise(books.store)
    assert titles(books.store) == {"论语"}
    assert titles(books.reopen()) == {"论语"}


def test_a_table_made_in_a_block_that_raised_is_gone(books):
    def make_and_raise() -> None:
        with books.store.write() as tx:
            tx.execute("CREATE TABLE shelf (name TEXT PRIMARY KEY)")
            raise KeyError

    with pytest.raises(KeyError):
        make_and_raise()
    with books.store.write() as tx:
        tx.execute("CREATE TABLE shelf (name TEXT PRIMARY KEY)")


def test_changed_rows_are_counted(books):
    with books.store.write() as tx:
        assert tx.execute(INSERT, ("孟子", 1)) == 1
        assert tx.many(INSERT, [("大学", 1), ("中庸", 2)]) == 2
        assert tx.execute("UPDATE book SET copies = copies + 1 WHERE copies >= ?", (1,)) == 3
        assert tx.execute("DELETE FROM book WHERE title = ?", ("没有",)) == 0
        assert tx.execute(f"{INSERT} ON CONFLICT DO NOTHING", ("孟子", 9)) == 0
        assert tx.many(INSERT, []) == 0


def test_rows_come_as_tuples_of_plain_values(books):
    with books.store.write() as tx:
        tx.execute(INSERT, ("100% 是?", True))
        assert tx.rows("SELECT title, copies, '?%', NULL FROM book WHERE title LIKE '100%' AND copies = ?", (1,)) == [
            ("100% 是?", 1, "?%", None)
        ]
        total = tx.row("SELECT sum(copies) FROM book")[0]
        assert (total, type(total)) == (1, int)
        assert tx.row("SELECT title FROM book WHERE title = ?", ("没有",)) is None


def test_acts_are_called_after_the_commit_and_may_use_the_store(books):
    seen = []
    with books.store.write() as tx:
        tx.execute(INSERT, ("孟子", 1))
        tx.on_commit(lambda: seen.append(titles(books.store)))
        tx.on_commit(lambda: buy_one(books.store))
        tx.on_commit(lambda: seen.append(copies(books.store)))
        assert seen == []
    assert seen == [{"论语", "孟子"}, 1]


def test_no_act_is_called_after_a_rollback(books):
    seen = []
    with pytest.raises(KeyError):
        insert_and_raise(books.store, acts=[lambda: seen.append("called")])
    assert seen == []


def test_an_act_that_raises_keeps_no_other_from_being_called(books):
    seen = []

    def commit() -> None:
        with books.store.write() as tx:
            tx.execute(INSERT, ("孟子", 1))
            tx.on_commit([].pop)
            tx.on_commit(lambda: seen.append("called"))

    with pytest.raises(IndexError):
        commit()
    assert seen == ["called"]
    assert "孟子" in titles(books.store)


@pytest.mark.parametrize("outer", ["read", "write"])
@pytest.mark.parametrize("inner", ["read", "write"])
def test_transactions_of_one_thread_do_not_nest(books, outer, inner):
    with getattr(books.store, outer)(), pytest.raises(RuntimeError), getattr(books.store, inner)():
        pass
    buy_one(books.store)
    assert copies(books.store) == 1


def test_a_transaction_cannot_be_used_behind_its_block(books):
    with books.store.write() as tx:
        pass
    with pytest.raises(RuntimeError):
        tx.execute(INSERT, ("孟子", 1))


def test_a_read_transaction_may_not_write(books):
    with books.store.read() as tx, pytest.raises(RuntimeError):
        tx.on_commit(print)

    def write() -> None:
        with books.store.read() as tx:
            tx.execute(INSERT, ("孟子", 1))

    with pytest.raises(RuntimeError):
        write()
    assert titles(books.store) == {"论语"}


def test_a_second_row_with_the_same_key_is_a_unique_violation(books):
    def insert() -> None:
        with books.store.write() as tx:
            tx.execute(INSERT, ("孟子", 1))
            tx.execute(INSERT, ("论语", 1))

    with pytest.raises(UniqueViolation):
        insert()
    assert titles(books.store) == {"论语"}


def test_an_error_that_was_swallowed_does_not_end_in_a_commit(books):
    def insert() -> None:
        with books.store.write() as tx:
            tx.execute(INSERT, ("孟子", 1))
            with pytest.raises(UniqueViolation):
                tx.execute(INSERT, ("论语", 1))
            with pytest.raises(RuntimeError):
                tx.execute(INSERT, ("大学", 1))

    with pytest.raises(RuntimeError):
        insert()
    assert titles(books.store) == {"论语"}


def test_text_that_is_no_text_is_bad_input(books):
    def insert() -> None:
        with books.store.write() as tx:
            tx.execute(INSERT, ("\ud800", 1))

    with pytest.raises(BadInput) as caught:
        insert()
    assert "无法保存的字符" in str(caught.value)


def test_a_reader_sees_one_state_while_others_write(books):
    with ThreadPoolExecutor(1) as other, books.store.read() as tx:
        before = tx.rows("SELECT title, copies FROM book")
        other.submit(buy_one, books.store).result()
        assert tx.rows("SELECT title, copies FROM book") == before
    assert copies(books.store) == 1


def test_nobody_sees_a_write_that_is_not_committed(books):
    with ThreadPoolExecutor(1) as other, books.store.write() as tx:
        tx.execute("UPDATE book SET copies = 7")
        assert other.submit(copies, books.store).result() == 0
    assert copies(books.store) == 7


def test_threads_that_load_and_save_lose_nothing(books):
    together = threading.Barrier(4)

    def buy_many() -> None:
        together.wait()
        for _ in range(50):
            buy_one(books.store)

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(buy_many) for _ in range(4)]:
            done.result()
    assert copies(books.store) == 200


def test_more_readers_than_connections_take_turns(books):
    with ThreadPoolExecutor(40) as threads:
        assert sum(threads.map(lambda _: copies(books.store) + 1, range(400))) == 400


def test_a_closed_store_says_so(books):
    books.store.close()
    books.store.close()
    for use in (copies, buy_one, lambda store: store.changed()):
        with pytest.raises(StoreUnavailable) as caught:
            use(books.store)
        assert str(caught.value) == "数据库已经关闭。"


def test_a_read_under_way_ends_before_its_connection_is_closed(books):
    with ThreadPoolExecutor(1) as other, books.store.read() as tx:
        other.submit(books.store.close).result()
        assert tx.row("SELECT copies FROM book") == (0,)
    assert books.store._idle == []
