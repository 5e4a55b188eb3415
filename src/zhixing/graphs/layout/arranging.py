"""The layout of a whole graph. Pure: the same boxes and wires always give the same places.

Everything is laid out from left to right; for `DOWN` the canvas is turned before and after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, floor

from zhixing.graphs.layout.checking import check
from zhixing.graphs.layout.keeping import beside
from zhixing.graphs.layout.layers import columns
from zhixing.graphs.layout.model import Box, Direction, Edge, Existing, Options, Placement, Point
from zhixing.graphs.layout.sheets import Places, Sheet, pile, sheet, shelf
from zhixing.graphs.layout.wiring import Wires, backward_wires, parts, wires, without

DEFAULT = Options()


def lay_out(boxes: Sequence[Box], edges: Sequence[Edge], options: Options = DEFAULT) -> Placement:
    """Place the boxes of a graph; no two overlap that were not kept so.

    Parts that are not connected stand below each other, in the order of their first boxes; boxes without wires come
    last, so that they move nothing. Where the order is free, the order given decides.

    Raises `TooLarge` past the bounds of `model`, `BadInput` for boxes of one id, wires to no box, and sizes, places and
    gaps that are none.
    """
    check(boxes, edges, options)
    numbers = {box.id: number for number, box in enumerate(boxes)}
    turned = [_turned(box, options) for box in boxes]
    all_wires = wires(numbers, edges)
    backward = backward_wires(all_wires)
    out = without(all_wires, backward)
    column = columns(out)
    connected = parts(all_wires, [box.group for box in boxes])
    sheets = [sheet(part, turned, out, column, options) for part in connected]
    row = {box: at for each in sheets for box, at in each.rows.items()}
    if options.existing is Existing.MOVE or all(box.position is None for box in boxes):
        found: Mapping[int, tuple[float, float]] = _anew(sheets, turned, options)
    else:
        found = _around(sheets, turned, out, column, options)
    return Placement(
        {box.id: _point(found[n], options) for n, box in enumerate(boxes)},
        {box.id: column[n] for n, box in enumerate(boxes)},
        {box.id: row[n] for n, box in enumerate(boxes)},
        tuple(
            each
            for each in edges
            if each.source == each.target or (numbers[each.source], numbers[each.target]) in backward
        ),
    )


def _anew(sheets: Sequence[Sheet], boxes: Sequence[Box], options: Options) -> Places:
    x, y = _along(options.origin, options)
    return pile(_piled(sheets, boxes, options), (ceil(x), ceil(y)), options.part_gap)


def _around(
    sheets: Sequence[Sheet], boxes: Sequence[Box], out: Wires, column: Sequence[int], options: Options
) -> dict[int, tuple[float, float]]:
    """Place what is connected to kept boxes beside them, and all other parts below everything."""
    held: list[Sheet] = []
    others: list[Sheet] = []
    for each in sheets:
        stays = any(boxes[box].position is not None for box in each.places)
        (held if stays else others).append(each)
    found = beside(held, boxes, out, column, options)
    at = floor(min(x for x, _ in found.values())), ceil(max(y + boxes[n].height for n, (_, y) in found.items()))
    return {**found, **pile(_piled(others, boxes, options), (at[0], at[1] + options.part_gap), options.part_gap)}


def _piled(sheets: Sequence[Sheet], boxes: Sequence[Box], options: Options) -> list[Sheet]:
    """Return the sheets to put below each other, with one for all boxes without wires at the end."""
    wired = [each for each in sheets if len(each.places) > 1 or _grouped(each, boxes)]
    single = [box for each in sheets if len(each.places) == 1 and not _grouped(each, boxes) for box in each.places]
    if single:
        wired.append(shelf(single, boxes, max((each.width for each in wired), default=0), options))
    return wired


def _grouped(sheet: Sheet, boxes: Sequence[Box]) -> bool:
    return any(boxes[box].group is not None for box in sheet.places)


def _turned(box: Box, options: Options) -> Box:
    if options.direction is Direction.RIGHT:
        return box
    position = box.position and Point(box.position.y, box.position.x)
    return replace(box, width=box.height, height=box.width, position=position)


def _along(point: Point, options: Options) -> tuple[float, float]:
    return (point.x, point.y) if options.direction is Direction.RIGHT else (point.y, point.x)


def _point(place: tuple[float, float], options: Options) -> Point:
    return Point(*place) if options.direction is Direction.RIGHT else Point(*reversed(place))
