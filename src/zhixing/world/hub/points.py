"""Points and scalars of the curve secp256k1 as they stand on the wire (mijia §6.1).

A point is 66 bytes: the length 0x41, then 0x04, X and Y of 32 bytes each.
"""

from __future__ import annotations

from typing import Final, Protocol, Self, cast

from ecdsa import SECP256k1
from ecdsa.ellipticcurve import INFINITY, PointJacobi


class Point(Protocol):
    """A point of the curve: it can be added to another and multiplied by a scalar."""

    def __add__(self, other: Self) -> Self:
        """Add two points."""
        ...

    def __mul__(self, scalar: int) -> Self:
        """Add a point to itself so many times."""
        ...


ORDER: Final = int(SECP256k1.order)
"""What scalars are counted modulo."""
BASE: Final = cast("Point", SECP256k1.generator)
"""The generator of the curve."""
POINT_BYTES: Final = 66
SCALAR_BYTES: Final = 32

_BARE = POINT_BYTES - 1
_HEAD = bytes((_BARE, 4))
_CURVE = SECP256k1.curve
_PRIME = int(_CURVE.p())


class PointBroken(Exception):
    """These bytes are no point of the curve, or a sum of points is none that can be used."""


def bare(point: Point) -> bytes:
    """Write a point as 65 bytes: 0x04, X and Y. Raises `PointBroken` for the point at infinity."""
    return _finite(point).to_bytes("uncompressed")  # type: ignore[no-any-return]


def written(point: Point) -> bytes:
    """Write a point as 66 bytes, its length before it."""
    return bytes((_BARE,)) + bare(point)


def read(data: bytes) -> Point:
    """Read a point of 66 bytes; raise `PointBroken` for what is not on the curve."""
    if len(data) != POINT_BYTES or data[:2] != _HEAD:
        raise PointBroken
    x, y = (int.from_bytes(data[start : start + SCALAR_BYTES], "big") for start in (2, 2 + SCALAR_BYTES))
    # The library would take any two numbers for a point.
    if max(x, y) >= _PRIME or not _CURVE.contains_point(x, y):
        raise PointBroken
    return cast("Point", PointJacobi(_CURVE, x, y, 1, ORDER))


def x_bytes(point: Point) -> bytes:
    """Write the X of a point as 32 bytes; raise `PointBroken` for the point at infinity."""
    return bare(point)[1 : 1 + SCALAR_BYTES]


def usable(point: Point) -> Point:
    """Return the point; raise `PointBroken` for the point at infinity."""
    _finite(point)
    return point


def _finite(point: Point) -> PointJacobi:
    if point == INFINITY:
        raise PointBroken
    return cast("PointJacobi", point)
