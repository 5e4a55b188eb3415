"""The page as a browser without JavaScript uses it: forms, redirects, cookies."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from tests.faces.web.browsing import TOKEN, Browser, Page

from zhixing.notices.model import Source, Submission
from zhixing.store.opening import open_store


@pytest.fixture
def browser(enter) -> Browser:
    return enter()


class TestTheDoor:
    def test_without_a_session_the_page_is_a_login_form_and_nothing_else(self, visitor, client) -> None:
        client.say("外婆的生日是五月三日")
        page = visitor.open("/?task=t1")
        assert visitor.status == 200
        assert [form.action for form in page.forms] == ["/login", "/language"]
        assert "外婆" not in page.html

    def test_the_token_opens_the_page(self, browser) -> None:
        assert browser.page.form("/say")

    def test_the_cookie_is_for_this_site_and_for_no_script(self, stranger) -> None:
        cookie = stranger("POST", "/login", data={"token": TOKEN}).headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/" in cookie
        assert TOKEN not in cookie

    def test_the_cookie_is_secure_where_the_connection_is(self, stranger) -> None:
        answer = stranger("POST", "https://127.0.0.1:8420/login", data={"token": TOKEN})
        assert "secure" in answer.headers["set-cookie"].lower()

    def test_a_wrong_token_is_refused_in_one_line(self, visitor) -> None:
        page = visitor.log_in("wrong")
        assert (visitor.status, page.refused) == (401, "口令不对。")
        assert "zhixing" not in visitor.client.http.cookies

    def test_after_ten_wrong_tokens_nobody_is_let_in_for_a_minute(self, visitor, clock) -> None:
        for _ in range(10):
            visitor.log_in("wrong")
        page = visitor.log_in()
        assert (visitor.status, page.refused) == (429, "口令试错太多次了，请一分钟后再试。")
        clock.advance(timedelta(seconds=61))
        visitor.log_in()
        assert visitor.page.form("/say")

    def test_a_session_lasts_as_long_as_somebody_comes_by(self, browser, clock) -> None:
        for _ in range(10):
            clock.advance(timedelta(days=20))
            assert browser.open().form("/say")

    def test_a_session_is_over_when_nobody_came_for_a_month(self, browser, clock) -> None:
        clock.advance(timedelta(days=30))
        assert browser.open().form("/login")

    def test_another_token_ends_every_session(self, browser, connect, serve) -> None:
        other = connect(serve(token="another-token-9876543210"), {})
        other.http.cookies.update(browser.client.http.cookies)
        assert Browser(other).open().form("/login")

    @pytest.mark.parametrize("cookie", ["", "x", "..", "9999999999.x.y", f"9999999999.x.{'0' * 64}", "é"])
    def test_a_made_up_cookie_opens_nothing(self, stranger, cookie) -> None:
        answer = stranger("GET", "/", headers={"Cookie": f"zhixing={cookie}".encode()})
        assert Page(answer.text).form("/login")

    def test_a_cookie_that_was_made_to_last_longer_opens_nothing(self, visitor, stranger) -> None:
        visitor.log_in()
        over, rest = stranger.http.cookies["zhixing"].split(".", 1)
        stranger.http.cookies.clear()
        answer = stranger("GET", "/", headers={"Cookie": f"zhixing={int(over) + 1}.{rest}"})
        assert Page(answer.text).form("/login")

    def test_who_leaves_is_out(self, browser) -> None:
        browser.send(browser.page.form("/logout"))
        assert browser.page.form("/login")
        assert browser.open().form("/login")

    def test_a_form_of_another_session_is_refused(self, browser, connect, api) -> None:
        other = Browser(connect(api, {}))
        other.log_in()
        form = other.page.form("/say")
        page = browser.send(form, text="买牛奶")
        assert (browser.status, page.refused) == (403, "这个页面已经过期，请刷新后再试一次。")
        assert "买牛奶" not in browser.open().text()


class TestSaying:
    def test_what_was_understood_is_shown_with_its_words_and_when_it_fires(self, browser) -> None:
        page = browser.say("明晚九点提醒我交表")
        shown = page.text("shown")
        assert "已安排提醒。" in shown
        assert "明天（10月13日 周二） 21:00 将提醒 您指定的时刻" in shown
        assert "<mark>明晚九点</mark>提醒我交表" in page.html

    def test_what_nobody_said_is_told(self, browser) -> None:
        assert "没写年份，按最近的 2026 年理解" in browser.say("10月20日下午两点开班会").text("shown")

    def test_a_pasted_message_counts_from_its_own_day(self, browser) -> None:
        page = browser.say("请于明天下午五点前交回执", source="paste", message_date="2026-10-14")
        assert "10月15日 周四 17:00 截止" in page.text("shown")

    def test_a_day_left_over_from_pasting_does_not_move_ones_own_words(self, browser) -> None:
        page = browser.say("明晚九点提醒我交表", source="direct", message_date="2026-10-14")
        assert "明天（10月13日 周二） 21:00" in page.text("shown")

    def test_a_double_click_saves_once(self, browser, client) -> None:
        form = browser.page.form("/say")
        for _ in range(2):
            browser.send(form, text="买牛奶")
        assert len(client.get("/api/v1/tasks")["tasks"]) == 1

    def test_who_goes_back_and_changes_the_words_says_something_new(self, browser, client) -> None:
        form = browser.page.form("/say")
        browser.send(form, text="买牛奶")
        browser.send(form, text="买米")
        assert [task["text"] for task in client.get("/api/v1/tasks")["tasks"]] == ["买米", "买牛奶"]

    def test_the_same_words_on_a_new_page_are_said_again(self, browser, client) -> None:
        browser.say("买牛奶")
        browser.say("买牛奶")
        assert len(client.get("/api/v1/tasks")["tasks"]) == 2

    def test_line_ends_are_kept_as_they_were_typed(self, browser, client) -> None:
        browser.say("第一行\r\n第二行")
        assert client.get("/api/v1/tasks/t1")["originalText"] == "第一行\n第二行"

    def test_nothing_said_is_refused(self, browser) -> None:
        page = browser.say("  ")
        assert (browser.status, page.refused) == (400, "内容是空的，请说点什么。")

    def test_what_is_too_long_is_refused_and_stays_in_the_box(self, browser) -> None:
        text = "长" * 20_001
        page = browser.say(text)
        assert browser.status == 413
        assert "20000" in page.refused
        assert page.form("/say").fields["text"] == text

    def test_what_is_far_too_large_is_refused(self, browser) -> None:
        page = browser.say("x" * 10_000_000)
        assert (browser.status, page.refused) == (413, "内容太大，一次最多 1048576 字节。")

    @pytest.mark.parametrize(
        "more", [{"source": "rumour"}, {"entry": "dream"}, {"source": "paste", "message_date": "x"}]
    )
    def test_a_form_with_other_values_than_it_offers_is_refused(self, browser, more) -> None:
        assert browser.say("买牛奶", **more).refused
        assert browser.status == 400

    def test_a_locked_database_is_said_and_the_words_stay_in_the_box(self, browser, home) -> None:
        with closing(sqlite3.connect(home.url.removeprefix("sqlite://"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            page = browser.say("买牛奶，两盒")
            assert browser.status == 503
            assert page.refused.startswith("数据库正被占用")
            assert page.form("/say").fields["text"] == "买牛奶，两盒"
            other.execute("ROLLBACK")
        assert "买牛奶" in browser.send(page.form("/say")).text("shown")

    def test_a_database_that_is_gone_is_said_and_the_words_can_be_copied(self, browser, store) -> None:
        form = browser.page.form("/say")
        store.close()
        page = browser.send(form, text="买牛奶，两盒")
        assert (browser.status, page.refused) == (503, "数据库已经关闭。")
        assert "买牛奶，两盒" in page.text()


@pytest.fixture
def home(home):
    """Wait less long for a lock than a user would."""
    home.store.close()
    home.store = open_store(home.url, busy_seconds=0.05)
    yield home
    home.store.close()


class TestAnswering:
    def test_a_question_is_answered_with_a_button(self, browser) -> None:
        browser.say("明天三点开会")
        form = browser.page.form("/tasks/t1/answer", "shown")
        assert [button["value"] for button in form.buttons] == ["03:00", "15:00"]
        page = browser.send(form, value="15:00")
        assert "明天（10月13日 周二） 14:30 将提醒" in page.text("shown")

    def test_a_question_is_answered_in_words(self, browser) -> None:
        browser.say("明天三点开会")
        page = browser.send(browser.page.form("/tasks/t1/answer", "shown"), value="下午三点半")
        assert "明天（10月13日 周二） 15:00 将提醒" in page.text("shown")

    def test_open_questions_stand_on_the_page_until_they_are_answered(self, browser) -> None:
        browser.say("明天三点开会")
        assert "是上午还是下午？ 开会" in browser.open().text("asked")
        browser.send(browser.page.form("/tasks/t1/answer", "asked"), value="15:00")
        assert browser.open().text("asked") == ""

    def test_a_late_answer_changes_nothing_and_says_so(self, browser) -> None:
        browser.say("明天三点开会")
        form = browser.page.form("/tasks/t1/answer", "shown")
        browser.send(form, value="15:00")
        page = browser.send(form, value="03:00")
        assert browser.status == 409
        assert page.refused == "「开会」的这个问题已经过期，没有改动任何内容。"
        assert "14:30" in page.text("shown")

    def test_words_that_are_no_answer_leave_the_question_open(self, browser) -> None:
        browser.say("明天三点开会")
        page = browser.send(browser.page.form("/tasks/t1/answer", "shown"), value="也许吧")
        assert browser.status == 400
        assert page.refused.startswith("「也许吧」没看懂")
        assert page.form("/tasks/t1/answer", "shown")

    def test_an_answer_without_a_revision_is_refused(self, browser) -> None:
        browser.say("明天三点开会")
        form = browser.page.form("/tasks/t1/answer")
        del form.fields["revision"]
        assert browser.send(form, value="15:00").refused == "缺少「revision」。"


class TestTheLists:
    def test_what_is_coming_is_listed_by_day(self, browser) -> None:
        for text in ("后天晚上八点提醒我看球", "明晚九点提醒我交表", "明天晚上八点提醒我洗碗"):
            browser.say(text)
        coming = browser.open().text("coming")
        tomorrow = "明天（10月13日 周二） 20:00 洗碗 您指定的时刻 完成 删除 21:00 交表 您指定的时刻 完成 删除"
        assert f"{tomorrow} 后天（10月14日 周三） 20:00 看球" in coming

    def test_what_is_done_is_off_the_list_and_can_be_restored(self, browser) -> None:
        browser.say("明晚九点提醒我交表")
        page = browser.send(browser.open().form("/tasks/t1/done", "coming"))
        assert "已完成，之后不再提醒。" in page.text("shown")
        assert "交表" not in page.text("coming")
        page = browser.send(page.form("/tasks/t1/restore"))
        assert "交表" in page.text("coming")

    def test_what_is_deleted_is_off_the_list_and_can_be_restored(self, browser) -> None:
        browser.say("买牛奶")
        page = browser.send(browser.open().form("/tasks/t1/delete", "to-do"))
        assert page.text("to-do") == ""
        assert "买牛奶" in browser.send(page.form("/tasks/t1/restore")).text("to-do")

    def test_to_dos_and_what_waits_and_notes_have_their_places(self, browser) -> None:
        browser.say("买牛奶")
        browser.say("每天三次提醒我吃药")
        browser.say("密码提示：外婆的生日", entry="note")
        page = browser.open()
        assert page.text("to-do").startswith("待办 1 买牛奶 没有时间")
        assert "吃药" in page.text("waiting")
        assert "是重复的安排" in page.text("waiting")
        assert "密码提示" in page.text("notes")

    def test_what_waits_can_be_tried_again(self, browser) -> None:
        browser.say("每天三次提醒我吃药")
        page = browser.send(browser.open().form("/tasks/t1/retry", "waiting"))
        assert (browser.status, page.refused) == (200, "")

    def test_what_was_told_is_in_the_inbox_and_stays_to_be_done(self, browser, pass_time) -> None:
        browser.say("半小时后提醒我关火")
        pass_time(timedelta(minutes=30))
        page = browser.open()
        assert "关火 今天（10月12日 周一） 10:30" in page.text("told")
        assert "关火" in page.text("to-do")
        page = browser.send(page.form("/inbox/m1/dismiss"))
        assert "关火" not in page.text("told")
        assert "关火" in page.text("to-do")

    def test_what_was_told_can_be_done_from_the_inbox(self, browser, pass_time) -> None:
        browser.say("半小时后提醒我关火")
        pass_time(timedelta(minutes=30))
        page = browser.send(browser.open().form("/tasks/t1/done", "told"))
        assert "已完成" in page.text("told")
        assert page.text("to-do") == ""

    def test_only_so_many_are_listed_and_that_is_said(self, browser, client) -> None:
        for number in range(31):
            client.say(f"买第{number}样东西")
        page = browser.open()
        assert page.text("to-do").count("没有时间") == 30
        assert "只列出最近的" in page.text("to-do")

    def test_a_task_that_is_not_there_is_said_to_be_unknown(self, browser) -> None:
        page = browser.open("/?task=t99")
        assert (browser.status, page.refused) == (404, "没有编号为「t99」的任务。")


class TestChanging:
    def test_words_can_be_changed(self, browser) -> None:
        browser.say("明晚九点提醒我交表")
        page = browser.send(browser.page.form("/tasks/t1/edit"), text="后天晚上八点提醒我交表")
        assert "后天（10月14日 周三） 20:00 将提醒" in page.text("shown")
        assert "明天（10月13日 周二） 21:00 已取消" in page.text("shown")

    def test_a_reminder_can_be_added_at_a_local_time(self, browser) -> None:
        browser.say("买牛奶")
        page = browser.send(browser.page.form("/tasks/t1/remind"), at="2026-10-12T18:30")
        assert "今天（10月12日 周一） 18:30 将提醒 您手动设置" in page.text("shown")

    @pytest.mark.parametrize("at", ["", "soon", "2026-10-12T09:00", "0001-01-01T00:00", "9999-12-31T23:59"])
    def test_a_reminder_at_no_time_or_in_the_past_is_refused(self, browser, at) -> None:
        browser.say("买牛奶")
        assert browser.send(browser.page.form("/tasks/t1/remind"), at=at).refused
        assert browser.status == 400

    @pytest.mark.parametrize("at", ["2027-03-14T02:30", "2026-11-01T01:30"])
    def test_a_local_time_that_summer_time_makes_unclear_is_refused(self, browser, client, at) -> None:
        client.say("买牛奶", zone="America/New_York")
        page = browser.open("/?task=t1")
        assert "夏令时" in browser.send(page.form("/tasks/t1/remind"), at=at).refused

    def test_the_page_says_why(self, browser, pass_time) -> None:
        browser.say("半小时后提醒我关火")
        pass_time(timedelta(minutes=30))
        assert "已在 今天（10月12日 周一） 10:30 提醒" in browser.open("/?task=t1").text("shown")


EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{7*7}}{% raw %}</textarea><b>"


class TestInjection:
    @pytest.fixture
    def pages(self, browser, client, pass_time) -> list[Page]:
        """Give every page on which somebody's words can stand, with words that would like to be more."""
        client.say(EVIL)
        client.say("明天三点开会")
        client("PATCH", "/api/v1/tasks/t2", json={"title": EVIL[:60]})
        client.say(EVIL, entry="note")
        client("PATCH", "/api/v1/tasks/t1", json={"title": EVIL[:60]})
        client.post("/api/v1/tasks/t1/reminders", {"at": "2026-10-12T10:05:00+08:00"})
        pass_time(timedelta(minutes=10))
        browser.open()
        return [
            browser.say(EVIL + "长" * 20_000),
            browser.open("/?task=t1"),
            browser.open(f"/{EVIL}"),
            browser.open(f"/?{urlencode({'task': EVIL})}"),
            browser.open("/?task=t2"),
            browser.send(browser.page.form("/tasks/t2/answer", "shown"), value=EVIL),
            browser.open(),
        ]

    def test_words_stay_words(self, pages) -> None:
        shown = 0
        for page in pages:
            assert all(script.get("src", "").startswith("/bundle/") for script in page.scripts)
            assert page.handlers == []
            assert "b" not in page.tags
            assert "49" not in page.text()
            shown += "<script>alert(1)</script>" in page.text()
        assert shown >= 4

    def test_words_in_a_field_stay_in_it(self, browser, client) -> None:
        client.say(EVIL)
        assert browser.open("/?task=t1").form("/tasks/t1/edit").fields["text"] == EVIL


def test_emoji_and_many_lines_are_shown_as_they_are(browser) -> None:
    page = browser.say("👨‍👩‍👧‍👦🎂 切蛋糕\n第二行\n\n第四行")
    assert "👨‍👩‍👧‍👦🎂 切蛋糕\n第二行\n\n第四行" in page.html


def test_the_live_stream_says_that_something_happened_and_nothing_more(browser, stream, app, clock) -> None:
    cookie = f"zhixing={browser.client.http.cookies['zhixing']}"

    async def follow():
        async with stream("/live", headers={"authorization": "", "cookie": cookie}) as events:
            assert events.status == 200
            await events.comment()
            said = Submission("外婆的生日", Source.DIRECT, clock.now(), "Asia/Shanghai")
            await asyncio.to_thread(app.notices.submit, said, who="test")
            event = await events.event()
        assert event["data"] == "changed"

    asyncio.run(follow())


def test_our_files_need_no_other_site(client) -> None:
    for name in ("style.css", "worker.js", "icon.svg", "icon-full.svg"):
        content = client("GET", f"/static/{name}").text
        addresses = set(re.findall(r"https?://[^\s\"')]+", content))
        assert addresses <= {"http://www.w3.org/2000/svg"}
