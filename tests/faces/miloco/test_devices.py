"""device … and scope …: tables of what there is, and commands to the devices of the virtual home."""

from __future__ import annotations

import json

import pytest

from zhixing.world.devices.homeplan import default_home

BROKEN = """
home: 坏了的家
rooms: [客厅]
devices:
  - {did: light_off, name: 不在线的灯, room: 客厅, kind: light, fault: offline}
  - {did: light_bad, name: 坏了的灯, room: 客厅, kind: light, fault: fails}
  - {did: light_mute, name: 不出声的灯, room: 客厅, kind: light, fault: silent}
  - {did: light_good, name: 好的灯, room: 客厅, kind: light}
"""


def rows(done):
    assert done.code == 0, done.err
    return [line.split("\t") for line in done.out.splitlines()]


def test_devices_are_a_table_with_tabs(miloco):
    listed = rows(miloco("device", "list"))
    assert listed[0] == ["# home=我的家"]
    assert listed[1] == ["did", "device_name", "room", "category", "online"]
    assert ["light_living", "客厅吸顶灯", "客厅", "light", "true"] in listed
    assert len(listed) == 2 + len(default_home().devices)


def test_the_table_is_narrowed_by_room_kind_and_reach(miloco):
    assert {row[2] for row in rows(miloco("device", "list", "--room", "主卧"))[2:]} == {"主卧"}
    assert {row[3] for row in rows(miloco("device", "list", "--category", "light"))[2:]} == {"light"}
    assert rows(miloco("device", "list", "--room", "月球"))[2:] == []
    assert len(rows(miloco("device", "list", "--online"))) == len(rows(miloco("device", "list")))


def test_a_spec_says_what_may_be_written(miloco):
    lines = miloco("device", "spec", "ac_living", "speaker_living").out.splitlines()
    assert lines[0] == "# did=ac_living name=客厅空调 room=客厅"
    assert "prop.2.1 on | rw | bool |  |" in lines
    (temperature,) = [line for line in lines if " target-temperature " in line]
    assert temperature.endswith("| rw | float | 16–31/0.5 | ℃")
    (mode,) = [line for line in lines if line.startswith("prop.2.2 mode ")]
    assert "=制冷" in mode
    assert "# did=speaker_living name=客厅音箱 room=客厅" in lines
    assert any(line.startswith("action.5.1 play-text | x | in=1") for line in lines)


@pytest.mark.parametrize("named", ["light_living", "客厅吸顶灯"])
def test_a_property_is_written_and_read_by_name_or_number(on_any_store, named):
    written = on_any_store("device", "control", named, "on", "true").data
    assert written == {
        "did": "light_living",
        "props": [{"iid": "prop.2.1", "name": "on", "value": True, "unit": "", "code": 0, "error": None}],
    }
    assert on_any_store("device", "props", named, "prop.2.1").data["props"][0]["value"] is True
    names = [row["name"] for row in on_any_store("device", "props", named).data["props"]]
    assert {"on", "brightness"} <= set(names)


def test_several_properties_are_written_at_once_or_none(miloco):
    done = miloco("device", "control", "ac_living", "--set", "on=true", "--set", "target-temperature=22.5")
    assert [row["value"] for row in done.data["props"]] == [True, 22.5]
    assert miloco.refused("device", "control", "ac_living", "--set", "on=false", "--set", "mode=冬眠")[0] == 1002
    assert miloco("device", "props", "ac_living", "on").data["props"][0]["value"] is True


def test_a_value_may_be_negative_or_hold_an_equals_sign(miloco):
    assert miloco.refused("device", "control", "light_living", "brightness", "-5")[0] == 1002
    miloco("device", "action", "speaker_living", "play-text", "-1=-1")


