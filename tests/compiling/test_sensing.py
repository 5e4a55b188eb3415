"""Tasks of one home for hubs whose devices are of other models than those the task was made with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from tests.compiling.lived import Both
from tests.compiling.plans import BUTTON, DOOR, MOTION, ON, WARM, rule, state, task

from zhixing.compiling.model import Compiled, Deed, Site, deed_of
from zhixing.compiling.reading import Course, rule_piece
from zhixing.compiling.trying import tried
from zhixing.graphs.building.builder import Builder
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import DeviceEvent, Line, Property, PropertyReport, Script, Signal
from zhixing.graphs.specs.jsontext import read_json
from zhixing.graphs.specs.packaged import samples
from zhixing.graphs.specs.reading import spec_of
from zhixing.kernel.moments import zone

Change = Callable[[dict[str, Any]], None]
LIT: Deed = ("light_living", 2, 1, (True,))
DARK: Deed = ("light_living", 2, 1, (False,))


def sample(name: str, change: Change = lambda _: None) -> Any:
    """Give a specification that comes with the package, changed in its JSON."""
    file = files("zhixing.graphs.specs").joinpath("samples", f"{name}.json")
    document = json.loads(file.read_text(encoding="utf-8"))
    change(document)
    return spec_of(read_json(json.dumps(document).encode()))


def site(both: Both, models: Mapping[str, Any] | None = None, **changed: Any) -> Site:
    """Give the home with some devices of other models, by did."""
    home = both.app.graphs.home()
    devices, specs = dict(home.devices or {}), dict(home.specs)
    for did, spec in (models or {}).items():
        devices[did] = replace(devices[did], urn=str(spec.urn))
        specs[str(spec.urn)] = spec
    hub = both.app.hub
    known = tuple(hub.devices())
    cameras = {each.did: each.name for each in hub.cameras()}
    found = Site(
        replace(home, devices=devices, specs=specs),
        both.zone,
        known,
        {one.did: hub.spec(one.did) for one in known},
        cameras,
    )
    return replace(found, **changed)


def codes(found: Compiled) -> list[str]:
    return [each.code for each in found.left]


def ran(found: Compiled, *signals: Signal) -> list[Deed]:
    """Give what the rule does when these arrive, a minute apart."""
    assert found.rule is not None, codes(found)
    lines = tuple(Line(60_000 * number, each) for number, each in enumerate(signals, start=1))
    script = Script(until_ms=60_000 * (len(signals) + 2), lines=lines)
    return [deed_of(each) for each in simulate(found.rule, script).outputs]


def test_a_contact_whose_values_mean_nothing_known_goes_by_its_events(both):
    place = site(both, {DOOR: samples()["contact_sensor"]})
    found = both.of(task(state("大门开着", DOOR, debounce=0)), place)
    close, opened = DeviceEvent(DOOR, 2, 1, {}), DeviceEvent(DOOR, 2, 2, {})
    assert codes(found) == []
    assert ran(found, close, opened, opened, close) == [LIT, DARK]
    assert "flip" in {each.code for each in found.remarks}


def test_a_contact_without_such_events_is_not_guessed(both):
    def without_events(document: dict[str, Any]) -> None:
        document["services"][1]["events"] = []

    place = site(both, {DOOR: sample("contact_sensor", without_events)})
    assert codes(both.of(task(rule("大门开着", DOOR, action=ON)), place)) == ["polarity"]


def test_a_contact_that_names_its_values_goes_by_them(both):
    def named(document: dict[str, Any]) -> None:
        contact = document["services"][1]["properties"][0]
        contact["format"] = "uint8"
        contact["value-list"] = [{"value": 1, "description": "打开"}, {"value": 2, "description": "关闭"}]

    place = site(both, {DOOR: sample("contact_sensor", named)})
    found = both.of(task(rule("大门关着", DOOR, action=ON)), place)
    shows = [PropertyReport(Property(DOOR, 2, 5), value) for value in (1, 2, 1, 2)]
    assert ran(found, *shows) == [LIT, LIT]


@pytest.mark.parametrize(("words", "given"), [("玄关有人", [LIT]), ("玄关没人", [LIT, LIT])])
def test_presence_with_several_values_is_nobody_or_any_other(both, words, given):
    place = site(both, {MOTION: samples()["occupancy_sensor"]})
    found = both.of(task(rule(words, MOTION, action=ON)), place)
    shows = [PropertyReport(Property(MOTION, 2, 1), value) for value in (0, 1, 3, 0)]
    assert ran(found, *shows) == given


def test_a_property_that_never_reports_cannot_start_a_rule(both):
    def silent(document: dict[str, Any]) -> None:
        for each in document["services"][1]["properties"]:
            each["access"] = ["read"]

    place = site(both, {WARM: sample("climate_sensor", silent)})
    assert codes(both.of(task(rule("温度高于28度", WARM, action=ON)), place)) == ["silent"]


def test_a_button_goes_by_the_numbers_of_its_own_model(both):
    place = site(both, {BUTTON: samples()["remote_single"]})
    found = both.of(task(rule("双击床头按钮", BUTTON, action=ON)), place)
    assert ran(found, DeviceEvent(BUTTON, 3, 1012, {}), DeviceEvent(BUTTON, 3, 1013, {})) == [LIT]


def test_a_command_whose_number_is_something_else_on_the_hub_is_left(both):
    def renamed(document: dict[str, Any]) -> None:
        light = next(each for each in document["services"] if each["iid"] == 2)
        light["properties"][0]["type"] = light["properties"][0]["type"].replace(":on:", ":flex-switch:")

    place = site(both, {"light_living": sample("light", renamed)})
    assert codes(both.of(task(rule("大门开着", DOOR, action=ON)), place)) == ["member_differs"]


def test_what_the_strict_checks_refuse_is_left_with_their_words(both):
    def narrow(document: dict[str, Any]) -> None:
        for service in document["services"]:
            for each in service.get("properties", ()):
                if ":brightness:" in each["type"]:
                    each["value-range"] = [1, 50, 1]

    place = site(both, {"light_living": sample("light", narrow)})
    plan = task(rule("大门开着", DOOR, action={"did": "light_living", "iid": "prop.brightness", "value": 80}))
    found = both.of(plan, place)
    assert found.rule is None
    assert [each.text() for each in found.left] == [
        "规则「规则」：中枢不接受：设备「客厅吸顶灯」的「亮度 2.2」不能写 80。可取：1, 2 … 50"
    ]


def test_a_hub_without_the_devices_runs_nothing(both):
    place = site(both)
    empty = replace(place, home=replace(place.home, devices={}))
    assert codes(both.of(task(rule("大门开着", DOOR, action=ON)), empty)) == ["source_elsewhere"]


def test_a_hub_with_the_sensor_and_not_the_lamp_says_so(both):
    place = site(both)
    devices = {did: each for did, each in (place.home.devices or {}).items() if did != "light_living"}
    fewer = replace(place, home=replace(place.home, devices=devices))
    found = both.of(task(rule("大门开着", DOOR, action=ON)), fewer)
    assert [each.text() for each in found.left] == ["规则「规则」的触发动作：客厅吸顶灯 prop.2.1 的设备不在这个中枢里"]


def test_quiet_hours_of_another_zone_are_left(both):
    place = site(both, zone="Europe/Berlin")
    quiet = task(rule("大门开着", DOOR, action=ON, quiet=["22:00-06:00"]))
    assert codes(both.of(quiet, place)) == ["zone"]


def test_a_trial_tells_a_graph_that_does_something_else(both):
    slug = both.apply(task(rule("大门开着", DOOR, name="试跑", action=ON), slug="trial"))
    piece = rule_piece(both.app.household.get(slug).rules[0], Course(site(both)))
    assert piece is not None
    builder = Builder("1764550800001")
    piece.build(builder)
    tz, now = zone(both.zone), both.clock.now()
    assert tried(piece, builder.rule("试跑", 1), tz, now).passed
    assert not tried(piece, Builder("1764550800001").rule("空", 1), tz, now).passed
