"""What is laid out, how, and what comes of it.

Coordinates are pixels of the editor's canvas: x grows to the right, y downwards, a box's position is its upper left
corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

MOST_BOXES = 2_000
"""Boxes that one layout may have."""
MOST_EDGES = 10_000
"""Wires that one layout may have."""
LONGEST_SIDE = 10_000
"""Pixels that a side of a box, or a gap, may have."""
FARTHEST = 10_000_000
"""Pixels that a kept box may be away from the origin of the canvas."""


class Direction(StrEnum):
    """Where the wires go."""

    RIGHT = "RIGHT"
    DOWN = "DOWN"


class Existing(StrEnum):
    """What becomes of the boxes that have a position."""

    KEEP = "keep"
    """They stay, and only the others are placed."""
    MOVE = "move"
    """Everything is laid out anew."""


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the canvas. What the layout places has whole numbers; what is kept is returned as it was given."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    """A node's card. The boxes of one `group` stay together: no other box lies within the rectangle around them."""

    id: str
    width: float
    height: float
    group: str | None = None
    position: Point | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A wire from the n-th output of a box to another, or to the same box."""

    source: str
    source_port_index: int
    target: str


@dataclass(frozen=True, slots=True)
class Options:
    """How to lay out. The gaps and the origin are those of the document's layout (678 × 244 for a box)."""

    direction: Direction = Direction.RIGHT
    column_gap: int = 150
    """Pixels between the columns, along the direction."""
    row_gap: int = 80
    """Pixels between the boxes of a column, and between the boxes of a group and others."""
    part_gap: int = 120
    """Pixels between parts that are not connected, and between the rows of a folded part."""
    origin: Point = Point(100, 100)
    fold_after: int | None = None
    """Columns after which a part goes on in a row of its own. A group is never folded."""
    existing: Existing = Existing.KEEP


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the boxes go, in the order in which they were given.

    Each wire leads to a higher column, except those that are `backward`. In a fresh layout a higher column of the same
    row lies farther along the direction. Boxes that are kept have the column and row of a fresh layout.
    """

    positions: Mapping[str, Point]
    columns: Mapping[str, int]
    rows: Mapping[str, int]
    backward: tuple[Edge, ...]
    """The wires that close a cycle, self loops among them."""
