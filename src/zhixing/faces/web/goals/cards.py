"""Conversations about goals as their cards are shown (taskloop §7.1): elements, questions with answers to tap, rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zhixing.faces.web.goals.addresses import is_link, of_goal
from zhixing.goals.recognising.asked import Asked, Form, asked
from zhixing.goals.recognising.model import Element
from zhixing.goals.recognising.workflows import command
from zhixing.goals.talking.talk import GoalTalkState
from zhixing.goals.talking.views import GoalTalkView
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import Language, wording

LISTED = (Element.DELIVERABLES, Element.ACCEPTANCE, Element.CONSTRAINTS)
"""The elements that have a heading of their own; the goal stands above them."""
_OPTIONS_BEGIN = ("A)", "A）", "A.", "A．", "A、", "A:", "A：")


@dataclass(frozen=True, slots=True)
class ShownElement:
    """An element of a card; `inferred` when nobody said its values."""

    kind: str
    name: str
    values: tuple[str, ...]
    inferred: bool


@dataclass(frozen=True, slots=True)
class ShownResource:
    """Something that a task refers to; only what is a web address is followed."""

    text: str
    is_link: bool


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question of a card; `options` (value, label) are answers to tap, `place` is its number from 0."""

    place: int
    prompt: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A conversation on the page. Where there is no card to draw, `lines` say where it is.

    `buttons` (name, label) press something, the first of them above all; `rows` choose one task out of several.
    """

    id: str
    text: str
    state: str
    kind: str
    revision: int
    goal: str
    goal_inferred: bool
    elements: tuple[ShownElement, ...]
    resources: tuple[ShownResource, ...]
    questions: tuple[ShownQuestion, ...]
    rows: tuple[tuple[str, str], ...]
    prompt: str
    buttons: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    takes_words: bool
    discardable: bool
    goal_address: str


def card_of(view: GoalTalkView, language: Language) -> ShownCard:
    """Return a conversation as it is drawn."""
    row, card = view.row, view.card or {}
    kind = str(card.get("type", ""))
    task: Mapping[str, Any] = card.get("task", card) if kind == "task_ready" else card
    inferred = set(_texts(card.get("needs_confirmation")))
    is_open = row.state is GoalTalkState.OPEN
    asks = is_open and kind == "task_clarify"
    options = () if view.question is None else view.question.options
    chooses = is_open and kind == "task_multi_select"
    rows = tuple((each.value, each.label) for each in options) if chooses else ()
    return ShownCard(
        id=row.id,
        text=_called(row.text, rows, language),
        state=wording(f"goal_talks.state_{row.state.value}", language),
        kind=kind.removeprefix("task_"),
        revision=row.revision,
        goal=str(task.get("goal", "")),
        goal_inferred=Element.GOAL.value in inferred,
        elements=tuple(_elements(task, inferred, language)),
        resources=tuple(ShownResource(each, is_link(each)) for each in _texts(task.get("resources"))),
        questions=questions_of(_texts(card.get("questions")), task, language) if asks else (),
        rows=rows,
        prompt=str(card.get("prompt", "")),
        buttons=()
        if chooses or asks
        else tuple((each.value, wording(f"goal_talks.{each.value}", language)) for each in options),
        lines=() if card else view.lines,
        takes_words=is_open,
        discardable=row.state.open and row.state is not GoalTalkState.EXECUTING,
        goal_address="" if row.goal_id is None else of_goal(row.goal_id),
    )


def questions_of(asks: Sequence[str], task: Mapping[str, Any], language: Language) -> tuple[ShownQuestion, ...]:
    """Return the questions of a card. One alone is answered with its letter; several with values under their names."""
    alone = len(asks) == 1
    return tuple(
        ShownQuestion(place, _prompt(text, one), tuple(_options(one, task, language, alone=alone)))
        for place, (text, one) in enumerate(zip(asks, asked(asks), strict=True))
    )


def answer_to(asks: Sequence[str], words: Sequence[str], picks: Mapping[int, str]) -> str:
    """Put what was picked and written under several questions into one reply; words count before what was picked.

    Raises `BadInput` where nothing was said.
    """
    found = asked(asks)
    said = []
    for place, one in enumerate(found):
        written = " ".join(words[place].split()) if place < len(words) else ""
        answer = written or picks.get(place, "").strip()
        if not answer:
            continue
        if one.element is not None and len(found) > 1:
            answer = f"{wording(f'goal_cards.name_{one.element.value}', 'zh')}：{answer}"
        said.append(answer)
    if not said:
        raise BadInput("goal_answer_empty")
    return "\n".join(said)


def _called(text: str, rows: Sequence[object], language: Language) -> str:
    """Return what a conversation is called before its goal is known: its words without the command."""
    if rows:
        return wording("web_goals.several", language, count=len(rows))
    found = command(text)
    return text if found is None else found.text.strip() or text


def _elements(task: Mapping[str, Any], inferred: set[str], language: Language) -> list[ShownElement]:
    return [
        ShownElement(each.value, wording(f"goal_cards.name_{each.value}", language), values, each.value in inferred)
        for each in LISTED
        if (values := _texts(task.get(each.value)))
    ]


def _options(one: Asked, task: Mapping[str, Any], language: Language, *, alone: bool) -> list[tuple[str, str]]:
    if one.form is Form.CHOICE:
        values = "ABCDEFG" if alone else one.options
        return [
            (value, f"{letter}  {option}")
            for value, letter, option in zip(values, "ABCDEFG", one.options, strict=False)
        ]
    if one.form is Form.CONFIRM and one.element is not None:
        given = task.get(one.element.value)
        value = given if isinstance(given, str) else "；".join(_texts(given))
        yes = "对" if alone else value
        return [(yes, wording("web_goals.yes", language))] if value else []
    return []


def _prompt(question: str, one: Asked) -> str:
    """Return a question without its options, which stand under it."""
    if one.form is not Form.CHOICE:
        return question
    begins = [at for at in map(question.find, _OPTIONS_BEGIN) if at > 0]
    return question[: min(begins)].strip() if begins else question


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
