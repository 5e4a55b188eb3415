"""Household tasks on the page, beside everything else."""

from __future__ import annotations

import pytest
from tests.faces.web.browsing import Browser


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def browser(stranger, client, plan_of) -> Browser:
    """Give a browser that looks at a home with two household tasks and a notice."""
    for name in ("living_room_off", "drink_8_daily"):
        client.post("/api/v1/household/tasks", plan_of(name))
    client.say("明晚九点提醒我交表")
    browser = Browser(stranger)
    browser.log_in()
    return browser


def test_household_tasks_are_listed_with_their_state_beside_notices(browser) -> None:
    page = browser.open()
    text = page.text("household")
    assert text.startswith("家庭任务 2")
    assert "妈妈每天喝 8 杯水 进行中；0/8 杯；下一次 今天（10月12日 周一） 12:00" in text
    assert "客厅没人关灯 进行中" in text
    assert "交表" in page.text("coming")


def test_one_of_them_is_shown_with_its_rules(browser) -> None:
    page = browser.open("/?task=t1")
    assert browser.status == 200
    assert page.refused == ""
    shown = page.text("shown")
    assert "客厅没人关灯（living_room_off）" in shown
    assert "看 客厅摄像头：“画面中无人”，持续 5 分钟" in shown
    assert "发生时：客厅吸顶灯 on → false" in shown


def test_it_is_paused_and_goes_on(browser) -> None:
    browser.open()
    page = browser.send(browser.page.form("/tasks/t1/pause"))
    assert "已暂停" in page.text("shown")
    assert "客厅没人关灯 已暂停" in page.text("household")
    page = browser.send(page.form("/tasks/t1/resume"))
    assert "已暂停" not in page.text("household")


def test_it_is_deleted_and_restored(browser) -> None:
    page = browser.send(browser.open("/?task=t1").form("/tasks/t1/delete", "shown"))
    assert browser.status == 200
    assert "已删除" in page.text("shown")
    assert "客厅没人关灯" not in page.text("household")
    page = browser.send(page.form("/tasks/t1/restore"))
    assert "客厅没人关灯 进行中" in page.text("household")


def test_what_happened_to_it_is_told(browser, client, clock) -> None:
    said = {
        "source": "cam_kids",
        "condition": "妈妈举杯喝水",
        "value": True,
        "at": clock.now().isoformat(),
        "event": "cup",
    }
    client.post("/api/v1/perception/verdicts", said)
    page = browser.open("/?task=t2")
    assert "1/8 杯" in page.text("shown")
    assert "喝水计数：已完成" in page.text("shown")


def test_without_household_tasks_there_is_no_heading_for_them(stranger) -> None:
    browser = Browser(stranger)
    browser.log_in()
    assert browser.page.text("household") == ""


def test_words_from_a_plan_cannot_become_markup(stranger, client, plan_of) -> None:
    plan = plan_of("living_room_off")
    plan["task"]["description"] = "<script>alert(1)</script>"
    client.post("/api/v1/household/tasks", plan)
    browser = Browser(stranger)
    browser.log_in()
    page = browser.open("/?task=t1")
    assert "<script>alert" not in page.html
    assert "<script>alert(1)</script>" in page.text("household")


def test_a_message_to_a_chat_is_shown_by_its_words(browser, app) -> None:
    app.documents.chats.send("tg-1", "药到了", who="test")
    page = browser.open("/?task=t4")
    assert browser.status == 200
    assert page.refused == ""
    assert "药到了" in page.text("shown")
