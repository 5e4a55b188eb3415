"""Notices of the kinds people get, with the reply that a careful reader would give and what has to come of it.

All are received on Monday 2026-10-12 at 10:00 in Shanghai; the people, numbers and places in them are invented.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.notices.conftest import ZONE

from zhixing.kernel.moments import parse_instant, zone
from zhixing.notices.model import Answer, Node, Outcome, Source, Submission, Understanding
from zhixing.notices.notice import NoticeState
from zhixing.notices.protocol import Rejected
from zhixing.notices.replies import read_candidates, understand_reply
from zhixing.notices.understand import understand
from zhixing.world.models.scripted import ScriptedModel

LINES = Path(__file__).with_name("cases").joinpath("golden.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
EVERY = pytest.mark.parametrize("name", CASES)
LIVED = (
    *("class-01", "class-03", "class-07", "property-03", "hr-01"),
    *("hospital-06", "courier-06", "bank-05", "train-04", "exam-07"),
)
"""What is taken through a running house as well."""
NOW = parse_instant("2026-10-12T10:00:00+08:00")
HOME = zone(ZONE)


def submission(case: dict[str, Any]) -> Submission:
    return Submission(case["text"], Source(case["source"]), NOW, ZONE, message_date(case))


def message_date(case: dict[str, Any]) -> date | None:
    return date.fromisoformat(case["messageDate"]) if case["messageDate"] else None


def answers(case: dict[str, Any]) -> list[Answer]:
    return [Answer(answer["kind"], answer["value"]) for answer in case["answers"]]


def node_words(node: Node) -> str:
    when = f"{node.at.astimezone(HOME):%Y-%m-%d %H:%M}" if node.at else node.day.isoformat() if node.day else ""
    lead = "" if node.lead_minutes is None else f"lead {node.lead_minutes}"
    return " ".join(filter(None, (node.kind.value, when, lead)))


def nodes(found: Any) -> list[str]:
    return sorted(map(node_words, found.nodes))


def reminders(found: Understanding) -> list[str]:
    return sorted(
        f"{one.at:%Y-%m-%d %H:%M} {one.reason}" if one.at else f"asap {one.reason}" for one in found.reminders
    )


@EVERY
def test_without_a_model_nothing_is_promised(name: str):
    found = understand(submission(CASES[name]), NOW)
    assert found.outcome in (Outcome.NEEDS_MODEL, Outcome.NEEDS_CONFIRMATION)
    assert found.reminders == ()


@EVERY
def test_a_careful_reading_leads_to_what_a_person_would_expect(name: str):
    case, expected = CASES[name], CASES[name]["expected"]
    found = understand_reply(submission(case), case["reply"], NOW)
    assert found.outcome.value == expected["outcome"]
    assert (found.question.kind if found.question else None) == expected["question"]
    assert reminders(found) == sorted(expected["reminders"])
    if found.question is None:
        # While something is asked, the time that was asked about has no value yet.
        assert nodes(found) == sorted(expected["nodes"])
        assert found.why == expected.get("why", found.why)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "after" in case])
def test_one_answer_settles_what_was_asked(name: str):
    case, after = CASES[name], CASES[name]["after"]
    found = understand_reply(submission(case), case["reply"], NOW, answers(case))
    assert (found.outcome.value, found.question) == (after["outcome"], None)
    assert nodes(found) == sorted(after["nodes"])
    assert reminders(found) == sorted(after["reminders"])


@EVERY
def test_no_rule_of_the_notice_is_lost_or_shortened(name: str):
    case = CASES[name]
    candidates = read_candidates(submission(case), case["reply"])
    assert not isinstance(candidates, Rejected), candidates
    for item, candidate in zip(case["reply"]["items"], candidates, strict=True):
        assert item["details"]
        assert set(item["details"]) <= set(candidate.details)
        assert all(detail in case["text"] for detail in candidate.details)
        assert candidate.title
        assert candidate.action


@EVERY
def test_every_time_stands_in_the_notice_as_it_is_quoted(name: str):
    case = CASES[name]
    for node in understand_reply(submission(case), case["reply"], NOW).nodes:
        assert node.expression in node.evidence
        assert node.evidence in case["text"]


@pytest.mark.parametrize("name", LIVED)
def test_a_house_with_a_model_keeps_reads_and_tells_it(house, clock, name: str):
    case, expected = CASES[name], CASES[name]["expected"]
    house.model = ScriptedModel(clock, [case["reply"]])
    kept = house.say(case["text"], source=case["source"], message_date=message_date(case))
    assert (kept.state, kept.reminders) == (NoticeState.PENDING_AI, ())
    house.let_pass(timedelta(seconds=1))
    read = house.look(kept)
    assert (read.question.kind if read.question else None) == expected["question"]
    if "after" in case:
        assert read.reminders == ()
        for answer in case["answers"]:
            read = house.answer(read, answer["value"], read.question.revision)
        expected = case["after"]
    assert nodes(read) == sorted(expected["nodes"])
    planned = sorted(f"{one.at.astimezone(HOME):%Y-%m-%d %H:%M} {one.reason}" for one in read.planned)
    assert planned == sorted(expected["reminders"])
    assert (read.original.text, read.original.submitted_at) == (case["text"], NOW)
    for instant in sorted(one.at for one in read.planned):
        house.let_pass(instant.isoformat())
    house.let_pass(timedelta(days=2))
    assert len(house.inbox()) == len(expected["reminders"])
    assert len(house.model.asked) == 1
    assert len(house.tasks()) == 1


def test_the_set_is_what_it_says():
    kinds = Counter(name.split("-")[0] for name in CASES)
    assert set(kinds) == {"class", "property", "hr", "hospital", "courier", "bank", "train", "exam", "event"}
    assert min(kinds.values()) >= 6
    assert len(CASES) == len(LINES) == 60
    assert all(60 <= len(case["text"]) <= 600 for case in CASES.values())
