"""The pieces below the layout: heights, crossings, folds."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.graphs.layout.coordinates import settled
from zhixing.graphs.layout.folding import rows
from zhixing.graphs.layout.ordering import crossings


@given(st.lists(st.tuples(st.integers(-500, 500), st.integers(1, 4)), min_size=1, max_size=12), st.integers(0, 60))
def test_settled_places_keep_their_steps(wanted: list[tuple[int, int]], step: int) -> None:
    places = settled([w for w, _ in wanted], [m for _, m in wanted], [step] * (len(wanted) - 1))
    assert all(below - above >= step - 1e-6 for above, below in pairwise(places))


@pytest.mark.parametrize(
    ("wanted", "weights", "expected"),
    [
        ([0, 100, 200], [1, 1, 1], [0, 100, 200]),
        ([50, 50], [1, 1], [45, 55]),
        ([50, 50], [3, 1], [47.5, 57.5]),
        ([100, 0], [1, 1], [45, 55]),
        ([0, 100, 0], [1, 1, 1], [0, 45, 55]),
    ],
)
def test_boxes_that_want_one_place_share_it(wanted: list[int], weights: list[int], expected: list[float]) -> None:
    assert settled(wanted, weights, [10] * (len(wanted) - 1)) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(10, 15)), unique=True, max_size=15))
def test_crossings_are_counted_pair_by_pair(wires: list[tuple[int, int]]) -> None:
    down = {upper: [b for a, b in wires if a == upper] for upper in range(6)}
    pairs = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(wires, 2))
    assert crossings([list(range(6)), list(range(10, 16))], down) == pairs


@pytest.mark.parametrize(
    ("count", "limit", "spans", "expected"),
    [
        (5, None, [], [0, 0, 0, 0, 0]),
        (5, 2, [], [0, 0, 1, 1, 2]),
        (5, 9, [], [0, 0, 0, 0, 0]),
        (4, 2, [(1, 2)], [0, 1, 1, 2]),
        (5, 2, [(0, 3)], [0, 0, 0, 0, 1]),
        (5, 3, [(1, 2), (2, 4)], [0, 1, 1, 1, 1]),
    ],
)
def test_rows_end_at_the_limit_but_not_within_a_group(
    count: int, limit: int | None, spans: list[tuple[int, int]], expected: list[int]
) -> None:
    assert rows(count, limit, spans) == expected
