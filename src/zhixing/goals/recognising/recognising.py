"""A conversation → what its last message is answered with. Pure; the rules of taskloop §1.

The newest card of the assistant holds the draft; `[RESUME_TASK]` counts when it came after the assistant spoke last.
`/task` goes before everything, words of the user are never a marker or a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zhixing.goals.recognising.answering import replied
from zhixing.goals.recognising.asked import asked
from zhixing.goals.recognising.cards import read_card
from zhixing.goals.recognising.changing import edited
from zhixing.goals.recognising.choosing import begun, chosen, select_card
from zhixing.goals.recognising.describing import Description, described
from zhixing.goals.recognising.inferring import Asking, completed, ended, finished, is_known
from zhixing.goals.recognising.model import (
    LONGEST_ITEM,
    Card,
    Clarify,
    Draft,
    Element,
    Message,
    NeedsModel,
    Ready,
    Recognition,
    Role,
    Select,
    Shown,
    Silent,
)
from zhixing.goals.recognising.panel import is_panel
from zhixing.goals.recognising.resuming import resumed, resumes
from zhixing.goals.recognising.rounds import unclear_rounds
from zhixing.goals.recognising.texts import bounded, plain
from zhixing.goals.recognising.words import task_words
from zhixing.goals.recognising.workflows import Command, command

_MOST_BEFORE = 10
"""Earlier messages that a command may speak of."""
MOST_ROUNDS = 3
"""Unclear replies about one element, after which its default is taken (taskloop §1.3)."""


def recognise(messages: Sequence[Message], context: str | None = None) -> Recognition:
    """Return what the last message is answered with. `context` is what the platform put beside the messages."""
    talk = bounded(messages)
    last = talk[-1] if talk else None
    if last is None:
        return _resumed(context) if context and resumes(context) else Silent()
    if last.role is Role.ASSISTANT or is_panel(last.text):
        return Silent()
    spoken = _spoken(talk)
    given = command(spoken.text) if spoken else None
    if given is not None:
        return _new(given, talk)
    card_at, card = _newest_card(talk)
    back = _given_back(talk, context, card)
    if back is not None:
        return _resumed(back)
    if card is None or last.role is not Role.USER or not last.text.strip():
        return Silent()
    return _continued(talk, card_at, card, last.text)


def _spoken(talk: Sequence[Message]) -> Message | None:
    """Return what the user said last, where the assistant has not answered since."""
    for message in reversed(talk):
        if message.role is Role.ASSISTANT:
            return None
        if message.role is Role.USER:
            return message
    return None


def _newest_card(talk: Sequence[Message]) -> tuple[int, Card | None]:
    for place in range(len(talk) - 1, -1, -1):
        if talk[place].role is Role.ASSISTANT and (card := read_card(talk[place].text)):
            return place, card
    return -1, None


def _given_back(talk: Sequence[Message], context: str | None, card: Card | None) -> str | None:
    """Return the text with which the platform gives a task back, where that has not been answered yet."""
    for message in reversed(talk):
        if message.role is Role.ASSISTANT:
            break
        if message.role is Role.PLATFORM and resumes(message.text):
            return message.text
    if context and resumes(context):
        under_way = card.draft.goal if isinstance(card, Clarify | Ready) else ""
        return context if not under_way or resumed(context).goal != under_way else None
    return None


def _resumed(text: str) -> Recognition:
    draft = resumed(text)
    return Shown(finished(Draft(), draft))


def _new(given: Command, talk: Sequence[Message]) -> Recognition:
    found = described(given.text)
    fallback = _first_card(found, given)
    none = Draft(workflow_id=given.workflow_id)
    if any(word in each.draft.goal for each in found.sketches for word in task_words().earlier):
        return NeedsModel(f"{_said_before(talk)}{plain(given.text)}", none, Shown(finished(none, none)))
    return fallback if _is_certain(found) else NeedsModel(plain(given.text), none, fallback)


def _said_before(talk: Sequence[Message]) -> str:
    """Return what the user said before the command, since the last card: the command speaks of it."""
    said: list[str] = []
    for message in reversed(talk):
        if message.role is Role.ASSISTANT and read_card(message.text):
            break
        if message.role is Role.USER and not is_panel(message.text) and command(message.text) is None:
            said.append(plain(message.text)[:LONGEST_ITEM])
    return "".join(f"{each}\n" for each in reversed(said[:_MOST_BEFORE]))


def _first_card(found: Description, given: Command) -> Shown:
    if len(found.sketches) > 1:
        return Shown(select_card([each.draft.goal for each in found.sketches]))
    draft = found.sketches[0].draft
    workflow = given.workflow_id if given.workflow_id is not None else draft.workflow_id
    return Shown(finished(Draft(), replace(draft, workflow_id=workflow)))


def _is_certain(found: Description) -> bool:
    """Whether rules alone may answer: everything was understood, and what is missing can be inferred or was labelled."""
    if not found.certain or found.labelled or len(found.sketches) > 1:
        return found.certain
    draft = completed(found.sketches[0].draft)
    if not draft.goal:
        # 产出一份对比表: the goal is in the words, and not for rules to say.
        return not draft.deliverables
    return bool(draft.deliverables) or is_known(draft.goal)


def _continued(talk: Sequence[Message], card_at: int, card: Card, text: str) -> Recognition:
    if isinstance(card, Select):
        return _chosen(talk, card_at, card, text)
    if isinstance(card, Ready):
        return _edited(card, text)
    return _answered(talk, card, text)


def _chosen(talk: Sequence[Message], card_at: int, card: Select, text: str) -> Recognition:
    place, rest = chosen(card, text)
    if place < 0:
        return Shown(card)
    said = next((each.text for each in reversed(talk[:card_at]) if each.role is Role.USER and command(each.text)), "")
    draft, blocks, doubtful = begun(card, said, place, rest)
    shown = Shown(finished(Draft(), draft), blocks)
    return NeedsModel(plain(rest), draft, shown) if doubtful else shown


def _edited(card: Ready, text: str) -> Recognition:
    change = edited(card.draft, text)
    emptied = frozenset(change.draft.missing if change.draft.goal == card.draft.goal else ())
    shown = Shown(finished(card.draft, change.draft, Asking(held=emptied)))
    if change.doubtful:
        return NeedsModel(plain(text), change.draft, shown)
    return shown if change.heard else Silent()


def _answered(talk: Sequence[Message], card: Clarify, text: str) -> Recognition:
    before = card.draft
    if not before.goal and len((several := described(text)).sketches) > 1:
        listed = Shown(select_card([each.draft.goal for each in several.sketches]))
        return listed if several.certain else NeedsModel(plain(text), before, listed)
    reply = replied(before, asked(card.questions), text)
    # What was asked for openly is not inferred behind the user's back; a new goal begins anew.
    asked_for = frozenset(before.missing) if before.goal == reply.draft.goal else frozenset[Element]()
    asking = Asking(asked_for | reply.denied, reply.opened)
    certain = completed(reply.draft, asking.held)
    open_still = frozenset(before.missing) & frozenset(certain.missing)
    spent = frozenset(each for each in open_still if unclear_rounds(talk, each) >= MOST_ROUNDS)
    draft = certain
    for element in spent:
        draft = ended(draft, element)
    # A default is not asked back either: the element is never asked for again.
    shown = Shown(finished(replace(before, inferred=before.inferred | spent), draft, asking))
    return NeedsModel(plain(text), certain, shown, spent) if reply.doubtful else shown
