"""A2A against an agent that the SDK itself serves, and against ones that misbehave."""

from __future__ import annotations

import json
import sys
import threading
from datetime import UTC, datetime

import pytest

from zhixing.kernel.clock import ManualClock, SystemClock
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.bots.a2a import A2aBot
from zhixing.world.bots.port import FAILED, Errand, NotSent, Receipt, Said, Unclear


@pytest.fixture
def clock():
    return ManualClock(datetime(2026, 12, 1, tzinfo=UTC))


@pytest.fixture
def bot(agent, clock):
    return A2aBot(agent.url, "s3cret", clock, name="市场")


def settled(bot, sent):
    """Return the result of what was sent; the agent needs a moment of its own."""
    pause = threading.Event()
    for _ in range(1000):
        if isinstance(sent, Said):
            return sent
        sent = bot.collect(sent) or sent
        pause.wait(0.01)
    pytest.fail("it did not end")


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("要多少灯", "好：要多少灯"),
        ("message 三千盏", "三千盏"),
        ("artifact", '第一段\n{"数": 1.0}\n\n第二段\n\n写完了'),
    ],
)
def test_it_says_what_the_agent_came_to(bot, text, content):
    assert settled(bot, bot.send(Errand("k", text))) == Said(content)


@pytest.mark.parametrize(
    ("text", "reason", "content"),
    [
        ("fail", "failed", "没有货"),
        ("reject", "rejected", ""),
        ("input", "input_required", "要哪一种？"),
        ("auth", "auth_required", ""),
    ],
)
def test_states_that_lead_nowhere_have_failed(bot, text, reason, content):
    assert settled(bot, bot.send(Errand("k", text))) == Said(content, FAILED, reason)


def test_an_agent_that_breaks_has_failed_or_nobody_knows(bot):
    try:
        told = settled(bot, bot.send(Errand("k", "boom")))
    except Unclear:
        return
    assert told.run_status == FAILED


def test_it_is_asked_and_waited_for(agent):
    bot = A2aBot(agent.url, "", SystemClock())
    assert bot.ask(Errand("k", "要多少灯")) == Said("好：要多少灯")


def test_what_is_too_slow_is_cancelled(bot):
    told = bot.ask(Errand("k", "wait", seconds=30))
    assert (told.run_status, told.error) == (FAILED, "timeout")


def test_an_errand_is_under_way_until_it_is_stopped(bot):
    receipt = bot.send(Errand("k", "wait"))
    assert isinstance(receipt, Receipt)
    assert receipt.session_id
    assert bot.collect(receipt) is None
    bot.stop(receipt)
    bot.stop(receipt)
    assert settled(bot, receipt) == Said("", FAILED, "canceled")


def test_an_unknown_task_has_failed_and_is_stopped_already(bot):
    assert bot.collect(Receipt("no-such-task")) == Said("", FAILED, "run_unknown")
    bot.stop(Receipt("no-such-task"))


def test_the_number_of_a_message_is_made_of_the_key(bot, agent):
    before = len(agent.executor.messages)
    for key in ("one", "one", "two"):
        settled(bot, bot.send(Errand(key, "你好", "task_1", 2)))
    first, again, other = agent.executor.messages[before:]
    assert first.message_id == again.message_id != other.message_id
    assert dict(first.metadata) == {"key": "one", "loop_task_id": "task_1", "attempt": 2}


def test_halves_of_characters_reach_an_agent_as_question_marks(bot):
    assert settled(bot, bot.send(Errand("k\ud800", "灯\ud83d\0"))).content == "好：灯?\ufffd"


def test_nobody_knows_where_a_message_went(bot):
    assert bot.whereabouts(Errand("k", "x")) == "unknown"


def test_the_card_may_be_given_itself(agent, clock):
    bot = A2aBot(f"{agent.url}/.well-known/agent-card.json", "", clock)
    assert settled(bot, bot.send(Errand("k", "在"))).content == "好：在"


def card_of(peer, url=""):
    place = peer.url.partition("?")[0]
    return {
        "name": "x",
        "description": "x",
        "version": "1",
        "supportedInterfaces": [{"url": url or f"{place}/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "capabilities": {},
    }


def offline(peer, clock):
    return A2aBot(peer.url.partition("?")[0], "s3cret", clock)


def test_a_port_that_nobody_listens_on_proves_that_nothing_left(closed_port, clock):
    bot = A2aBot(f"http://127.0.0.1:{closed_port}", "", clock)
    with pytest.raises(NotSent, match=r"^unreachable$"):
        bot.send(Errand("k", "x"))
    with pytest.raises(Unclear, match=r"^unreachable$"):
        bot.collect(Receipt("r"))


def test_whom_we_do_not_trust_is_told_nothing(peer, clock):
    with pytest.raises(NotSent):
        A2aBot(peer.url.replace("http:", "https:"), "s3cret", clock).send(Errand("k", "x"))
    assert peer.asked == []


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda handler: handler.give(404), "status_404"),
        (lambda handler: handler.give(302, Location="http://127.0.0.1:1/"), "status_302"),
        (lambda handler: handler.raw(200, b"<html>"), "card_broken"),
        (lambda handler: handler.raw(200, b"[" * 100_000), "card_broken"),
        (lambda handler: handler.raw(200, b'{"supportedInterfaces": 7}'), "card_broken"),
        (lambda handler: handler.raw(200, b"{}"), "card_broken"),
        (lambda handler: handler.raw(200, b" " * 3_000_000), "answer_large"),
        (lambda handler: handler.connection.close(), "answer_broken"),
    ],
)
def test_a_broken_card_proves_that_nothing_left(peer, clock, act, reason):
    peer.then(act)
    with pytest.raises(NotSent) as caught:
        offline(peer, clock).send(Errand("k", "x"))
    assert caught.value.reason == reason


