"""New boxes beside those that stay: right of what leads to them, at its height, where there is room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import ceil, floor

from zhixing.graphs.layout.model import Box, Options
from zhixing.graphs.layout.rooms import Rectangle, around, free_above, free_below
from zhixing.graphs.layout.sheets import Sheet
from zhixing.graphs.layout.wiring import Wires, reversed_wires


@dataclass(frozen=True, slots=True)
class Unit:
    """What is placed as one: a new box, or a group that is all new. Its boxes lie in a rectangle from (0, 0)."""

    boxes: Mapping[int, tuple[int, int]]
    width: int
    height: int

    def at(self, x: float, y: float) -> Rectangle:
        """Return the rectangle that it takes there."""
        return Rectangle(x, y, x + self.width, y + self.height)


@dataclass(slots=True)
class Canvas:
    """What stands where already."""

    boxes: Sequence[Box]
    options: Options
    placed: dict[int, Rectangle] = field(default_factory=dict)
    groups: dict[str, Rectangle] = field(default_factory=dict)
    """The rectangles around the placed boxes of each group."""

    def put(self, box: int, x: float, y: float) -> None:
        """Note that a box stands there."""
        one = self.boxes[box]
        here = Rectangle(x, y, x + one.width, y + one.height)
        self.placed[box] = here
        if one.group is not None:
            self.groups[one.group] = around([here, self.groups.get(one.group, here)])

    def taken(self, group: str | None) -> list[Rectangle]:
        """Return what a box of a group may not touch: all boxes, and the rectangles of the other groups."""
        return [*self.placed.values(), *(where for name, where in self.groups.items() if name != group)]

    def holds(self, box: int) -> bool:
        """Tell whether others of the box's group stand there."""
        return self.boxes[box].group in self.groups

    def fits(self, where: Rectangle, group: str) -> bool:
        """Tell whether no other box comes to lie within a group when a new box of it stands there."""
        whole = around([self.groups[group], where])
        return not any(whole.meets(other) for box, other in self.placed.items() if self.boxes[box].group != group)

    @property
    def clear(self) -> tuple[int, int]:
        """The pixels that a new box keeps free beside it, and above and below it."""
        return min(self.options.column_gap, self.options.row_gap) // 2, self.options.row_gap


def beside(
    sheets: Iterable[Sheet], boxes: Sequence[Box], out: Wires, column: Sequence[int], options: Options
) -> dict[int, tuple[float, float]]:
    """Return the places of all boxes of parts in which some boxes have a position already; those are not moved.

    The new ones come one after the other, from those that are kept outwards, in the order of a fresh layout.
    """
    canvas = Canvas(boxes, options)
    mine = list(sheets)
    for each in mine:
        for box in each.places:
            position = boxes[box].position
            if position is not None:
                canvas.put(box, position.x, position.y)
    into = reversed_wires(out)
    wired = [[*into[box], *out[box]] for box in range(len(boxes))]
    for each in mine:
        for unit in _in_turn(each, canvas, wired, column):
            _place(unit, canvas, out, into)
    return {box: (where.left, where.top) for box, where in canvas.placed.items()}


def _units(sheet: Sheet, canvas: Canvas) -> list[Unit]:
    of_group: dict[str, list[int]] = {}
    units = []
    for box in sheet.places:
        group = canvas.boxes[box].group
        if canvas.boxes[box].position is not None:
            continue
        if group is not None and group not in canvas.groups:
            of_group.setdefault(group, []).append(box)
        else:
            units.append([box])
    return [_unit(members, sheet, canvas.boxes) for members in [*units, *of_group.values()]]


def _unit(members: Sequence[int], sheet: Sheet, boxes: Sequence[Box]) -> Unit:
    left = min(sheet.places[box][0] for box in members)
    top = min(sheet.places[box][1] for box in members)
    places = {box: (sheet.places[box][0] - left, sheet.places[box][1] - top) for box in members}
    return Unit(
        places,
        max(x + ceil(boxes[box].width) for box, (x, _) in places.items()),
        max(y + ceil(boxes[box].height) for box, (_, y) in places.items()),
    )


