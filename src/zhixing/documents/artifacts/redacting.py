"""What came of a run, without secrets. Pure, and doing it twice is doing it once.

Whoever sends a result sends the redacted one, so that `output.md` and the message are the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zhixing.documents.artifacts.facts import RunFacts
from zhixing.documents.artifacts.texts import hide
from zhixing.documents.model import Definition
from zhixing.documents.performing import Letter, Outcome, Review, Round


def redacted(outcome: Outcome, secrets: Sequence[str]) -> Outcome:
    """Return `outcome` with every text of it redacted."""
    return replace(
        outcome,
        output=hide(outcome.output, secrets),
        error=hide(outcome.error, secrets),
        errors=tuple(hide(error, secrets) for error in outcome.errors),
        rounds=tuple(_round(each, secrets) for each in outcome.rounds),
        letters=tuple(Letter(letter.session_id, hide(letter.text, secrets)) for letter in outcome.letters),
    )


def redacted_facts(facts: RunFacts, secrets: Sequence[str]) -> RunFacts:
    """Return `facts` without what the one who started the run may have said too much."""
    trigger = replace(facts.trigger, reason=hide(facts.trigger.reason, secrets))
    return replace(facts, title=hide(facts.title, secrets), trigger=trigger)


def redacted_definition(definition: Definition, secrets: Sequence[str]) -> Definition:
    """Return `definition` without secrets that its author wrote out."""
    return replace(definition, description=hide(definition.description, secrets), body=hide(definition.body, secrets))


def _round(each: Round, secrets: Sequence[str]) -> Round:
    return replace(
        each,
        query=hide(each.query, secrets),
        output=hide(each.output, secrets),
        errors=tuple(hide(error, secrets) for error in each.errors),
        reviewer_query=hide(each.reviewer_query, secrets),
        review=None if each.review is None else _review(each.review, secrets),
        feedback=hide(each.feedback, secrets),
    )


def _review(review: Review, secrets: Sequence[str]) -> Review:
    return replace(
        review,
        reply=hide(review.reply, secrets),
        reason=hide(review.reason, secrets),
        raw=hide(review.raw, secrets),
    )
