"""The order within the columns: few crossings, and what one box leads to in the order of its ports.

Barycentre sweeps (Sugiyama et al. 1981); then neighbours are exchanged where that leaves fewer crossings (Gansner
et al. 1993). The first of the orders with the fewest crossings is taken: a drawing that crosses nothing is not touched.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from itertools import pairwise

from zhixing.graphs.layout.layers import Layered

SWEEPS = 16
"""How often the columns are sorted, forth and back."""
EXCHANGES = 6
"""How often neighbours are exchanged afterwards, at most, in all columns."""

Layers = list[list[int]]


def ordered(part: Layered) -> Layers:
    """Return the columns, each from above to below."""
    families = _families(part)
    layers = [_sorted(layer, dict.fromkeys(layer, 0.0), families[n]) for n, layer in enumerate(part.layers)]
    best, fewest = layers, crossings(layers, part.down)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        forth = sweep % 2 == 0
        layers = _swept(layers, part.up if forth else part.down, families, forth=forth)
        crossed = crossings(layers, part.down)
        if crossed < fewest:
            best, fewest = layers, crossed
    return _exchanged(best, part, families) if fewest else best


def crossings(layers: Layers, down: dict[int, list[int]]) -> int:
    """Return how many pairs of wires cross between neighbouring columns."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {item: n for n, item in enumerate(lower)}
        seen: list[int] = []
        for item in upper:
            ends = sorted(place[target] for target in down[item])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _families(part: Layered) -> list[list[list[int]]]:
    """Return, for each column, the items that share their first parent, in the order of its ports."""
    families: list[list[list[int]]] = [[] for _ in part.layers]
    for n, layer in enumerate(part.layers[:-1]):
        for parent in layer:
            children = [child for child in part.down[parent] if part.up[child][0] == parent]
            if len(children) > 1:
                families[n + 1].append(children)
    return families


def _swept(layers: Layers, towards: dict[int, list[int]], families: list[list[list[int]]], *, forth: bool) -> Layers:
    swept = list(layers)
    place: dict[int, int] = {}
    for n in range(len(layers)) if forth else reversed(range(len(layers))):
        keys = {}
        for at, item in enumerate(layers[n]):
            near = [place[other] for other in towards[item]]
            keys[item] = sum(near) / len(near) if near else float(at)
        swept[n] = _sorted(layers[n], keys, families[n])
        place = {item: at for at, item in enumerate(swept[n])}
    return swept


def _sorted(layer: list[int], keys: dict[int, float], families: list[list[int]]) -> list[int]:
    """Sort by key; a family takes the places of its members, in the order of the ports."""
    ranks = {item: (keys[item], at) for at, item in enumerate(layer)}
    for family in families:
        ranks.update(zip(family, sorted(ranks[item] for item in family), strict=True))
    return sorted(layer, key=ranks.__getitem__)


def _exchanged(layers: Layers, part: Layered, families: list[list[list[int]]]) -> Layers:
    """Exchange neighbours as long as that leaves fewer crossings; a family keeps its order."""
    layers = [list(layer) for layer in layers]
    place = {item: at for layer in layers for at, item in enumerate(layer)}
    fixed = {pair for some in families for family in some for pair in pairwise(family)}
    for _ in range(EXCHANGES):
        better = 0
        for layer in layers:
            ends = {item: (_places(part.up[item], place), _places(part.down[item], place)) for item in layer}
            for at in range(len(layer) - 1):
                above, below = layer[at], layer[at + 1]
                if (above, below) not in fixed and (gain := _gain(ends[above], ends[below])) > 0:
                    layer[at : at + 2] = below, above
                    place[above], place[below] = at + 1, at
                    better += gain
        if not better:
            break
    return layers


def _places(items: list[int], place: dict[int, int]) -> list[int]:
    return sorted(place[item] for item in items)


def _gain(above: tuple[list[int], list[int]], below: tuple[list[int], list[int]]) -> int:
    """Return how many crossings fewer there are when two neighbours are exchanged, by the places of their wires."""
    gain = 0
    for upper, lower in zip(above, below, strict=True):
        for end in lower:
            gain += len(upper) - bisect_right(upper, end) - bisect_left(upper, end)
    return gain
