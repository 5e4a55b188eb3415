"""How two sides that know one passcode come to share a key, and nobody who listens does: EC-J-PAKE (mijia §6.1).

Pure: random scalars are drawn by the caller's `Draw`. Each side calls, in this order,

    begun, message = begin(role, passcode, draw)    send it as round 1
    met = meet(begun, message of the other side)
    send commit(met, draw)                          as round 2
    shared = agree(met, message of the other side)

A wrong passcode makes nothing fail here: the two come to different keys, and notice when they use them.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from zhixing.world.hub.points import (
    BASE,
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    PointBroken,
    bare,
    read,
    usable,
    written,
    x_bytes,
)

SHARED_BYTES: Final = 32
_CURVE: Final = b"\x03\x00\x16"
"""The name of the curve in TLS, which the server writes before its round 2."""
_LONGEST_PASSCODE: Final = 64

Draw = Callable[[], int]
"""Draws a scalar: 1 up to the order of the curve, less one."""


class HandshakeBroken(Exception):
    """What the other side sent is no step of this handshake."""


class Role(StrEnum):
    """The two sides, by the names that they prove things under."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> Role:
        """The other side."""
        return Role.SERVER if self is Role.CLIENT else Role.CLIENT


@dataclass(frozen=True, slots=True)
class Begun:
    """One side before it heard of the other. Its secrets are in no `repr`."""

    role: Role
    secret: int = field(repr=False)
    second: int = field(repr=False)
    """The scalar of the second point."""
    points: tuple[Point, Point] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Met:
    """One side that knows the points of the other."""

    own: Begun
    others: tuple[Point, Point] = field(repr=False)

    @property
    def blinded(self) -> int:
        """The second scalar times the passcode."""
        return self.own.second * self.own.secret % ORDER


def random_scalar() -> int:
    """Draw a scalar as a pairing needs it."""
    return secrets.randbelow(ORDER - 1) + 1


def begin(role: Role, passcode: str, draw: Draw = random_scalar) -> tuple[Begun, bytes]:
    """Begin as `role`; return the state and round 1. Raises `ValueError` for a passcode that is none."""
    data = passcode.encode()
    secret = int.from_bytes(data, "big") % ORDER
    if not secret or len(data) > _LONGEST_PASSCODE:
        raise ValueError("not a passcode")
    first, second = draw(), draw()
    points = (BASE * first, BASE * second)
    message = b"".join(
        written(point) + _proof(BASE, point, scalar, role, draw)
        for point, scalar in zip(points, (first, second), strict=True)
    )
    return Begun(role, secret, second, points), message


def meet(begun: Begun, message: bytes) -> Met:
    """Read round 1 of the other side; raises `HandshakeBroken`."""
    reader = _Reader(message)
    others = (reader.proven(BASE, begun.role.other), reader.proven(BASE, begun.role.other))
    reader.end()
    return Met(begun, others)


def commit(met: Met, draw: Draw = random_scalar) -> bytes:
    """Return round 2. Raises `HandshakeBroken` when the points of both sides undo each other."""
    base = _base(met.own.points[0], *met.others)
    point = base * met.blinded
    message = written(point) + _proof(base, point, met.blinded, met.own.role, draw)
    return _CURVE + message if met.own.role is Role.SERVER else message


def agree(met: Met, message: bytes) -> bytes:
    """Read round 2 of the other side and return the 32 bytes that both have; raises `HandshakeBroken`."""
    reader = _Reader(message)
    if met.own.role is Role.CLIENT and reader.take(len(_CURVE)) != _CURVE:
        raise HandshakeBroken
    point = reader.proven(_base(met.others[0], *met.own.points), met.own.role.other)
    reader.end()
    shared = (point + met.others[1] * (ORDER - met.blinded)) * met.own.second
    try:
        return hashlib.sha256(x_bytes(shared)).digest()
    except PointBroken:
        raise HandshakeBroken from None


def _base(one: Point, two: Point, three: Point) -> Point:
    """Return what round 2 of a side is made from: its first point and both of the other side."""
    try:
        return usable(one + two + three)
    except PointBroken:
        raise HandshakeBroken from None


def _proof(base: Point, point: Point, scalar: int, role: Role, draw: Draw) -> bytes:
    """Prove that `role` knows the scalar of a point, after Schnorr."""
    drawn = draw()
    witness = base * drawn
    answer = (drawn - _challenge(base, witness, point, role) * scalar) % ORDER
    # The gateway drops leading zeros; clients were seen to send all 32 bytes.
    length = SCALAR_BYTES if role is Role.CLIENT else max(1, (answer.bit_length() + 7) // 8)
    return written(witness) + bytes((length,)) + answer.to_bytes(length, "big")


def _challenge(base: Point, witness: Point, point: Point, role: Role) -> int:
    parts = (bare(base), bare(witness), bare(point), role.value.encode())
    hashed = hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts))
    return int.from_bytes(hashed.digest(), "big") % ORDER


class _Reader:
    """Takes a message apart from its beginning."""

    def __init__(self, message: bytes) -> None:
        self._left = message

    def take(self, length: int) -> bytes:
        if len(self._left) < length:
            raise HandshakeBroken
        taken, self._left = self._left[:length], self._left[length:]
        return taken

    def proven(self, base: Point, role: Role) -> Point:
        """Take a point and the proof that `role` knows its scalar over `base`."""
        try:
            point, witness = read(self.take(POINT_BYTES)), read(self.take(POINT_BYTES))
            (length,) = self.take(1)
            if not 1 <= length <= SCALAR_BYTES:
                raise HandshakeBroken
            answer = int.from_bytes(self.take(length), "big")
            if answer >= ORDER:
                raise HandshakeBroken
            told = bare(base * answer + point * _challenge(base, witness, point, role))
        except PointBroken:
            raise HandshakeBroken from None
        if told != bare(witness):
            raise HandshakeBroken
        return point

    def end(self) -> None:
        if self._left:
            raise HandshakeBroken
