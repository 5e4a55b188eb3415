import dataclasses

import pytest

from zhixing.kernel.questions import MAX_OPTIONS, Option, Question


def question(count: int) -> Question:
    options = tuple(Option(str(number), f"选项{number}") for number in range(count))
    return Question("meridiem", "上午还是晚上？", options, subject="t1", revision=1)


@pytest.mark.parametrize("count", [0, 1, MAX_OPTIONS])
def test_a_question_has_up_to_seven_options(count: int) -> None:
    assert len(question(count).options) == count


def test_an_eighth_option_is_a_mistake_in_the_program() -> None:
    with pytest.raises(ValueError, match="at most 7"):
        question(MAX_OPTIONS + 1)


def test_a_question_stays_with_the_revision_it_was_asked_at() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        question(1).revision = 2  # type: ignore[misc]
