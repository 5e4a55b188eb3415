"""A home with a lamp on topics, from its settings to the broker and back."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest
from tests.faces.mqtt.test_bridge import task
from tests.world.mqtt.conftest import Peer, until

from zhixing.app import opened
from zhixing.faces.mqtt.bridge import bridge_of
from zhixing.household.plan import read_plan
from zhixing.household.sight import virtual
from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.settings import HomeZone, ZoneSource, load
from zhixing.tasks import journal
from zhixing.tasks.journal import Kind
from zhixing.world.devices.port import Done

CLOCK = SystemClock()
ZONE = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)
LAMP = """
[mqtt.devices.desk_lamp]
name = "台灯"
room = "书房"
kind = "light"
state_topic = "z2m/lamp"
state_field = "state"
command_topic = "z2m/lamp/set"
command_field = "state"
transition = 0
"""


@contextmanager
def home(folder, text):
    (folder / "config.toml").write_text(text, encoding="utf-8")
    env = {"ZHIXING_HOME": str(folder)}
    with opened(load(folder, env), CLOCK, ZONE, folder, {}) as app:
        yield app


class Lamp(Peer):
    """A lamp that does what it is told and says so, retained."""

    def __init__(self, broker):
        super().__init__(broker, "z2m/lamp/set")
        self.told = []
        self._client.on_message = self._do

    def _do(self, client, _data, message):
        self.told.append((message.payload, message.retain))
        client.publish("z2m/lamp", message.payload, qos=1, retain=True)


@pytest.fixture
def lamp_at(closing_time):
    def make(server):
        lamp = Lamp(server.broker)
        closing_time.callback(lamp.close)
        return lamp

    return make


def test_a_rule_switches_a_lamp_on_topics_and_sees_that_it_did(mosquitto, lamp_at, closing_time, tmp_path):
    server = mosquitto()
    lamp = lamp_at(server)
    lamp.publish("z2m/lamp", '{"state": "OFF"}', retained=True)
    text = f'[mqtt]\nhost = "127.0.0.1"\nport = {server.port}\n{LAMP}'
    app = closing_time.enter_context(home(tmp_path, text))
    plan = task("greet", "有人按门铃", "cam_entrance")
    plan["rules"][0]["action"] = {"did": "desk_lamp", "iid": "prop.on", "value": True}
    app.household.apply(read_plan(plan), who="test")
    app.recover()
    app.engine.start()
    closing_time.callback(app.engine.stop)
    bridge = bridge_of(load(tmp_path, {}).settings.mqtt, app, CLOCK)
    bridge.start()
    closing_time.callback(bridge.stop)
    until(lambda: bridge.watching.online)
    ring = {"condition": "有人按门铃", "value": True, "event": "ring-1"}
    lamp.publish("zhixing/verdict/cam_entrance", json.dumps(ring))

    def done():
        with app.store.read() as tx:
            return [each for each in journal.since(tx, 0, 1_000) if each.kind is Kind.OCCURRENCE_DONE]

    until(done)
    assert lamp.told == [(b'{"state":"ON"}', False)]
    assert app.hub.read("desk_lamp", "prop.2.1") == Done(value=True)


def test_the_home_has_its_own_devices_and_those_on_topics(mosquitto, lamp_at, tmp_path):
    server = mosquitto()
    lamp_at(server).publish("z2m/lamp", '{"state": "ON"}', retained=True)
    with home(tmp_path, f'[mqtt]\nhost = "127.0.0.1"\nport = {server.port}\n{LAMP}') as app:
        devices = {each.did: each for each in app.hub.devices()}
        assert (devices["desk_lamp"].name, devices["desk_lamp"].room, devices["desk_lamp"].online) == (
            "台灯",
            "书房",
            True,
        )
        assert "light_living" in devices
        # What was known is known again after a restart, from what the broker keeps.
        assert app.hub.read("desk_lamp", "prop.2.1") == Done(value=True)
        assert virtual(app.hub).plan.devices


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (LAMP, "mqtt_device_without_broker"),
        ('[mqtt]\nhost = "127.0.0.1"\n' + LAMP.replace("desk_lamp", "light_living"), "mqtt_device_taken"),
        ('[mqtt]\nhost = "127.0.0.1"\n' + LAMP.replace("desk_lamp", "cam_living"), "mqtt_device_taken"),
    ],
)
def test_what_cannot_be_is_said_at_the_start(tmp_path, text, key):
    with pytest.raises(BadInput) as caught, home(tmp_path, text):
        pass
    assert caught.value.key == key
