"""What a model may make of words that rules are not certain of: values, each with the words it rests on. Pure.

A value that was said counts only with a verbatim quote that carries it; values that nobody said are options: one alone
is filled in and marked, several are asked. What it says goes the same way as everything else: the same draft, the same
cards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zhixing.goals.recognising.cards import task_of
from zhixing.goals.recognising.choosing import select_card
from zhixing.goals.recognising.inferring import MOST_OPTIONS, Asking, ended, finished
from zhixing.goals.recognising.model import MOST_ITEMS, Clarify, Element, NeedsModel, Ready, Recognition, Shown
from zhixing.goals.recognising.phrasing import is_vague
from zhixing.goals.recognising.texts import item, links
from zhixing.kernel.wording import wording
from zhixing.language.text import normalise
from zhixing.world.models.fence import RULE, fence
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.shape import Shape

LONGEST_WORDS = 8_000
"""Characters of the words that a model is shown."""
_MOST_GUESSES = MOST_OPTIONS - 1
_LISTS: tuple[Element, ...] = tuple(each for each in Element if each is not Element.GOAL)
_WORD = re.compile(r"[A-Za-z]+|[0-9]+(?:\.[0-9]+)?")


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_QUOTED = _object(
    text={"type": "string", "description": "这一项，简短"}, quote={"type": "string", "description": "原话，逐字"}
)
_SAID = _object(**{each.value: _list(_QUOTED) for each in _LISTS})
_OPTIONS = _object(**{each.value: _list({"type": "string"}) for each in _LISTS})
_TASK = _object(goal={"anyOf": [_QUOTED, {"type": "null"}]}, said=_SAID, options=_OPTIONS)
SHAPE = Shape("goal_elements", _object(understood={"type": "boolean"}, tasks=_list(_TASK)))
"""A reply: as a rule one task; several only where the words begin something new."""


def prompt_for(asked: NeedsModel) -> Prompt:
    """Return the question what the words in doubt say; `complaint` checks the reply to it."""
    system = wording("goal_cards.prompt", "zh", rule=RULE, most=_MOST_GUESSES)
    known = fence(str(task_of(asked.draft)), "已有草案")
    return Prompt(system, (Text(f"{known}\n{fence(asked.text[:LONGEST_WORDS], '原话')}"),), SHAPE)


def complaint(value: dict[str, Any], asked: NeedsModel) -> str:
    """Return what is wrong with a reply, for its one repair, or ""."""
    if len(value["tasks"]) > MOST_ITEMS:
        return wording("goal_cards.too_many", "zh", place="tasks")
    for n, task in enumerate(value["tasks"]):
        quoted = {f"tasks[{n}].goal": [task["goal"]] if task["goal"] else []}
        quoted |= {f"tasks[{n}].said.{each.value}": task["said"][each.value] for each in _LISTS}
        for place, rows in quoted.items():
            if len(rows) > MOST_ITEMS:
                return wording("goal_cards.too_many", "zh", place=place)
            if not all(_carried(row["text"], row["quote"], asked.text) for row in rows):
                return wording("goal_cards.quote_not_said", "zh", place=place)
    return ""


def read_by_model(value: dict[str, Any], asked: NeedsModel) -> Recognition:
    """Return what a reply makes of the words in doubt; the fallback where it is not believed or says nothing."""
    if SHAPE.mismatch(value) or complaint(value, asked) or not value["understood"] or not value["tasks"]:
        return asked.fallback
    markers = asked.fallback.markers if isinstance(asked.fallback, Shown) else ()
    if len(value["tasks"]) > 1:
        goals = [_goal(task) for task in value["tasks"]]
        return Shown(select_card(list(filter(None, goals)))) if _are_several(asked, goals) else asked.fallback
    return Shown(_card(value["tasks"][0], asked), markers)


def _card(task: Mapping[str, Any], asked: NeedsModel) -> Clarify | Ready:
    """Return the card for one task that a model read. In a task under way the goal stays what it is."""
    before = asked.draft
    draft = before.linked(links(asked.text)[0])
    if (goal := _goal(task)) and not before.goal:
        draft = draft.said(Element.GOAL, [goal])
    for element in _LISTS:
        if values := [item(each["text"]) for each in task["said"][element.value]]:
            draft = draft.said(element, values)
    options = {each: _guesses(task["options"][each.value]) for each in _LISTS}
    under_way = frozenset(_LISTS if before.goal else ())
    for element in draft.missing:
        if draft.goal and element not in under_way and len(options.get(element, ())) == 1:
            draft = draft.guessed(element, options[element])
    for element in asked.spent & frozenset(draft.missing):
        draft = ended(draft, element)
    # Where a model named several values, our own inference does not go beyond it.
    held = under_way | frozenset(each for each in _LISTS if len(options[each]) > 1)
    asked_back = replace(before, inferred=before.inferred | asked.spent)
    return finished(asked_back, draft, Asking(held=held, options=options))


def _are_several(asked: NeedsModel, goals: list[str]) -> bool:
    return not asked.draft.goal and sum(map(bool, goals)) > 1


def _goal(task: Mapping[str, Any]) -> str:
    goal = item(task["goal"]["text"]) if task["goal"] else ""
    return "" if is_vague(goal) else goal


def _guesses(options: list[str]) -> tuple[str, ...]:
    named = (item(each) for each in options)
    return tuple(dict.fromkeys(each for each in named if each and not each.startswith(("其他", "其它"))))[
        :_MOST_GUESSES
    ]


def _carried(text: str, quote: str, words: str) -> bool:
    """Whether `quote` is verbatim in `words`, and says every number and Latin word of `text` and most of the rest."""
    plain, said = normalise(text).lower(), normalise(quote).lower()
    if not plain.strip() or not said.strip() or said.strip() not in normalise(words).lower():
        return False
    if not set(_WORD.findall(plain)) <= set(_WORD.findall(said)):
        return False
    signs = [char for char in plain if "一" <= char <= "龥"]
    return sum(char in said for char in signs) * 2 >= len(signs)
