"""Many occurrences entered at once: what one by one would be entered, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from zhixing.kernel.clock import ManualClock
from zhixing.tasks import journal, occurrences
from zhixing.tasks.occurrence import OccurrenceState


def test_what_is_new_is_entered_and_told_in_order(store, clock: ManualClock):
    many = [entry(clock, str(number)) for number in range(5)]
    with store.write() as tx:
        assert occurrences.add_all(tx, [(each, {"n": each.key}) for each in many], now=clock.now(), who="小明") == many
    with store.read() as tx:
        assert [each.data["n"] for each in journal.since(tx, 0)] == ["0", "1", "2", "3", "4"]
        assert len(occurrences.of_part(tx, "t1", "p")) == 5


def test_what_is_there_or_given_twice_is_entered_once(store, clock: ManualClock):
    first, second, third = (entry(clock, key) for key in "abc")
    with store.write() as tx:
        occurrences.add(tx, first, now=clock.now(), who="小明")
        entered = occurrences.add_all(
            tx, [(first, {}), (second, {}), (second, {}), (third, {})], now=clock.now(), who="小明"
        )
    assert entered == [None, second, None, third]
    with store.read() as tx:
        assert len(journal.since(tx, 0)) == 3


def test_what_is_there_under_a_longer_id_is_not_entered_again(store, clock: ManualClock):
    first, second = entry(clock, "a"), entry(clock, "b")
    with store.write() as tx:
        occurrences.add(tx, replace(first, id="olonger"), now=clock.now(), who="小明")
        entered = occurrences.add_all(tx, [(first, {}), (second, {})], now=clock.now(), who="小明")
    assert entered == [None, second]
    with store.read() as tx:
        assert len(journal.since(tx, 0)) == 2


def test_none_are_none(store, clock: ManualClock):
    with store.write() as tx:
        assert occurrences.add_all(tx, [], now=clock.now(), who="小明") == []


def entry(clock: ManualClock, key: str):
    return occurrences.new("t1", "p", key, clock.now(), OccurrenceState.CLAIMED, now=clock.now())
