"""Whatever is said, the answer is a decision that can be built, or none."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.household.assembling.saying import ALONE, BABY, CASES, FAMILY, FLAT, LARGE, NOW, OLD, TASKS, decided

SAID = [json.loads(line)["text"] for line in (CASES / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
PIECES = sorted({text[at : at + 4] for text in SAID for at in range(0, len(text), 4)})
HOMES = st.sampled_from([FAMILY, BABY, OLD, LARGE, ALONE, FLAT])
MIXED = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
CUT = st.tuples(st.sampled_from(SAID), st.integers(0, 12), st.integers(0, 12)).map(
    lambda cut: cut[0][cut[1] : -cut[2] or None]
)
JOINED = st.lists(st.sampled_from(SAID), min_size=2, max_size=3).map(" ".join)
ASKED = {
    "channel", "trigger_frequency", "viewpoint", "person", "camera", "camera_name", "duplicate", "paused", "device",
    "expiry", "time",
}  # fmt: skip


def check(text: str, home: str) -> None:
    found = decided(text, home, tasks=TASKS)
    assert json.loads(json.dumps(found)) == found
    assert found["outcome"] in ("planned", "asked", "needs_model", "rejected")
    assert set(found["questions"]) <= ASKED
    assert (found["outcome"] == "asked") == bool(found["questions"])
    if found["outcome"] in ("needs_model", "rejected") or found["op"] != "create":
        assert found["tasks"] == []
    for task in found["tasks"]:
        check_task(task, found["questions"])


def check_task(task: dict, questions: list[str]) -> None:
    assert task["rule"] or task["schedule"]
    assert task["rule"] or task["record"] is None  # H-REC-09
    alone = bool(set(questions) & {"camera", "duplicate", "paused"})  # the others are asked after it
    assert (task["mode"] is None) <= (not task["rule"] or alone or "trigger_frequency" in questions)
    assert task["mode"] == "state" or (task["exit_debounce_seconds"], task["on_exit"]) == (None, "none")
    assert task["duration_seconds"] is None or 0 <= task["duration_seconds"] <= 86_400
    assert (task["subject"] == "ask") <= (alone or "person" in questions)
    assert (task["channel"] == "ask") <= (alone or "channel" in questions)
    if task["expires_at"]:
        assert task["lifecycle"] == "temporary"
        assert datetime.fromisoformat(task["expires_at"]) > datetime.fromisoformat(NOW)
    schedule = task["schedule"] or {}
    if schedule.get("expr"):
        next(CronSim(schedule["expr"], datetime.fromisoformat(NOW)))
    if schedule.get("at"):
        assert datetime.fromisoformat(schedule["at"]) >= datetime.fromisoformat(NOW)
    assert schedule.get("every_ms") is None or schedule["every_ms"] >= 1000


@settings(max_examples=150, deadline=None)
@given(MIXED, HOMES)
def test_pieces_of_requests(text, home) -> None:
    check(text, home)


@settings(max_examples=150, deadline=None)
@given(CUT, HOMES)
def test_requests_that_were_cut(text, home) -> None:
    check(text, home)


@settings(max_examples=100, deadline=None)
@given(JOINED, HOMES)
def test_requests_in_one_breath(text, home) -> None:
    check(text, home)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_anything_at_all(text) -> None:
    check(text, FAMILY)


@pytest.mark.parametrize(
    "word", ["就", "再既", "人走了就", "1", "每天", "做完", "到了 ", "或者", "。", "，另外", "把客厅灯", "推"]
)
def test_a_word_that_is_said_over_and_over_ends(word) -> None:
    """The grammar looks at most a few words back and ahead: a message of 500 characters cannot keep it busy."""
    check((word * 500)[:500], FAMILY)
