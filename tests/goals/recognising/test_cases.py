"""The cases of the recogniser: what rules alone decide is right, and what takes a model is right or left to one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.goals.recognising.comparing import differences

from zhixing.goals.recognising.batch import to_wire
from zhixing.goals.recognising.cards import envelope
from zhixing.goals.recognising.model import Message, Role, Shown
from zhixing.goals.recognising.recognising import recognise

LINES = (Path(__file__).parent / "cases" / "recognise.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("case", CASES, ids=[each["id"] for each in CASES])
def test_the_last_message_of_a_case_is_answered_as_it_says(case) -> None:
    found = recognise([Message(Role(each["role"]), each["text"]) for each in case["messages"]], case["context"])
    ours = to_wire(found, case["id"])
    if ours["outcome"] == "needs_model" and not case["local"]:
        return
    first = differences(case["expected"], ours)
    assert not first or any(not differences(each, ours) for each in case.get("accept", [])), first
    if "aixui" in case["expected"]:
        assert isinstance(found, Shown)
        assert envelope(found.card) == case["expected"]["aixui"]
