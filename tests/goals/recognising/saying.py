"""Conversations, as short as tests want them: the assistant's turns are our own cards."""

from __future__ import annotations

from zhixing.goals.recognising.cards import body_of, envelope
from zhixing.goals.recognising.model import Card, Draft, Message, NeedsModel, Recognition, Role, Shown
from zhixing.goals.recognising.recognising import recognise

CODE = "/task 修复登录页按钮错位"
REPORT = "/task 生成本月月报"
WHOLE = "/task 修复登录页按钮错位，要 CI 通过，不动接口逻辑"
TWO = "/task 修复登录页按钮错位，另外生成本月月报"


def user(text):
    return Message(Role.USER, text)


def platform(text):
    return Message(Role.PLATFORM, text)


def assistant(said):
    return Message(Role.ASSISTANT, said if isinstance(said, str) else envelope(said))


def talk(*texts: str) -> Recognition:
    """Return what the last text is answered with; the ones before are answered by ourselves, without a model."""
    messages: list[Message] = []
    found: Recognition | None = None
    for text in texts:
        messages.append(user(text))
        found = recognise(messages)
        shown = found.fallback if isinstance(found, NeedsModel) else found
        if isinstance(shown, Shown):
            messages.append(assistant("\n".join((envelope(shown.card), *shown.markers))))
    assert found is not None
    return found


def card(*texts: str) -> Card:
    found = talk(*texts)
    assert isinstance(found, Shown), found
    return found.card


def draft(*texts: str) -> Draft:
    found = card(*texts)
    assert not isinstance(found, tuple)
    return found.draft


def body(*texts: str) -> dict:
    return body_of(card(*texts))


def values(of: Draft) -> tuple:
    """Return the four elements: goal, deliverables, acceptance criteria, constraints."""
    return (of.goal, list(of.deliverables), list(of.acceptance_criteria), list(of.constraints))
