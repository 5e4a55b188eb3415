"""The pages of goals: talk about one, see what bots make of it, take over where they hang."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.faces.web.browsing import Browser
from tests.goals.running.houses import BACKEND, TASK, goal

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.faces.web.goals.addresses import is_link, page_number
from zhixing.faces.web.goals.cards import answer_to
from zhixing.goals.bots.profiles import Availability, Catalog, HttpSettings, ModelSettings, Profile
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Criterion, TaskSpec
from zhixing.goals.loop.values import GraphStatus, NodeStatus
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import (
    MISSED,
    ScriptedDeliverer,
    ScriptedPlanner,
    failed,
    passed,
    planned,
    scripted_ports,
)
from zhixing.kernel.errors import BadInput, Unavailable

HOSTILE = "<script>alert(1)</script>"
WHOLE = "修复 PR #1243 的命名问题，交付物：代码 PR，验收标准：CI 通过，约束：不动接口逻辑"
UNUSABLE = (
    {},
    {"left": "-1"},
    {"left": "many"},
    {"left": "1.5"},
    {"cost": "nan"},
    {"hours": "inf"},
    {"cost": "9" * 40},
)
TWO = "修复登录页的空指针。另外给产品写一份竞品分析报告"
SECRET = "not-for-anybody"
DONE = {TASK: [planned("a"), planned()]}


@pytest.fixture
def work(app, clock):
    """Have scripted bots work on a goal in this home."""

    def begun(plans, results=None, *, spec=None, limits=None, task_id=TASK, searches=None):
        planner = ScriptedPlanner(plans, searches or {})
        ports = scripted_ports(planner, ScriptedDeliverer(results or {}))
        engine = EmbeddedEngine(app.store, clock, owner="乙")
        goals = opened(app.store, engine, clock, ports, backend=BACKEND)
        info = goal(task_id, limits or Limits())
        assert goals.execute(info if spec is None else replace(info, spec=spec)).status == 200
        engine.drain()
        return goals

    return begun


@pytest.fixture
def stuck(work):
    """Have a goal hang in its one step."""
    work({TASK: [planned("a"), planned()], "a": [planned()]}, {"a": [failed("chapter 2")]})


def say(browser: Browser, text: str):
    browser.open("/goals")
    return browser.send(browser.page.form("/goals/say"), text=text)


# Talking


def test_what_is_said_becomes_a_draft_and_then_a_goal(enter, app):
    browser = enter()
    page = say(browser, WHOLE)
    assert '<h3 class="goal"' in page.html
    assert "修复 PR #1243 的命名问题" in page.text("goal-talks")
    assert "交付物" in page.text("goal-talks")
    assert "资源" not in page.text("goal-talks")
    assert "改草案不用按钮" in page.text("goal-talks")
    page = browser.send(page.form("/goals/talks/q1/execute"))
    assert "bot 开始做" in page.note
    goal_id = app.goals.talks.show("q1").row.goal_id
    assert goal_id in page.form(f"/goals/{goal_id}/cancel").action
    assert goal_id in browser.open("/goals").html


def test_one_form_answers_several_questions(enter, app):
    browser = enter()
    page = say(browser, "修复登录页的空指针")
    assert "推断待确认" in page.text("goal-talks")
    assert "A)" not in page.text("goal-talks")
    page = browser.send(page.form("/goals/talks/q1/answers"), words=["", " ", ""])
    assert "一个问题也没有回答" in page.refused
    form = page.form("/goals/talks/q1/answers")
    assert form.fields["revision"] == str(app.goals.talks.show("q1").row.revision)
    browser.send(form, pick_0="代码 PR", pick_1="CI 通过", words=["", "", "不动接口逻辑"])
    card = app.goals.talks.show("q1").card
    assert card["type"] == "task_ready"
    assert card["needs_confirmation"] == []
    assert card["task"]["acceptance_criteria"] == ["CI 通过"]
    assert card["task"]["constraints"] == ["不动接口逻辑"]


def test_one_question_is_answered_with_a_tap(enter, app):
    browser = enter()
    page = say(browser, "修复 PR #1243 的命名问题，交付物：代码 PR，约束：不动接口逻辑")
    form = page.form("/goals/talks/q1/answer")
    assert [button["value"] for button in form.buttons] == ["A", "B", "C"]
    page = browser.send(form, value="B")
    assert app.goals.talks.show("q1").card["task"]["acceptance_criteria"] == ["Review 通过"]


def test_a_draft_is_changed_by_saying_so_and_words_that_change_nothing_are_answered(enter, app):
    browser = enter()
    page = say(browser, WHOLE)
    page = browser.send(page.form("/goals/talks/q1/answer"), value="好天气")
    assert browser.status == 200
    assert "好天气" in page.note
    browser.send(page.form("/goals/talks/q1/answer"), value="约束改成今天内完成")
    assert app.goals.talks.show("q1").card["task"]["constraints"] == ["今天内完成"]


def test_drafts_are_set_aside_taken_up_and_discarded(enter, app):
    browser = enter()
    page = say(browser, WHOLE)
    page = browser.send(page.form("/goals/talks/q1/save"))
    assert "草案暂存了" in page.note
    page = browser.send(page.form("/goals/talks/q1/resume"))
    page = browser.send(page.form("/goals/talks/q1/discard"))
    assert "草案丢弃了" in page.note
    assert app.goals.talks.show("q1").row.state.value == "discarded"
    assert "q1" not in page.text("goal-talks")


def test_one_of_several_tasks_is_chosen(enter, app):
    browser = enter()
    page = say(browser, TWO)
    form = page.form("/goals/talks/q1/answer")
    assert [button["value"] for button in form.buttons] == ["1", "2"]
    page = browser.send(form, value="2")
    assert app.goals.talks.show("q1").card["goal"] == "给产品写一份竞品分析报告"
    assert "/goals/talks/q2/resume" in page.html


def test_a_card_of_another_revision_is_refused(enter):
    browser = enter()
    form = say(browser, WHOLE).form("/goals/talks/q1/execute")
    browser.send(browser.page.form("/goals/talks/q1/answer"), value="约束改成今天内完成")
    page = browser.send(form)
    assert browser.status == 409
    assert page.refused


def test_only_web_addresses_become_links(enter):
    page = say(enter(), f"{WHOLE} https://example.com/a?b=1 javascript:alert(1)")
    assert 'href="https://example.com/a?b=1" rel="noreferrer' in page.html
    assert 'href="javascript' not in page.html


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("https://example.com/a", True),
        ("http://example.com", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("https://", False),
        ("https://[", False),
        ("https://a b", False),
        ("//example.com", False),
        ("https://a\n.com", False),
        ("wf-1", False),
    ],
)
def test_what_is_a_link(text, followed):
    assert is_link(text) is followed


def test_the_id_of_a_workflow_is_not_shown(enter, app):
    page = say(enter(), "/task workflow_id='wf-secret-1' " + WHOLE)
    assert app.goals.talks.show("q1").card["task"]["workflow_id"] == "wf-secret-1"
    assert "修复 PR #1243" in page.text("goal-talks")
    assert "wf-secret-1" not in page.html


def test_hostile_words_stay_words(enter):
    page = say(enter(), f"修复 {HOSTILE} 的问题，交付物：{HOSTILE}，验收标准：CI 通过，约束：无")
    assert HOSTILE not in page.html
    assert not page.handlers


def test_too_much_is_refused_and_kept_in_the_box(enter):
    page = say(enter(), "字" * 30_000)
    assert page.refused
    assert page.form("/goals/say").fields["text"].startswith("字字")


def test_forms_without_proof_do_nothing(enter, app):
    browser = enter()
    form = say(browser, WHOLE).form("/goals/talks/q1/execute")
    browser.send(form, proof="wrong")
    assert browser.status == 403
    assert app.goals.talks.show("q1").row.goal_id is None


def test_what_is_not_there_is_said_on_a_page(enter):
    browser = enter()
    form = say(browser, WHOLE).form("/goals/talks/q1/execute")
    for path in ("/goals/talks/q9/execute", "/goals/talks/x/answer", "/goals/talks/x/answers", "/goals/none/cancel"):
        form.action = path
        page = browser.send(form, value="A")
        assert browser.status == 404, path
        assert page.refused


def test_answers_are_put_together_under_the_names_of_their_elements():
    asks = (
        "我推断交付物是代码 PR，对吗？",
        "验收标准是以下哪个？A) CI 通过  B) Review 通过  C) 其他",
        "有什么约束吗？",
    )
    assert answer_to(asks, ("", "", "无"), {0: "代码 PR"}) == "交付物：代码 PR\n约束：无"
    assert answer_to(asks, ("两份 PR\n", "", ""), {0: "代码 PR", 7: "x"}) == "交付物：两份 PR"
    assert answer_to(asks[1:2], ("",), {0: "A"}) == "A"
    with pytest.raises(BadInput):
        answer_to(asks, (), {})


# The list


def test_the_list_shows_progress_and_leaves_what_is_over_out(enter, work):
    work({TASK: [planned("a", "b")]}, {"a": [None], "b": [None]})
    work({"old": [planned("c"), planned()]}, task_id="old")
    browser = enter()
    page = browser.open("/goals")
    assert "做完 0/2 步" in page.text("all-goals")
    assert '"/goals/old"' not in page.html
    assert '"/goals/old"' in browser.open("/goals?show=over").html
    assert "2" in browser.open("/goals?show=all&page=x").text("all-goals")


def test_an_empty_list_says_how_to_begin_and_long_ones_have_pages(enter, app):
    browser = enter()
    assert "没有在做的目标" in browser.open("/goals").text("all-goals")
    for number in range(23):
        spec = TaskSpec(f"goal {number}", "do it")
        assert app.goals.goals.execute(replace(goal(f"id-{number:02}"), spec=spec)).status == 200
    assert "/goals?show=open&amp;page=2" in browser.open("/goals").html
    page = browser.open("/goals?show=open&page=2")
    assert page.html.count('class="name" href="/goals/id-') == 3
    assert browser.open("/goals?page=99999999999").html.count('class="name" href="/goals/id-') == 20


@pytest.mark.parametrize(("text", "number"), [("3", 3), ("0", 1), ("", 1), ("-1", 1), ("x", 1), ("²", 1), ("9" * 9, 1)])
def test_page_numbers(text, number):
    assert page_number(text) == number


# One goal


def test_a_goal_that_is_done_shows_results_and_evidence(enter, work):
    work(DONE, {"a": [passed("the whole report")]})
    page = enter().open(f"/goals/{TASK}")
    assert "做完了" in page.text("goal-head")
    assert "the whole report" in page.text("goal-result")
    assert "bot-a 做" in page.text("goal-steps")
    assert "一个 bot 做" in page.text("goal-steps")
    assert "/cancel" not in page.html
    assert "hx-get" not in page.html


@pytest.mark.usefixtures("stuck")
def test_a_hung_step_says_why_and_takes_a_result(enter, app):
    browser = enter()
    page = browser.open(f"/goals/{TASK}")
    assert "卡住的原因：" in page.text("goal-steps")
    assert "chapter 2" in page.text("goal-steps")
    page = browser.send(step_form(page, "resolve", "a"), output="第二章\r\n写好了")
    assert "结果收下了" in page.note
    node = app.goals.goals.graph(TASK).nodes["a"]
    assert node.status is NodeStatus.DONE
    assert "第二章\n写好了" in str(node.run.output["output"])
    assert "由人给出" in page.html or not node.spec.acceptances


@pytest.mark.usefixtures("stuck")
def test_an_empty_result_is_refused_and_the_form_stays_open(enter, app):
    browser = enter()
    page = browser.open(f"/goals/{TASK}")
    page = browser.send(step_form(page, "resolve", "a"), output=" \n")
    assert browser.status == 400
    assert page.refused
    place = list(app.goals.goals.graph(TASK).nodes).index("a")
    assert f'id="take-{place}" open' in page.html


@pytest.mark.usefixtures("stuck")
def test_a_hung_step_is_tried_again(enter, app):
    browser = enter()
    page = browser.send(step_form(browser.open(f"/goals/{TASK}"), "retry", "a"))
    assert page.note == "再试了。"
    assert app.goals.goals.graph(TASK).nodes["a"].status is not NodeStatus.HUNG


def test_a_goal_under_way_asks_again_by_itself_until_it_is_given_up(enter, work, app):
    work({TASK: [planned("a")]}, {"a": [None]})
    browser = enter()
    page = browser.open(f"/goals/{TASK}")
    assert "在做" in page.text("goal-steps")
    assert 'hx-trigger="every 5s"' in page.html
    assert not page.handlers
    page = browser.send(page.form(f"/goals/{TASK}/cancel"))
    assert "不做了" in page.note
    assert app.goals.goals.graph(TASK).head.status is GraphStatus.CANCELLED
    assert "/cancel" not in page.html
    assert "hx-get" not in page.html


def test_budgets_are_bars_and_can_be_raised(enter, work, app):
    work({TASK: [planned("a")]}, {"a": [None]}, limits=Limits(tokens=1000, wall_clock=3_600_000))
    browser = enter()
    page = browser.open(f"/goals/{TASK}")
    assert "共 1000，还剩 1000" in page.text("goal-budgets")
    assert "<progress" in page.html
    for given in UNUSABLE:
        page = browser.send(page.form(f"/goals/{TASK}/budget"), **given)
        assert browser.status == 400, given
        assert page.refused
    assert app.goals.goals.graph(TASK).head.info.limits.cost is None
    page = browser.send(page.form(f"/goals/{TASK}/budget"), left="", cost="2.5", hours="3")
    assert page.note == "额度改好了。"
    limits = app.goals.goals.graph(TASK).head.info.limits
    assert (limits.tokens, limits.cost, limits.wall_clock) == (1000, 2.5, 3 * 3_600_000)


def test_a_budget_that_is_used_up_says_what_to_do(enter, work):
    work({TASK: [planned("a")]}, {"a": [None]}, limits=Limits(tokens=0))
    page = enter().open(f"/goals/{TASK}")
    assert "额度用完了" in page.text("goal-head")
    assert "先加额度" in page.text("goal-head")


def test_the_log_stands_there_on_request(enter, work):
    work(DONE)
    browser = enter()
    assert "派发" not in browser.open(f"/goals/{TASK}").text()
    page = browser.open(f"/goals/{TASK}?log=1")
    assert 'class="timeline"' in page.html
    assert "派发" in page.text()


def test_what_bots_and_callers_wrote_is_never_markup(enter, work):
    spec = TaskSpec(HOSTILE, HOSTILE, HOSTILE, f"{HOSTILE}\u202e", (Criterion("ac1", HOSTILE),))
    plan = (
        planned("a")
        .replace('"do a"', '"<img src=x onerror=alert(1)>"')
        .replace('"title": "a"', f'"title": "{HOSTILE}"')
    )
    work({TASK: [plan, planned()]}, {"a": [passed(HOSTILE + "<b onclick=x>")]}, spec=spec)
    browser = enter()
    for path in ("/goals?show=all", f"/goals/{TASK}?log=1"):
        page = browser.open(path)
        assert "alert(1)" in page.text()
        assert HOSTILE not in page.html
        assert not page.handlers
        assert page.tags.count("img") == 1  # the sign of the house


def test_ids_of_all_kinds_have_an_address(enter, app):
    ids = ("a/b", "a?b#c", "100%", "目标 一", "<b>")
    for task_id in ids:
        assert app.goals.goals.execute(goal(task_id)).status == 200
    browser = enter()
    addresses = _addresses(browser.open("/goals").html)
    assert len(addresses) == len(ids)
    for address in addresses:
        page = browser.open(address)
        assert browser.status == 200, address
        browser.send(page.form(f"{re.escape(address)}/cancel"))
    assert {app.goals.goals.graph(each).head.status for each in ids} == {GraphStatus.CANCELLED}


def test_a_goal_that_is_not_there_leads_to_the_others(enter):
    browser = enter()
    page = browser.open("/goals/nothing-of-the-kind")
    assert browser.status == 404
    assert "nothing-of-the-kind" in page.refused
    assert page.form("/goals/say")


def test_the_search_for_somebody_outside_is_shown(enter, work):
    work({TASK: [planned("a")], "a": [planned()]}, searches={"a": [MISSED]}, limits=Limits(max_depth=1))
    browser = enter()
    page = browser.open(f"/goals/{TASK}")
    assert "没有能做它的 bot" in page.text("goal-steps")
    assert "正在外面找能接手的 bot" in page.text("goal-head")
    assert "正在外面找能接手的 bot" in browser.open("/goals").text("all-goals")


@pytest.mark.usefixtures("stuck")
def test_the_pages_speak_english(enter):
    browser = enter()
    browser.open(f"/goals/{TASK}")
    browser.client.http.cookies.set("zhixing-language", "en")
    page = browser.open(f"/goals/{TASK}")
    assert "Hangs because:" in page.text("goal-steps")
    assert "Give it up" in page.text()
    assert "Who would do it" in browser.open("/goals/bots").text()
    assert "Give it to bots" in browser.open("/goals").text()


def test_strangers_are_asked_who_they_are(visitor):
    for path in ("/goals", "/goals/bots", f"/goals/{TASK}"):
        visitor.open(path)
        assert visitor.status == 401


# Bots


def test_a_home_without_bots_says_where_they_are_described_and_what_is_wrong_there(enter, app):
    browser = enter()
    assert "bots.toml" in browser.open("/goals/bots").text("bots")
    at_bots(app, Catalog(), lambda: Unavailable("goal_task_none"))
    assert "有毛病" in browser.open("/goals/bots").refused


def test_bots_are_shown_without_how_they_are_reached(enter, app):
    catalog = Catalog(
        (
            Profile("writer", HOSTILE, ModelSettings(instructions=SECRET), ("写报告",), "写各种报告", relay=True),
            Profile("bot-b", "乙", HttpSettings(f"https://bots.example/{SECRET}", SECRET)),
            Profile("bot-off", "丙", ModelSettings(), availability=Availability(enabled=False)),
        )
    )
    at_bots(app, catalog)
    app.goals.tokens.issue("bot-b")
    browser = enter()
    page = browser.open("/goals/bots")
    assert SECRET not in page.html
    assert HOSTILE not in page.html
    for words in ("写报告", "愿意接力", "有令牌", "现在不接活", "停用"):
        assert words in page.text("bots")
    assert "派给" in browser.open("/goals/bots?q=写报告").text()


def test_many_bots_have_pages(enter, app):
    at_bots(app, Catalog(tuple(Profile(f"bot-{n:03}", f"第{n}个", ModelSettings()) for n in range(60))))
    browser = enter()
    assert "bot-049" in browser.open("/goals/bots").html
    page = browser.open("/goals/bots?page=2")
    assert "bot-050" in page.html
    assert "bot-049" not in page.html


def at_bots(app, catalog: Catalog, fault=lambda: None) -> None:
    """Give a home these bots."""
    object.__setattr__(app.goals, "terms", replace(app.goals.terms, catalog=lambda: catalog, fault=fault))


def step_form(page, act: str, node: str):
    """Return the form that does something to a step."""
    return next(form for form in page.forms if form.action.endswith(f"/{act}") and form.fields.get("node") == node)


def _addresses(html: str) -> list[str]:
    return [part.split('"')[0] for part in html.split('class="name" href="')[1:]]
