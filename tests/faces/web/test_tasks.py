"""The tasks page: finding a task, and seeing everything about one."""

from __future__ import annotations

import re
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from tests.faces.web.browsing import Browser

from zhixing.faces.web.tasks.charts import HEIGHT, bars, heat
from zhixing.faces.web.tasks.listing import ROWS

EVIL = '<script>alert(1)</script>"><b onclick=x>'

FOUND = [
    ("q=喝水", []),
    ("q=8+妈妈", ["妈妈每天喝 8 杯水"]),
    ("q=早上八点", ["吃药"]),
    ("q=%25", []),
    ("q=_", []),
    ("q=%00", ["开会", "吃药", "交表", "妈妈每天喝 8 杯水", "客厅没人关灯"]),
    ("way=household", ["妈妈每天喝 8 杯水", "客厅没人关灯"]),
    ("way=household&q=客厅", ["客厅没人关灯"]),
    ("way=goal", []),
    (
        "way=nonsense&status=nonsense&order=nonsense",
        ["开会", "吃药", "交表", "妈妈每天喝 8 杯水", "客厅没人关灯"],
    ),
    ("status=paused", []),
    ("status=deleted", []),
    ("order=next", ["妈妈每天喝 8 杯水", "吃药", "交表"]),
    ("order=next&way=notice", ["吃药", "交表"]),
    ("order=next&q=交", ["交表"]),
    ("order=next&status=ended", []),
]


@pytest.fixture
def browser(client, plan_of, enter) -> Browser:
    """Give a browser inside a home with two household tasks and three notices."""
    for name in ("living_room_off", "drink_8_daily"):
        client.post("/api/v1/household/tasks", plan_of(name))
    for said in ("明晚九点提醒我交表", "每天早上八点提醒我吃药", "明天三点开会"):
        client.say(said)
    return enter()


def titles(page) -> list[str]:
    return re.findall(r'<a class="name" href="/tasks/t\d+">([^<]*)</a>', page.html)


class TestFinding:
    def test_tasks_of_every_kind_are_listed_with_what_comes_next(self, browser) -> None:
        page = browser.open("/tasks")
        assert titles(page) == ["开会", "吃药", "交表", "妈妈每天喝 8 杯水", "客厅没人关灯"]
        text = page.text("tasks")
        assert "妈妈每天喝 8 杯水 家庭任务 · 0/8 杯 · 下一次 今天（10月12日 周一） 12:00 进行中" in text
        assert "交表 已安排 · 下一次 明天（10月13日 周二） 21:00" in text
        assert "开会 等您回答" in text

    def test_they_are_found_by_words_kind_and_status(self, browser) -> None:
        for query, found in FOUND:
            page = browser.open(f"/tasks?{query}")
            assert (browser.status, titles(page)) == (200, found), query
            assert ('class="empty"' in page.html) is not bool(found), query

    def test_what_was_looked_for_stays_in_the_form_and_in_the_other_order(self, browser) -> None:
        page = browser.open("/tasks?q=妈妈&way=household")
        assert page.form("/tasks").fields["q"] == "妈妈"
        assert '<option value="household" selected>' in page.html
        assert "/tasks?q=%E5%A6%88%E5%A6%88&amp;way=household&amp;order=next" in page.html

    def test_what_ended_is_under_its_status(self, browser) -> None:
        browser.send(browser.open("/tasks/t3").form("/tasks/t3/page/done"))
        assert "交表" not in titles(browser.open("/tasks"))
        assert titles(browser.open("/tasks?status=ended")) == ["交表"]
        assert len(titles(browser.open("/tasks?status=all"))) == 5

    def test_a_page_has_at_most_fifty_and_leads_to_the_next(self, client, enter) -> None:
        for number in range(ROWS + 3):
            client.say(f"记一下：第{number}个想法")
        browser = enter()
        first = browser.open("/tasks")
        assert len(titles(first)) == ROWS
        second = browser.open(re.search(r'href="(/tasks\?before=t\d+)"', first.html)[1])
        assert len(titles(second)) == 3
        assert not set(titles(first)) & set(titles(second))
        assert "再看" not in second.text("tasks")

    def test_a_cursor_that_is_none_is_told(self, browser) -> None:
        for cursor in ("x", "t" * 500, "t-1", "%00"):
            page = browser.open(f"/tasks?before={cursor}")
            assert browser.status == 400
            assert "看不懂翻页位置" in page.refused

    def test_an_empty_home_says_how_to_begin(self, enter) -> None:
        page = enter().open("/tasks")
        assert "还没有任务" in page.text("tasks")

    def test_the_words_are_english_for_who_reads_english(self, browser) -> None:
        page = browser.send(browser.open("/tasks").form("/language"), language="en", to="/tasks")
        assert "Newest first" in page.text()
        assert "Search" in page.text()

    def test_only_who_has_a_session_sees_them(self, visitor) -> None:
        for address in ("/tasks", "/tasks/t1"):
            visitor.open(address)
            assert visitor.status == 401


