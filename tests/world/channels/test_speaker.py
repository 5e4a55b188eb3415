"""A letter is read out once, on the speaker it should be, and the receipt says what became of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zhixing.kernel.errors import StoreUnavailable
from zhixing.world.channels.port import Delivered, NotSent, Refused, Unknown
from zhixing.world.channels.speaker import LONGEST, Speaker
from zhixing.world.devices.homeplan import read_home
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.virtual import VirtualHome

PLAN = """
home: 家
rooms: [客厅, 书房]
devices:
  - {did: lamp, name: 灯, room: 客厅, kind: light}
  - {did: first, name: 客厅音箱, room: 客厅, kind: speaker%s}
  - {did: second, name: 书房音箱, room: 书房, kind: speaker}
  - did: bell
    name: 门铃
    room: 客厅
    spec:
      category: speaker
      services: [{siid: 2, name: bell, actions: [{aiid: 1, name: ring}]}]
  - did: oracle
    name: 会说话的相框
    room: 客厅
    spec:
      category: frame
      services:
        - siid: 2
          name: voice
          properties: [{piid: 1, name: words, format: string}]
          actions: [{aiid: 1, name: play-text, in: [1]}]
"""


def house(clock, first: str = "") -> VirtualHome:
    return VirtualHome(read_home(PLAN % first), MemoryKeeper(clock))


def said(home: VirtualHome) -> dict[str, list[str]]:
    return {
        device.did: [text for _, text in home.said(device.did, 100)]
        for device in home.devices()
        if home.said(device.did, 100)
    }


def test_a_letter_is_read_out_on_the_first_speaker(clock, letter):
    home = house(clock)

    assert Speaker("音箱", home).send(letter) == Delivered()
    assert said(home) == {"first": ["10月12日 21:00 截止 ⏰ 交到三楼办公室"]}


def test_a_letter_without_text_is_read_out_by_its_title(clock, letter):
    home = house(clock)
    Speaker("音箱", home).send(replace(letter, text=" \n"))

    assert said(home) == {"first": ["交化学作业"]}


def test_a_long_letter_is_read_out_as_far_as_anybody_listens(clock, letter):
    home = house(clock)
    Speaker("音箱", home).send(replace(letter, text="很长" * 5_000))

    (text,) = said(home)["first"]
    assert len(text) == LONGEST
    assert text.endswith("…")


def test_a_speaker_that_is_away_is_passed_over(clock, letter):
    home = house(clock, ", online: false")

    assert Speaker("音箱", home).send(letter) == Delivered()
    assert list(said(home)) == ["second"]


def test_the_named_speaker_and_no_other_reads_it_out(clock, letter):
    home = house(clock)

    assert Speaker("书房", home, "second").send(letter) == Delivered()
    assert list(said(home)) == ["second"]


def test_whatever_can_speak_may_be_named(clock, letter):
    home = house(clock)

    assert Speaker("相框", home, "oracle").send(letter) == Delivered()
    assert list(said(home)) == ["oracle"]


@pytest.mark.parametrize(
    ("first", "receipt", "key"),
    [
        (", online: false", NotSent, "speaker_offline"),
        (", fault: offline", NotSent, "speaker_offline"),
        (", fault: fails", NotSent, "speaker_failed"),
        (", fault: silent", Unknown, "speaker_unsure"),
    ],
)
def test_the_receipt_says_what_became_of_it(clock, letter, first, receipt, key):
    home = house(clock, first)

    got = Speaker("音箱", home, "first").send(letter)

    assert isinstance(got, receipt)
    assert got.reason.key == key
    assert got.reason.text("zh")
    assert got.reason.text("en")
    assert (said(home) == {}) is (receipt is NotSent)


@pytest.mark.parametrize("did", ["nobody", "lamp", "bell"])
def test_what_cannot_speak_is_refused_for_good(clock, letter, did):
    got = Speaker("音箱", house(clock), did).send(letter)

    assert isinstance(got, Refused)
    assert got.reason.key == "speaker_missing"


def test_a_home_without_speakers_refuses(clock, letter):
    home = VirtualHome(read_home("home: 家\n"), MemoryKeeper(clock))

    assert isinstance(Speaker("音箱", home).send(letter), Refused)


def test_words_that_no_speaker_takes_are_refused_for_good(clock, letter):
    got = Speaker("音箱", house(clock)).send(replace(letter, text="\ud800"))

    assert isinstance(got, Refused)
    assert got.reason.key == "speaker_refused"


class _Gone(MemoryKeeper):
    """A database that cannot be read."""

    def read(self, ask):
        raise StoreUnavailable("store_closed", asked=ask)


def test_a_hub_that_cannot_be_asked_was_certainly_not_told(clock, letter):
    home = VirtualHome(read_home(PLAN % ""), _Gone(clock))

    assert isinstance(Speaker("音箱", home).send(letter), NotSent)


def test_a_letter_that_is_sent_twice_is_heard_twice(clock, letter):
    home = house(clock)
    channel = Speaker("音箱", home)
    channel.send(letter)
    channel.send(letter)

    assert not channel.idempotent
    assert len(said(home)["first"]) == 2
