"""What a task.md says: frozen, and the same whether it was written by hand, by a command or by a model.

Source of the fields: document 003 (frontmatter) and downcity.md §1, §9. `title` … `review` are the document's; the rest
are optional fields of ours, whose defaults keep the document's contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import At, Missed

OURS = ".downcity"
"""The folder of a project that is ours."""
FOLDER = f"{OURS}/task"
"""Where the tasks of a project are, below the folder of the project."""
FILE = "task.md"


class Kind(StrEnum):
    """Who does it."""

    AGENT = "agent"
    SCRIPT = "script"


class Standing(StrEnum):
    """Whether it is scheduled; run by hand it can be at any time."""

    ENABLED = "enabled"
    PAUSED = "paused"
    DISABLED = "disabled"


class Overlap(StrEnum):
    """What happens to a scheduled instant that comes while a run of the task is under way."""

    SKIP = "skip"
    """It is recorded and not run."""
    QUEUE = "queue"
    """It runs afterwards; at most one waits."""
    REPLACE = "replace"
    """The run under way is cancelled, and it runs."""


class Deliver(StrEnum):
    """What is sent to the chat of the session."""

    AUTO = "auto"
    """The result, or why there is none."""
    NONE = "none"
    ON_FAILURE = "on-failure"


@dataclass(frozen=True, slots=True)
class Manual:
    """Only when somebody says so."""


@dataclass(frozen=True, slots=True)
class Once:
    """At one instant. `text` is what the author wrote behind `time:`, with the offset he thinks in."""

    at: At
    text: str


When = Manual | Cron | Once


@dataclass(frozen=True, slots=True)
class Declared:
    """A file or folder of the project that a run may use: relative to the project, below it."""

    path: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """A task as its file has it.

    `timezone` is None where the home's zone counts. `env` are names of variables of the server that a run gets.
    `network` is None where the kind decides: an agent has it, a script has not. `agent_command` is the command of an
    external agent that gets the body on its standard input, instead of the built-in agent.
    """

    title: str
    description: str
    when: When
    session_id: str
    body: str
    status: Standing = Standing.ENABLED
    kind: Kind = Kind.AGENT
    review: bool = False
    timezone: str | None = None
    missed: Missed = Missed.ONCE
    overlap: Overlap = Overlap.SKIP
    timeout: timedelta | None = None
    retries: int = 0
    env: tuple[str, ...] = ()
    network: bool | None = None
    paths: tuple[Declared, ...] = ()
    agent_command: str | None = None
    deliver: Deliver = Deliver.AUTO
    expires_at: datetime | None = None
