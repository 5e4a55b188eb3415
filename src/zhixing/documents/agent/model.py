"""What an agent run may do, what it did turn by turn, and how much it may use up."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

import msgspec

from zhixing.world.models.usage import Tokens

MOST_LETTERS = 5
"""Messages to other chats in a run."""
LONGEST_LETTER = 4_000
"""Characters of such a message."""
LONGEST_OUTPUT = 100_000
"""Characters of the final text."""
LONGEST_RESULT = 12_000
"""Characters of what a tool brought."""


class Tool(StrEnum):
    """What can be asked for in a turn."""

    READ_FILE = "read_file"
    WRITE_FILE = "write_file"
    LIST_FILES = "list_files"
    SHELL = "shell"
    FETCH = "fetch"
    SEND = "send"
    FINISH = "finish"


class Arguments(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a tool is to work with; what it does not take is empty."""

    path: str = ""
    content: str = ""
    offset: int = 0
    command: str = ""
    url: str = ""
    session: str = ""
    text: str = ""


class TurnState(StrEnum):
    """What became of a turn."""

    CALLED = "called"
    """It is to be done, or under way."""
    DONE = "done"
    FAILED = "failed"
    """It was tried and did not work."""
    REFUSED = "refused"
    """It was not allowed, and was not done."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, numbered from 1 in its round."""

    number: int
    tool: Tool
    state: TurnState
    thought: str = ""
    arguments: Arguments = field(default_factory=Arguments)
    result: str = ""
    tokens: Tokens = field(default_factory=Tokens)


@dataclass(frozen=True, slots=True)
class Powers:
    """What a run may do. It is decided before the first turn, and nothing that is read later changes it.

    `readable` are paths of the project, `writable` those among them that may be changed.
    """

    tools: tuple[Tool, ...]
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use up besides its time. `steps` are replies of one round, `tokens` those of the whole run."""

    steps: int = 40
    tokens: int = 200_000
    refusals: int = 3
    """At this many in a round, it ends."""
    command: timedelta = timedelta(seconds=300)
    """Elapsed time of one shell command."""
    page: timedelta = timedelta(seconds=30)
    """Elapsed time for one page of the web."""
    reply: timedelta = timedelta(seconds=180)
    """Elapsed time for one reply of the model."""
    away: timedelta = timedelta(minutes=10)
    """How long a model that is away is waited for, altogether, before one reply."""


BUDGET = Budget()
REPLY_TOKENS = 8_192
"""Written at most in one reply, thoughts included where a server counts them in."""
