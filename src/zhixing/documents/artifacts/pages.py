"""The Markdown files of a run (downcity.md §3.3), in the language of its reader. Pure.

A label is followed by the key that the original files have, so that both a person and a program find it. Texts of
others stand on one line or inside a fence; `output.md` alone is the text itself and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote

from zhixing.documents.artifacts.facts import RunFacts, RunStatus
from zhixing.documents.artifacts.records import MOST_ERRORS, last_review, usable_score
from zhixing.documents.artifacts.texts import encoded, fenced, moment, one_line, shortened
from zhixing.documents.model import Definition, Kind
from zhixing.documents.performing import Execution, Exit, Outcome, Round, Verdict
from zhixing.kernel.wording import Language, wording

PREVIEW = 1_200
"""Characters of an output, an error or a reply in a preview (§3.3)."""
LONG_PREVIEW = 4_000
"""Characters of what the executor was asked (§3.3)."""
REVIEW_PREVIEW = 2_000
"""Characters of what the simulated user wrote, and of the feedback (§3.3)."""
LONGEST_ERROR_PAGE = 80_000
"""Characters of `error.md`."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The catalogue in one language."""

    language: Language

    def __call__(self, key: str, /, **values: object) -> str:
        return wording(f"document_runs.{key}", self.language, **values)

    def bullet(self, key: str, name: str, value: object) -> str:
        """Return a line that gives `value` under the label `key` and the name it has in the original files."""
        return self("bullet", label=self(f"label_{key}"), name=name, value=one_line(str(value)))

    def yes(self, value: bool) -> str:  # noqa: FBT001 - the value itself is what is written
        return self("yes" if value else "no")


def input_md(facts: RunFacts, definition: Definition, language: Language = "zh") -> bytes:
    """Write `input.md`: the definition as the run found it."""
    words = _Words(language)
    bullets = [
        words.bullet("task", "taskId", facts.task_id),
        words.bullet("execution", "executionId", facts.execution_id),
        words.bullet("title", "title", facts.title),
        words.bullet("description", "description", definition.description),
        words.bullet("when", "when", facts.when),
        words.bullet("task_status", "status", facts.task_status.value),
        words.bullet("session", "sessionId", facts.session_id),
        words.bullet("kind", "kind", facts.kind.value),
    ]
    if facts.kind is Kind.AGENT:
        bullets.append(words.bullet("review", "review", words.yes(facts.review)))
        bullets.append(words.bullet("rounds_most", "maxDialogueRounds", facts.max_rounds))
    script = facts.kind is Kind.SCRIPT
    body = fenced(definition.body, "bash" if script else "markdown") if definition.body.strip() else words("body_none")
    return _page(words("heading_input"), "\n".join(bullets), _section(words("section_body"), body))


def output_md(outcome: Outcome) -> bytes:
    """Write `output.md`: the final text, byte for byte, without a heading (document 003: 最终输出正文)."""
    return encoded(outcome.output)


def error_md(error: str, language: Language = "zh") -> bytes:
    """Write `error.md`: why there is no result, or why it does not count."""
    words = _Words(language)
    return _page(words("heading_error"), shortened(error, LONGEST_ERROR_PAGE))


def error_text(outcome: Outcome) -> str:
    """Return what is wrong with an outcome, as one text."""
    return outcome.error.strip() or "\n".join(outcome.errors[:MOST_ERRORS])


def result_md(
    facts: RunFacts, status: RunStatus, outcome: Outcome, artifacts: Sequence[str], language: Language = "zh"
) -> bytes:
    """Write `result.md`: what became of the run. `artifacts` are the files that exist; nothing else is linked."""
    words = _Words(language)
    parts = [
        "\n".join(_summary(words, facts, status, outcome)),
        _section(words("section_artifacts"), "\n".join(f"- {_link(name)}" for name in artifacts) or words("none")),
        _section(words("section_checks"), "\n".join(_checks(words, outcome))),
        _section(words("section_output"), _preview(words, outcome.output, PREVIEW)),
    ]
    error = error_text(outcome)
    if status is not RunStatus.SUCCESS and error:
        parts.append(_section(words("section_error"), _preview(words, error, PREVIEW)))
    return _page(words("heading_result"), *parts)


def dialogue_md(facts: RunFacts, rounds: Sequence[Round], language: Language = "zh") -> bytes:
    """Write `dialogue.md`: the rounds, shortened, for reading."""
    words = _Words(language)
    head = "\n".join(
        [
            words.bullet("task", "taskId", facts.task_id),
            words.bullet("execution", "executionId", facts.execution_id),
            words.bullet("rounds", "dialogueRounds", f"{len(rounds)}/{facts.max_rounds}"),
        ]
    )
    return _page(words("heading_dialogue"), head, *(_round(words, each) for each in rounds))


