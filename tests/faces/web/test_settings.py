"""The page of settings: what is shown, what is changed in the file, and what is never shown."""

from __future__ import annotations

from typing import ClassVar

import pytest
from tests.faces.web.browsing import TOKEN, Browser

from zhixing.app import build
from zhixing.doctor import Answer
from zhixing.faces.http import create_app
from zhixing.faces.web.settings.ground import Ground
from zhixing.settings import HomeZone, ZoneSource
from zhixing.world.channels.memory import MemoryChannel

SECRET = "sk-very-secret-0001"


@pytest.fixture
def place(tmp_path):
    (tmp_path / "config.toml").write_text('# ours\nzone = "Asia/Shanghai"\n', encoding="utf-8")
    return tmp_path


@pytest.fixture
def env() -> dict[str, str]:
    return {"ZHIXING_LIMITS_TEXT_CHARS": "5000"}


@pytest.fixture
def browser(store, clock, connect, place, env) -> Browser:
    app = build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {"phone": MemoryChannel()})
    ground = Ground(place, env, lambda _host, _port: Answer.NOBODY)
    browser = Browser(connect(create_app(app, TOKEN, ground=ground), {}))
    browser.log_in()
    return browser


def written(place) -> str:
    return (place / "config.toml").read_text(encoding="utf-8")


def plain(browser: Browser, key: str):
    page = browser.open("/settings")
    return next(form for form in page.forms if form.fields.get("key") == key and form.action == "/settings/set")


def test_it_says_where_everything_is_and_not_what_opens_it(browser, place) -> None:
    page = browser.open("/settings")
    assert str(place / "config.toml") in page.text()
    assert str(place / "token") in page.text()
    assert TOKEN not in page.html


def test_a_setting_is_changed_in_the_file_and_its_comments_stay(browser, place) -> None:
    page = browser.send(plain(browser, "zone"), value="Europe/Paris")
    assert page.note == "已保存，重启服务后生效。"
    assert written(place) == '# ours\nzone = "Europe/Paris"\n'
    browser.send(plain(browser, "zone"), value="")
    assert "zone" not in written(place)


@pytest.mark.parametrize(
    ("key", "value"),
    [("zone", "Mars/Olympus"), ("documents.at_once", "viel"), ("limits.body_bytes", "1"), ("zone", "\x00")],
)
def test_a_wrong_value_is_said_and_nothing_is_written(browser, place, key, value) -> None:
    before = written(place)
    page = browser.send(plain(browser, key), value=value)
    assert (browser.status, bool(page.refused)) == (400, True)
    assert written(place) == before


@pytest.mark.parametrize("key", ["documents.agent_command", "documents.sandbox", "store.url", "server.host", "<b>", ""])
def test_what_decides_over_the_machine_is_not_changed_from_a_page(browser, place, key) -> None:
    before = written(place)
    form = plain(browser, "zone")
    form.fields["key"] = key
    page = browser.send(form, value="none")
    assert browser.status == 404
    assert "zhixing config set" in page.refused
    assert written(place) == before


def test_what_a_variable_decides_is_said(browser) -> None:
    assert "由环境变量 ZHIXING_LIMITS_TEXT_CHARS 决定" in browser.open("/settings").text()


class TestTheModel:
    GIVEN: ClassVar = {"base_url": "https://models.example/v1", "key": SECRET, "text": "small", "vision": ""}

    def test_it_is_set_up_and_its_key_is_never_shown(self, browser, place) -> None:
        page = browser.send(browser.open("/settings").form("/settings/model"), **self.GIVEN)
        assert SECRET in written(place)
        assert SECRET not in page.html
        assert page.form("/settings/model").fields["base_url"] == "https://models.example/v1"

    def test_its_key_stays_when_none_is_given_and_is_forgotten_by_a_button(self, browser, place) -> None:
        page = browser.send(browser.open("/settings").form("/settings/model"), **self.GIVEN)
        page = browser.send(page.form("/settings/model"), text="large")
        assert SECRET in written(place)
        assert "large" in written(place)
        browser.send(page.form("/settings/model/forget"))
        assert SECRET not in written(place)

    def test_a_wrong_address_is_said_without_the_key(self, browser, place) -> None:
        page = browser.send(browser.open("/settings").form("/settings/model"), **{**self.GIVEN, "base_url": "nowhere"})
        assert browser.status == 400
        assert SECRET not in page.html + written(place)


class TestWaysOfTelling:
    @staticmethod
    def add(browser: Browser, **given: str):
        form = browser.open("/settings").form("/settings/channels")
        return browser.send(form, **{"name": "phone", "url": f"ntfy://host/{SECRET}", "quiet": "22:00-07:00", **given})

    def test_one_is_added_and_its_address_is_masked(self, browser, place) -> None:
        page = self.add(browser)
        assert "安静 22:00-07:00" in page.text()
        assert SECRET in written(place)
        assert SECRET not in page.html

    def test_its_hours_are_changed_and_its_address_stays(self, browser, place) -> None:
        page = self.add(browser)
        browser.send(page.form("/settings/channels"), quiet="23:00-06:00", per_hour="5")
        assert SECRET in written(place)
        assert "23:00-06:00" in written(place)
        assert "per_hour = 5" in written(place)

    def test_a_test_is_sent_and_what_became_of_it_is_said(self, browser) -> None:
        page = self.add(browser)
        page = browser.send(page.form("/settings/channels/phone/test"))
        assert browser.status == 200
        assert page.note

    def test_one_that_is_not_there_before_a_restart_says_so(self, browser) -> None:
        page = self.add(browser, name="later")
        page = browser.send(page.form("/settings/channels/later/test"))
        assert (browser.status, page.refused) == (503, "「later」要等服务重启后才能用。")

    def test_one_is_removed(self, browser, place) -> None:
        page = self.add(browser)
        browser.send(page.form("/settings/channels/phone/remove"))
        assert "channels" not in written(place)

    @pytest.mark.parametrize(
        "given", [{"name": "a.b"}, {"name": ""}, {"name": "inbox"}, {"url": "x"}, {"quiet": "夜里"}]
    )
    def test_what_cannot_be_is_said_in_one_line(self, browser, given) -> None:
        page = self.add(browser, **given)
        assert browser.status == 400
        assert page.refused
        assert SECRET not in page.html


def test_everything_is_looked_at_by_a_button(browser, place) -> None:
    page = browser.send(browser.open("/settings").form("/settings/check"))
    assert browser.status == 200
    assert "正常" in page.text()
    assert str(place) in page.text()


def test_a_file_that_cannot_be_read_is_said_with_its_line(browser, place) -> None:
    (place / "config.toml").write_text("zone = \n", encoding="utf-8")
    page = browser.open("/settings")
    assert browser.status == 400
    assert "第 1 行" in page.refused


def test_a_home_that_is_served_without_its_folder_says_so(enter) -> None:
    browser = enter()
    assert "这里看不到设置" in browser.open("/settings").text()
    assert browser.status == 200


def test_it_speaks_english_and_nothing_in_it_is_script(browser) -> None:
    browser.client("POST", "/language", data={"language": "en", "to": "/"})
    page = browser.open("/settings")
    assert "Ways of telling" in page.text()
    assert (page.handlers, page.scripts == [] or all("src" in each for each in page.scripts)) == ([], True)
