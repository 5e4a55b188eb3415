from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.errors import BadInput, NotFound
from zhixing.world.devices.kinds import kinds
from zhixing.world.devices.names import check_value, find_device, misfit, parse_value, resolve, settled
from zhixing.world.devices.port import ActionSpec, Device, DeviceSpec, PropertySpec

LIGHT = kinds()["light"].spec("light_living")
CURTAIN = kinds()["curtain"].spec("curtain_living")
SPEAKER = kinds()["speaker"].spec("speaker_living")
AC = kinds()["air-conditioner"].spec("ac_living")


def switch(iid: str, name: str = "on") -> PropertySpec:
    return PropertySpec(iid, name, "bool", readable=True, writable=True)


TWO_GANGS = DeviceSpec("wall", (switch("prop.2.1"), switch("prop.3.1")), ())
DEVICES = (
    Device("light_living", "吸顶灯", "客厅", "light", "m", online=True),
    Device("light_bedroom", "吸顶灯", "主卧", "light", "m", online=True),
    Device("lamp_study", "台灯", "书房", "light", "m", online=False),
)


@pytest.mark.parametrize(
    ("spec", "text", "iid"),
    [
        (LIGHT, "prop.2.1", "prop.2.1"),
        (LIGHT, "prop.on", "prop.2.1"),
        (LIGHT, "on", "prop.2.1"),
        (LIGHT, " On ", "prop.2.1"),
        (LIGHT, "prop.color-temperature", "prop.2.3"),
        (LIGHT, "prop.color_temperature", "prop.2.3"),
        (LIGHT, "PROP.Color_Temperature", "prop.2.3"),
        (LIGHT, "action.toggle", "action.2.1"),
        (LIGHT, "toggle", "action.2.1"),
        (CURTAIN, "prop.on", "prop.2.4"),
        (CURTAIN, "target-position", "prop.2.3"),
        (SPEAKER, "action.5.1", "action.5.1"),
        (SPEAKER, "action.play-text", "action.5.1"),
        (SPEAKER, "play_text", "action.5.1"),
        (TWO_GANGS, "prop.3.1", "prop.3.1"),
        (DeviceSpec("ha", (switch("prop.2.1", "Main_Power"),), ()), "main-power", "prop.2.1"),
    ],
)
def test_what_a_device_can_do_is_found_by_number_and_by_name(spec, text, iid):
    assert resolve(spec, text).iid == iid


@pytest.mark.parametrize(
    ("spec", "text", "known"),
    [
        (LIGHT, "prop.X", "prop.on、prop.brightness、prop.color-temperature、prop.mode。"),
        (LIGHT, "prop.brightnes", "prop.brightness。"),
        (LIGHT, "prop.colour-temperature", "prop.color-temperature。"),
        (LIGHT, "prop.toggle", "可用的有 action.toggle。"),
        (LIGHT, "action.on", "可用的有 prop.on。"),
        (LIGHT, "action.of", "可用的有 action.toggle。"),
        (LIGHT, "prop.9.9", "prop.on"),
        (LIGHT, "prop.", "prop.on"),
        (LIGHT, "", "prop.on"),
        (kinds()["button"].spec("button"), "action.click", "可用的有 prop.battery-level。"),
        (SPEAKER, "action.play-texts", "action.play-text"),
        (SPEAKER, "action.6.1", "action.play、"),
        (SPEAKER, "prop.play-text", "可用的有 action.play-text。"),
    ],
)
def test_a_name_that_is_not_there_is_refused_with_the_nearest_that_are(spec, text, known):
    with pytest.raises(BadInput) as caught:
        resolve(spec, text)

    assert caught.value.key == "capability_unknown"
    assert known in str(caught.value)
    assert spec.did in str(caught.value)


def test_a_name_of_several_properties_is_never_guessed_at():
    with pytest.raises(BadInput, match=r"请写编号：prop\.2\.1、prop\.3\.1"):
        resolve(TWO_GANGS, "prop.on")


def test_a_device_without_anything_to_control_says_so():
    with pytest.raises(BadInput, match="也没有别的可以控制"):
        resolve(DeviceSpec("stone", (), ()), "action.click")


def test_a_property_that_only_actions_take_is_no_property():
    with pytest.raises(BadInput):
        resolve(SPEAKER, "prop.text-content")


def test_what_was_asked_for_is_quoted_short_and_on_one_line():
    with pytest.raises(BadInput) as caught:
        resolve(LIGHT, "prop.\n" + "x" * 10_000)

    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@given(st.text(max_size=80))
def test_any_text_is_found_or_refused(text):
    with suppress(BadInput):
        assert isinstance(resolve(SPEAKER, text), PropertySpec | ActionSpec)


