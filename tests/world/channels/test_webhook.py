from __future__ import annotations

import hashlib
import hmac
import logging
import socket
import threading
from datetime import UTC, datetime, timedelta

import pytest

from zhixing.kernel.clock import ManualClock, SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.world.channels.port import Delivered, NotSent, Refused, Unknown
from zhixing.world.channels.webhook import Webhook

NOON = datetime(2026, 10, 12, 12, 0, tzinfo=UTC)


@pytest.fixture
def webhook(receiver):
    return Webhook("hook", receiver.url, SystemClock())


def answered(receiver, letter, status, headers=None, *, idempotent=False):
    receiver.behaviour = status
    receiver.headers = headers or {}
    return Webhook("hook", receiver.url, ManualClock(NOON), idempotent=idempotent).send(letter)


# What is sent


def test_the_request_is_json_under_the_configured_path(webhook, receiver, letter):
    webhook.send(letter)

    (posted,) = receiver.posted
    assert posted.path == "/hook/path-password?x=1"
    assert posted.headers["Content-Type"] == "application/json; charset=utf-8"
    assert posted.json == {
        "id": "m7",
        "key": "o3:书房音箱",
        "task_id": "t1",
        "occurrence_id": "o3",
        "title": "交化学作业",
        "text": "10月12日 21:00 截止 ⏰\n交到三楼办公室",
        "at": "2026-10-12T13:00:00Z",
        "url": "http://home.local:8420/tasks/t1",
    }


def test_the_user_agent_does_not_change_with_versions(webhook, receiver, letter):
    webhook.send(letter)

    assert receiver.posted[0].headers["User-Agent"] == "zhixing-webhook/1"


def test_the_idempotency_key_is_the_letters_key_in_ascii(webhook, receiver, letter):
    webhook.send(letter)

    assert receiver.posted[0].headers["Idempotency-Key"] == "o3:%E4%B9%A6%E6%88%BF%E9%9F%B3%E7%AE%B1"


def test_nothing_is_signed_without_a_secret(webhook, receiver, letter):
    webhook.send(letter)

    assert "Zhixing-Signature" not in receiver.posted[0].headers


def test_the_signature_lets_the_receiver_check_the_body(receiver, letter):
    Webhook("hook", receiver.url, SystemClock(), secret="口令").send(letter)

    (posted,) = receiver.posted
    expected = hmac.new("口令".encode(), posted.body, hashlib.sha256).hexdigest()
    assert posted.headers["Zhixing-Signature"] == f"sha256={expected}"


def test_a_repeated_letter_is_byte_for_byte_the_same(webhook, receiver, letter):
    webhook.send(letter)
    webhook.send(letter)

    first, second = receiver.posted
    assert (first.body, first.headers) == (second.body, second.headers)


# What an answer means


@pytest.mark.parametrize("status", ["200", "201", "202", "204"])
def test_a_success_is_delivered(receiver, letter, status):
    assert answered(receiver, letter, status) == Delivered()


@pytest.mark.parametrize("status", ["400", "401", "403", "404", "409", "410", "413", "422", "451"])
def test_a_client_error_is_a_refusal(receiver, letter, status):
    receipt = answered(receiver, letter, status)

    assert isinstance(receipt, Refused)
    assert status in receipt.reason.text()


@pytest.mark.parametrize("status", ["408", "425", "429"])
def test_a_request_the_receiver_put_off_unread_was_not_sent(receiver, letter, status):
    assert isinstance(answered(receiver, letter, status), NotSent)


def test_an_unavailable_receiver_that_names_a_time_was_not_sent(receiver, letter):
    receipt = answered(receiver, letter, "503", {"Retry-After": "120"})

    assert receipt == NotSent(receipt.reason, after=timedelta(seconds=120))


def test_retry_after_may_be_a_date(receiver, letter):
    receipt = answered(receiver, letter, "429", {"Retry-After": "Mon, 12 Oct 2026 12:05:00 GMT"})

    assert receipt == NotSent(receipt.reason, after=timedelta(minutes=5))


@pytest.mark.parametrize("value", ["soon", "-5", "", "Mon, 99 Oct 2026 12:05:00 GMT", "²"])
def test_an_unreadable_retry_after_is_as_good_as_none(receiver, letter, value):
    assert answered(receiver, letter, "429", {"Retry-After": value}).after is None


@pytest.mark.parametrize("status", ["500", "502", "503", "504", "599"])
def test_a_server_error_leaves_the_fate_open(receiver, letter, status):
    """503 without Retry-After included: gateways send it when their backend broke off in the middle."""
    assert isinstance(answered(receiver, letter, status), Unknown)


def test_a_receiver_that_knows_keys_says_409_while_it_works_on_the_first_copy(receiver, letter):
    assert isinstance(answered(receiver, letter, "409", idempotent=True), Unknown)


@pytest.mark.parametrize("status", ["301", "307", "308"])
def test_no_redirect_is_followed(receiver, letter, status):
    receipt = answered(receiver, letter, status, {"Location": "/elsewhere"})

    assert isinstance(receipt, Refused)
    assert [posted.path for posted in receiver.posted] == ["/hook/path-password?x=1"]


@pytest.mark.parametrize("status", ["302", "303"])
def test_a_redirect_that_may_follow_a_processed_request_leaves_the_fate_open(receiver, letter, status):
    assert isinstance(answered(receiver, letter, status, {"Location": "/thanks"}), Unknown)
    assert len(receiver.posted) == 1


