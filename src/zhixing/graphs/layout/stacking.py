"""The boxes of one part, column by column: from the wires to the upper edge of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zhixing.graphs.layout.coordinates import tops
from zhixing.graphs.layout.groups import Block, gathered
from zhixing.graphs.layout.layers import layered
from zhixing.graphs.layout.model import Box
from zhixing.graphs.layout.ordering import ordered
from zhixing.graphs.layout.wiring import Wires


def stacked(
    members: Sequence[int], out: Wires, column: Sequence[int], boxes: Sequence[Box], gap: int
) -> dict[int, int]:
    """Return the upper edge of each box of a part, from 0; groups are held together."""
    heights = {box: boxes[box].height for box in members}
    free = _free(members, out, column, heights, gap)
    groups: dict[str, list[int]] = {}
    blocks = []
    for box in members:
        group = boxes[box].group
        if group is None:
            blocks.append(Block.of({box: 0}, heights, column, middle=_middle([box], free, heights)))
        else:
            groups.setdefault(group, []).append(box)
    if not groups:
        return free
    for own in groups.values():
        inside: Wires = [[]] * len(out)
        mine = set(own)
        for box in own:
            inside[box] = [target for target in out[box] if target in mine]
        tops_inside = _free(own, inside, column, heights, gap)
        blocks.append(Block.of(tops_inside, heights, column, middle=_middle(own, free, heights)))
    return gathered(blocks, gap)


def _free(
    members: Sequence[int], out: Wires, column: Sequence[int], heights: Mapping[int, float], gap: int
) -> dict[int, int]:
    laid = layered(members, out, column)
    return tops(laid, ordered(laid), {box: heights[box] for box in members}, gap)


def _middle(boxes: Sequence[int], free: Mapping[int, int], heights: Mapping[int, float]) -> float:
    return sum(free[box] + heights[box] / 2 for box in boxes) / len(boxes)