class TestOne:
    def test_a_notice_is_shown_with_its_words_and_where_its_time_was_read(self, browser) -> None:
        page = browser.open("/tasks/t3")
        assert browser.status == 200
        assert "<mark>明晚九点</mark>" in page.html
        assert "明天（10月13日 周二） 21:00" in page.text("next")
        assert "还没有到点" in page.text("occurrences")
        assert "已理解" in page.text("journal")
        assert "将提醒" in page.text("made-of")

    def test_an_open_question_is_answered_there(self, browser) -> None:
        page = browser.open("/tasks/t5")
        browser.send(page.form("/tasks/t5/answer"), value="15:00")
        assert "明天（10月13日 周二） 14:30" in browser.open("/tasks/t5").text("next")

    def test_what_repeats_has_its_next_ten_times_and_a_month_of_preview(self, browser) -> None:
        page = browser.open("/tasks/t4")
        assert page.text("next").count("08:00") == 10
        assert page.text("preview").startswith("往后 30 天 30")

    def test_a_household_task_is_shown_with_rules_record_and_chart(self, browser, app, clock) -> None:
        for number in range(9):
            with app.store.write() as tx:
                app.records.increment(tx, "t2", 1, at=clock.now(), key=f"k{number}", who="test")
        page = browser.open("/tasks/t2")
        assert "发生时：喝水次数加一" in page.text("made-of")
        assert "9/8 杯" in page.text("record")
        assert "最近 30 天一共 9 杯，最多的一天 9 杯" in page.text("record")
        assert page.html.count('class="bar met"') == 1
        assert page.text("next").count(":00") == 10

    def test_what_came_due_is_told_with_its_outcome_and_why(self, browser, app, clock) -> None:
        clock.advance(timedelta(hours=2))
        app.engine.drain()
        page = browser.open("/tasks/t2")
        assert "喝水提醒：" in page.text("occurrences")
        assert "已完成" in page.text("occurrences")
        page = browser.open("/tasks/t2?at=2026-10-12T12:10")
        assert "10月12日 周一） 12:10 前后半小时" in page.text()
        assert page.text().count("喝水提醒：已完成") == 2

    def test_a_moment_at_which_nothing_was_says_so_and_what_was_before(self, browser, app, clock) -> None:
        clock.advance(timedelta(hours=2))
        app.engine.drain()
        page = browser.open("/tasks/t2?at=2026-10-12T15:00")
        assert "什么也没有发生" in page.text()
        assert "在那之前的一次" in page.text()

    def test_a_moment_to_come_tells_what_will_be(self, browser) -> None:
        assert "将要发生" in browser.open("/tasks/t3?at=2026-10-13T21:00").text()

    def test_a_moment_that_is_none_is_told_and_the_task_is_still_there(self, browser) -> None:
        for at in ("nonsense", "2026-13-01T00:00", "9" * 300, "0001-01-01T00:00", "9999-12-31T23:59", "%00", "2999"):
            page = browser.open(f"/tasks/t3?at={at}")
            assert browser.status == 400, at
            assert "看不懂时间" in page.refused
            assert "交表" in page.text("task")

    def test_what_is_not_there_is_a_page_that_says_so(self, browser) -> None:
        for address in ("/tasks/t99", "/tasks/x", "/tasks/%00", "/tasks/t3?older=onone", "/tasks/" + "t" * 300):
            page = browser.open(address)
            assert browser.status == 404, address
            assert page.refused

    def test_an_occurrence_of_another_task_is_no_cursor(self, browser, app, clock) -> None:
        clock.advance(timedelta(hours=2))
        app.engine.drain()
        with app.store.read() as tx:
            other = tx.row("SELECT id FROM occurrences WHERE task_id = 't2'", ())[0]
        page = browser.open(f"/tasks/t3?older={other}")
        assert browser.status == 400
        assert "看不懂翻页位置" in page.refused

    def test_long_lists_are_turned(self, browser, app, clock) -> None:
        for _ in range(13):
            clock.advance(timedelta(days=1))
            app.engine.drain()
        page = browser.open("/tasks/t2")
        older = re.search(r'href="(/tasks/t2\?older=o\w+)#', page.html)
        assert older is not None
        behind = browser.open(older[1])
        assert "回到最近" in behind.text("occurrences")
        assert re.search(r'href="/tasks/t2\?earlier=\d+#', page.html)

    def test_a_goal_a_rule_or_a_document_without_its_file_is_shown(self, browser, app) -> None:
        app.documents.chats.send("tg-1", "药到了", who="test")
        with app.store.read() as tx:
            chat = tx.row("SELECT id FROM tasks WHERE way = 'document'", ())[0]
        assert "药到了" in browser.open(f"/tasks/{chat}").text("task")
        assert browser.status == 200

    def test_words_of_others_cannot_become_markup(self, client, plan_of, enter) -> None:
        plan = plan_of("living_room_off")
        plan["task"]["description"] = EVIL
        client.post("/api/v1/household/tasks", plan)
        client.say(f"明晚九点提醒我{EVIL}")
        browser = enter()
        for address in ("/tasks", "/tasks?q=%3Cscript%3E", "/tasks/t1", "/tasks/t2", "/tasks/t1?at=%3Cscript%3E"):
            page = browser.open(address)
            assert "<script>alert" not in page.html
            assert page.handlers == []

    def test_names_of_live_parts_and_fields_occur_once(self, browser) -> None:
        for address in ("/tasks", "/tasks/t2?at=2026-10-12T12:00", "/tasks/t5"):
            page = browser.open(address)
            ids = re.findall(r'\sid="([^"]+)"', page.html)
            assert len(ids) == len(set(ids))
            assert (page.tags.count("h1"), page.tags.count("main")) == (1, 1)
            assert all(
                "proof" in form.fields for form in page.forms if form.method == "post" and form.action != "/language"
            )

    def test_today_leads_to_it(self, browser) -> None:
        assert '<a class="name" href="/tasks/t3">交表</a>' in browser.open("/").html


