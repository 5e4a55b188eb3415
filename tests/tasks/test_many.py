"""Many at once are as many one by one."""

from __future__ import annotations

import pytest

from zhixing.kernel.errors import Conflict
from zhixing.store.counters import next_number, next_numbers
from zhixing.tasks import journal, occurrences
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.occurrences import Move

S = OccurrenceState


@pytest.fixture
def three(store, clock):
    now = clock.now()
    with store.write() as tx:
        return [
            occurrences.add(tx, occurrences.new("t1", "rule", str(key), now, S.CLAIMED, now=now), now=now, who="clock")
            for key in range(3)
        ]


def test_numbers_in_a_row_leave_no_gap(store):
    with store.write() as tx:
        assert [next_number(tx, "a"), next_numbers(tx, "a", 3), next_number(tx, "a"), next_numbers(tx, "b", 2)] == [
            1,
            2,
            5,
            1,
        ]


def test_occurrences_are_found_by_their_ids(store, three):
    with store.read() as tx:
        assert occurrences.some(tx, [three[2].id, "nobody", three[0].id]) == {
            three[0].id: three[0],
            three[2].id: three[2],
        }
        assert occurrences.some(tx, []) == {}


def test_each_is_moved_and_told_in_order(store, clock, three):
    moves = [Move(three[0], S.DONE), Move(three[1], S.FAILED, "why", {"steps": [1]}), Move(three[2], S.SKIPPED, "x")]
    with store.write() as tx:
        occurrences.move_all(tx, moves, now=clock.now(), who="clock")
        occurrences.move_all(tx, [], now=clock.now(), who="clock")
    with store.read() as tx:
        found = [occurrences.get(tx, one.id) for one in three]
        told = journal.of_task(tx, "t1", 3)[::-1]
        last = journal.last(tx)
    assert [(one.state, one.reason, one.revision) for one in found] == [
        (S.DONE, None, 2),
        (S.FAILED, "why", 2),
        (S.SKIPPED, "x", 2),
    ]
    assert [entry.kind for entry in told] == ["occurrence_done", "occurrence_failed", "occurrence_skipped"]
    assert [entry.data["occurrence"] for entry in told] == [one.id for one in three]
    assert (told[1].why, told[1].data["steps"]) == ("why", [1])
    assert [entry.seq for entry in told] == [last - 2, last - 1, last]


def test_one_that_has_changed_meanwhile_keeps_all_from_moving(store, clock, three):
    with store.write() as tx:
        occurrences.move(tx, three[1], S.RUNNING, now=clock.now(), who="clock")
    with pytest.raises(Conflict), store.write() as tx:
        occurrences.move_all(tx, [Move(one, S.DONE) for one in three], now=clock.now(), who="clock")
    with store.read() as tx:
        assert [occurrences.get(tx, one.id).state for one in three] == [S.CLAIMED, S.RUNNING, S.CLAIMED]
