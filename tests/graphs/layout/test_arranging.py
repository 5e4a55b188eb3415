from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graphs.layout.drawings import box, boxes, drawings, intruders, overlaps, wired

from zhixing.graphs.layout.arranging import lay_out
from zhixing.graphs.layout.model import Box, Direction, Edge, Options, Placement, Point

OPTIONS = st.builds(
    Options,
    direction=st.sampled_from(Direction),
    column_gap=st.integers(0, 200),
    row_gap=st.integers(0, 100),
    part_gap=st.integers(0, 200),
    fold_after=st.none() | st.integers(1, 6),
)
GROUPS = (None, "g", "h")


def order(placed: Placement, names: str) -> list[str]:
    """Return the names from above to below."""
    return sorted(names.split(), key=lambda name: placed.positions[name].y)


@given(drawings(GROUPS), OPTIONS)
def test_no_two_boxes_ever_overlap(drawing: tuple[list[Box], list[Edge]], options: Options) -> None:
    some, edges = drawing
    placed = lay_out(some, edges, options)
    assert list(placed.positions) == [one.id for one in some]
    assert overlaps(some, placed) == []


@given(drawings(GROUPS), OPTIONS)
def test_no_other_box_lies_within_a_group(drawing: tuple[list[Box], list[Edge]], options: Options) -> None:
    some, edges = drawing
    assert intruders(some, lay_out(some, edges, options)) == []


@given(drawings(GROUPS), OPTIONS)
def test_forward_wires_go_the_way_of_the_direction(drawing: tuple[list[Box], list[Edge]], options: Options) -> None:
    some, edges = drawing
    placed = lay_out(some, edges, options)
    size = {one.id: one for one in some}
    for edge in edges:
        if edge in placed.backward:
            continue
        assert placed.columns[edge.source] < placed.columns[edge.target]
        if placed.rows[edge.source] == placed.rows[edge.target]:
            source, target = placed.positions[edge.source], placed.positions[edge.target]
            if options.direction is Direction.RIGHT:
                assert source.x + size[edge.source].width + options.column_gap <= target.x
            else:
                assert source.y + size[edge.source].height + options.column_gap <= target.y


@given(drawings())
def test_without_cycles_no_wire_goes_back(drawing: tuple[list[Box], list[Edge]]) -> None:
    some, edges = drawing
    number = {one.id: n for n, one in enumerate(some)}
    ahead = [edge for edge in edges if number[edge.source] < number[edge.target]]
    assert lay_out(some, ahead).backward == ()


@given(drawings())
def test_what_one_box_alone_leads_to_is_stacked_in_the_order_of_its_ports(
    drawing: tuple[list[Box], list[Edge]],
) -> None:
    some, edges = drawing
    placed = lay_out(some, edges)
    sources: dict[str, set[str]] = {}
    port: dict[tuple[str, str], int] = {}
    for edge in edges:
        if edge.source != edge.target:
            sources.setdefault(edge.target, set()).add(edge.source)
            pair = edge.source, edge.target
            port[pair] = min(port.get(pair, 9), edge.source_port_index)
    alone = [(one.id, *sources[one.id]) for one in some if len(sources.get(one.id, ())) == 1]
    for (first, parent), (second, other) in product(alone, alone):
        if parent != other or placed.columns[first] != placed.columns[second]:
            continue
        if {(parent, first), (parent, second)} & {(edge.source, edge.target) for edge in placed.backward}:
            continue
        if placed.columns[first] == placed.columns[parent] + 1 and port[parent, first] < port[parent, second]:
            assert placed.positions[first].y < placed.positions[second].y


@given(drawings(GROUPS), OPTIONS)
def test_the_same_input_gives_the_same_places(drawing: tuple[list[Box], list[Edge]], options: Options) -> None:
    some, edges = drawing
    assert lay_out(some, edges, options) == lay_out(list(some), list(edges), options)


@given(drawings(GROUPS), OPTIONS)
def test_down_is_right_with_the_canvas_turned(drawing: tuple[list[Box], list[Edge]], options: Options) -> None:
    some, edges = drawing
    down = lay_out(some, edges, replace(options, direction=Direction.DOWN))
    turned = [replace(one, width=one.height, height=one.width) for one in some]
    right = lay_out(turned, edges, replace(options, direction=Direction.RIGHT))
    assert down.positions == {name: Point(at.y, at.x) for name, at in right.positions.items()}


@given(drawings(GROUPS))
def test_places_are_whole_numbers_from_the_origin_on(drawing: tuple[list[Box], list[Edge]]) -> None:
    some, edges = drawing
    some = [replace(one, width=one.width + 0.3, height=one.height + 0.7) for one in some]
    placed = lay_out(some, edges, Options(origin=Point(7, 9)))
    assert overlaps(some, placed) == []
    for at in placed.positions.values():
        assert isinstance(at.x, int)
        assert isinstance(at.y, int)
        assert at.x >= 7
        assert at.y >= 9


@settings(max_examples=40)
@given(drawings(GROUPS), st.integers(20, 900))
def test_a_box_without_wires_moves_no_other(drawing: tuple[list[Box], list[Edge]], side: int) -> None:
    some, edges = drawing
    before = lay_out(some, edges).positions
    after = lay_out([*some, box("note", side, 60)], edges).positions
    connected = {end for edge in edges for end in (edge.source, edge.target) if edge.source != edge.target}
    kept = [one.id for one in some if one.id in connected or one.group]
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}


