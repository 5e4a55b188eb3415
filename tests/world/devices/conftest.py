"""A hub of every make, with the same few devices behind it, and hands that can reach them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from tests.world.homeassistant.place import AssistantPlace

from zhixing.kernel.clock import ManualClock
from zhixing.store.opening import open_store, sqlite_url
from zhixing.world.devices.homeplan import read_home
from zhixing.world.devices.keeping import Keeper, MemoryKeeper
from zhixing.world.devices.port import DeviceHub, Level
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome

PLAN = """
home: 试验之家
rooms: [客厅, 玄关, 主卧]
people:
  - {id: mom, name: 林知夏, role: 妈妈}
  - {name: 小客人}
cameras:
  - {did: cam_living, name: 客厅摄像头, room: 客厅}
  - {did: cam_entrance, name: 玄关摄像头, room: 玄关}
  - {did: cam_bedroom, name: 主卧摄像头, room: 主卧, in_use: false}
  - {did: cam_wide, name: 全景摄像头, room: 客厅, channels: 2}
  - {did: cam_away, name: 没插电的摄像头, room: 玄关, online: false, in_use: false}
devices:
  - {did: lamp, name: 客厅灯, room: 客厅, kind: light, initial: {brightness: 80}}
  - {did: curtain, name: 窗帘, room: 客厅, kind: curtain, transition: 5}
  - {did: speaker, name: 音箱, room: 客厅, kind: speaker}
  - {did: ac, name: 空调, room: 主卧, kind: air-conditioner}
  - {did: climate, name: 温湿度计, room: 客厅, kind: temperature-humidity-sensor, initial: {temperature: 25.6}}
  - {did: door, name: 门磁, room: 玄关, kind: contact-sensor}
  - {did: button, name: 按钮, room: 主卧, kind: button}
  - {did: unplugged, name: 拔掉的灯, room: 主卧, kind: light, online: false}
  - {did: unreachable, name: 够不着的灯, room: 主卧, kind: light, fault: offline}
  - {did: jammed, name: 卡住的灯, room: 主卧, kind: light, fault: fails}
  - {did: silent, name: 不答话的灯, room: 主卧, kind: light, fault: silent}
"""


class VirtualPlace:
    """A virtual home, and somebody in it."""

    away = ("unplugged",)
    people = (("mom", "林知夏", "妈妈"), ("小客人", "小客人", ""))

    def __init__(self, keeper: Keeper, clock: ManualClock) -> None:
        self.home = VirtualHome(read_home(PLAN), keeper)
        self.hub: DeviceHub = self.home
        self._clock = clock

    def id(self, name: str) -> str:
        return name

    def pass_time(self, seconds: float) -> None:
        self._clock.advance(timedelta(seconds=seconds))

    def commands(self, did: str) -> list[tuple[str, tuple[Level, ...]]]:
        """Say what arrived at a device through the hub, in order."""
        return [(each.iid, each.values) for each in self.home.happenings(100, did) if each.by == "command"]


MAKES = ["memory", "sqlite", "postgresql"]


@pytest.fixture(params=MAKES)
def keeper(request: pytest.FixtureRequest, clock: ManualClock, tmp_path) -> Iterator[Keeper]:
    with _keeper(request.param, request, clock, tmp_path) as made:
        yield made


@contextmanager
def _keeper(make: str, request: pytest.FixtureRequest, clock: ManualClock, tmp_path) -> Iterator[Keeper]:
    if make == "memory":
        yield MemoryKeeper(clock)
        return
    if make == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_file"), tmp_path / "home.db")
        url = sqlite_url(tmp_path / "home.db")
    else:
        url = request.getfixturevalue("emptied_schema")
    with closing(open_store(url)) as store:
        yield StoreKeeper(store, clock)


@pytest.fixture(params=[*MAKES, "homeassistant"])
def place(request: pytest.FixtureRequest, clock: ManualClock, tmp_path) -> Iterator[VirtualPlace | AssistantPlace]:
    """Give a hub with the devices of `PLAN`. Every make of hub is to be one of these."""
    if request.param == "homeassistant":
        house = request.getfixturevalue("house")
        house.begin()
        yield house
        return
    with _keeper(request.param, request, clock, tmp_path) as made:
        yield VirtualPlace(made, clock)


@pytest.fixture
def virtual(keeper: Keeper, clock: ManualClock) -> VirtualHome:
    return VirtualPlace(keeper, clock).home


@pytest.fixture
def plan() -> str:
    return PLAN
