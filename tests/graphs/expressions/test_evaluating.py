from __future__ import annotations

import math
import random
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.expressions.elements import Const, Variable, elements_of
from zhixing.graphs.expressions.evaluating import Surroundings, evaluate, unproven_in
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.expressions.functions import ExpressionOptions
from zhixing.graphs.expressions.parsing import expression_of
from zhixing.graphs.expressions.tokens import DEEPEST
from zhixing.graphs.expressions.tree import Expression

SHANGHAI = ZoneInfo("Asia/Shanghai")
SUNDAY = datetime(2025, 7, 6, 17, 5, 9, 123456, tzinfo=SHANGHAI)
N = Variable("g", "n")
VALUES = {N: 5, Variable("g", "h"): 0.5, Variable("g", "t"): "热", Variable("g", "yes"): True}


def read(text: str) -> Expression:
    elements = elements_of(text)
    assert not isinstance(elements, Fault)
    expression = expression_of(elements)
    assert isinstance(expression, Expression), expression
    return expression


def result(text: str, *, seed: int = 1, target: Variable | None = N, **options) -> float | Fault:
    surroundings = Surroundings(VALUES, SUNDAY, random.Random(seed), target, ExpressionOptions(**options))
    return evaluate(read(text), surroundings)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("7 - 2 - 3", 2),
        ("12 / 2 / 3", 2),
        ("-7 % 3", -1),
        ("0x10 % 7", 2),
        ("1--2", 3),
        ("-(2 - 5)", 3),
        ("({g.n} + 1) * 2", 12),
        ("{g.n} * {g.h}", 2.5),
        ("{g.yes} + 1", 2),
        ("0.1 + 0.2", 0.30000000000000004),
        ("min(25, max(16, {g.n}))", 16),
        ("max(1, 5, 3)", 5),
        ("round(-2.5)", -2),
        ("round(26.449 * 10) / 10", 26.4),
        ("floor(-1.5)", -2),
        ("ceil(-1.5)", -1),
        ("pow(9, .5)", 3),
        ("asin(1)", math.pi / 2),
        ("log(2, 8)", 3),
        ("pi() + e()", math.pi + math.e),
        ("min(100, 1 / 0)", 100),
        ("floor(atan(1 / 0) * 2)", 3),
    ],
)
def test_an_expression_gives_a_number(text, value) -> None:
    assert result(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("now()", 1751792709123),
        ("year()", 2025),
        ("month()", 7),
        ("date()", 6),
        ("day()", 0),
        ("hours()", 17),
        ("minutes()", 5),
        ("seconds()", 9),
    ],
)
def test_the_clock_is_that_of_the_hub(text, value) -> None:
    assert result(text) == value


def test_the_clock_needs_an_offset() -> None:
    with pytest.raises(ValueError, match="aware"):
        evaluate(read("hours()"), Surroundings(VALUES, datetime(2025, 7, 6), random.Random(1)))


@pytest.mark.parametrize(("text", "kind"), [("52 / 2", int), ("1 / 3", float), ("1e20", float), ("-0.5 * 2", int)])
def test_a_whole_result_is_an_int(text, kind) -> None:
    assert type(result(text)) is kind


def test_a_negative_zero_is_zero() -> None:
    assert str(result("0 * -1")) == "0"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0 / 0", "math_error"),
        ("1 / 0", "math_error"),
        ("-1 / 0", "math_error"),
        ("5 % 0", "math_error"),
        ("log(1, 5)", "math_error"),
        ("log(2, 0)", "math_error"),
        ("log(2, -1)", "math_error"),
        ("acos(2)", "math_error"),
        ("sin(1 / 0)", "math_error"),
        ("max(1, 0 / 0)", "math_error"),
        ("min(0 / 0, 1)", "math_error"),
        ("randint(6, 1)", "math_error"),
        ("randint(0, 1 / 0)", "math_error"),
        ("pow(10, 400)", "math_error"),
        ("{g.missing} + 1", "variable_missing"),
        ("{g.t} + 1", "variable_not_number"),
        ("0 * {g.missing}", "variable_missing"),
    ],
)
def test_what_gives_no_number_is_told(text, code) -> None:
    fault = result(text)
    assert isinstance(fault, Fault)
    assert fault.code == code
    assert "{" not in fault.text()


