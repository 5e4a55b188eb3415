"""What is done, step by step, and what waits for somebody with judgement.

A command to a device: waiting ⇄ sending → done | skipped | failed | unknown | unconfirmed. A run of the household
agent: waiting → running → done | failed, or waiting → expired.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import msgspec

from zhixing.kernel.wording import Language, section
from zhixing.store.connection import Tx
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.names import fault_text
from zhixing.world.devices.port import Level


class StepState(StrEnum):
    """What became of one command."""

    WAITING = "waiting"
    """It is looked at again at `next_at`: the device is on its way, or could not be reached."""
    SENDING = "sending"
    """It leaves the house; found by a later attempt, nobody knows whether it arrived."""
    DONE = "done"
    SKIPPED = "skipped"
    """It was not needed: the value was there, or the cooldown is not over."""
    FAILED = "failed"
    """It certainly did not happen."""
    UNKNOWN = "unknown"
    """It may have happened; it is not done again."""
    UNCONFIRMED = "unconfirmed"
    """The device took the command, and does not show it."""


GOOD = frozenset({StepState.DONE, StepState.SKIPPED})
UNDECIDED = frozenset({StepState.WAITING, StepState.SENDING})


@dataclass(frozen=True, slots=True)
class Step:
    """One command of an answer. `reason` is a key of section `doing`, or of `devices` where the hub gave it.

    `tries` are the times the command left; `began_at` is when it was first tried, `at` when it last was.
    """

    occurrence_id: str
    number: int
    did: str
    iid: str
    wanted: Level | tuple[Level, ...] | None
    state: StepState
    began_at: datetime
    at: datetime
    reason: str = ""
    detail: str = ""
    seen: Level | None = None
    tries: int = 0
    next_at: datetime | None = None
    was: Level | None = None
    """What a property showed before it was first written; None where nobody looked."""

    @property
    def final(self) -> bool:
        """Whether nothing more is done about it."""
        return self.state not in UNDECIDED

    @property
    def good(self) -> bool:
        """Whether it is as it was wanted."""
        return self.state in GOOD

    def why(self, language: Language = "zh") -> str:
        """Return the reason as a user reads it."""
        return step_reason(self.reason, self.detail, language)


def step_reason(reason: str, detail: str, language: Language = "zh") -> str:
    """Return what a reason says to a user; one that nobody has words for says itself."""
    ours = section("doing", language).get(f"step_{reason}")
    if ours is not None:
        return ours.format(detail=detail)
    return fault_text(reason, detail, language) if reason in section("devices", language) else reason


@dataclass(frozen=True, slots=True)
class Errand:
    """The commands of one answer, as the job that gives them carries them.

    `rule_id` is the rule that answers, or the part of the cron job whose message asks for them (`cron:j1`).
    """

    occurrence_id: str
    rule_id: str
    task_id: str
    at: datetime
    actions: tuple[DeviceAction, ...]

    @property
    def scheduled(self) -> bool:
        """Whether a cron job asks for it: its occurrence belongs to a schedule."""
        return ":" in self.rule_id

    @property
    def part(self) -> str:
        """What of the task asks for it."""
        return self.rule_id if self.scheduled else f"rule:{self.rule_id}"


class RunState(StrEnum):
    """Where a run of the household agent is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    EXPIRED = "expired"
    """Nobody took it in time, or it was called off."""


class Origin(StrEnum):
    """What a run came from."""

    RULE = "rule"
    MESSAGE = "message"


class Prompt(msgspec.Struct, frozen=True):
    """What the agent is given. All of it is data: `because` is text from the world, `words` are the user's.

    Instants are ISO 8601 in the zone of the task; `left` is empty but on exit, `late` in seconds.
    """

    words: tuple[str, ...]
    at: str
    direction: str = ""
    rule: str = ""
    query: str = ""
    source: str = ""
    because: str = ""
    since: str = ""
    left: str = ""
    late: float = 0.0


@dataclass(frozen=True, slots=True)
class AgentRun:
    """Something that waits for judgement. `alone`: nothing else was done for its occurrence."""

    id: str
    task_id: str
    occurrence_id: str
    origin: Origin
    prompt: Prompt
    state: RunState
    created_at: datetime
    deadline: datetime
    alone: bool = True
    why: str = ""
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CronMessage:
    """What a cron job says when it is due."""

    text: str
    name: str = ""


MessageOf = Callable[[Tx, str], CronMessage | None]
"""Returns the message of a cron job by its id; None when the job is gone."""
TaskOf = Callable[[Tx, str], str | None]
"""Returns our id of the task that the document's task_id names; None when there is none."""
Expire = Callable[[Tx, str], None]
"""Ends the task of that (our) id as expired, with its final snapshot; one that has ended stays as it is."""


@dataclass(frozen=True, slots=True)
class Household:
    """What the room of household tasks lends to those who do what they ask."""

    message_of: MessageOf
    task_of: TaskOf
    expire: Expire


def cleaned(data: Mapping[str, object]) -> dict[str, object]:
    """Return what is worth writing down: without what is empty."""
    return {key: value for key, value in data.items() if value not in ("", None, 0, 0.0, ())}
