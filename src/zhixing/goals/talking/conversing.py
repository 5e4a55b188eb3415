"""The conversation of a talk: what is put into it, the card it shows, the buttons that words press. Pure.

The platform's part of taskloop §1.4, §1.5: the blocks for tasks that wait are read here, and tasks are given back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from zhixing.goals.recognising.cards import envelope, read_card
from zhixing.goals.recognising.model import Card, Clarify, Draft, Element, Message, Ready, Role, Shown
from zhixing.goals.recognising.texts import PENDING, RESUME, bounded, line
from zhixing.kernel.wording import wording

Conversation = tuple[Message, ...]

_BLOCK = re.compile(rf'{re.escape(PENDING)}\n  (?P<sign>\S) (?P<summary>[^\n]*)\n  source: "(?P<source>[^\n]*)"')
_ENDS = " 。.!！~～,，吧啊了"


class Button(StrEnum):
    """What can be pressed (taskloop §1.5); `resume` gives back what was set aside or has to wait."""

    EXECUTE = "execute"
    DISCARD = "discard"
    SAVE = "save"
    RESUME = "resume"


_PRESSED = {
    **dict.fromkeys(("execute", "执行", "开始执行", "确认执行"), Button.EXECUTE),
    **dict.fromkeys(("discard", "丢弃", "取消"), Button.DISCARD),
    **dict.fromkeys(("save", "暂存", "先存着", "先放着", "存草稿"), Button.SAVE),
    **dict.fromkeys(("resume", "继续", "接着做", "恢复"), Button.RESUME),
}
"""不要 is no button: it may answer what was asked (有什么约束吗)."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A task that was not chosen: what it is, and the words that it comes from."""

    summary: str
    source: str


def begun(text: str) -> Conversation:
    """Return the conversation that a command begins, or the platform where it gives a task back."""
    return (Message(Role.PLATFORM if gives_back(text) else Role.USER, text),)


def gives_back(text: str) -> bool:
    """Whether a text begins with `[RESUME_TASK]`."""
    return text.lstrip().startswith(RESUME)


def replied(talk: Conversation, text: str) -> Conversation:
    """Return the conversation with what the user says now."""
    return bounded((*talk, Message(Role.USER, text)))


def shown(talk: Conversation, found: Shown) -> Conversation:
    """Return the conversation with the card that answers it, and the blocks under it."""
    return bounded((*talk, Message(Role.ASSISTANT, "\n".join((envelope(found.card), *found.markers)))))


def unanswered(talk: Conversation) -> Conversation:
    """Return the conversation up to its newest card: what nothing is said to leaves no trace."""
    kept = list(talk)
    while kept and kept[-1].role is not Role.ASSISTANT:
        kept.pop()
    return tuple(kept)


def card_of(talk: Conversation) -> Card | None:
    """Return the card that is shown; None before there is one."""
    newest = next((each.text for each in reversed(talk) if each.role is Role.ASSISTANT), "")
    return read_card(newest)


def pending_of(found: Shown) -> tuple[Pending, ...]:
    """Return the tasks that the blocks under a card ask the platform to keep."""
    blocks = (_BLOCK.fullmatch(each) for each in found.markers)
    return tuple(Pending(each["summary"], each["source"]) for each in blocks if each and each["summary"])


def given_back(pending: Pending) -> Conversation:
    """Return the conversation in which the platform gives a task back that has waited."""
    return (Message(Role.PLATFORM, f'{RESUME}\n{pending.summary}\nsource: "{pending.source}"'),)


def taken_up(draft: Draft) -> Conversation:
    """Return the conversation in which the platform gives a whole draft back, with what is still to be confirmed."""
    rows = [f"goal: {draft.goal}"]
    rows += [f"{each.value}: {_json(draft.values(each))}" for each in Element if each is not Element.GOAL]
    rows += [f"resources: {_json(draft.resources)}"] if draft.resources else []
    if draft.workflow_id is not None:
        rows += ["task_type: workflow", f"workflow_id: {draft.workflow_id}"]
    rows.append(f"needs_confirmation: {_json(tuple(each.value for each in draft.to_confirm))}")
    return (Message(Role.PLATFORM, "\n".join((RESUME, *rows, f"source: {wording('goal_talks.saved_source', 'zh')}"))),)


def pressed(words: str) -> Button | None:
    """Return the button that words press, in either language; None for words that say something."""
    bare = words.strip(_ENDS).lower()
    return _PRESSED.get(bare)


def title_of(card: Card | None, text: str) -> str:
    """Return what a talk is called: its goal, or the words it began with."""
    goal = card.draft.goal if isinstance(card, Clarify | Ready) else ""
    return goal or line(text)


def _json(values: tuple[str, ...]) -> str:
    return msgspec.json.encode(values).decode()
