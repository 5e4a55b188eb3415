"""What the JSON files say: the keys of the original program to the letter, and ours beside them (downcity.md §3.3)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from zhixing.delivery.model import MessageState
from zhixing.documents.artifacts.facts import (
    Course,
    Delivery,
    DeliveryState,
    Event,
    RunFacts,
    RunStatus,
    Told,
    Trigger,
    TriggerType,
)
from zhixing.documents.artifacts.records import MOST_MESSAGES, dialogue_json, progress_json, run_json
from zhixing.documents.performing import Execution, Exit, Outcome, Review, Round, Verdict

TEN = 1_791_770_400_000
"""10:00 in Shanghai on 12 October 2026, in milliseconds."""


def test_a_finished_run_has_every_key_of_the_original_and_ours(facts: RunFacts, done: Outcome) -> None:
    end = Exit(0, None, timed_out=False, sandbox="bwrap", stdout_bytes=10, stderr_bytes=2, dropped_bytes=0)
    ended = replace(facts, ended_at=facts.queued_at + timedelta(seconds=3))
    told = Told("m1", "家庭群", MessageState.SENT, at=facts.queued_at)
    delivery = Delivery(DeliveryState.SENT, (told,))
    written = json.loads(run_json(ended, RunStatus.SUCCESS, replace(done, exit=end), delivery))
    assert written == {
        "v": 1,
        "zhixing": 1,
        "taskId": "日报",
        "timestamp": "20261012-020000-000",
        "executionId": "20261012-020000-000",
        "sessionId": "家庭群",
        "title": "日报",
        "kind": "agent",
        "trigger": {
            "type": "cron",
            "due": TEN - 3_000,
            "dueIso": "2026-10-12T09:59:57.000+08:00",
            "lateSeconds": 3,
        },
        "status": "success",
        "executionStatus": "success",
        "resultStatus": "valid",
        "dialogueRounds": 2,
        "userSimulatorSatisfied": True,
        "userSimulatorReply": "可以",
        "userSimulatorReason": "齐全",
        "userSimulatorScore": 9,
        "attempt": 1,
        "zone": "Asia/Shanghai",
        "queuedAt": TEN - 1_000,
        "queuedAtIso": "2026-10-12T09:59:59.000+08:00",
        "startedAt": TEN,
        "startedAtIso": "2026-10-12T10:00:00.000+08:00",
        "endedAt": TEN + 2_000,
        "endedAtIso": "2026-10-12T10:00:02.000+08:00",
        "tokens": {"read": 1_200, "written": 300, "cached": 100},
        "steps": 7,
        "exit": {
            "code": 0,
            "signal": None,
            "timedOut": False,
            "sandbox": "bwrap",
            "stdoutBytes": 10,
            "stderrBytes": 2,
            "droppedBytes": 0,
        },
        "delivery": {
            "state": "sent",
            "messages": [
                {
                    "id": "m1",
                    "sessionId": "家庭群",
                    "state": "sent",
                    "at": TEN - 1_000,
                    "atIso": "2026-10-12T09:59:59.000+08:00",
                }
            ],
        },
    }


def test_a_run_under_way_claims_no_outcome(facts: RunFacts) -> None:
    written = json.loads(run_json(facts, RunStatus.RUNNING, None, Delivery()))
    assert written["status"] == "running"
    assert written["resultStatus"] == "not_checked"
    assert {"executionStatus", "endedAt", "endedAtIso", "error", "exit", "tokens"}.isdisjoint(written)


@pytest.mark.parametrize("status", RunStatus)
def test_every_status_is_written_as_its_word(facts: RunFacts, status: RunStatus) -> None:
    assert json.loads(run_json(facts, status, None, Delivery()))["status"] == status.value


def test_errors_and_replies_are_cut_where_the_original_cuts_them(facts: RunFacts) -> None:
    review = Review(satisfied=False, reply="长" * 9_000, reason="长" * 9_000, score=None, raw="")
    outcome = Outcome(
        Execution.FAILURE,
        Verdict.INVALID,
        error="错" * 9_000,
        errors=("误" * 9_000,) * 90,
        rounds=(Round(1, "", "", review=review),),
    )
    written = json.loads(run_json(facts, RunStatus.FAILURE, outcome, Delivery()))
    assert written["error"] == "错" * 797 + "..."
    assert len(written["resultErrors"]) == 50
    assert {len(error) for error in written["resultErrors"]} == {800}
    assert len(written["userSimulatorReply"]) == len(written["userSimulatorReason"]) == 2_000


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -1.0, 10.5, None])
def test_a_score_that_is_none_is_left_out_and_the_file_stays_json(facts: RunFacts, score: float | None) -> None:
    review = Review(satisfied=True, reply="", reason="", score=score, raw="")
    outcome = Outcome(Execution.SUCCESS, Verdict.VALID, "好", rounds=(Round(1, "", "好", review=review),))
    assert "userSimulatorScore" not in json.loads(run_json(facts, RunStatus.SUCCESS, outcome, Delivery()))
    assert "score" not in json.loads(dialogue_json(facts, outcome.rounds))["rounds"][0]["userSimulator"]


def test_what_was_not_delivered_says_why(facts: RunFacts) -> None:
    told = Told("m1", "别的群", MessageState.FAILED, reason="连不上接收方")
    delivery = Delivery(DeliveryState.FAILED, (told,) * 500, why="没有送达")
    block = json.loads(run_json(facts, RunStatus.FAILURE, None, delivery))["delivery"]
    assert block["state"] == "failed"
    assert block["why"] == "没有送达"
    assert block["messages"][0] == {"id": "m1", "sessionId": "别的群", "state": "failed", "reason": "连不上接收方"}
    assert len(block["messages"]) == MOST_MESSAGES


def test_a_reason_for_a_run_by_hand_is_kept(facts: RunFacts) -> None:
    by_hand = replace(facts, trigger=Trigger(TriggerType.MANUAL, reason="试一次"))
    assert json.loads(run_json(by_hand, RunStatus.RUNNING, None, Delivery()))["trigger"] == {
        "type": "manual",
        "reason": "试一次",
    }


def course_of(facts: RunFacts, count: int, status: RunStatus = RunStatus.RUNNING) -> Course:
    events = tuple(
        Event(facts.queued_at + timedelta(seconds=number), "agent_executor_round", f"第 {number} 行", 2)
        for number in range(count)
    )
    return Course(status, events)


def test_progress_tells_its_last_line_and_the_forty_before(facts: RunFacts) -> None:
    written: dict[str, Any] = json.loads(progress_json(facts, course_of(facts, 50)))
    assert (written["phase"], written["message"]) == ("agent_executor_round", "第 49 行")
    assert (written["round"], written["maxRounds"]) == (2, 3)
    assert written["updatedAt"] == TEN + 48_000
    assert written["status"] == "running"
    assert [event["message"] for event in written["events"]] == [f"第 {number} 行" for number in range(10, 50)]
    assert written["events"][0] == {
        "at": TEN + 9_000,
        "atIso": "2026-10-12T10:00:09.000+08:00",
        "phase": "agent_executor_round",
        "message": "第 10 行",
        "round": 2,
        "maxRounds": 3,
    }
    assert {"v", "taskId", "timestamp", "trigger", "kind", "startedAt", "startedAtIso"} <= set(written)
    assert {"endedAt", "runStatus", "executionStatus", "resultStatus"}.isdisjoint(written)


def test_progress_of_an_ended_run_says_how(facts: RunFacts, done: Outcome) -> None:
    ended = replace(facts, ended_at=facts.queued_at)
    written = json.loads(progress_json(ended, course_of(facts, 1, RunStatus.CANCELLED), done))
    assert (written["status"], written["runStatus"]) == ("cancelled", "cancelled")
    assert (written["executionStatus"], written["resultStatus"]) == ("success", "valid")
    assert written["endedAt"] == TEN - 1_000


def test_the_dialogue_has_every_key_of_the_original(facts: RunFacts, done: Outcome) -> None:
    written = json.loads(dialogue_json(facts, done.rounds))
    assert (written["v"], written["maxDialogueRounds"]) == (1, 3)
    assert written["rounds"][0] == {
        "reviewEnabled": True,
        "round": 1,
        "executorQuery": "写日报",
        "executorOutput": "好",
        "executorDelivered": False,
        "validationResultStatus": "invalid",
        "ruleErrors": ["太短"],
        "userSimulatorQuery": "看看",
        "userSimulatorOutput": '{"satisfied": false}',
        "userSimulator": {
            "satisfied": False,
            "reply": "太短",
            "reason": "缺少昨天",
            "raw": '{"satisfied": false}',
            "score": 4.5,
        },
        "feedbackForNextRound": "补上昨天",
    }
    assert written["rounds"][1]["validationResultStatus"] == "valid"


def test_a_round_nobody_reviewed_has_an_empty_review(facts: RunFacts) -> None:
    (written,) = json.loads(dialogue_json(replace(facts, review=False), (Round(1, "写", ""),)))["rounds"]
    assert written["userSimulator"] == {"satisfied": False, "reply": "", "reason": "", "raw": ""}
    assert written["validationResultStatus"] == "not_checked"
    assert {"userSimulatorQuery", "userSimulatorOutput", "feedbackForNextRound"}.isdisjoint(written)
