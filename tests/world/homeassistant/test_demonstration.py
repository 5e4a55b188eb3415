"""The real Home Assistant with its demonstration home: what is seen of it, and what becomes of commands."""

from __future__ import annotations

import msgspec
import pytest
from tests.world.homeassistant.place import wait_for

from zhixing.kernel.clock import SystemClock
from zhixing.world.devices.names import find_device, resolve
from zhixing.world.devices.port import Done, Failed
from zhixing.world.homeassistant.cameras import HomeAssistantSnapshots
from zhixing.world.perception.snapshots import NoPicture, SnapshotFailed


@pytest.fixture
def home(house):
    house.begin()
    return house.home


def category(home, did: str) -> str:
    return {each.did: each.category for each in home.devices()}[did]


def test_every_kind_of_thing_is_found(home):
    found = {each.category for each in home.devices()}
    assert {
        "light",
        "switch",
        "plug",
        "fan",
        "curtain",
        "door",
        "air-conditioner",
        "humidifier",
        "dehumidifier",
        "speaker",
        "vacuum",
        "lock",
        "temperature-humidity-sensor",
        "contact-sensor",
        "motion-sensor",
        "scene",
        "script",
        "button",
    } <= found


def test_every_value_that_can_be_read_is_one_of_its_property(home):
    for device in home.devices():
        for spec in home.spec(device.did).properties:
            if spec.readable:
                result = home.read(device.did, spec.iid)
                assert (
                    isinstance(result, Done)
                    or result
                    in (
                        Failed("offline"),
                        Failed("not_reported", spec.name),
                    )
                    or device.did == "light.silent"
                ), (device.did, spec, result)


def test_rooms_are_those_of_home_assistant(home):
    assert find_device(home.devices(), "客厅灯").room == "客厅"
    assert find_device(home.devices(), "light.bed_light").room == ""


def test_a_lamp_is_turned_on_by_name_and_shows_it(home):
    lamp = find_device(home.devices(), "light.bed_light")
    on = resolve(home.spec(lamp.did), "prop.on")

    assert home.write(lamp.did, on.iid, True) == Done()
    assert home.read(lamp.did, on.iid) == Done(True)
    assert home.write(lamp.did, resolve(home.spec(lamp.did), "brightness").iid, 40) == Done()
    assert home.read(lamp.did, "prop.2.2") == Done(40)
    assert home.write(lamp.did, on.iid, False) == Done()
    assert home.read(lamp.did, on.iid) == Done(False)


def test_the_colour_of_a_lamp_is_written_in_kelvin(home):
    assert home.write("light.lamp", "prop.2.3", 3000) == Done()
    assert home.read("light.lamp", "prop.2.3") == Done(3000)


def test_a_curtain_is_opened_closed_and_set(home, house):
    for iid, value, there in (("prop.2.4", True, 100), ("prop.2.1", 1, 0), ("prop.2.3", 60, 60)):
        assert home.write("cover.curtain", iid, value) == Done()
        house.let("cover.curtain", "arrived", True)
        assert home.read("cover.curtain", "prop.2.2") == Done(there)
    assert home.read("cover.curtain", "prop.2.4") == Done(True)


def test_a_curtain_on_its_way_shows_where_it_is(home):
    assert home.write("cover.curtain", "prop.2.3", 60) == Done()
    assert home.read("cover.curtain", "prop.2.3") == Done(0)
    assert home.read("cover.curtain", "prop.2.4") == Done(True)


def test_an_air_conditioner_keeps_mode_and_temperature(home):
    assert home.write("climate.hvac", "prop.2.2", 4) == Done()
    assert home.write("climate.hvac", "prop.2.3", 24.5) == Done()
    assert home.read("climate.hvac", "prop.2.2") == Done(4)
    assert home.read("climate.hvac", "prop.2.3") == Done(24.5)
    assert home.read("climate.hvac", "prop.4.1") == Done(22.0)
    assert home.write("climate.hvac", "prop.2.1", False) == Done()
    assert home.read("climate.hvac", "prop.2.1") == Done(False)


