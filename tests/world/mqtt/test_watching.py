"""The connection, against a real mosquitto that is killed and started again."""

from __future__ import annotations

import gc
import json
import logging
import subprocess
import threading
from contextlib import closing
from dataclasses import replace

import pytest
from tests.world.mqtt.conftest import PATIENCE, Peer, Taker, free_port, until

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.world.mqtt.broker import Broker
from zhixing.world.mqtt.facts import Fact
from zhixing.world.mqtt.frigate import Frigate
from zhixing.world.mqtt.reading import Reader
from zhixing.world.mqtt.watching import Watching
from zhixing.world.perception.verdict import Value

DOOR = Fact("door", "z2m/door", "大门开着", "door", field="contact", equals="false")
READER = Reader("zhixing", (DOOR,), Frigate({"front": "cam_entrance"}))
TRUE, FALSE, UNKNOWN = Value.TRUE, Value.FALSE, Value.UNKNOWN
OPEN, SHUT = '{"contact": false}', '{"contact": true}'


@pytest.fixture
def watch(closing_time):
    def start(broker, sink, *, online=True, waiting=10_000):
        watching = Watching(broker, READER, sink, SystemClock(), prefix="zhixing", pause=0.01, waiting=waiting)
        watching.start()
        closing_time.callback(watching.stop)
        if online:
            until(lambda: watching.online)
        return watching

    return start


@pytest.fixture
def peer(closing_time):
    def come(broker, *topics):
        return closing_time.enter_context(closing(Peer(broker, *topics)))

    return come


def said(verdict):
    return verdict.source, verdict.query, verdict.value


def begun(taker):
    """Take what is said at first: of what was known before we came, nobody knows whether it still is so."""
    first = [taker.next() for _ in range(3)]
    assert {verdict.value for verdict in first} == {UNKNOWN}
    assert {verdict.query for verdict in first} == {"大门开着", "画面中无人", "画面中有人"}


def test_what_is_published_is_taken(mosquitto, watch, peer):
    server, taker = mosquitto(), Taker()
    watch(server.broker, taker)
    begun(taker)
    other = peer(server.broker)
    other.publish("zhixing/verdict/cam", json.dumps({"condition": "有人", "value": True, "event": "e1"}))
    other.publish("z2m/door", OPEN)
    other.publish("frigate/front/person", "0", qos=0)
    assert said(taker.next()) == ("cam", "有人", TRUE)
    assert said(taker.next()) == ("door", "大门开着", TRUE)
    assert said(taker.next()) == ("cam_entrance", "画面中无人", TRUE)


def test_a_broker_that_is_killed_and_comes_back_unchanged_tells_no_event_again(mosquitto, watch, peer):
    server, taker = mosquitto(), Taker()
    watching = watch(server.broker, taker)
    begun(taker)
    other = peer(server.broker)
    ring = json.dumps({"condition": "门铃响了", "value": True, "event": "ring-1"})
    other.publish("z2m/door", OPEN, retained=True)
    other.publish("zhixing/verdict/bell", ring, retained=True)
    assert said(taker.next()) == ("door", "大门开着", TRUE)
    assert said(taker.next()) == ("bell", "门铃响了", TRUE)
    other.close()

    server.kill()
    until(lambda: not watching.online)
    server.start()
    until(lambda: watching.online)
    # It has lost our session: messages may have been missed, so nothing is known until somebody tells.
    assert said(taker.next()) == ("door", "大门开着", UNKNOWN)
    back = peer(server.broker)
    back.publish("zhixing/verdict/bell", ring)
    back.publish("z2m/door", OPEN, retained=True)
    assert said(taker.next()) == ("door", "大门开着", TRUE)
    assert taker.came.empty()
    assert watching.counts["event_twice"] == 1
    assert watching.greetings == 2


def test_what_the_broker_had_kept_before_we_came_is_a_level_and_no_event(mosquitto, watch, peer):
    server, taker = mosquitto(), Taker()
    other = peer(server.broker)
    event = {"type": "new", "after": {"id": "1.0-a", "camera": "front", "label": "person", "frame_time": 1.0}}
    other.publish("frigate/events", json.dumps(event), retained=True)
    other.publish("z2m/door", OPEN, retained=True)
    watching = watch(server.broker, taker)
    begun(taker)
    assert said(taker.next()) == ("door", "大门开着", TRUE)
    until(lambda: watching.counts.get("event_retained") == 1)
    other.publish("z2m/door", SHUT)
    assert said(taker.next()) == ("door", "大门开着", FALSE)
    assert taker.came.empty()


def test_hostile_messages_leave_the_next_one_to_be_heard(mosquitto, watch, peer, caplog):
    server, taker = mosquitto(), Taker()
    with caplog.at_level(logging.WARNING, "zhixing.mqtt"):
        watching = watch(server.broker, taker)
        begun(taker)
        other = peer(server.broker)
        for payload in (b"\xff\xfe", b"[" * 100_000, b'{"contact": NaN}', b"x" * 500_000, b"x" * 10_000_000, b"\x00"):
            other.publish("z2m/door", payload)
            other.publish("zhixing/verdict/cam", payload)
        other.publish("z2m/door", OPEN)
        assert said(taker.next()) == ("door", "大门开着", TRUE)
    assert taker.came.empty()
    assert watching.online
    kinds = {"not_utf8", "not_json", "not_object", "payload_large"}
    assert {kind for kind, count in watching.counts.items() if count} == kinds
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == len(kinds)
    assert all("\n" not in line for line in lines)


