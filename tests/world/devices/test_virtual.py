"""What the virtual home does beyond the port: hands, events, the log, and how things depend on each other."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import BadInput, NotFound
from zhixing.world.devices.homeplan import default_home, read_home
from zhixing.world.devices.keeping import MOST_HAPPENINGS, By, MemoryKeeper
from zhixing.world.devices.port import Done, Failed
from zhixing.world.devices.virtual import VirtualHome

ON = "prop.2.1"
CURTAIN, POSITION, TARGET, OPEN = "prop.2.1", "prop.2.2", "prop.2.3", "prop.2.4"


def test_a_hand_changes_what_no_command_may_and_at_once(virtual):
    assert virtual.set_property("climate", "temperature", 31) == 31.0
    assert virtual.set_property("unplugged", "on", True) is True
    assert virtual.set_property("curtain", "target-position", 30) == 30

    assert virtual.read("climate", "prop.2.1") == Done(31.0)
    assert virtual.read("curtain", TARGET) == Done(30)
    virtual.set_online("unplugged", online=True)
    assert virtual.read("unplugged", ON) == Done(value=True)


def test_what_a_hand_cannot_do_is_said(virtual):
    with pytest.raises(NotFound, match="没有「lamb」这个设备，可用的有 lamp"):
        virtual.set_property("lamb", "on", True)
    with pytest.raises(BadInput, match=r"可用的有 prop\.brightness"):
        virtual.set_property("lamp", "brightnes", 10)
    with pytest.raises(BadInput, match="只能是 1–100/1 %"):
        virtual.set_property("lamp", "brightness", 0)
    with pytest.raises(BadInput, match="是动作"):
        virtual.set_property("lamp", "toggle", True)
    assert virtual.happenings(10) == []


def test_a_button_is_pressed(virtual, clock):
    assert virtual.emit("button", "double-click") == "event.2.2"
    assert virtual.emit("button", "event.2.1") == "event.2.1"

    assert [(each.at, each.did, each.iid, each.value, each.by) for each in virtual.happenings(5)] == [
        (clock.now(), "button", "event.2.2", None, By.PERSON),
        (clock.now(), "button", "event.2.1", None, By.PERSON),
    ]


def test_an_event_that_a_device_does_not_have_names_those_it_has(virtual):
    with pytest.raises(BadInput, match="click、double-click、long-press"):
        virtual.emit("button", "clik")
    with pytest.raises(BadInput, match="一个也没有"):
        virtual.emit("lamp", "click")


def test_a_speaker_remembers_what_it_said_and_when(virtual, clock):
    start = clock.now()
    virtual.act("speaker", "action.5.1", ["早上好"])
    virtual.write("speaker", "prop.2.1", 60)
    clock.advance(timedelta(minutes=5))
    virtual.act("speaker", "action.5.1", ["该吃药了"])

    assert virtual.said("speaker", 10) == [(start, "早上好"), (start + timedelta(minutes=5), "该吃药了")]


def test_a_slow_value_shows_when_its_time_has_come_and_not_before(virtual, clock):
    virtual.write("curtain", TARGET, 100)
    clock.advance(timedelta(seconds=4.9))
    assert virtual.read("curtain", TARGET) == Done(0)
    assert virtual.read("curtain", POSITION) == Done(0)

    clock.advance(timedelta(seconds=0.1))
    assert virtual.read("curtain", TARGET) == Done(100)
    assert virtual.read("curtain", POSITION) == Done(100)


def test_the_same_command_again_does_not_start_the_way_anew(virtual, clock):
    virtual.write("curtain", TARGET, 100)
    clock.advance(timedelta(seconds=3))
    virtual.write("curtain", TARGET, 100)
    clock.advance(timedelta(seconds=2))

    assert virtual.read("curtain", TARGET) == Done(100)


def test_another_command_on_the_way_starts_from_what_is_seen(virtual, clock):
    virtual.write("curtain", TARGET, 100)
    clock.advance(timedelta(seconds=5))
    virtual.write("curtain", TARGET, 40)
    clock.advance(timedelta(seconds=1))
    virtual.write("curtain", TARGET, 10)
    assert virtual.read("curtain", TARGET) == Done(100)

    clock.advance(timedelta(seconds=5))
    assert virtual.read("curtain", TARGET) == Done(10)


def test_a_clock_that_is_put_back_hides_no_value(virtual, clock):
    virtual.write("curtain", TARGET, 100)
    clock.jump(timedelta(days=-1))

    assert virtual.read("curtain", TARGET) == Done(100)


def test_what_mirrors_another_property_moves_with_it(virtual, clock):
    for iid, value, position, is_open in (
        (OPEN, True, 100, True),
        (CURTAIN, 1, 0, False),
        (TARGET, 40, 40, True),
        (CURTAIN, 2, 40, True),
        (OPEN, False, 0, False),
        (CURTAIN, 0, 100, True),
    ):
        assert virtual.write("curtain", iid, value) == Done()
        clock.advance(timedelta(seconds=5))
        assert virtual.read("curtain", POSITION) == Done(position)
        assert virtual.read("curtain", OPEN) == Done(is_open)


def test_actions_change_what_they_are_about(virtual):
    virtual.act("lamp", "action.2.1", [])
    assert virtual.read("lamp", ON) == Done(value=True)
    virtual.act("lamp", "action.2.1", [])
    assert virtual.read("lamp", ON) == Done(value=False)
    virtual.act("speaker", "action.3.1", [])
    assert virtual.read("speaker", "prop.3.1") == Done(1)


def test_two_quick_toggles_of_a_slow_lamp_leave_it_as_it_was(clock):
    plan = read_home(
        "home: 家\nrooms: [厅]\ndevices:\n  - {did: slow, name: 慢灯, room: 厅, kind: light, transition: 2}\n"
    )
    home = VirtualHome(plan, MemoryKeeper(clock))
    home.act("slow", "action.2.1", [])
    home.act("slow", "action.2.1", [])
    clock.advance(timedelta(seconds=2))

    assert home.read("slow", ON) == Done(value=False)


def test_a_device_that_is_unplugged_is_away_until_it_is_plugged_in(virtual):
    virtual.set_online("lamp", online=False)
    assert virtual.write("lamp", ON, value=True) == Failed("offline")
    assert not next(device for device in virtual.devices() if device.did == "lamp").online

    virtual.set_online("lamp", online=True)
    assert virtual.write("lamp", ON, value=True) == Done()


def test_a_camera_that_is_plugged_in_may_judge(virtual):
    virtual.use_camera("cam_living", in_use=False)
    virtual.set_online("cam_away", online=True)

    assert virtual.use_camera("cam_away", in_use=True).in_use


def test_the_log_tells_everything_in_order_and_by_whom(virtual, clock):
    virtual.write("lamp", ON, value=True)
    clock.advance(timedelta(seconds=1))
    virtual.set_property("lamp", "on", False)
    virtual.use_camera("cam_living", in_use=False)
    virtual.set_online("lamp", online=False)
    virtual.write("lamp", ON, value=True)

    assert [(each.did, each.iid, each.value, each.by) for each in virtual.happenings(100)] == [
        ("lamp", ON, True, By.COMMAND),
        ("lamp", ON, False, By.PERSON),
        ("cam_living", "use", False, By.COMMAND),
        ("lamp", "online", False, By.PERSON),
    ]
    assert [each.iid for each in virtual.happenings(2)] == ["use", "online"]
    assert [each.iid for each in virtual.happenings(2, "lamp")] == [ON, "online"]
    assert virtual.happenings(0) == []
    assert virtual.happenings(-1) == []


def test_the_log_in_memory_is_bounded(clock):
    home = VirtualHome(default_home(), MemoryKeeper(clock))
    for _ in range(MOST_HAPPENINGS + 5):
        home.emit("button_bedside", "click")

    assert len(home.happenings(10**9)) == MOST_HAPPENINGS


def test_a_home_in_memory_needs_no_clock_of_its_own():
    home = VirtualHome(default_home(), MemoryKeeper())
    home.write("light_living", ON, value=True)

    assert home.read("light_living", ON) == Done(value=True)
    assert home.happenings(1)[0].at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("kind", ["plug", "speaker"])
def test_what_was_kept_for_another_plan_does_not_come_back(keeper, kind):
    """The owner made another device of it; what is kept is checked against what it is now."""
    yaml = "home: 家\nrooms: [厅]\ndevices:\n  - {{did: x, name: 东西, room: 厅, kind: {}}}\n"
    before = VirtualHome(read_home(yaml.format("speaker" if kind == "plug" else "plug")), keeper)
    before.set_property("x", "prop.2.1", 77 if kind == "plug" else True)

    after = VirtualHome(read_home(yaml.format(kind)), keeper)

    assert after.read("x", "prop.2.1") == Done(value=False if kind == "plug" else 40)


def test_what_is_kept_of_a_device_that_is_gone_does_no_harm(virtual, keeper):
    virtual.write("lamp", ON, value=True)
    virtual.set_online("lamp", online=False)

    empty = VirtualHome(read_home("home: 空房子\n"), keeper)

    assert empty.devices() == ()
    assert empty.cameras() == ()
    assert len(empty.happenings(10)) == 2
    with pytest.raises(NotFound, match="一个也没有"):
        empty.spec("lamp")
