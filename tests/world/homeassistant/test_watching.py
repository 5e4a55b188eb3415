"""What Home Assistant tells becomes verdicts: levels and events, each once, none of a change that was none."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.world.homeassistant.conftest import Impostor
from tests.world.homeassistant.place import SOON, wait_for

from zhixing.kernel.clock import ManualClock, SystemClock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import parse_instant
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.homeassistant import watching
from zhixing.world.homeassistant.facts import Fact
from zhixing.world.homeassistant.hub import HomeAssistant
from zhixing.world.homeassistant.watching import Watcher
from zhixing.world.homeassistant.wire import State
from zhixing.world.perception.verdict import Value, Verdict

DOOR = Fact("binary_sensor.door", "大门开着", "binary_sensor.door", states=("on",))
LAMP = Fact("lamp", "客厅灯开着", "light.lamp", states=("on",))
CLICK = Fact("event.button", "按了按钮", "event.button", states=("click",))
REMOTE = Fact("remote", "按了遥控器", event="zha_event", data=(("command", "on"),))
START = parse_instant("2026-10-12T10:00:00+08:00")


class Notes:
    """Takes verdicts and keeps them."""

    def __init__(self) -> None:
        self.taken: list[Verdict] = []
        self.troubles: list[Exception] = []

    def take(self, verdicts) -> None:
        if self.troubles:
            raise self.troubles.pop(0)
        self.taken.extend(verdicts)

    def of(self, fact: Fact) -> list[Value]:
        """Say what was told of a fact, without what was only told again."""
        values = [each.value for each in self.taken if each.query == fact.condition]
        return [each for place, each in enumerate(values) if place == 0 or values[place - 1] is not each]

    def events(self, fact: Fact) -> list[str]:
        return [each.event for each in self.taken if each.query == fact.condition and each.event is not None]


@contextmanager
def followed(hub: HomeAssistant, *facts: Fact) -> Iterator[Notes]:
    notes = Notes()
    watcher = Watcher(facts, SystemClock(), take=notes.take, asked=list, begin=hub.link.start)
    hub.picture.follow(watcher)
    watcher.start()
    try:
        yield notes
    finally:
        hub.close()
        watcher.stop()


@pytest.fixture
def ours(assistant, house) -> HomeAssistant:
    """Give a hub of one's own to the house, as it is at first."""
    house.begin()
    return HomeAssistant(assistant.address, SystemClock(), MemoryKeeper(), patience=SOON, facts=(LAMP,))


def test_how_things_are_and_every_change_is_told(ours, house):
    with followed(ours, DOOR, LAMP) as notes:
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE] and notes.of(LAMP) == [Value.FALSE])
        house.let("binary_sensor.door", "is_on", True)
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.TRUE])
        house.let("binary_sensor.door", "available", False)
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.TRUE, Value.UNKNOWN])
        house.let("binary_sensor.door", "available", True)
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.TRUE, Value.UNKNOWN, Value.TRUE])
        house.home.write("light.lamp", "prop.2.1", True)
        wait_for(lambda: notes.of(LAMP) == [Value.FALSE, Value.TRUE])
    assert all(each.firm and each.lasting and each.event is None for each in notes.taken)
    assert {each.source for each in notes.taken} == {"binary_sensor.door", "lamp"}
    assert "binary_sensor.door = on" in {each.reason for each in notes.taken}


def test_a_fact_that_no_sensor_tells_is_listed_as_a_sensor_of_its_own(ours):
    try:
        (told,) = (each for each in ours.devices() if each.did == "lamp")
        assert (told.name, told.category, told.online) == ("客厅灯开着", "sensor", True)
        assert ours.spec("lamp").properties == ()
    finally:
        ours.close()


def test_a_button_is_an_event_each_time_it_is_pressed(ours, house):
    with followed(ours, CLICK, DOOR) as notes:
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE])
        # the time of a press in milliseconds is all that tells it from the one before
        house.let("event.button", "pressed", "click")
        wait_for(lambda: len(notes.events(CLICK)) == 1)
        house.let("event.button", "pressed", "double_click")
        house.let("binary_sensor.door", "is_on", True)
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.TRUE])
        house.let("event.button", "pressed", "click")
        wait_for(lambda: len(notes.events(CLICK)) == 2)
        house.let("event.button", "available", False)
        house.let("event.button", "available", True)
        house.let("binary_sensor.door", "is_on", False)
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.TRUE, Value.FALSE])
        assert len(notes.events(CLICK)) == len(set(notes.events(CLICK))) == 2


def test_an_event_of_the_bus_is_told(ours, house):
    with followed(ours, REMOTE, DOOR) as notes:
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE])
        for command in ("on", "off", "on"):
            house.home.link.ask("fire_event", event_type="zha_event", event_data={"command": command})
        wait_for(lambda: len(set(notes.events(REMOTE))) == 2)


def test_home_assistant_that_is_killed_and_comes_back_makes_nothing_happen(mortal):
    hub = HomeAssistant(mortal.address, SystemClock(), MemoryKeeper(), patience=SOON)
    with followed(hub, DOOR, CLICK) as notes:
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE])
        hub.link.ask(
            "call_service",
            domain="house",
            service="set",
            service_data={"thing": "event.button", "name": "pressed", "value": "click"},
        )
        wait_for(lambda: len(notes.events(CLICK)) == 1)
        mortal.kill()
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.UNKNOWN])
        assert hub.write("light.lamp", "prop.2.1", True).reason == "hub_unreachable"
        assert not any(each.online for each in hub.devices())
        mortal.start()
        wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.UNKNOWN, Value.FALSE])
        assert hub.read("binary_sensor.door", "prop.2.1").value is False
        hub.link.ask(
            "call_service",
            domain="house",
            service="set",
            service_data={"thing": "binary_sensor.door", "name": "is_on", "value": True},
        )
        wait_for(lambda: notes.of(DOOR)[-1] is Value.TRUE)
        assert len(notes.events(CLICK)) == 1


