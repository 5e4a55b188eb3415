"""The JSON files of a run, version 1 of downcity.md §3.3, with additions of ours. Pure.

Every instant stands twice: as milliseconds since the epoch under the key of the document, and beside it, with `Iso`
behind the key, as a person of the task's zone reads it. `zhixing` is the version of the additions; a folder that the
original program wrote has no such key.
"""

from __future__ import annotations

import math
from datetime import datetime

from zhixing.documents.artifacts.facts import Course, Delivery, Event, RunFacts, RunStatus, Told
from zhixing.documents.artifacts.texts import as_json, millis, moment, shortened
from zhixing.documents.model import Kind
from zhixing.documents.performing import Exit, Outcome, Review, Round, Verdict

SEAL = "seal"
"""The key of what proves that we wrote how a run ended."""
VERSION = 1
"""`v` of the original files."""
ADDITIONS = 1
"""Version of what we add."""

LONGEST_ERROR = 800
"""Characters of `error` and of one of the `resultErrors` (§3.3)."""
MOST_ERRORS = 50
"""Of the `resultErrors`, how many are kept."""
LONGEST_REPLY = 2_000
"""Characters of what the simulated user said (§3.3)."""
LONGEST_NOTE = 500
"""Characters of one line of progress."""
LONGEST_REASON = 500
"""Characters of why somebody started a run, or why a message did not arrive."""
MOST_EVENTS = 40
"""Lines of progress that are kept (§3.3)."""
MOST_MESSAGES = 100
"""Messages of one run that are listed."""
LONGEST_TURN = 200_000
"""Characters of one text of `dialogue.json`; what is longer ends in dots."""

Document = dict[str, object]


def run_json(facts: RunFacts, status: RunStatus, outcome: Outcome | None, delivery: Delivery) -> bytes:
    """Write `run.json`. `outcome` is None until there is one; then `executionStatus` is missing."""
    document: Document = {
        "v": VERSION,
        "zhixing": ADDITIONS,
        "taskId": facts.task_id,
        "timestamp": facts.run_id,
        "executionId": facts.execution_id,
        "sessionId": facts.session_id,
        "title": facts.title,
        "kind": facts.kind.value,
        "trigger": _trigger(facts),
        "status": status.value,
        **_result(outcome),
        "attempt": facts.attempt,
        "zone": facts.zone,
        **_instant("queuedAt", facts.queued_at, facts.zone),
        **_instant("startedAt", facts.started_at, facts.zone),
        **_instant("endedAt", facts.ended_at, facts.zone),
    }
    if outcome is not None:
        document["tokens"] = {
            "read": outcome.tokens.read,
            "written": outcome.tokens.written,
            "cached": outcome.tokens.cached,
        }
        document["steps"] = outcome.steps
        if outcome.exit is not None:
            document["exit"] = _exit(outcome.exit)
        if outcome.error.strip():
            document["error"] = shortened(outcome.error, LONGEST_ERROR)
    if status.ended and facts.seal:
        document[SEAL] = facts.seal
    document["delivery"] = delivery_block(delivery, facts.zone)
    return as_json(document)


def delivery_block(delivery: Delivery, zone: str) -> Document:
    """Return what `run.json` says under `delivery`."""
    block: Document = {"state": delivery.state.value}
    if delivery.why:
        block["why"] = shortened(delivery.why, LONGEST_REASON)
    block["messages"] = [_told(told, zone) for told in delivery.messages[:MOST_MESSAGES]]
    return block


def progress_json(facts: RunFacts, course: Course, outcome: Outcome | None = None) -> bytes:
    """Write `run-progress.json`: the last line of `course` is where the run is."""
    last = course.events[-1]
    document: Document = {
        "v": VERSION,
        "taskId": facts.task_id,
        "timestamp": facts.run_id,
        "trigger": _trigger(facts),
        "kind": facts.kind.value,
        "status": course.status.value,
        "phase": last.phase,
        "message": shortened(last.message, LONGEST_NOTE),
        **_instant("startedAt", facts.started_at or facts.queued_at, facts.zone),
        **_instant("updatedAt", last.at, facts.zone),
        **_instant("endedAt", facts.ended_at, facts.zone),
    }
    if course.status.ended:
        document["runStatus"] = course.status.value
    if outcome is not None:
        document["executionStatus"] = outcome.execution.value
        document["resultStatus"] = outcome.verdict.value
    document |= _round_of(facts, last)
    document["events"] = [
        {
            **_instant("at", event.at, facts.zone),
            "phase": event.phase,
            "message": shortened(event.message, LONGEST_NOTE),
            **_round_of(facts, event),
        }
        for event in course.events[-MOST_EVENTS:]
    ]
    return as_json(document)


