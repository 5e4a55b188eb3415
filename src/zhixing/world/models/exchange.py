"""The one conversation that every model has with whoever asks: the question, and at most one strict repair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zhixing.world.models.failures import ModelGarbled, Why
from zhixing.world.models.fence import single_line
from zhixing.world.models.port import Check, Prompt
from zhixing.world.models.reading import Unreadable, read_object
from zhixing.world.models.usage import Outcome, Tokens

LONGEST_COMPLAINT = 1_000
"""Characters of a complaint that a model is told."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said in one go. `whole` is False when it ran out of room."""

    text: str = field(repr=False)
    tokens: Tokens = field(default_factory=Tokens)
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a reply is not taken. It is told to the model together with the reply it is about."""

    why: Why
    complaint: str = field(repr=False)
    about: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class Settled:
    """A reply that is taken."""

    text: str = field(repr=False)
    value: dict[str, Any] = field(repr=False)
    tokens: Tokens
    was_repaired: bool


Say = Callable[[Objection | None], Said]
"""Put the question, again with an objection to the first reply when there is one."""
Told = Callable[[Said, Outcome], None]


def converse(prompt: Prompt, check: Check, say: Say, told: Told) -> Settled:
    """Ask, and once more if the first reply is not what was asked for.

    What ran out of room is not asked for again: the same room would not do.
    """
    first = say(None)
    read = _take(first, prompt, check)
    if not isinstance(read, Objection):
        told(first, Outcome.ANSWERED)
        return Settled(first.text, read, first.tokens, was_repaired=False)
    told(first, Outcome.GARBLED)
    if read.why is Why.TRUNCATED:
        raise ModelGarbled(read.why, read.complaint)
    second = say(read)
    repaired = _take(second, prompt, check)
    if isinstance(repaired, Objection):
        told(second, Outcome.GARBLED)
        raise ModelGarbled(repaired.why, repaired.complaint)
    told(second, Outcome.ANSWERED)
    return Settled(second.text, repaired, first.tokens + second.tokens, was_repaired=True)


def _take(said: Said, prompt: Prompt, check: Check) -> dict[str, Any] | Objection:
    if not said.whole:
        return Objection(Why.TRUNCATED, "回答没有写完")
    if not said.text.strip():
        return Objection(Why.EMPTY, "回答是空的")
    if prompt.shape is None:
        return {}
    try:
        value = read_object(said.text)
    except Unreadable as unreadable:
        return Objection(Why.UNREADABLE, str(unreadable), said.text)
    if mismatch := prompt.shape.mismatch(value):
        return Objection(Why.MISSHAPEN, mismatch, said.text)
    if complaint := check(value):
        return Objection(Why.UNCONVINCING, single_line(complaint)[:LONGEST_COMPLAINT], said.text)
    return value
