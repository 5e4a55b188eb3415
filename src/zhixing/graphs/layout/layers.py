"""Columns of boxes, and the lanes that long wires take through the columns between their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zhixing.graphs.layout.wiring import Wires, reversed_wires

LANES_PER_BOX = 8
"""Places for long wires, for each box of a part. The longest wires get none when there are too many."""


def columns(out: Wires) -> list[int]:
    """Return the column of each box; `out` has no cycle.

    It is the length of the longest way there. A box that only feeds others, such as the source of a state, stands right
    before the first box that it feeds, and so does what leads to it alone.
    """
    into = reversed_wires(out)
    order = _topological(out, into)
    column = [0] * len(out)
    loose = [False] * len(out)
    for box in order:
        column[box] = max((column[source] + 1 for source in into[box]), default=0)
        loose[box] = all(loose[source] and len(out[source]) == 1 for source in into[box])
    for box in reversed(order):
        if loose[box] and out[box]:
            column[box] = min(column[target] for target in out[box]) - 1
    return column


def _topological(out: Wires, into: Wires) -> list[int]:
    waiting = [len(sources) for sources in into]
    order = [box for box in range(len(out)) if not waiting[box]]
    for box in order:
        for target in out[box]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    return order


@dataclass(frozen=True, slots=True)
class Layered:
    """A part whose wires lead from one column to the next: numbers that are no box's are lanes."""

    layers: list[list[int]]
    """What stands in each column that is not empty, in the order in which a walk along the wires meets it."""
    down: dict[int, list[int]]
    """What each leads to in the next column, in the order of the ports."""
    up: dict[int, list[int]]
    """What leads to each from the column before, in the order of the boxes."""


def layered(part: Sequence[int], out: Wires, column: Sequence[int]) -> Layered:
    """Return the columns of a part, with lanes for its long wires."""
    lanes = _lanes(part, out, column)
    place = {box: column[box] for box in part}
    down: dict[int, list[int]] = {box: [] for box in part}
    number = len(out)
    for source in part:
        for target in out[source]:
            before = source
            if column[target] - column[source] > 1 and (source, target) not in lanes:
                continue
            for between in range(column[source] + 1, column[target]):
                place[number] = between
                down[before].append(number)
                down[number] = []
                before = number
                number += 1
            down[before].append(target)
    up: dict[int, list[int]] = {item: [] for item in down}
    for item, targets in down.items():
        for target in targets:
            up[target].append(item)
    layers: list[list[int]] = [[] for _ in range(1 + max(place.values()))]
    for item in _walk(part, down, up):
        layers[place[item]].append(item)
    return Layered([layer for layer in layers if layer], down, up)


def _lanes(part: Sequence[int], out: Wires, column: Sequence[int]) -> set[tuple[int, int]]:
    long = [(column[target] - column[source] - 1, source, target) for source in part for target in out[source]]
    left = LANES_PER_BOX * len(part)
    chosen = set()
    for needed, source, target in sorted(long):
        left -= needed
        if left < 0:
            break
        chosen.add((source, target))
    return chosen


def _walk(part: Sequence[int], down: dict[int, list[int]], up: dict[int, list[int]]) -> list[int]:
    met: dict[int, None] = {}
    for root in part:
        ahead = [] if up[root] else [root]
        while ahead:
            item = ahead.pop()
            if item not in met:
                met[item] = None
                ahead.extend(reversed(down[item]))
    return list(met)