def test_an_air_conditioner_that_is_off_has_no_mode(home):
    assert home.read("climate.ac", "prop.2.2") == Failed("not_reported", "mode")


def test_the_speed_of_a_fan_is_one_of_its_own(home):
    spec = resolve(home.spec("fan.living_room_fan"), "fan-level")
    assert (spec.low, spec.high) == (1, 3)
    assert home.write("fan.living_room_fan", spec.iid, 2) == Done()
    assert home.read("fan.living_room_fan", spec.iid) == Done(2)


def test_a_humidifier_a_switch_and_a_vacuum_cleaner_do_as_told(home):
    assert home.write("humidifier.humidifier", "prop.2.2", 55) == Done()
    assert home.read("humidifier.humidifier", "prop.2.2") == Done(55)
    assert category(home, "switch.ac") == "plug"
    assert home.write("switch.ac", "prop.2.1", True) == Done()
    assert home.read("switch.ac", "prop.2.1") == Done(True)
    start = resolve(home.spec("vacuum.0_ground_floor"), "action.start-sweep")
    assert home.act("vacuum.0_ground_floor", start.iid, []) == Done()
    assert home.read("vacuum.0_ground_floor", "prop.2.1") == Done(1)


def test_a_speaker_is_turned_down_and_a_scene_set(home):
    assert home.write("media_player.speaker", "prop.2.1", 25) == Done()
    assert home.read("media_player.speaker", "prop.2.1") == Done(25)
    assert home.act("scene.romantic_lights", "action.2.1", []) == Done()
    assert home.act("script.demo", "action.2.1", []) == Done()
    assert home.act("button.push", "action.2.1", []) == Done()


def test_nothing_opens_a_lock(home):
    spec = home.spec("lock.kitchen_door")
    assert [each.name for each in spec.actions] == ["lock"]
    assert not any(each.writable for each in spec.properties)
    assert home.act("lock.kitchen_door", "action.2.1", []) == Done()


def test_what_a_device_says_is_wrong_half_way_is_not_taken_for_nothing(home, house):
    house.let("light.lamp", "fault", "fails")
    assert home.write("light.lamp", "prop.2.1", True).reason == "no_answer"
    assert house.told("light.lamp") == []


def test_a_room_that_is_renamed_is_so_at_once(home):
    areas = {each["name"]: each["area_id"] for each in msgspec.json.decode(home.link.ask("config/area_registry/list"))}
    home.link.ask("config/area_registry/update", area_id=areas["玄关"], name="门厅")
    try:
        wait_for(lambda: find_device(home.devices(), "binary_sensor.door").room == "门厅")
    finally:
        home.link.ask("config/area_registry/update", area_id=areas["玄关"], name="玄关")
        wait_for(lambda: find_device(home.devices(), "binary_sensor.door").room == "玄关")


def test_what_is_hidden_is_not_shown(home):
    home.link.ask("config/entity_registry/update", entity_id="binary_sensor.door", hidden_by="user")
    try:
        wait_for(lambda: all(each.did != "binary_sensor.door" for each in home.devices()))
        assert home.read("binary_sensor.door", "prop.2.1").reason == "device_missing"
    finally:
        home.link.ask("config/entity_registry/update", entity_id="binary_sensor.door", hidden_by=None)
        wait_for(lambda: any(each.did == "binary_sensor.door" for each in home.devices()))


def test_a_camera_gives_its_picture(assistant):
    picture = HomeAssistantSnapshots(assistant.address, SystemClock()).snapshot("camera.demo_camera")
    assert picture.media_type == "image/jpeg"
    assert len(picture.data) > 10_000


@pytest.mark.parametrize("source", ["camera.nobody", "light.lamp", "camera.demo_camera/../../states", "", "x" * 9_999])
def test_what_is_no_camera_gives_none(assistant, source):
    with pytest.raises(SnapshotFailed) as failed:
        HomeAssistantSnapshots(assistant.address, SystemClock()).snapshot(source)
    assert failed.value.args[0] == NoPicture.STATUS.value
