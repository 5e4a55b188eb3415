"""The pure decision about a submission: words to outcome (document 004 §2, §6).

`understand` is what preview, explain, the batch command and the running system share. It does no I/O and asks no clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from msgspec.structs import replace

from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.answers import Answers
from zhixing.notices.asking import AGREEMENTS, agreement, question
from zhixing.notices.model import (
    Answer,
    Candidate,
    Entry,
    NeedsModel,
    Node,
    NodeKind,
    Outcome,
    Source,
    Submission,
    Understanding,
)
from zhixing.notices.reminders import DEADLINE_LEAD, late_reminders, plan
from zhixing.notices.resolve import Ask, Context
from zhixing.notices.several import Unresolved, resolve_all
from zhixing.notices.spoken import read_submission
from zhixing.notices.titles import title_of

_UNANSWERED = Answers((), date.min)
"""Without answers nothing counts from a day."""
_BEIJING = timedelta(hours=8)
LONGEST_TEXT = 20_000
"""Characters; more is refused at the door, so that nothing here is unbounded."""


def understand(
    submission: Submission,
    now: datetime,
    answers: Sequence[Answer] = (),
    *,
    subject: str = "",
    revision: int = 0,
) -> Understanding:
    """Decide what becomes of `submission`, given the answers so far, at `now`.

    A question in the result is about `subject` at `revision`.
    """
    text = submission.text
    if len(text) > LONGEST_TEXT:
        return Understanding(Outcome.REJECTED, "too_long", "")
    if not text.strip() and submission.source is not Source.IMAGE:
        return Understanding(Outcome.REJECTED, "empty", "")
    if submission.entry is Entry.NOTE:
        return Understanding(Outcome.NO_REMINDER, "note", title_of(text.strip()), evidence=text.strip())
    if submission.source in (Source.IMAGE, Source.QUOTE):
        return Understanding(Outcome.NEEDS_MODEL, submission.source.value, title_of(text.strip()))
    reading = read_submission(submission)
    if "北京时间" in text and find_zone(submission.zone).utcoffset(submission.submitted_at) != _BEIJING:
        return Understanding(Outcome.NEEDS_MODEL, "zone_words", title_of(text.strip()))
    if isinstance(reading, NeedsModel):
        return Understanding(Outcome.NEEDS_MODEL, reading.why, title_of(text.strip()))
    return decide(reading, submission, now, answers, subject=subject, revision=revision)


def decide(
    candidate: Candidate,
    submission: Submission,
    now: datetime,
    answers: Sequence[Answer] = (),
    *,
    subject: str = "",
    revision: int = 0,
) -> Understanding:
    """Resolve a candidate, whoever read it, and plan its reminders. One unclear time stops them all (§5)."""
    zone = find_zone(submission.zone)
    context = Context(
        submission.submitted_at,
        now,
        zone,
        submission.source.speaks_now,
        submission.message_date,
        Answers(answers, now.astimezone(zone).date()) if answers else _UNANSWERED,
    )
    found = resolve_all(candidate.nodes, context)
    if isinstance(found, Unresolved):
        return _asked(candidate, found.ask, context, found.nodes, subject=subject, revision=revision)
    nodes = list(found)
    late = late_reminders(nodes)
    if late:
        confirmed = context.answers.instant("reminder_after_deadline")
        if confirmed is None:
            ask = Ask("reminder_after_deadline", _before_deadline(nodes))
            return _asked(candidate, ask, context, tuple(nodes), subject=subject, revision=revision)
        nodes = [replace(node, at=confirmed) if index in late else node for index, node in enumerate(nodes)]
    reminders = plan(nodes, now, zone)
    if reminders and any(node.kind is NodeKind.UNKNOWN for node in nodes):
        agreed = context.answers.value("partial_nodes")
        if agreed is None:
            return _asked(candidate, Ask("partial_nodes"), context, tuple(nodes), subject=subject, revision=revision)
        reminders = reminders if agreed == "yes" else ()
    outcome = Outcome.SCHEDULED if reminders else Outcome.NO_REMINDER
    why = "planned" if reminders else _why_not(nodes)
    return Understanding(
        outcome, why, candidate.title, candidate.action, candidate.evidence, candidate.details, tuple(nodes), reminders
    )


def _why_not(nodes: Sequence[Node]) -> str:
    """Say why nothing will be told."""
    kinds = {node.kind for node in nodes}
    if NodeKind.REPEAT in kinds:
        return "pending_plan"
    if NodeKind.UNKNOWN in kinds:
        return "time_open"
    return "nothing_ahead" if nodes else "no_time"


def _before_deadline(nodes: Sequence[Node]) -> tuple[datetime, ...]:
    """Return the likely answers: an hour before the deadline, or the time that was asked for after all."""
    deadline = min(node.at for node in nodes if node.kind is NodeKind.DEADLINE and node.at)
    asked = max(node.at for node in nodes if node.kind is NodeKind.REMINDER and node.at)
    return deadline - DEADLINE_LEAD, asked


def _asked(
    candidate: Candidate, ask: Ask, context: Context, nodes: tuple[Node, ...], *, subject: str, revision: int
) -> Understanding:
    """Ask for what is missing; a kind that was answered already is not asked again (§6)."""
    known = (candidate.title, candidate.action, candidate.evidence, candidate.details, nodes)
    if ask.kind in context.answers:
        return Understanding(Outcome.RETRYABLE_FAILURE, f"answered_{ask.kind}", *known)
    if ask.kind in AGREEMENTS:
        asked = agreement(ask.kind, subject, revision)
    else:
        asked = question(ask, subject, revision, context.today)
    return Understanding(Outcome.NEEDS_CONFIRMATION, ask.kind, *known, question=asked)
