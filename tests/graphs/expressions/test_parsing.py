from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.expressions.elements import Const, Variable, elements_of
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.expressions.parsing import expression_of
from zhixing.graphs.expressions.tokens import DEEPEST, MOST_TOKENS
from zhixing.graphs.expressions.tree import Call, Chain, Dollar, Expression, Negated, Number, nodes_of

N = Variable("g", "n")


def parsed(text: str) -> Expression | Fault:
    elements = elements_of(text)
    assert not isinstance(elements, Fault)
    return expression_of(elements)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (" 7 ", Number(7)),
        ("{g.n}", N),
        ("$", Dollar()),
        ("1e-3", Number(0.001)),
        ("1e+3", Number(1000)),
        ("-{g.n}", Negated(N)),
        ("--1", Number(1)),
        ("+1", Number(1)),
        ("1--2", Chain(Number(1), (("-", Negated(Number(2))),))),
        ("2 * -3", Chain(Number(2), (("*", Negated(Number(3))),))),
        ("1 - 2 - 3", Chain(Number(1), (("-", Number(2)), ("-", Number(3))))),
        ("1 + 2 * 3", Chain(Number(1), (("+", Chain(Number(2), (("*", Number(3)),))),))),
        ("(1 + 2) * 3", Chain(Chain(Number(1), (("+", Number(2)),)), (("*", Number(3)),))),
        ("6 / 3 % 2", Chain(Number(6), (("/", Number(3)), ("%", Number(2))))),
        ("e() - 3", Chain(Call("e", ()), (("-", Number(3)),))),
        ("now( )", Call("now", ())),
        ("max (1, {g.n}, -4)", Call("max", (Number(1), N, Negated(Number(4))))),
    ],
)
def test_an_expression_is_read(text, tree) -> None:
    expression = parsed(text)
    assert isinstance(expression, Expression)
    assert expression.tree == tree


def test_a_name_may_lie_across_constants() -> None:
    expression = expression_of((Const("ma"), Const("x(1,"), N, Const(")")))
    assert isinstance(expression, Expression)
    assert expression.tree == Call("max", (Number(1), N))
    assert expression.text == "max(1,$)"
    assert expression.variables == (N,)


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("", "empty", None),
        ("  ", "empty", None),
        ("1 +", "operand_missing", 3),
        ("* 3", "operand_missing", 0),
        ("max(1,)", "operand_missing", 6),
        ("(1", "bracket_unclosed", 0),
        ("1)", "bracket_unopened", 1),
        (")(", "bracket_unopened", 0),
        ("foo(1)", "invalid_function", 0),
        ("MAX(1)", "invalid_function", 0),
        ("2(3)", "invalid_function", 0),
        ("{g.n}(3)", "invalid_function", 0),
        ("pow(2)", "invalid_arg_count", 0),
        ("abs(1, 2)", "invalid_arg_count", 0),
        ("now(1)", "invalid_arg_count", 0),
        ("(1, 2)", "invalid_arg_count", 0),
        ("()", "invalid_arg_count", 0),
        ("1 + max()", "no_arguments", 4),
        ("2 ** 3", "power_sign", 2),
        ("2 ^ 3", "power_sign", 2),
        ("now", "call_without_brackets", 0),
        ("1 2", "invalid_number", 0),
        ("1E-3", "invalid_number", 0),
        ("0x1e-3", "invalid_number", 0),
        ("abc", "invalid_number", 0),
        ("1 + max（1，2）", "wide_character", 7),
        ("{g.n}{g.n}", "operator_missing", 0),
        ("1{g.n}", "operator_missing", 0),
        ("(1)2", "operator_missing", 3),
        ("(1)(2)", "operator_missing", 3),
        ("max(1 (2))", "invalid_function", 4),
        ("1, 2", "not_scalar", 1),
        ("1, 2 2", "invalid_number", 3),
        ("1, (2", "bracket_unclosed", 3),
    ],
)
def test_what_is_no_expression_is_told_with_its_place(text, code, position) -> None:
    fault = parsed(text)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.position) == (code, position)
    assert fault.finding == ("expression_not_scalar" if code == "not_scalar" else "expression_invalid")
    for language in ("zh", "en"):
        assert "{g." not in text or "$" not in fault.text(language), "variables are named as they are written"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 +", "Invalid number"),
        ("(1", "Bracket error"),
        ("foo(1)", "Invalid function"),
        ("pow(2)", "Invalid arg count"),
        ("(1)2", "Invalid expression"),
    ],
)
def test_the_reason_of_the_official_parser_is_kept(text, reason) -> None:
    fault = parsed(text)
    assert isinstance(fault, Fault)
    assert fault.vendor == reason


def test_brackets_have_a_bound_and_are_read_up_to_it() -> None:
    assert isinstance(parsed("(" * DEEPEST + "1" + ")" * DEEPEST), Expression)
    fault = parsed("(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1))
    assert isinstance(fault, Fault)
    assert fault.code == "too_deep"


def test_tokens_have_a_bound_and_are_read_up_to_it() -> None:
    assert isinstance(parsed("-" * (MOST_TOKENS - 1) + "1"), Expression)
    assert isinstance(parsed("+".join("1" * (MOST_TOKENS // 2))), Expression)
    fault = parsed("-" * MOST_TOKENS + "1")
    assert isinstance(fault, Fault)
    assert fault.code == "too_many_tokens"


def test_variables_count_towards_the_length_of_the_joined_text() -> None:
    fault = expression_of((Const(" " * 3999), N, N))
    assert isinstance(fault, Fault)
    assert fault.code == "too_long"


def test_a_tree_is_walked_from_left_to_right() -> None:
    expression = parsed("-1 + max(2, 3 * 4)")
    assert isinstance(expression, Expression)
    assert [node.value for node in nodes_of(expression.tree) if isinstance(node, Number)] == [1, 2, 3, 4]


@given(
    st.lists(st.sampled_from([*"+-*/%(),$ e^（{}", "1", "0x", "max", "now", "pow", "\n", "é"]), max_size=30).map(
        "".join
    )
)
@settings(deadline=None)
def test_no_text_breaks_the_parser(text) -> None:
    read = expression_of((Const(text),))
    assert isinstance(read, Expression) or read.text()
