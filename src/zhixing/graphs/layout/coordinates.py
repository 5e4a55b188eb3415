"""Heights: each box as near as possible to the middle of what it is wired to, in the order of its column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil

from zhixing.graphs.layout.layers import Layered

ROUNDS = 2
"""How often the columns are settled, back and forth."""
UNWIRED = 0.25
"""How much the place of a box counts that nothing pulls, against one wire."""


def tops(part: Layered, layers: list[list[int]], heights: Mapping[int, float], gap: int) -> dict[int, int]:
    """Return the upper edge of each box of a part, whole numbers from 0.

    The numbers that have no height are lanes.
    """

    def apart(above: int, below: int) -> float:
        # A wire needs less room than a box, but must not touch one.
        room = gap if above in heights and below in heights else gap / 2
        return heights.get(above, 0) / 2 + room + heights.get(below, 0) / 2

    middles: dict[int, float] = {}
    for layer in layers:
        middles.update(zip(layer, settled([0.0] * len(layer), [1] * len(layer), _steps(layer, apart)), strict=True))
    for _ in range(ROUNDS):
        _align(reversed(layers), part.down, middles, apart)
        _align(layers, part.up, middles, apart)
    upper: dict[int, int] = {}
    for layer in layers:
        upper.update(_whole(layer, middles, heights, gap))
    highest = min(upper.values())
    return {box: top - highest for box, top in upper.items()}


def settled(wanted: Sequence[float], weights: Sequence[float], steps: Sequence[float]) -> list[float]:
    """Return the places nearest to those wanted, by weighted squares, with at least `steps` between neighbours.

    Without the steps they would have to be ascending; the best such fit pools neighbours that are not (isotonic
    regression, pool adjacent violators).
    """
    pools: list[tuple[float, float, int]] = []
    offsets = [0.0]
    for step in steps:
        offsets.append(offsets[-1] + step)
    for want, weight, offset in zip(wanted, weights, offsets, strict=True):
        mean, heavy, size = want - offset, float(weight), 1
        while pools and pools[-1][0] >= mean:
            other, mass, count = pools.pop()
            mean = (mean * heavy + other * mass) / (heavy + mass)
            heavy += mass
            size += count
        pools.append((mean, heavy, size))
    means = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _steps(layer: Sequence[int], apart: Callable[[int, int], float]) -> list[float]:
    return [apart(above, below) for above, below in pairwise(layer)]


def _align(
    layers: Iterable[list[int]],
    towards: Mapping[int, list[int]],
    middles: dict[int, float],
    apart: Callable[[int, int], float],
) -> None:
    for layer in layers:
        near = [[middles[other] for other in towards[item]] for item in layer]
        wanted = [sum(some) / len(some) if some else middles[item] for some, item in zip(near, layer, strict=True)]
        weights = [len(some) or UNWIRED for some in near]
        middles.update(zip(layer, settled(wanted, weights, _steps(layer, apart)), strict=True))


def _whole(
    layer: Sequence[int], middles: Mapping[int, float], heights: Mapping[int, float], gap: int
) -> Iterator[tuple[int, int]]:
    free: float | None = None
    for box in layer:
        if box in heights:
            top = round(middles[box] - heights[box] / 2)
            if free is not None:
                top = max(top, ceil(free))
            free = top + heights[box] + gap
            yield box, top
