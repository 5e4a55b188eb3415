from __future__ import annotations

from datetime import timedelta

import pytest

pytestmark = pytest.mark.usefixtures("told")


@pytest.fixture
def told(terminal, said):
    """Let two reminders ring, ten minutes apart."""
    said("10分钟后提醒我关火")
    said("20分钟后提醒我开窗")
    for _ in range(2):
        terminal.clock.advance(timedelta(minutes=10))
        terminal.ring()


def test_the_inbox_has_what_was_told_the_oldest_first(terminal):
    assert terminal("inbox").lines == [
        "m1  今天（10月12日 周一） 10:10  t1  关火",
        "m2  今天（10月12日 周一） 10:20  t2  开窗",
    ]


def test_whoever_remembers_the_last_message_gets_the_ones_behind_it(terminal):
    inbox = terminal("inbox", "--after", "m1", "--json").json
    assert [each["id"] for each in inbox["messages"]] == ["m2"]
    assert inbox["last"] == "m2"
    assert terminal("inbox", "--after", "m2", "--json").json == {"messages": [], "last": "m2"}


def test_putting_a_message_away_completes_nothing(terminal):
    assert terminal("inbox", "--dismiss", "m1").lines == ["已收起 m1；事项 t1 照旧。"]
    assert [each["id"] for each in terminal("inbox", "--json").json["messages"]] == ["m2"]
    assert terminal("show", "t1", "--json").json["status"] == "active"


def test_a_limit_takes_the_last_ones(terminal):
    assert [each["id"] for each in terminal("inbox", "--limit", "1", "--json").json["messages"]] == ["m2"]
