"""Talking about a goal over HTTP and on the page: cards, answers, buttons."""

from __future__ import annotations

import pytest
from tests.faces.web.browsing import Browser

from zhixing.faces.http.api.goal_talks import GoalTalk

WHOLE = "/task 修复 PR #1243 的命名问题，交付物：代码 PR，验收标准：CI 通过，约束：不动接口逻辑"
TWO = "/task 修复登录页的空指针。另外给产品写一份竞品分析报告"
PANEL = '<AixUI type="panel" component="taskPanel.TaskLoopView"></AixUI>'
TALKS = "/api/v1/goals/talks"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def browser(stranger) -> Browser:
    browser = Browser(stranger)
    browser.log_in()
    return browser


def test_a_talk_is_said_answered_and_executed_once(client):
    said = client.say(WHOLE)
    GoalTalk.model_validate(said)
    assert (said["id"], said["way"], said["card"]["type"]) == ("q1", "goal", "task_ready")
    changed = client.post(f"{TALKS}/q1/answer", {"value": "约束改成今天内完成", "revision": 1})
    assert changed["card"]["task"]["constraints"] == ["今天内完成"]
    assert client("POST", f"{TALKS}/q1/execute", json={"revision": 1}).status_code == 409
    done = client.post(f"{TALKS}/q1/execute", {"revision": 2})
    assert client.post(f"{TALKS}/q1/execute") == done
    assert (done["state"], done["card"], done["cardText"]) == ("executed", None, None)
    assert client("DELETE", f"{TALKS}/q1").status_code == 409


def test_drafts_are_saved_resumed_discarded_and_listed(client):
    client.say(WHOLE)
    assert client.post(f"{TALKS}/q1/save")["state"] == "saved"
    assert client.post(f"{TALKS}/Q1/resume")["state"] == "open"
    assert client("DELETE", f"{TALKS}/q1").json()["state"] == "discarded"
    client.say(TWO)
    shown = client.post(f"{TALKS}/q2/answer", {"value": "1"})
    assert [each["state"] for each in shown["others"]] == ["queued"]
    assert [each["id"] for each in client.get(TALKS, params={"state": ["open", "queued"]})["talks"]] == ["q3", "q2"]
    assert client.get(f"{TALKS}/q3")["text"] == "给产品写一份竞品分析报告"


def test_the_tag_of_the_panel_is_met_with_silence(client):
    assert client.say(PANEL) == {"way": "goal", "silent": True, "lines": []}
    assert client.say(PANEL, source="paste")["silent"] is True
    assert client.get("/api/v1/tasks")["tasks"] == []


@pytest.mark.parametrize("talk", ["q9", "t1", "x"])
@pytest.mark.parametrize("act", ["", "/answer", "/execute", "/save", "/resume"])
def test_what_is_no_talk_is_not_found(client, talk, act):
    body = {"json": {"value": "执行"}} if act == "/answer" else {}
    assert client("POST" if act else "GET", f"{TALKS}/{talk}{act}", **body).status_code == 404


def test_a_whole_draft_has_a_button_for_each_action_on_the_page(browser):
    page = browser.say(WHOLE)
    form = page.form("/goal-talks/q1/answer", "shown")
    assert [button["value"] for button in form.buttons] == ["A", "B", "C"]
    assert "目标：修复 PR #1243 的命名问题" in page.text("shown")
    page = browser.send(form, value="A")
    assert (browser.status, page.refused) == (200, "")
    assert "开始执行" in page.text("shown")


def test_a_task_is_chosen_on_the_page_and_the_other_one_stands_among_what_is_open(browser):
    page = browser.say(TWO)
    page = browser.send(page.form("/goal-talks/q1/answer", "shown"), value="B")
    assert "给产品写一份竞品分析报告" in page.text("shown")
    page = browser.open()
    assert "修复登录页的空指针" in page.text("talks")
    browser.send(page.form("/goal-talks/q2/cancel", "talks"))
    browser.send(browser.open().form("/goal-talks/q1/cancel", "talks"))
    assert browser.open().text("talks") == ""


def test_the_tag_of_the_panel_leaves_the_page_as_it_was(browser):
    page = browser.say(PANEL)
    assert (browser.status, page.refused, page.text("talks")) == (200, "", "")
