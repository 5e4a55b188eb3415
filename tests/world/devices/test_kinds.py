from __future__ import annotations

import json
import re

import pytest

from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.kinds import kinds, printed
from zhixing.world.devices.names import misfit, resolve

EXPECTED = {
    "light": ["on", "brightness", "color-temperature", "toggle"],
    "curtain": ["target-position", "current-position", "motor-control", "on"],
    "speaker": ["volume", "mute", "play-text"],
    "air-conditioner": ["on", "mode", "target-temperature", "fan-level", "temperature"],
    "plug": ["on", "electric-power"],
    "switch": ["on"],
    "temperature-humidity-sensor": ["temperature", "relative-humidity"],
    "contact-sensor": ["contact-state"],
    "motion-sensor": ["motion-state", "illumination"],
    "button": ["battery-level"],
    "tv": ["on", "volume"],
    "fan": ["on", "fan-level"],
    "humidifier": ["on", "target-humidity"],
}


@pytest.mark.parametrize(("category", "names"), EXPECTED.items(), ids=EXPECTED)
def test_a_kind_can_do_what_is_expected_of_it(category, names):
    spec = kinds()[category].spec("x")

    for name in names:
        assert resolve(spec, name).name == name


def test_every_kind_is_expected_and_lives_in_the_shipped_home():
    assert set(kinds()) == set(EXPECTED)
    assert {device.kind.category for device in default_home().devices} == set(EXPECTED)


@pytest.mark.parametrize("category", EXPECTED)
def test_no_name_of_a_kind_is_ambiguous_and_every_first_value_fits(category):
    kind = kinds()[category]
    listed = [each.spec.name for each in kind.properties() if each.listed]

    assert len(set(listed)) == len(listed)
    for each in kind.properties():
        assert misfit(each.spec, each.initial) is None


@pytest.mark.parametrize("category", EXPECTED)
def test_the_printed_form_is_that_of_the_specification(category):
    kind = kinds()[category]
    form = json.loads(json.dumps(printed(kind), ensure_ascii=False))

    urn = re.compile(r"urn:miot-spec-v2:\w+:[a-z0-9-]+:[0-9A-F]{8}:[a-z0-9-]+:1")
    assert urn.fullmatch(form["type"])
    assert form["description"] == kind.title
    for service in form["services"]:
        assert urn.fullmatch(service["type"])
        piids = {each["iid"] for each in service.get("properties", [])}
        for prop in service.get("properties", []):
            assert urn.fullmatch(prop["type"])
            assert prop["format"] in {"bool", "uint8", "uint16", "float", "string"}
            assert set(prop["access"]) <= {"read", "write", "notify"}
            assert len(prop.get("value-range", [1, 2, 3])) == 3
            assert all(set(each) == {"value", "description"} for each in prop.get("value-list", []))
        for action in service.get("actions", []):
            assert set(action["in"]) <= piids
            assert action["out"] == []
        for event in service.get("events", []):
            assert set(event["arguments"]) <= piids


def test_the_printed_form_of_a_light_in_full():
    form = printed(kinds()["light"])

    assert form["type"] == "urn:miot-spec-v2:device:light:0000A001:zhixing-light-v1:1"
    (service,) = form["services"]
    assert service["iid"] == 2
    assert service["properties"][1] == {
        "iid": 2,
        "type": "urn:miot-spec-v2:property:brightness:00000000:zhixing-light-v1:1",
        "description": "brightness",
        "format": "uint8",
        "access": ["read", "write", "notify"],
        "unit": "%",
        "value-range": [1, 100, 1],
    }
    assert service["properties"][3]["value-list"][4] == {"value": 4, "description": "阅读"}
    assert service["actions"] == [
        {
            "iid": 1,
            "type": "urn:miot-spec-v2:action:toggle:00000000:zhixing-light-v1:1",
            "description": "toggle",
            "in": [],
            "out": [],
        }
    ]


def test_words_to_be_read_out_are_printed_as_an_argument_without_access():
    form = printed(kinds()["speaker"])

    speech = form["services"][2]
    assert speech["properties"][0]["access"] == []
    assert speech["actions"][0]["in"] == [1]
