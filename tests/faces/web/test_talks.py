"""Talking about the home on the page: buttons where one thing is asked, words where several are."""

from __future__ import annotations

import pytest
from tests.faces.web.browsing import Browser
from tests.household.modelling.cases import DOODLE, tells

from zhixing.app import build
from zhixing.faces.http import create_app
from zhixing.settings import HomeZone, ZoneSource
from zhixing.world.models.failures import ModelRefused, Why
from zhixing.world.models.scripted import ScriptedModel

TOKEN = "a-token-for-tests-0123456789"
SITTING = "久坐30分钟提醒一下"
DOODLES = "小宝在墙上乱画就提醒我"
REPLY = tells(DOODLES, {**DOODLE, "quote": "小宝在墙上乱画", "subject": {"how": "given", "names": ["小宝"]}})
ANSWER = "/talks/s1/answer"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def browser(stranger) -> Browser:
    browser = Browser(stranger)
    browser.log_in()
    return browser


def test_a_sentence_that_is_done_is_told(browser) -> None:
    page = browser.say("客厅没人就关灯")
    assert browser.status == 200
    assert "已处理" in page.text("shown")
    assert "living_room_off" in page.text("shown")
    assert "客厅没人就关灯" in page.text("household")


def test_one_question_is_answered_by_a_button(browser) -> None:
    page = browser.say(SITTING)
    form = page.form(ANSWER, "shown")
    assert [(button["name"], button["value"]) for button in form.buttons] == [("value", value) for value in "ABC"]
    assert "用哪种方式通知" in page.text("shown")
    page = browser.send(form, value="B")
    assert (browser.status, page.refused) == (200, "")
    assert "手机推送" in page.text("shown")


def test_the_question_stands_among_what_is_open_until_it_is_answered(browser) -> None:
    browser.say(SITTING)
    page = browser.open()
    assert SITTING in page.text("talks")
    browser.send(page.form(ANSWER, "talks"), value="A")
    assert browser.open().text("talks") == ""


def test_it_is_answered_in_words_and_words_that_say_nothing_keep_it_open(browser) -> None:
    browser.say(SITTING)
    form = [form for form in browser.page.forms if form.action == ANSWER][-1]
    page = browser.send(form, value="随便")
    assert browser.status == 400
    assert "用哪种方式通知" in page.refused
    page = browser.send([form for form in page.forms if form.action == ANSWER][-1], value="手机")
    assert "已处理" in page.text("shown")


def test_a_second_click_is_told_that_the_question_is_closed(browser) -> None:
    form = browser.say(SITTING).form(ANSWER, "shown")
    browser.send(form, value="A")
    page = browser.send(form, value="B")
    assert browser.status == 409
    assert "已经过期" in page.refused


def test_several_questions_have_no_buttons_and_are_answered_in_words(browser) -> None:
    page = browser.say("门口有陌生人就告诉我")
    text = page.text("shown")
    assert "还有 2 件事要确认" in text
    assert "多久算一次" in text
    assert "用哪种方式通知" in text
    (form,) = [form for form in page.forms if form.action == ANSWER and form.section == "shown"]
    assert [button for button in form.buttons if "value" in button] == []
    page = browser.send(form, value="A")
    assert "用哪种方式通知" in page.text("shown")
    assert "多久算一次" not in page.text("shown")
    page = browser.send(page.form(ANSWER, "shown"), value="手机")
    assert "已处理" in page.text("shown")


def test_both_are_answered_at_once(browser) -> None:
    page = browser.say("门口有陌生人就告诉我")
    page = browser.send(page.form(ANSWER, "shown"), value="1A 2B")
    assert "已处理" in page.text("shown")


def test_it_is_called_off(browser) -> None:
    page = browser.send(browser.say(SITTING).form("/talks/s1/cancel", "shown"))
    assert "已取消" in page.text("shown")
    assert page.text("household") == ""


def test_the_same_form_sent_twice_is_one_sentence(browser) -> None:
    form = browser.page.form("/say")
    browser.send(form, text="客厅没人就关灯")
    browser.send(form, text="客厅没人就关灯")
    assert browser.page.text("household").startswith("家庭任务 1")


def test_what_nobody_said_is_told_beside_the_rest_of_the_page(browser) -> None:
    for talk in ("s9", "s" + "9" * 40, "s٣"):
        page = browser.open(f"/?task={talk}")
        assert browser.status == 404
        assert page.refused


def test_a_form_of_another_site_does_nothing(browser, client) -> None:
    browser.say(SITTING)
    for path in ("answer", "cancel", "retry"):
        assert browser.client("POST", f"/talks/s1/{path}", data={"revision": "1", "value": "A"}).status_code == 403
    assert client.get("/api/v1/talks/s1")["state"] == "asked"


def test_words_cannot_become_markup(browser) -> None:
    page = browser.say("客厅没人就播报<script>alert(1)</script>")
    assert "<script>alert" not in page.html


@pytest.fixture
def read_by(connect, store, clock):
    """Give a browser at a home with a model, and what lets it read."""

    def opened(*script):
        zone = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)
        app = build(store, clock, zone, {}, model=ScriptedModel(clock, script))
        browser = Browser(connect(create_app(app, TOKEN), {}))
        browser.log_in()
        return browser, app.engine.drain

    return opened


def test_what_waits_for_a_model_says_so_and_goes_on_when_it_is_read(read_by) -> None:
    browser, read = read_by(REPLY)
    assert "等模型" in browser.say(DOODLES).text("shown")
    read()
    page = browser.open("/?task=s1")
    assert "等回答" in page.text("shown")
    page = browser.send(page.form(ANSWER, "shown"), value="B")
    assert page.refused == ""
    while "等回答" in page.text("shown"):
        page = browser.send(page.form(ANSWER, "shown"), value="B")
    assert "已处理" in page.text("shown")


def test_what_was_not_read_is_tried_again(read_by) -> None:
    browser, read = read_by(ModelRefused(Why.KEY), REPLY)
    browser.say(DOODLES)
    read()
    page = browser.open("/?task=s1")
    assert "没读懂" in page.text("shown")
    page = browser.send(page.form("/talks/s1/retry"))
    assert "等模型" in page.text("shown")
    read()
    assert "等回答" in browser.open("/?task=s1").text("shown")


def test_a_sentence_is_found_by_its_number_however_it_is_written(browser) -> None:
    browser.say(SITTING)
    page = browser.open("/?task=S1")
    assert (browser.status, page.refused) == (200, "")
    assert SITTING in page.text("shown")
