"""The JSON files of a run, read without trusting a word of them. Pure.

A table says of each part what it is called in the file and how it is read; a value of another type than expected is one
that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Generic, TypeVar

from zhixing.delivery.model import MessageState
from zhixing.documents.artifacts.facts import Delivery, DeliveryState, Event, RunStatus, Told
from zhixing.documents.artifacts.records import MOST_ERRORS, MOST_EVENTS, MOST_MESSAGES
from zhixing.documents.artifacts.views import ProgressRecord, RunRecord
from zhixing.documents.performing import Execution, Exit, Verdict
from zhixing.kernel.moments import EPOCH
from zhixing.world.models.usage import Tokens

_LONGEST_WORD = 2_000

_Made = TypeVar("_Made")
_Reader = Callable[[object], object]


# Values


def _text(value: object) -> str:
    return value[:_LONGEST_WORD] if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63 else None


def _total(value: object) -> int:
    return _count(value) or 0


def _first(value: object) -> int:
    """Read a number that counts from 1."""
    return _count(value) or 1


def _number(value: object) -> float | None:
    return value if isinstance(value, float) else _count(value)


def _true(value: object) -> bool:
    return value is True


def _missing(value: object) -> bool:
    return value is None


def _moment(value: object) -> datetime | None:
    count = _count(value)
    try:
        return None if count is None else EPOCH + timedelta(milliseconds=count)
    except OverflowError:
        return None


def _member(kind: type[StrEnum]) -> _Reader:
    known = {member.value: member for member in kind}
    return lambda value: known.get(value) if isinstance(value, str) else None


def _errors(value: object) -> tuple[str, ...]:
    items = value[:MOST_ERRORS] if isinstance(value, list) else ()
    return tuple(_text(item) for item in items if isinstance(item, str))


# Objects


@dataclass(frozen=True, slots=True)
class _Table(Generic[_Made]):
    """How an object is read: by the name of what is made of it, its path in the file and the reader of its value.

    Without the part that is `needed` nothing is made of an object.
    """

    make: Callable[..., _Made]
    parts: Mapping[str, tuple[str, _Reader]]
    needed: str = ""

    def of(self, document: Mapping[str, object]) -> _Made:
        """Make what a document says, whatever it lacks."""
        return self.make(**self._read(document))

    def within(self, value: object) -> _Made | None:
        """Make what a value says, should it say it."""
        if not isinstance(value, dict):
            return None
        found = self._read(value)
        return None if self.needed and found[self.needed] is None else self.make(**found)

    def last(self, most: int) -> _Reader:
        """Return a reader of a list of such objects, of which the last `most` are looked at."""

        def read(value: object) -> tuple[_Made, ...]:
            items = value[-most:] if isinstance(value, list) else ()
            return tuple(made for item in items if (made := self.within(item)) is not None)

        return read

    def _read(self, document: Mapping[str, object]) -> dict[str, Any]:
        return {name: read(_at(document, path)) for name, (path, read) in self.parts.items()}


def _at(document: Mapping[str, object], path: str) -> object:
    """Return the value at a path of keys with dots between them."""
    value: object = document
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


_EXIT = _Table(
    Exit,
    {
        "code": ("code", _count),
        "signal": ("signal", _count),
        "timed_out": ("timedOut", _true),
        "sandbox": ("sandbox", _text),
        "stdout_bytes": ("stdoutBytes", _total),
        "stderr_bytes": ("stderrBytes", _total),
        "dropped_bytes": ("droppedBytes", _total),
    },
)
_TOLD = _Table(
    Told,
    {
        "id": ("id", _text),
        "session_id": ("sessionId", _text),
        "state": ("state", _member(MessageState)),
        "at": ("at", _moment),
        "reason": ("reason", _text),
    },
    needed="state",
)
_DELIVERY = _Table(
    Delivery,
    {
        "state": ("state", _member(DeliveryState)),
        "messages": ("messages", _TOLD.last(MOST_MESSAGES)),
        "why": ("why", _text),
    },
    needed="state",
)
_TOKENS = _Table(Tokens, {"read": ("read", _total), "written": ("written", _total), "cached": ("cached", _total)})
_RUN = _Table(
    RunRecord,
    {
        "status": ("status", _member(RunStatus)),
        "execution": ("executionStatus", _member(Execution)),
        "verdict": ("resultStatus", _member(Verdict)),
        "execution_id": ("executionId", _text),
        "session_id": ("sessionId", _text),
        "title": ("title", _text),
        "kind": ("kind", _text),
        "trigger": ("trigger.type", _text),
        "reason": ("trigger.reason", _text),
        "due": ("trigger.due", _moment),
        "late_seconds": ("trigger.lateSeconds", _count),
        "errors": ("resultErrors", _errors),
        "error": ("error", _text),
        "rounds": ("dialogueRounds", _total),
        "satisfied": ("userSimulatorSatisfied", _true),
        "reply": ("userSimulatorReply", _text),
        "review_reason": ("userSimulatorReason", _text),
        "score": ("userSimulatorScore", _number),
        "queued_at": ("queuedAt", _moment),
        "started_at": ("startedAt", _moment),
        "ended_at": ("endedAt", _moment),
        "attempt": ("attempt", _first),
        "zone": ("zone", _text),
        "tokens": ("tokens", lambda value: _TOKENS.within(value) or Tokens()),
        "steps": ("steps", _total),
        "exit": ("exit", _EXIT.within),
        "delivery": ("delivery", _DELIVERY.within),
        "foreign": ("zhixing", _missing),
    },
)
_EVENT = _Table(
    Event,
    {
        "at": ("at", _moment),
        "phase": ("phase", _text),
        "message": ("message", _text),
        "round_number": ("round", _count),
    },
    needed="at",
)
_PROGRESS = _Table(
    ProgressRecord,
    {
        "status": ("status", _member(RunStatus)),
        "phase": ("phase", _text),
        "message": ("message", _text),
        "started_at": ("startedAt", _moment),
        "updated_at": ("updatedAt", _moment),
        "ended_at": ("endedAt", _moment),
        "round_number": ("round", _count),
        "max_rounds": ("maxRounds", _count),
        "events": ("events", _EVENT.last(MOST_EVENTS)),
    },
)


def record_of(document: Mapping[str, object]) -> RunRecord:
    """Read what `run.json` holds."""
    return _RUN.of(document)


def progress_of(document: Mapping[str, object]) -> ProgressRecord:
    """Read what `run-progress.json` holds."""
    return _PROGRESS.of(document)
