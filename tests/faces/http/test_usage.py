"""GET /usage: what asking models cost."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from zhixing.world.models.counting import Counting
from zhixing.world.models.usage import Outcome, Spent, Tokens

HOME = ZoneInfo("Asia/Shanghai")


def test_it_lists_days_and_models_and_sums_them(client, store, clock):
    count = Counting(store, HOME)
    count(Spent("m-1", clock.now(), Outcome.ANSWERED, Tokens(1000, 200, 0), 2_500_000))
    count(Spent("m-1", clock.now(), Outcome.GARBLED, Tokens(10, 2, 0), None))
    count(Spent("m-2", clock.now() - timedelta(days=40), Outcome.ANSWERED, Tokens(1, 1, 0), 1))
    found = client.get("/api/v1/usage")
    row = {
        "calls": 2,
        "failures": 1,
        "tokensRead": 1010,
        "tokensWritten": 202,
        "tokensCached": 0,
        "cost": 2.5,
        "unpriced": 1,
    }
    today = clock.now().astimezone(HOME).date()
    assert found == {
        "since": (today - timedelta(days=29)).isoformat(),
        "zone": "Asia/Shanghai",
        "usage": [{"day": today.isoformat(), "model": "m-1", **row}],
        "total": row,
    }
    assert [each["model"] for each in client.get("/api/v1/usage?days=60")["usage"]] == ["m-2", "m-1"]


def test_without_calls_there_is_no_cost(client):
    found = client.get("/api/v1/usage")
    assert (found["usage"], found["total"]["calls"], found["total"]["cost"]) == ([], 0, None)


def test_it_looks_back_a_year_at_most(client):
    assert client("GET", "/api/v1/usage?days=367").status_code == 400
