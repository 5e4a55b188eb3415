"""The home at the command line: what is in it, and the hands and eyes of whoever tries it out."""

from __future__ import annotations

from datetime import timedelta

import pytest


def test_the_home_is_shown_room_by_room_with_what_reads_now(terminal):
    lines = terminal("home", "show").lines
    assert lines[0].startswith("住在这里：")
    headings = [line for line in lines[1:] if not line.startswith(" ")]
    assert headings == ["客厅", "玄关", "主卧", "儿童房", "书房", "厨房", "阳台"]
    assert any(line.split()[:2] == ["light_living", "客厅吸顶灯"] and "on=false" in line for line in lines)
    assert any(line.split()[:2] == ["cam_balcony", "阳台摄像头"] and line.endswith("不在线") for line in lines)


def test_one_room_is_shown_without_the_others(terminal):
    lines = terminal("home", "show", "--room", "厨房").lines
    assert lines[0] == "厨房"
    assert all(line.startswith(("  switch_kitchen", "  plug_kitchen")) for line in lines[1:])


def test_programs_get_the_whole_home(terminal):
    told = terminal("home", "show", "--json").json
    assert set(told) == {"rooms", "people", "cameras", "devices"}
    light = next(one for one in told["devices"] if one["did"] == "light_living")
    on = next(one for one in light["properties"] if one["name"] == "on")
    assert (on["value"], on["problem"], on["writable"]) == (False, None, True)


@pytest.mark.parametrize(
    ("device", "prop", "value", "reads"),
    [
        ("light_living", "on", "true", "on=true"),
        ("客厅吸顶灯", "prop.on", "开", "on=true"),
        ("light_living", "prop.2.1", "1", "on=true"),
        ("ac_living", "target-temperature", "24.5", "target-temperature=24.5℃"),
        ("ac_living", "prop.2.2", "制热", "mode=制热"),
        # What only the weather can change, too.
        ("climate_living", "temperature", "31", "temperature=31℃"),
    ],
)
def test_a_value_is_changed_as_hands_would(terminal, device, prop, value, reads):
    assert terminal("home", "set", device, prop, value).code == 0
    shown = "\n".join(terminal("home", "show").lines)
    assert reads in shown


def test_what_happened_is_kept_in_order_and_survives_the_process(terminal):
    terminal("home", "set", "light_living", "on", "true")
    terminal.clock.advance(timedelta(minutes=5))
    terminal("home", "set", "curtain_living", "target-position", "0")
    assert terminal("home", "log").lines == [
        "今天（10月12日 周一） 10:00  人  客厅吸顶灯  on true",
        "今天（10月12日 周一） 10:05  人  客厅窗帘    target-position 0",
    ]
    assert len(terminal("home", "log", "--device", "客厅窗帘").lines) == 1
    (first, _) = terminal("home", "log", "--json").json["log"]
    assert (first["at"], first["did"], first["values"], first["by"]) == (
        "2026-10-12T10:00:00+08:00",
        "light_living",
        [True],
        "person",
    )


def test_an_empty_log_says_so(terminal):
    assert terminal("home", "log").lines == ["还没有发生过什么。"]


def test_a_camera_is_let_judge_and_not(terminal):
    assert terminal("home", "camera", "书房摄像头", "on").lines == ["已启用：书房摄像头"]
    assert terminal("home", "camera", "cam_study", "off").lines == ["已停用：书房摄像头"]
    assert terminal("home", "camera", "cam_study", "off", "--json").json["inUse"] is False


def test_a_button_is_pressed_as_a_person_would(terminal):
    pressed = terminal("home", "press", "床头无线开关")
    assert pressed.code == 0
    assert "床头无线开关：click" in pressed.out
    assert terminal("home", "press", "button_bedside", "double-click", "--json").json["iid"] == "event.2.2"
    assert "event.2.1" in terminal("home", "log", "--device", "button_bedside", "--json").out


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("press", "button_bedside", "clik"), "「clik」"),
        (("press", "light_living"), "click"),
        (("press", "buton"), "没有「buton」这个设备"),
        (("set", "light_livng", "on", "true"), "没有「light_livng」这个设备，可用的有 light_living"),
        (("set", "light_living", "brightnes", "3"), "设备 light_living 没有「brightnes」，可用的有 prop.brightness"),
        (("set", "light_living", "brightness", "101"), "「brightness」的值超出范围"),
        (("set", "light_living", "brightness", "abc"), "「brightness」的值要写整数"),
        (("set", "light_living", "on", "maybe"), "「on」的值要写 true 或 false"),
        (("set", "light_living", "on", ""), "「on」的值要写 true 或 false"),
        (("set", "speaker_living", "action.play-text", "x"), "是动作，不是属性"),
        (("set", "light_living", "brightness", "1" * 500), "「brightness」的值要写整数"),
        (("set", "light_living", "brightness", "nan"), "「brightness」的值要写整数"),
        (("camera", "cam_balcony", "on"), "「阳台摄像头」不在线，现在不能启用。"),
        (("camera", "cam_garden", "on"), "没有编号为「cam_garden」的摄像头"),
        (("camera", "cam_study", "maybe"), "USE 不能是「maybe」，可用：on、off。"),
        (("log", "--limit", "0"), "--limit 应在 1 到 500 之间，现在是 0。"),
        (("log", "--device", "sofa"), "没有「sofa」这个设备"),
    ],
)
def test_what_does_not_exist_or_fit_is_told_in_one_line(terminal, argv, line):
    assert line in terminal.refused("home", *argv)


def test_a_group_that_was_mistyped_is_named(terminal):
    assert terminal.refused("home", "shwo", code=2) == "没有「shwo」这个命令，是不是：zhixing home show"
    assert terminal.refused("devices", code=2) == "没有「devices」这个命令，是不是：zhixing home"
