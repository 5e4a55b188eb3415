"""Our own protocol over a real socket, against a bot that keeps to it and against ones that do not."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime

import pytest

from zhixing.kernel.clock import ManualClock, SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.world.bots.http import HttpBot
from zhixing.world.bots.port import FAILED, Errand, NotSent, Receipt, Said, Unclear

ERRAND = Errand("task_1:deliver:节点", "要多少灯", "task_1", 2)


@pytest.fixture
def clock():
    return ManualClock(datetime(2026, 12, 1, tzinfo=UTC))


@pytest.fixture
def bot(peer, clock):
    return HttpBot(peer.url, "s3cret", clock, name="市场")


def test_an_errand_is_posted_with_its_key(peer, bot):
    assert bot.send(ERRAND) == Said("好：要多少灯", tokens=7, cost=0.5)
    ((method, path, headers),) = peer.asked
    assert (method, path) == ("POST", "/bots/market?team=1")
    assert headers["Idempotency-Key"] == "task_1:deliver:%E8%8A%82%E7%82%B9"
    assert headers["Authorization"] == "Bearer s3cret"
    body = {"key": ERRAND.key, "loop_task_id": "task_1", "attempt": 2, "text": "要多少灯"}
    assert peer.errands == {ERRAND.key: body}


def test_without_a_secret_none_is_told(peer, clock):
    HttpBot(peer.url, "", clock).send(ERRAND)
    assert "Authorization" not in peer.asked[0][2]


def test_a_bot_that_works_on_is_looked_after(peer, bot):
    peer.looks = 2
    receipt = bot.send(ERRAND)
    assert receipt == Receipt(ERRAND.key, "s1")
    assert bot.collect(receipt) is None
    assert bot.collect(receipt).content == "好：要多少灯"
    assert peer.asked[1][1] == "/bots/market?team=1&run_id=task_1%3Adeliver%3A%E8%8A%82%E7%82%B9"


def test_a_bot_that_is_asked_is_waited_for(peer, bot, clock):
    peer.looks = 8
    before = clock.monotonic()
    assert bot.ask(ERRAND).content == "好：要多少灯"
    assert 5 < clock.monotonic() - before < 60


def test_who_is_too_slow_has_failed_and_is_stopped(peer, bot):
    peer.looks = 10_000
    assert bot.ask(ERRAND) == Said("", FAILED, "timeout")
    assert peer.stopped == [ERRAND.key]


def test_a_program_that_closes_waits_for_nobody(peer, clock):
    closing = threading.Event()
    closing.set()
    peer.looks = 10_000
    with pytest.raises(Unclear, match=r"^closing$"):
        HttpBot(peer.url, "", clock, closing=closing).ask(ERRAND)


def test_where_an_errand_is_can_be_asked_by_its_key(peer, bot):
    assert bot.whereabouts(ERRAND) == "not_sent"
    peer.looks = 2
    bot.send(ERRAND)
    assert bot.whereabouts(ERRAND) == Receipt(ERRAND.key, "s1")
    assert bot.whereabouts(ERRAND) == Said("好：要多少灯", tokens=7, cost=0.5)


def test_an_unknown_run_has_failed(bot):
    assert bot.collect(Receipt("no-such-run")) == Said("", FAILED, "run_unknown")


@pytest.mark.parametrize("status", [200, 204, 404, 405, 501])
def test_a_run_is_stopped_as_well_as_the_bot_can(peer, bot, status):
    peer.then(lambda handler: handler.give(status))
    bot.stop(Receipt("r"))
    assert peer.asked[0][:2] == ("DELETE", "/bots/market?team=1&run_id=r")


def test_a_stop_that_was_not_heard_is_said_so(peer, bot):
    peer.then(lambda handler: handler.give(500))
    with pytest.raises(Unclear):
        bot.stop(Receipt("r"))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:{port}/", "http://no-such-host.invalid/", "https://127.0.0.1:{peer}/"]
)
def test_without_a_connection_nothing_was_sent(peer, closed_port, clock, url):
    port = peer.url.split(":")[2].split("/")[0]
    bot = HttpBot(url.format(port=closed_port, peer=port), "s3cret", clock)
    with pytest.raises(NotSent):
        bot.send(ERRAND)
    with pytest.raises(NotSent):
        bot.ask(ERRAND)
    with pytest.raises(Unclear):
        bot.collect(Receipt("r"))
    assert bot.whereabouts(ERRAND) == "unknown"


@pytest.mark.parametrize("status", [301, 307, 308, 401, 403, 404, 405, 408, 425, 429])
def test_who_did_not_take_it_was_not_sent_it(peer, bot, status):
    peer.then(lambda handler: handler.give(status))
    with pytest.raises(NotSent, match=f"^status_{status}$"):
        bot.send(ERRAND)


def test_busy_is_only_proof_with_a_time_to_come_back(peer, bot):
    peer.then(lambda handler: handler.give(503, Retry_After="5"), lambda handler: handler.give(503))
    with pytest.raises(NotSent):
        bot.send(ERRAND)
    with pytest.raises(Unclear):
        bot.send(ERRAND)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_what_the_bot_will_not_do_has_failed(peer, bot, status):
    peer.then(lambda handler: handler.give(status))
    assert bot.send(ERRAND) == Said("", FAILED, f"status_{status}")


BROKEN = [
    b"",
    b"<html>",
    b"7",
    b"[" * 100_000,
    b"9" * 5_000,
    b'{"content": "\xff"}',
    b"{}",
    b'{"content": 7}',
    b'{"content": "x", "run_status": "DONE"}',
    b'{"content": "x", "run_status": ["COMPLETED"]}',
    b'{"content": "x", "error": 7}',
    b'{"content": "x", "usage": 7}',
    b'{"content": "x", "usage": {"tokens": -1}}',
    b'{"content": "x", "usage": {"tokens": true}}',
    b'{"content": "x", "usage": {"cost": NaN}}',
    b'{"content": "x", "usage": {"cost": "1"}}',
]


@pytest.mark.parametrize("body", BROKEN)
def test_of_a_broken_answer_nobody_knows(peer, bot, body):
    peer.then(*[lambda handler: handler.raw(200, body)] * 2)
    with pytest.raises(Unclear, match=r"^answer_broken$"):
        bot.send(ERRAND)
    assert bot.whereabouts(ERRAND) == "unknown"


@pytest.mark.parametrize("body", [b"", b"{}", b'{"run_id": 7}', b'{"run_id": "a\\u0000"}', b'{"run_id": ""}'])
def test_a_receipt_without_a_number_is_none(peer, bot, body):
    peer.then(lambda handler: handler.raw(202, body))
    with pytest.raises(Unclear, match=r"^answer_broken$"):
        bot.send(ERRAND)


def test_a_bot_that_ends_with_the_wrong_words_has_failed(peer, bot):
    peer.then(lambda handler: handler.raw(200, b'{"content": 7}'), lambda handler: handler.raw(200, b"<html>"))
    assert bot.collect(Receipt("r")) == Said("", FAILED, "answer_broken")
    with pytest.raises(Unclear):
        bot.collect(Receipt("r"))


def _endless(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n")
    while not handler.peer.closing.is_set():
        handler.wfile.write(b" " * 65_536)


def _endless_head(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.peer.closing.is_set():
        handler.wfile.write(b"X-Padding: " + b"x" * 1_000 + b"\r\n")


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda handler: handler.give(500), "status_500"),
        (lambda handler: handler.give(502), "status_502"),
        (lambda handler: handler.give(409), "status_409"),
        (lambda handler: handler.give(302, Location="http://127.0.0.1:1/"), "status_302"),
        (lambda handler: handler.give(204), "status_204"),
        (lambda handler: handler.connection.close(), "answer_broken"),
        (lambda handler: handler.wfile.write("这不是 HTTP\r\n\r\n".encode()), "answer_broken"),
        (lambda handler: handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), "answer_broken"),
        (_endless, "answer_large"),
        (_endless_head, "answer_broken"),
    ],
)
def test_of_what_went_wrong_later_nobody_knows(peer, bot, act, reason):
    peer.then(act)
    with pytest.raises(Unclear) as caught:
        bot.send(ERRAND)
    assert caught.value.reason == reason
    assert caught.value.__cause__ is None


def _drip(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.peer.closing.wait(0.02):
        handler.wfile.write(b"X-Slow: 1\r\n")


@pytest.mark.parametrize("act", [_drip, lambda handler: handler.peer.closing.wait(30)])
def test_one_deadline_covers_everything(peer, act):
    peer.then(act)
    with pytest.raises(Unclear, match=r"^no_answer$"):
        HttpBot(peer.url, "", SystemClock()).send(Errand("k", "x", seconds=0.3))


def test_an_answer_that_was_lost_is_found_by_the_key(peer, bot):
    def lose(handler):
        peer.errands["k"] = {"text": "要多少灯"}
        peer.left["k"] = 1
        handler.give(502)

    peer.then(lose)
    assert bot.ask(Errand("k", "要多少灯")).content == "好：要多少灯"
    assert [method for method, _, _ in peer.asked] == ["POST", "GET", "GET"]


def test_an_errand_that_provably_did_not_arrive_was_not_sent(peer, bot):
    peer.then(lambda handler: handler.give(502))
    with pytest.raises(NotSent, match=r"^status_502$"):
        bot.ask(ERRAND)


def test_an_errand_that_left_before_is_waited_for_and_not_sent_again(peer, bot):
    peer.looks = 2
    bot.send(ERRAND)
    assert bot.take_up(ERRAND).content == "好：要多少灯"
    assert [method for method, _, _ in peer.asked].count("POST") == 1


def test_an_errand_that_never_left_is_sent_when_it_is_taken_up(peer, bot):
    assert bot.take_up(ERRAND).content == "好：要多少灯"
    assert [method for method, _, _ in peer.asked] == ["GET", "POST"]


def test_an_errand_of_which_nobody_knows_is_not_sent_again(peer, bot):
    peer.then(lambda handler: handler.give(500))
    with pytest.raises(Unclear):
        bot.take_up(ERRAND)
    assert [method for method, _, _ in peer.asked] == ["GET"]


def test_a_bot_of_which_nobody_ever_knows_has_failed(peer, bot):
    peer.then(*[lambda handler: handler.give(500)] * 10)
    assert bot.ask(ERRAND) == Said("", FAILED, "status_500")
    assert len(peer.asked) == 4


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"content": "灯\0\ud83d"}, Said("灯\ufffd?")),
        ({"run_status": "FAILED", "error": "没有货"}, Said("", FAILED, "没有货")),
        ({"content": "半截", "error": "没有货"}, Said("半截", FAILED, "没有货")),
        ({"content": "x", "usage": None, "error": None}, Said("x")),
        ({"content": "x" * 200_001}, Said("x" * 200_000, FAILED, "answer_large")),
    ],
)
def test_what_a_bot_says_is_kept_plain(peer, bot, value, told):
    peer.then(lambda handler: handler.raw(200, json.dumps(value).encode()))
    assert bot.send(ERRAND) == told


def test_halves_of_characters_reach_a_bot_as_question_marks(peer, bot):
    bot.send(Errand("k\ud800", "灯\ud83d\0"))
    assert peer.errands["k?"]["text"] == "灯?\ufffd"


@pytest.mark.parametrize("secret", ["口令密语", "a b", "a\r\nX: y", "\0"])
def test_a_secret_that_no_header_takes_is_not_repeated(clock, secret):
    with pytest.raises(BadInput) as caught:
        HttpBot("http://127.0.0.1/path-password", secret, clock, name="市场")
    assert secret not in str(caught.value)


@pytest.mark.parametrize("url", ["ftp://x/", "http://u:pass@host/", "nothing", "http://host:99999/"])
def test_an_address_that_is_none_is_not_repeated(clock, url):
    with pytest.raises(BadInput) as caught:
        HttpBot(url, "", clock, name="市场")
    assert "市场" in str(caught.value)
    assert url not in str(caught.value)


def test_neither_secret_nor_address_shows(bot):
    assert repr(bot) == "HttpBot('市场')"
