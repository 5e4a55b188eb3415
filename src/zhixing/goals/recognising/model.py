"""What recognition works on: the conversation, the draft of a task, the cards, and what comes out of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

MOST_MESSAGES = 200
"""Messages that are read, the newest."""
MOST_TEXT = 100 * 1024
"""Characters that are read of all messages together, the newest first."""
LONGEST_TEXT = 20_000
"""Characters of one message that rules look into."""
MOST_CLAUSES = 100
"""Clauses of one message that rules look into."""
MOST_TASKS = 5
MOST_ITEMS = 20
"""Items of one element."""
LONGEST_ITEM = 500
"""Characters of one item, and of a goal."""
LONGEST_ID = 200


class Role(StrEnum):
    """Who wrote a message."""

    USER = "user"
    ASSISTANT = "assistant"
    PLATFORM = "platform"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str


class Element(StrEnum):
    """The four that a task needs (taskloop §1.2), in the order in which they are shown and asked for."""

    GOAL = "goal"
    DELIVERABLES = "deliverables"
    ACCEPTANCE = "acceptance_criteria"
    CONSTRAINTS = "constraints"


@dataclass(frozen=True, slots=True)
class Draft:
    """A task as far as it is known. An element without values is missing."""

    goal: str = ""
    deliverables: tuple[str, ...] = ()
    acceptance_criteria: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    workflow_id: str | None = None
    """None for a dynamic task; empty while a workflow task still lacks it."""
    inferred: frozenset[Element] = frozenset()
    """Elements whose values nobody said: they need confirmation."""

    def values(self, element: Element) -> tuple[str, ...]:
        """Return the values of an element; a goal is one value."""
        match element:
            case Element.GOAL:
                return (self.goal,) if self.goal else ()
            case Element.DELIVERABLES:
                return self.deliverables
            case Element.ACCEPTANCE:
                return self.acceptance_criteria
            case Element.CONSTRAINTS:
                return self.constraints

    def said(self, element: Element, values: Iterable[str]) -> Draft:
        """Return the draft with what somebody said of an element in place of what was there."""
        return self._with(element, values, self.inferred - {element})

    def guessed(self, element: Element, values: Iterable[str]) -> Draft:
        """Return the draft with an inferred value, which is to be confirmed."""
        return self._with(element, values, self.inferred | {element})

    def confirmed(self, elements: Iterable[Element]) -> Draft:
        """Return the draft in which these elements are no longer to be confirmed."""
        return replace(self, inferred=self.inferred - frozenset(elements))

    def linked(self, links: Iterable[str]) -> Draft:
        """Return the draft with more resources, each once."""
        return replace(self, resources=tuple(dict.fromkeys((*self.resources, *links)))[:MOST_ITEMS])

    def _with(self, element: Element, values: Iterable[str], inferred: frozenset[Element]) -> Draft:
        kept = tuple(dict.fromkeys(each[:LONGEST_ITEM] for each in values if each))[:MOST_ITEMS]
        inferred = inferred if kept else inferred - {element}
        match element:
            case Element.GOAL:
                return replace(self, goal=kept[0] if kept else "", inferred=inferred)
            case Element.DELIVERABLES:
                return replace(self, deliverables=kept, inferred=inferred)
            case Element.ACCEPTANCE:
                return replace(self, acceptance_criteria=kept, inferred=inferred)
            case Element.CONSTRAINTS:
                return replace(self, constraints=kept, inferred=inferred)

    @property
    def missing(self) -> tuple[Element, ...]:
        """The elements without a value."""
        return tuple(each for each in Element if not self.values(each))

    @property
    def to_confirm(self) -> tuple[Element, ...]:
        """The inferred elements, in order."""
        return tuple(each for each in Element if each in self.inferred)

    @property
    def lacks_id(self) -> bool:
        """Whether it is a workflow task whose workflow is not known."""
        return self.workflow_id == ""


@dataclass(frozen=True, slots=True)
class Clarify:
    """Asks for what is missing."""

    draft: Draft
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """Shows a whole draft, to be executed, discarded or saved."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class Select:
    """Asks which of several tasks comes first."""

    summaries: tuple[str, ...]
    prompt: str


Card = Clarify | Ready | Select


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing is said."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A card, and the blocks that the platform is to keep."""

    card: Card
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NeedsModel:
    """Rules are not certain what the words say; `fallback` is what holds where there is no model."""

    text: str
    """The words in question, cleaned."""
    draft: Draft
    """What is certain without them."""
    fallback: Shown | Silent
    spent: frozenset[Element] = frozenset()
    """Elements that were asked for three times: what is still open after this takes its default."""


Recognition = Silent | Shown | NeedsModel
