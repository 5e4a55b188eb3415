from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.layout.drawings import box, boxes, drawings, intruders, moved, overlaps, wired

from zhixing.graphs.layout.arranging import lay_out
from zhixing.graphs.layout.model import Box, Direction, Edge, Existing, Options, Point

GROUPS = (None, None, "g", "h")
PLACES = st.builds(Point, st.integers(-2_000, 4_000), st.integers(-2_000, 4_000) | st.floats(-2_000, 4_000))
DIRECTIONS = st.sampled_from(Direction)


@st.composite
def updates(draw: st.DrawFn) -> tuple[list[Box], list[Edge]]:
    """Draw a graph in which some boxes stand anywhere, on top of each other too."""
    some, edges = draw(drawings(GROUPS))
    kept = draw(st.lists(st.sampled_from(some), unique=True)) if some else []
    return moved(some, {one.id: draw(PLACES) for one in kept}), edges


@given(updates(), DIRECTIONS)
def test_what_has_a_place_keeps_it(update: tuple[list[Box], list[Edge]], direction: Direction) -> None:
    some, edges = update
    placed = lay_out(some, edges, Options(direction=direction))
    assert list(placed.positions) == [one.id for one in some]
    for one in some:
        assert one.position is None or placed.positions[one.id] == one.position


@given(updates(), DIRECTIONS)
def test_a_new_box_overlaps_nothing(update: tuple[list[Box], list[Edge]], direction: Direction) -> None:
    some, edges = update
    kept = {one.id for one in some if one.position is not None}
    placed = lay_out(some, edges, Options(direction=direction))
    assert [pair for pair in overlaps(some, placed) if not set(pair) <= kept] == []


@given(updates())
def test_a_new_box_of_no_group_stays_out_of_the_groups(update: tuple[list[Box], list[Edge]]) -> None:
    some, edges = update
    stand = {one.id for one in some if one.position is not None}
    placed = lay_out(some, edges)
    whole = {one.group for one in some if one.id not in stand}
    # Only a group that is complete and stands there already can be kept clear of what comes.
    found = [(group, name) for group, name in intruders(some, placed) if name not in stand and group not in whole]
    assert found == []


@given(drawings(GROUPS), st.data())
def test_taking_boxes_out_and_putting_them_back_moves_no_other(
    drawing: tuple[list[Box], list[Edge]], data: st.DataObject
) -> None:
    some, edges = drawing
    before = lay_out(some, edges).positions
    out = data.draw(st.sets(st.sampled_from([one.id for one in some]))) if some else set()
    again = moved(some, {name: at for name, at in before.items() if name not in out})
    placed = lay_out(again, edges)
    assert overlaps(some, placed) == []
    assert all(placed.positions[name] == before[name] for name in before if name not in out or out == set(before))


def test_a_laid_out_graph_stays_as_it_is() -> None:
    some, edges = boxes("a b c d"), wired("a>b a.1>c c>d")
    before = lay_out(some, edges).positions
    assert lay_out(moved(some, before), edges).positions == before


def test_everything_is_laid_out_anew_when_asked() -> None:
    some, edges = boxes("a b"), wired("a>b")
    stood = moved(some, {"a": Point(5_000, 3), "b": Point(5_000, 3)})
    assert lay_out(stood, edges, Options(existing=Existing.MOVE)) == lay_out(some, edges)


@pytest.mark.parametrize(
    ("kept", "wires", "expected"),
    [
        pytest.param({"a": Point(0, 0)}, "a>new", Point(678, 0), id="right of its source"),
        pytest.param({"a": Point(0, 0)}, "new>a", Point(-678, 0), id="left of its target"),
        pytest.param({"a": Point(0, 0), "b": Point(1_356, 0)}, "a>new new>b", Point(678, 0), id="between the two"),
        pytest.param({"a": Point(0, 0), "b": Point(1_200, 0)}, "a>new new>b", Point(600, 0), id="in a narrower room"),
        pytest.param({"a": Point(0, 0), "b": Point(678, 0)}, "a>new new>b", Point(678, 244), id="below without room"),
        pytest.param(
            {"a": Point(0, 0), "b": Point(678, 0)}, "a>b a.1>new", Point(678, 244), id="below an earlier port"
        ),
        pytest.param({"a": Point(0, 0), "b": Point(678, 0)}, "a>new a.1>b", Point(678, -244), id="above a later port"),
        pytest.param({"a": Point(0, 0), "b": Point(678, 0)}, "a>b", Point(0, 284), id="below all without wires"),
    ],
)
def test_a_new_box_stands_where_its_wires_want_it(kept: dict[str, Point], wires: str, expected: Point) -> None:
    some = moved([*boxes(" ".join(kept)), box("new")], kept)
    placed = lay_out(some, wired(wires))
    assert placed.positions["new"] == expected
    assert {name: placed.positions[name] for name in kept} == kept


def test_a_new_chain_goes_on_to_the_right() -> None:
    some = moved(boxes("a b c d"), {"a": Point(-50, 7)})
    placed = lay_out(some, wired("a>b b>c c>d"))
    assert [at.x for at in placed.positions.values()] == [-50, 628, 1306, 1984]
    assert {at.y for at in placed.positions.values()} == {7}


def test_a_new_box_joins_its_group() -> None:
    some = [
        box("a", group="g", at=Point(0, 0)),
        box("b", group="g", at=Point(0, 244)),
        box("far", at=Point(3_000, 0)),
        box("between", at=Point(1_500, 0)),
        box("new", group="g"),
    ]
    placed = lay_out(some, wired("far>new"))
    assert intruders(some, placed) == []
    assert placed.positions["new"] == Point(0, 488)


def test_a_new_group_is_placed_as_one() -> None:
    some = [box("a", at=Point(0, 0)), box("m", group="g"), box("n", group="g"), box("x", at=Point(678, 0))]
    placed = lay_out(some, wired("a>m m>n a>x"))
    assert intruders(some, placed) == []
    assert placed.positions["n"].x - placed.positions["m"].x == 678
    assert placed.positions["n"].y == placed.positions["m"].y
