"""T30-T33: what somebody is told, once, and what stands where he is not told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.documents.run import RunState
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.world.channels.port import NotSent, Reason, Refused, Unknown
from zhixing.world.models.failures import ModelUnavailable, Why
from zhixing.world.models.scripted import FunctionModel
from zhixing.world.sandbox.port import Ended
from zhixing.world.sandbox.scripted import ending, printing

TO_NINE = timedelta(hours=23)
DAY = timedelta(days=1)


def test_t30_a_message_of_unknown_fate_is_not_sent_again(house):
    house.create("task", "0 9 * * *")
    house.phone.then(Unknown(Reason("no_answer")))
    house.run(TO_NINE)
    house.restart()
    house.run(timedelta(hours=5))
    assert len(house.phone.sent) == 1
    assert house.record(house.only("task"))["delivery"]["state"] == "unknown"
    assert house.states("task") == [RunState.SUCCESS]


def test_t31_a_chat_that_is_away_gets_it_later(house):
    house.create("task", "0 9 * * *")
    house.phone.then(*[NotSent(Reason("unreachable"))] * 3)
    house.run(TO_NINE)
    assert house.told == []
    assert house.record(house.only("task"))["delivery"]["state"] == "pending"
    house.minute_by_minute("2026-10-13T09:30:00+08:00")
    assert house.told == ["好了"]
    assert house.record(house.only("task"))["delivery"]["state"] == "sent"


def test_t31_a_message_nobody_took_is_seen_in_the_run(house):
    house.create("task", "0 9 * * *")
    house.phone.then(Refused(Reason("refused", "410")))
    house.run(TO_NINE)
    assert house.record(house.only("task"))["delivery"]["state"] == "failed"
    assert "好了" in [message.text for message in house.inbox()]
    assert house.states("task") == [RunState.SUCCESS]


def agent(furnished, clock, answer):
    house = furnished(clock=clock, model=FunctionModel(answer, clock))
    house.create("task", "0 9 * * *", "写一句话", kind="agent")
    return house


@pytest.mark.parametrize("failure", [ModelUnavailable(Why.UNREACHABLE), ""])
def test_t32_a_model_that_fails_or_says_nothing_is_a_failure_that_is_told(furnished, failure):
    def answer(_prompt):
        return failure

    house = agent(furnished, ManualClock(parse_instant("2026-10-12T10:00:00+08:00")), answer)
    house.run(TO_NINE)
    assert house.states("task") == [RunState.FAILURE]
    assert house.record(house.only("task"))["executionStatus"] == "failure"
    assert len(house.told) == 1
    assert "失败" in house.told[0]


def test_t32_without_a_model_an_agent_task_says_so(house):
    house.create("task", "0 9 * * *", "写一句话", kind="agent")
    house.run(TO_NINE)
    assert house.states("task") == [RunState.FAILURE]
    assert "模型" in house.told[0]


def test_t33_nothing_printed_is_a_success_that_says_so(house):
    house.create("task", "0 9 * * *")
    house.answer = printing(b"\n \n", b"noise")
    house.run(TO_NINE)
    assert house.states("task") == [RunState.SUCCESS]
    assert len(house.told) == 1
    assert "没有输出" in house.told[0]
    assert "noise" not in house.told[0]


@pytest.mark.parametrize(("deliver", "ok", "failed"), [("auto", 1, 1), ("none", 0, 0), ("on-failure", 0, 1)])
def test_t33_who_wants_silence_has_it_and_a_failure_alerts(house, deliver, ok, failed):
    house.create("task", "0 9 * * *", deliver=deliver)
    house.run(TO_NINE)
    assert len(house.told) == ok
    house.answer = printing(b"half", b"broken", code=4)
    house.run(DAY)
    assert len(house.told) == ok + failed
    assert house.states("task") == [RunState.SUCCESS, RunState.FAILURE]
    assert house.record(house.runs("task")[1])["exit"]["code"] == 4
    if failed:
        assert "4" in house.told[-1]
        assert "broken" in house.told[-1]


def test_a_script_that_took_too_long_says_so(house):
    house.create("task", "0 9 * * *", timeout="30s")
    house.answer = ending(Ended.TIMED_OUT, b"half")
    house.run(TO_NINE)
    assert house.states("task") == [RunState.FAILURE]
    assert house.record(house.only("task"))["exit"]["timedOut"] is True
    assert "30" in house.told[0]


def test_a_secret_is_in_no_file_and_no_message(furnished):
    house = furnished(environment={"API_TOKEN": "s3cr3t-value", "ZHIXING_TOKEN": "ours-ours"}, secrets=("ours-ours",))
    house.create("task", "0 9 * * *", env="API_TOKEN, ZHIXING_TOKEN")
    seen = []

    def answer(command):
        seen.append(dict(command.env))
        return printing(b"value s3cr3t-value and ours-ours")(command)

    house.answer = answer
    house.run(TO_NINE)
    assert seen[0]["API_TOKEN"] == "s3cr3t-value"
    assert "ZHIXING_TOKEN" not in seen[0]
    folder = house.folder(house.only("task"))
    for text in (*house.told, *(each.read_text() for each in folder.iterdir())):
        assert "s3cr3t-value" not in text
        assert "ours-ours" not in text


def test_a_long_result_is_cut_in_the_message_and_whole_in_its_file(house):
    house.create("task", "0 9 * * *")
    house.answer = printing("长".encode() * 60_000)
    house.run(TO_NINE)
    assert len(house.told[0]) <= 20_000
    assert "output.md" in house.told[0]
    assert (house.folder(house.only("task")) / "output.md").read_text().count("长") == 60_000


def test_a_run_by_hand_may_have_its_result_sent_elsewhere(house):
    house.create("task", "@manual")
    house.by_hand("task", session_id="family")
    house.run()
    assert house.told == []
    assert [letter.text for letter in house.family.arrived] == ["好了"]


def test_deleting_a_task_takes_back_what_was_not_sent(house):
    house.create("task", "0 9 * * *")
    house.phone.then(NotSent(Reason("unreachable")))
    house.run(TO_NINE)
    house.app.documents.delete(house.project, "task", who="test")
    house.run(timedelta(hours=1))
    assert house.told == []


def test_what_a_one_shot_brought_is_sent_though_its_task_is_paused_by_then(house):
    house.create("task", "time:2026-10-12T11:00:00+08:00")
    house.phone.then(NotSent(Reason("unreachable")))
    house.run(timedelta(hours=1))
    house.run(timedelta(minutes=5))
    assert house.told == ["好了"]
