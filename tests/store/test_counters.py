"""Numbers users know things by: no gaps, whatever goes wrong."""

from __future__ import annotations

import pytest

from zhixing.store.counters import next_number


def test_numbers_start_at_one_and_have_no_gaps(store):
    with store.write() as tx:
        assert [next_number(tx, "task"), next_number(tx, "task")] == [1, 2]
    with store.write() as tx:
        assert next_number(tx, "task") == 3


def test_each_name_counts_for_itself(store):
    with store.write() as tx:
        next_number(tx, "task")
        assert next_number(tx, "notice") == 1


def test_a_number_of_a_rolled_back_transaction_is_given_again(store):
    def give_up() -> None:
        with store.write() as tx:
            next_number(tx, "task")
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    with store.write() as tx:
        assert next_number(tx, "task") == 1


def test_numbers_go_on_after_a_restart(home):
    with home.store.write() as tx:
        next_number(tx, "task")
    with home.reopen().write() as tx:
        assert next_number(tx, "task") == 2
