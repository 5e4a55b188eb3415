"""What the household agent may do in a run, what it did turn by turn, and how much it may use up."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import msgspec

from zhixing.household.descs import Medium
from zhixing.household.doing.model import AgentRun
from zhixing.world.devices.port import Level
from zhixing.world.models.usage import Tokens


class Tool(StrEnum):
    """What can be asked for in a turn."""

    NOTIFY = "notify"
    READ_DEVICE = "read_device"
    ACT_DEVICE = "act_device"
    LIST_DEVICES = "list_devices"
    READ_RECORD = "read_record"
    LOOK = "look"
    """What sources said last of the conditions that are watched."""
    FINISH = "finish"
    NOTE = "note"
    """Nothing is done; something is said about the run. Nobody can ask for it."""


ASKABLE = tuple(tool for tool in Tool if tool is not Tool.NOTE)


class Ending(StrEnum):
    """How a model finishes."""

    DONE = "done"
    NOTHING = "nothing"
    """Nothing had to be done."""
    CANNOT = "cannot"


class Arguments(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a tool is to work with; what it does not take is empty."""

    text: str = ""
    medium: str = ""
    device: str = ""
    property: str = ""
    value: Level | None = None
    source: str = ""
    task: str = ""
    outcome: str = ""


class Who(StrEnum):
    """Whose decision a turn was."""

    MODEL = "model"
    RULE = "rule"
    """Decided without a model."""


class TurnState(StrEnum):
    """What became of a turn."""

    CALLED = "called"
    """It is to be done, or under way."""
    DONE = "done"
    FAILED = "failed"
    """It certainly did not happen."""
    REFUSED = "refused"
    """It was not allowed, and was not done."""
    UNKNOWN = "unknown"
    """It may have happened; it is not done again."""
    DROPPED = "dropped"
    """It was not done: meanwhile it was not wanted any more."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a run, numbered from 1. `thought` and `result` are a line each; `elapsed`: seconds of the model."""

    number: int
    who: Who
    tool: Tool
    state: TurnState
    at: datetime
    thought: str = ""
    arguments: Arguments = field(default_factory=Arguments)
    result: str = ""
    tokens: Tokens = field(default_factory=Tokens)
    elapsed: float = 0.0

    @property
    def open(self) -> bool:
        """Whether something of it is still to be done."""
        return self.state is TurnState.CALLED


class Purpose(StrEnum):
    """What a run is for."""

    RESET = "reset"
    """Putting back what the rule changed when its condition began to hold."""
    JUDGE = "judge"


class Powers(msgspec.Struct, frozen=True):
    """What a run may do. It is decided before the first turn, and stays.

    `media` are ways of telling, `devices` ids that may be commanded, `records` tasks whose record may be read, by the
    name the words have for them ("" is its own). `until` is the deadline in microseconds. `who` decides.
    """

    purpose: Purpose
    who: Who
    tools: tuple[Tool, ...]
    media: tuple[Medium, ...]
    devices: tuple[str, ...]
    records: tuple[tuple[str, str], ...]
    until: int


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use up. `turns` are replies; `calls` are tools that were worked; `seconds` are the model's."""

    turns: int = 8
    calls: int = 6
    refusals: int = 2
    """At this many, the run ends."""
    notifications: int = 2
    tokens: int = 24_000
    seconds: float = 120.0


BUDGET = Budget()
REPLY_TOKENS = 2_000
"""Written at most in one reply, thoughts included where a server counts them in."""
LONGEST_ASK = 60.0
"""Seconds for one reply."""


@dataclass(frozen=True, slots=True)
class State:
    """A run as far as it has come. Before its first turn it may do nothing yet: `powers` is what it will be allowed."""

    run: AgentRun
    powers: Powers
    turns: tuple[Turn, ...] = ()

    @property
    def by_model(self) -> list[Turn]:
        """The turns that a model decided."""
        return [turn for turn in self.turns if turn.who is Who.MODEL and turn.tool is not Tool.NOTE]

    @property
    def tokens(self) -> int:
        """What was read and written so far."""
        return sum(turn.tokens.read + turn.tokens.written for turn in self.turns)

    @property
    def seconds(self) -> float:
        """How long the model took so far."""
        return sum(turn.elapsed for turn in self.turns)

    @property
    def acted(self) -> bool:
        """Whether anything was told or done, or may have been."""
        acts = (Tool.NOTIFY, Tool.ACT_DEVICE)
        return any(turn.tool in acts and turn.state in (TurnState.DONE, TurnState.UNKNOWN) for turn in self.turns)
