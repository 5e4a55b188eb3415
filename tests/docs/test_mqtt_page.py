"""What the page about MQTT shows is so."""

from __future__ import annotations

import re
from pathlib import Path

from zhixing.faces.mqtt.bridge import reader_of
from zhixing.kernel.moments import parse_instant
from zhixing.settings import load
from zhixing.settings.mqtt import appliance_of
from zhixing.world.mqtt.said import Judged
from zhixing.world.perception.verdict import Value

PAGE = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text(encoding="utf-8")
NOW = parse_instant("2026-10-12T20:00:00+08:00")


def settings(folder):
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (folder / "config.toml").write_text(example, encoding="utf-8")
    return load(folder, {}).settings


def test_the_example_can_be_used_as_it_stands(tmp_path):
    found = settings(tmp_path)
    assert found.mqtt.facts["door"].condition == "大门开着"
    assert found.channels["tablet"].goes_through == "mqtt"
    lamp = appliance_of("desk_lamp", found.mqtt.devices["desk_lamp"])
    assert [each.name for each in lamp.spec().properties] == ["on", "brightness"]


def test_the_messages_it_shows_say_what_it_says(tmp_path):
    reader = reader_of(settings(tmp_path).mqtt)
    shown = [
        ("zhixing/verdict/cam_entrance", *re.findall(r'`(\{"condition": "有人按门铃", "value": true\})`', PAGE)),
        ("zhixing/verdict/cam_entrance", *re.findall(r'`(\{"condition": "有人按门铃", [^`]*"event"[^`]*)`', PAGE)),
        ("zigbee2mqtt/door", *re.findall(r'(\{"contact": false\})', PAGE)),
    ]
    for topic, payload in shown:
        (said,) = reader.read(topic, payload.encode(), retained=False, now=NOW)
        assert isinstance(said, Judged)
        assert said.verdict.value is Value.TRUE


def test_it_names_the_topics_that_are_listened_to(tmp_path):
    named = set(re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE))
    wanted = {
        each.replace("/+", "/SOURCE").replace("/front/", "/CAMERA/")
        for each in reader_of(settings(tmp_path).mqtt).filters
        if not each.startswith("zigbee2mqtt") and each != "frigate/available"
    }
    assert wanted <= named
