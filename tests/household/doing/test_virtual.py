"""Answers in a home that is kept in the very store in which its commands are written down."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.household.doing.model import StepState
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome


@pytest.fixture(params=["memory", "store"])
def inhabited(request, house):
    """Put the shipped home behind the tasks."""
    memory = MemoryKeeper(house.clock)

    def settle():
        keeper = memory if request.param == "memory" else StoreKeeper(house.home.store, house.clock)
        house.hub = VirtualHome(default_home(), keeper)
        open_without_hub()

    open_without_hub = house.open
    house.open = settle
    house.open()
    return house


def every_switch(hub):
    """Find everything that can be switched on or off."""
    for device in hub.devices():
        for prop in hub.spec(device.did).properties:
            if prop.format == "bool" and prop.writable and prop.readable:
                yield device, prop


def test_everything_that_can_be_switched_is(inhabited):
    task = inhabited.task("回家")
    actions = [
        DeviceAction(device.did, prop.iid, True) for device, prop in every_switch(inhabited.hub) if device.online
    ]
    assert len(actions) >= 3
    fired = inhabited.fire(task, *actions)
    for _ in range(40):
        inhabited.work()
        inhabited.clock.advance(timedelta(seconds=1))
    assert {step.state for step in inhabited.steps(fired)} <= {StepState.DONE, StepState.SKIPPED}
    assert inhabited.ended(fired) == "done"
    again = inhabited.fire(task, *actions)
    inhabited.work()
    assert {step.state for step in inhabited.steps(again)} == {StepState.SKIPPED}


def test_a_device_without_power_is_named_in_the_inbox(inhabited):
    task = inhabited.task("回家")
    device, prop = next(every_switch(inhabited.hub))
    inhabited.hub.set_online(device.did, online=False)
    fired = inhabited.fire(task, DeviceAction(device.did, prop.iid, True), DeviceAction(device.did, prop.iid, False))
    for _ in range(40):
        inhabited.work()
        inhabited.clock.advance(timedelta(seconds=1))
    assert inhabited.ended(fired) == "failed acts_failed"
    assert {step.state for step in inhabited.steps(fired)} == {StepState.FAILED}
    assert all(step.reason == "offline" for step in inhabited.steps(fired))
    (news,) = inhabited.inbox()
    assert device.name in news
