"""Devices on topics, at a real broker."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from threading import Thread

import pytest
from tests.world.mqtt.conftest import Peer, until

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import NotFound
from zhixing.world.devices.port import Done, Failed, Uncertain
from zhixing.world.mqtt.appliances import Appliance, Known, command, heard
from zhixing.world.mqtt.devices import MqttDevices

CLOCK = SystemClock()
ON, BRIGHTNESS = "prop.2.1", "prop.2.2"
MOTOR, POSITION, TARGET = "prop.2.1", "prop.2.2", "prop.2.3"
Z2M = Appliance(
    did="z2m_lamp",
    name="台灯",
    room="书房",
    kind="light",
    state_topic="z2m/lamp",
    state_field="state",
    command_topic="z2m/lamp/set",
    command_field="state",
    level_topic="z2m/lamp",
    level_field="brightness",
    level_command_field="brightness",
    level_max=254,
    availability_topic="z2m/lamp/availability",
)
TASMOTA = Appliance(
    "plug", "插座", "", "plug", "stat/plug/POWER", "cmnd/plug/POWER", availability_topic="tele/plug/LWT"
)
CURTAIN = Appliance(
    did="curtain",
    name="窗帘",
    room="客厅",
    kind="curtain",
    state_topic="cover/state",
    command_topic="cover/command",
    on="OPEN",
    off="CLOSE",
    shows_on="OPEN",
    shows_off="CLOSED",
    stop="STOP",
    level_topic="cover/position",
    level_command_topic="cover/position/set",
)


@pytest.fixture
def hub_of(closing_time):
    def make(server, *appliances, **options):
        return closing_time.enter_context(
            closing(MqttDevices(server.broker, appliances or (Z2M, TASMOTA, CURTAIN), CLOCK, pause=0.05, **options))
        )

    return make


@pytest.fixture
def peer(closing_time):
    def make(server, *topics):
        return closing_time.enter_context(closing(Peer(server.broker, *topics)))

    return make


def test_what_a_device_says_is_read(mosquitto, hub_of, peer):
    server = mosquitto()
    hub, other = hub_of(server), peer(server)
    assert hub.read("z2m_lamp", ON) == Failed("not_reported", "on")
    assert hub.read("curtain", MOTOR) == Failed("write_only", "motor-control")
    other.publish("z2m/lamp", '{"state": "ON", "brightness": 89}')
    other.publish("stat/plug/POWER", "OFF")
    other.publish("cover/position", "40")
    other.publish("cover/state", "CLOSED")
    until(lambda: hub.read("curtain", "prop.2.4") == Done(value=False))
    assert hub.read("z2m_lamp", ON) == Done(value=True)
    assert hub.read("z2m_lamp", BRIGHTNESS) == Done(35)
    assert hub.read("plug", ON) == Done(value=False)
    assert hub.read("curtain", POSITION) == hub.read("curtain", TARGET) == Done(40)


def test_what_the_broker_keeps_is_known_from_the_first_question_on(mosquitto, hub_of, peer):
    server = mosquitto()
    peer(server).publish("z2m/lamp", '{"state": "ON", "brightness": 254}', retained=True)
    assert hub_of(server).read("z2m_lamp", BRIGHTNESS) == Done(100)
    assert hub_of(server).read("z2m_lamp", ON) == Done(value=True)


def test_of_many_devices_all_that_the_broker_keeps_is_known(mosquitto, hub_of, peer):
    server, dids = mosquitto(), [f"plug{number}" for number in range(300)]
    other = peer(server)
    for did in dids:
        other.publish(f"{did}/state", "ON", retained=True, qos=1)
    hub = hub_of(server, *(Appliance(did, did, "", "plug", f"{did}/state", f"{did}/set") for did in dids))
    assert {hub.read(did, ON) for did in dids} == {Done(value=True)}


def test_commands_from_several_threads_are_each_done_once(mosquitto, hub_of, peer):
    server = mosquitto()
    hub, other, results = hub_of(server), peer(server, "cmnd/plug/POWER"), []

    def switch() -> None:
        results.extend(hub.write("plug", ON, value=True) for _ in range(10))

    threads = [Thread(target=switch) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [Done()] * 300
    assert [other.next()[1] for _ in results] == [b"ON"] * 300
    assert other.came.empty()


def test_a_command_is_published_once_and_never_retained(mosquitto, hub_of, peer):
    server = mosquitto()
    topics = ("z2m/lamp/set", "cmnd/plug/POWER", "cover/command", "cover/position/set")
    hub, other = hub_of(server), peer(server, *topics)
    for did, iid, value, topic, payload in (
        ("z2m_lamp", ON, True, "z2m/lamp/set", b'{"state":"ON"}'),
        ("z2m_lamp", BRIGHTNESS, 35, "z2m/lamp/set", b'{"brightness":89}'),
        ("plug", ON, False, "cmnd/plug/POWER", b"OFF"),
        ("curtain", MOTOR, 2, "cover/command", b"STOP"),
        ("curtain", MOTOR, 0, "cover/command", b"OPEN"),
        ("curtain", TARGET, 60, "cover/position/set", b"60"),
    ):
        assert hub.write(did, iid, value) == Done()
        assert other.next() == (topic, payload, False)
    assert other.came.empty()
    assert peer(server, *topics).came.empty()


def test_a_command_that_nobody_listens_to_certainly_did_nothing(mosquitto, hub_of):
    assert hub_of(mosquitto()).write("plug", ON, value=True) == Failed("offline")


def test_a_command_that_the_broker_forbids_certainly_did_nothing(mosquitto, hub_of, tmp_path):
    rules = tmp_path / "acl"
    rules.write_text("topic read #\n")
    server = mosquitto("allow_anonymous true", f"acl_file {rules}", "user root")
    assert hub_of(server).write("plug", ON, value=True) == Failed("device_refused")


def test_a_device_that_says_it_is_away_is_away(mosquitto, hub_of, peer):
    server = mosquitto()
    hub, other = hub_of(server), peer(server, "z2m/lamp/set", "cmnd/plug/POWER")
    assert [each.online for each in hub.devices()] == [True, True, True]
    other.publish("z2m/lamp/availability", '{"state": "offline"}')
    other.publish("tele/plug/LWT", "Offline")
    until(lambda: [each.online for each in hub.devices()] == [False, False, True])
    assert hub.read("z2m_lamp", ON) == Failed("offline")
    assert hub.write("plug", ON, value=True) == Failed("offline")
    other.publish("tele/plug/LWT", "Online")
    until(lambda: hub.write("plug", ON, value=True) == Done())
    assert other.next()[1] == b"ON"


def test_without_a_broker_nothing_is_sent_and_all_are_listed_as_away(mosquitto, hub_of, peer):
    server = mosquitto()
    hub = hub_of(server)
    assert hub.link.ready()
    peer(server).publish("stat/plug/POWER", "ON")
    until(lambda: hub.read("plug", ON) == Done(value=True))
    server.kill()
    until(lambda: not hub.link.is_up)
    assert hub.write("plug", ON, value=False) == Failed("hub_unreachable")
    assert hub.read("plug", ON) == Failed("hub_unreachable")
    assert [(each.did, each.online) for each in hub.devices()] == [
        ("z2m_lamp", False),
        ("plug", False),
        ("curtain", False),
    ]
    server.start()
    other = peer(server, "cmnd/plug/POWER")
    until(lambda: hub.link.is_up)
    # What was known before may have changed meanwhile, and what failed is not made up for.
    assert hub.read("plug", ON) == Failed("not_reported", "on")
    assert other.came.empty()


def test_a_command_without_an_acknowledgement_is_unsure_and_never_leaves_later(mosquitto, hub_of, peer):
    server = mosquitto()
    hub = hub_of(server, seconds=0.3)
    assert hub.link.ready()
    server.pause()
    assert hub.write("plug", ON, value=True) == Uncertain("no_answer")
    server.kill()
    server.start()
    other = peer(server, "cmnd/plug/POWER")
    until(lambda: hub.link.is_up)
    assert hub.write("plug", ON, value=False) == Done()
    assert other.next()[1] == b"OFF"


def test_what_a_device_can_do_is_what_the_settings_give_it():
    bare = replace(Z2M, level_topic="").spec()
    assert [each.name for each in bare.properties] == ["on"]
    assert [each.name for each in Z2M.spec().properties] == ["on", "brightness"]
    motor = replace(CURTAIN, stop="", level_topic="").spec().properties
    assert [each.name for each in motor] == ["motor-control", "on"]
    assert [number for number, _ in motor[0].choices] == [0, 1]


def test_what_does_not_fit_fails_and_asks_nothing_of_anybody(mosquitto, hub_of):
    server = mosquitto()
    server.kill()
    hub = hub_of(server)
    assert hub.write("plug", ON, 1) == Failed("wrong_type", "bool")
    assert hub.write("curtain", POSITION, 4) == Failed("read_only", "current-position")
    assert hub.write("plug", "prop.9.9", value=True) == Failed("property_missing", "prop.9.9")
    assert hub.write("nobody", ON, value=True) == Failed("device_missing", "nobody")
    assert hub.act("plug", "action.2.1", []) == Failed("action_missing", "action.2.1")
    with pytest.raises(NotFound):
        hub.spec("nobody")
    with pytest.raises(NotFound):
        hub.use_camera("cam", in_use=True)


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (b'{"state": "OFF"}', Known(on=False, level=50.0)),
        (b'{"state": null}', Known(on=None, level=50.0)),
        (b'{"state": "TOGGLE"}', Known(on=None, level=50.0)),
        (b'{"brightness": "x"}', Known(on=True, level=None)),
        (b'{"brightness": 1e999}', Known(on=True, level=50.0)),
        (b'{"brightness": NaN}', Known(on=True, level=50.0)),
        (b"", Known(on=True, level=50.0)),
        (b"\xff\xfe", Known(on=True, level=50.0)),
        (b"[" * 100_000, Known(on=True, level=50.0)),
        (b'{"linkquality": 3}', Known(on=True, level=50.0)),
    ],
)
def test_odd_messages_say_nothing_or_make_it_unknown(payload, expected):
    assert heard(Z2M, Known(on=True, level=50.0), "z2m/lamp", payload) == expected


@pytest.mark.parametrize("percent", [1, 2, 33, 50, 99, 100])
@pytest.mark.parametrize("top", [100, 254, 255, 65535])
def test_a_level_that_a_device_takes_over_is_read_back_as_it_was_written(percent, top):
    lamp = replace(Z2M, level_max=top)
    brightness = lamp.spec().properties[1]
    _, payload = command(lamp, brightness, percent)
    assert heard(lamp, Known(), "z2m/lamp", payload).value(brightness) == percent


def test_a_truth_in_json_is_written_as_one_and_read_as_one():
    lamp = replace(Z2M, command_field="power.on", state_field="power.on", on="true", off="false")
    lamp = replace(lamp, shows_on="true", shows_off="false")
    _, payload = command(lamp, lamp.spec().properties[0], value=True)
    assert payload == b'{"power":{"on":true}}'
    assert heard(lamp, Known(), "z2m/lamp", payload) == Known(on=True)
