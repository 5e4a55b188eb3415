"""Giving a picture on the page, and seeing it there."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.faces.web.browsing import Browser, Page
from tests.notices.drawn import jpeg, png
from tests.notices.replied import item, node, reply

from zhixing.app import build
from zhixing.faces.http import create_app
from zhixing.settings import HomeZone, ZoneSource
from zhixing.world.models.scripted import ScriptedModel

TOKEN = "a-token-for-tests-0123456789"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def model(clock) -> ScriptedModel:
    return ScriptedModel(clock)


@pytest.fixture
def app(store, clock, model):
    return build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {}, model=model)


@pytest.fixture
def browser(connect, app) -> Browser:
    browser = Browser(connect(create_app(app, TOKEN), {}))
    browser.log_in()
    return browser


def give(browser: Browser, data: bytes | None, **filled: str) -> Page:
    """Send the form for pictures as a browser does, and follow where it leads."""
    form = browser.page.form("/pictures")
    fields = {name: value for name, value in form.fields.items() if name != "file"}
    files = {"file": ("", b"") if data is None else ("截图.png", data, "image/png")}
    answer = browser.client("POST", form.action, data={**fields, **filled}, files=files)
    if answer.status_code == 303:
        return browser.open(answer.headers["location"])
    browser.status, browser.page = answer.status_code, Page(answer.text)
    return browser.page


def test_a_picture_is_shown_as_it_came(browser) -> None:
    page = give(browser, png(), text="看看")
    assert browser.status == 200
    assert 'src="/tasks/t1/picture"' in page.html
    answer = browser.client("GET", "/tasks/t1/picture")
    assert (answer.headers["content-type"], answer.content) == ("image/png", png())


def test_what_a_model_read_in_it_stands_there_with_the_time_marked(browser, app, clock, model) -> None:
    said = "10月20日下午3点开会"
    model.then(reply(said, item(said, node("start", "10月20日下午3点", said))))
    give(browser, png())
    clock.advance(timedelta(seconds=1))
    app.engine.drain()
    page = browser.open("/?task=t1")
    assert "<mark>10月20日下午3点</mark>开会" in page.html


def test_the_same_form_sent_twice_keeps_one(browser, app) -> None:
    form = browser.page
    give(browser, png())
    browser.page = form
    give(browser, png())
    with app.store.read() as tx:
        assert tx.row("SELECT count(*) FROM notices")[0] == 1


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (None, "没有收到图片，请选一张再发送。"),
        (b"GIF89a" + bytes(64), "这不是能收的图片，只收 PNG、JPEG、WebP 和 HEIC。"),
        (jpeg(), "图片其实是 JPEG，和说的格式不一样。"),
    ],
)
def test_what_cannot_be_taken_is_told_and_the_words_stay(browser, data, line) -> None:
    page = give(browser, data, text="说明")
    assert browser.status == 400
    assert page.refused == line
    assert page.form("/say").fields["text"] == "说明"


def test_a_picture_of_the_page_is_for_visitors_alone(browser, connect, app) -> None:
    give(browser, png())
    stranger = connect(create_app(app, TOKEN), {})
    assert stranger("GET", "/tasks/t1/picture").status_code == 401
    assert stranger("POST", "/pictures", files={"file": ("a", png())}).status_code == 401
