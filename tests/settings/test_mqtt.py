"""The settings of MQTT, and what is wrong with them."""

from __future__ import annotations

import pytest

from zhixing.kernel.errors import BadInput
from zhixing.settings import load
from zhixing.settings.mqtt import broker_of

WHOLE = """
[mqtt]
host = "broker.lan"
user = "zhixing"
password = "secret"

[mqtt.frigate.cameras.front]
source = "cam_entrance"

[mqtt.facts."大门"]
topic = "zigbee2mqtt/大门"
field = "contact"
equals = "false"
condition = "大门开着"
source = "door_entrance"

[mqtt.facts.warm]
topic = "zigbee2mqtt/thermo"
field = "temperature"
above = 28.5
condition = "室温高于 28.5 度"
source = "thermo"
"""

DEVICE = '[mqtt.devices.lamp]\nkind = "{}"\nstate_topic = "a"\ncommand_topic = "b"\n'


def read(folder, text):
    (folder / "config.toml").write_text(text, encoding="utf-8")
    return load(folder, {})


def test_without_a_host_there_is_no_broker(tmp_path):
    assert broker_of(load(tmp_path, {}).settings.mqtt) is None


def test_everything_is_read_and_the_password_is_never_shown(tmp_path):
    found = read(tmp_path, WHOLE)
    wanted = found.settings.mqtt
    broker = broker_of(wanted)
    assert (broker.host, broker.port, broker.password) == ("broker.lan", 1883, "secret")
    assert "secret" not in repr(broker)
    assert wanted.frigate.cameras["front"].source == "cam_entrance"
    assert wanted.facts["warm"].above == 28.5
    shown = {row.key: row.value for row in found.shown()}
    assert shown["mqtt.password"] == "******"
    assert shown["mqtt.facts.大门.topic"] == "zigbee2mqtt/大门"
    assert shown["mqtt.frigate.cameras.front.source"] == "cam_entrance"


def test_a_channel_is_a_topic_of_that_broker(tmp_path):
    channel = read(tmp_path, '[channels.phone]\nkind = "mqtt"\nurl = "mqtt:///home/phone"\n').settings.channels["phone"]
    assert channel.goes_through == "mqtt"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[mqtt]\nhost = "a b"\n', "应为 IP 地址或主机名"),
        ('[mqtt]\nprefix = "a/#"\n', "应为 MQTT 主题"),
        ('[mqtt]\nprefix = ""\n', "mqtt.prefix"),
        ('[mqtt.facts.door]\ntopic = "a"\nsource = "s"\nequals = "1"\n', "mqtt.facts.door.condition"),
        ('[mqtt.facts.door]\ntopic = "a"\nsource = "s"\ncondition = "c"\n', "要么写 equals"),
        ('[mqtt.facts.door]\ntopic = "+"\nsource = "s"\ncondition = "c"\nequals = "1"\n', "应为 MQTT 主题"),
        ('[mqtt.facts.door]\ntopic = "a"\nsource = "s"\ncondition = "c"\nequals = "1"\nabove = 1.0\n', "要么写 equals"),
        (DEVICE.format("tv"), "mqtt.devices.lamp.kind"),
        (DEVICE.format("light").replace('"b"', '"b/#"'), "应为 MQTT 主题"),
        (DEVICE.format("plug") + 'level_topic = "c"\n', "只有灯和窗帘能写 level_topic"),
        (DEVICE.format("plug") + 'payload_on = "OFF"\n', "不能相同"),
        ('[mqtt.frigate]\narrives = "画面中有人"\n', "不能与 absent 或 present 相同"),
        ('[mqtt.frigate.cameras]\nfront = "cam"\n', "mqtt.frigate.cameras.front"),
        ('[channels.phone]\nkind = "mqtt"\nurl = "mqtt:///a/+"\n', "应为 mqtt:///主题"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_is_meant(tmp_path, text, says):
    with pytest.raises(BadInput) as caught:
        read(tmp_path, text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
