"""Apprise's own services against a real server on the loopback."""

from __future__ import annotations

import logging
import smtplib
import socket
import sys
from dataclasses import replace
from urllib.parse import parse_qs

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.channels.apprise import Apprise
from zhixing.world.channels.port import Delivered, NotSent, Reason, Refused, Unknown
from zhixing.world.channels.watching import Trail, receipt


@pytest.fixture
def channel(receiver):
    """Make a channel to the receiver through one of Apprise's services."""

    def channel(scheme="json", query="", seconds=20.0, path="/hook/path-password"):
        place = receiver.url.split("/")[2]
        return Apprise("手机", f"{scheme}://{place}{path}{query}", SystemClock(), seconds=seconds)

    return channel


# What arrives


def test_a_letter_arrives_with_title_text_and_link(channel, receiver, letter):
    assert channel().send(letter) == Delivered()

    (posted,) = receiver.posted
    assert posted.path == "/hook/path-password"
    assert posted.json["title"] == "交化学作业"
    assert posted.json["message"].splitlines() == [
        "10月12日 21:00 截止 ⏰",
        "交到三楼办公室",
        "http://home.local:8420/tasks/t1",
    ]


def test_a_letter_without_a_link_ends_with_its_text(channel, receiver, letter):
    channel().send(replace(letter, url=None))

    assert receiver.posted[0].json["message"].endswith("交到三楼办公室")


def test_a_letter_arrives_through_a_form(channel, receiver, letter):
    assert channel("form").send(letter) == Delivered()

    fields = parse_qs(receiver.posted[0].body.decode())
    assert fields["title"] == ["交化学作业"]


def test_a_letter_arrives_through_xml_and_cannot_break_out_of_it(channel, receiver, letter):
    assert channel("xml").send(replace(letter, title="</Subject><x>&")) == Delivered()

    body = receiver.posted[0].body.decode()
    assert "&lt;/Subject&gt;&lt;x&gt;&amp;" in body
    assert "⏰" in body


def test_a_letter_arrives_at_a_self_hosted_ntfy(channel, receiver, letter):
    assert channel("ntfy", path="/family-topic", query="?mode=private").send(letter) == Delivered()

    assert receiver.posted[0].json["topic"] == "family-topic"
    assert receiver.posted[0].json["title"] == "交化学作业"


def test_what_looks_like_a_template_or_an_escape_is_told_as_it_is(channel, receiver, letter):
    channel().send(replace(letter, title="{{title}} :smile: \\n", url=None))

    assert receiver.posted[0].json["title"] == "{{title}} :smile: \\n"


# What became of it


@pytest.mark.parametrize(
    ("status", "receipt"),
    [
        ("204", Delivered()),
        ("400", Refused(Reason("refused", "400"))),
        ("404", Refused(Reason("refused", "404"))),
        ("308", Refused(Reason("moved", "308"))),
        ("303", Unknown(Reason("not_confirmed"))),
        ("500", Unknown(Reason("receiver_failed", "500"))),
        ("503", Unknown(Reason("receiver_failed", "503"))),
    ],
)
def test_an_answer_says_what_became_of_the_letter(channel, receiver, letter, status, receipt):
    receiver.behaviour = status
    receiver.headers = {"Location": "/elsewhere"}

    assert channel().send(letter) == receipt
    assert len(receiver.posted) == 1


@pytest.mark.parametrize("status", ["408", "425", "429"])
def test_a_service_that_is_too_busy_is_asked_again_later(channel, receiver, letter, status):
    receiver.behaviour = status

    found = channel().send(letter)

    assert isinstance(found, NotSent)
    assert found.reason == Reason("busy", status)
    assert found.after


def test_a_letter_is_tried_once_even_where_the_address_asks_for_retries(channel, receiver, letter):
    receiver.behaviour = "500"

    channel(query="?retry=3").send(letter)

    assert len(receiver.posted) == 1


@pytest.mark.parametrize("behaviour", ["close", "reset", "half", "garbage"])
def test_an_answer_that_breaks_leaves_the_fate_open(channel, receiver, letter, behaviour):
    receiver.behaviour = behaviour

    assert isinstance(channel().send(letter), Unknown)
    assert len(receiver.posted) == 1


def test_an_answer_that_never_comes_leaves_the_fate_open(channel, receiver, letter):
    receiver.behaviour = "hang"

    assert channel(query="?rto=0.3").send(letter) == Unknown(Reason("no_answer"))


def test_the_whole_send_is_bounded_and_a_stuck_service_gets_no_second_letter(channel, receiver, letter):
    receiver.behaviour = "hang"
    slow = channel(query="?rto=20", seconds=0.3)

    assert slow.send(letter) == Unknown(Reason("no_answer"))
    again = slow.send(letter)

    assert isinstance(again, NotSent)
    assert again.reason == Reason("service_stuck")
    assert len(receiver.posted) == 1


