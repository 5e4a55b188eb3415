"""Telling through a notify service of the real Home Assistant, and what the receipt says."""

from __future__ import annotations

import pytest
from tests.world.homeassistant.conftest import Impostor

from zhixing.kernel.moments import parse_instant
from zhixing.world.channels.port import Delivered, Letter, NotSent, Refused, Unknown
from zhixing.world.channels.speaker import Speaker
from zhixing.world.homeassistant.notifying import Notify, notify_services

LETTER = Letter("m1", "k", "t1", "o1", "吃药", "该吃药了\n一片", parse_instant("2026-10-12T10:00:00+08:00"))


@pytest.fixture
def home(house):
    house.begin()
    return house.home


def test_a_letter_is_told_once_with_its_title(home, house):
    assert Notify("phone", home.link, "phone").send(LETTER) == Delivered()
    assert house.told("phone") == [("told", ["吃药", "该吃药了\n一片"])]


def test_a_service_that_is_not_there_refuses(home):
    receipt = Notify("phone", home.link, "nobody").send(LETTER)
    assert isinstance(receipt, Refused)
    assert "nobody" in receipt.reason.text()


def test_the_services_there_are_can_be_told(home):
    assert {"phone", "notify"} <= notify_services(home.link)


def test_a_speaker_of_home_assistant_reads_out(home, house):
    assert Speaker("speaker", home, "media_player.speaker").send(LETTER) == Delivered()
    assert house.told("media_player.speaker") == [("play_media", ["该吃药了 一片"])]


@pytest.mark.parametrize(("error", "kind"), [("home_assistant_error", Unknown), ("invalid_format", Refused)])
def test_only_a_no_before_anything_began_refuses(impose, error, kind):
    def decline(impostor: Impostor) -> None:
        impostor.begin()
        impostor.say({"id": impostor.hear()["id"], "type": "result", "success": False, "error": {"code": error}})
        impostor.hear()

    assert isinstance(Notify("phone", impose(decline).link, "phone").send(LETTER), kind)


def test_a_lost_answer_leaves_it_open_and_no_connection_does_not(impose):
    def hang_up(impostor: Impostor) -> None:
        impostor.begin()
        impostor.hear()

    hub = impose(hang_up)
    assert isinstance(Notify("phone", hub.link, "phone").send(LETTER), Unknown)
    hub.close()
    assert isinstance(Notify("phone", hub.link, "phone").send(LETTER), NotSent)
    assert notify_services(hub.link) == frozenset()
    assert "token" not in repr(Notify("phone", hub.link, "phone"))
