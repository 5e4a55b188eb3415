"""How long it takes to lay out a graph, and how good the drawing is: ours, and graphlay and grandalf where installed.

    python bench/layout.py [--rounds 5] [--json]

graphlay (Rust, MIT or Apache-2.0) and grandalf (Python, GPL or EPL) draw in layers too. They are only ever measured
here; one that is not installed is said so and left out. Every subject gets the same boxes, wires and gaps and takes its
turn in each round; the median counts. Neither keeps groups by name, so they are only drawn by ours.

What is drawn, always 500 cards of the editor's sizes:

- rules: sources, checks with two branches, delays, actions; now and then a wire back, as in household rules
- tangle: as many wires between any cards as there are cards, and half as many again
- chain: one after the other
- groups: the rules, in groups of ten
- update: the rules of which half stand already

The quality: pairs of cards that overlap; wires that do not lead to the right, of those that are in no cycle; pairs of
wires that cross, drawn straight from border to border; the drawing's area in millions of square pixels.

Exit code 1 when ours takes a second, or overlaps.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from zhixing.graphs.layout.arranging import lay_out
from zhixing.graphs.layout.model import Box, Edge, Options
from zhixing.graphs.layout.sizes import CARDS, size_of

CARDS_DRAWN = 500
BAR_MS = 1_000.0
GAPS = Options()

Places = Mapping[str, tuple[float, float]]
Subject = Callable[[Sequence[Box], Sequence[Edge]], Places]


def cards(seed: int) -> list[Box]:
    chance = random.Random(seed)
    kinds = [kind for kind in CARDS if kind != "nop"]
    return [Box(f"n{n}", *size_of(chance.choice(kinds))) for n in range(CARDS_DRAWN)]


def rules(seed: int = 1) -> tuple[list[Box], list[Edge]]:
    chance = random.Random(seed)
    edges: list[Edge] = []
    open_ends: list[tuple[int, int]] = []
    for n in range(CARDS_DRAWN):
        if len(open_ends) < 2 or chance.random() < 0.15:
            open_ends = open_ends[-6:]
        else:
            source, port = open_ends.pop(chance.randrange(len(open_ends)))
            edges.append(Edge(f"n{source}", port, f"n{n}", 0))
            if open_ends and chance.random() < 0.15:
                source, port = chance.choice(open_ends)
                edges.append(Edge(f"n{source}", port, f"n{n}", 1))
            if chance.random() < 0.03:
                edges.append(Edge(f"n{n}", 0, f"n{max(0, n - chance.randrange(30))}", 1))
        open_ends += [(n, port) for port in range(chance.choice([1, 1, 1, 2, 2]))]
    return cards(seed), edges


def tangle() -> tuple[list[Box], list[Edge]]:
    chance = random.Random(2)
    pairs = [sorted(chance.sample(range(CARDS_DRAWN), 2)) for _ in range(CARDS_DRAWN * 3 // 2)]
    return cards(2), [Edge(f"n{a}", chance.randrange(2), f"n{b}", 0) for a, b in pairs]


def chain() -> tuple[list[Box], list[Edge]]:
    return cards(3), [Edge(f"n{n}", 0, f"n{n + 1}", 0) for n in range(CARDS_DRAWN - 1)]


def groups() -> tuple[list[Box], list[Edge]]:
    some, edges = rules()
    return [replace(box, group=f"g{n // 10}") for n, box in enumerate(some)], edges


def update() -> tuple[list[Box], list[Edge]]:
    some, edges = rules()
    stood = lay_out(some, edges).positions
    return [replace(box, position=stood[box.id]) if n % 2 else box for n, box in enumerate(some)], edges


def ours(boxes: Sequence[Box], edges: Sequence[Edge]) -> Places:
    return {name: (at.x, at.y) for name, at in lay_out(boxes, edges, GAPS).positions.items()}


def of_graphlay(boxes: Sequence[Box], edges: Sequence[Edge]) -> Places:
    import graphlay

    drawn = graphlay.Graph()
    number = {box.id: drawn.node(box.id, width=box.width, height=box.height) for box in boxes}
    for edge in edges:
        drawn.edge(number[edge.source], number[edge.target])
    spacing = {"layer_gap": GAPS.column_gap, "node_gap": GAPS.row_gap}
    middles = graphlay.layout(drawn, options={"direction": "leftright", "spacing": spacing}).positions()
    found = {str(name): at for name, at in middles.items()}
    return {box.id: (found[box.id][0] - box.width / 2, found[box.id][1] - box.height / 2) for box in boxes}


def of_grandalf(boxes: Sequence[Box], edges: Sequence[Edge]) -> Places:
    from grandalf.graphs import Edge as Wire
    from grandalf.graphs import Graph, Vertex
    from grandalf.layouts import SugiyamaLayout, VertexViewer

    vertices = {box.id: Vertex(box.id) for box in boxes}
    for box in boxes:  # it draws downwards
        vertices[box.id].view = VertexViewer(w=box.height, h=box.width)
    # It fails at a second wire between the same two.
    once = dict.fromkeys((edge.source, edge.target) for edge in edges if edge.source != edge.target)
    drawn = Graph(list(vertices.values()), [Wire(vertices[a], vertices[b]) for a, b in once])
    places: dict[str, tuple[float, float]] = {}
    below = 0.0
    for part in drawn.C:
        layout = SugiyamaLayout(part)
        layout.yspace, layout.xspace = GAPS.column_gap, GAPS.row_gap
        layout.init_all()
        layout.draw(3)
        mine = {v.data: (v.view.xy[1] - v.view.h / 2, v.view.xy[0] - v.view.w / 2, v.view.w) for v in part.sV}
        top = min(y for _, y, _ in mine.values())
        places.update((name, (x, below + y - top)) for name, (x, y, _) in mine.items())
        below += max(y + height for _, y, height in mine.values()) - top + GAPS.part_gap
    return places


def overlaps(boxes: Sequence[Box], places: Places) -> int:
    where = [(*places[box.id], box) for box in boxes]
    return sum(
        x < u + b.width and u < x + a.width and y < v + b.height and v < y + a.height
        for n, (x, y, a) in enumerate(where)
        for u, v, b in where[:n]
    )


def in_no_cycle(edges: Sequence[Edge]) -> list[Edge]:
    """Return the wires from whose end nothing leads back to their start."""
    ahead: dict[str, list[str]] = {}
    for edge in edges:
        ahead.setdefault(edge.source, []).append(edge.target)

    def reached(start: str) -> set[str]:
        seen, left = {start}, [start]
        while left:
            new = [name for name in ahead.get(left.pop(), ()) if name not in seen]
            seen.update(new)
            left += new
        return seen

    beyond = {name: reached(name) for name in {edge.target for edge in edges}}
    return [edge for edge in edges if edge.source not in beyond[edge.target]]


def quality(boxes: Sequence[Box], edges: Sequence[Edge], places: Places) -> dict[str, float]:
    size = {box.id: box for box in boxes}
    lines = []
    for a, b in dict.fromkeys((edge.source, edge.target) for edge in edges if edge.source != edge.target):
        start = places[a][0] + size[a].width, places[a][1] + size[a].height / 2
        lines.append((*start, places[b][0], places[b][1] + size[b].height / 2))
    back = sum(places[e.source][0] + size[e.source].width > places[e.target][0] for e in in_no_cycle(edges))
    wide = max(places[b.id][0] + b.width for b in boxes) - min(x for x, _ in places.values())
    high = max(places[b.id][1] + b.height for b in boxes) - min(y for _, y in places.values())
    crossed = sum(cross(one, other) for n, one in enumerate(lines) for other in lines[:n])
    return {
        "overlaps": overlaps(boxes, places),
        "not right": back,
        "crossings": crossed,
        "area": wide * high / 1e6,
    }


def cross(one: Sequence[float], other: Sequence[float]) -> bool:
    def side(line: Sequence[float], x: float, y: float) -> float:
        return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])

    return side(one, *other[:2]) * side(one, *other[2:]) < 0 and side(other, *one[:2]) * side(other, *one[2:]) < 0


def subjects() -> dict[str, Subject]:
    found: dict[str, Subject] = {"ours": ours}
    peers: dict[str, Subject] = {"graphlay": of_graphlay, "grandalf": of_grandalf}
    for name, subject in peers.items():
        try:
            found[f"{name} {version(name)}"] = subject
        except PackageNotFoundError:
            print(f"{name} is not installed and is left out (pip install {name})", file=sys.stderr)
    return found


def measure(rounds: int) -> list[dict[str, Any]]:
    drawings = {"rules": rules(), "tangle": tangle(), "chain": chain(), "groups": groups(), "update": update()}
    measured = []
    for drawing, (boxes, edges) in drawings.items():
        some = subjects_of(drawing)
        took: dict[str, list[float]] = {name: [] for name in some}
        drawn: dict[str, Places] = {}
        for _ in range(rounds):
            for name, run in some.items():
                begin = time.perf_counter_ns()
                try:
                    drawn[name] = run(boxes, edges)
                except Exception as error:  # noqa: BLE001 - a peer that fails is a finding, not the end
                    print(f"{name} fails at {drawing}: {type(error).__name__}: {error}"[:200], file=sys.stderr)
                    continue
                took[name].append((time.perf_counter_ns() - begin) / 1e6)
        for name, places in drawn.items():
            figures = {"drawing": drawing, "subject": name, "ms": statistics.median(took[name])}
            measured.append(figures | quality(boxes, edges, places))
    return measured


def subjects_of(drawing: str) -> dict[str, Subject]:
    return {"ours": ours} if drawing in {"groups", "update"} else SUBJECTS


SUBJECTS = subjects()


def main() -> int:
    arguments = argparse.ArgumentParser(description="How long it takes to lay out a graph.")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--json", action="store_true", help="print the figures as JSON")
    chosen = arguments.parse_args()
    measured = measure(chosen.rounds)
    if chosen.json:
        print(json.dumps(measured, ensure_ascii=False, indent=2))
    else:
        print(f"{CARDS_DRAWN} cards, Python {platform.python_version()}, median of {chosen.rounds}\n")
        print("| drawing | subject | ms | overlaps | not right | crossings | area Mpx |\n|---|---|---|---|---|---|---|")
        for row in measured:
            print(
                f"| {row['drawing']} | {row['subject']} | {row['ms']:,.1f} | {row['overlaps']} | {row['not right']} "
                f"| {row['crossings']:,} | {row['area']:,.0f} |"
            )
    mine = [row for row in measured if row["subject"] == "ours"]
    missed = [row for row in mine if row["ms"] >= BAR_MS or row["overlaps"]]
    for row in missed:
        print(f"MISSED: {row['drawing']} took {row['ms']:.0f} ms and has {row['overlaps']} overlaps")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
