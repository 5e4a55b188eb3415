"""Whose turn it is in a group, when it is over, and who reports: (group, talk, message) → talk. Pure.

    chat              the driver speaks, then whom it addressed, one after another, then the driver again
    manager_worker    the manager hands out work, the workers do it at the same time, then the manager looks again
    state_machine     the bot of each state's role speaks; what it says leads on

Only the reporter ends a talk. A manager that is done before every worker had its turn is not: the others come first.
A talk that takes too long, or whose state machine stands still, ends with a last word of the reporter on what is there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from zhixing.goals.bots.definitions import Definition, State
from zhixing.goals.bots.forming import Group, Part
from zhixing.goals.loop.values import CollabMode

MOST_MISSES = 2
"""Turns in a row that may come to nothing."""
LONGEST_RESULT = 20_000
"""Characters of a result that are kept."""


class Duty(StrEnum):
    """What a bot is asked for: to lead on, to do its part, or to report on the whole."""

    LEAD = "lead"
    WORK = "work"
    REPORT = "report"


class Word(StrEnum):
    """What a turn came to: something said; the result, which only the reporter has; nothing that can be used."""

    SAID = "said"
    DONE = "done"
    SILENT = "silent"


class Ended(StrEnum):
    """Why a talk is over: it came to its end; it took too many turns; somebody that is needed did not answer."""

    DONE = "done"
    EXHAUSTED = "exhausted"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Message:
    """What came of the turn of a bot. `to` are the bots it addresses, nobody for all; `outcome` leads a machine on."""

    bot_id: str
    word: Word = Word.SAID
    text: str = ""
    to: tuple[str, ...] = ()
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who is to speak, and about what; one of `outcomes` must be said where there are any."""

    bot_id: str
    duty: Duty
    task: str = ""
    outcomes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Talk:
    """A talk so far. It is over when nobody is awaited; then `ended` says why, and `result` what the reporter said.

    `queue` speaks after who is awaited, `heard` had a turn, `at` is the state of the machine, `turns` counts messages,
    `misses` those in a row that came to nothing, and `closing` is how it ends once the reporter has reported.
    """

    awaited: tuple[Turn, ...]
    queue: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    at: str = ""
    turns: int = 0
    misses: int = 0
    closing: Ended | None = None
    ended: Ended | None = None
    result: str = ""


def begin(group: Group) -> Talk:
    """Return the talk of a group before anybody spoke."""
    if group.definition is None:
        return Talk((_turn(group, group.reporter, Duty.LEAD),))
    return _enter(group, group.definition, Talk(()), group.definition.start)


def step(group: Group, talk: Talk, message: Message) -> Talk:
    """Return the talk after a message; the same one when it was not the turn of who sent it."""
    asked = next((each for each in talk.awaited if each.bot_id == message.bot_id), None)
    if asked is None:
        return talk
    taken = replace(talk, turns=talk.turns + 1)
    if asked.duty is Duty.REPORT:
        return _reported(taken, message)
    stepped = _stepped(group, taken, asked, message)
    if stepped.ended is None and stepped.closing is None and stepped.turns >= group.most_turns:
        return _close(group, stepped, Ended.EXHAUSTED)
    return stepped


def outcome_in(text: str, outcomes: Sequence[str]) -> str:
    """Return the outcome that a text ends with: alone on its last line, or after a label. Empty when it has none."""
    lines = [each for each in text.splitlines() if each.strip(_EDGE)]
    last = lines[-1].strip(_EDGE) if lines else ""
    said = _LABEL.sub("", last).strip(_EDGE)
    return said if said in outcomes else last if last in outcomes else ""


_EDGE = " \t*_`\"'“”「」【】。.!！"
_LABEL = re.compile(r"^(?:结论|结果|outcome|result)[*_\s]*[:：]", re.IGNORECASE)


def _stepped(group: Group, talk: Talk, asked: Turn, message: Message) -> Talk:
    match group.mode:
        case CollabMode.STATE_MACHINE if group.definition is not None:
            return _moved(group, group.definition, talk, message)
        case _ if asked.duty is Duty.LEAD:
            return _led(group, talk, message)
        case _:
            return _answered(group, talk, message)


def _turn(group: Group, bot_id: str, duty: Duty) -> Turn:
    return Turn(bot_id, duty, group.seat(bot_id).responsibility)