def test_a_button_of_the_time_before_the_connection_ended_is_no_event_afterwards(impose):
    came = []

    def come_back(impostor: Impostor) -> None:
        came.append(impostor)
        # While nobody listened it was pressed: the state is another one, and how it is now is no event.
        told = f"2026-01-01T00:00:0{len(came)}"
        impostor.begin(get_states=[{"entity_id": "event.button", "state": told, "attributes": {"event_type": "click"}}])
        if len(came) == 1:
            return
        impostor.change("event.button", None, told, event_type="click")
        impostor.change("event.button", "unavailable", told, event_type="click")
        impostor.change("event.button", told, "2026-01-01T00:00:09", 7, event_type="click")
        impostor.hear()

    hub = impose(come_back)
    with followed(hub, CLICK) as notes:
        wait_for(lambda: notes.events(CLICK))
        assert notes.events(CLICK) == ["c7 2026-01-01T00:00:09"]


def test_a_flood_does_not_grow_without_end_and_ends_with_how_things_are(impose, monkeypatch):
    monkeypatch.setattr(watching, "MOST_WAITING", 50)
    flooded = threading.Event()

    def flood(impostor: Impostor) -> None:
        impostor.begin(get_states=[{"entity_id": "binary_sensor.door", "state": "off"}])
        for number in range(1_001):
            before, after = ("off", "on") if number % 2 == 0 else ("on", "off")
            impostor.change("binary_sensor.door", before, after, number)
        flooded.set()
        impostor.hear()

    hub = impose(flood)
    notes = Notes()
    watcher = Watcher((DOOR,), SystemClock(), take=notes.take, asked=list, begin=hub.link.start)
    hub.picture.follow(watcher)
    hub.link.start()
    flooded.wait()
    wait_for(lambda: (state := hub.picture.state("binary_sensor.door")) is not None and state.context.id == "c1000")
    assert len(watcher._waiting) <= 50
    watcher.start()
    wait_for(lambda: notes.taken and notes.taken[-1].value is Value.TRUE)
    watcher.stop()
    assert len(notes.taken) <= 51


def test_what_could_not_be_taken_for_now_is_given_again_in_its_order():
    clock, notes = ManualClock(START), Notes()
    notes.troubles = [StoreUnavailable("store_locked", place="x") for _ in range(3)]
    watcher = Watcher((DOOR,), clock, take=notes.take, asked=list, begin=lambda: None)
    watcher.came({"binary_sensor.door": State("binary_sensor.door", "off")})
    watcher.came({"binary_sensor.door": State("binary_sensor.door", "on")})
    watcher.start()
    wait_for(lambda: notes.of(DOOR) == [Value.FALSE, Value.TRUE])
    watcher.stop()


def test_what_can_never_be_taken_does_not_hold_up_what_follows():
    notes = Notes()
    notes.troubles = [ZeroDivisionError()]
    watcher = Watcher((DOOR,), SystemClock(), take=notes.take, asked=list, begin=lambda: None)
    watcher.came({"binary_sensor.door": State("binary_sensor.door", "off")})
    watcher.start()
    wait_for(lambda: not notes.troubles)
    watcher.came({"binary_sensor.door": State("binary_sensor.door", "on")})
    wait_for(lambda: notes.of(DOOR) == [Value.TRUE])
    watcher.stop()


def pass_by(clock: ManualClock) -> None:
    """Let a few looks pass: whoever waits on such a clock lets it go on."""
    began = clock.monotonic()
    wait_for(lambda: clock.monotonic() > began + 10)


def test_how_things_are_is_told_to_whoever_begins_to_ask():
    clock, notes, asked = ManualClock(START), Notes(), []
    watcher = Watcher((DOOR, LAMP), clock, take=notes.take, asked=lambda: list(asked), begin=lambda: None)
    watcher.came({"binary_sensor.door": State("binary_sensor.door", "on")})
    watcher.start()
    wait_for(lambda: len(notes.taken) == 2)
    asked.append(("大门开着", "binary_sensor.door"))
    wait_for(lambda: len(notes.taken) == 3)
    pass_by(clock)
    assert len(notes.taken) == 3
    asked.clear()
    pass_by(clock)
    asked.append(("大门开着", "binary_sensor.door"))
    wait_for(lambda: len(notes.taken) == 4)
    watcher.stop()
    assert notes.of(DOOR) == [Value.TRUE]


def test_what_is_asked_for_may_not_be_told_for_a_while():
    notes = Notes()
    troubles = [StoreUnavailable("store_locked", place="x")] * 3

    def asked() -> list[tuple[str, str]]:
        if troubles:
            raise troubles.pop()
        return [("大门开着", "binary_sensor.door")]

    watcher = Watcher((DOOR,), ManualClock(START), take=notes.take, asked=asked, begin=lambda: None)
    watcher.came({"binary_sensor.door": State("binary_sensor.door", "on")})
    watcher.start()
    wait_for(lambda: len(notes.taken) == 2)
    watcher.stop()


def test_what_waits_when_it_is_stopped_is_handed_over():
    notes = Notes()
    watcher = Watcher((DOOR,), SystemClock(), take=notes.take, asked=list, begin=lambda: None)
    watcher.start()
    watcher.came({"binary_sensor.door": State("binary_sensor.door", "on")})
    watcher.stop()
    assert notes.of(DOOR) == [Value.TRUE]
