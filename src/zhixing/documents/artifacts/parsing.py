"""The JSON files of a run, read without trusting a word of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from zhixing.delivery.model import MessageState
from zhixing.documents.artifacts.facts import Delivery, DeliveryState, Event, RunStatus, Told
from zhixing.documents.artifacts.records import MOST_ERRORS, MOST_EVENTS, MOST_MESSAGES
from zhixing.documents.artifacts.views import ProgressRecord, RunRecord
from zhixing.documents.performing import Execution, Exit, Verdict
from zhixing.kernel.moments import EPOCH
from zhixing.world.models.usage import Tokens

_LONGEST_WORD = 2_000

_Member = TypeVar("_Member", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class _Fields:
    """An object of a file nobody vouches for: a value of another type than expected is one that is not there."""

    values: Mapping[str, object]

    def text(self, key: str) -> str:
        value = self.values.get(key)
        return value[:_LONGEST_WORD] if isinstance(value, str) else ""

    def count(self, key: str) -> int | None:
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63 else None

    def number(self, key: str) -> float | None:
        value = self.values.get(key)
        return float(value) if isinstance(value, float) else self.count(key)

    def true(self, key: str) -> bool:
        return self.values.get(key) is True

    def moment(self, key: str) -> datetime | None:
        value = self.count(key)
        try:
            return None if value is None else EPOCH + timedelta(milliseconds=value)
        except OverflowError:
            return None

    def fields(self, key: str) -> _Fields | None:
        value = self.values.get(key)
        return _Fields(value) if isinstance(value, dict) else None

    def each(self, key: str, most: int) -> list[_Fields]:
        value = self.values.get(key)
        return [_Fields(item) for item in value[-most:] if isinstance(item, dict)] if isinstance(value, list) else []

    def texts(self, key: str, most: int) -> tuple[str, ...]:
        value = self.values.get(key)
        if not isinstance(value, list):
            return ()
        return tuple(item[:_LONGEST_WORD] for item in value[:most] if isinstance(item, str))

    def member(self, key: str, kind: type[_Member]) -> _Member | None:
        try:
            return kind(self.text(key))
        except ValueError:
            return None


def record_of(document: Mapping[str, object]) -> RunRecord:
    """Read what `run.json` holds."""
    fields = _Fields(document)
    trigger = fields.fields("trigger") or _Fields({})
    tokens = fields.fields("tokens") or _Fields({})
    return RunRecord(
        status=fields.member("status", RunStatus),
        execution=fields.member("executionStatus", Execution),
        verdict=fields.member("resultStatus", Verdict),
        execution_id=fields.text("executionId"),
        session_id=fields.text("sessionId"),
        title=fields.text("title"),
        kind=fields.text("kind"),
        trigger=trigger.text("type"),
        reason=trigger.text("reason"),
        due=trigger.moment("due"),
        late_seconds=trigger.count("lateSeconds"),
        errors=fields.texts("resultErrors", MOST_ERRORS),
        error=fields.text("error"),
        rounds=fields.count("dialogueRounds") or 0,
        satisfied=fields.true("userSimulatorSatisfied"),
        reply=fields.text("userSimulatorReply"),
        review_reason=fields.text("userSimulatorReason"),
        score=fields.number("userSimulatorScore"),
        queued_at=fields.moment("queuedAt"),
        started_at=fields.moment("startedAt"),
        ended_at=fields.moment("endedAt"),
        attempt=fields.count("attempt") or 1,
        zone=fields.text("zone"),
        tokens=Tokens(tokens.count("read") or 0, tokens.count("written") or 0, tokens.count("cached") or 0),
        steps=fields.count("steps") or 0,
        exit=_exit(fields.fields("exit")),
        delivery=_delivery(fields.fields("delivery")),
        foreign="zhixing" not in document,
    )


def _exit(fields: _Fields | None) -> Exit | None:
    if fields is None:
        return None
    return Exit(
        code=fields.count("code"),
        signal=fields.count("signal"),
        timed_out=fields.true("timedOut"),
        sandbox=fields.text("sandbox"),
        stdout_bytes=fields.count("stdoutBytes") or 0,
        stderr_bytes=fields.count("stderrBytes") or 0,
        dropped_bytes=fields.count("droppedBytes") or 0,
    )


def _delivery(fields: _Fields | None) -> Delivery | None:
    state = None if fields is None else fields.member("state", DeliveryState)
    if fields is None or state is None:
        return None
    messages = tuple(
        Told(
            id=told.text("id"),
            session_id=told.text("sessionId"),
            state=known,
            at=told.moment("at"),
            reason=told.text("reason"),
        )
        for told in fields.each("messages", MOST_MESSAGES)
        if (known := told.member("state", MessageState)) is not None
    )
    return Delivery(state, messages, fields.text("why"))


def progress_of(document: Mapping[str, object]) -> ProgressRecord:
    """Read what `run-progress.json` holds."""
    fields = _Fields(document)
    return ProgressRecord(
        status=fields.member("status", RunStatus),
        phase=fields.text("phase"),
        message=fields.text("message"),
        started_at=fields.moment("startedAt"),
        updated_at=fields.moment("updatedAt"),
        ended_at=fields.moment("endedAt"),
        round_number=fields.count("round"),
        max_rounds=fields.count("maxRounds"),
        events=tuple(
            Event(at, event.text("phase"), event.text("message"), event.count("round"))
            for event in fields.each("events", MOST_EVENTS)
            if (at := event.moment("at")) is not None
        ),
    )