@pytest.mark.parametrize(
    ("spec", "name", "value", "level"),
    [
        (LIGHT, "on", True, True),
        (LIGHT, "brightness", 35, 35),
        (LIGHT, "brightness", 35.0, 35),
        (LIGHT, "mode", 4, 4),
        (LIGHT, "mode", "阅读", 4),
        (AC, "mode", "制冷", 1),
        (AC, "target-temperature", 26, 26.0),
        (AC, "target-temperature", 26.5, 26.5),
        (CURTAIN, "motor-control", 0, 0),
    ],
)
def test_a_value_that_fits_becomes_what_the_property_holds(spec, name, value, level):
    checked = check_value(resolve(spec, name), value)

    assert checked == level
    assert type(checked) is type(level)


@pytest.mark.parametrize(
    ("spec", "name", "value", "said"),
    [
        (LIGHT, "on", 1, "true 或 false"),
        (LIGHT, "on", "true", "true 或 false"),
        (LIGHT, "on", None, "true 或 false"),
        (LIGHT, "on", [True], "true 或 false"),
        (LIGHT, "brightness", True, "整数"),
        (LIGHT, "brightness", 35.5, "整数"),
        (LIGHT, "brightness", "35", "整数"),
        (LIGHT, "brightness", 0, "1–100/1 %"),
        (LIGHT, "brightness", 2**60, "整数"),
        (LIGHT, "brightness", float("inf"), "整数"),
        (LIGHT, "mode", 6, "5 观影"),
        (LIGHT, "mode", "蹦迪", "整数"),
        (AC, "target-temperature", 26.3, "16–31/0.5 ℃"),
        (AC, "target-temperature", float("nan"), "数字"),
        (AC, "target-temperature", 31.5, "16–31/0.5 ℃"),
        (AC, "temperature", 26.0, "只能读"),
        (CURTAIN, "current-position", 10, "只能读"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_what_would(spec, name, value, said):
    with pytest.raises(BadInput, match=said):
        check_value(resolve(spec, name), value)


@pytest.mark.parametrize(
    ("spec", "name", "text", "level"),
    [
        (LIGHT, "on", "true", True),
        (LIGHT, "on", " OFF ", False),
        (LIGHT, "on", "开", True),
        (LIGHT, "on", "0", False),
        (LIGHT, "brightness", "35", 35),
        (LIGHT, "mode", "阅读", 4),
        (AC, "target-temperature", "26", 26.0),
    ],
)
def test_a_value_is_read_as_it_is_typed(spec, name, text, level):
    assert parse_value(resolve(spec, name), text) == level


@pytest.mark.parametrize(
    ("name", "text"), [("on", "maybe"), ("on", ""), ("brightness", "35%"), ("brightness", "9" * 5_000)]
)
def test_a_value_that_cannot_be_read_is_refused(name, text):
    with pytest.raises(BadInput):
        parse_value(resolve(LIGHT, name), text)


def test_the_words_of_an_action_are_taken_as_they_are():
    (argument,) = resolve(SPEAKER, "play-text").arguments

    assert check_value(argument, "true") == "true"
    assert parse_value(argument, "35") == "35"


@given(st.sampled_from([*LIGHT.properties, *AC.properties, *CURTAIN.properties]), st.integers() | st.floats())
def test_whatever_number_fits_is_within_range_and_stays_itself(spec, value):
    if misfit(spec, value) is None:
        level = settled(spec, value)
        assert level == value
        assert spec.low is None or spec.low <= level <= spec.high
        assert misfit(spec, level) is None


def test_every_step_of_a_range_fits_and_what_is_between_does_not():
    spec = resolve(AC, "target-temperature")
    for half_degrees in range(32, 63):
        assert misfit(spec, half_degrees / 2) is None
        assert misfit(spec, half_degrees / 2 + 0.2) is not None


@pytest.mark.parametrize(
    ("text", "did"),
    [
        ("light_living", "light_living"),
        ("台灯", "lamp_study"),
        (" 台灯 ", "lamp_study"),
        ("客厅吸顶灯", "light_living"),
        ("主卧 吸顶灯", "light_bedroom"),
    ],
)
def test_a_device_is_found_by_id_by_name_and_by_room_and_name(text, did):
    assert find_device(DEVICES, text).did == did


def test_a_name_of_several_devices_asks_for_the_id():
    with pytest.raises(BadInput, match="light_living（客厅）、light_bedroom（主卧）"):
        find_device(DEVICES, "吸顶灯")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("light_livin", "light_living（吸顶灯）"),
        ("书房台灯灯", "lamp_study（台灯）"),
        ("冰箱", "light_living（吸顶灯）、"),
    ],
)
def test_a_device_that_is_not_there_is_refused_with_the_nearest(text, known):
    with pytest.raises(NotFound) as caught:
        find_device(DEVICES, text)

    assert known in str(caught.value)


def test_a_home_without_devices_says_so():
    with pytest.raises(NotFound, match="一个也没有"):
        find_device([], "灯")
