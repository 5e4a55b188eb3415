"""What cannot be laid out, said at the door."""

from __future__ import annotations

from collections.abc import Sequence

from zhixing.graphs.layout.model import FARTHEST, LONGEST_SIDE, MOST_BOXES, MOST_EDGES, Box, Edge, Options, Point
from zhixing.kernel.errors import BadInput, TooLarge


def check(boxes: Sequence[Box], edges: Sequence[Edge], options: Options) -> None:
    """Raise `TooLarge` for too much, `BadInput` for what has no meaning."""
    if len(boxes) > MOST_BOXES:
        raise TooLarge("layout_many_boxes", count=len(boxes), limit=MOST_BOXES)
    if len(edges) > MOST_EDGES:
        raise TooLarge("layout_many_edges", count=len(edges), limit=MOST_EDGES)
    known: set[str] = set()
    for box in boxes:
        if box.id in known:
            raise BadInput("layout_box_twice", id=box.id)
        known.add(box.id)
        _check_box(box)
    for edge in edges:
        for end in (edge.source, edge.target):
            if end not in known:
                raise BadInput("layout_edge_unknown", source=edge.source, target=edge.target, id=end)
    _check_options(options)


def _check_box(box: Box) -> None:
    # NaN is within no range.
    if not (0 < box.width <= LONGEST_SIDE and 0 < box.height <= LONGEST_SIDE):
        raise BadInput("layout_size_wrong", id=box.id, limit=LONGEST_SIDE)
    if box.position is not None and not _near(box.position):
        raise BadInput("layout_position_wrong", id=box.id, limit=FARTHEST)


def _check_options(options: Options) -> None:
    if not all(0 <= gap <= LONGEST_SIDE for gap in (options.column_gap, options.row_gap, options.part_gap)):
        raise BadInput("layout_gap_wrong", limit=LONGEST_SIDE)
    if not _near(options.origin):
        raise BadInput("layout_origin_wrong", limit=FARTHEST)
    if options.fold_after is not None and options.fold_after < 1:
        raise BadInput("layout_fold_wrong")


def _near(point: Point) -> bool:
    return -FARTHEST <= point.x <= FARTHEST and -FARTHEST <= point.y <= FARTHEST
