from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.expressions.arithmetic import (
    divided,
    double,
    number_text,
    power,
    read_number,
    remainder,
    rounded,
    settled,
)

DOUBLES = st.floats(allow_nan=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        (" 7 ", 7),
        ("\u00a0\ufeff7\n", 7),
        (".5", 0.5),
        ("5.", 5),
        ("1e3", 1000),
        ("1E-3", 0.001),
        ("-1.50", -1.5),
        ("007", 7),
        ("0x1F", 31),
        ("0B11", 3),
        ("0o17", 15),
        ("Infinity", math.inf),
        ("1e999", math.inf),
        ("0x" + "f" * 400, math.inf),
    ],
)
def test_a_number_is_read_as_the_gateway_reads_it(text, value) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text", ["", " ", ".", "1 2", "1_000", "１", "inf", "nan", "NaN", "0x", "-0x10", "1e", "e", "1,5"]
)
def test_what_is_no_number_there_is_none_here(text) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (26.0, "26"),
        (0.1 + 0.2, "0.30000000000000004"),
        (-0.0, "0"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-9, "1.5e-9"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1.25e22, "-1.25e+22"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (2**53, "9007199254740992"),
        (100 * 1.1, "110.00000000000001"),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
        (10**400, "Infinity"),
        (True, "1"),
    ],
)
def test_a_number_is_written_in_the_shortest_form(value, text) -> None:
    assert number_text(value) == text


@given(DOUBLES)
@settings(deadline=None)
def test_every_number_reads_back_the_same(value) -> None:
    assert read_number(number_text(value)) == value


@pytest.mark.parametrize(
    ("value", "nearest"),
    [(2.5, 3), (-2.5, -2), (2.4, 2), (0.49999999999999994, 0), (-0.5, 0), (1e300, 1e300), (math.inf, math.inf)],
)
def test_a_half_is_rounded_up(value, nearest) -> None:
    assert rounded(value) == nearest


@pytest.mark.parametrize(
    ("left", "right", "rest"), [(7, 3, 1), (-7, 3, -1), (7, -3, 1), (5.5, 2, 1.5), (3, math.inf, 3), (0, 5, 0)]
)
def test_a_remainder_has_the_sign_of_what_is_divided(left, right, rest) -> None:
    assert remainder(left, right) == rest


@pytest.mark.parametrize(("left", "right"), [(5.0, 0.0), (math.inf, 3.0), (math.nan, 3.0), (3.0, math.nan)])
def test_a_remainder_that_does_not_exist_is_not_a_number(left, right) -> None:
    assert math.isnan(remainder(left, right))


@pytest.mark.parametrize(("left", "right", "result"), [(1, 0.0, math.inf), (-1, 0.0, -math.inf), (1, -0.0, -math.inf)])
def test_a_division_by_zero_is_infinite(left, right, result) -> None:
    assert divided(left, right) == result


def test_zero_by_zero_is_not_a_number() -> None:
    assert math.isnan(divided(0.0, 0.0))
    assert math.isnan(divided(math.nan, 0.0))


@pytest.mark.parametrize(
    ("base", "exponent", "result"),
    [
        (2, 10, 1024),
        (9, 0.5, 3),
        (0, 0, 1),
        (math.nan, 0, 1),
        (0.0, -1, math.inf),
        (-0.0, -1, -math.inf),
        (10.0, 400, math.inf),
        (-10.0, 401, -math.inf),
    ],
)
def test_powers(base, exponent, result) -> None:
    assert power(float(base), float(exponent)) == result


@pytest.mark.parametrize(("base", "exponent"), [(-8, 1 / 3), (1, math.inf), (-1, -math.inf), (1, math.nan)])
def test_powers_that_are_not_a_number(base, exponent) -> None:
    assert math.isnan(power(float(base), float(exponent)))


@given(DOUBLES, DOUBLES)
@settings(deadline=None)
def test_no_pair_of_numbers_raises(left, right) -> None:
    for operation in (divided, remainder, power):
        assert isinstance(operation(left, right), float)


@given(DOUBLES)
@settings(deadline=None)
def test_a_settled_number_is_the_same_number(value) -> None:
    assert settled(value) == value


def test_whole_numbers_are_whole_as_far_as_doubles_tell_them_apart() -> None:
    assert isinstance(settled(26.0), int)
    assert isinstance(settled(1e20), float)
    assert isinstance(settled(0.5), float)
    assert double(-(10**400)) == -math.inf
