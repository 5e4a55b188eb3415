"""Rectangles on the canvas, and the nearest room between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Rectangle) -> bool:
        """Tell whether two rectangles share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def around(rectangles: Iterable[Rectangle]) -> Rectangle:
    """Return the rectangle around some; there is at least one."""
    some = list(rectangles)
    return Rectangle(
        min(each.left for each in some),
        min(each.top for each in some),
        max(each.right for each in some),
        max(each.bottom for each in some),
    )


def free_below(taken: Sequence[Rectangle], wanted: Rectangle, clear: tuple[int, int]) -> int:
    """Return the first height from the wanted one downwards with `clear` pixels free beside, above and below."""
    y, height = ceil(wanted.top), wanted.bottom - wanted.top
    for other in sorted(_beside(taken, wanted, clear[0]), key=lambda other: other.top):
        if y < other.bottom + clear[1] and other.top < y + height + clear[1]:
            y = ceil(other.bottom + clear[1])
    return y


def free_above(taken: Sequence[Rectangle], wanted: Rectangle, clear: tuple[int, int]) -> int:
    """Return the first height from the wanted one upwards with `clear` pixels free beside, above and below."""
    y, height = floor(wanted.top), wanted.bottom - wanted.top
    for other in sorted(_beside(taken, wanted, clear[0]), key=lambda other: -other.bottom):
        if y < other.bottom + clear[1] and other.top < y + height + clear[1]:
            y = floor(other.top - clear[1] - height)
    return y


def _beside(taken: Sequence[Rectangle], wanted: Rectangle, side: int) -> list[Rectangle]:
    """Return what stands in the same columns."""
    return [each for each in taken if each.left < wanted.right + side and wanted.left - side < each.right]
