"""What asking models cost is kept, and losing a count loses nothing else."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from zhixing.world.models.counting import MOST_PER_CALL, Counting, first_day, since, total
from zhixing.world.models.usage import Outcome, Spent, Spot, Tally, Tokens

HOME = ZoneInfo("Asia/Shanghai")
LATE = datetime(2026, 10, 12, 17, 30, tzinfo=UTC)
"""Half past one in the night of the 13th, at home."""


LONG_AGO = date(2026, 1, 1)
USUAL = Tokens(100, 20, 40)


def spent(model="m-1", at=LATE, outcome=Outcome.ANSWERED, tokens=USUAL, cost=300) -> Spent:
    return Spent(model, at, outcome, tokens, cost)


def kept(store, first=LONG_AGO):
    with store.read() as tx:
        return since(tx, first)


def test_calls_of_one_day_of_the_home_add_up_by_model(store):
    count = Counting(store, HOME)
    count(spent())
    count(spent(outcome=Outcome.FAILED, tokens=Tokens(), cost=None))
    count(spent("m-2"))
    count(spent(at=datetime(2026, 10, 12, 4, 0, tzinfo=UTC)))
    assert kept(store) == [
        (Spot(date(2026, 10, 12), "m-1"), Tally(1, 0, Tokens(100, 20, 40), 300, 0)),
        (Spot(date(2026, 10, 13), "m-1"), Tally(2, 1, Tokens(100, 20, 40), 300, 1)),
        (Spot(date(2026, 10, 13), "m-2"), Tally(1, 0, Tokens(100, 20, 40), 300, 0)),
    ]
    assert total(kept(store)) == Tally(4, 1, Tokens(300, 60, 120), 900, 1)


def test_only_what_was_asked_for_is_given(store):
    Counting(store, HOME)(spent())
    assert kept(store, date(2026, 10, 14)) == []


def test_the_last_days_include_today():
    assert first_day(LATE, 1, HOME) == date(2026, 10, 13)
    assert first_day(LATE, 30, HOME) == date(2026, 9, 14)


def test_an_absurd_count_does_not_break_the_sum(store):
    Counting(store, HOME)(spent(tokens=Tokens(10**30, 1, 0), cost=10**30))
    [(_, tally)] = kept(store)
    assert (tally.tokens.read, tally.cost) == (MOST_PER_CALL, MOST_PER_CALL)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_count_that_cannot_be_written_is_lost_and_said(store, caplog):
    store.close()
    with caplog.at_level(logging.WARNING):
        Counting(store, HOME)(spent())
    assert "m-1 was not counted" in caplog.text
