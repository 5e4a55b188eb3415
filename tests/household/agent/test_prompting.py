"""What a model is shown, and how its replies are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.household.agent.conftest import wants

from zhixing.household.agent.model import Tool
from zhixing.household.agent.prompting import SHAPE, complaint, read_reply

LEVELS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=600)


@given(text=st.text(max_size=500), value=LEVELS, tool=st.sampled_from([tool for tool in Tool if tool is not Tool.NOTE]))
def test_whatever_a_model_says_is_read_in_bounds(text, value, tool):
    reply = wants(tool.value, thought=text, text=text, device=text, property=text, value=value)
    assert SHAPE.mismatch(reply) == ""
    read, thought, arguments = read_reply(reply)
    assert read is tool
    for line in (thought, arguments.text, arguments.device, arguments.property):
        assert "\n" not in line
        assert len(line) <= 500
    assert len(arguments.text) <= 200
    if isinstance(arguments.value, int | float) and not isinstance(arguments.value, bool):
        assert abs(arguments.value) < 2**53


@pytest.mark.parametrize("outcome", [None, "", "success", "done "])
def test_a_finish_says_how(outcome):
    assert "outcome" in complaint(wants("finish", outcome=outcome))


def test_arguments_have_a_length():
    assert complaint(wants("notify", text="很" * 501)) == "arguments 里的文字不能超过 500 个字"
    assert complaint(wants("notify", text="很" * 500)) == ""


@pytest.mark.parametrize("tool", ["note", "unlock", "", "NOTIFY"])
def test_only_what_there_is_can_be_asked_for(tool):
    assert SHAPE.mismatch(wants(tool)) != ""
