"""The home over HTTP: devices, cameras, people, and what happened."""

from __future__ import annotations

import pytest

JSON = {"Content-Type": "application/json"}
HOME = "/api/v1/home"


def put(client, path: str, body: object):
    return client("PUT", f"{HOME}/{path}", json=body)


def values(device) -> dict[str, object]:
    return {each["name"]: each["value"] for each in device["properties"]}


def test_everything_in_the_home_is_told(client) -> None:
    told = client.get(HOME)
    assert told["rooms"][0] == "客厅"
    assert {"role": "妈妈", "name": "林知夏"}.items() <= told["people"][1].items()
    assert [camera["did"] for camera in told["cameras"] if camera["inUse"]] == [
        "cam_living",
        "cam_entrance",
        "cam_kids",
    ]
    assert values(next(each for each in told["devices"] if each["did"] == "light_living"))["on"] is False


@pytest.mark.parametrize("device", ["light_living", "客厅吸顶灯"])
@pytest.mark.parametrize("prop", ["on", "prop.on", "prop.2.1"])
def test_a_light_is_switched_by_hand(client, device, prop) -> None:
    switched = put(client, f"devices/{device}/{prop}", {"value": True})
    assert switched.status_code == 200
    assert values(switched.json())["on"] is True
    assert client.get(f"{HOME}/devices/{device}") == switched.json()


def test_the_weather_changes_what_nobody_may_write(client) -> None:
    assert values(put(client, "devices/climate_living/temperature", {"value": 31}).json())["temperature"] == 31


def test_what_happened_is_listed_oldest_first(client) -> None:
    put(client, "devices/light_living/on", {"value": True})
    put(client, "devices/ac_living/mode", {"value": "制热"})
    log = client.get(f"{HOME}/log")["log"]
    assert [(each["did"], each["values"], each["by"]) for each in log] == [
        ("light_living", [True], "person"),
        ("ac_living", log[1]["values"], "person"),
    ]
    assert client.get(f"{HOME}/log?device=ac_living")["log"] == log[1:]
    assert client.get(f"{HOME}/log?limit=1")["log"] == log[1:]


def test_a_camera_is_let_judge_and_not(client) -> None:
    assert put(client, "cameras/cam_study", {"inUse": True}).json()["inUse"] is True
    assert put(client, "cameras/书房摄像头", {"inUse": False}).json()["inUse"] is False


def test_people_come_and_go(client) -> None:
    added = client("POST", f"{HOME}/people", json={"name": "小雨", "role": "妹妹"})
    assert added.status_code == 201
    person = added.json()["id"]
    assert put(client, f"people/{person}", {"role": ""}).json() == {"id": person, "name": "小雨", "role": ""}
    assert put(client, f"people/{person}", {"name": "大雨"}).json()["name"] == "大雨"
    assert client("DELETE", f"{HOME}/people/{person}").json()["name"] == "大雨"
    assert person not in [each["id"] for each in client.get(f"{HOME}/people")["people"]]


@pytest.mark.parametrize(
    ("asked", "body", "refused"),
    [
        ("GET devices/sofa", None, (404, "device_unknown")),
        ("PUT devices/sofa/on", {"value": True}, (404, "device_unknown")),
        ("PUT devices/light_living/brightnes", {"value": 3}, (400, "capability_unknown")),
        ("PUT devices/light_living/brightness", {"value": 101}, (400, "value_unfit")),
        ("PUT devices/light_living/brightness", {"value": "three"}, (400, "value_unfit")),
        ("PUT devices/light_living/on", {"value": "true"}, (400, "value_unfit")),
        ("PUT devices/light_living/on", {"value": 1}, (400, "value_unfit")),
        ("PUT devices/light_living/on", {"value": None}, (400, "field_wrong")),
        ("PUT devices/light_living/on", {"value": [True]}, (400, "field_wrong")),
        ("PUT devices/light_living/on", {"vaule": True}, (400, "field_unknown")),
        ("PUT devices/light_living/on", {}, (400, "field_missing")),
        ("PUT devices/speaker_living/action.play-text", {"value": "x"}, (400, "not_a_property")),
        ("PUT cameras/cam_garden", {"inUse": True}, (404, "camera_unknown")),
        ("PUT cameras/cam_balcony", {"inUse": True}, (409, "camera_offline")),
        ("PUT cameras/cam_study", {"inUse": "perhaps"}, (400, "field_wrong")),
        ("POST people", {"name": ""}, (400, "person_name_empty")),
        ("POST people", {"name": "x" * 33}, (413, "person_name_long")),
        ("POST people", {"name": "林知夏"}, (409, "person_exists")),
        ("POST people", {"name": "a\0b"}, (400, "text_unstorable")),
        ("PUT people/p99", {"name": "x"}, (404, "person_unknown")),
        ("DELETE people/p99", None, (404, "person_unknown")),
        ("GET log?limit=501", None, (400, "field_wrong")),
        ("GET log?device=sofa", None, (404, "device_unknown")),
        ("POST devices/light_living", {}, (405, "method_wrong")),
    ],
)
def test_what_does_not_exist_or_fit_is_refused_with_the_reason(client, asked, body, refused) -> None:
    before = client.get(HOME)
    method, path = asked.split()
    answer = client(method, f"{HOME}/{path}", **({} if body is None else {"json": body}))
    assert (answer.status_code, answer.json()["error"]["code"]) == refused
    assert client.get(HOME) == before
