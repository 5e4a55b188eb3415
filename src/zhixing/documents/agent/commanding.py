"""An external agent: a command that gets the body on its standard input, and whose standard output is the result."""

from __future__ import annotations

import os
import shlex
import shutil
import threading
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from zhixing.documents.agent.asking import CalledOff
from zhixing.documents.agent.model import BUDGET, Budget
from zhixing.documents.agent.reviewing import Reviewer
from zhixing.documents.agent.rounds import once, reviewed
from zhixing.documents.agent.transcript import Transcript
from zhixing.documents.agent.working import Run
from zhixing.documents.performing import Order, Outcome, Phase, Progress
from zhixing.documents.processes import ERR_LOG, OUT_LOG, hidden, surroundings, with_project
from zhixing.documents.scripting import failed, run_command, unwritable
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.kernel.wording import wording
from zhixing.world.bounded import Deadline
from zhixing.world.models.port import Model
from zhixing.world.models.usage import Tokens
from zhixing.world.sandbox.port import Command, Limits, Sandbox

MOST_WORDS = 100
"""Words of a command."""


class CommandPerformer:
    """Runs `order.agent_command`. `model` reviews, where the definition wants a review."""

    def __init__(self, sandbox: Sandbox, clock: Clock, model: Model | None, *, budget: Budget = BUDGET) -> None:
        self._sandbox = sandbox
        self._clock = clock
        self._model = model
        self._budget = budget

    def perform(self, order: Order, progress: Progress, stop: threading.Event) -> Outcome:
        """Carry it out; see `Performer`."""
        try:
            argv = words_of(order)
            if order.definition.review and self._model is None:
                return failed(wording("document_agent.no_model"))
            with Transcript(order.folder, order.secrets, self._clock) as transcript:
                deadline = Deadline(self._clock, order.timeout.total_seconds())
                run = Run(order, deadline, progress, stop, transcript)
                execute = partial(self._execute, run, argv)
                if not order.definition.review or self._model is None:
                    return once(run, execute, order.definition.body)
                return reviewed(run, execute, Reviewer(self._model, self._clock, self._budget), order.definition.body)
        except CalledOff:
            return failed(wording("document_agent.cancelled"), cancelled=True)
        except ZhixingError as error:
            return failed(str(error))
        except OSError as error:
            return failed(unwritable(error), retryable=True)

    def _execute(self, run: Run, argv: tuple[str, ...], query: str, number: int, _used: Tokens) -> Outcome:
        order = run.order
        left = run.deadline.seconds()
        if left <= 0:
            return failed(wording("document_agent.out_of_time", seconds=round(order.timeout.total_seconds())))
        run.progress.note(Phase.EXECUTOR, wording("document_agent.command_running"), round_number=number)
        log = "" if number == 1 else f"round-{number}."
        command = Command(
            argv=argv,
            cwd=order.folder,
            env=surroundings(order),
            mounts=with_project(order),
            hidden=hidden(order),
            network=order.reaches_out,
            stdin=query.encode("utf-8", "surrogateescape"),
            out=order.folder / f"{log}{OUT_LOG}",
            err=order.folder / f"{log}{ERR_LOG}",
            limits=Limits(wall=min(order.timeout, timedelta(seconds=left))),
            secrets=order.secrets,
        )
        what = wording("document_agent.agent_command")
        outcome = run_command(self._sandbox, command, order, run.stop, what=what)
        if not outcome.error and not outcome.output:
            # Unlike a script, an agent that says nothing has not done what it was asked for.
            return replace(failed(wording("document_agent.command_blank")), exit=outcome.exit)
        return outcome


def words_of(order: Order) -> tuple[str, ...]:
    """Return the words of the command, the first of them found on this machine. Raises `BadInput`.

    A name is looked for where the run would look; a relative path is one of the project.
    """
    written = order.agent_command or ""
    try:
        words = shlex.split(written)
    except ValueError:
        words = []
    if not 1 <= len(words) <= MOST_WORDS or "\0" in written:
        raise BadInput("agent_run_command_unreadable", command=written[:100])
    name = words[0]
    if os.sep in name:
        path = Path(os.path.normpath(order.project / name))
        found = str(path) if os.access(path, os.X_OK) and path.is_file() else None
    else:
        found = shutil.which(name, path=surroundings(order)["PATH"])
    if found is None:
        raise BadInput("agent_run_command_missing", name=name)
    return (found, *words[1:])
