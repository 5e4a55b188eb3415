"""Several processes on one database: nothing lost, nothing half-written, and changes are heard of."""

from __future__ import annotations

import pytest

from zhixing.kernel.errors import StoreUnavailable
from zhixing.store.opening import open_store

BUY = """
for _ in range(100):
    with store.write() as tx:
        (had,) = tx.row("SELECT copies FROM book")
        tx.execute("UPDATE book SET copies = ?", (had + 1,))
store.close()
"""

HOLD = """
with store.write() as tx:
    tx.execute("UPDATE book SET copies = 7")
    tell("holding")
    wait()
store.close()
"""

COMMIT_ON_DEMAND = """
while True:
    wait()
    with store.write() as tx:
        tx.execute("UPDATE book SET copies = copies + 1")
    tell("committed")
"""

DIE_INSIDE = """
for copies in range(1, 4):
    with store.write() as tx:
        tx.execute("UPDATE book SET copies = ?", (copies,))
with store.write() as tx:
    tx.execute("UPDATE book SET copies = 99")
    tx.many("INSERT INTO book (title, copies) VALUES (?, 1)", [(f"第 {n} 本" + "长" * 1000,) for n in range(3000)])
    tell("inside")
    wait()
"""


def copies(store) -> int:
    with store.read() as tx:
        return tx.row("SELECT copies FROM book WHERE title = '论语'")[0]


def set_copies(store, number: int) -> None:
    with store.write() as tx:
        tx.execute("UPDATE book SET copies = ?", (number,))


def test_two_processes_that_load_and_save_lose_nothing(books, child):
    first, second = child(BUY), child(BUY)
    first.finish()
    second.finish()
    assert copies(books.store) == 200


def test_a_database_locked_by_another_process_gives_one_clear_line(books, child, fresh_url):
    impatient = open_store(fresh_url, busy_seconds=0.05)
    set_copies(impatient, 0)
    holder = child(HOLD)
    assert holder.hear() == "holding"
    with pytest.raises(StoreUnavailable) as caught:
        set_copies(impatient, 1)
    assert str(caught.value).startswith("数据库正被占用")
    assert copies(impatient) == 0, "reading goes on"
    holder.go_on()
    holder.finish()
    assert copies(impatient) == 7
    set_copies(impatient, 1)
    impatient.close()
    assert copies(books.reopen()) == 1


def test_a_thread_that_waits_too_long_for_another_gets_the_same_line(books, fresh_url):
    from concurrent.futures import ThreadPoolExecutor

    impatient = open_store(fresh_url, busy_seconds=0.05)
    with ThreadPoolExecutor(1) as other, impatient.write():
        error = other.submit(set_copies, impatient, 1).exception()
    assert isinstance(error, StoreUnavailable)
    assert str(error).startswith("数据库正被占用")
    impatient.close()
    assert copies(books.store) == 0


def test_commits_of_other_processes_are_noticed_once_each(books, child):
    other = child(COMMIT_ON_DEMAND)
    assert not books.store.changed()
    for _ in range(3):
        other.go_on()
        assert other.hear() == "committed"
        assert heard(books.store)
        assert not books.store.changed()


def test_own_commits_are_not_changes(books):
    for number in range(3):
        set_copies(books.store, number)
        assert not books.store.changed()


def test_a_change_between_own_commits_is_not_forgotten(books, child):
    other = child(COMMIT_ON_DEMAND)
    set_copies(books.store, 1)
    other.go_on()
    assert other.hear() == "committed"
    set_copies(books.store, 5)
    assert heard(books.store)
    assert not books.store.changed()


def test_what_others_did_before_the_store_was_opened_is_no_change(books, child):
    other = child(COMMIT_ON_DEMAND)
    other.go_on()
    assert other.hear() == "committed"
    assert not books.reopen().changed()


def heard(store) -> bool:
    """Ask until the change is seen: PostgreSQL hands a notification on a moment after the commit."""
    return any(store.changed() for _ in range(100_000))


def test_a_process_killed_inside_a_transaction_leaves_what_was_committed_and_nothing_else(books, child):
    victim = child(DIE_INSIDE)
    assert victim.hear() == "inside"
    victim.kill()
    set_copies(books.store, copies(books.store) + 1)
    store = books.reopen()
    with store.read() as tx:
        assert tx.rows("SELECT title, copies FROM book") == [("论语", 4)]
