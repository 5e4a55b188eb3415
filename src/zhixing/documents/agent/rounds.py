"""One round, or as many as a reviewer wants: the same for the built-in agent and for a command.

Source: downcity.md §3.6. Only a version that the reviewer is satisfied with is a result; what he rejected last stays in
the record, and is not sent as if it were fine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from zhixing.documents.agent.prompting import next_query
from zhixing.documents.agent.reviewing import Reviewed, Reviewer
from zhixing.documents.agent.working import Run
from zhixing.documents.performing import MOST_ROUNDS, Execution, Outcome, Phase, Round, Verdict
from zhixing.kernel.wording import wording
from zhixing.world.models.usage import Tokens
from zhixing.world.sandbox.redaction import redact

Execute = Callable[[str, int, Tokens], Outcome]
"""Work off a query as round so and so, after so many tokens."""


def once(run: Run, execute: Execute, query: str) -> Outcome:
    """Return what one round brings."""
    outcome = execute(query, 1, Tokens())
    return replace(outcome, rounds=(_round(run, 1, query, outcome),))


def reviewed(run: Run, execute: Execute, reviewer: Reviewer, first: str) -> Outcome:
    """Return what comes of at most `MOST_ROUNDS` rounds, the first of them about `first`."""
    rounds: list[Round] = []
    tokens, steps, query = Tokens(), 0, first
    while True:
        number = len(rounds) + 1
        outcome = execute(query, number, tokens)
        tokens, steps = tokens + outcome.tokens, steps + outcome.steps
        done = _round(run, number, query, outcome)
        if outcome.execution is Execution.FAILURE:
            return replace(outcome, rounds=(*rounds, done), tokens=tokens, steps=steps)
        run.progress.note(Phase.REVIEWER, wording("document_agent.reviewing", number=number), round_number=number)
        said = reviewer.review(run, number, outcome.output)
        run.transcript.reviewed(number, said.review, said.tokens)
        tokens += said.tokens
        is_last = said.review.satisfied or number == MOST_ROUNDS
        feedback = "" if is_last else _feedback(said)
        rounds.append(
            replace(
                done,
                reviewer_query=redact(said.query, run.order.secrets),
                review=said.review,
                feedback=feedback,
            )
        )
        outcome = replace(outcome, rounds=tuple(rounds), tokens=tokens, steps=steps)
        if said.review.satisfied:
            return outcome
        if number == MOST_ROUNDS:
            return _rejected(outcome, said)
        query = redact(next_query(run.order.definition.body, number + 1, feedback, outcome.output), run.order.secrets)


def _round(run: Run, number: int, query: str, outcome: Outcome) -> Round:
    return Round(
        number,
        redact(query, run.order.secrets),
        outcome.output,
        errors=(outcome.error,) if outcome.error else (),
    )


def _feedback(said: Reviewed) -> str:
    return "\n".join(dict.fromkeys(filter(None, (said.review.reply.strip(), said.review.reason.strip()))))


def _rejected(outcome: Outcome, said: Reviewed) -> Outcome:
    reason = said.review.reason.strip() or said.review.reply.strip()
    most = wording("document_agent.review_rejected", rounds=MOST_ROUNDS)
    return replace(outcome, verdict=Verdict.INVALID, errors=tuple(filter(None, (reason, most))), letters=())
