"""What an entity can do, whatever it says of itself."""

from __future__ import annotations

from itertools import product

import pytest

from zhixing.world.devices.names import misfit
from zhixing.world.homeassistant.kinds import DOMAINS, is_shown, kind_of
from zhixing.world.homeassistant.members import LONGEST_NAME, Kind, Surroundings
from zhixing.world.homeassistant.wire import Entry, State

SPEAKING = Surroundings("tts.home")
ATTRIBUTES = (
    *("available_modes", "battery_level", "brightness", "color_temp_kelvin", "current_humidity", "current_position"),
    *("current_temperature", "device_class", "effect", "effect_list", "fan_mode", "fan_modes", "humidity"),
    *("hvac_modes", "is_volume_muted", "max_color_temp_kelvin", "max_humidity", "max_temp", "min_color_temp_kelvin"),
    *("min_humidity", "min_temp", "mode", "oscillating", "percentage", "percentage_step", "preset_mode"),
    *("preset_modes", "source", "source_list", "state_class", "supported_color_modes", "swing_mode", "swing_modes"),
    *("target_temp_step", "temperature", "unit_of_measurement", "volume_level"),
)
GARBAGE = [
    None,
    True,
    -1,
    0,
    10**400,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "乱\n写\x00" * 500,
    [],
    {},
    [None, 5, [], ""],
    ["长" * 999, "eco", "off", "color_temp", "cool", "a", "b", "eco"],
    [str(number) for number in range(500)],
]


def kind(entity_id: str, state: str = "on", **attributes: object) -> Kind:
    found = kind_of(State(entity_id, state, attributes), SPEAKING)
    assert found is not None
    return found


@pytest.mark.parametrize("domain", DOMAINS)
def test_nonsense_is_only_less(domain):
    for garbage, features in product(GARBAGE, (0, 2**31 - 1, -1, "all", 10**400)):
        attributes = dict.fromkeys(ATTRIBUTES, garbage) | {"supported_features": features}
        check(State(f"{domain}.x", "on", attributes))
    for low, high in ((0, 1e308), (-5, 5), (5, 5), (9, 1), (0.1, 0.2)):
        bounds = {name: low if name.startswith("min") else high for name in ATTRIBUTES}
        check(State(f"{domain}.x", "on", bounds | {"supported_features": -1, "supported_color_modes": ["color_temp"]}))


def check(state: State) -> None:
    found = kind_of(state, SPEAKING)
    spec = found.spec("x")
    for each in found.properties:
        if each.read is not None:
            value = each.read(state)
            assert value is None or (misfit(each.spec, value) or ("",))[0] != "wrong_type"
    for each in spec.properties:
        assert len(each.unit) <= LONGEST_NAME
        assert each.low is None or each.low < each.high
        assert each.step is None or each.step > 0
        assert all(len(name) <= LONGEST_NAME and name.isprintable() for _, name in each.choices)
    iids = [each.iid for each in (*spec.properties, *spec.actions)]
    assert len(set(iids)) == len(iids)


@pytest.mark.parametrize(
    ("found", "category"),
    [
        (kind("cover.a", device_class="curtain"), "curtain"),
        (kind("cover.a", device_class="garage"), "door"),
        (kind("switch.a", device_class="outlet"), "plug"),
        (kind("switch.a"), "switch"),
        (kind("media_player.a", device_class="tv"), "tv"),
        (kind("media_player.a"), "speaker"),
        (kind("binary_sensor.a", device_class="window"), "contact-sensor"),
        (kind("binary_sensor.a", device_class="occupancy"), "motion-sensor"),
        (kind("binary_sensor.a", device_class="garage_door"), "contact-sensor"),
        (kind("binary_sensor.a", device_class="smoke"), "smoke-sensor"),
        (kind("binary_sensor.a"), "binary-sensor"),
        (kind("sensor.a", device_class="humidity", unit_of_measurement="%"), "temperature-humidity-sensor"),
        (kind("sensor.a", device_class="carbon_dioxide", unit_of_measurement="ppm"), "carbon-dioxide-sensor"),
        (kind("sensor.a"), "sensor"),
        (kind("input_boolean.a"), "switch"),
        (kind("event.a"), "button"),
    ],
)
def test_the_category_follows_the_class(found, category):
    assert found.category == category


def test_what_is_not_of_the_house_is_left_alone():
    for entity_id in ("automation.a", "update.a", "sun.sun", "camera.a", "person.a", "number.a", "nodot"):
        assert kind_of(State(entity_id, "on"), SPEAKING) is None


def test_a_lamp_that_cannot_be_dimmed_has_no_brightness():
    plain = kind("light.a", supported_color_modes=["onoff"])
    assert [each.spec.name for each in plain.properties] == ["on"]


def test_a_curtain_that_knows_no_position_is_only_opened_and_closed():
    blind = kind("cover.a", "open", supported_features=3)
    assert [each.spec.name for each in blind.properties] == ["motor-control", "on"]
    assert dict(blind.property("prop.2.1").spec.choices) == {0: "打开", 1: "关闭"}


def test_a_thermostat_without_a_switch_is_turned_on_by_its_mode():
    found = kind("climate.a", "off", hvac_modes=["off", "heat"], min_temp=5, max_temp=30, supported_features=1)
    on = found.property("prop.2.1")
    assert on.write(True).data == {"hvac_mode": "heat"}
    assert on.write(False).data == {"hvac_mode": "off"}
    assert found.actions == ()


def test_a_thermostat_that_goes_high_counts_in_fahrenheit():
    found = kind("climate.a", hvac_modes=["off", "heat"], min_temp=45, max_temp=95, supported_features=1)
    assert found.property("prop.2.3").spec.unit == "℉"


def test_a_speaker_speaks_only_where_there_is_a_voice():
    state = State("media_player.a", "idle", {"supported_features": 512})
    call = kind_of(state, SPEAKING).action("action.5.1").call(["水开了"])
    assert (call.domain, call.service, call.target) == ("tts", "speak", "tts.home")
    assert call.data == {"media_player_entity_id": "media_player.a", "message": "水开了"}
    assert kind_of(state, Surroundings()).action("action.5.1") is None


@pytest.mark.parametrize(("state", "value"), [("23.5", 23.5), ("-4", -4.0), ("nan", None), ("很多", None)])
def test_a_sensor_with_a_unit_is_a_number(state, value):
    found = kind("sensor.a", state, unit_of_measurement="°C", device_class="temperature")
    assert found.property("prop.2.1").read(State("sensor.a", state)) == value


def test_a_sensor_that_tells_an_instant_is_a_text():
    assert kind("sensor.a", "x", device_class="timestamp").property("prop.2.1").spec.format == "string"


def test_what_is_there_to_set_up_or_mend_a_device_is_not_shown():
    assert is_shown(None)
    assert is_shown(Entry("light.a"))
    assert not is_shown(Entry("light.a", hidden_by="user"))
    assert not is_shown(Entry("sensor.a", entity_category="diagnostic"))
