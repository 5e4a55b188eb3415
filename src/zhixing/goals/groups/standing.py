"""Where a talk stands: whose turn it is, under the numbers by which the turns are asked for. Pure.

A number is given once in a talk, so an answer to a turn that was given up is never taken for one to a later turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from zhixing.goals.bots.collaborating import Duty, Ended, Message, Talk, Turn, begin, step
from zhixing.goals.bots.forming import Group


@dataclass(frozen=True, slots=True)
class Standing:
    """A talk, the numbers of the turns that are awaited by the bots that have them, and how many there have been."""

    talk: Talk
    turns: Mapping[str, int] = field(default_factory=dict)
    asked: int = 0

    def turn(self, bot_id: str, number: int) -> Turn | None:
        """Return the turn of a number if it is still awaited."""
        if self.turns.get(bot_id) != number:
            return None
        return next((each for each in self.talk.awaited if each.bot_id == bot_id), None)


def started(group: Group) -> Standing:
    """Return where a talk stands before anybody spoke."""
    return _numbered(Standing(Talk(())), begin(group), {})


def answered(
    group: Group, standing: Standing, number: int, message: Message, is_result: Callable[[str], bool]
) -> Standing:
    """Return where a talk stands after the answer to a turn; the same when that turn is not awaited.

    A talk whose end is no result is not over: its reporter is asked to make one of what there is.
    """
    if standing.turn(message.bot_id, number) is None:
        return standing
    talk = step(group, standing.talk, message)
    if talk.ended is Ended.DONE and standing.talk.closing is None and not is_result(message.text):
        talk = replace(talk, ended=None, result="", awaited=(_last_word(group),), closing=Ended.DONE)
    others = {bot: at for bot, at in standing.turns.items() if bot != message.bot_id}
    return _numbered(standing, talk, others)


def hurried(group: Group, standing: Standing) -> Standing:
    """Return where a talk stands whose time is nearly over: only its reporter is still asked."""
    talk = replace(standing.talk, awaited=(_last_word(group),), queue=(), misses=0, closing=Ended.EXHAUSTED)
    return _numbered(standing, talk, {})


def closed(standing: Standing) -> Standing:
    """Return where a talk stands that nobody is asked in any more."""
    return replace(standing, turns={})


def _last_word(group: Group) -> Turn:
    return Turn(group.reporter, Duty.REPORT)


def _numbered(before: Standing, talk: Talk, pending: Mapping[str, int]) -> Standing:
    """Give numbers to the turns that are new; those in `pending` go on under theirs when nothing changed about them."""
    asked, turns = before.asked, {}
    for each in talk.awaited:
        if each.bot_id in pending and each in before.talk.awaited:
            turns[each.bot_id] = pending[each.bot_id]
        else:
            turns[each.bot_id], asked = asked, asked + 1
    return Standing(talk, turns, asked)
