"""`city chat`: messages to the chat of a session."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.faces.city.letters import read_letter
from zhixing.kernel.errors import BadInput


@pytest.fixture
def chat(city):
    city.home.mkdir()
    (city.home / "config.toml").write_text(
        '[channels.feishu]\nurl = "https://127.0.0.1:1/x"\n[channels.wecom]\nurl = "https://127.0.0.1:1/y"\n',
        encoding="utf-8",
    )
    return city


def test_a_message_goes_to_the_chat_of_the_surroundings(city):
    city.env["DC_SESSION_ID"] = "tg-1"
    assert city("chat", "send", "--text", "你好").data["chatKey"] == "tg-1"
    city.env["DC_CTX_CHAT_KEY"] = "tg-2"
    assert city("chat", "send", "--text", "你好").data["chatKey"] == "tg-2"
    assert city("chat", "send", "--text", "你好", "--chat-key", "tg-3").data["chatKey"] == "tg-3"


def test_a_session_is_bound_to_channels_of_the_home(chat):
    assert chat("chat", "list").data["sessions"] == []
    assert chat("chat", "bind", "tg-1", "feishu", "wecom").data["channels"] == ["feishu", "wecom"]
    assert chat("chat", "send", "--text", "你好", "--chat-key", "tg-1").data["channels"] == ["feishu", "wecom"]
    assert chat("chat", "send", "--text", "你好", "--chat-key", "wecom").data["channels"] == ["wecom"]
    [session] = chat("chat", "list").data["sessions"]
    assert (session["sessionId"], session["boundAt"]) == ("tg-1", "2026-10-12T10:00:00+08:00")
    code, line = chat.refused("chat", "bind", "tg-1", "dingtalk")
    assert (code, "feishu" in line) == ("chat_channel_unknown", True)
    assert chat("chat", "unbind", " tg-1 ").data["sessionId"] == "tg-1"
    assert chat.refused("chat", "unbind", "tg-1")[0] == "chat_session_unknown"


def test_a_message_may_come_from_standard_input_or_a_file(city):
    (city.project / "note.md").write_text("来自文件", encoding="utf-8")
    assert city("chat", "send", "--text-file", "note.md", "--chat-key", "s").data["success"] is True
    assert city("chat", "send", "--stdin", "--chat-key", "s", stdin="来自管道".encode()).data["success"] is True
    assert city.refused("chat", "send", "--stdin", "--chat-key", "s", stdin=b"  ")[0] == "text_empty"
    assert city.refused("chat", "send", "--text-file", "none", "--chat-key", "s")[0] == "file_unreadable"
    assert city.refused("chat", "send", "--text", "字" * 20_001, "--chat-key", "s")[0] == "text_long"


@pytest.mark.parametrize(
    ("flags", "at"),
    [
        (("--delay", "90000"), "2026-10-12T10:01:30+08:00"),
        (("--time", "1791774000"), "2026-10-12T11:00:00+08:00"),
        (("--time", "1791774000000"), "2026-10-12T11:00:00+08:00"),
        (("--time", "2026-10-12T11:00:00+08:00"), "2026-10-12T11:00:00+08:00"),
        (("--time", "2020-01-01T00:00:00+08:00"), "2026-10-12T10:00:00+08:00"),
        (("--reply", "--message-id", "77"), "2026-10-12T10:00:00+08:00"),
    ],
)
def test_a_message_may_be_sent_later(city, flags, at):
    assert city("chat", "send", "--text", "到点了", "--chat-key", "s", *flags).data["at"] == at


def test_a_message_that_is_due_is_sent(city):
    city("chat", "send", "--text", "到点了", "--chat-key", "s", "--delay", "60000")
    assert city.ring() == 0
    city.clock.advance(timedelta(minutes=1))
    assert city.ring() > 0


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("--delay", "5s"), "city_delay"),
        (("--delay", "-5"), "city_delay"),
        (("--delay", "99999999999999"), "chat_far"),
        (("--time", "99999999999999"), "chat_far"),
        (("--time", "明天"), "document_instant_unreadable"),
        (("--time", "2026-10-12T11:00:00"), "document_instant_without_offset"),
    ],
)
def test_a_time_that_cannot_be_is_refused(city, flags, code):
    assert city.refused("chat", "send", "--text", "a", "--chat-key", "s", *flags)[0] == code


def test_a_head_of_the_text_says_where_and_when(city):
    text = "---\nchatKey: tg-9\ndelay: 60000\n---\n正文"
    sent = city("chat", "send", "--text", text).data
    assert (sent["chatKey"], sent["at"]) == ("tg-9", "2026-10-12T10:01:00+08:00")
    assert city("chat", "send", "--text", text, "--chat-key", "tg-1").data["chatKey"] == "tg-1"


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("一\\n二", "一\n二"),
        ("一\n二\\n三", "一\n二\\n三"),
        ("---\ntitle: 报告\n---\n正文", "---\ntitle: 报告\n---\n正文"),
        ("---\n正文", "---\n正文"),
        ("---\nchatkey: 's'\n---\n正文\n", "正文"),
    ],
)
def test_what_is_the_message_and_what_is_its_head(written, text):
    assert read_letter(written).text == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('看图 <file type="photo">a.png</file>', "city_file_block"),
        ("---\nchatKey: s\nchanel: x\n---\n正文", "city_head"),
        ("---\nchatKey: s\nchatKey: t\n---\n正文", "city_head"),
    ],
)
def test_what_would_go_wrong_in_silence_is_refused(city, text, code):
    assert city.refused("chat", "send", "--text", text, "--chat-key", "s")[0] == code


@given(st.text())
def test_a_text_is_taken_apart_or_refused_and_never_lost(text):
    try:
        letter = read_letter(text)
    except BadInput:
        return
    if letter.chat_key is letter.delay is letter.time is None and "---" not in text and "\\n" not in text:
        assert letter.text == text.strip("\n")
