"""Somebody comes in, the light goes on and it is told; they leave, and all is as it was. With no model anywhere."""

from __future__ import annotations

import pytest

from zhixing.household.talking.talk import TalkState
from zhixing.world.devices.virtual import VirtualHome

SAID = "有人进客厅就开灯并手机告诉我"
COMES = "10-12 20:00:00  0:10:00  living_room_enter_light  yes"
LEAVES = "10-12 20:10:00  0:10:00  living_room_enter_light  no"


@pytest.fixture
def life(live_in):
    """Give a home with a light that is off, in which the sentence was said."""
    life = live_in()
    life.hub.set_property("light_living", "on", False)
    talk = life.say(SAID, "A")
    assert (talk.state, talk.tasks) == (TalkState.DONE, ("living_room_enter_light",))
    assert any("打开客厅吸顶灯；用手机推送说「有人进客厅了」" in line for line in talk.lines)
    return life


def test_who_comes_in_finds_light_and_leaves_it_as_it_was(life):
    life.play(f"{COMES}\n{LEAVES}", until="10-12 21:00:00")
    assert life.commands("light_living") == ["10-12 20:00:00 prop.2.1=true", "10-12 20:11:00 prop.2.1=false"]
    assert life.books("living_room_enter_light") == ["10-12 20:00:00 enter done", "10-12 20:11:00 exit done reset_done"]
    assert life.told() == ["10-12 20:00:00 phone 有人进客厅了"]
    assert life.open_jobs() == []


def test_a_light_that_was_on_stays_on(life):
    life.play(f"10-12 19:00:00  hand  light_living  on  true\n{COMES}\n{LEAVES}", until="10-12 21:00:00")
    assert life.commands("light_living") == []
    assert life.books("living_room_enter_light") == [
        "10-12 20:00:00 enter done",
        "10-12 20:11:00 exit done reset_nothing",
    ]
    assert life.told() == ["10-12 20:00:00 phone 有人进客厅了"]


def test_what_somebody_did_by_hand_meanwhile_stays(life):
    life.play(
        f"""
        {COMES}
        10-12 20:05:00  hand  light_living  on  false
        10-12 20:06:00  hand  light_living  on  true
        10-12 20:08:00  hand  light_living  on  false
        {LEAVES}
        """,
        until="10-12 21:00:00",
    )
    assert life.commands("light_living") == ["10-12 20:00:00 prop.2.1=true"]
    assert life.books("living_room_enter_light")[-1] == "10-12 20:11:00 exit done reset_changed"
    assert life.open_jobs() == []


def test_a_home_that_did_not_answer_on_entering_has_nothing_to_be_put_back(life, monkeypatch):
    def away():
        raise ConnectionError

    monkeypatch.setattr(VirtualHome, "devices", lambda _: away())
    life.play(COMES, until="10-12 20:05:00")
    assert life.books("living_room_enter_light") == ["10-12 20:00:00 enter done partial"]
    monkeypatch.undo()
    life.play(LEAVES, until="10-12 21:00:00")
    assert life.commands("light_living") == []
    assert life.books("living_room_enter_light")[-1] == "10-12 20:11:00 exit done reset_nothing"
    assert life.told() == ["10-12 20:00:00 phone 有人进客厅了"]
    assert life.open_jobs() == []


def test_what_was_switched_on_to_be_set_is_set_back_and_switched_off(live_in):
    life = live_in()
    life.hub.set_property("ac_living", "on", False)
    talk = life.say("有人进客厅就把客厅空调调到24度并手机告诉我", "A")
    (slug,) = talk.tasks
    life.play(f"10-12 20:00:00 0:10:00 {slug} yes\n10-12 20:10:00 0:10:00 {slug} no", until="10-12 21:00:00")
    assert life.commands("ac_living") == [
        "10-12 20:00:00 prop.2.1=true",
        "10-12 20:00:00 prop.2.3=24.0",
        "10-12 20:11:00 prop.2.3=26.0",
        "10-12 20:11:00 prop.2.1=false",
    ]
    assert life.books(slug)[-1] == "10-12 20:11:00 exit done reset_done"


def test_where_leaving_has_a_command_of_its_own_that_is_given(live_in):
    life = live_in()
    life.hub.set_property("light_living", "on", True)
    (slug,) = life.say("有人进客厅就开灯并手机告诉我，走了就关灯", "A").tasks
    life.play(f"10-12 20:00:00 0:10:00 {slug} yes\n10-12 20:10:00 0:10:00 {slug} no", until="10-12 21:00:00")
    assert life.commands("light_living") == ["10-12 20:11:00 prop.2.1=false"]
    assert life.books(slug) == ["10-12 20:00:00 enter done", "10-12 20:11:00 exit done"]
    assert life.told() == ["10-12 20:00:00 phone 有人进客厅了"]
