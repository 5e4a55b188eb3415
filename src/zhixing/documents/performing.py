"""The port inside this room: an order for one run, what comes of it, and who carries it out.

Sources: downcity.md §3.3–3.7. A performer reads no database and tells nobody anything; it works in the folder of the
run, reports its progress and returns. It never raises for what a task, a model or a command did wrong: that is an
outcome.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from zhixing.documents.model import Definition
from zhixing.world.models.usage import Tokens

MOST_ROUNDS = 3
"""Rounds of a reviewed run."""


class Execution(StrEnum):
    """Whether it ran to its end."""

    SUCCESS = "success"
    FAILURE = "failure"


class Verdict(StrEnum):
    """Whether what came out may be sent as the result."""

    VALID = "valid"
    INVALID = "invalid"
    NOT_CHECKED = "not_checked"


class Phase(StrEnum):
    """Where a run is (downcity.md §3.3)."""

    PREPARING = "preparing"
    SCRIPT = "script_running"
    EXECUTOR = "agent_executor_round"
    REVIEWER = "agent_user_simulator_round"
    VALIDATING = "validating"
    WRITING = "writing_artifacts"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class Order:
    """One run. `folder` is the folder of the run, `project` that of the project, `tasks` the one with all tasks.

    `hidden` are files and folders that no command and no tool of a run may see, wherever they are. `secrets` are values
    that may appear in no file and no message. `env` is what the run gets of the server's environment (declared names
    that are set), `timeout` what it may take altogether. `agent_command` is what the definition and the settings come
    to. `network`: pages may be fetched. `reaches_out`: commands share the network of the machine, own services too.
    """

    run_id: str
    task_id: str
    definition: Definition
    folder: Path
    project: Path
    tasks: Path
    timeout: timedelta
    network: bool
    reaches_out: bool = False
    agent_command: str | None = None
    hidden: tuple[Path, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Exit:
    """How a command ended, for run.json."""

    code: int | None
    signal: int | None
    timed_out: bool
    sandbox: str
    stdout_bytes: int
    stderr_bytes: int
    dropped_bytes: int
    """Bytes of standard output that are not in the message."""


@dataclass(frozen=True, slots=True)
class Review:
    """What the simulated user said of a round (downcity.md §3.6). `raw` is the reply as it came."""

    satisfied: bool
    reply: str
    reason: str
    score: float | None
    raw: str


@dataclass(frozen=True, slots=True)
class Round:
    """One round of an agent run: what the executor was asked, what it answered, and what became of it."""

    number: int
    query: str
    output: str
    errors: tuple[str, ...] = ()
    reviewer_query: str = ""
    review: Review | None = None
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """What an agent wants told besides its result, because the body asks for it; sent when the run has ended.

    `session_id` is the chat it goes to.
    """

    session_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run. `output` is the final text, byte for byte what is sent; `error` says why there is none.

    `errors` are what is wrong with an output that exists. `cancelled`: it was called off. `retryable`: the failure was
    not the task's own (a model that is away, a full machine), so that another try may help.
    """

    execution: Execution
    verdict: Verdict
    output: str = ""
    error: str = ""
    errors: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()
    exit: Exit | None = None
    tokens: Tokens = field(default_factory=Tokens)
    steps: int = 0
    cancelled: bool = False
    retryable: bool = False
    letters: tuple[Letter, ...] = ()

    @property
    def succeeded(self) -> bool:
        """Whether the run as a whole counts as a success (downcity.md §3.4)."""
        return self.execution is Execution.SUCCESS and self.verdict is Verdict.VALID


class Progress(Protocol):
    """Where a run reports how far it is."""

    def note(self, phase: Phase, message: str, *, round_number: int | None = None) -> None:
        """Report one line, in Chinese."""
        ...


class Performer(Protocol):
    """Somebody who carries out orders."""

    def perform(self, order: Order, progress: Progress, stop: threading.Event) -> Outcome:
        """Carry it out within `order.timeout`; setting `stop` calls it off."""
        ...
