"""Steps and ends of value-ranges, exactly in decimal (§3.6)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zhixing.graphs.specs.ranges import (
    SAFE_INTEGER,
    Range,
    exact,
    near_step,
    near_within,
    nearest,
    on_step,
    plain,
    safe,
    whole,
    within,
)


def span(low: object, high: object, step: object = None) -> Range:
    return Range(Decimal(str(low)), Decimal(str(high)), None if step is None else Decimal(str(step)))


TENTHS = span(16, 31, "0.1")
HALVES = span(16, 31, "0.5")
THREES = span(6, 99, 3)
UINT32 = span(0, 4_294_967_295, 1)
INT64 = span(-(2**63), 2**63 - 1, 1)


@pytest.mark.parametrize(
    ("value", "over", "expected"),
    [
        (26.1, TENTHS, True),
        (20.3, TENTHS, True),
        (30.7, TENTHS, True),
        (26.15, TENTHS, False),
        (26.0, TENTHS, True),
        (26, TENTHS, True),
        (0.1 + 0.2, span(0, 1, "0.1"), False),
        (-2.9, span(-3, 3, "0.1"), True),
        (0.7, span(-3, 3, "0.1"), True),
        (-39.9, span(-40, 125, "0.1"), True),
        (16.5, HALVES, True),
        (16.25, HALVES, False),
        (6, THREES, True),
        (9, THREES, True),
        (99, THREES, True),
        (10, THREES, False),
        (5, THREES, False),
        (3, THREES, True),
        (4_294_967_295, UINT32, True),
        (4_294_967_294, span(0, 4_294_967_295, 2), True),
        (4_294_967_295, span(0, 4_294_967_295, 2), False),
        (2**63 - 1, INT64, True),
        (2**63 - 1, span(-(2**63), 2**63 - 1, 2), False),
        (2**63 - 2, span(-(2**63), 2**63 - 1, 2), True),
        (7.5, span(0, 100, 1), False),
        (7.5, span(0, 100, 0), True),
        (7.5, span(0, 100), True),
        (7.5, span(0, 100, -1), True),
        (7, span(100, 1, 5), True),
        (float("nan"), span(0, 100, 1), False),
        (float("inf"), span(0, 100, 0), False),
    ],
)
def test_a_value_lies_on_a_step_exactly(value: float, over: Range, *, expected: bool) -> None:
    assert on_step(value, over) is expected


@pytest.mark.parametrize(
    ("value", "over", "expected"),
    [
        (0.1 + 0.2, span(0, 1, "0.1"), True),
        (20.3, TENTHS, True),
        (20.35, TENTHS, False),
        (20.3000001, TENTHS, False),
        (20.300000001, TENTHS, True),
        (1000.0000005, span(0, 5000, 1), True),
        (1000.000002, span(0, 5000, 1), False),
        (12.34, span(0, 100, 0), True),
        (float("nan"), TENTHS, False),
    ],
)
def test_a_float_may_be_a_billionth_off_its_step(value: float, over: Range, *, expected: bool) -> None:
    assert near_step(value, over) is expected


@pytest.mark.parametrize(
    ("value", "over", "exactly", "nearly"),
    [
        (16, HALVES, True, True),
        (31, HALVES, True, True),
        (15.999999, HALVES, False, False),
        (31.000000001, HALVES, False, True),
        (0.1 + 0.2, span(0, "0.3"), False, True),
        (4_294_967_296, UINT32, False, True),
        (2**63, INT64, False, True),
        (1_000_000, span(100, 1, 1), True, True),
        (float("-inf"), HALVES, False, False),
    ],
)
def test_ends_are_exact_for_whole_numbers_and_near_for_floats(
    value: float, over: Range, *, exactly: bool, nearly: bool
) -> None:
    assert within(value, over) is exactly
    assert near_within(value, over) is nearly


@pytest.mark.parametrize(
    ("value", "over", "expected"),
    [
        (26.14, TENTHS, "26.1"),
        (26.26, TENTHS, "26.3"),
        (99.0, TENTHS, "31"),
        (-5, TENTHS, "16"),
        (10, THREES, "9"),
        (100, THREES, "99"),
        (100, span(0, 100, 30), "90"),
        (0.5, span(0, 100, 1), "0"),
        (1.5, span(0, 100, 1), "2"),
        (7.25, span(0, 100, 0), "7.25"),
        (700, span(0, 100), "100"),
        (3, span(5, 6, 10), "5"),
        (2**63 + 5, INT64, str(2**63 - 1)),
    ],
)
def test_the_nearest_allowed_value(value: float, over: Range, expected: str) -> None:
    assert nearest(value, over) == Decimal(expected)


@pytest.mark.parametrize("over", [span(100, 1, 1), span("NaN", 3, 1), span(0, "Infinity", 1)])
def test_a_range_that_says_nothing_has_no_nearest_value(over: Range) -> None:
    assert nearest(3, over) is None


def test_what_is_no_number_has_no_nearest_value() -> None:
    assert nearest(float("nan"), TENTHS) is None


@pytest.mark.parametrize(
    ("over", "broken"),
    [
        (TENTHS, False),
        (span(0, 100), False),
        (span(5, 5, 1), False),
        (span(0, 100, 0), True),
        (span(0, 100, -1), True),
        (span(100, 1, 1), True),
        (span("NaN", 1, 1), True),
        (span(0, "Infinity", 1), True),
        (span(0, 1, "NaN"), True),
        (span(0, "1e400", 1), True),
    ],
)
def test_a_broken_range_is_known(over: Range, *, broken: bool) -> None:
    assert over.broken is broken


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ((16, 31, 0.1), True),
        ((16.0, 31.0, 0.1), True),
        ((16, 31, 0.5), False),
        ((16, 31, None), False),
        (("16", 31, 0.1), False),
        ((True, 31, 0.1), False),
    ],
)
def test_a_range_written_in_a_node_is_compared_by_value(written: tuple[object, object, object], *, same: bool) -> None:
    assert TENTHS.same_as(*written) is same


def test_a_missing_step_is_the_same_as_none() -> None:
    assert span(0, 9).same_as(0, 9, 0)
    assert not span("NaN", 9).same_as("x", 9, 0)


@pytest.mark.parametrize(
    "value", [True, None, "1", [1], float("nan"), float("inf"), Decimal("sNaN"), 10**4000, Decimal("1e999999999")]
)
def test_what_is_no_number_in_bounds_is_not_reckoned_with(value: object) -> None:
    assert exact(value) is None
    assert not whole(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(26.0, 26), (26, 26), (0.1, 0.1), (-0.0, 0), (Decimal("1e-999999999"), 0), (Decimal("0.3" + "3" * 5000), 1 / 3)],
)
def test_a_number_in_bounds_keeps_its_value(value: object, expected: float) -> None:
    found = exact(value)
    assert found is not None
    assert plain(found) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (SAFE_INTEGER, True),
        (SAFE_INTEGER + 1, False),
        (-SAFE_INTEGER - 1, False),
        (float(2**53), False),
        (10**4000, False),
        (0.5, True),
        (True, True),
        ("x", True),
    ],
)
def test_a_whole_number_is_safe_up_to_what_a_double_tells_apart(value: object, *, expected: bool) -> None:
    assert safe(value) is expected


_STEPS = st.sampled_from([Decimal(each) for each in ("0.001", "0.1", "0.25", "0.5", "1", "3", "7", "1000")])


@given(
    low=st.decimals(-10_000, 10_000, places=2),
    width=st.decimals(0, 100_000, places=2),
    step=_STEPS,
    value=st.floats(-1e7, 1e7) | st.integers(-(2**70), 2**70),
)
def test_the_nearest_value_is_allowed_and_none_is_nearer(
    low: Decimal, width: Decimal, step: Decimal, value: float
) -> None:
    over = Range(low, low + width, step)
    found = nearest(value, over)
    assert found is not None
    assert within(found, over)
    assert on_step(found, over)
    there, here = exact(value), Fraction(found)
    assert there is not None
    for other in (found - step, found + step):
        if within(other, over):
            assert abs(Fraction(there) - here) <= abs(Fraction(there) - Fraction(other))


@example(value=0.0, low=Decimal("9.999999999929289321801E-21"), high=Decimal(1), step=None)
@given(value=st.floats() | st.integers(), low=st.decimals(), high=st.decimals(), step=st.decimals() | st.none())
def test_no_range_and_no_value_breaks_the_sums(value: float, low: Decimal, high: Decimal, step: Decimal | None) -> None:
    over = Range(low, high, step)
    for ask in (within, on_step, near_within, near_step):
        assert ask(value, over) in {True, False}
    found = nearest(value, over)
    assert found is None or within(found, over)
