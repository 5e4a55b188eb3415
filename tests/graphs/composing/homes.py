"""Homes that sentences are about: the virtual one, a flat where nothing is ambiguous, a house with several of each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from types import MappingProxyType
from zoneinfo import ZoneInfo

from zhixing.graphs.composing.composing import Asked, Composed, NeedsModel, answered
from zhixing.graphs.specs.home import Device, Home
from zhixing.graphs.specs.model import Spec
from zhixing.graphs.specs.packaged import samples
from zhixing.graphs.times.sun import Place
from zhixing.graphs.virtual.homes import home_of_virtual
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.virtual import VirtualHome

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 8, tzinfo=ZONE)
"""A Tuesday."""
RULE = "1764550800001"
HERE = Place(31.2, 121.5)


@cache
def virtual() -> Home:
    return home_of_virtual(
        VirtualHome(default_home(), MemoryKeeper(ManualClock(parse_instant("2026-12-01T08:00:00+08:00"))))
    )


def _spec(name: str) -> Spec:
    known = samples()
    if name in known:
        return known[name]
    return next(each for each in virtual().specs.values() if each.kind == name)


def _home(devices: Mapping[str, tuple[str, str, str]]) -> Home:
    """Make a home of did: (specification, room, name); those that are no sample are of the virtual home."""
    specs = {did: _spec(spec) for did, (spec, _, _) in devices.items()}
    listed = {
        did: Device(did, str(specs[did].urn), name, room, online=True, pushes=True, usable=True)
        for did, (_, room, name) in devices.items()
    }
    return Home(listed, {str(each.urn): each for each in specs.values()}, frozenset(), None)


@cache
def flat() -> Home:
    """One of each, so that most sentences need no question."""
    return _home(
        {
            "lamp1": ("light", "客厅", "客厅灯"),
            "lamp2": ("light", "阳台", "阳台灯"),
            "lamp3": ("light_bedside", "卧室", "主卧灯"),
            "lamp4": ("light", "书房", "书房台灯"),
            "lamp5": ("light", "玄关", "玄关灯"),
            "key1": ("switch", "书房", "书房开关"),
            "remote": ("remote_single", "卧室", "床头开关"),
            "ac": ("air_conditioner", "客厅", "空调"),
            "climate": ("climate_sensor", "客厅", "温湿度计"),
            "curtain": ("curtain", "卧室", "主卧窗帘"),
            "speaker": ("speaker", "客厅", "音箱"),
            "door": ("contact_sensor", "玄关", "入户门"),
            "motion1": ("motion_sensor", "玄关", "玄关人体传感器"),
            "motion2": ("motion_sensor", "卧室", "卧室人体传感器"),
            "motion3": ("motion_sensor", "客厅", "客厅人体传感器"),
            "humidifier": ("humidifier", "客厅", "加湿器"),
            "plug": ("outlet", "厨房", "热水器插座"),
        }
    )


@cache
def house() -> Home:
    """Several of each, sensors that say more than yes and no, keys that share a device."""
    return _home(
        {
            "h1": ("light", "客厅", "客厅主灯"),
            "h2": ("light", "餐厅", "餐厅吊灯"),
            "h3": ("light_bedside", "主卧", "床头灯"),
            "h4": ("light", "主卧", "主卧吸顶灯"),
            "h5": ("light", "走廊", "走廊灯"),
            "h6": ("curtain_reversed", "书房", "书房窗帘"),
            "h7": ("air_conditioner", "客厅", "客厅空调"),
            "h8": ("speaker", "客厅", "客厅音箱"),
            "h9": ("speaker_stepped", "厨房", "厨房音箱"),
            "h10": ("motion_sensor", "走廊", "走廊人体"),
            "h11": ("motion_sensor_listed", "玄关", "玄关人体"),
            "h12": ("occupancy_sensor", "客厅", "客厅存在"),
            "h13": ("occupancy_sensor", "书房", "书房存在"),
            "h14": ("contact_sensor", "玄关", "入户门磁"),
            "h15": ("contact_sensor", "主卧", "主卧窗磁"),
            "h16": ("remote_double", "客厅", "双键开关"),
            "h17": ("wall_switch", "餐厅", "三键开关"),
            "h18": ("outlet", "浴室", "浴室排风扇插座"),
            "h19": ("climate_sensor", "客厅", "客厅温湿度"),
            "h20": ("climate_sensor", "浴室", "浴室温湿度"),
            "h21": ("lock", "玄关", "入户门锁"),
            "h22": ("light", "玄关", "玄关灯"),
        }
    )


HOMES = {"virtual": virtual, "flat": flat, "house": house}


def outcome(
    text: str, home: Home, answers: Mapping[str, str] = MappingProxyType({}), place: Place | None = HERE
) -> Composed | Asked | NeedsModel:
    """Give what becomes of a sentence."""
    return answered(text, home, answers, rule_id=RULE, now=NOW, zone=ZONE, place=place)
