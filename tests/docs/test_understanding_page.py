"""Every row of docs/understanding.md is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from zhixing.kernel.moments import parse_instant
from zhixing.kernel.wording import section
from zhixing.language.speech import hear
from zhixing.notices.grammar import read
from zhixing.notices.model import NeedsModel, Outcome, Source, Submission, Understanding
from zhixing.notices.understand import understand

PAGE = Path(__file__).parents[2] / "docs" / "understanding.md"
NOW = parse_instant("2026-10-12T10:00:00+08:00")


def rows(columns: tuple[str, ...]) -> list[list[str]]:
    """Give the rows of the table with those column heads."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = lines.index(f"| {' | '.join(columns)} |") + 2
    end = next(index for index in range(start, len(lines)) if not lines[index].startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:end]]


def said(text: str) -> Understanding:
    return understand(Submission(text, Source.DIRECT, NOW, "Asia/Shanghai"), NOW)


@pytest.mark.parametrize(
    ("text", "understood", "reminder", "rule"), rows(("text", "what was understood", "reminder", "rule"))
)
def test_what_becomes_a_reminder(text, understood, reminder, rule):
    found = said(text)
    [node], [planned] = found.nodes, found.reminders
    when = node.at.strftime("%Y-%m-%d %H:%M") if node.at else node.day.isoformat()
    assert f"{node.kind.value} {when}" == understood
    assert (planned.at.strftime("%Y-%m-%d %H:%M") if planned.at else "asap") == reminder
    assert planned.reason == rule


@pytest.mark.parametrize(("text", "question"), rows(("text", "question")))
def test_what_is_asked(text, question):
    found = said(text)
    assert found.outcome is Outcome.NEEDS_CONFIRMATION
    assert found.question.kind == question
    assert found.reminders == ()


@pytest.mark.parametrize(("text", "why"), rows(("text", "why"))[:4])
def test_what_is_kept_without_a_reminder(text, why):
    found = said(text)
    assert (found.outcome, found.why) == (Outcome.NO_REMINDER, why)


WAITING = [
    row
    for row in (line.split("|")[1:3] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| "))
    if len(row) == 2
]


@pytest.mark.parametrize(("text", "why"), [(text.strip(), why.strip()) for text, why in WAITING[-10:]])
def test_what_waits_for_a_model(text, why):
    assert read(text) == NeedsModel(why)
    assert f"why_{why}" in section("notices", "zh")


@pytest.mark.parametrize(("said_aloud", "read_as"), rows(("said", "read as")))
def test_what_is_said_aloud(said_aloud, read_as):
    assert hear(said_aloud).clear == read_as
    assert understand(Submission(said_aloud, Source.VOICE, NOW, "Asia/Shanghai"), NOW).outcome is Outcome.SCHEDULED


@pytest.mark.parametrize(("said_aloud", "why"), rows(("said", "why")))
def test_what_of_speech_waits_for_a_model(said_aloud, why):
    found = understand(Submission(said_aloud, Source.VOICE, NOW, "Asia/Shanghai"), NOW)
    assert (found.outcome, found.why) == (Outcome.NEEDS_MODEL, why)
