"""Talks about goals as they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zhixing.goals.recognising.cards import body_of, envelope
from zhixing.goals.talking import conversing, rows, showing
from zhixing.goals.talking.talk import GoalTalk, GoalTalkState
from zhixing.kernel.questions import Question
from zhixing.store.connection import Tx


@dataclass(frozen=True, slots=True)
class GoalTalkView:
    """A talk as it is shown: `card` as JSON, `card_text` to the letter what is sent, `lines` what a person reads.

    There is no card while a model reads, and none of what is settled. `others` are the talks of its list that were not
    chosen first.
    """

    row: GoalTalk
    card: Mapping[str, Any] | None
    card_text: str
    lines: tuple[str, ...]
    question: Question | None = None
    others: tuple[GoalTalk, ...] = ()


@dataclass(frozen=True, slots=True)
class Silence:
    """What the opening of the side panel is answered with: nothing is said, and nothing is kept (taskloop §7.3)."""


def views(tx: Tx, found: Sequence[GoalTalk]) -> list[GoalTalkView]:
    """Return talks as they are shown, each with those of its list."""
    lists = rows.lists(tx, {row.queue for row in found})
    return [_view(row, tuple(each for each in lists.get(row.queue, ()) if each.id != row.id)) for row in found]


def with_note(view: GoalTalkView, note: str) -> GoalTalkView:
    """Return a view that says something more, first."""
    return replace(view, lines=(note, *view.lines))


def _view(row: GoalTalk, others: tuple[GoalTalk, ...]) -> GoalTalkView:
    card = conversing.card_of(row.messages)
    lines, question = showing.lines(row, card, others), showing.question(row, card)
    if card is None or row.state not in (GoalTalkState.OPEN, GoalTalkState.SAVED):
        return GoalTalkView(row, None, "", lines, question, others)
    return GoalTalkView(row, body_of(card), envelope(card), lines, question, others)
