from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.expressions.elements import Const, Variable, elements_of
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.expressions.strings import LONGEST_RESULT, joined_text

VALUES = {
    Variable("g", "t"): 26.5,
    Variable("g", "i"): 26.0,
    Variable("g", "room"): "客厅",
    Variable("g", "small"): 1e-7,
    Variable("g", "none"): "",
}


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("", ""),
        ("文本", "文本"),
        ("{g.room}现在{g.t}度", "客厅现在26.5度"),
        ("{g.i}{g.i}{g.room}", "2626客厅"),
        ("{g.small}|{g.none}|", "1e-7||"),
        ("$ + 1", "$ + 1"),
    ],
)
def test_constants_and_values_are_joined_and_nothing_is_worked_out(written, text) -> None:
    elements = elements_of(written)
    assert not isinstance(elements, Fault)
    assert joined_text(elements, VALUES) == text


def test_a_variable_that_is_not_there_is_told() -> None:
    fault = joined_text((Const("a"), Variable("g", "x")), VALUES)
    assert isinstance(fault, Fault)
    assert fault.code == "variable_missing"
    assert "g.x" in fault.text()


def test_a_node_that_appends_to_its_own_variable_comes_to_an_end() -> None:
    own = Variable("g", "own")
    assert joined_text((own,), {own: "a" * LONGEST_RESULT}) == "a" * LONGEST_RESULT
    fault = joined_text((own, Const("a")), {own: "a" * LONGEST_RESULT})
    assert isinstance(fault, Fault)
    assert fault.code == "result_too_long"


@given(st.lists(st.text(max_size=20), max_size=10))
@settings(deadline=None)
def test_constants_stand_as_they_are(pieces) -> None:
    assert joined_text([Const(each) for each in pieces], {}) == "".join(pieces)
