"""Having a model read what waits for one, with the store closed and opened again at every step."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from tests.notices.conftest import planned

from zhixing.engine.model import JobState
from zhixing.notices.notice import NoticeState
from zhixing.world.models.failures import ModelRefused, ModelUnavailable, Why
from zhixing.world.models.scripted import ScriptedModel

REPLIES = {
    line["id"]: line["reply"]
    for line in map(
        json.loads, Path(__file__).with_name("cases").joinpath("replies.jsonl").read_text(encoding="utf-8").splitlines()
    )
}


@pytest.fixture
def model(house, clock) -> ScriptedModel:
    house.model = ScriptedModel(clock)
    return house.model


def test_a_waiting_notice_is_read_and_becomes_one_reminder(house, model):
    model.then(REPLIES["quote-05"])
    notice = house.say("老师说10月20日下午3点开会")
    assert notice.state is NoticeState.PENDING_AI
    house.let_pass(timedelta(seconds=1))
    assert planned(house.look(notice)) == [("10-20 14:30", "default_start_30")]
    assert house.look(notice).original.submitted_at == notice.original.submitted_at


@pytest.mark.usefixtures("model")
def test_it_is_kept_as_waiting_before_its_job_exists(house):
    """Document 004 §6: pending_ai is saved, then the job is registered; both in one transaction or none."""
    notice = house.say("老师说明天下午3点开会")
    app = house.app
    with app.store.read() as tx:
        job = app.engine.get(tx, f"read:{notice.task.id}:{notice.task.revision}")
    assert house.look(notice).state is NoticeState.PENDING_AI
    assert job.state is JobState.PENDING


def test_what_is_clear_or_asked_locally_asks_no_model(house, model):
    house.say("明天3点开会")
    house.say("明天下午3点开会")
    house.let_pass(timedelta(seconds=1))
    assert model.asked == []


def test_what_was_kept_without_a_model_is_read_once_there_is_one(house, clock):
    notice = house.say("老师说10月20日下午3点开会")
    house.let_pass(timedelta(days=1))
    house.model = ScriptedModel(clock, [REPLIES["quote-05"]])
    house.restart()
    house.app.recover()
    house.let_pass(timedelta(seconds=1))
    assert planned(house.look(notice)) == [("10-20 14:30", "default_start_30")]


def test_a_network_that_is_away_only_delays(house, model):
    model.then(ModelUnavailable(Why.UNREACHABLE), ModelUnavailable(Why.UNREACHABLE), REPLIES["quote-05"])
    notice = house.say("老师说10月20日下午3点开会")
    for _ in range(6):
        house.let_pass(timedelta(seconds=30))
    assert planned(house.look(notice)) == [("10-20 14:30", "default_start_30")]


def test_a_refusal_keeps_the_words_and_can_be_tried_again(house, model):
    model.then(ModelRefused(Why.KEY), REPLIES["quote-05"])
    notice = house.say("老师说10月20日下午3点开会")
    house.let_pass(timedelta(seconds=1))
    failed = house.look(notice)
    assert failed.state is NoticeState.RETRYABLE_FAILURE
    assert failed.reminders == ()
    assert failed.original.text == "老师说10月20日下午3点开会"
    house.app.notices.retry(notice.task.id, who="test")
    house.let_pass(timedelta(seconds=1))
    assert planned(house.look(notice)) == [("10-20 14:30", "default_start_30")]


def test_invented_evidence_creates_no_reminder(house, model):
    wrong = json.loads(json.dumps(REPLIES["quote-05"]))
    wrong["items"][0]["nodes"][0]["evidence"] = "10月20日下午3点在礼堂开会"
    model.then(wrong, wrong)
    notice = house.say("老师说10月20日下午3点开会")
    house.let_pass(timedelta(seconds=1))
    assert house.look(notice).state is NoticeState.RETRYABLE_FAILURE
    assert house.look(notice).reminders == ()


def test_a_question_after_the_model_is_answered_without_asking_it_again(house, model):
    model.then(REPLIES["quote-01"])
    notice = house.say("老师说明天下午3点交作业")
    house.let_pass(timedelta(seconds=1))
    asked = house.look(notice)
    assert asked.question.kind == "message_date"
    done = house.answer(asked, "2026-10-12", asked.question.revision)
    assert planned(done) == [("10-13 14:00", "deadline_1h")]
    assert len(model.asked) == 1


def test_of_several_matters_only_the_chosen_are_built(house, model):
    model.then(REPLIES["cx-01"])
    notice = house.say("明天下午3点开会，后天上午10点交报告")
    house.let_pass(timedelta(seconds=1))
    asked = house.look(notice)
    assert asked.question.kind == "item_selection"
    assert asked.reminders == ()
    chosen = house.answer(asked, "2")
    assert planned(chosen) == [("10-14 09:00", "deadline_1h")]
    assert len(house.tasks()) == 1


def test_every_chosen_matter_is_a_notice_of_its_own(house, model):
    model.then(REPLIES["cx-01"])
    notice = house.say("明天下午3点开会，后天上午10点交报告")
    house.let_pass(timedelta(seconds=1))
    first = house.answer(house.look(notice), "1、2")
    assert planned(first) == [("10-13 14:30", "default_start_30")]
    [beside] = [task for task in house.tasks() if task.id != first.task.id]
    second = house.app.notices.get(beside.id)
    assert planned(second) == [("10-14 09:00", "deadline_1h")]
    assert second.original.submitted_at == notice.original.submitted_at
    house.let_pass("2026-10-13T14:30:00+08:00")
    house.let_pass("2026-10-14T09:00:00+08:00")
    assert len(house.inbox()) == 2


def test_none_of_several_matters_builds_nothing(house, model):
    model.then(REPLIES["cx-01"])
    notice = house.say("明天下午3点开会，后天上午10点交报告")
    house.let_pass(timedelta(seconds=1))
    none = house.answer(house.look(notice), "都不要")
    assert none.state is NoticeState.NO_REMINDER
    assert none.reminders == ()


@pytest.mark.parametrize("operation", ["complete", "delete"])
def test_a_reply_that_comes_too_late_changes_nothing(house, model, operation):
    model.then(REPLIES["quote-05"])
    notice = house.say("老师说10月20日下午3点开会")
    house.change(notice, operation)
    house.let_pass(timedelta(seconds=1))
    assert house.look(notice).reminders == ()
    assert model.asked == []


def test_an_edit_while_waiting_is_what_counts(house, model):
    notice = house.say("老师说10月20日下午3点开会")
    edited = house.edit(notice, "10月21日上午9点体检")
    house.let_pass(timedelta(seconds=1))
    assert planned(house.look(edited)) == [("10-21 08:30", "default_start_30")]
    assert model.asked == []


def test_two_times_that_need_the_same_answer_are_asked_one_after_the_other(house, model):
    text = "老师说10月20日9点开始报名，10点截止"
    reply = json.loads(json.dumps(REPLIES["quote-05"]))
    item = reply["items"][0]
    item |= {"title": "报名", "action": "报名", "evidence": "10月20日9点开始报名"}
    item["nodes"] = [
        {**item["nodes"][0], "kind": "open", "expression": "10月20日9点", "evidence": "10月20日9点开始报名"},
        {**item["nodes"][0], "kind": "deadline", "expression": "10点", "evidence": "10点截止"},
    ]
    model.then(reply)
    notice = house.say(text)
    house.let_pass(timedelta(seconds=1))
    first = house.look(notice)
    second = house.answer(first, "上午", first.question.revision)
    assert second.question.prompt == "“10点”：是上午还是下午？"
    done = house.answer(second, "上午", second.question.revision)
    assert planned(done) == [("10-20 09:00", "open+deadline_1h")]
    assert house.why(done)[-1].startswith("将在 10月20日 周二 09:00 提醒")


def test_a_change_that_is_announced_later_leaves_the_earlier_item_alone(house, model):
    """Document 004 §4 leaves matching with earlier items open: nothing of an earlier item is changed on a guess."""
    earlier = house.say("10月14日下午3点开会")
    model.then(REPLIES["cx-17"])
    changed = house.say("原定10月14日下午3点的会议改到10月16日上午10点")
    house.let_pass(timedelta(seconds=1))
    assert planned(house.look(changed)) == [("10-16 09:30", "default_start_30")]
    assert planned(house.look(earlier)) == [("10-14 14:30", "default_start_30")]


def test_what_is_still_to_be_understood_after_a_question_goes_to_the_model(house, model):
    """Document 004 §2: what the user adds is rebuilt locally first; only what is beyond that is for the model."""
    asked = house.say("明天3点开会")
    assert model.asked == []
    model.then(REPLIES["quote-05"])
    supplemented = house.edit(asked, "老师说10月20日下午3点开会")
    assert supplemented.state is NoticeState.PENDING_AI
    house.let_pass(timedelta(seconds=1))
    assert planned(house.look(asked)) == [("10-20 14:30", "default_start_30")]