def _in_turn(sheet: Sheet, canvas: Canvas, wired: Wires, column: Sequence[int]) -> Iterable[Unit]:
    """Yield the units of a part, always the first in a fresh layout of those that something placed is wired to.

    `wired` has the neighbours of each box, on both sides.
    """
    units = _units(sheet, canvas)
    unit_of = {box: n for n, unit in enumerate(units) for box in unit.boxes}
    ranks = [min((column[box], sheet.places[box][1], box) for box in unit.boxes) for unit in units]
    ready = {n for box, n in unit_of.items() if canvas.holds(box) or any(near in canvas.placed for near in wired[box])}
    # A part hangs together by its wires and groups, and one box of it is kept: so everything is reached.
    ahead = [(ranks[number], number) for number in ready]
    heapify(ahead)
    while ahead:
        unit = units[heappop(ahead)[1]]
        yield unit
        near = [other for box in unit.boxes for other in wired[box]]
        for number in dict.fromkeys(unit_of[other] for other in near if other in unit_of):
            if number not in ready:
                ready.add(number)
                heappush(ahead, (ranks[number], number))


def _place(unit: Unit, canvas: Canvas, out: Wires, into: Wires) -> None:
    group = canvas.boxes[next(iter(unit.boxes))].group
    taken = canvas.taken(group)
    where = _by_wires(unit, canvas, taken, out, into)
    if group is not None and group in canvas.groups and not canvas.fits(where, group):
        whole = canvas.groups[group]
        inside = unit.at(ceil(whole.left), ceil(whole.top))
        inside = unit.at(inside.left, free_below(taken, inside, canvas.clear))
        if canvas.fits(inside, group):
            where = inside
    for box, (left, top) in unit.boxes.items():
        canvas.put(box, where.left + left, where.top + top)


def _by_wires(unit: Unit, canvas: Canvas, taken: Sequence[Rectangle], out: Wires, into: Wires) -> Rectangle:
    """Return where the wires want a unit, as near as there is room.

    What one box leads to is stacked in the order of its ports: below an earlier one, or else above a later one.
    """
    placed = canvas.placed
    sources = [placed[n] for box in unit.boxes for n in into[box] if n in placed]
    targets = [placed[n] for box in unit.boxes for n in out[box] if n in placed]
    near = sources or targets
    if not near:
        group = canvas.boxes[next(iter(unit.boxes))].group
        whole = canvas.groups.get(group or "") or around(placed.values())
        below = unit.at(ceil(whole.left), ceil(whole.bottom))
        return unit.at(below.left, free_below(taken, below, canvas.clear))
    middle = sum((where.top + where.bottom) / 2 for where in near) / len(near)
    wanted = unit.at(_across(unit, sources, targets, canvas), ceil(middle - unit.height / 2))
    earlier, later = _siblings(unit, canvas, out, into)
    above = [where.bottom for where in earlier if where.left < wanted.right and wanted.left < where.right]
    below_it = [where.top for where in later if where.left < wanted.right and wanted.left < where.right]
    if below_it and not above:
        wanted = unit.at(wanted.left, min(wanted.top, floor(min(below_it)) - unit.height))
        return unit.at(wanted.left, free_above(taken, wanted, canvas.clear))
    wanted = unit.at(wanted.left, max([wanted.top, *map(ceil, above)]))
    return unit.at(wanted.left, free_below(taken, wanted, canvas.clear))


def _across(unit: Unit, sources: Sequence[Rectangle], targets: Sequence[Rectangle], canvas: Canvas) -> int:
    """Return the left edge: between its sources and targets if there is room, else right of the sources."""
    gap = canvas.options.column_gap
    if not sources:
        return floor(min(where.left for where in targets)) - gap - unit.width
    left = ceil(max(where.right for where in sources))
    if not targets:
        return left + gap
    spare = floor(min(where.left for where in targets)) - left - unit.width
    return left + (min(gap, spare // 2) if spare >= 2 * canvas.clear[0] else gap)


def _siblings(unit: Unit, canvas: Canvas, out: Wires, into: Wires) -> tuple[list[Rectangle], list[Rectangle]]:
    """Return where the boxes stand that a common source leads to before, and after, those of the unit."""
    earlier: list[Rectangle] = []
    later: list[Rectangle] = []
    for box in unit.boxes:
        for source in into[box]:
            at = out[source].index(box)
            for n, other in enumerate(out[source]):
                if other in canvas.placed and other not in unit.boxes:
                    (earlier if n < at else later).append(canvas.placed[other])
    return earlier, later
