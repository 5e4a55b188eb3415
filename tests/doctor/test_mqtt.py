"""The line about MQTT, with a real broker and without."""

from __future__ import annotations

import pytest
from pydantic import SecretStr
from tests.world.mqtt.conftest import closing_time, free_port, mosquitto

from zhixing.doctor import State, check_channels, check_mqtt
from zhixing.kernel.clock import SystemClock
from zhixing.settings import load
from zhixing.settings.model import Mqtt

__all__ = ["closing_time", "mosquitto"]


def look(wanted):
    (finding,) = check_mqtt(wanted, SystemClock())
    return finding


def test_without_a_broker_it_is_missing_and_nothing_is_wrong():
    assert look(Mqtt()).state is State.MISSING


def test_a_broker_that_lets_us_in_is_fine(mosquitto):
    server = mosquitto()
    found = look(Mqtt(host="127.0.0.1", port=server.port))
    assert (found.state, found.says) == (State.OK, f"已连上 127.0.0.1:{server.port}")


def test_a_broker_that_is_not_there_is_told_with_its_place():
    port = free_port()
    found = look(Mqtt(host="127.0.0.1", port=port))
    assert (found.state, found.says) == (
        State.BROKEN,
        f"连不上 MQTT 服务器 127.0.0.1:{port}：它没有运行，或地址、端口不对。",
    )
    assert found.how_to_fix


def test_a_wrong_password_is_told_without_it(mosquitto):
    server = mosquitto("allow_anonymous false")
    found = look(Mqtt(host="127.0.0.1", port=server.port, user="me", password=SecretStr("hunter2")))
    assert found.state is State.BROKEN
    assert "不认用户「me」" in found.says
    assert "hunter2" not in found.says


@pytest.mark.parametrize(("host", "state"), [("", State.BROKEN), ("127.0.0.1", State.OK)])
def test_a_channel_to_a_topic_needs_a_broker(tmp_path, host, state):
    text = f'[mqtt]\nhost = "{host}"\n[channels.phone]\nkind = "mqtt"\nurl = "mqtt:///home/phone"\n'
    (tmp_path / "config.toml").write_text(text)
    (found,) = check_channels(load(tmp_path, {}), SystemClock())
    assert found.state is state