def dialogue_json(facts: RunFacts, rounds: tuple[Round, ...]) -> bytes:
    """Write `dialogue.json`: every round as it went."""
    return as_json(
        {
            "v": VERSION,
            "taskId": facts.task_id,
            "timestamp": facts.run_id,
            "maxDialogueRounds": facts.max_rounds,
            "rounds": [_dialogue_round(facts, each) for each in rounds],
        }
    )


def keeps_dialogue(facts: RunFacts) -> bool:
    """Whether a run of this kind has rounds to write down."""
    return facts.kind is Kind.AGENT


def usable_score(review: Review) -> float | None:
    """Return the score of a review if it is one: 0 to 10."""
    score = review.score
    return score if score is not None and math.isfinite(score) and 0 <= score <= 10 else None


def last_review(outcome: Outcome) -> Review | None:
    """Return what the simulated user said in the last round."""
    return outcome.rounds[-1].review if outcome.rounds else None


def _instant(key: str, at: datetime | None, zone: str) -> Document:
    return {} if at is None else {key: millis(at), f"{key}Iso": moment(at, zone)}


def _trigger(facts: RunFacts) -> Document:
    trigger = facts.trigger
    document: Document = {"type": trigger.type.value}
    if trigger.reason:
        document["reason"] = shortened(trigger.reason, LONGEST_REASON)
    if trigger.due is not None:
        document |= _instant("due", trigger.due, facts.zone)
        document["lateSeconds"] = trigger.late_seconds
        if trigger.shifted:
            document["shifted"] = True
    return document


def _result(outcome: Outcome | None) -> Document:
    if outcome is None:
        return {"resultStatus": Verdict.NOT_CHECKED.value, "dialogueRounds": 0, "userSimulatorSatisfied": False}
    document: Document = {"executionStatus": outcome.execution.value, "resultStatus": outcome.verdict.value}
    if outcome.errors:
        document["resultErrors"] = [shortened(error, LONGEST_ERROR) for error in outcome.errors[:MOST_ERRORS]]
    document["dialogueRounds"] = len(outcome.rounds)
    review = last_review(outcome)
    document["userSimulatorSatisfied"] = review is not None and review.satisfied
    if review is not None:
        document["userSimulatorReply"] = shortened(review.reply, LONGEST_REPLY)
        document["userSimulatorReason"] = shortened(review.reason, LONGEST_REPLY)
        score = usable_score(review)
        if score is not None:
            document["userSimulatorScore"] = score
    return document


def _exit(end: Exit) -> Document:
    return {
        "code": end.code,
        "signal": end.signal,
        "timedOut": end.timed_out,
        "sandbox": end.sandbox,
        "stdoutBytes": end.stdout_bytes,
        "stderrBytes": end.stderr_bytes,
        "droppedBytes": end.dropped_bytes,
    }


def _told(told: Told, zone: str) -> Document:
    document: Document = {"id": told.id, "sessionId": told.session_id, "state": told.state.value}
    document |= _instant("at", told.at, zone)
    if told.reason:
        document["reason"] = shortened(told.reason, LONGEST_REASON)
    return document


def _round_of(facts: RunFacts, event: Event) -> Document:
    if event.round_number is None:
        return {}
    return {"round": event.round_number, "maxRounds": facts.max_rounds}


def _dialogue_round(facts: RunFacts, each: Round) -> Document:
    document: Document = {
        "reviewEnabled": facts.review,
        "round": each.number,
        "executorQuery": shortened(each.query, LONGEST_TURN),
        "executorOutput": shortened(each.output, LONGEST_TURN),
        "executorDelivered": False,
        "validationResultStatus": _validation(each).value,
        "ruleErrors": [shortened(error, LONGEST_ERROR) for error in each.errors[:MOST_ERRORS]],
    }
    if each.reviewer_query:
        document["userSimulatorQuery"] = shortened(each.reviewer_query, LONGEST_TURN)
    review = each.review or Review(satisfied=False, reply="", reason="", score=None, raw="")
    if each.review is not None:
        document["userSimulatorOutput"] = shortened(review.raw, LONGEST_TURN)
    said: Document = {
        "satisfied": review.satisfied,
        "reply": shortened(review.reply, LONGEST_TURN),
        "reason": shortened(review.reason, LONGEST_TURN),
        "raw": shortened(review.raw, LONGEST_TURN),
    }
    score = usable_score(review)
    if score is not None:
        said["score"] = score
    document["userSimulator"] = said
    if each.feedback:
        document["feedbackForNextRound"] = shortened(each.feedback, LONGEST_TURN)
    return document


def _validation(each: Round) -> Verdict:
    if each.errors:
        return Verdict.INVALID
    return Verdict.VALID if each.output.strip() else Verdict.NOT_CHECKED