def test_a_card_cannot_send_us_elsewhere(peer, clock, agent):
    peer.then(lambda handler: handler.give(200, card_of(peer, f"{agent.url}/rpc")))
    before = len(agent.executor.messages)
    with pytest.raises(NotSent, match=r"^card_elsewhere$"):
        offline(peer, clock).send(Errand("k", "x"))
    assert len(agent.executor.messages) == before


def answered(peer, clock, act):
    peer.then(lambda handler: handler.give(200, card_of(peer)), act)
    return offline(peer, clock).send(Errand("k", "x"))


def rpc(**members):
    return lambda handler: handler.give(200, {"jsonrpc": "2.0", "id": "1", **members})


@pytest.mark.parametrize(
    "act",
    [
        lambda handler: handler.give(500),
        lambda handler: handler.give(503),
        lambda handler: handler.give(302, Location="http://127.0.0.1:1/"),
        lambda handler: handler.raw(200, b"hello"),
        lambda handler: handler.raw(200, b"[" * 100_000),
        lambda handler: handler.raw(200, b"x" * 3_000_000),
        lambda handler: handler.raw(200, b"\x1f\x8b", Content_Encoding="gzip"),
        lambda handler: handler.connection.close(),
        rpc(),
        rpc(result=7),
        rpc(result={}),
        rpc(result={"task": {"id": "a\u0000b"}}),
        rpc(result={"task": {"id": "x" * 500}}),
        rpc(result={"task": {"status": {"state": "dancing"}}}),
        rpc(error={"code": -32603, "message": "s3cret"}),
        rpc(error={"code": 1, "message": "s3cret"}),
        rpc(error="no"),
    ],
)
def test_after_a_message_has_left_nobody_knows(peer, clock, act):
    with pytest.raises(Unclear) as caught:
        answered(peer, clock, act)
    assert "s3cret" not in repr(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "act",
    [
        lambda handler: handler.give(401),
        lambda handler: handler.give(404),
        lambda handler: handler.give(429),
        lambda handler: handler.give(503, Retry_After="5"),
        rpc(error={"code": -32601, "message": "no such method"}),
        rpc(error={"code": -32602, "message": "no such parameter"}),
    ],
)
def test_what_was_not_taken_has_not_left(peer, clock, act):
    with pytest.raises(NotSent):
        answered(peer, clock, act)


def test_an_agent_that_says_nothing_is_not_waited_for(peer):
    peer.then(lambda handler: handler.give(200, card_of(peer)), lambda _handler: peer.closing.wait(30))
    with pytest.raises(Unclear, match=r"^no_answer$"):
        offline(peer, SystemClock()).send(Errand("k", "x", seconds=0.5))


def test_hostile_words_of_an_agent_are_kept_plain(peer, clock):
    task = {"id": "t", "status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": [{"parts": [{"text": "灯\0"}]}]}
    assert answered(peer, clock, rpc(result={"task": task})) == Said("灯\ufffd")


def test_an_endless_answer_has_failed(peer, clock):
    told = answered(peer, clock, rpc(result={"message": {"parts": [{"text": "x" * 300_000}]}}))
    assert (told.run_status, told.error, len(told.content)) == (FAILED, "answer_large", 200_000)


def test_the_secret_is_told_to_the_bot_and_to_nobody_else(peer, clock):
    bot = offline(peer, clock)
    peer.then(lambda handler: handler.give(200, card_of(peer)), rpc(result={"message": {"parts": [{"text": "好"}]}}))
    assert bot.send(Errand("k", "x")) == Said("好")
    assert {headers["Authorization"] for _, _, headers in peer.asked} == {"Bearer s3cret"}
    assert "s3cret" not in repr(bot)


def test_the_card_is_read_once(peer, clock):
    bot = offline(peer, clock)
    message = rpc(result={"message": {"parts": [{"text": "好"}]}})
    peer.then(lambda handler: handler.give(200, card_of(peer)), message, message)
    bot.send(Errand("k", "x"))
    bot.send(Errand("l", "x"))
    assert [method for method, _, _ in peer.asked] == ["GET", "POST", "POST"]


def test_a_card_of_the_older_protocol_is_understood(peer, clock):
    place = peer.url.partition("?")[0]
    card = {"name": "x", "description": "x", "version": "1", "url": place, "capabilities": {}, "skills": []}
    card |= {"protocolVersion": "0.3.0", "defaultInputModes": ["text"], "defaultOutputModes": ["text"]}
    message = {"kind": "message", "messageId": "m", "role": "agent", "parts": [{"kind": "text", "text": "好"}]}
    peer.then(lambda handler: handler.give(200, card), rpc(result=message))
    assert offline(peer, clock).send(Errand("k", "x")) == Said("好")


@pytest.mark.parametrize("address", ["ftp://x", "http://", "http://u:p@host/", "agent"])
def test_an_address_that_is_none_is_refused_without_repeating_it(address, clock):
    with pytest.raises(BadInput) as caught:
        A2aBot(address, "", clock, name="市场")
    assert "市场" in str(caught.value)
    assert "u:p" not in str(caught.value)


def test_without_the_extra_one_line_says_what_to_install(monkeypatch, clock):
    monkeypatch.delitem(sys.modules, "zhixing.world.bots.a2a_calls", raising=False)
    monkeypatch.setitem(sys.modules, "a2a.client", None)
    with pytest.raises(Unavailable) as caught:
        A2aBot("http://127.0.0.1:1", "", clock, name="市场")
    assert "pip install 'zhixing[a2a]'" in str(caught.value)
    assert json.dumps(str(caught.value), ensure_ascii=False).count("\\n") == 0
