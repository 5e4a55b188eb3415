"""Every row of docs/repeats.md is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from zhixing.kernel.moments import parse_instant, zone
from zhixing.notices.model import Outcome, Source, Submission, Understanding
from zhixing.notices.repeats import understand_repeat
from zhixing.notices.understand import understand
from zhixing.tasks.schedule.expression import parse_expression, write_expression

LINES = (Path(__file__).parents[2] / "docs" / "repeats.md").read_text(encoding="utf-8").splitlines()
NOW = parse_instant("2026-10-12T10:00:00+08:00")


def rows(head: str) -> list[list[str]]:
    """Give the rows of the table with that head."""
    start = LINES.index(head) + 2
    end = next(index for index in range(start, len(LINES)) if not LINES[index].startswith("|"))
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in LINES[start:end]]


def said(text: str) -> Understanding:
    submission = Submission(text, Source.DIRECT, NOW, "Asia/Shanghai")
    # The pure contract leaves what repeats to a model (document 004 §2).
    assert (understand(submission, NOW).outcome, understand(submission, NOW).why) == (Outcome.NEEDS_MODEL, "repeat")
    found = understand_repeat(submission, NOW)
    assert found is not None
    return found


@pytest.mark.parametrize(("text", "trigger", "rule"), rows("| said | trigger | told by |"))
def test_what_repeats_becomes_that_trigger(text, trigger, rule):
    found = said(text)
    assert found.outcome is Outcome.SCHEDULED
    assert (found.series.expression, found.series.reason) == (trigger, rule)
    assert write_expression(parse_expression(trigger, zone("Asia/Shanghai"), NOW)) == trigger
    [node] = found.nodes
    assert node.expression in text
    assert found.reminders == ()


@pytest.mark.parametrize(("text", "kind"), rows("| said | question |"))
def test_what_is_missing_is_asked(text, kind):
    found = said(text)
    assert found.outcome is Outcome.NEEDS_CONFIRMATION
    assert found.question.kind == kind
    assert len(found.question.options) <= 3
    assert found.series is None
