"""The tools of an agent run at work. What they bring is bounded, and free of secrets before anybody sees it."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

from zhixing.documents.agent.asking import promptly
from zhixing.documents.agent.files import (
    TRANSCRIPT,
    NotDone,
    is_record,
    list_files,
    part_of,
    placed,
    read_file,
    write_file,
)
from zhixing.documents.agent.model import LONGEST_RESULT, Arguments, Budget, Tool, Turn, TurnState
from zhixing.documents.agent.prompting import shortened
from zhixing.documents.performing import Order
from zhixing.documents.processes import declared, hidden, surroundings, text_of
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import wording
from zhixing.world.bounded import Deadline
from zhixing.world.pages.port import Web, WebFailure
from zhixing.world.sandbox.port import MEBIBYTE, Command, Ended, Finished, Limits, Mount, Sandbox
from zhixing.world.sandbox.redaction import redact

_KEPT = MEBIBYTE // 4
"""Bytes of what a command prints that are kept; the model is shown less."""


class Tools:
    """Works the tools of one run."""

    def __init__(self, sandbox: Sandbox, web: Web, order: Order, budget: Budget) -> None:
        self._sandbox = sandbox
        self._web = web
        self._order = order
        self._budget = budget

    def work(self, turn: Turn, deadline: Deadline, stop: threading.Event) -> Turn:
        """Return a turn with what became of it. Raises `CalledOff`."""
        try:
            state, result = TurnState.DONE, self._work(turn.tool, turn.arguments, deadline, stop)
        except NotDone as refusal:
            state, result = TurnState.FAILED, str(refusal)
        except (ZhixingError, OSError) as error:
            told = error.strerror if isinstance(error, OSError) else str(error)
            state, result = TurnState.FAILED, told or type(error).__name__
        result = redact(result, self._order.secrets)
        # What says how it goes on stands at the end.
        return replace(turn, state=state, result=shortened(result, LONGEST_RESULT + 200))

    def _work(self, tool: Tool, arguments: Arguments, deadline: Deadline, stop: threading.Event) -> str:
        match tool:
            case Tool.READ_FILE:
                return read_file(placed(self._order, arguments.path), arguments.offset)
            case Tool.LIST_FILES:
                return self._list(arguments.path)
            case Tool.WRITE_FILE:
                place = placed(self._order, arguments.path)
                if is_record(self._order, place):
                    raise NotDone(wording("document_agent.path_record"))
                return write_file(place, arguments.content)
            case Tool.SHELL:
                return self._shell(arguments.command, deadline, stop)
            case Tool.FETCH:
                return self._fetch(arguments, deadline, stop)
            case Tool.SEND | Tool.FINISH:
                raise AssertionError("decided without being done")

    def _list(self, path: str) -> str:
        return list_files(placed(self._order, path))

    def _shell(self, line: str, deadline: Deadline, stop: threading.Event) -> str:
        if "\0" in line:
            raise NotDone(wording("document_agent.argument_missing", name="command"))
        wall = max(1.0, min(self._budget.command.total_seconds(), deadline.seconds()))
        order = self._order
        # Its own record is not the run's to change.
        record = order.folder / TRANSCRIPT
        command = Command(
            argv=("bash", "--noprofile", "--norc", "-c", line),
            cwd=order.folder,
            env=surroundings(order),
            mounts=(*declared(order), Mount(order.folder, writable=True), Mount(record)),
            hidden=hidden(order),
            network=order.reaches_out,
            limits=Limits(wall=timedelta(seconds=wall), kept_bytes=_KEPT),
            secrets=order.secrets,
        )
        finished = self._sandbox.run(command, stop)
        told = _told(finished, wall)
        if finished.succeeded or finished.ended is Ended.CANCELLED:
            return told
        raise NotDone(told)

    def _fetch(self, arguments: Arguments, deadline: Deadline, stop: threading.Event) -> str:
        seconds = max(1.0, min(self._budget.page.total_seconds(), deadline.seconds()))
        try:
            page = promptly(lambda: self._web.fetch(arguments.url.strip(), seconds), stop)
        except WebFailure as failure:
            raise NotDone(failure.text()) from None
        head = f"{page.address}\n{page.title}\n\n" if arguments.offset == 0 else ""
        return head + part_of(page.text, arguments.offset)


def _told(finished: Finished, wall: float) -> str:
    """Return what a command printed, errors last, and how it ended unless all is well."""
    half = LONGEST_RESULT // 2
    out, err = text_of(finished.stdout), text_of(finished.stderr)
    parts = [shortened(out, LONGEST_RESULT - min(half, len(err)))]
    if err:
        parts += [wording("document_agent.stderr"), shortened(err, half)]
    if finished.ended is Ended.TIMED_OUT:
        parts.append(wording("document_agent.command_timed_out", seconds=round(wall)))
    elif finished.ended is Ended.TOO_MANY_PROCESSES:
        parts.append(wording("document_agent.command_processes"))
    elif not finished.succeeded:
        code = finished.code if finished.signal is None else -finished.signal
        parts.append(wording("document_agent.command_code", code=code))
    return "\n".join(filter(None, parts)) or wording("document_agent.command_silent")
