"""What a person reads of a card, and what is asked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zhixing.goals.recognising.model import Card, Clarify, Draft, Element, Ready, Select
from zhixing.goals.recognising.pending import CIRCLED
from zhixing.goals.talking.conversing import Button, title_of
from zhixing.goals.talking.talk import GoalTalk, GoalTalkState
from zhixing.kernel.questions import Option, Question
from zhixing.kernel.wording import wording

KIND = "goal_talk"
"""The kind of its questions."""
_ON_READY = (Button.EXECUTE, Button.DISCARD, Button.SAVE)
_ON_WAITING = (Button.RESUME, Button.DISCARD)


def lines(talk: GoalTalk, card: Card | None, others: Sequence[GoalTalk]) -> tuple[str, ...]:
    """Return what there is to say of a talk; `others` are those of its list that were not chosen first."""
    match talk.state:
        case GoalTalkState.OPEN if card is not None:
            found = (*_of_card(card), *_waiting(others))
        case GoalTalkState.SAVED if card is not None:
            found = (_situation(talk, card), *_elements(card), *_next(others))
        case GoalTalkState.QUEUED:
            found = (_situation(talk, card),)
        case _:
            found = (_situation(talk, card), *_next(others), *_waiting(others))
    asked = question(talk, card)
    return (*found, asked.prompt) if asked is not None and not isinstance(card, Clarify | Select) else found


def question(talk: GoalTalk, card: Card | None) -> Question | None:
    """Return what is asked: a choice, a button, or what is missing in words; None where nothing is."""
    match talk.state, card:
        case ((GoalTalkState.SAVED | GoalTalkState.QUEUED), _):
            return _buttons(talk, "ask_resume", _ON_WAITING)
        case GoalTalkState.EXECUTING, _:
            return _buttons(talk, "ask_again", (Button.EXECUTE,))
        case GoalTalkState.OPEN, Ready():
            return _buttons(talk, "ask_ready", _ON_READY)
        case GoalTalkState.OPEN, Select():
            options = tuple(Option(str(n), each) for n, each in enumerate(card.summaries, 1))
            return Question(KIND, card.prompt, options, talk.id, talk.revision)
        case GoalTalkState.OPEN, Clarify():
            return Question(KIND, "\n".join(card.questions), (), talk.id, talk.revision)
        case _:
            return None


def _situation(talk: GoalTalk, card: Card | None) -> str:
    return wording(f"goal_talks.{talk.state.value}", title=title_of(card, talk.text), goal=talk.goal_id or "")


def _buttons(talk: GoalTalk, prompt: str, buttons: Sequence[Button]) -> Question:
    options = tuple(Option(each.value, wording(f"goal_talks.{each.value}")) for each in buttons)
    return Question(KIND, wording(f"goal_talks.{prompt}"), options, talk.id, talk.revision)


def _of_card(card: Card) -> Iterator[str]:
    if isinstance(card, Select):
        yield wording("goal_talks.several", count=len(card.summaries))
        yield from (f"{CIRCLED[n]} {each}" for n, each in enumerate(card.summaries))
        yield from card.prompt.splitlines()
        return
    yield wording("goal_talks.ready" if isinstance(card, Ready) else "goal_talks.clarify")
    yield from _elements(card)
    if isinstance(card, Clarify):
        yield from card.questions


def _elements(card: Card) -> Iterator[str]:
    if isinstance(card, Select):
        return
    draft = card.draft
    for each in Element:
        if values := draft.values(each):
            key = "inferred" if each in draft.inferred else "element"
            name = wording(f"goal_cards.name_{each.value}")
            yield wording(f"goal_talks.{key}", name=name, values=wording("goal_talks.comma").join(values))
    yield from _besides(draft)


def _besides(draft: Draft) -> Iterator[str]:
    if draft.resources:
        name = wording("goal_cards.short_resources")
        yield wording("goal_talks.element", name=name, values=" ".join(draft.resources))
    if draft.workflow_id:
        yield wording("goal_talks.workflow", id=draft.workflow_id)
    if draft.missing:
        names = wording("goal_talks.comma").join(wording(f"goal_cards.name_{each.value}") for each in draft.missing)
        yield wording("goal_talks.missing", names=names)


def _waiting(others: Sequence[GoalTalk]) -> Iterator[str]:
    """Say which tasks of a list wait for their turn."""
    waiting = [each for each in others if each.state is GoalTalkState.QUEUED]
    if waiting:
        yield wording("goal_talks.waiting", count=len(waiting))
        yield from (wording("goal_talks.waiting_one", id=each.id, title=each.text) for each in waiting)


def _next(others: Sequence[GoalTalk]) -> Iterator[str]:
    """Say whose turn it is."""
    for each in others:
        if each.state is GoalTalkState.OPEN:
            yield wording("goal_talks.turn", id=each.id, title=each.text)
