"""What rule graphs see of the virtual home."""

from __future__ import annotations

import pytest

from zhixing.graphs.specs.home import Home
from zhixing.graphs.specs.model import Spec
from zhixing.graphs.specs.reading import dangling
from zhixing.graphs.virtual.homes import home_of_virtual
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.virtual import VirtualHome


@pytest.fixture
def virtual() -> VirtualHome:
    return VirtualHome(default_home(), MemoryKeeper(ManualClock(parse_instant("2026-12-01T08:00:00+08:00"))))


@pytest.fixture
def home(virtual: VirtualHome) -> Home:
    return home_of_virtual(virtual)


def spec_of(home: Home, did: str) -> Spec:
    found = home.spec_of(did)
    assert found is not None
    return found


def test_every_device_is_there_with_a_specification_that_is_whole(virtual, home):
    assert set(home.devices) == {each.did for each in virtual.devices()}
    assert all(not dangling(spec_of(home, did)) for did in home.devices)


def test_a_property_has_the_numbers_limits_and_rights_that_the_device_has(home):
    brightness = spec_of(home, "light_living").property(2, 2)
    assert brightness.name == "brightness"
    assert (brightness.range.low, brightness.range.high, brightness.range.step) == (1, 100, 1)
    assert brightness.readable
    assert brightness.writable
    assert brightness.notifiable


def test_a_property_with_choices_lists_them(home):
    mode = spec_of(home, "light_living").property(2, 4)
    assert [each.description for each in mode.choices][:2] == ["普通", "日光"]


def test_an_action_names_its_arguments_by_number(home):
    speaker = spec_of(home, "speaker_living")
    assert speaker.action(5, 2).takes == (1, 2)


def test_every_writable_property_of_the_specification_is_taken_by_the_device(virtual, home):
    for did in home.devices:
        iids = {each.iid for each in virtual.spec(did).properties if each.writable}
        told = {
            f"prop.{each.siid}.{each.piid}"
            for service in spec_of(home, did).services
            for each in service.properties
            if each.writable
        }
        assert told == iids


def test_a_device_that_is_unplugged_is_offline(virtual):
    virtual.set_online("light_living", online=False)
    assert not home_of_virtual(virtual).device("light_living").online