@pytest.mark.parametrize("scheme", ["json", "xml", "form", "ntfy"])
def test_a_refused_connection_was_not_sent(closed_port, letter, scheme):
    found = Apprise("手机", f"{scheme}://127.0.0.1:{closed_port}/topic", SystemClock()).send(letter)

    assert found == NotSent(Reason("unreachable"))


def test_an_unknown_host_was_not_sent(letter):
    assert Apprise("手机", "json://nobody.invalid/", SystemClock()).send(letter) == NotSent(Reason("host_unknown"))


def test_a_failed_handshake_was_not_sent(channel, receiver, letter):
    assert channel("jsons").send(letter) == NotSent(Reason("tls_failed"))
    assert receiver.posted == []


def test_mail_that_no_server_took_a_connection_for_was_not_sent(closed_port, letter):
    address = f"mailto://me:secret@127.0.0.1:{closed_port}?to=a@example.org&from=b@example.org&mode=insecure"

    assert Apprise("信箱", address, SystemClock()).send(letter) == NotSent(Reason("unreachable"))


def test_two_receivers_behind_one_address_leave_the_fate_open_when_one_refuses(channel, receiver, letter):
    """The other one may have it, so it must not be sent again."""
    receiver.behaviour = "404"

    found = channel("ntfy", path="/one/two", query="?mode=private").send(letter)

    assert len(receiver.posted) == 2
    assert found == Unknown(Reason("not_confirmed"))


# Services that answer 200 to everything


def answered(service, body, *, requests=1):
    return receipt(Trail(requests, [(200, body)]), [service], accepted=True)


@pytest.mark.parametrize("service", ["dingtalk", "wecombot"])
def test_a_refusal_inside_a_success_is_no_delivery(service):
    assert answered(service, b'{"errcode":310000,"errmsg":"keywords not in content"}') == Refused(
        Reason("service_refused", "310000")
    )


def test_a_success_inside_a_success_is_a_delivery():
    assert answered("dingtalk", b'{"errcode":0,"errmsg":"ok"}') == Delivered()
    assert answered("pushplus", b'{"code":200}') == Delivered()
    assert answered("json", b'{"errcode":1}') == Delivered()


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"errcode":"x"}', b"\xff"])
def test_an_unreadable_success_is_a_delivery(body):
    assert answered("dingtalk", body) == Delivered()


def test_a_refusal_because_of_too_many_letters_is_asked_again_later():
    assert isinstance(answered("wecombot", b'{"errcode":45009}'), NotSent)
    assert isinstance(answered("wecombot", b'{"errcode":45009}', requests=2), Unknown)


def test_a_rejected_password_is_a_refusal():
    trail = Trail(handled=[smtplib.SMTPAuthenticationError(535, b"no")])

    assert receipt(trail, ["mailto"], accepted=False) == Refused(Reason("login_refused"))


def test_nothing_seen_is_nothing_known():
    assert receipt(Trail(), ["irc"], accepted=False) == Unknown(Reason("not_confirmed"))


# Configuration and secrets


@pytest.mark.parametrize("address", ["", "phone", "json:/x", "json://a b", "://x", "json://" + "x" * 3_000])
def test_what_is_no_address_is_refused_at_once_without_repeating_it(address):
    with pytest.raises(BadInput) as refused:
        Apprise("门口", address, SystemClock())

    assert "门口" in str(refused.value)


def test_without_the_package_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "apprise", None)

    with pytest.raises(Unavailable) as missing:
        Apprise("门口", "ntfy://h.example/topic", SystemClock())

    assert str(missing.value) == "通知渠道「门口」要用 Apprise，还没有安装，请运行：pip install 'zhixing[notify]'"


def test_a_service_that_apprise_does_not_know_is_told_apart(letter):
    channel = Apprise("门口", "pigeon://hunter2/", SystemClock())

    assert channel.send(letter) == Refused(Reason("service_unknown"))
    with pytest.raises(BadInput) as refused:
        channel.service()
    assert "hunter2" not in str(refused.value)


def test_the_service_of_an_address_has_a_name(channel):
    assert channel("ntfy", path="/topic").service() == "ntfy"


@pytest.mark.parametrize("behaviour", ["200", "404", "500", "garbage", "close"])
def test_secrets_reach_neither_logs_nor_receipts(channel, receiver, letter, caplog, behaviour):
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="apprise")
    receiver.behaviour = behaviour
    phone = channel()

    found = phone.send(letter)

    assert "path-password" not in caplog.text + repr(found) + repr(phone)
    assert "化学" not in caplog.text


def test_requests_of_others_are_left_alone(channel, receiver, letter, caplog):
    import requests

    channel().send(letter)
    caplog.set_level(logging.DEBUG)
    with socket.create_server(("127.0.0.1", 0)):
        assert requests.post(receiver.url, data=b"x", timeout=5).status_code == 200

    assert "path-password" in caplog.text
