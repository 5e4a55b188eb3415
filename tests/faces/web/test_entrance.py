"""Coming in with a token or a password, in two languages; and what a form from elsewhere may not do."""

from __future__ import annotations

import stat
from datetime import timedelta

import pytest
from fastapi.routing import iter_route_contexts
from tests.faces.web.browsing import TOKEN, Browser

from zhixing.app import build
from zhixing.faces.http import create_app
from zhixing.faces.web.password import Password, password_file
from zhixing.kernel.errors import BadInput
from zhixing.settings import HomeZone, ZoneSource

WORD = "一只会飞的猫咪 7"


@pytest.fixture
def file(tmp_path):
    return password_file(tmp_path / "house")


@pytest.fixture
def api(store, clock, file):
    app = build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {})
    return create_app(app, TOKEN, password=Password(file))


@pytest.fixture
def browser(enter) -> Browser:
    return enter()


def set_password(browser: Browser, word: str = WORD, **more: str):
    form = browser.open("/password").form("/password")
    return browser.send(form, **{"password": word, "again": word, **more})


class TestThePassword:
    def test_it_is_set_once_inside_and_opens_the_page_from_then_on(self, browser, connect, api) -> None:
        page = set_password(browser)
        assert (browser.status, page.note) == (200, "密码设好了，下次可以用它进来。")
        assert browser.open().note == ""
        other = Browser(connect(api, {}))
        assert "口令或密码" in other.open().text()
        assert other.log_in(WORD).form("/say")

    def test_the_token_still_opens_the_page(self, browser, connect, api) -> None:
        set_password(browser)
        assert Browser(connect(api, {})).log_in().form("/say")

    def test_it_survives_a_restart_and_stands_nowhere_as_it_is(self, browser, file) -> None:
        set_password(browser)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert WORD not in file.read_text(encoding="ascii")
        again = Password(file)
        assert again.opens(WORD)
        assert not again.opens(WORD + " ")
        assert WORD not in repr(vars(again))

    def test_setting_it_ends_every_other_session(self, browser, connect, api) -> None:
        other = Browser(connect(api, {}))
        other.log_in()
        set_password(browser)
        assert browser.open().form("/say")
        assert other.open().form("/login")

    def test_to_change_it_the_present_one_or_the_token_is_needed(self, browser) -> None:
        set_password(browser)
        page = set_password(browser, "another word", current="wrong word")
        assert (browser.status, page.refused) == (403, "口令或密码不对。")
        assert set_password(browser, "another word", current=WORD).note
        assert set_password(browser, "a third word", current=TOKEN).note

    @pytest.mark.parametrize(
        ("word", "again", "status"),
        [("short 7", "short 7", 400), ("long enough", "long enouhg", 400), ("x" * 201, "x" * 201, 413), ("", "", 400)],
    )
    def test_a_word_that_is_none_is_refused_and_nothing_is_set(self, browser, file, word, again, status) -> None:
        page = set_password(browser, word, again=again)
        assert browser.status == status
        assert page.refused
        assert not file.exists()

    def test_wrong_passwords_count_like_wrong_tokens(self, browser, connect, api, clock) -> None:
        set_password(browser)
        other = Browser(connect(api, {}))
        for _ in range(10):
            assert other.log_in("wrong word").refused == "口令或密码不对。"
        assert other.log_in(WORD).refused == "口令试错太多次了，请一分钟后再试。"
        assert other.status == 429
        page = set_password(browser, "another word", current=WORD)
        assert browser.status == 429
        assert page.form("/password")
        clock.advance(timedelta(seconds=61))
        assert other.log_in(WORD).form("/say")

    def test_many_right_ones_are_not_counted(self, browser, connect, api) -> None:
        set_password(browser)
        for _ in range(12):
            assert Browser(connect(api, {})).log_in(WORD).form("/say")

    @pytest.mark.parametrize("kept", ["", "scrypt", "scrypt zz zz", "other 00 00", "scrypt 00 00", "口令"])
    def test_a_file_that_is_no_password_stops_the_start_with_one_line(self, tmp_path, kept) -> None:
        file = tmp_path / "password"
        file.write_text(kept, encoding="utf-8")
        with pytest.raises(BadInput, match="用口令进来再设一个"):
            Password(file)

    def test_a_home_whose_pages_have_no_password_opens_for_none(self) -> None:
        assert not Password(None).opens("")


class TestTheLanguage:
    def test_it_is_chinese_until_somebody_chooses_english_and_stays(self, visitor) -> None:
        page = visitor.open()
        assert '<html lang="zh-CN">' in page.html
        page = visitor.send(page.form("/language"), language="en")
        assert '<html lang="en">' in page.html
        assert "Token" in page.text()
        page = visitor.log_in()
        assert "Nothing to be told" not in page.html
        assert "Today" in page.text()
        assert '<html lang="zh-CN">' in visitor.send(page.form("/language"), language="zh").html

    def test_it_leads_back_to_where_it_was_chosen(self, browser) -> None:
        browser.say("买牛奶")
        page = browser.open("/?task=t1")
        answer = browser.client("POST", "/language", data={**page.form("/language").fields, "language": "en"})
        assert answer.headers["location"] == "/?task=t1"

    def test_what_is_refused_is_said_in_it(self, visitor) -> None:
        visitor.send(visitor.open().form("/language"), language="en")
        assert visitor.log_in("wrong").refused == "That is not the token."
        assert visitor.open("/nothing").refused.startswith("There is nothing at")

    def test_another_language_is_chinese(self, visitor) -> None:
        for language in ("", "fr", "../../etc", "é"):
            visitor.client("POST", "/language", data={"language": language})
            assert '<html lang="zh-CN">' in visitor.open().html
        answer = visitor.client("GET", "/", headers={"Cookie": "zhixing-language=é".encode()})
        assert '<html lang="zh-CN">' in answer.text


def test_a_form_leads_to_no_other_site(visitor) -> None:
    for to in ("//evil.example", "/\\evil.example", "https://evil.example", "x", "", "/\n/x", "/" + "x" * 501):
        for path, more in (("/login", {"token": TOKEN}), ("/language", {"language": "en"})):
            answer = visitor.client("POST", path, data={**more, "to": to})
            assert answer.headers["location"] == "/", to


def test_who_was_asked_who_they_are_comes_to_the_page_they_wanted(visitor) -> None:
    page = visitor.open("/design?tab=1")
    assert visitor.status == 401
    answer = visitor.client("POST", "/login", data={**page.form("/login").fields, "token": TOKEN})
    assert answer.headers["location"] == "/design?tab=1"


def test_a_page_that_renews_its_session_has_forms_that_work(browser, clock) -> None:
    clock.advance(timedelta(days=20))
    browser.open()
    assert browser.say("买牛奶").refused == ""


OPEN_FORMS = {"/login", "/language"}


def test_every_form_needs_a_session_and_its_proof(api, stranger) -> None:
    paths = {
        route.path
        for route in iter_route_contexts(api.routes)
        if not route.path.startswith("/api/") and "POST" in (route.methods or ())
    }
    assert paths > OPEN_FORMS | {"/say", "/tasks/{task_id}/done"}
    inside = [path.replace("{", "").replace("}", "") for path in sorted(paths - OPEN_FORMS)]
    for path in inside:
        assert stranger("POST", path).status_code == 401, path
    stranger("POST", "/login", data={"token": TOKEN})
    for path in inside:
        assert stranger("POST", path).status_code == 403, path
        assert stranger("POST", path, data={"proof": "0" * 64, "text": "买牛奶"}).status_code == 403, path
    assert "买牛奶" not in stranger("GET", "/").text
