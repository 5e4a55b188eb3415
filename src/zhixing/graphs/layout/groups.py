"""Groups held together: each is a block over all its columns, and no two blocks overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True)
class Block:
    """What is moved as one: the boxes of a group, or one box that is in none."""

    tops: Mapping[int, int]
    """The upper edges of its boxes, from 0."""
    height: float
    first: int
    last: int
    """Its columns."""
    middle: float
    """Where the middle of it would be if there were no groups."""

    @classmethod
    def of(
        cls, tops: Mapping[int, int], heights: Mapping[int, float], column: Sequence[int], *, middle: float
    ) -> Block:
        """Make the block of some boxes."""
        height = max(top + heights[box] for box, top in tops.items())
        columns = [column[box] for box in tops]
        return cls(tops, height, min(columns), max(columns), middle)


def gathered(blocks: Sequence[Block], gap: int) -> dict[int, int]:
    """Return the upper edge of each box, from 0.

    The blocks are put down in the order of their middles, each where it would be or below what is in its columns
    already; so one order holds in all columns, whatever the wires say.
    """
    free: dict[int, float] = {}
    found: dict[int, int] = {}
    for block in sorted(blocks, key=lambda block: (block.middle, min(block.tops))):
        span = range(block.first, block.last + 1)
        taken = [free[column] for column in span if column in free]
        at = ceil(max([block.middle - block.height / 2, *taken]))
        free.update(dict.fromkeys(span, at + block.height + gap))
        found.update((box, at + top) for box, top in block.tops.items())
    highest = min(found.values())
    return {box: top - highest for box, top in found.items()}
