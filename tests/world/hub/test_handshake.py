"""The pairing against the published transcript (mijia §6.1): passcode 246810, scalars counted up from 11 and 101."""

from __future__ import annotations

import hashlib
from itertools import count

import pytest

from zhixing.world.hub.handshake import Begun, HandshakeBroken, Met, Role, agree, begin, commit, meet
from zhixing.world.hub.points import BASE, ORDER, PointBroken, read, written

SHARED = "0446915a1472de5cf592a2d332b49d6403324898fc5c7e235e1a4337a9b340e4"
MESSAGES = (
    "f5f1173693845f2243346dd6d5047d4a7bdecb515ef2fa29345e1f8f6afa3b85",
    "3f87be07e796b9f7a3e40d050b1c5748fccbabbbf19583c0f3ac57038bd02fb7",
    "3b3c53deb5d336a6c0cf91a658b8a7a85fcc218278859553c4dec6e1fc2f1ffc",
    "12b1d08042ac35bcb385a8ae85fa2dbca71ac5475519b2095c0861d061b643a9",
)
"""SHA-256 of round 1 of the client and of the server, then of round 2."""
SHORTENING = (101, 102, 278, 200)
"""What a server draws to prove both of its points with scalars of 31 bytes."""


def counting(start: int):
    return count(start).__next__


class Paired:
    """Both sides up to their round 2."""

    def __init__(self, passcode: str = "246810", other: str = "246810", draw=None) -> None:
        ours, theirs = counting(11), draw or counting(101)
        begun, self.first = begin(Role.CLIENT, passcode, ours)
        begun_there, self.first_there = begin(Role.SERVER, other, theirs)
        self.begun: Begun = begun
        self.client: Met = meet(begun, self.first_there)
        self.server: Met = meet(begun_there, self.first)
        self.second, self.second_there = commit(self.client, ours), commit(self.server, theirs)


def changed(message: bytes, place: int) -> bytes:
    return message[:place] + bytes((message[place] ^ 1,)) + message[place + 1 :]


def test_the_published_transcript_comes_out_byte_by_byte() -> None:
    both = Paired()
    messages = (both.first, both.first_there, both.second, both.second_there)
    assert tuple(hashlib.sha256(each).hexdigest() for each in messages) == MESSAGES
    assert [len(each) for each in messages] == [330, 330, 165, 168]
    assert both.second_there[:3].hex() == "030016"
    assert agree(both.client, both.second_there).hex() == SHARED
    assert agree(both.server, both.second).hex() == SHARED


def test_with_another_passcode_both_sides_finish_and_share_nothing() -> None:
    both = Paired(other="246811")
    assert agree(both.client, both.second_there) != agree(both.server, both.second)


def test_a_hub_may_drop_the_leading_zero_of_a_proof() -> None:
    both = Paired(draw=iter((*SHORTENING, 5)).__next__)
    assert len(both.first_there) == 328
    assert agree(both.client, both.second_there) == agree(both.server, both.second)


@pytest.mark.parametrize("place", [0, 1, 70, 131, 132, 164, 165, 329])
def test_a_changed_byte_of_round_one_is_noticed(place: int) -> None:
    both = Paired()
    with pytest.raises(HandshakeBroken):
        meet(both.begun, changed(both.first_there, place))


@pytest.mark.parametrize("place", [0, 2, 3, 40, 100, 135, 167])
def test_a_changed_byte_of_round_two_is_noticed(place: int) -> None:
    both = Paired()
    with pytest.raises(HandshakeBroken):
        agree(both.client, changed(both.second_there, place))


@pytest.mark.parametrize("message", [b"", b"\x41", bytes(330), bytes(32 * 1024)])
def test_what_is_no_round_is_refused(message: bytes) -> None:
    both = Paired()
    with pytest.raises(HandshakeBroken):
        meet(both.begun, message)
    with pytest.raises(HandshakeBroken):
        agree(both.client, message)


def test_a_round_is_not_longer_than_it_needs_to_be() -> None:
    both = Paired()
    with pytest.raises(HandshakeBroken):
        meet(both.begun, both.first_there + b"\0")
    with pytest.raises(HandshakeBroken):
        agree(both.client, both.second_there + b"\0")


def test_a_proof_without_a_scalar_or_with_one_beyond_the_curve_is_refused() -> None:
    both = Paired()
    for proof in (b"\0", b"\x20" + (ORDER + 1).to_bytes(32, "big"), b"\x21" + bytes(33)):
        with pytest.raises(HandshakeBroken):
            meet(both.begun, both.first_there[:132] + proof + both.first_there[165:])


def test_our_own_round_sent_back_to_us_proves_nothing() -> None:
    both = Paired()
    with pytest.raises(HandshakeBroken):
        meet(both.begun, both.first)


def test_a_point_is_written_and_read_back() -> None:
    assert written(BASE)[:2].hex() == "4104"
    assert written(read(written(BASE * 7))) == written(BASE * 7)


@pytest.mark.parametrize(
    "data",
    [b"", bytes(66), b"\x41\x04" + bytes(64), b"\x41\x04" + b"\xff" * 64, b"\x41\x02" + written(BASE)[2:]],
    ids=["nothing", "zeros", "off the curve", "beyond the field", "compressed"],
)
def test_what_is_no_point_of_the_curve_is_refused(data: bytes) -> None:
    with pytest.raises(PointBroken):
        read(data)


def test_points_that_undo_each_other_are_refused() -> None:
    """A hub could choose its points so that nothing is left of what round 2 is made from."""
    mine = BASE * 11
    undone = Met(Begun(Role.CLIENT, 1, 12, (mine, BASE * 12)), (BASE * 5, mine * (ORDER - 1) + BASE * (ORDER - 5)))
    with pytest.raises(HandshakeBroken):
        commit(undone)


@pytest.mark.parametrize("passcode", ["", "\0", "1" * 65])
def test_what_is_no_passcode_does_not_begin(passcode: str) -> None:
    with pytest.raises(ValueError, match="passcode"):
        begin(Role.CLIENT, passcode)


def test_secrets_are_not_shown() -> None:
    assert repr(Paired().client) == "Met(own=Begun(role=<Role.CLIENT: 'client'>))"
