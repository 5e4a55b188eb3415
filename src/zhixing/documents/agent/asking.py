"""Waiting for somebody who takes his time, without keeping whoever calls the run off waiting, too."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Generic, TypeVar

from zhixing.documents.agent.model import Budget
from zhixing.kernel.clock import Clock
from zhixing.world.bounded import Deadline
from zhixing.world.models.failures import ModelUnavailable
from zhixing.world.models.port import Check, Model, Prompt, Reply

LONGEST_PAUSE = timedelta(minutes=1)
"""Between two questions to a model that is away, unless it says otherwise itself."""
_LOOK = 0.05
"""Seconds after which it is looked whether the run was called off."""

T = TypeVar("T")


class CalledOff(Exception):
    """The run was called off meanwhile."""


@dataclass(slots=True)
class _Call(Generic[T]):
    """A call on a thread of its own."""

    work: Callable[[], T]
    done: threading.Event = field(default_factory=threading.Event)
    value: list[T] = field(default_factory=list)
    error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value.append(self.work())
        # Whatever it is, it belongs to the thread that waits.
        except BaseException as error:  # noqa: BLE001
            self.error = error
        self.done.set()


def promptly(work: Callable[[], T], stop: threading.Event) -> T:
    """Return what `work` returns, or raise what it raises, unless `stop` is set first: then raise `CalledOff`.

    `work` takes a bounded time by itself; called off, it ends when it ends, and nobody hears of it.
    """
    if stop.is_set():
        raise CalledOff
    call = _Call(work)
    threading.Thread(target=call.run, name="document-agent-call", daemon=True).start()
    while not call.done.wait(_LOOK):
        if stop.is_set():
            raise CalledOff
    if call.error is not None:
        raise call.error
    return call.value[0]


def patiently(
    model: Model,
    prompt: Callable[[float], Prompt],
    check: Check,
    *,
    clock: Clock,
    deadline: Deadline,
    stop: threading.Event,
    budget: Budget,
) -> Reply:
    """Ask; while the model is away, wait longer and longer and ask again, as far as the budget and the deadline go.

    `prompt` makes the question for so many seconds. Raises `ModelFailure`, or `CalledOff`.
    """
    away, attempt = Deadline(clock, budget.away.total_seconds()), 0
    while True:
        # A moment too short to think in would only look like a model that does not answer.
        seconds = max(1.0, min(budget.reply.total_seconds(), deadline.seconds()))
        asked = prompt(seconds)
        try:
            return promptly(lambda asked=asked: model.ask(asked, check), stop)  # type: ignore[misc]
        except ModelUnavailable as failure:
            attempt += 1
            pause = failure.pause(attempt, LONGEST_PAUSE).total_seconds()
            if pause >= min(away.seconds(), deadline.seconds()):
                raise
            wait(pause, clock, stop)


def wait(seconds: float, clock: Clock, stop: threading.Event) -> None:
    """Let `seconds` pass; raise `CalledOff` when `stop` is set meanwhile."""
    until = Deadline(clock, seconds)
    while (left := until.seconds()) > 0:
        if clock.wait(stop, left):
            raise CalledOff
