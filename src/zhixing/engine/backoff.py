"""What becomes of a job that did not finish: pure, and the only place that decides it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from zhixing.engine.model import Retry, RetryAt
from zhixing.kernel.errors import StoreUnavailable

LOSSES = 20
"""Starts that may end without the handler's doing before the job counts as failed: a killed process, a lost database.

Far more than `Retry.attempts`, because restarts and power cuts are nobody's fault; but bounded, because a job that
takes its process down with it must not do so for ever.
"""


@dataclass(frozen=True, slots=True)
class Again:
    """The job is tried again from `ready` on."""

    failures: int
    losses: int
    error: str
    ready: datetime


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The job has failed for good."""

    failures: int
    losses: int
    error: str


Verdict = Again | GiveUp


def after_error(error: BaseException, failures: int, losses: int, retry: Retry, now: datetime) -> Verdict:
    """Decide about a job whose handler raised `error`, given how often it failed and was lost before."""
    said = one_line(error)
    match error:
        case RetryAt():
            # An instant that has passed already would have the handler called in a tight loop.
            ready = error.due if error.due > now else now + pause(1, retry)
            return Again(failures, losses, said, ready)
        case StoreUnavailable():
            return after_loss(said, failures, losses, retry, now)
    failures += 1
    if failures >= retry.attempts:
        return GiveUp(failures, losses, said)
    return Again(failures, losses, said, now + pause(failures, retry))


def after_loss(error: str, failures: int, losses: int, retry: Retry, now: datetime) -> Verdict:
    """Decide about a job whose start came to nothing through no fault of its handler.

    The first time it is started again at once, for it has waited for the lease already; then with growing pauses, so
    that a job which kills its process leaves the others time to run.
    """
    losses += 1
    if losses >= LOSSES:
        return GiveUp(failures, losses, error)
    return Again(failures, losses, error, now if losses == 1 else now + pause(losses - 1, retry))


def pause(times: int, retry: Retry) -> timedelta:
    """Return how long to wait before trying again what went wrong `times` times (from 1)."""
    try:
        return min(retry.first * retry.factor ** (times - 1), retry.longest)
    except OverflowError:
        return retry.longest


LONGEST_ERROR = 500
"""Characters kept of an error."""


def one_line(error: BaseException) -> str:
    """Say what went wrong in one printable line that every database can store."""
    # Lone surrogates and NUL cannot be stored, and a line break would split the log entry.
    text = str(error).encode("utf-8", "replace").decode()
    words = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * LONGEST_ERROR]).split())
    name = type(error).__name__
    return f"{name}: {words}"[:LONGEST_ERROR] if words else name