def test_a_chain_is_one_straight_line() -> None:
    placed = lay_out(boxes("a b c"), wired("a>b b>c"))
    assert dict(placed.positions) == {"a": Point(100, 100), "b": Point(778, 100), "c": Point(1456, 100)}


def test_a_longer_chain_leaves_what_was_there() -> None:
    before = lay_out(boxes("a b c x y"), wired("a>b b>c x>y")).positions
    after = lay_out(boxes("a b c x y d"), wired("a>b b>c x>y c>d")).positions
    assert {name: after[name] for name in before} == before


def test_another_part_leaves_those_before_it() -> None:
    before = lay_out(boxes("a b c"), wired("a>b a.1>c")).positions
    after = lay_out(boxes("a b c x y"), wired("a>b a.1>c x>y")).positions
    assert {name: after[name] for name in before} == before


def test_branches_stand_in_the_order_of_the_ports_not_of_the_boxes() -> None:
    placed = lay_out(boxes("no yes ask"), wired("ask.1>no ask>yes"))
    assert order(placed, "no yes") == ["yes", "no"]
    middle = (placed.positions["yes"].y + placed.positions["no"].y) / 2
    assert placed.positions["ask"].y == middle


def test_wires_of_one_port_stand_in_their_own_order() -> None:
    placed = lay_out(boxes("a c d b"), wired("a>b a>c a>d"))
    assert order(placed, "b c d") == ["b", "c", "d"]


def test_wires_are_uncrossed_where_the_ports_leave_it_open() -> None:
    placed = lay_out(boxes("a b x y"), wired("a>y b>x"))
    assert (placed.positions["y"].y < placed.positions["x"].y) == (placed.positions["a"].y < placed.positions["b"].y)


def test_a_tree_is_drawn_without_crossings_however_its_wires_are_mixed() -> None:
    names = [f"n{n}" for n in range(15)]
    leaves = [names[n] for n in (9, 12, 7, 14, 11, 8, 13, 10)]
    edges = [Edge(leaf, 0, f"n{(int(leaf[1:]) - 1) // 2}") for leaf in leaves]
    edges += [Edge(f"n{n}", 0, f"n{(n - 1) // 2}") for n in (4, 6, 3, 5, 2, 1)]
    some = [box(name) for name in [*leaves, *names[:7]]]
    placed = lay_out(some, edges)
    at = placed.positions
    wires = [(at[edge.source], at[edge.target]) for edge in edges]
    crossed = [(a, c) for a, b in wires for c, d in wires if a.x == c.x and a.y < c.y and b.y > d.y]
    assert crossed == []


def test_a_source_of_state_stands_right_before_what_reads_it() -> None:
    placed = lay_out(boxes("alarm delay check state act"), wired("alarm>delay delay>check state>check check>act"))
    assert placed.columns == {"alarm": 0, "delay": 1, "check": 2, "state": 1, "act": 3}


def test_a_chain_of_states_moves_to_its_reader_as_a_whole() -> None:
    placed = lay_out(boxes("s held a b c d"), wired("s>held a>b b>c c>d held>d"))
    assert (placed.columns["s"], placed.columns["held"]) == (1, 2)


@pytest.mark.parametrize(
    ("wires", "backward"),
    [
        ("start>loop loop>work work>ask ask.1>loop", "ask.1>loop"),
        ("loop>work work>start start>loop", "work>start"),  # nothing leads in: the first box is the entry
        ("start>start", "start>start"),
        ("loop>work work>loop loop>work", "work>loop"),
    ],
)
def test_a_cycle_is_opened_where_one_comes_in(wires: str, backward: str) -> None:
    placed = lay_out(boxes("start loop work ask"), wired(wires))
    assert list(placed.backward) == wired(backward)


def test_the_boxes_of_a_group_stand_together() -> None:
    some = [box("a", group="g"), box("x"), box("b", group="g"), box("y"), box("c", group="g")]
    edges = wired("a>x a>b x>c b>c a>y y>c")
    placed = lay_out(some, edges)
    assert intruders(some, placed) == []
    assert placed.backward == ()


def test_a_long_chain_goes_on_below() -> None:
    placed = lay_out(boxes("a b c d e"), wired("a>b b>c c>d d>e"), Options(fold_after=2))
    x = {name: at.x for name, at in placed.positions.items()}
    assert placed.rows == {"a": 0, "b": 0, "c": 1, "d": 1, "e": 2}
    assert x["a"] == x["c"] == x["e"] == 100
    assert placed.positions["c"].y == 100 + 164 + 120


@pytest.mark.parametrize(("members", "rows"), [("b c", [0, 1, 1, 2]), ("a b c", [0, 0, 0, 1])])
def test_a_group_is_never_folded(members: str, rows: list[int]) -> None:
    some = [box(name, group="g" if name in members.split() else None) for name in "abcd"]
    placed = lay_out(some, wired("a>b b>c c>d"), Options(fold_after=2))
    assert list(placed.rows.values()) == rows


def test_boxes_without_wires_come_last_side_by_side() -> None:
    placed = lay_out(boxes("note a b hint"), wired("a>b"))
    assert placed.positions["a"] == Point(100, 100)
    assert placed.positions["note"] == Point(100, 384)
    assert placed.positions["hint"] == Point(778, 384)


def test_nothing_is_laid_out_as_nothing() -> None:
    assert lay_out([], []) == Placement({}, {}, {}, ())
