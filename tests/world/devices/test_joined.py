"""Several hubs as one."""

from __future__ import annotations

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import NotFound, Unavailable
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.joined import Joined, part
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.port import Done, Failed
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.homeassistant.address import Address
from zhixing.world.homeassistant.hub import HomeAssistant
from zhixing.world.homeassistant.link import Patience
from zhixing.world.mqtt.appliances import Appliance
from zhixing.world.mqtt.broker import Broker
from zhixing.world.mqtt.devices import MqttDevices

CLOCK = SystemClock()
ON = "prop.2.1"
# Port 9 answers nobody: the broker and the hub that are always away.
LAMP = Appliance("desk_lamp", "台灯", "书房", "light", "lamp/state", "lamp/set")


@pytest.fixture
def home():
    return VirtualHome(default_home(), MemoryKeeper(CLOCK))


@pytest.fixture
def topics():
    hub = MqttDevices(Broker("127.0.0.1", 9), [LAMP], CLOCK)
    yield hub
    hub.close()


@pytest.fixture
def away():
    hub = HomeAssistant(Address("http://127.0.0.1:9", "x"), CLOCK, MemoryKeeper(CLOCK), patience=Patience(0.2, 0.2))
    yield hub
    hub.close()


def test_the_devices_of_one_hub_follow_those_of_the_other_in_a_stable_order(home, topics):
    joined = Joined(home, topics)
    dids = [each.did for each in joined.devices()]
    assert dids == [*(each.did for each in home.devices()), "desk_lamp"]
    assert dids == [each.did for each in joined.devices()]


@pytest.mark.parametrize(
    ("did", "written", "acted"),
    [
        ("light_living", Done(), Done()),
        ("desk_lamp", Failed("hub_unreachable"), Failed("action_missing", "action.2.1")),
        ("nobody", Failed("device_missing", "nobody"), Failed("device_missing", "nobody")),
    ],
)
def test_a_command_goes_to_the_hub_of_the_device(home, topics, did, written, acted):
    joined = Joined(home, topics)
    assert joined.write(did, ON, value=True) == written
    assert joined.read(did, ON) == (Done(value=True) if written == Done() else written)
    assert joined.act(did, "action.2.1", []) == acted


def test_specifications_come_from_the_hub_of_the_device(home, topics):
    joined = Joined(home, topics)
    assert joined.spec("light_living") == home.spec("light_living")
    assert joined.spec("desk_lamp").did == "desk_lamp"
    with pytest.raises(NotFound):
        joined.spec("nobody")


def test_cameras_and_people_are_those_of_the_main_hub(home, topics):
    joined = Joined(home, topics)
    assert joined.cameras() == home.cameras()
    assert joined.people() == home.people()
    first = home.cameras()[0].did
    assert joined.use_camera(first, in_use=False) == home.cameras()[0]


def test_a_hub_that_cannot_be_reached_hides_no_device_of_another(topics, away):
    joined = Joined(away, topics)
    assert [each.did for each in joined.devices()] == ["desk_lamp"]
    # That a device is not there is not said by a hub that nobody could ask.
    with pytest.raises(Unavailable):
        joined.spec("light.living_room")
    with pytest.raises(Unavailable):
        Joined(away).devices()


def test_a_part_is_found_by_its_make(home, topics, away):
    assert part(home, VirtualHome) is part(Joined(home, topics), VirtualHome) is home
    assert part(Joined(home, topics), MqttDevices) is topics
    assert part(Joined(away, topics), VirtualHome) is None
