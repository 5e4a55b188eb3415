"""The sample cases of the requirement, each through the machine contract and compared in full.

`cases/notices.jsonl` holds the samples as they were given, `cases/judged.jsonl` more of their kind. Cases with `ops`
are sequences of operations and are tested with those.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from zhixing.notices.batch import understand_lines

FOLDER = Path(__file__).parent / "cases"


def cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{name}-{case['id']}")
        for name in ("notices", "judged")
        for case in map(json.loads, (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        if not case.get("ops")
    ]


def moment(at: str) -> object:
    """Compare instants, not how they are written; dates and `asap` are what they are."""
    return datetime.fromisoformat(at) if "T" in at else at


def nodes_of(nodes: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    return sorted(
        (
            (
                node["kind"],
                moment(node["at"] if "at" in node else node.get("datetime") or node["date"]),
                node["precision"],
                node.get("leadMinutes"),
            )
            for node in nodes
        ),
        key=str,
    )


def reminders_of(reminders: list[dict[str, Any]], expected: list[dict[str, Any]] | None = None) -> list[object]:
    """Return instants and reasons; a reason that `expected` leaves open is left out."""
    named = all(reminder.get("reason") for reminder in expected or reminders)
    return sorted(((moment(one["at"]), one.get("reason") if named else None) for one in reminders), key=str)


@pytest.mark.parametrize("case", cases())
def test_the_case_comes_out_as_required(case: dict[str, Any]):
    expected = case["expected"]

    found = json.loads(next(understand_lines([json.dumps(case, ensure_ascii=False)])))

    assert found["id"] == case["id"]
    assert found["outcome"] == expected["outcome"]
    question = found["question"]
    assert (question is not None) is (expected["outcome"] == "needs_confirmation")
    if expected.get("questionKind"):
        assert question["kind"] == expected["questionKind"]
    assert reminders_of(found["reminders"], expected["reminders"]) == reminders_of(expected["reminders"])
    if expected["outcome"] == "scheduled" or (expected["outcome"] == "no_reminder" and expected["nodes"]):
        # While something is asked, the time that was asked about has no value yet.
        assert nodes_of(found["nodes"]) == nodes_of(expected["nodes"])
    if expected.get("options"):
        assert [option["value"] for option in question["options"]] == [*expected["options"], "other"]
    forbidden = {moment(at) for at in expected.get("forbid_reminders_at", [])}
    assert forbidden.isdisjoint(moment(reminder["at"]) for reminder in found["reminders"])


@pytest.fixture(scope="module")
def answered() -> list[tuple[str, dict[str, Any]]]:
    """All texts with what became of them."""
    given = [parameter.values[0] for parameter in cases()]
    lines = understand_lines(json.dumps(case, ensure_ascii=False) for case in given)
    return [(case["text"], json.loads(line)) for case, line in zip(given, lines, strict=True)]


def test_every_piece_of_evidence_stands_in_the_text(answered):
    for text, found in answered:
        for node in found["nodes"]:
            assert node["expression"] in node["evidence"]
            assert node["evidence"] in text
            assert node["expression"] == node["expression"].strip(), text


def test_a_question_is_short_and_quick_to_answer(answered):
    questions = [found["question"] for _, found in answered if found["question"] is not None]
    assert questions
    for question in questions:
        *quick, other = question["options"]
        assert 0 < len(question["prompt"]) <= 24
        assert len(quick) <= 2
        assert other == {"value": "other", "label": "其他"}
        assert len({option["value"] for option in question["options"]}) == len(question["options"])
        assert len({option["label"] for option in question["options"]}) == len(question["options"]), question


def test_nothing_is_planned_before_the_present(answered):
    for parameter, (_, found) in zip(cases(), answered, strict=True):
        case = parameter.values[0]
        now = datetime.fromisoformat(case.get("now") or case["submittedAt"])
        assert all(one["at"] == "asap" or datetime.fromisoformat(one["at"]) >= now for one in found["reminders"])


def test_the_samples_are_all_here():
    assert len([case for case in cases() if case.id and case.id.startswith("notices-")]) == 200