class TestDoing:
    @pytest.mark.parametrize("task", ["t1", "t3"], ids=["household", "notice"])
    def test_it_is_paused_resumed_done_and_restored(self, browser, task) -> None:
        page = browser.send(browser.open(f"/tasks/{task}").form(f"/tasks/{task}/page/pause"))
        assert (page.note, "已暂停" in page.text("task")) == ("已暂停。", True)
        page = browser.send(page.form(f"/tasks/{task}/page/resume"))
        assert "进行中" in page.text("task")
        page = browser.send(page.form(f"/tasks/{task}/page/done"))
        assert "已完成" in page.text("task")
        page = browser.send(page.form(f"/tasks/{task}/page/restore"))
        assert "进行中" in page.text("task")
        page = browser.send(page.form(f"/tasks/{task}/page/delete"))
        assert "已删除" in page.text("task")
        assert browser.send(page.form(f"/tasks/{task}/page/restore")).note == "已恢复。"

    def test_the_last_change_of_a_household_task_is_taken_back(self, browser, app) -> None:
        assert "/page/undo" not in browser.open("/tasks/t1").html
        rule = re.search(r"\br\d+\b", browser.page.text("made-of"))[0]
        app.household.delete_rule(rule, who="test")
        page = browser.open("/tasks/t1")
        assert "改了规则" in page.text("revisions")
        assert rule not in page.text("made-of")
        page = browser.send(page.form("/tasks/t1/page/undo"))
        assert "客厅无人关灯" in page.text("made-of")
        assert "撤销了上一次改动" in page.text("revisions")

    def test_what_cannot_be_done_now_is_told_and_changes_nothing(self, browser) -> None:
        form = browser.open("/tasks/t3").form("/tasks/t3/page/pause")
        browser.send(form)
        page = browser.send(form)
        assert browser.status == 409
        assert page.refused
        assert "已暂停" in page.text("task")

    def test_a_form_with_another_proof_is_refused(self, browser) -> None:
        form = browser.open("/tasks/t3").form("/tasks/t3/page/delete")
        browser.send(form, proof="x")
        assert browser.status == 403
        assert "进行中" in browser.open("/tasks/t3").text("task")

    def test_nothing_else_can_be_done(self, browser) -> None:
        for address in ("/tasks/t3/page/nothing", "/tasks/t99/page/done", "/tasks/t3/page/undo"):
            form = browser.open("/tasks/t3").form("/tasks/t3/page/done")
            form.action = address
            page = browser.send(form)
            assert browser.status in (400, 404), address
            assert page.refused


class TestDrawing:
    LAST = date(2026, 10, 12)

    def test_every_day_has_a_bar_and_the_highest_fits(self) -> None:
        drawn = bars({self.LAST: 9, self.LAST - timedelta(days=1): 3}, self.LAST, 30, 8)
        assert len(drawn.bars) == 30
        assert (drawn.first, drawn.last, drawn.most, drawn.total) == (date(2026, 9, 13), self.LAST, 9, 12)
        assert all(bar.y >= 0 and abs(bar.y + bar.height - HEIGHT) < 0.2 for bar in drawn.bars)
        assert [bar.met for bar in drawn.bars[-2:]] == [False, True]
        assert drawn.target is not None

    def test_nothing_at_all_is_drawn_flat(self) -> None:
        drawn = bars({}, self.LAST, 30, None)
        assert {bar.height for bar in drawn.bars} == {0}
        assert drawn.target is None

    def test_a_target_above_every_day_is_on_the_paper(self) -> None:
        drawn = bars({self.LAST: 1}, self.LAST, 7, 100)
        assert drawn.target is not None
        assert 0 < drawn.target < HEIGHT

    def test_hours_are_those_of_the_place(self, clock) -> None:
        cells = heat([clock.now()] * 4 + [clock.now() + timedelta(hours=1)], ZoneInfo("Asia/Shanghai"))
        assert len(cells) == 7 * 24
        full = {(cell.weekday, cell.hour): (cell.count, cell.level) for cell in cells if cell.count}
        assert full == {(0, 10): (4, 4), (0, 11): (1, 1)}

    def test_where_nothing_happened_nothing_is_drawn(self) -> None:
        assert heat([], ZoneInfo("UTC")) == ()
