"""The virtual home in the database: it outlives the process, and everybody sees the same home."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import Conflict, StoreUnavailable
from zhixing.store.counters import next_number
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.keeping import MOST_HAPPENINGS
from zhixing.world.devices.port import Done, Failed, Uncertain
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome

ON = "prop.2.1"


@pytest.fixture
def virtual(home, clock):
    return VirtualHome(default_home(), StoreKeeper(home.store, clock))


def test_everything_survives_a_restart(home, virtual, clock):
    virtual.write("light_living", ON, value=True)
    virtual.write("ac_living", "prop.2.3", 22.5)
    virtual.act("speaker_living", "action.5.1", ["吃饭了"])
    virtual.use_camera("cam_study", in_use=True)
    virtual.set_online("lamp_study", online=False)
    seen = virtual.happenings(100)

    again = VirtualHome(default_home(), StoreKeeper(home.reopen(), clock))

    assert again.read("light_living", ON) == Done(value=True)
    assert again.read("ac_living", "prop.2.3") == Done(22.5)
    assert again.read("lamp_study", ON) == Failed("offline")
    assert {camera.did for camera in again.cameras() if camera.in_use} >= {"cam_study", "cam_living"}
    assert again.happenings(100) == seen
    assert again.said("speaker_living", 10) == [(clock.now(), "吃饭了")]


def test_a_restart_on_the_way_arrives_when_it_would_have(home, virtual, clock):
    virtual.write("curtain_bedroom", "prop.2.3", 100)
    clock.advance(timedelta(seconds=2))

    again = VirtualHome(default_home(), StoreKeeper(home.reopen(), clock))

    assert again.read("curtain_bedroom", "prop.2.3") == Done(0)
    clock.advance(timedelta(seconds=3))
    assert again.read("curtain_bedroom", "prop.2.3") == Done(100)


def test_two_processes_live_in_the_same_home(home, virtual, clock):
    other = VirtualHome(default_home(), StoreKeeper(home.open(), clock))

    virtual.write("light_living", ON, value=True)
    assert other.read("light_living", ON) == Done(value=True)
    other.set_property("light_living", "on", False)
    assert virtual.read("light_living", ON) == Done(value=False)
    other.act("light_living", "action.2.1", [])
    assert virtual.read("light_living", ON) == Done(value=True)
    assert virtual.happenings(10) == other.happenings(10)


def test_two_processes_together_put_no_more_than_four_cameras_to_use(home, virtual, clock):
    other = VirtualHome(default_home(), StoreKeeper(home.open(), clock))
    virtual.set_online("cam_balcony", online=True)
    other.use_camera("cam_balcony", in_use=True)

    with pytest.raises(Conflict):
        virtual.use_camera("cam_study", in_use=True)


def test_the_log_is_pruned(home, virtual):
    virtual.emit("button_bedside", "click")
    with home.store.write() as tx:
        tx.execute("UPDATE counters SET value = ? WHERE name = 'virtual_happenings'", (MOST_HAPPENINGS + 98,))
        assert next_number(tx, "virtual_happenings") == MOST_HAPPENINGS + 99
    virtual.emit("button_bedside", "long-press")

    assert [each.iid for each in virtual.happenings(10)] == ["event.2.3"]


def test_a_command_inside_a_transaction_is_a_mistake_and_does_nothing(home, virtual):
    with home.store.write(), pytest.raises(RuntimeError, match="do not nest"):
        virtual.write("light_living", ON, value=True)

    assert virtual.read("light_living", ON) == Done(value=False)


def test_what_follows_from_the_plan_alone_may_be_asked_inside_a_transaction(home, virtual):
    with home.store.write():
        assert virtual.spec("light_living").properties
        assert virtual.people()


def test_a_database_that_is_gone_makes_a_home_that_cannot_be_reached(home, virtual):
    home.store.close()

    assert virtual.read("light_living", ON) == Failed("hub_unreachable")
    assert virtual.write("light_living", ON, value=True) == Failed("hub_unreachable")
    assert virtual.act("light_living", "action.2.1", []) == Failed("hub_unreachable")
    with pytest.raises(StoreUnavailable):
        virtual.devices()


class _Unsure(StoreKeeper):
    """The database went away while it was asked to commit."""

    def write(self, act):
        super().write(act)
        raise StoreUnavailable("store_unsure", place="somewhere")


def test_a_commit_that_nobody_knows_of_is_uncertain(home, clock):
    virtual = VirtualHome(default_home(), _Unsure(home.store, clock))

    assert virtual.write("light_living", ON, value=True) == Uncertain("no_answer")
    assert virtual.read("light_living", ON) == Done(value=True)