def _summary(words: _Words, facts: RunFacts, status: RunStatus, outcome: Outcome) -> Iterable[str]:
    yield words.bullet("task", "taskId", facts.task_id)
    yield words.bullet("execution", "executionId", facts.execution_id)
    yield words.bullet("title", "title", facts.title)
    yield words.bullet("trigger", "trigger", f"{facts.trigger.type.value} {facts.trigger.reason}")
    if facts.trigger.due is not None:
        shifted = words("due_shifted") if facts.trigger.shifted else ""
        yield words.bullet("due", "due", moment(facts.trigger.due, facts.zone) + shifted)
        yield words.bullet("late", "lateSeconds", facts.trigger.late_seconds)
    yield words.bullet("status", "status", f"**{status.value.upper()}** {words(f'status_{status.value}')}")
    yield words.bullet("execution_status", "executionStatus", outcome.execution.value)
    yield words.bullet("result_status", "resultStatus", outcome.verdict.value)
    if facts.kind is Kind.AGENT:
        yield from _rounds(words, facts, outcome)
    yield from _times(words, facts)
    if outcome.exit is not None:
        yield from _exit(words, outcome.exit)
    if facts.attempt > 1:
        yield words.bullet("attempt", "attempt", facts.attempt)
    yield words.bullet("folder", "runDir", facts.run_dir)


def _rounds(words: _Words, facts: RunFacts, outcome: Outcome) -> Iterable[str]:
    yield words.bullet("rounds", "dialogueRounds", f"{len(outcome.rounds)}/{facts.max_rounds}")
    review = last_review(outcome)
    if review is not None:
        yield words.bullet("satisfied", "userSimulatorSatisfied", words.yes(review.satisfied))
        score = usable_score(review)
        if score is not None:
            yield words.bullet("score", "userSimulatorScore", f"{score:g}")


def _times(words: _Words, facts: RunFacts) -> Iterable[str]:
    if facts.started_at is not None:
        yield words.bullet("started", "startedAt", moment(facts.started_at, facts.zone))
    if facts.ended_at is not None:
        yield words.bullet("ended", "endedAt", moment(facts.ended_at, facts.zone))
    if facts.started_at is not None and facts.ended_at is not None:
        took = max(facts.ended_at - facts.started_at, timedelta(0))  # the wall clock may have been put back
        yield words.bullet("took", "durationMs", took // timedelta(milliseconds=1))


def _exit(words: _Words, end: Exit) -> Iterable[str]:
    value = words("exit_code", code=end.code) if end.signal is None else words("exit_signal", signal=end.signal)
    yield words.bullet("exit", "exit", value + (words("exit_timed_out") if end.timed_out else ""))
    yield words.bullet("sandbox", "sandbox", end.sandbox)
    if end.dropped_bytes:
        yield words.bullet("dropped", "droppedBytes", end.dropped_bytes)


def _checks(words: _Words, outcome: Outcome) -> Iterable[str]:
    yield _check(words, "check_ran", outcome.execution is Execution.SUCCESS)
    yield _check(words, "check_output", bool(outcome.output.strip()))
    yield _check(words, "check_valid", outcome.verdict is Verdict.VALID)
    for error in outcome.errors[:MOST_ERRORS]:
        yield f"- FAIL {one_line(error)}"


def _check(words: _Words, key: str, passed: bool) -> str:  # noqa: FBT001 - the value itself is what is written
    return f"- {'PASS' if passed else 'FAIL'} {words(key)}"


def _round(words: _Words, each: Round) -> str:
    parts = [
        f"## {words('round', number=each.number)}",
        _subsection(words("part_query"), _preview(words, each.query, LONG_PREVIEW)),
        _subsection(words("part_output"), _preview(words, each.output, PREVIEW)),
    ]
    if each.errors:
        listed = "\n".join(f"- {one_line(error)}" for error in each.errors[:MOST_ERRORS])
        parts.append(_subsection(words("part_errors"), listed))
    if each.review is not None:
        review = each.review
        bullets = [words.bullet("satisfied", "satisfied", words.yes(review.satisfied))]
        score = usable_score(review)
        if score is not None:
            bullets.append(words.bullet("score", "score", f"{score:g}"))
        if review.reason:
            bullets.append(words.bullet("reason", "reason", review.reason))
        parts.append(_subsection(words("part_review"), "\n".join(bullets)))
        parts.append(_subsection(words("part_reply"), _preview(words, review.reply, PREVIEW)))
        parts.append(_subsection(words("part_raw"), _preview(words, review.raw, REVIEW_PREVIEW)))
    if each.feedback:
        parts.append(_subsection(words("part_feedback"), _preview(words, each.feedback, REVIEW_PREVIEW)))
    return "\n\n".join(parts)


def _preview(words: _Words, text: str, most: int) -> str:
    return fenced(shortened(text, most)) if text.strip() else words("none")


def _link(name: str) -> str:
    label = one_line(name).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return f"[{label}]({quote(name)})"


def _section(heading: str, content: str) -> str:
    return f"## {heading}\n\n{content}"


def _subsection(heading: str, content: str) -> str:
    return f"### {heading}\n\n{content}"


def _page(heading: str, *parts: str) -> bytes:
    return encoded("\n\n".join([f"# {heading}", *parts]) + "\n")
