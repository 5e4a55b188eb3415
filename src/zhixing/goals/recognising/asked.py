"""What a card asked, read off its questions: for which element, and with which options."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from zhixing.goals.recognising.model import Element
from zhixing.goals.recognising.texts import item
from zhixing.goals.recognising.words import replies

_OPTION = re.compile(
    r"(?:^|(?<=[\s？?：:，,；;]))([A-G])\s*[)）.．、:：]\s*(.+?)(?=\s+[A-G]\s*[)）.．、:：]|$)", re.DOTALL
)
_NAMES = (
    (re.compile(r"验收"), Element.ACCEPTANCE),
    (re.compile(r"约束|限制"), Element.CONSTRAINTS),
    (re.compile(r"交付|产出"), Element.DELIVERABLES),
    (re.compile(r"目标|任务"), Element.GOAL),
)


class Form(Enum):
    """How a question is put."""

    OPEN = auto()
    CHOICE = auto()
    CONFIRM = auto()
    WORKFLOW = auto()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a card. `options` are those that can be taken; 其他 is none of them."""

    form: Form
    element: Element | None
    options: tuple[str, ...] = ()
    letters: str = ""
    """The letters of all options, 其他 too."""

    def option(self, letter: str) -> str:
        """Return the option behind a letter; "" for 其他 and for a letter that is none."""
        place = ord(letter) - ord("A")
        return self.options[place] if 0 <= place < len(self.options) else ""


def asked(questions: Iterable[str]) -> tuple[Asked, ...]:
    """Return what the questions of a card ask."""
    return tuple(map(_asked, questions))


def _asked(question: str) -> Asked:
    found = [(match[1], item(match[2])) for match in _OPTION.finditer(question)]
    letters = "".join(letter for letter, _ in found)
    head = question[: question.find("A")] if len(found) > 1 else question
    element = next((element for pattern, element in _NAMES if pattern.search(head)), None)
    if "workflow_id" in question:
        return Asked(Form.WORKFLOW, None)
    if len(found) > 1 and letters == "ABCDEFG"[: len(found)]:
        options = tuple(text for _, text in found if not text.startswith(replies().other))
        return Asked(Form.CHOICE, element, options, letters)
    return Asked(Form.CONFIRM if re.search(r"我推断|[对是]吗", question) else Form.OPEN, element)
