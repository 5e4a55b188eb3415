"""Chats over HTTP: bound to channels, and sent to, now or later."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.faces.http.conftest import ZONE
from tests.faces.http.documents.conftest import API, fault

from zhixing.app import App, build
from zhixing.world.channels.memory import MemoryChannel

SESSIONS, MESSAGES = f"{API}/chat/sessions", f"{API}/chat/messages"


@pytest.fixture
def app(store, clock) -> App:
    return build(store, clock, ZONE, {"phone": MemoryChannel("phone"), "tg": MemoryChannel("tg")})


def test_a_session_is_bound_shown_and_let_go(client) -> None:
    bound = client("PUT", f"{SESSIONS}/group%2F7", json={"channels": ["phone", "tg", "phone"]}).json()
    assert (bound["sessionId"], bound["channels"]) == ("group/7", ["phone", "tg"])
    assert bound["boundAt"] == "2026-10-12T10:00:00+08:00"
    assert client.get(f"{SESSIONS}/group%2F7") == bound
    assert client.get(SESSIONS)["sessions"] == [bound]
    assert client("DELETE", f"{SESSIONS}/group%2F7").json() == {"sessionId": "group/7", "removed": True}
    for method in ("GET", "DELETE"):
        assert fault(client(method, f"{SESSIONS}/group%2F7")) == (404, "chat_session_unknown")


def test_a_session_that_never_was_bound_is_the_channel_of_its_name(client) -> None:
    assert client.get(f"{SESSIONS}/phone") == {"sessionId": "phone", "channels": ["phone"], "boundAt": None}


def test_a_message_is_in_the_inbox_at_once_or_when_it_is_due(client, pass_time) -> None:
    sent = client.post(MESSAGES, {"sessionId": "phone", "text": "饭好了"})
    assert (sent["channels"], sent["at"]) == (["phone"], "2026-10-12T10:00:00+08:00")
    later = client.post(MESSAGES, {"sessionId": "nobody", "text": "该走了", "at": "2026-10-12T10:30:00+08:00"})
    assert later["channels"] == []
    texts = lambda: [one["text"] for one in client.get(f"{API}/inbox")["messages"]]  # noqa: E731
    assert texts() == ["饭好了"]
    pass_time(timedelta(minutes=31))
    assert texts() == ["饭好了", "该走了"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"sessionId": "a", "text": " "}, 400, "text_empty"),
        ({"sessionId": " ", "text": "x"}, 400, "chat_session_wrong"),
        ({"sessionId": "a\nb", "text": "x"}, 400, "chat_session_wrong"),
        ({"sessionId": "a", "text": "x" * 20_001}, 413, "text_long"),
        ({"sessionId": "a", "text": "x", "at": "明天"}, 400, "instant_unreadable"),
        ({"sessionId": "a", "text": "x", "at": "2026-10-12T10:00:00"}, 400, "instant_without_offset"),
        ({"sessionId": "a", "text": "x", "at": "2036-10-12T10:00:00+08:00"}, 400, "chat_far"),
        ({"sessionId": "a", "text": "x", "to": "b"}, 400, "field_unknown"),
        ({"text": "x"}, 400, "field_missing"),
    ],
)
def test_what_cannot_be_sent_is_one_line_and_sends_nothing(client, body, status, code) -> None:
    assert fault(client("POST", MESSAGES, json=body)) == (status, code)
    assert client.get(f"{API}/inbox")["messages"] == []


def test_what_cannot_be_bound_is_one_line(client) -> None:
    assert fault(client("PUT", f"{SESSIONS}/a", json={"channels": ["pigeon"]})) == (404, "chat_channel_unknown")
    assert fault(client("PUT", f"{SESSIONS}/a", json={"channels": ["phone"] * 11}))[0] in (400, 413)
    assert fault(client("PUT", f"{SESSIONS}/{'a' * 300}", json={"channels": []})) == (400, "chat_session_wrong")
    assert fault(client("PUT", f"{SESSIONS}/%00", json={"channels": []})) == (400, "chat_session_wrong")
