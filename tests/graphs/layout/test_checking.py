from __future__ import annotations

from math import inf, nan

import pytest
from tests.graphs.layout.drawings import box, boxes, wired

from zhixing.graphs.layout.arranging import lay_out
from zhixing.graphs.layout.model import MOST_BOXES, MOST_EDGES, Box, Edge, Options, Point
from zhixing.kernel.errors import BadInput, TooLarge


@pytest.mark.parametrize(
    ("some", "edges", "options", "said"),
    [
        (boxes("a b a"), [], Options(), "有两个节点的 id 都是「a」"),
        (boxes("a"), wired("a>gone"), Options(), "连线「a」→「gone」的一端「gone」不是这条规则的节点"),
        (boxes("a"), wired("gone>a"), Options(), "连线「gone」→「a」的一端「gone」不是这条规则的节点"),
        ([box("a", width=0)], [], Options(), "节点「a」的宽和高"),
        ([box("a", height=-1)], [], Options(), "节点「a」的宽和高"),
        ([box("a", width=nan)], [], Options(), "节点「a」的宽和高"),
        ([box("a", height=inf)], [], Options(), "节点「a」的宽和高"),
        ([box("a", width=10**400)], [], Options(), "节点「a」的宽和高"),
        ([box("a", at=Point(nan, 0))], [], Options(), "节点「a」的位置不对"),
        ([box("a", at=Point(0, -inf))], [], Options(), "节点「a」的位置不对"),
        ([box("a", at=Point(10**400, 0))], [], Options(), "节点「a」的位置不对"),
        (boxes("a"), [], Options(column_gap=-1), "间距"),
        (boxes("a"), [], Options(row_gap=10**9), "间距"),
        (boxes("a"), [], Options(origin=Point(nan, 0)), "起点不对"),
        (boxes("a"), [], Options(fold_after=0), "折行"),
    ],
)
def test_what_cannot_be_laid_out_is_said_in_one_line(
    some: list[Box], edges: list[Edge], options: Options, said: str
) -> None:
    with pytest.raises(BadInput) as caught:
        lay_out(some, edges, options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_too_many_boxes_are_refused() -> None:
    with pytest.raises(TooLarge) as caught:
        lay_out([box(f"n{n}") for n in range(MOST_BOXES + 1)], [])
    assert str(caught.value) == "规则有 2001 个节点，太多了，排版最多 2000 个。"


def test_too_many_wires_are_refused() -> None:
    with pytest.raises(TooLarge) as caught:
        lay_out(boxes("a b"), wired("a>b") * (MOST_EDGES + 1))
    assert str(caught.value) == "规则有 10001 条连线，太多了，排版最多 10000 条。"


@pytest.mark.parametrize(
    "wires",
    [
        pytest.param(lambda n: (n, n + 1), id="one chain"),
        pytest.param(lambda n: (0, n + 1), id="one star"),
        pytest.param(lambda n: (n + 1, 0), id="all into one"),
        pytest.param(lambda n: (n, (n * 37 + 11) % MOST_BOXES), id="tangled"),
        pytest.param(lambda n: (n, max(0, n - 1)), id="backwards"),
    ],
)
def test_the_most_that_is_accepted_is_laid_out(wires) -> None:
    some = [box(f"n{n}") for n in range(MOST_BOXES)]
    ends = [wires(n) for n in range(MOST_BOXES - 1)]
    placed = lay_out(some, [Edge(f"n{a}", 0, f"n{b}") for a, b in ends])
    places = {(at.x, at.y) for at in placed.positions.values()}
    assert len(places) == MOST_BOXES
