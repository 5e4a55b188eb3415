"""The settings of Home Assistant: what is refused, what a fact comes to, and what is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.settings import load, put
from zhixing.settings.homeassistant import facts_of, home_assistant_of, notify_channels, watcher_of
from zhixing.settings.model import HomeAssistant
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.homeassistant.facts import Fact

DOOR = '[homeassistant.facts.door]\ncondition = "大门开着"\n'


def fact(**written: object) -> Fact:
    wanted = HomeAssistant.model_validate({"facts": {"door": {"condition": "大门开着", **written}}})
    return facts_of(wanted)[0]


@pytest.mark.parametrize(
    "written",
    [
        "",
        'entity = "binary_sensor.door"',
        'entity = "binary_sensor.door"\nstate = " , "',
        'entity = "binary_sensor.door"\nstate = "on"\nabove = 1.0',
        'entity = "binary_sensor.door"\nstate = "on"\ndata = "a=b"',
        'entity = "binary_sensor.door"\nstate = "on"\nevent = "zha_event"',
        'event = "zha_event"\nstate = "on"',
        'event = "zha_event"\ndata = "command"',
        'entity = "event.button"\nabove = 1.0',
    ],
)
def test_a_fact_is_told_by_an_entity_or_by_an_event_and_says_when(tmp_path: Path, written: str):
    (tmp_path / "config.toml").write_text(DOOR + written, encoding="utf-8")
    with pytest.raises(BadInput, match="要么写 entity") as wrong:
        load(tmp_path, {})
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize(
    "entity", ["door", "binary_sensor.", "binary_sensor.大门", "Binary.door", "a.b\nc", "a." + "b" * 99]
)
def test_what_is_no_entity_is_refused(tmp_path: Path, entity: str):
    with pytest.raises(BadInput):
        put(tmp_path, "homeassistant.speech", entity)


def test_a_fact_of_a_sensor_has_its_id_and_any_other_the_name_of_the_fact():
    assert fact(entity="binary_sensor.door", state="on, open").source == "binary_sensor.door"
    assert fact(entity="binary_sensor.door", state="on, open").states == ("on", "open")
    assert fact(entity="light.lamp", state="on").source == "door"
    assert fact(entity="sensor.t", above=28).above == 28
    remote = fact(event="zha_event", data="command = on , ieee=00:11=2")
    assert (remote.source, remote.data) == ("door", (("command", "on"), ("ieee", "00:11=2")))


def test_the_token_is_never_shown(tmp_path: Path):
    (tmp_path / "config.toml").write_text(
        '[homeassistant]\nurl = "http://h.example:8123"\ntoken = "hunter2"\n' + DOOR + 'event = "zha_event"\n',
        encoding="utf-8",
    )
    configuration = load(tmp_path, {"ZHIXING_HOMEASSISTANT_FACTS_DOOR_DATA": "command=on"})
    shown = {row.key: row.value for row in configuration.shown()}
    assert shown["homeassistant.url"] == "http://h.example:8123"
    assert shown["homeassistant.token"] == "******"
    assert shown["homeassistant.facts.door.data"] == "command=on"
    assert "hunter2" not in repr(configuration)
    hub = home_assistant_of(configuration.settings.homeassistant, SystemClock(), MemoryKeeper())
    assert "hunter2" not in repr(hub.address)


def test_without_an_address_there_is_no_hub_and_nothing_is_told():
    clock = SystemClock()
    wanted = HomeAssistant.model_validate({"notify": "phone", "facts": {"b": {"condition": "c", "event": "e"}}})
    assert home_assistant_of(wanted, clock, MemoryKeeper()) is None
    assert notify_channels(wanted, None) == {}
    virtual = VirtualHome(default_home(), MemoryKeeper())
    assert watcher_of(wanted, virtual, clock, take=list, asked=list) is None


def test_notify_services_become_channels_under_their_names():
    wanted = HomeAssistant.model_validate({"url": "http://h.example", "notify": "notify.phone, , alexa, phone"})
    hub = home_assistant_of(wanted, SystemClock(), MemoryKeeper())
    assert list(notify_channels(wanted, hub)) == ["phone", "alexa"]


@pytest.mark.parametrize("notify", ["inbox", "phone, inbox", "手机", "a/b"])
def test_what_is_no_name_of_a_channel_is_refused(tmp_path: Path, notify: str):
    with pytest.raises(BadInput):
        put(tmp_path, "homeassistant.notify", notify)


def test_a_fact_is_set_by_a_command_and_taken_out_again(tmp_path: Path):
    (tmp_path / "config.toml").write_text(DOOR + 'entity = "binary_sensor.door"\nstate = "on"\n', encoding="utf-8")
    put(tmp_path, "homeassistant.facts.door.state", "off")
    assert load(tmp_path, {}).settings.homeassistant.facts["door"].state == "off"
    put(tmp_path, "homeassistant.facts.door", "")
    assert load(tmp_path, {}).settings.homeassistant.facts == {}
