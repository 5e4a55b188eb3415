from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.world.models.usage import Outcome, Prices, Spent, Spot, Tally, Tokens, Usage

SHANGHAI = ZoneInfo("Asia/Shanghai")
EVENING = datetime(2026, 10, 12, 15, 59, tzinfo=UTC)  # 23:59 at home
NIGHT = datetime(2026, 10, 12, 16, 1, tzinfo=UTC)


def spent(at=EVENING, model="m-text", outcome=Outcome.ANSWERED, cost: int | None = 30) -> Spent:
    return Spent(model, at, outcome, Tokens(100, 20, 10), cost)


def test_a_day_is_a_day_at_home():
    assert Spot.of(spent(EVENING), SHANGHAI) == Spot(date(2026, 10, 12), "m-text")
    assert Spot.of(spent(NIGHT), SHANGHAI) == Spot(date(2026, 10, 13), "m-text")


def test_calls_are_summed_by_model_and_day():
    usage = Usage(SHANGHAI)
    for each in (spent(), spent(), spent(NIGHT), spent(model="m-vision")):
        usage = usage.plus(each)

    assert [(spot.day.day, spot.model, tally.calls) for spot, tally in usage.rows()] == [
        (12, "m-text", 2),
        (12, "m-vision", 1),
        (13, "m-text", 1),
    ]


def test_a_tally_sums_tokens_failures_and_cost():
    tally = Tally().plus(spent()).plus(spent(outcome=Outcome.GARBLED)).plus(spent(outcome=Outcome.FAILED, cost=None))

    assert tally == Tally(calls=3, failures=2, tokens=Tokens(300, 60, 30), cost=60, unpriced=1)


def test_adding_leaves_what_was_there_as_it_was():
    before = Usage(SHANGHAI)
    before.plus(spent())

    assert list(before.rows()) == []


@pytest.mark.parametrize(
    ("prices", "tokens", "cost"),
    [
        (Prices(Decimal(2), Decimal(8)), Tokens(1_000_000, 1_000_000), 10_000_000),
        (Prices(Decimal(2), Decimal(8)), Tokens(3, 1, 3), 14),
        (Prices(Decimal(2), Decimal(8), Decimal("0.2")), Tokens(100, 0, 90), 20 + 18),
        (Prices(Decimal(2), Decimal(8), Decimal(0)), Tokens(100, 0, 500), 0),
        (Prices(Decimal("0.5"), Decimal(0)), Tokens(3, 0), 2),
        (Prices(Decimal(2), Decimal(8)), Tokens(), 0),
    ],
)
def test_a_cost_is_in_millionths_of_the_currency(prices, tokens, cost):
    assert prices.cost(tokens) == cost


CALLS = st.builds(
    Spent,
    st.sampled_from(["m-text", "m-vision"]),
    st.datetimes(datetime(2026, 1, 1), datetime(2026, 1, 4), timezones=st.just(UTC)),
    st.sampled_from(Outcome),
    st.builds(Tokens, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)),
    st.none() | st.integers(0, 9),
)


@given(st.lists(CALLS, max_size=20), st.randoms(use_true_random=False))
def test_the_order_of_calls_does_not_matter_and_none_is_lost(calls, random):
    shuffled = random.sample(calls, len(calls))
    usages = []
    for order in (calls, shuffled):
        usage = Usage(SHANGHAI)
        for call in order:
            usage = usage.plus(call)
        usages.append(list(usage.rows()))

    assert usages[0] == usages[1]
    assert sum(tally.calls for _, tally in usages[0]) == len(calls)
    assert sum(tally.tokens.read for _, tally in usages[0]) == sum(call.tokens.read for call in calls)
