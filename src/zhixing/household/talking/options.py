"""The questions of a plan as the house asks them: options that can be picked by a letter. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhixing.household.checks.model import Question as PlanQuestion
from zhixing.household.composing.model import Open
from zhixing.kernel.questions import MAX_OPTIONS, Option, Question

_LETTERS = "ABCDEFG"
_LETTERED = re.compile(r"^([A-G])(?:[\s.．、：:)）]+)(?=\S)")
_NAMED = frozenset(("which_task", "device"))
"""Kinds whose answer is the option itself and not its letter."""


def questions_of(open_: Open, subject: str, revision: int) -> tuple[Question, ...]:
    """Return what is asked about `subject` at its `revision`."""
    return tuple(Question(one.kind, one.text, _options(one), subject, revision) for one in open_.questions)


def _options(question: PlanQuestion) -> tuple[Option, ...]:
    labels = [_LETTERED.sub("", shown) for shown in question.options[:MAX_OPTIONS]]
    return tuple(Option(_value(question.kind, index, labels), label) for index, label in enumerate(labels))


def _value(kind: str, index: int, labels: Sequence[str]) -> str:
    if kind in _NAMED:
        return labels[index]
    if kind == "person" and len(labels) > 2:
        # Those who may be meant, and at last anybody at all.
        return "B" if index == len(labels) - 1 else labels[index]
    return _LETTERS[index]
