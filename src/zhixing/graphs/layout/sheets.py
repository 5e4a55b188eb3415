"""Parts as rectangles of boxes, and how they are put below each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from zhixing.graphs.layout.folding import rows
from zhixing.graphs.layout.model import Box, Options
from zhixing.graphs.layout.stacking import stacked
from zhixing.graphs.layout.wiring import Wires

WIDEST_SHELF = 4
"""How many of the widest boxes without wires fit side by side, when nothing else is wider."""

Places = dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Some boxes laid out from (0, 0)."""

    places: Mapping[int, tuple[int, int]]
    rows: Mapping[int, int]
    width: int
    height: int


def sheet(part: Sequence[int], boxes: Sequence[Box], out: Wires, column: Sequence[int], options: Options) -> Sheet:
    """Lay out one part from left to right."""
    groups = [box.group for box in boxes]
    heights = {box: boxes[box].height for box in part}
    tops = stacked(part, out, column, boxes, options.row_gap)
    count = 1 + max(column[box] for box in part)
    row_of = rows(count, options.fold_after, _spans(part, groups, column))
    widths = [0] * count
    for box in part:
        widths[column[box]] = max(widths[column[box]], ceil(boxes[box].width))
    left, width = _lefts(widths, row_of, options.column_gap)
    places: Places = {}
    height = 0
    for row in range(1 + max(row_of)):
        mine = [box for box in part if row_of[column[box]] == row]
        if not mine:
            continue
        begin = height + options.part_gap if places else 0
        highest = min(tops[box] for box in mine)
        places.update((box, (left[column[box]], begin + tops[box] - highest)) for box in mine)
        height = max(places[box][1] + ceil(heights[box]) for box in mine)
    return Sheet(places, {box: row_of[column[box]] for box in part}, width, height)


def shelf(single: Sequence[int], boxes: Sequence[Box], room: int, options: Options) -> Sheet:
    """Lay out boxes without wires in lines, at most `room` wide, or as wide as a few of them."""
    widest = max(ceil(boxes[box].width) for box in single)
    room = max(room, WIDEST_SHELF * widest + (WIDEST_SHELF - 1) * options.column_gap)
    places: Places = {}
    x = y = bottom = width = 0
    for box in single:
        end = x + ceil(boxes[box].width)
        if x and end > room:
            x, y = 0, bottom + options.row_gap
            end = ceil(boxes[box].width)
        places[box] = (x, y)
        x = end + options.column_gap
        bottom = max(bottom, y + ceil(boxes[box].height))
        width = max(width, end)
    return Sheet(places, dict.fromkeys(single, 0), width, bottom)


def pile(sheets: Sequence[Sheet], at: tuple[int, int], gap: int) -> Places:
    """Put sheets below each other, the first at `at`."""
    places: Places = {}
    x, y = at
    for each in sheets:
        places.update((box, (x + left, y + top)) for box, (left, top) in each.places.items())
        y += each.height + gap
    return places


def _lefts(widths: Sequence[int], row_of: Sequence[int], gap: int) -> tuple[list[int], int]:
    lefts = []
    x = widest = 0
    for column, width in enumerate(widths):
        if column and row_of[column] != row_of[column - 1]:
            x = 0
        lefts.append(x)
        widest = max(widest, x + width)
        x += width + gap
    return lefts, widest


def _spans(part: Sequence[int], groups: Sequence[str | None], column: Sequence[int]) -> list[tuple[int, int]]:
    of: dict[str, list[int]] = {}
    for box in part:
        group = groups[box]
        if group is not None:
            of.setdefault(group, []).append(column[box])
    return [(min(columns), max(columns)) for columns in of.values()]
