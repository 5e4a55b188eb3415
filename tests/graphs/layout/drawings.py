"""Boxes and wires to lay out, and what must hold of every layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hypothesis import strategies as st

from zhixing.graphs.layout.model import Box, Edge, Placement, Point

Rectangle = tuple[float, float, float, float]
SIDES = st.integers(20, 900)


def box(name: str, width: float = 528, height: float = 164, group: str | None = None, at: Point | None = None) -> Box:
    return Box(name, width, height, group, at)


def boxes(names: str) -> list[Box]:
    return [box(name) for name in names.split()]


def wired(text: str) -> list[Edge]:
    """Read `a>b c.1>d`: from output 0 of a to input 0 of b, from output 1 of c to d."""
    edges = []
    for wire in text.split():
        source, target = wire.split(">")
        name, _, port = source.partition(".")
        edges.append(Edge(name, int(port or 0), target))
    return edges


def moved(some: Iterable[Box], places: Mapping[str, Point]) -> list[Box]:
    """Return the boxes at their places, where they have one."""
    return [Box(one.id, one.width, one.height, one.group, places.get(one.id)) for one in some]


def rectangle(one: Box, placed: Placement) -> Rectangle:
    at = placed.positions[one.id]
    return at.x, at.y, at.x + one.width, at.y + one.height


def meet(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def overlaps(some: Sequence[Box], placed: Placement) -> list[tuple[str, str]]:
    where = [(one.id, rectangle(one, placed)) for one in some]
    return [(a, b) for n, (a, one) in enumerate(where) for b, other in where[:n] if meet(one, other)]


def intruders(some: Sequence[Box], placed: Placement) -> list[tuple[str, str]]:
    """Return the groups with a box of another within the rectangle around them."""
    found = []
    for group in {one.group for one in some if one.group}:
        mine = [rectangle(one, placed) for one in some if one.group == group]
        whole = (min(r[0] for r in mine), min(r[1] for r in mine), max(r[2] for r in mine), max(r[3] for r in mine))
        found += [(group, o.id) for o in some if o.group != group and meet(whole, rectangle(o, placed))]
    return found


@st.composite
def drawings(draw: st.DrawFn, groups: Sequence[str | None] = (None,)) -> tuple[list[Box], list[Edge]]:
    """Anything: cycles, self loops, several wires between the same boxes, parts, boxes without wires."""
    names = [f"n{n}" for n in range(draw(st.integers(0, 24)))]
    some = [Box(name, draw(SIDES), draw(SIDES), draw(st.sampled_from(groups))) for name in names]
    if not names:
        return some, []
    ends, ports = st.sampled_from(names), st.integers(0, 3)
    return some, draw(st.lists(st.builds(Edge, ends, ports, ends), max_size=40))
