"""A letter to a topic, against a real broker, and brokers that behave badly."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.world.mqtt.conftest import Peer, free_port

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.world.channels.port import Delivered, Letter, NotSent, Reason, Refused, Unknown
from zhixing.world.mqtt.broker import Broker
from zhixing.world.mqtt.channel import MqttChannel
from zhixing.world.mqtt.probing import probe

TOPIC = "zhixing/notify/阳台"
LETTER = Letter("m1", "o1:阳台", "t1", "o1", "喝水", "该喝水了", datetime(2026, 10, 12, 12, tzinfo=UTC))
CONNACK = bytes([0x20, 3, 0, 0, 0])


def channel(broker, **more):
    return MqttChannel("阳台", f"mqtt:///{TOPIC}", broker, SystemClock(), **more)


def test_a_letter_arrives_whole_once_and_is_not_kept(mosquitto, closing_time):
    server = mosquitto()
    other = closing_time.enter_context(closing(Peer(server.broker, TOPIC)))
    assert channel(server.broker).send(LETTER) == Delivered()
    topic, payload, _ = other.next()
    assert topic == TOPIC
    assert json.loads(payload)["text"] == "该喝水了"
    assert json.loads(payload)["key"] == "o1:阳台"
    late = closing_time.enter_context(closing(Peer(server.broker, TOPIC)))
    late.publish("peer/none", "")
    assert other.next()[0] == "peer/none"
    assert late.next()[0] == "peer/none"


def test_without_a_broker_the_letter_certainly_did_not_leave():
    assert channel(Broker("127.0.0.1", free_port())).send(LETTER) == NotSent(Reason("unreachable"))
    assert channel(Broker("no.such.host.invalid")).send(LETTER) == NotSent(Reason("host_unknown"))


def test_a_broker_that_does_not_know_us_refuses(mosquitto):
    server = mosquitto("allow_anonymous false")
    wrong = replace(server.broker, user="u", password="p")
    assert channel(wrong).send(LETTER) == Refused(Reason("login_refused"))
    assert probe(wrong, SystemClock()).key == "login_refused"


def test_a_topic_that_the_broker_does_not_allow_is_refused(mosquitto, tmp_path):
    rights = tmp_path / "rights"
    rights.write_text("topic read #\n")
    rights.chmod(0o600)
    server = mosquitto("allow_anonymous true", f"acl_file {rights}", "user root")
    assert channel(server.broker).send(LETTER) == Refused(Reason("broker_refused", "0x87"))
    assert probe(server.broker, SystemClock()) is None


@pytest.fixture
def strange(closing_time):
    """Listen, and answer each connection with what is given, after its first bytes; then hang up or hang."""

    def start(*answers, hang_up=False):
        listening = closing_time.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
        held = []

        def answer():
            connection, _ = listening.accept()
            held.append(connection)
            for each in answers:
                connection.recv(65_536)
                connection.sendall(each)
            connection.recv(65_536)
            if hang_up:
                connection.close()

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        closing_time.callback(lambda: [each.close() for each in held])
        return Broker("127.0.0.1", listening.getsockname()[1])

    return start


@pytest.mark.parametrize("hang_up", [False, True])
def test_a_broker_that_does_not_acknowledge_leaves_the_fate_of_the_letter_open(strange, hang_up):
    receipt = channel(strange(CONNACK, hang_up=hang_up), seconds=0.3).send(LETTER)
    assert receipt == Unknown(Reason("no_answer"))


@pytest.mark.parametrize("hang_up", [False, True])
def test_a_broker_that_does_not_even_greet_has_no_letter(strange, hang_up):
    assert channel(strange(hang_up=hang_up), seconds=0.3).send(LETTER) == NotSent(Reason("broker_silent"))


def test_what_is_no_broker_is_told(strange):
    broker = strange(b"HTTP/1.1 400 Bad Request\r\n\r\n", hang_up=True)
    assert (
        probe(broker, SystemClock(), 0.5).text()
        == f"127.0.0.1:{broker.port} 没有按 MQTT 应答：端口不对，或它只收加密连接。"
    )


@pytest.mark.parametrize(
    "url", ["mqtt:///", "mqtt:///a/+", "mqtt:///a/#", "mqtt://host/a", "https://x", "mqtt:///" + "长" * 300]
)
def test_an_address_that_is_no_topic_is_named(url):
    with pytest.raises(BadInput, match="通知渠道「阳台」的地址不能用"):
        MqttChannel("阳台", url, Broker("h"), SystemClock())


def test_a_channel_without_a_broker_says_what_to_do():
    with pytest.raises(BadInput, match=r"zhixing config set mqtt\.host"):
        MqttChannel("阳台", "mqtt:///a", None, SystemClock())
