"""What holds for every page: words in two languages, no inline script, forms that work alone, errors as pages."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from tests.faces.web.browsing import Browser, Page

from zhixing.faces.web.bundle import Bundle
from zhixing.faces.web.pages import BESIDE, PAGES
from zhixing.kernel.wording import LANGUAGES, section

TEMPLATES = sorted((files("zhixing.faces.web") / "templates").rglob("*.html"))
BUILT = Bundle({"app-1.js": b"1;"}, {"app": ("/bundle/app-1.js",)}, {"app": ("/bundle/app-1.css",)})


@pytest.fixture
def browser(enter) -> Browser:
    return enter()


@pytest.fixture
def with_scripts(serve, connect) -> Browser:
    """Give a browser inside a home whose pages have a bundle."""
    browser = Browser(connect(serve(bundle=BUILT), {}))
    browser.log_in()
    return browser


@pytest.fixture
def without_scripts(serve, connect) -> Browser:
    browser = Browser(connect(serve(bundle=Bundle()), {}))
    browser.log_in()
    return browser


def addresses() -> list[str]:
    return [*(page.address for page in PAGES), "/design", "/password", "/offline", "/nothing-here"]


class TestTheWords:
    @pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.name)
    def test_every_text_of_a_template_is_in_both_languages(self, template) -> None:
        missing = []
        for key, goes_on in re.findall(r'\bt\("([\w.]+)"(\s*~)?', template.read_text(encoding="utf-8")):
            name, _, entry = key.partition(".")
            for language in LANGUAGES:
                known = section(name, language)
                if not (any(each.startswith(entry) for each in known) if goes_on else entry in known):
                    missing.append(f"{key} {language}")
        assert missing == []

    @pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.name)
    def test_no_template_has_words_of_its_own(self, template) -> None:
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", template.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert re.findall("[\u4e00-\u9fff]+", text) == []
        shown = re.sub(r"<[^>]*>", " ", text)
        assert [word for word in re.findall(r"[A-Za-z]{3,}", shown) if word not in ("text", "doctype", "html")] == []

    def test_every_page_in_the_navigation_has_a_title(self) -> None:
        for page in PAGES:
            name, _, entry = page.title.partition(".")
            assert all(entry in section(name, language) for language in LANGUAGES)


class TestTheNavigation:
    def test_it_names_every_page_and_marks_the_one_that_is_open(self, browser) -> None:
        page = browser.open()
        found = re.findall(r'<a href="([^"]+)"( aria-current="page")?>', page.html)
        assert [address for address, _ in found] == [each.address for each in PAGES]
        assert [address for address, is_open in found if is_open] == ["/"]

    def test_every_page_it_names_is_there(self, browser) -> None:
        for page in PAGES:
            browser.open(page.address)
            assert browser.status == 200, page.address

    def test_every_module_has_a_router(self) -> None:
        assert all(module.router.routes for module in (*(page.module for page in PAGES), *BESIDE))


class TestWithoutScripts:
    def test_no_page_names_a_script_that_was_not_built(self, without_scripts) -> None:
        for address in addresses():
            page = without_scripts.open(address)
            assert page.scripts == []
            assert "htmx" not in page.html

    def test_every_form_says_where_it_goes_and_what_it_sends(self, without_scripts) -> None:
        for said in ("明天三点开会", "明晚九点提醒我交表", "久坐30分钟提醒一下"):
            without_scripts.say(said)
        for address in (*addresses(), "/?task=t1", "/?task=t2"):
            for form in without_scripts.open(address).forms:
                assert form.action.startswith("/"), address
                if form.action != "/design":  # those are there to be looked at
                    assert form.buttons, (address, form)
                    inside = form.action not in ("/login", "/language") and form.method == "post"
                    assert ("proof" in form.fields) is inside, (address, form)

    def test_everything_is_done_by_sending_forms(self, without_scripts) -> None:
        page = without_scripts.say("明天三点开会")
        page = without_scripts.send(page.form("/tasks/t1/answer", "shown"), value="15:00")
        page = without_scripts.send(page.form("/tasks/t1/done", "shown"))
        assert "已完成" in page.text("shown")
        assert without_scripts.send(page.form("/logout")).form("/login")


class TestWithScripts:
    def test_every_page_names_the_bundle_and_no_other_script(self, with_scripts) -> None:
        for address in addresses():
            page = with_scripts.open(address)
            assert [script["src"] for script in page.scripts] == ["/bundle/app-1.js"], address
            assert '<link rel="stylesheet" href="/bundle/app-1.css">' in page.html
            assert '"allowEval":false' in page.html
            assert '"includeIndicatorStyles":false' in page.html

    def test_no_page_has_script_or_style_inside(self, with_scripts) -> None:
        with_scripts.say("明天三点开会")
        for address in (*addresses(), "/?task=t1"):
            page = with_scripts.open(address)
            assert page.handlers == []
            assert "style" not in page.tags
            assert re.findall(r"<script[^>]*>\s*[^<\s]", page.html) == []
            assert "javascript:" not in page.html
            assert not re.search(r'hx-(on|vals|vars|headers)|hx-trigger="[^"]*\[', page.html)

    def test_every_page_has_one_heading_of_its_own_one_main_part_and_a_title(self, with_scripts) -> None:
        for address in addresses():
            page = with_scripts.open(address)
            assert (page.tags.count("h1"), page.tags.count("main"), page.tags.count("title")) == (1, 1, 1), address

    def test_the_live_parts_have_names_that_occur_once(self, with_scripts) -> None:
        with_scripts.say("明天三点开会")
        ids = re.findall(r'\sid="([^"]+)"', with_scripts.open("/?task=t1").html)
        assert len(ids) == len(set(ids))
        assert {"shown", "asked", "talks", "told", "coming", "to-do"} <= set(ids)


class TestErrors:
    """Whatever is wrong, a person gets a page with one line and a way on."""

    @staticmethod
    def seen(answer) -> tuple[int, str]:
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        page = Page(answer.text)
        assert page.handlers == []
        return answer.status_code, page.refused

    def test_who_nobody_knows_gets_the_page_that_asks(self, stranger) -> None:
        answer = stranger("GET", "/live")
        assert self.seen(answer) == (401, "登录已经过期，请重新输入口令。")
        assert Page(answer.text).form("/login")

    def test_a_foreign_name_is_a_page(self, stranger) -> None:
        status, line = self.seen(stranger("GET", "/", headers={"Host": "evil.example"}))
        assert status == 403
        assert "evil.example" in line

    def test_a_form_of_another_page_is_a_page(self, browser) -> None:
        assert self.seen(browser.client("POST", "/say", data={"text": "x"})) == (
            403,
            "这个页面已经过期，请刷新后再试一次。",
        )

    @pytest.mark.parametrize("path", ["/nothing", "/static/nothing.css", "/bundle/nothing.js", "/tasks/t1/picture"])
    def test_what_is_not_there_is_a_page(self, browser, path) -> None:
        status, line = self.seen(browser.client("GET", path))
        assert status == 404
        assert line

    def test_another_method_is_a_page(self, browser) -> None:
        assert self.seen(browser.client("PUT", "/say"))[0] == 405

    def test_too_much_is_a_page(self, browser) -> None:
        answer = browser.client("POST", "/say", data={"text": "x" * 2_000_000})
        assert self.seen(answer) == (413, "内容太大，一次最多 1048576 字节。")
        assert 'href="/"' in answer.text

    def test_too_often_is_a_page(self, stranger) -> None:
        for _ in range(10):
            stranger("POST", "/login", data={"token": "wrong"})
        assert self.seen(stranger("POST", "/login", data={"token": "wrong"})) == (
            429,
            "口令试错太多次了，请一分钟后再试。",
        )


def test_a_note_is_one_of_ours_and_stands_once(browser) -> None:
    session = browser.client.http.cookies["zhixing"]
    for note in ("password_set", "nothing", "../x", "title", '"><b>'):
        answer = browser.client("GET", "/", headers={"Cookie": f"zhixing={session}; zhixing-note={note}"})
        assert bool(Page(answer.text).note) is (note == "password_set")
        assert "<b>" not in answer.text
        assert "zhixing-note=" in answer.headers["set-cookie"]