@pytest.mark.parametrize("behaviour", ["close", "reset", "half", "garbage", "endless_head"])
def test_an_answer_that_breaks_or_makes_no_sense_leaves_the_fate_open(webhook, receiver, letter, behaviour):
    receiver.behaviour = behaviour

    assert isinstance(webhook.send(letter), Unknown)
    assert len(receiver.posted) == 1


@pytest.mark.parametrize("behaviour", ["hang", "drip"])
def test_the_whole_send_is_bounded_however_the_receiver_stalls(receiver, letter, behaviour):
    """A receiver that drips its answer keeps every single read short: only one deadline over all ends it."""
    receiver.behaviour = behaviour

    receipt = Webhook("hook", receiver.url, SystemClock(), seconds=0.3).send(letter)

    assert isinstance(receipt, Unknown)
    assert receipt.reason.key == "no_answer"


@pytest.mark.parametrize("behaviour", ["huge_body", "short_body"])
def test_a_success_stands_whatever_follows_its_head(webhook, receiver, letter, behaviour):
    receiver.behaviour = behaviour

    assert webhook.send(letter) == Delivered()


# What certainly did not arrive


def test_a_refused_connection_was_not_sent(closed_port, letter):
    receipt = Webhook("hook", f"http://127.0.0.1:{closed_port}", SystemClock()).send(letter)

    assert isinstance(receipt, NotSent)
    assert receipt.reason.key == "unreachable"


def test_an_unknown_host_was_not_sent(letter):
    receipt = Webhook("hook", "http://nobody.invalid/", SystemClock()).send(letter)

    assert isinstance(receipt, NotSent)
    assert receipt.reason.key == "host_unknown"


def test_a_failed_tls_handshake_was_not_sent(receiver, letter):
    """The receiver speaks plain HTTP: nothing of the letter has left when that shows."""
    address = receiver.url.replace("http://", "https://")

    receipt = Webhook("hook", address, SystemClock()).send(letter)

    assert isinstance(receipt, NotSent)
    assert receipt.reason.key == "tls_failed"
    assert receiver.posted == []


def test_a_handshake_that_stalls_was_not_sent(letter):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"https://127.0.0.1:{silent.getsockname()[1]}/"

        receipt = Webhook("hook", address, SystemClock(), seconds=0.3).send(letter)

    assert isinstance(receipt, NotSent)


def test_the_next_address_of_a_host_is_tried_when_the_first_refuses(receiver, letter, monkeypatch):
    """The receiver listens on 127.0.0.1 only, as many a server listens on one of a host's addresses."""
    resolve = socket.getaddrinfo

    def two_addresses(_host, port, *args, **kwargs):
        return [found for host in ("127.0.0.2", "127.0.0.1") for found in resolve(host, port, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", two_addresses)

    assert Webhook("hook", receiver.url, SystemClock()).send(letter) == Delivered()


def test_several_threads_may_send_at_once(webhook, receiver, letter):
    receipts = []
    threads = [threading.Thread(target=lambda: receipts.append(webhook.send(letter))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert receipts == [Delivered()] * 8
    assert len(receiver.posted) == 8


# Configuration and secrets


UNUSABLE = [
    *("", "hook", "http://", "http:///x", "ftp://host/x", "file:///etc/hosts", "javascript:alert(1)"),
    *("http://host:x/", "http://host:0/", "http://host:99999/", "http://:80/", "http://[::1/", "http://[x:y]/"),
    *("http://a b/", "http://a..b/", "http://\x00/", "http://h/a\nb", "http://h/\ud800", "http://h/" + "x" * 3_000),
    *("http://" + "a" * 64 + ".com/", "http://" + "a" * 70_000, "http://" + "图" * 100),
]


@pytest.mark.parametrize("address", UNUSABLE)
def test_an_address_that_cannot_be_posted_to_is_refused_at_once(address):
    with pytest.raises(BadInput) as refused:
        Webhook("门口", address, SystemClock())

    assert "门口" in str(refused.value)


@pytest.mark.parametrize("address", ["http://user:hunter2@host/", "https://user@host/"])
def test_an_address_with_a_password_is_refused_without_repeating_it(address):
    with pytest.raises(BadInput) as refused:
        Webhook("门口", address, SystemClock())

    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "address", ["http://192.168.1.5/x", "http://10.0.0.1:8123", "http://[::1]:80/", "https://例子.测试/", " http://a/ "]
)
def test_addresses_inside_the_home_and_with_chinese_names_are_fine(address):
    Webhook("门口", address, SystemClock())


def test_a_path_in_chinese_arrives_encoded(receiver, letter):
    address = receiver.url.split("/hook")[0]

    Webhook("hook", f"{address}/通知/%E9%97%A8?谁=我&x=1/2", SystemClock()).send(letter)

    assert receiver.posted[0].path == "/%E9%80%9A%E7%9F%A5/%E9%97%A8?%E8%B0%81=%E6%88%91&x=1/2"


@pytest.mark.parametrize("behaviour", ["200", "404", "429", "500", "garbage", "close"])
def test_secrets_reach_neither_logs_nor_receipts(receiver, letter, caplog, behaviour):
    caplog.set_level(logging.DEBUG)
    receiver.behaviour = behaviour
    webhook = Webhook("hook", receiver.url, SystemClock(), secret="signing-secret")

    receipt = webhook.send(letter)

    told = caplog.text + repr(receipt) + repr(webhook)
    assert "path-password" not in told
    assert "signing-secret" not in told
