"""Rules of the hub on the page: shown first, saved by a button, paused and deleted like other tasks."""

from __future__ import annotations

import pytest
from tests.faces.web.browsing import Browser

from zhixing.app import build
from zhixing.faces.http import create_app
from zhixing.settings import HomeZone, ZoneSource
from zhixing.world.models.failures import ModelRefused, Why
from zhixing.world.models.scripted import ScriptedModel

TOKEN = "a-token-for-tests-0123456789"
WISH = "玄关有人就打开玄关灯，3分钟后关掉"
SAID = f"在网关上：{WISH}"
ANSWER = "/proposals/g1/answer"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def browser(stranger) -> Browser:
    browser = Browser(stranger)
    browser.log_in()
    return browser


def test_a_rule_is_shown_with_a_button_for_each_answer_and_saved_by_the_first(browser, client) -> None:
    page = browser.say(SAID)
    form = page.form(ANSWER, "shown")
    assert [(button["name"], button["value"]) for button in form.buttons] == [("value", value) for value in "ABC"]
    assert "打开玄关灯" in page.text("shown")
    page = browser.send(form, value="A")
    assert (browser.status, page.refused) == (200, "")
    assert "已保存到网关" in page.text("shown")
    assert WISH in page.text("rules")
    assert client.get("/api/v1/graphs")["count"] == 1


def test_one_question_has_a_button_for_each_device(browser) -> None:
    page = browser.say("规则图：单击床头无线开关打开主卧的灯")
    page = browser.send(page.form(ANSWER, "shown"), value="B")
    assert "打开主卧床头灯" in page.text("shown")


def test_it_stands_among_what_is_open_until_it_is_called_off(browser) -> None:
    browser.say(SAID)
    page = browser.open()
    assert WISH in page.text("talks")
    browser.send(page.form("/proposals/g1/cancel", "talks"))
    assert browser.open().text("talks") == ""


def test_a_second_click_is_told_that_it_is_saved(browser) -> None:
    form = browser.say(SAID).form(ANSWER, "shown")
    browser.send(form, value="A")
    page = browser.send(form, value="A")
    assert (browser.status, "已经保存过了" in page.refused) == (409, True)


def test_its_task_says_what_the_rule_is_and_is_paused_by_a_button(browser) -> None:
    browser.send(browser.say(SAID).form(ANSWER, "shown"), value="A")
    page = browser.open("/?task=t1")
    assert "虚拟网关" in page.text("shown")
    assert "控制设备" in page.text("shown")
    page = browser.send(page.form("/tasks/t1/pause", "shown"))
    assert "已暂停" in page.text("rules")
    browser.send(page.form("/tasks/t1/delete", "rules"))
    assert browser.open().text("rules") == ""


def test_what_waits_for_a_model_says_so_and_says_when_nothing_came_of_it(store, clock, connect) -> None:
    model = ScriptedModel(clock, [ModelRefused(Why.KEY)])
    app = build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {}, model=model)
    browser = Browser(connect(create_app(app, TOKEN), {}))
    browser.log_in()
    assert "正在请模型看" in browser.say("在网关上：家里要有家的样子").text("shown")
    app.engine.drain()
    page = browser.open("/?task=g1")
    assert "没有保存任何东西" in page.text("shown")
    assert page.text("talks") == ""


def test_its_task_has_a_page_that_leads_to_the_rule(browser) -> None:
    browser.send(browser.say(SAID).form(ANSWER, "shown"), value="A")
    page = browser.open("/tasks/t1")
    assert "控制设备" in page.text("made-of")
    assert 'href="/graphs/' in page.html
