"""Reading a submission by the local rules, in the way its source asks for.

Words said aloud are cleared first; everything that is kept of them is what was said, verbatim. Any other source is read
as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from zhixing.language.speech import Speech, hear
from zhixing.language.timex import TimeExpression
from zhixing.notices import grammar, repeats
from zhixing.notices.grammar import LONGEST_LOCAL
from zhixing.notices.model import (
    Answer,
    Candidate,
    CandidateNode,
    NeedsModel,
    Source,
    Submission,
    Understanding,
)

CORRECTION = "correction"
"""Why words wait for a model that take something back in a way that is not certain."""
LONGEST_SPEECH = 4 * LONGEST_LOCAL
"""Characters; no amount of fillers makes more than that a short text."""


def read_submission(submission: Submission) -> Candidate | NeedsModel:
    """Read what was submitted by the local grammar."""
    if submission.source is not Source.VOICE:
        return grammar.read(submission.text)
    if len(submission.text) > LONGEST_SPEECH:
        return NeedsModel("long")
    speech = hear(submission.text)
    if speech.doubtful:
        return NeedsModel(CORRECTION)
    if not speech.clear:
        return grammar.read(submission.text)
    found = grammar.read(speech.clear)
    return found if isinstance(found, NeedsModel) else _as_said(found, speech)


def read_repeat(
    submission: Submission, now: datetime, answers: Sequence[Answer] = (), *, subject: str = "", revision: int = 0
) -> Understanding | None:
    """Decide what becomes of a submission that repeats; None leaves it to the model."""
    speech = _heard(submission)
    if speech is None:
        return repeats.understand_repeat(submission, now, answers, subject=subject, revision=revision)
    clear = replace(submission, text=speech.clear)
    found = repeats.understand_repeat(clear, now, answers, subject=subject, revision=revision)
    if found is None:
        return None
    nodes = tuple(
        replace(node, expression=speech.verbatim(node.expression), evidence=speech.verbatim(node.evidence))
        for node in found.nodes
    )
    details = tuple(speech.verbatim(detail) for detail in found.details)
    return replace(found, evidence=speech.verbatim(found.evidence), details=details, nodes=nodes)


def repeated_clock(submission: Submission) -> TimeExpression | None:
    """Return the one time of day of what repeats, so that 下午 alone can answer a question about it."""
    speech = _heard(submission)
    return repeats.asked_clock(submission.text if speech is None else speech.clear)


def _heard(submission: Submission) -> Speech | None:
    """Return the clear words of a submission that was said aloud; None where its text is read as it stands."""
    if submission.source is not Source.VOICE or len(submission.text) > LONGEST_SPEECH:
        return None
    speech = hear(submission.text)
    return speech if speech.clear and not speech.doubtful else None


def _as_said(candidate: Candidate, speech: Speech) -> Candidate:
    """Return the candidate with every quote as it was said; action and title keep the clear words."""
    return replace(
        candidate,
        evidence=speech.verbatim(candidate.evidence),
        details=tuple(speech.verbatim(detail) for detail in candidate.details),
        nodes=tuple(_node_as_said(node, speech) for node in candidate.nodes),
    )


def _node_as_said(node: CandidateNode, speech: Speech) -> CandidateNode:
    return replace(
        node,
        expression=speech.words(node.time.span),
        evidence=speech.verbatim(node.evidence, node.time.span),
        lead_evidence=None if node.lead_evidence is None else speech.verbatim(node.lead_evidence),
    )
