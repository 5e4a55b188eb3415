"""Frames, their ciphers and what they carry (mijia §6.1); the sealed frames are published vectors."""

from __future__ import annotations

import zlib

import pytest

from zhixing.world.hub import frames, payload
from zhixing.world.hub.frames import FrameBroken, Kind, Opener, Sealer, pack, unpack
from zhixing.world.hub.payload import PayloadBroken, PayloadLarge, PayloadUnusable, decode, encode

ZEROS = bytes(24)
MATERIAL = bytes(range(24))


def squeezed(text: bytes, length: int | None = None) -> bytes:
    raw = zlib.compressobj(wbits=-15)
    return (len(text) if length is None else length).to_bytes(4, "little") + raw.compress(text) + raw.flush()


@pytest.mark.parametrize(
    ("plain", "sealed"),
    [
        (b"", "01000000b58a8be6ce1850257b806ec5e2b9e860"),
        (bytes(16), "010000004661d681f92680d7a45e9fbeae6b6383c7d569da934cc4c33d78125d82445fcc"),
    ],
)
def test_the_first_frame_under_a_key_of_zeros_is_as_published(plain: bytes, sealed: str) -> None:
    assert Sealer(ZEROS).seal(plain).hex() == sealed
    assert Opener(ZEROS).open(bytes.fromhex(sealed)) == plain


def test_counters_grow_and_frames_open_in_their_order() -> None:
    sealer, opener = Sealer(MATERIAL), Opener(MATERIAL)
    bodies = [sealer.seal(bytes((number,))) for number in range(3)]
    assert [int.from_bytes(body[:4], "little") for body in bodies] == [1, 2, 3]
    assert [opener.open(body) for body in bodies] == [b"\0", b"\1", b"\2"]


def test_a_frame_that_comes_again_or_too_late_is_refused() -> None:
    sealer, opener = Sealer(MATERIAL), Opener(MATERIAL)
    first, second = sealer.seal(b"1"), sealer.seal(b"2")
    assert opener.open(second) == b"2"
    for body in (second, first):
        with pytest.raises(FrameBroken):
            opener.open(body)


@pytest.mark.parametrize("place", [0, 3, 4, -1])
def test_a_changed_bit_is_noticed_and_does_not_move_the_counter(place: int) -> None:
    opener = Opener(MATERIAL)
    good = Sealer(MATERIAL).seal(b"1")
    bad = bytearray(good)
    bad[place] ^= 4
    with pytest.raises(FrameBroken):
        opener.open(bytes(bad))
    assert opener.open(good) == b"1"


def test_a_body_too_short_for_a_counter_and_a_tag_is_refused() -> None:
    with pytest.raises(FrameBroken):
        Opener(MATERIAL).open(bytes(19))


def test_a_counter_is_never_used_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_LAST", 1)
    sealer = Sealer(MATERIAL)
    sealer.seal(b"")
    with pytest.raises(FrameBroken):
        sealer.seal(b"")


@pytest.mark.parametrize("material", [bytes(23), bytes(25)])
def test_a_cipher_is_made_of_24_bytes(material: bytes) -> None:
    with pytest.raises(FrameBroken):
        Opener(material)


def test_a_frame_is_its_kind_and_its_body() -> None:
    assert pack(Kind.ROUND_ONE, b"ab") == b"\x20ab"
    assert unpack(b"\x05ab") == (Kind.DATA, b"ab")


def test_frames_of_no_kind_or_beyond_the_bound_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "LARGEST_FRAME", 3)
    for frame in (b"", b"\xff", b"\x05123"):
        with pytest.raises(FrameBroken):
            unpack(frame)
    assert pack(Kind.DATA, b"12") == b"\x0512"
    with pytest.raises(FrameBroken):
        pack(Kind.DATA, b"123")


def test_an_empty_object_is_as_published() -> None:
    assert encode({}).hex() == "02000000abae0500"
    assert decode(bytes.fromhex("02000000abae0500")) == {}


@pytest.mark.parametrize("value", [None, [], {"名": ["客厅", 1, 2.5, True, None, "😀"]}, "x" * 100_000])
def test_what_is_sent_is_what_is_read(value: object) -> None:
    assert decode(encode(value)) == value


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\2\0\0\0", id="only a length"),
        pytest.param(squeezed(b"{}", 1), id="longer than promised"),
        pytest.param(squeezed(b"{}", 3), id="shorter than promised"),
        pytest.param(squeezed(b"{}") + b"x", id="more behind it"),
        pytest.param(squeezed(b"{}")[:-1], id="cut"),
        pytest.param(b"\2\0\0\0" + b"\xff" * 8, id="no deflate"),
        pytest.param(squeezed(b"{"), id="no JSON"),
        pytest.param(squeezed(b"\xff"), id="no UTF-8"),
        pytest.param(squeezed(b"NaN"), id="no number"),
        pytest.param(squeezed(b"[" * 101 + b"]" * 101), id="too deep"),
        pytest.param(squeezed(b"[" * 100_000), id="far too deep"),
        pytest.param((2**32 - 1).to_bytes(4, "little") + squeezed(b"{}")[4:], id="promised too much"),
    ],
)
def test_what_is_no_payload_is_refused(data: bytes) -> None:
    with pytest.raises(PayloadBroken):
        decode(data)


def test_a_small_frame_does_not_become_a_large_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "LARGEST_TEXT", 1_000)
    with pytest.raises(PayloadBroken):
        decode(squeezed(b"[" + b" " * 1_000_000 + b"]", 1_000))
    with pytest.raises(PayloadBroken):
        decode(squeezed(b" " * 1_000 + b"1"))
    with pytest.raises(PayloadLarge):
        encode("x" * 1_000)


def deep(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("value", [float("nan"), object(), "\ud800", deep(101), deep(100_000)])
def test_what_is_no_json_is_not_sent(value: object) -> None:
    with pytest.raises(PayloadUnusable):
        encode(value)


def test_what_is_as_deep_as_may_be_is_sent() -> None:
    assert decode(encode(deep(100))) == deep(100)
