"""The document's own conversations and cards, byte for byte; and a sample of the cases, whole answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from zhixing.goals.recognising.batch import to_wire
from zhixing.goals.recognising.cards import envelope, read_card
from zhixing.goals.recognising.model import Message, Role, Shown
from zhixing.goals.recognising.recognising import recognise

CASES = Path(__file__).parent / "cases"


def rows(name):
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def answered(case):
    messages = [Message(Role(each["role"]), each["text"]) for each in case["messages"]]
    return recognise(messages, case["context"])


@pytest.mark.parametrize("case", rows("document.jsonl"), ids=lambda case: case["id"])
def test_an_example_of_the_document_is_answered_byte_for_byte(case) -> None:
    """L-1.25, L-1.32."""
    found = answered(case)
    assert isinstance(found, Shown)
    assert envelope(found.card) == case["envelope"]
    assert list(found.markers) == case["markers"]


CARDS = re.findall(r"<AixUI .*?</AixUI>", (CASES / "document_cards.txt").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", CARDS)
def test_a_card_of_the_document_is_written_again_as_it_was_read(text) -> None:
    card = read_card(text)
    assert card is not None
    assert envelope(card) == text


def test_the_document_has_nine_cards() -> None:
    assert len(CARDS) == 9


@pytest.mark.parametrize("case", rows("sample.jsonl"), ids=lambda case: case["id"])
def test_a_case_of_the_sample_is_answered_whole(case) -> None:
    ours = to_wire(answered(case), case["id"])
    assert {key: ours[key] for key in case["expected"]} == case["expected"]


def test_the_task_that_was_not_chosen_is_given_to_the_platform() -> None:
    """L-1.24."""
    example = next(case for case in rows("document.jsonl") if case["id"] == "doc-5c")
    found = answered({**example, "messages": example["messages"][:3]})
    assert isinstance(found, Shown)
    assert found.markers == ('[待处理任务]\n  ② 生成本月月报\n  source: "月报也帮我生成了"',)
