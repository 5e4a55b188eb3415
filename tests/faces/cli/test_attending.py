"""ack, snooze, channel, calendar."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from zhixing.settings import calendar_token, read_token


@pytest.fixture
def told(terminal):
    """Have a reminder told: m1 in the inbox."""
    terminal("say", "半小时后提醒我关火")
    terminal.clock.advance(timedelta(minutes=30))
    terminal.ring()
    return terminal


def test_ack_says_that_the_task_goes_on(told):
    assert told("ack", "m1").lines == ["m1 已处理；事项 t1 不受影响，做完了请用 zhixing done。"]
    assert told("inbox", "--json").json["messages"][0]["acknowledgedAt"]
    assert told("show", "t1", "--json").json["status"] == "active"


def test_snooze_takes_words_and_tells_once_more(told):
    done = told("snooze", "1", "二十分钟后")
    assert done.lines[0] == "m1 到 今天（10月12日 周一） 10:50 再提醒一次。"

    told.clock.advance(timedelta(minutes=20))
    told.ring()

    assert [message["id"] for message in told("inbox", "--json").json["messages"]] == ["m1", "m2"]


@pytest.mark.parametrize(
    "argv", [("ack", "m9"), ("snooze", "m9", "二十分钟后"), ("snooze", "m1", "下午"), ("ack", "x")]
)
def test_what_cannot_be_done_is_one_line(told, argv):
    assert told.refused(*argv)


def test_what_is_done_is_not_put_off(told):
    told("done", "t1")

    assert "已经完成了" in told.refused("snooze", "m1", "二十分钟后")


def test_a_channel_that_cannot_be_reached_is_told_so(terminal, unused_port):
    terminal("config", "set", "channels.phone.url", f"http://127.0.0.1:{unused_port}/hunter2")

    done = terminal("channel", "test", "phone")

    assert (done.code, done.lines) == (2, ["测试消息没有送达：连不上接收方。"])
    as_json = terminal("channel", "test", "phone", "--json")
    assert (as_json.code, json.loads(as_json.out)["arrived"]) == (2, False)


def test_a_channel_that_is_not_there_is_told_so(terminal):
    assert "没有名为「phone」的通知渠道" in terminal.refused("channel", "test", "phone")


def test_the_calendar_address_opens_the_feed_and_does_not_hold_the_token(terminal):
    terminal("config", "set", "server.host", "192.168.1.5")

    url = json.loads(terminal("calendar", "--json").out)["url"]

    token = read_token(terminal.home, {})
    assert url == f"http://192.168.1.5:8420/calendar/{calendar_token(token)}.ics"
    assert token not in url


def test_on_loopback_it_says_how_a_phone_gets_there(terminal):
    assert "server.host" in terminal("calendar").lines[-1]


@pytest.fixture
def unused_port():
    import socket

    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