def _close(group: Group, talk: Talk, why: Ended) -> Talk:
    """Ask the reporter for its last word."""
    return replace(talk, awaited=(Turn(group.reporter, Duty.REPORT),), queue=(), misses=0, closing=why)


def _over(talk: Talk, why: Ended, result: str = "") -> Talk:
    return replace(talk, awaited=(), queue=(), closing=None, ended=why, result=result[:LONGEST_RESULT])


def _reported(talk: Talk, message: Message) -> Talk:
    """Take the last word; without one in time, what was reached counts for nothing."""
    if message.word is not Word.SILENT:
        return _over(talk, talk.closing or Ended.DONE, message.text)
    missed = replace(talk, misses=talk.misses + 1)
    return _over(missed, Ended.SILENT) if missed.misses >= MOST_MISSES else missed


def _led(group: Group, talk: Talk, message: Message) -> Talk:
    """Take what the driver or the manager said: who comes next."""
    if message.word is Word.SILENT:
        missed = replace(talk, misses=talk.misses + 1)
        return _over(missed, Ended.SILENT) if missed.misses >= MOST_MISSES else missed
    talk = replace(talk, misses=0)
    if message.word is Word.DONE:
        managed = group.seat(group.reporter).part is Part.MANAGER
        left = [each for each in group.others if each not in talk.heard] if managed else []
        return _called(group, talk, left) if left else _over(talk, Ended.DONE, message.text)
    addressed = [each for each in group.others if each in message.to]
    return _called(group, talk, addressed or group.others)


def _called(group: Group, talk: Talk, bots: Sequence[str]) -> Talk:
    """Give others the word: in a chat one after another, to workers all at once."""
    at_once = bots if group.mode is CollabMode.MANAGER_WORKER else bots[:1]
    awaited = tuple(_turn(group, each, Duty.WORK) for each in at_once)
    return replace(talk, awaited=awaited, queue=tuple(bots[len(at_once) :]))


def _answered(group: Group, talk: Talk, message: Message) -> Talk:
    """Take what a consultant or worker said; nobody waits for one that said nothing."""
    heard = tuple(dict.fromkeys((*talk.heard, message.bot_id)))
    left = tuple(each for each in talk.awaited if each.bot_id != message.bot_id)
    if not left and talk.queue:
        left = (_turn(group, talk.queue[0], Duty.WORK),)
        return replace(talk, awaited=left, queue=talk.queue[1:], heard=heard)
    return replace(talk, awaited=left or (_turn(group, group.reporter, Duty.LEAD),), heard=heard)


def _moved(group: Group, definition: Definition, talk: Talk, message: Message) -> Talk:
    """Take what was said in a state: where it leads, or that it leads nowhere."""
    state = definition.state(talk.at)
    if message.word is Word.SILENT or (state.outcomes and message.outcome not in state.outcomes):
        missed = replace(talk, misses=talk.misses + 1)
        return _close(group, missed, Ended.SILENT) if missed.misses >= MOST_MISSES else missed
    heard = tuple(dict.fromkeys((*talk.heard, message.bot_id)))
    talk = replace(talk, misses=0, heard=heard)
    if not state.moves:
        return _close(group, talk, Ended.DONE)
    target = next(each.target for each in state.moves if each.outcome in {"", message.outcome})
    reached = definition.state(target)
    if not reached.role and message.bot_id == group.reporter:
        return _over(replace(talk, at=target), Ended.DONE, message.text)
    return _enter(group, definition, talk, target)


def _enter(group: Group, definition: Definition, talk: Talk, name: str) -> Talk:
    """Go to a state and ask who speaks there; in an end the reporter's word is the report."""
    state = definition.state(name)
    talk = replace(talk, at=name)
    speaker = _speaker(group, state)
    if not speaker:
        return _close(group, talk, Ended.DONE)
    if not state.moves and speaker == group.reporter:
        return replace(talk, awaited=(Turn(speaker, Duty.REPORT, state.task),), closing=Ended.DONE)
    return replace(talk, awaited=(Turn(speaker, Duty.WORK, state.task, state.outcomes),))


def _speaker(group: Group, state: State) -> str:
    return next((each.bot_id for each in group.seats if each.role == state.role), "") if state.role else ""
