"""Drafts of document tasks on the page and for programs."""

from __future__ import annotations

from tests.faces.http.documents.conftest import API, fault
from tests.faces.web.browsing import Browser

WISH = "每天早上8点帮我写一份昨天的工作日报发给我"


def test_a_draft_is_found_by_its_number_however_it_is_written_and_answered_by_a_button(stranger) -> None:
    browser = Browser(stranger)
    browser.log_in()
    assert WISH in browser.say(WISH).text("shown")
    page = browser.open("/?task=D1")
    assert (browser.status, page.refused) == (200, "")
    assert WISH in page.text("shown")
    assert page.text("talks") == ""
    page = browser.send(page.form("/drafts/d1/answer", "shown"), value="A")
    assert (browser.status, page.refused) == (200, "")
    assert browser.open().text("talks") == ""


def test_programs_get_the_draft_and_then_the_task_that_was_made_of_it(client) -> None:
    draft = client.post(f"{API}/say", {"text": WISH})
    assert (draft["way"], draft["state"], draft["document"]) == ("document", "shown", None)
    saved = client.post(f"{API}/drafts/{draft['id']}/answer", {"value": "A"})
    assert saved["state"] == "saved"
    assert saved["document"] == client.get(f"{API}/documents/{saved['document']['taskId']}")
    assert [one["id"] for one in client.get(f"{API}/drafts")["drafts"]] == [draft["id"]]
    assert fault(client("GET", f"{API}/drafts/d9")) == (404, "draft_unknown")
    assert fault(client("GET", f"{API}/drafts?before=x")) == (400, "cursor_unreadable")
