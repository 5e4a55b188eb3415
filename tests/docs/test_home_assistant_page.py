"""docs/home-assistant.md says what the hub does: its settings are read, its table is that of the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from zhixing.settings.homeassistant import facts_of
from zhixing.settings.model import Settings
from zhixing.world.homeassistant.facts import judged, moment_on_bus
from zhixing.world.homeassistant.kinds import DOMAINS, kind_of
from zhixing.world.homeassistant.link import Patience
from zhixing.world.homeassistant.members import Surroundings
from zhixing.world.homeassistant.movers import CURTAIN_SECONDS
from zhixing.world.homeassistant.wire import Context, Happened, State
from zhixing.world.perception.verdict import Value

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/home-assistant.md").read_text(encoding="utf-8")
ROWS = {
    domain: (categories, members)
    for domain, categories, members in re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|", PAGE, re.MULTILINE)
}
EVERYTHING = {
    "supported_features": 2**31 - 1,
    "supported_color_modes": ["color_temp"],
    "min_color_temp_kelvin": 2700,
    "max_color_temp_kelvin": 6500,
    "effect_list": ["a"],
    "percentage_step": 25,
    "preset_modes": ["none", "eco"],
    "hvac_modes": ["off", "cool"],
    "min_temp": 16,
    "max_temp": 31,
    "fan_modes": ["a"],
    "swing_modes": ["off", "vertical"],
    "min_humidity": 30,
    "max_humidity": 80,
    "available_modes": ["a"],
    "battery_level": 5,
}
CLASSES = {"outlet", "garage", "dehumidifier", "tv", "temperature", "door", "motion", ""}


def settings() -> Settings:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return Settings.model_validate(tomllib.loads(text))


def test_the_settings_it_shows_are_read():
    facts = {fact.condition: fact for fact in facts_of(settings().homeassistant)}
    assert judged(facts["大门开着"], State("binary_sensor.front_door", "on")) is Value.TRUE
    assert judged(facts["客厅太热"], State("sensor.living_room_temperature", "27.9")) is Value.FALSE
    assert judged(facts["妈妈不在家"], State("person.mom", "unavailable")) is Value.UNKNOWN
    assert facts["按了床头按钮"].is_moment
    event = Happened("zha_event", context=Context("c"))
    assert moment_on_bus(facts["按了遥控器的开"], event, {"command": "on"})
    assert settings().homeassistant.notify_services == ("mobile_app_phone",)


def test_the_table_has_every_domain():
    assert set(ROWS) == set(DOMAINS)


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_row_says_which_categories_and_members_there_are(domain):
    categories, members = ROWS[domain]
    made = [
        kind_of(State(f"{domain}.x", "on", {**EVERYTHING, "device_class": each}), Surroundings("tts.x"))
        for each in CLASSES
    ]
    named = set(re.split(r", ", categories))
    assert named - {"…"} <= {each.category for each in made}
    if "…" not in named:
        assert {each.category for each in made} == named
    listed = set(re.findall(r"`([\w-]+)`", members))
    have = {one.spec.name for each in made for one in (*each.properties, *each.actions)}
    assert listed <= have


def test_the_numbers_are_those_of_the_code():
    patience = Patience()
    assert f"within {patience.answer:.0f} seconds" in PAGE
    assert f"after {patience.first_pause:.0f} second, then" in PAGE
    assert f"up to {patience.longest_pause:.0f} seconds" in PAGE
    assert f"for {CURTAIN_SECONDS:.0f} seconds" in PAGE


def test_the_release_is_the_one_that_is_tested():
    wanted = (ROOT / "bench/ha-requirements.txt").read_text()
    (release,) = re.findall(r"^homeassistant==(\d+\.\d+)", wanted, re.MULTILINE)
    assert f"release {release} is" in PAGE
