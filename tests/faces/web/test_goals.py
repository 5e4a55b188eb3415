"""Goals on the page: in a list of their own, and in the middle with how far they are and what hangs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.faces.web.browsing import Browser
from tests.goals.running.houses import BACKEND, TASK, goal

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.keeping.following import Following
from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def browser(stranger, app, clock) -> Browser:
    """Give a browser that looks at a home in which bots work on a goal."""
    watcher = Following(
        clock, tasks=app.tasks, cancel=lambda _tx, _goal: None, zone=app.zone.name, expect=lambda _tx: None
    )
    ports = scripted_ports(ScriptedPlanner({TASK: [planned("a")]}), ScriptedDeliverer({"a": [None]}))
    engine = EmbeddedEngine(app.store, clock, owner="乙")
    goals = opened(app.store, engine, clock, ports, backend=BACKEND, watcher=watcher)
    spec = TaskSpec("<script>alert(1)</script>", "write the report")
    assert goals.execute(replace(goal(), spec=spec)).status == 200
    engine.drain()
    browser = Browser(stranger)
    browser.log_in()
    return browser


def test_a_goal_is_in_its_list_and_cannot_be_paused(browser) -> None:
    assert "<script>alert(1)</script>" in browser.page.text("goals")
    assert "进行中" in browser.page.text("goals")
    assert "<script>alert" not in browser.page.html
    assert "/tasks/t1/delete" in browser.page.html
    assert "/tasks/t1/pause" not in browser.page.html


def test_a_goal_in_the_middle_says_how_far_it_is(browser) -> None:
    page = browser.open("/?task=t1")
    assert "做完 0/1 步" in page.text("shown")
    assert "bot-a 在做「a」" in page.text("shown")
    assert "交给 bot 去做" in page.text("shown")
    assert "/tasks/t1/pause" not in page.html


def test_a_goal_that_was_given_up_offers_no_way_back(browser, app) -> None:
    with app.store.write() as tx:
        app.tasks.delete(tx, "t1", who="test")
    assert "/tasks/t1/restore" not in browser.open("/?task=t1").html


def test_a_goal_has_a_page_among_the_tasks_that_leads_to_its_own(browser) -> None:
    page = browser.open("/tasks/t1")
    assert "做完 0/1 步" in page.text("made-of")
    assert "<script>alert" not in page.html
    assert 'href="/goals/' in page.html
    assert {form.action for form in page.forms if "/page/" in form.action} == {
        "/tasks/t1/page/done",
        "/tasks/t1/page/delete",
    }
