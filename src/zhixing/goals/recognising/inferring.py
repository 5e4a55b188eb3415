"""What follows for an element that nobody spoke of, and how it is asked for (taskloop §1.3, the decision tree)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache

from zhixing.goals.recognising.model import Clarify, Draft, Element, Ready
from zhixing.goals.recognising.words import Consequence, Kind, any_of, kinds
from zhixing.kernel.wording import wording

MOST_OPTIONS = 7
"""Options of a choice, 其他 among them."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What is known, beside the draft, of how to go on asking."""

    held: frozenset[Element] = frozenset()
    """Elements of which nothing is inferred: they were asked for, or what was inferred was denied."""
    opened: frozenset[Element] = frozenset()
    """Elements for which none of the options was right: they are asked for openly."""
    options: Mapping[Element, tuple[str, ...]] = field(default_factory=dict)
    """Reasonable values that a model named."""


def kind_of(goal: str) -> Kind:
    """Return the kind of work that a goal is; the last of all where nothing is known."""
    return next((kind for kind in kinds()[:-1] if _is(kind, goal)), kinds()[-1])


def is_known(goal: str) -> bool:
    """Whether anything is known of this kind of work."""
    return kind_of(goal) is not kinds()[-1]


def _is(kind: Kind, goal: str) -> bool:
    about, verbs, alone, unless = _patterns(kind.name)
    if unless and unless.search(goal):
        return False
    if alone and alone.match(goal):
        return True
    return bool(about.search(goal) and (verbs is None or verbs.search(goal)))


@cache
def _patterns(
    name: str,
) -> tuple[re.Pattern[str], re.Pattern[str] | None, re.Pattern[str] | None, re.Pattern[str] | None]:
    kind = next(each for each in kinds() if each.name == name)

    def pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
        return re.compile(any_of(words)) if words else None

    return re.compile(any_of(kind.about)), pattern(kind.by), pattern(kind.alone), pattern(kind.unless)


def follows(goal: str, element: Element) -> Consequence:
    """Return what follows for an element of a task with this goal."""
    return kind_of(goal).follows.get(element, Consequence())


def inferred_value(goal: str, element: Element) -> str:
    """Return the one reasonable value of an element, or ""."""
    what = follows(goal, element) if goal else Consequence()
    detail = next((name for word, name in (what.detail or {}).items() if word in goal), "")
    return f"{what.only}（{detail}）" if detail else what.only


def completed(draft: Draft, held: Collection[Element] = ()) -> Draft:
    """Return the draft with every missing element filled that has exactly one reasonable value, but for `held`."""
    for element in draft.missing:
        if element not in held and (value := inferred_value(draft.goal, element)):
            draft = draft.guessed(element, [value])
    return draft


def ended(draft: Draft, element: Element) -> Draft:
    """Return the draft with what is taken for an element after the last round (taskloop §1.3). A goal is never taken."""
    if element is Element.GOAL or not draft.goal:
        return draft
    return draft.guessed(element, [inferred_value(draft.goal, element) or follows(draft.goal, element).otherwise])


def finished(before: Draft, draft: Draft, asking: Asking | None = None) -> Clarify | Ready:
    """Return the card for a draft. What was inferred since `before` is asked back once, if anything is asked."""
    asking = asking or Asking()
    draft = completed(draft, asking.held)
    if not draft.missing and not draft.lacks_id:
        return Ready(draft)
    asked = [wording("goal_cards.ask_workflow_id")] if draft.lacks_id else []
    if not draft.goal:
        return Clarify(draft, (wording("goal_cards.ask_goal"), *asked))
    asked += [_confirm(draft, each) for each in draft.to_confirm if each not in before.inferred]
    asked += [question(draft.goal, each, asking) for each in draft.missing]
    return Clarify(draft, tuple(asked))


def _confirm(draft: Draft, element: Element) -> str:
    value = "、".join(draft.values(element))
    brief = follows(draft.goal, element).brief if value == inferred_value(draft.goal, element) else ""
    return wording("goal_cards.ask_confirm", name=name_of(element), value=brief or value)


def question(goal: str, element: Element, asking: Asking) -> str:
    """Return how a missing element is asked for: as a choice where several values are reasonable, openly otherwise."""
    what = follows(goal, element)
    several = (asking.options.get(element) or what.options)[: MOST_OPTIONS - 1]
    if len(several) > 1 and element not in asking.opened:
        rows = [*several, wording("goal_cards.other")]
        listed = "  ".join(f"{chr(ord('A') + n)}) {row}" for n, row in enumerate(rows))
        return wording("goal_cards.ask_choice", name=name_of(element), options=listed)
    return wording(f"goal_cards.ask_{element.value}") + (
        wording("goal_cards.hint", hint=what.hint) if what.hint else ""
    )


def name_of(element: Element) -> str:
    """Return what people call an element."""
    return wording(f"goal_cards.name_{element.value}")
