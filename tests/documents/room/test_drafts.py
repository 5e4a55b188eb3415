"""Talking about a document task before it is saved, with and without a model, over both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.documents.drafted import DraftState
from zhixing.documents.drafting import changing
from zhixing.documents.model import Kind, Standing
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.notices.model import Source, Submission
from zhixing.say import say
from zhixing.world.models.failures import ModelUnavailable, Why
from zhixing.world.models.scripted import FunctionModel, ScriptedModel

DAILY = "工作日早上8点给我写一份日报"
SCRIPT = "每天晚上10点运行 `df -h`"
PERHAPS = "明天下午写报告"
RICHER = {
    "goal": "交付一份三节的日报，面向团队负责人。",
    "inputs": ["来源：项目文件夹里的 notes.md。"],
    "steps": ["读 notes.md 里当天的条目。", "归成三节，每节至多五项。", "写出成品正文并核对字数。"],
    "output": ["三节：今日完成、问题与风险、明日计划。"],
    "cautions": ["没有资料的一节写「无」。"],
}


def test_nothing_is_saved_before_it_was_shown_and_answered(house):
    view = house.app.drafts.say(DAILY, who="test")
    assert view.row.state is DraftState.SHOWN
    assert any("每周一至周五 08:00" in line for line in view.lines)
    assert any("最后一条 assistant 返回" in line for line in view.lines)
    assert house.app.documents.tasks_of(house.project) == []
    saved = house.app.drafts.answer(view.row.id, "A", who="test")
    assert saved.row.state is DraftState.SAVED
    definition = saved.task.definition
    assert (definition.kind, definition.status) == (Kind.AGENT, Standing.ENABLED)
    assert house.app.documents.validate(house.app.documents.text(saved.task)) == []
    assert [at.strftime("%H:%M %a") for at in saved.task.next_runs] == ["08:00 Tue", "08:00 Wed", "08:00 Thu"]


def test_where_no_model_is_set_it_is_said_before_anything_is_saved(furnished):
    house = furnished(model=None)
    draft_id = house.app.drafts.say(DAILY, who="test").row.id
    for view in (house.app.drafts.show(draft_id), *house.app.drafts.page()):
        assert [line for line in view.lines if "没有设置模型" in line and line.startswith("注意：")]
    script = house.app.drafts.answer(draft_id, "用脚本 `df -h`", who="test")
    assert not any("没有设置模型" in line for line in script.lines)


@pytest.mark.parametrize("able", [{"model": ScriptedModel([])}, {"agent_command": "agent --once"}])
def test_where_an_agent_can_work_nothing_is_said_of_a_model(furnished, able):
    house = furnished(**able)
    assert not any("没有设置模型" in line for line in house.app.drafts.say(DAILY, who="test").lines)


def test_answers_change_it_and_b_saves_it_paused(house):
    draft_id = house.app.drafts.say(DAILY, who="test").row.id
    changed = house.app.drafts.answer(draft_id, "改成9点，标题叫晨间日报", who="test")
    assert changed.row.revision == 2
    assert changed.draft.definition.title == "晨间日报"
    saved = house.app.drafts.answer(draft_id, "B", who="test")
    assert saved.task.definition.status is Standing.PAUSED
    assert saved.task.title == "晨间日报"


def test_what_is_not_understood_changes_nothing_and_is_said(house):
    first = house.app.drafts.say(DAILY, who="test")
    again = house.app.drafts.answer(first.row.id, "唔嘛唔嘛", who="test")
    assert "唔嘛唔嘛" in again.lines[0]
    assert again.row.revision == first.row.revision
    assert again.draft.definition == first.draft.definition


def test_a_draft_stands_after_a_restart_and_the_same_key_begins_no_second_one(house):
    first = house.app.drafts.say(DAILY, who="test", key="k1")
    house.restart()
    again = house.app.drafts.say(DAILY, who="test", key="k1")
    assert again.row.id == first.row.id
    assert again.lines == first.lines
    assert house.app.drafts.answer(again.row.id, "保存", who="test").row.state is DraftState.SAVED


def test_what_is_settled_cannot_be_answered_again(house):
    draft_id = house.app.drafts.say(DAILY, who="test").row.id
    assert house.app.drafts.answer(draft_id, "C", who="test").row.state is DraftState.DROPPED
    with pytest.raises(Conflict, match="已经不要了"):
        house.app.drafts.answer(draft_id, "A", who="test")
    with pytest.raises(Conflict):
        house.app.drafts.cancel(draft_id)
    with pytest.raises(NotFound, match="没有编号为「d99」的草稿"):
        house.app.drafts.show("d99")
    assert house.app.documents.tasks_of(house.project) == []


def test_what_was_saved_meanwhile_is_not_dropped(house, monkeypatch):
    draft_id = house.app.drafts.say(DAILY, who="test").row.id
    read = changing.answered

    def while_another_one_saves(shown, words, **rest):
        if words == "C":
            house.app.drafts.answer(draft_id, "A", who="another")
        return read(shown, words, **rest)

    monkeypatch.setattr(changing, "answered", while_another_one_saves)
    with pytest.raises(Conflict, match="已经保存"):
        house.app.drafts.answer(draft_id, "C", who="test")
    assert house.app.drafts.show(draft_id).row.state is DraftState.SAVED


def test_an_answer_to_an_older_revision_changes_nothing(house):
    draft_id = house.app.drafts.say(DAILY, who="test").row.id
    house.app.drafts.answer(draft_id, "改成9点", who="test")
    with pytest.raises(Conflict, match="刚刚变了"):
        house.app.drafts.answer(draft_id, "A", who="test", revision=1)


def test_a_command_that_was_said_becomes_a_script(house):
    draft_id = house.app.drafts.say(SCRIPT, who="test").row.id
    saved = house.app.drafts.answer(draft_id, "A", who="test")
    assert saved.task.definition.kind is Kind.SCRIPT
    assert "df -h" in saved.task.definition.body
    house.run(timedelta(days=1))
    assert [run.state.value for run in house.app.documents.runs(task_id=saved.task.task_id)] == ["success"]


def test_a_model_makes_the_body_richer_and_nobody_saves_what_he_has_not_seen(furnished, clock):
    house = furnished(model=ScriptedModel(clock, [RICHER]))
    first = house.app.drafts.say(DAILY, who="test")
    house.run()
    held = house.app.drafts.answer(first.row.id, "A", who="test")
    assert held.row.state is DraftState.SHOWN
    assert "由模型补充过" in held.lines[0]
    assert "notes.md" in held.draft.definition.body
    saved = house.app.drafts.answer(first.row.id, "A", who="test")
    assert "归成三节，每节至多五项。" in saved.task.definition.body


def test_a_reply_that_comes_after_the_answer_changes_nothing(furnished, clock):
    house = furnished(model=ScriptedModel(clock, [RICHER]))
    first = house.app.drafts.say(DAILY, who="test")
    saved = house.app.drafts.answer(first.row.id, "A", who="test")
    house.run()
    assert "归成三节" not in house.app.documents.text(saved.task)


def test_a_sentence_that_is_not_certain_is_read_by_a_model_which_may_be_away(furnished, clock):
    reply = {"is_document": True, "product": "报告", "entry": "report", "when": "明天下午", "subject": None}
    away = ModelUnavailable(Why.BUSY)
    house = furnished(model=ScriptedModel(clock, [away, reply, RICHER]))
    view = house.app.drafts.say(PERHAPS, who="test")
    assert view.row.state is DraftState.PENDING_AI
    house.run()
    house.run(timedelta(minutes=11))
    shown = house.app.drafts.show(view.row.id)
    assert shown.row.state is DraftState.SHOWN
    assert shown.draft.definition.when.at.at > clock.now()


def test_a_sentence_of_which_a_model_says_that_it_asks_for_nothing_becomes_a_reminder(furnished, clock):
    reply = {"is_document": False, "product": None, "entry": "report", "when": None, "subject": None}
    house = furnished(model=ScriptedModel(clock, [reply]))
    view = house.app.drafts.say(PERHAPS, who="test")
    house.run()
    declined = house.app.drafts.show(view.row.id)
    assert declined.row.state is DraftState.DECLINED
    assert house.app.notices.get(declined.row.note).current.text == PERHAPS
    house.restart()
    house.run()
    assert house.app.drafts.show(view.row.id).row.note == declined.row.note


def test_a_sentence_that_is_dropped_while_a_model_reads_it_becomes_nothing(furnished, clock):
    def dropped(_prompt):
        house.app.drafts.cancel("d1")
        return {"is_document": False, "product": None, "entry": "report", "when": None, "subject": None}

    house = furnished(model=FunctionModel(dropped, clock))
    house.app.drafts.say(PERHAPS, who="test")
    house.run()
    assert house.app.drafts.show("d1").row.state is DraftState.DROPPED
    assert house.app.notices.find_by_key("draft:d1") is None


def test_a_title_that_is_taken_is_asked_to_be_changed(house):
    for _ in range(2):
        house.app.drafts.say(DAILY, who="test")
    house.app.drafts.answer("d1", "标题叫日报", who="test")
    house.app.drafts.answer("d2", "标题叫日报", who="test")
    assert house.app.drafts.answer("d1", "A", who="test").row.state is DraftState.SAVED
    refused = house.app.drafts.answer("d2", "A", who="test")
    assert refused.row.state is DraftState.SHOWN
    assert "已经有叫「日报」的任务" in refused.lines[0]


@pytest.mark.parametrize("text", ["", "   ", "客厅没人就关灯", "明晚九点提醒我交表", "你好"])
def test_what_asks_for_nothing_to_be_made_is_no_draft(house, text):
    with pytest.raises(BadInput, match="看不出"):
        house.app.drafts.say(text, who="test")


def test_what_no_database_keeps_is_refused(house):
    draft_id = house.app.drafts.say(DAILY, who="test").row.id
    for say_it in (
        lambda: house.app.drafts.say(f"{DAILY}\x00", who="test"),
        lambda: house.app.drafts.answer(draft_id, "加上天\x00气", who="test"),
        lambda: house.app.documents.chats.send("home", "天\x00气", who="test"),
    ):
        with pytest.raises(BadInput, match="NUL"):
            say_it()
    with pytest.raises(BadInput, match="会话"):
        house.app.documents.chats.unbind("tg\x00")


@pytest.mark.parametrize("key", ["", "k" * 300])
def test_a_key_has_bounds(house, key):
    with pytest.raises(BadInput, match="幂等键"):
        house.app.drafts.say(DAILY, who="test", key=key)


@pytest.mark.parametrize(
    ("text", "way"),
    [
        (DAILY, "document"),
        (SCRIPT, "document"),
        ("每周五下午五点整理一份本周的新闻摘要", "document"),
        ("明晚九点提醒我交表", "notice"),
        ("提醒我每周五写周报", "notice"),
        (PERHAPS, "notice"),
        ("客厅没人就关灯", "household"),
        ("每天喝8杯水", "household"),
    ],
)
def test_a_sentence_goes_its_way(house, text, way):
    said = say(
        house.app.ways,
        Submission(text, Source.DIRECT, house.clock.now(), "Asia/Shanghai"),
        who="test",
    )
    kind = {"DraftView": "document", "Talk": "household", "Notice": "notice"}[type(said).__name__]
    assert kind == way


def test_what_is_pasted_is_never_a_draft(house):
    pasted = Submission(DAILY, Source.PASTE, house.clock.now(), "Asia/Shanghai")
    assert type(say(house.app.ways, pasted, who="test")).__name__ == "Notice"
