"""The wires by number of box: their order, the cycles among them, the parts that they connect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from zhixing.graphs.layout.model import Edge

Wires = list[list[int]]
"""For each box, the boxes that it leads to, each once, in the order of its ports and then of its wires."""


def wires(numbers: Mapping[str, int], edges: Iterable[Edge]) -> Wires:
    """Return what each box leads to. Wires from a box to itself do not count."""
    found: list[dict[int, None]] = [{} for _ in numbers]
    for edge in sorted(edges, key=lambda edge: edge.source_port_index):
        source, target = numbers[edge.source], numbers[edge.target]
        if source != target:
            found[source].setdefault(target)
    return [list(targets) for targets in found]


def reversed_wires(out: Wires) -> Wires:
    """Return what leads to each box, in the order of the boxes."""
    into: Wires = [[] for _ in out]
    for source, targets in enumerate(out):
        for target in targets:
            into[target].append(source)
    return into


def backward_wires(out: Wires) -> set[tuple[int, int]]:
    """Return the wires without which there is no cycle.

    They are those that lead back to a box on the way there, when one walks from the boxes that nothing leads to, and
    then from the rest, in the order given. So a loop's entry is the box where the walk first meets it.
    """
    begun: set[int] = set()
    on_the_way: set[int] = set()
    backward = set()
    into = reversed_wires(out)
    for root in [*(box for box in range(len(out)) if not into[box]), *range(len(out))]:
        if root in begun:
            continue
        begun.add(root)
        on_the_way.add(root)
        way: list[tuple[int, Iterator[int]]] = [(root, iter(out[root]))]
        while way:
            box, rest = way[-1]
            for target in rest:
                if target in on_the_way:
                    backward.add((box, target))
                elif target not in begun:
                    begun.add(target)
                    on_the_way.add(target)
                    way.append((target, iter(out[target])))
                    break
            else:
                on_the_way.remove(box)
                way.pop()
    return backward


def without(out: Wires, backward: set[tuple[int, int]]) -> Wires:
    """Return the wires that are left."""
    return [[target for target in targets if (source, target) not in backward] for source, targets in enumerate(out)]


def parts(out: Wires, groups: Sequence[str | None]) -> list[list[int]]:
    """Return the boxes that wires or a common group connect, each part and the parts in the order given."""
    parent = list(range(len(out)))

    def root(box: int) -> int:
        while parent[box] != box:
            parent[box] = parent[parent[box]]
            box = parent[box]
        return box

    def connect(one: int, other: int) -> None:
        first, second = sorted((root(one), root(other)))
        parent[second] = first

    for source, targets in enumerate(out):
        for target in targets:
            connect(source, target)
    first_of: dict[str, int] = {}
    for box, group in enumerate(groups):
        if group is not None:
            connect(first_of.setdefault(group, box), box)
    found: dict[int, list[int]] = {}
    for box in range(len(out)):
        found.setdefault(root(box), []).append(box)
    return list(found.values())
