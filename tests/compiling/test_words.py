"""Which conditions in words a sensor can tell."""

from __future__ import annotations

import pytest

from zhixing.compiling.words import Bound, Happens, Holds, read_condition
from zhixing.graphs.specs.meanings import Happening, Meaning

NAMES = ("入户门门磁", "玄关")
OPEN, CLOSED = Holds(Meaning.CONTACT, wanted=True), Holds(Meaning.CONTACT, wanted=False)
SOMEBODY, NOBODY = Holds(Meaning.MOTION, wanted=True), Holds(Meaning.MOTION, wanted=False)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("大门开着", OPEN),
        ("入户门打开了", OPEN),
        ("玄关的门没关好", OPEN),
        ("门被打开", OPEN),
        ("大门关着。", CLOSED),
        ("窗户没有打开", CLOSED),
        ("门没开", CLOSED),
        ("玄关有人经过", SOMEBODY),
        ("有动静", SOMEBODY),
        ("玄关没人", NOBODY),
        ("玄关无人移动", NOBODY),
        ("温度高于 28 度", Bound(Meaning.TEMPERATURE, ">", 28)),
        ("室内温度超过二十八度", Bound(Meaning.TEMPERATURE, ">", 28)),
        ("温度不低于26.5℃", Bound(Meaning.TEMPERATURE, ">=", 26.5)),
        ("湿度低于40%", Bound(Meaning.HUMIDITY, "<", 40)),
        ("玄关照度不超过 50 勒克斯", Bound(Meaning.ILLUMINATION, "<=", 50)),
        ("电量不足20%", Bound(Meaning.BATTERY, "<", 20)),
        ("功率大于 2000 瓦", Bound(Meaning.ELECTRIC_POWER, ">", 2000)),
        ("按了入户按钮", Happens(Happening.CLICK)),
        ("双击按钮", Happens(Happening.DOUBLE_CLICK)),
        ("无线开关被长按", Happens(Happening.LONG_PRESS)),
    ],
)
def test_what_a_sensor_can_tell_is_read(words, asked):
    assert read_condition(words, NAMES) == asked


@pytest.mark.parametrize(
    "words",
    [
        "",
        "妈妈打开大门",
        "快递员按了按钮",
        "画面中无人",
        "大门开着；不含有人站在门口",
        "卧室的门开着",
        "大门开着而且没人",
        "温度高于 28 度或湿度高于 60%",
        "温度是 28 度",
        "温度高于很多度",
        "湿度高于 28 度",
        "有人跌倒",
        "有人开门",
        "大门好像开着",
        "门" * 61 + "开着",
    ],
)
def test_what_says_more_than_that_is_not(words):
    assert read_condition(words, NAMES) is None
