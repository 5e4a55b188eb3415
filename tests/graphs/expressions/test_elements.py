from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.expressions.elements import (
    LONGEST_TEXT,
    MOST_ELEMENTS,
    Const,
    Variable,
    elements_of,
    has_dollar,
    read_elements,
    stored_elements,
    text_of,
    variables_of,
    without_dollar,
)
from zhixing.graphs.expressions.faults import Fault

COUNT = Variable("global", "count")
NAMES = st.text("abcXYZ019$_", min_size=1, max_size=6)
ELEMENTS = st.lists(st.builds(Const, st.text() | st.text("{}.a")) | st.builds(Variable, NAMES, NAMES), max_size=12).map(
    tuple
)


def test_elements_are_read_as_the_gateway_stores_them_and_keys_beside_are_left_alone() -> None:
    stored = [{"type": "var", "scope": "global", "id": "count", "x": 1}, {"type": "const", "value": " + 1"}]
    assert read_elements(stored) == (COUNT, Const(" + 1"))


@pytest.mark.parametrize(
    ("stored", "code", "finding"),
    [
        (None, "elements_not_array", "elements_not_array"),
        ("1", "elements_not_array", "elements_not_array"),
        ({}, "elements_not_array", "elements_not_array"),
        ([1], "element_invalid", "element_invalid"),
        ([{"type": "const", "value": 1}], "element_invalid", "element_invalid"),
        ([{"type": "const"}], "element_invalid", "element_invalid"),
        ([{"type": "var", "scope": "global"}], "element_invalid", "element_invalid"),
        ([{"type": "var", "id": "n"}], "element_invalid", "element_invalid"),
        ([{"type": "var", "scope": "", "id": "n"}], "element_invalid", "element_invalid"),
        ([{"type": "var", "scope": "a{b", "id": "n"}], "element_invalid", "element_invalid"),
        ([{"type": "text", "value": "1"}], "element_invalid", "element_invalid"),
        ([{"type": "const", "value": "1"}] * (MOST_ELEMENTS + 1), "too_many_elements", "expression_invalid"),
        ([{"type": "const", "value": "1" * (LONGEST_TEXT + 1)}], "too_long", "expression_invalid"),
    ],
)
def test_what_are_no_elements_is_told(stored, code, finding) -> None:
    fault = read_elements(stored)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.finding) == (code, finding)


def test_the_wrong_element_is_counted_from_one() -> None:
    fault = read_elements([{"type": "const", "value": "1"}, {"type": "var", "scope": "global"}])
    assert isinstance(fault, Fault)
    assert "第 2 项" in fault.text()


@given(ELEMENTS)
@settings(deadline=None)
def test_stored_elements_read_back_the_same(elements) -> None:
    assert read_elements(stored_elements(elements)) == elements


@given(ELEMENTS)
@settings(deadline=None)
def test_what_is_written_reads_back_as_the_same_text_and_variables(elements) -> None:
    text = text_of(elements)
    again = elements_of(text)
    assert not isinstance(again, Fault)
    assert text_of(again) == text
    assert [each for each in again if isinstance(each, Variable)] == [
        each for each in elements if isinstance(each, Variable)
    ]
    assert not any(isinstance(one, Const) and isinstance(two, Const) for one, two in pairwise(again))
    assert elements_of(text_of(again)) == again


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("", ()),
        ("{global.count} + 1", (COUNT, Const(" + 1"))),
        ("现在{global.count}度", (Const("现在"), COUNT, Const("度"))),
        ("{global.count}{global.count}", (COUNT, COUNT)),
        ("{{a}}", (Const("{a}"),)),
        ("{{{global.count}}}", (Const("{"), COUNT, Const("}"))),
    ],
)
def test_a_person_writes_variables_in_braces(text, elements) -> None:
    assert elements_of(text) == elements


@pytest.mark.parametrize("text", ["{", "1 }", "{count}", "{global.count", "{a b.c}", "{.c}", "{global.}"])
def test_a_brace_without_partner_is_told_with_its_place(text) -> None:
    fault = elements_of(text)
    assert isinstance(fault, Fault)
    assert fault.code == "brace"
    assert fault.position == next(place for place, each in enumerate(text) if each in "{}")


def test_a_written_text_has_bounds() -> None:
    for text, code in (("1" * (LONGEST_TEXT + 1), "too_long"), ("{a.b}" * (MOST_ELEMENTS + 1), "too_many_elements")):
        fault = elements_of(text)
        assert isinstance(fault, Fault)
        assert fault.code == code


def test_a_variable_is_listed_once_where_it_is_used_first() -> None:
    other = Variable("R1", "a")
    assert variables_of((other, Const(" + "), COUNT, Const(" + "), other)) == (other, COUNT)


def test_a_bare_dollar_becomes_the_variable_that_is_set() -> None:
    elements = (Const("$ + 1 - $"), Variable("R1", "a"))
    assert has_dollar(elements)
    safe = without_dollar(elements, COUNT)
    assert safe == (COUNT, Const(" + 1 - "), COUNT, Variable("R1", "a"))
    assert not has_dollar(safe)
