"""What is sent about a run, and what became of it: pure.

The result is the last answer of the agent or the standard output of the script, as it is. A failure says that it is
one, and a result that its reviewer refused says so first (downcity.md §3.8, §6.2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from zhixing.delivery.model import INBOX, Message, MessageState
from zhixing.documents.artifacts.facts import Delivery, DeliveryState, Told
from zhixing.documents.chats import LONGEST_TEXT
from zhixing.documents.model import Definition
from zhixing.documents.performing import Outcome, Verdict
from zhixing.documents.run import Run, RunState
from zhixing.kernel.wording import wording
from zhixing.tasks.occurrence import Occurrence, reason_text

_SECRET = re.compile(r"TOKEN|KEY|SECRET|PASS|PWD|CRED|PRIVATE|AUTH|DSN", re.IGNORECASE)
_LOGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/@\s]{1,500}@", re.IGNORECASE)
"""An address with a password in it."""
_SHORTEST_SECRET = 6
REPLACED = "replaced"
"""Why a run was called off: the next instant took its place."""
UNWRITTEN = "unwritten"
"""Why a run failed that has brought something and could not write it down."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is put into the outbox."""

    title: str
    text: str


def result(run: Run, definition: Definition | None, outcome: Outcome) -> Result:
    """Return what is sent of a run that has ended."""
    title = run.task_id if definition is None else definition.title
    match run.state:
        case RunState.SUCCESS:
            text = outcome.output if outcome.output.strip() else wording("documents.told_empty")
            return Result(title, _bounded(text, run))
        case RunState.CANCELLED:
            key = "told_replaced" if run.why == REPLACED else "told_cancelled"
            return Result(title, wording(f"documents.{key}", run=run.id))
        case RunState.INTERRUPTED:
            return Result(title, wording("documents.told_interrupted", run=run.id, why=outcome.error))
        case _ if run.why == UNWRITTEN and outcome.output.strip():
            why = wording("documents.told_unwritten", run=run.id, why=outcome.error)
            return Result(title, _bounded(f"{why}\n\n{outcome.output}", run))
        case _ if outcome.verdict is Verdict.INVALID and outcome.output.strip():
            why = "；".join(outcome.errors) or outcome.error
            return Result(title, _bounded(f"{wording('documents.told_rejected', why=why)}\n\n{outcome.output}", run))
        case _:
            why = outcome.error or "；".join(outcome.errors) or run.why
            return Result(title, _bounded(wording("documents.told_failed", run=run.id, why=why), run))


def missed(occurrence: Occurrence, zone: ZoneInfo) -> str:
    """Return what is said of instants that passed without a run."""
    at = occurrence.due.astimezone(zone)
    key = "told_missed" if occurrence.count == 1 else "told_missed_several"
    return wording(
        f"documents.{key}", at=f"{at:%Y-%m-%d %H:%M}", count=occurrence.count, why=reason_text(occurrence.reason or "")
    )


def _bounded(text: str, run: Run) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    note = "\n" + wording("documents.told_cut", count=len(text), run=run.id)
    return text[: LONGEST_TEXT - len(note)] + note


def delivery_of(run: Run, messages: Sequence[Message]) -> Delivery:
    """Return what became of telling a result. What only the inbox has counts as sent, and says so."""
    told = tuple(
        Told(
            id=each.id,
            session_id=run.session_id,
            state=each.state,
            at=each.settled_at,
            reason="" if each.reason is None else each.reason.text(),
        )
        for each in messages
        if each.channel != INBOX
    )
    if not told:
        if not messages:
            return Delivery(DeliveryState.NONE)
        return Delivery(DeliveryState.SENT, (), wording("documents.told_inbox", session=run.session_id))
    states = {each.state for each in told}
    if states & {MessageState.PENDING, MessageState.SENDING}:
        state = DeliveryState.PENDING
    elif MessageState.UNKNOWN in states:
        state = DeliveryState.UNKNOWN
    elif states <= {MessageState.SENT}:
        state = DeliveryState.SENT
    else:
        state = DeliveryState.FAILED
    return Delivery(state, told)


def secret_values(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values that nobody is to read: their names say so, or they are addresses with a password."""
    return tuple(
        value
        for name, value in environment.items()
        if len(value) >= _SHORTEST_SECRET and (_SECRET.search(name) or _LOGIN.match(value))
    )