def test_a_speaker_says_something(miloco):
    said = miloco("device", "action", "speaker_living", "play-text", "吃饭了").data
    assert said == {"did": "speaker_living", "iid": "action.5.1", "name": "play-text", "code": 0, "error": None}


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("spec", "light_attic"), 2001),
        (("props", "light_attic"), 2001),
        (("control", "light_attic", "on", "true"), 2001),
        (("action", "light_attic", "toggle"), 2001),
        (("props", "light_living", "onn"), 1002),
        (("props", "speaker_living", "play-text"), 1002),
        (("control", "light_living", "onn", "true"), 1002),
        (("control", "light_living", "on", "vielleicht"), 1002),
        (("control", "light_living", "brightness", "1000"), 1002),
        (("control", "climate_living", "temperature", "20"), 1002),
        (("action", "speaker_living", "volume", "3"), 1002),
        (("action", "speaker_living", "play-text"), 1002),
        (("action", "speaker_living", "play-text", "a", "b"), 1002),
    ],
)
def test_what_a_device_cannot_do_has_a_code_before_anything_is_commanded(miloco, argv, code):
    assert miloco.refused("device", *argv)[0] == code


@pytest.mark.parametrize(
    "argv",
    [
        ("control", "light_living"),
        ("control", "light_living", "on"),
        ("control", "light_living", "--set", "on"),
        ("control", "light_living", "--set", "=true"),
        ("control", "light_living", *(["--set", "on=true"] * 21)),
    ],
)
def test_a_command_that_is_none_is_told_before_the_home_is_asked(miloco, argv):
    miloco.wrong("device", *argv)
    assert not miloco.home.exists()


@pytest.mark.parametrize(("did", "code"), [("light_off", -1), ("light_bad", -1), ("light_mute", -2)])
def test_what_became_of_a_command_is_said_honestly(miloco, did, code):
    miloco.home.mkdir()
    (miloco.home / "home.yaml").write_text(BROKEN, encoding="utf-8")
    done = miloco("device", "control", did, "on", "true")
    assert (done.code, done.out) == (3, "")
    told = json.loads(done.err)
    assert told["code"] == 3200
    (row,) = told["data"]["props"]
    assert (row["code"], row["error"]) == (code, told["message"])
    assert any("\u4e00" <= character <= "\u9fff" for character in row["error"])
    assert miloco("device", "control", "light_good", "on", "true").code == 0
    assert miloco("scope", "home", "list").data[0]["home_name"] == "坏了的家"


def test_the_home_says_which_it_is(miloco):
    assert miloco("scope", "home", "list").data == [
        {"home_id": "home", "home_name": "我的家", "in_use": True, "timezone": "Asia/Shanghai"}
    ]


def test_cameras_say_whether_they_are_in_use(on_any_store):
    cameras = {camera["did"]: camera for camera in on_any_store("scope", "camera", "list").data}
    assert cameras["cam_living"] == {
        "did": "cam_living",
        "name": "客厅摄像头",
        "room_name": "客厅",
        "is_online": True,
        "in_use": True,
        "connected": True,
    }
    assert [did for did, camera in cameras.items() if camera["in_use"]] == ["cam_living", "cam_entrance", "cam_kids"]


def test_a_camera_is_put_to_use_and_out_of_it(on_any_store):
    assert on_any_store("scope", "camera", "disable", "cam_living", "cam_kids").data[0]["in_use"] is False
    assert on_any_store("scope", "camera", "enable", "cam_study").data[0]["in_use"] is True
    in_use = [camera["did"] for camera in on_any_store("scope", "camera", "list").data if camera["in_use"]]
    assert in_use == ["cam_entrance", "cam_study"]


@pytest.mark.parametrize(
    ("dids", "code"),
    [(("cam_attic",), 1002), (("cam_study", "cam_attic"), 1002), (("cam_study", "cam_balcony"), 2000)],
)
def test_of_several_cameras_all_are_put_to_use_or_none(on_any_store, dids, code):
    before = on_any_store("scope", "camera", "list").data
    refused = on_any_store.refused("scope", "camera", "enable", *dids)
    assert refused[0] == code
    assert on_any_store("scope", "camera", "list").data == before


def test_an_unknown_camera_is_answered_with_those_there_are(miloco):
    assert "cam_living（客厅摄像头）" in miloco.refused("scope", "camera", "disable", "cam_attic")[1]
