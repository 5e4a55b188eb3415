"""How often in a row an element was asked for without a clear answer, read off the conversation (taskloop §1.3)."""

from __future__ import annotations

from collections.abc import Sequence

from zhixing.goals.recognising.asked import asked
from zhixing.goals.recognising.cards import read_card
from zhixing.goals.recognising.model import Clarify, Element, Message, Role
from zhixing.goals.recognising.panel import is_panel
from zhixing.goals.recognising.resuming import resumes
from zhixing.goals.recognising.workflows import command


def unclear_rounds(talk: Sequence[Message], element: Element) -> int:
    """Return how many replies in a row, the last message among them, left the element open after it was asked for."""
    count, replied = 0, False
    for message in reversed(talk):
        if message.role is Role.USER and not is_panel(message.text):
            if command(message.text):
                break
            replied = True
        elif message.role is Role.PLATFORM and resumes(message.text):
            break
        elif message.role is Role.ASSISTANT and (card := read_card(message.text)) is not None:
            if not isinstance(card, Clarify) or element not in card.draft.missing:
                break
            if replied and element in {each.element for each in asked(card.questions)}:
                count += 1
            replied = False
    return count
