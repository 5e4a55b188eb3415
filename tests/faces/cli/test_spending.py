"""usage: what asking models cost, told on the command line."""

from __future__ import annotations

import socket
from io import BytesIO, StringIO
from zoneinfo import ZoneInfo

import pytest

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.world.models.counting import Counting
from zhixing.world.models.usage import Outcome, Spent, Tokens


@pytest.fixture
def count(terminal):
    def counted(model, outcome, tokens, cost):
        with house(Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())) as home:
            spent = Spent(model, terminal.clock.now(), outcome, tokens, cost)
            Counting(home.app.store, ZoneInfo("Asia/Shanghai"))(spent)

    return counted


def test_nothing_asked_costs_nothing(terminal):
    assert terminal("usage").lines == ["最近 30 天没有问过模型。"]


def test_it_says_calls_tokens_and_cost_by_day_and_model(terminal, count):
    count("m-1", Outcome.ANSWERED, Tokens(1000, 200), 2_500_000)
    count("m-1", Outcome.FAILED, Tokens(), None)
    count("m-2", Outcome.ANSWERED, Tokens(5, 6), None)
    assert terminal("usage", "--days", "7").lines == [
        "2026-10-12  m-1  2 次调用（1 次没成）  读 1000、写 200 个 token  花费 2.5000（另有 1 次没有价格）",
        "2026-10-12  m-2  1 次调用（0 次没成）  读 5、写 6 个 token       没有价格",
        "最近 7 天：3 次调用（1 次没成）、读 1005、写 206 个 token、花费 2.5000（另有 2 次没有价格）",
    ]


def test_programs_get_the_shape_of_the_api(terminal, count):
    count("m-1", Outcome.ANSWERED, Tokens(1000, 200), 2_500_000)
    found = terminal("usage", "--json").json
    assert found["since"] == "2026-09-13"
    assert found["usage"][0]["cost"] == 2.5
    assert found["total"]["tokensRead"] == 1000


def test_days_out_of_reach_are_refused(terminal):
    assert "--days" in terminal.refused("usage", "--days", "0")


def test_a_reading_that_fails_is_counted_and_goes_on_waiting(terminal):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        terminal("config", "set", "model.base_url", f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    terminal("config", "set", "model.text", "m-1")
    task = terminal("say", "老师说明天下午3点开会", "--json").json["id"]
    assert terminal.ring() > 0
    total = terminal("usage", "--json").json["total"]
    assert total["calls"] == total["failures"] > 0
    assert terminal("show", task, "--json").json["state"] == "pending_ai"
