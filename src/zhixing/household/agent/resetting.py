"""Putting back what a rule changed when its condition began to hold, without a model: pure.

「检查开窗帘是否仍有效，若已结束则复位」 asks what rows can answer: has the condition begun to hold again, and has
anybody changed since what the rule had changed. Where nobody has, what was read before the write is written again.
What nobody looked at before (an action, a property that cannot be read) takes judgement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from zhixing.household.doing import steps
from zhixing.household.doing.model import AgentRun, Origin, Step, StepState
from zhixing.kernel.errors import ZhixingError
from zhixing.tasks.rules.model import Direction
from zhixing.world.devices.names import check_value
from zhixing.world.devices.port import Done, Level, PropertySpec, Result

LOOK_AGAIN = timedelta(seconds=20)
"""After a device that cannot be read, or a command that is still on its way."""

_WISH = re.compile(
    r"(?:请|先)?检查.{0,40}?(?:是否|有没有)?(?:仍然?|还|依然|已经?)?(?:有效|需要|成立|在继续|结束|持续)"
    r"[,，;；、]?(?:若|如果?|要是)?(?:已经?|不再|不)?(?:结束|失效|无效|需要|成立|有效)了?[,，]?(?:则|就|便)?"
    r"(?:自动)?(?:复位|恢复(?:原样|原状|到?之前的状态)?|还原)[。.]?"
)
_UNCHANGED = frozenset({StepState.SKIPPED, StepState.FAILED})
_ON_THE_WAY = frozenset({StepState.WAITING, StepState.SENDING})


@dataclass(frozen=True, slots=True)
class Change:
    """A command that the rule gave when its condition began. `claimed`: another answer wanted that property later."""

    step: Step
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Episode:
    """What a rule did while its condition held. `again`: the condition has begun to hold since."""

    changes: tuple[Change, ...] = ()
    again: bool = False
    found: bool = True
    """Its beginning is in the books."""
    under_way: bool = False
    """Its commands are being given."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a property is, and what it shows now."""

    spec: PropertySpec
    now: Result


@dataclass(frozen=True, slots=True)
class Restoring:
    """A property to be brought back to a value."""

    did: str
    iid: str
    value: Level


@dataclass(frozen=True, slots=True)
class Restore:
    """Bring these back, in this order; `kept` were changed by somebody else since, and stay."""

    properties: tuple[Restoring, ...]
    kept: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave everything as it is; `why` is a code of `tasks.reason_…`."""

    why: str
    kept: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class LookAgain:
    """It cannot be told yet."""

    at: datetime


@dataclass(frozen=True, slots=True)
class TakesJudgement:
    """Rows and devices do not say what it was like before."""


Resetting = Restore | Leave | LookAgain | TakesJudgement


def wants_reset(run: AgentRun) -> bool:
    """Whether a run asks for nothing but a reset at the end of an episode."""
    prompt = run.prompt
    ends = run.origin is Origin.RULE and prompt.direction == Direction.EXIT and bool(prompt.since)
    return ends and _WISH.fullmatch("".join("，".join(prompt.words).split())) is not None


def to_be_seen(episode: Episode) -> list[Step]:
    """Return the steps whose properties must be read to decide."""
    return [] if episode.again else list(_effective(episode).values())


def decide(episode: Episode, sights: Mapping[tuple[str, str], Sight], now: datetime) -> Resetting:
    """Decide about a reset; `sights` are by device and property, those that could be found."""
    if episode.again:
        return Leave("reset_again")
    if episode.under_way or any(change.step.state in _ON_THE_WAY for change in episode.changes):
        return LookAgain(now + LOOK_AGAIN)
    if not episode.found:
        return TakesJudgement()
    claimed = {(change.step.did, change.step.iid) for change in episode.changes if change.claimed}
    back: list[Restoring] = []
    kept: list[Step] = []
    for place, step in _effective(episode).items():
        one = None if place in claimed else _about(step, sights.get(place), now)
        if isinstance(one, LookAgain | TakesJudgement):
            return one
        if one is None:
            kept.append(step)
        else:
            back.append(one)
    if back:
        # What was changed last is put back first: the brightness before the switch.
        return Restore(tuple(reversed(back)), tuple(kept))
    return Leave("reset_changed" if kept else "reset_nothing", tuple(kept))


def _about(step: Step, sight: Sight | None, now: datetime) -> Restoring | LookAgain | TakesJudgement | None:
    """Decide about one property; None: somebody has changed it since."""
    if step.state is not StepState.DONE or step.was is None or step.seen is None or sight is None:
        return TakesJudgement()
    if not isinstance(sight.now, Done) or sight.now.value is None:
        return LookAgain(now + LOOK_AGAIN)
    if not steps.same(sight.spec, sight.now.value, step.seen):
        return None
    try:
        return Restoring(step.did, step.iid, check_value(sight.spec, step.was))
    except ZhixingError:
        return TakesJudgement()


def _effective(episode: Episode) -> dict[tuple[str, str], Step]:
    """Return the first step of each property that may have changed it, in the order they were given."""
    found: dict[tuple[str, str], Step] = {}
    for change in episode.changes:
        step = change.step
        if step.state not in _UNCHANGED:
            found.setdefault((step.did, step.iid), step)
    return found