def test_a_bare_dollar_is_the_variable_that_is_set() -> None:
    assert result("$ + 1") == 6
    assert result("$ * {g.h}") == 2.5


@pytest.mark.parametrize("given", [{"target": None}, {"dollar_means": "refused"}])
def test_a_bare_dollar_that_means_nothing_is_told(given) -> None:
    fault = result("$ + 1", **given)
    assert isinstance(fault, Fault)
    assert fault.code == "dollar_unknown"


def test_the_order_of_log_is_an_option() -> None:
    assert result("log(8, 2)", log_order="base_last") == 3


def test_chance_comes_from_outside_and_stays_in_its_range() -> None:
    assert {result("randint(1, 6)", seed=seed) for seed in range(100)} == {1, 2, 3, 4, 5, 6}
    assert {result("randint(1, 6)", seed=seed, randint_upper="excluded") for seed in range(100)} == {1, 2, 3, 4, 5}
    assert result("randint(4, 4)") == 4
    assert result("rand()", seed=7) == random.Random(7).random()


def test_what_nobody_proved_is_named() -> None:
    assert unproven_in(read("$ + log(2, randint(1, 2)) + log(2, 2)")) == ("dollar_means", "log_order", "randint_upper")
    assert unproven_in(read("{g.n} + rand()")) == ()


def test_the_next_expression_sees_the_new_value() -> None:
    values: dict[Variable, float | str] = {N: 12345}
    surroundings = Surroundings(values, datetime(2025, 1, 1, tzinfo=UTC), random.Random(1), N)
    values[N] = evaluate(read("{g.n} + 1"), surroundings)
    assert evaluate(read("{g.n} + 1"), surroundings) == 12347


def combined(parts):
    """Give texts beside what they come to."""
    signs = {"+": float.__add__, "-": float.__sub__, "*": float.__mul__}

    def of_two(sign, left, right):
        return f"({left[0]}) {sign} ({right[0]})", signs[sign](left[1], right[1])

    return st.builds(of_two, st.sampled_from(sorted(signs)), parts, parts) | parts.map(
        lambda part: (f"-({part[0]})", -part[1])
    )


NUMBERS = st.floats(0, 1e6).map(lambda value: (repr(value), value))


@given(st.recursive(NUMBERS, combined, max_leaves=12))
@settings(deadline=None)
def test_any_expression_in_brackets_comes_to_what_it_says(part) -> None:
    text, value = part
    expected = value if math.isfinite(value) else "math_error"
    came = result(text)
    assert (came.code if isinstance(came, Fault) else came) == expected


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8), st.lists(st.sampled_from("+-"), min_size=8, max_size=8))
@settings(deadline=None)
def test_sums_are_taken_from_left_to_right(values, signs) -> None:
    expected = values[0]
    text = repr(values[0])
    for sign, value in zip(signs, values[1:], strict=False):
        expected = expected + value if sign == "+" else expected - value
        text += f" {sign} {value!r}"
    assert result(text) == expected


WORDS = [*"+-*/%(),$", "1", "0", "1e308", "{g.n}", "{g.t}", "max(", "pow(", "log(", "randint(", "sin(", "now()"]


@given(st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
@settings(deadline=None)
def test_whatever_parses_gives_a_finite_number_or_a_reason(text) -> None:
    elements = elements_of(text)
    assert not isinstance(elements, Fault)
    expression = expression_of(elements)
    if isinstance(expression, Fault):
        return
    came = evaluate(expression, Surroundings(VALUES, SUNDAY, random.Random(1), N))
    assert came.text() if isinstance(came, Fault) else math.isfinite(came)


def test_the_deepest_tree_is_worked_out() -> None:
    expression = expression_of((Const("0 + 1 * -abs(" * DEEPEST + "1" + ")" * DEEPEST),))
    assert isinstance(expression, Expression)
    assert evaluate(expression, Surroundings({}, SUNDAY, random.Random(1))) == -1