def test_it_says_that_it_is_there_and_that_it_is_gone(mosquitto, watch, peer):
    server = mosquitto()
    other = peer(server.broker, "zhixing/status")
    watching = watch(server.broker, Taker())
    assert other.next()[:2] == ("zhixing/status", b"online")
    watching.stop()
    assert other.next()[:2] == ("zhixing/status", b"offline")
    late = peer(server.broker, "zhixing/status")
    assert late.next() == ("zhixing/status", b"offline", True)


def test_what_is_told_arrives_and_is_not_told_into_the_void(mosquitto, watch, peer):
    server = mosquitto()
    other = peer(server.broker, "zhixing/task/+")
    watching = watch(server.broker, Taker())
    assert watching.tell("zhixing/task/a", b"{}", retained=True)
    assert other.next()[:2] == ("zhixing/task/a", b"{}")
    server.kill()
    until(lambda: not watching.online)
    assert not watching.tell("zhixing/task/a", b"{}", retained=True)


def test_verdicts_wait_while_they_cannot_be_stored_and_one_that_never_can_holds_up_no_other(mosquitto, watch, peer):
    server, taker = mosquitto(), Taker()
    locked = [StoreUnavailable("store_locked", place="here")] * 3

    def sink(verdicts):
        if locked:
            raise locked.pop()
        if any(verdict.value is TRUE for verdict in verdicts):
            raise RuntimeError("this one never")
        taker(verdicts)

    watching = watch(server.broker, sink)
    other = peer(server.broker)
    other.publish("z2m/door", OPEN)
    other.publish("z2m/door", SHUT)
    begun(taker)
    assert said(taker.next()) == ("door", "大门开着", FALSE)
    assert watching.counts["not_taken"] == 1


def test_while_nothing_is_taken_the_broker_waits_and_no_event_is_lost(mosquitto, watch, peer):
    server, taker = mosquitto(), Taker()
    go_on = threading.Event()

    def sink(verdicts):
        go_on.wait(PATIENCE)
        taker(verdicts)

    watching = watch(server.broker, sink, waiting=10)
    other = peer(server.broker)
    for number in range(300):
        other.publish("zhixing/verdict/bell", json.dumps({"condition": "响", "value": True, "event": f"e{number}"}))
        other.publish("z2m/door", OPEN)
    go_on.set()
    events = []
    while len(events) < 300:
        verdict = taker.next()
        events += [verdict.event] if verdict.event else []
    assert events == [f"e{number}" for number in range(300)]
    assert watching.counts["left_out"] > 0


def trouble_of(watch, broker):
    watching = watch(broker, Taker(), online=False)
    until(lambda: watching.trouble)
    return watching.trouble


@pytest.fixture
def guarded(mosquitto, tmp_path):
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    subprocess.run(["mosquitto_passwd", "-b", passwords, "zhixing", "right"], check=True, capture_output=True)
    return mosquitto("allow_anonymous false", f"password_file {passwords}", "user root")


def test_a_wrong_password_is_told_in_one_line_that_does_not_hold_it(guarded, watch, caplog):
    wrong = replace(guarded.broker, user="zhixing", password="secret-wrong")
    with caplog.at_level(logging.WARNING, "zhixing.mqtt"):
        trouble = trouble_of(watch, wrong)
    assert trouble.text() == f"MQTT 服务器 127.0.0.1:{guarded.port} 不认用户「zhixing」或它的密码。"
    assert [record.getMessage() for record in caplog.records] == [trouble.text()]
    assert "secret-wrong" not in repr(trouble)


def test_the_right_password_is_enough(guarded, watch):
    assert watch(replace(guarded.broker, user="zhixing", password="right"), Taker()).online


def certificate(folder, name):
    key, file = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", file],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, file


# The library leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_tls_needs_an_authority_that_is_trusted(mosquitto, watch, tmp_path):
    key, file = certificate(tmp_path, "broker")
    server = mosquitto("allow_anonymous true", f"certfile {file}", f"keyfile {key}", "user root")
    trusting = replace(server.broker, tls=True, ca_file=str(file))
    assert watch(trusting, Taker()).online
    strange = trouble_of(watch, replace(server.broker, tls=True))
    assert strange.text().startswith(f"与 MQTT 服务器 127.0.0.1:{server.port} 的加密握手失败")
    missing = trouble_of(watch, replace(trusting, ca_file=str(tmp_path / "none.pem")))
    assert missing.text() == f"mqtt.ca_file 的证书文件读不了：{tmp_path}/none.pem"
    assert trouble_of(watch, server.broker).key == "no_greeting"
    gc.collect()


def test_a_port_without_a_broker_is_told_once_however_often_it_is_tried(watch, caplog):
    port = free_port()
    with caplog.at_level(logging.WARNING, "zhixing.mqtt"):
        watching = watch(Broker("127.0.0.1", port), Taker(), online=False)
        until(lambda: watching.attempts > 3)
    assert len(caplog.records) == 1
    assert caplog.records[0].getMessage() == f"连不上 MQTT 服务器 127.0.0.1:{port}：它没有运行，或地址、端口不对。"


def test_stopping_is_quick_also_while_there_is_no_broker(watch):
    watching = watch(Broker("127.0.0.1", free_port()), Taker(), online=False)
    until(lambda: watching.trouble)
    begun = SystemClock().monotonic()
    watching.stop()
    assert SystemClock().monotonic() - begun < PATIENCE / 2
