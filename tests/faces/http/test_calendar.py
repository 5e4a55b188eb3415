"""The calendar feed over HTTP, and what is done about messages and channels."""

from __future__ import annotations

from datetime import timedelta

import pytest
from icalendar import Calendar

from zhixing.app import build
from zhixing.faces.http import create_app
from zhixing.settings import HomeZone, ZoneSource, calendar_token
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import NotSent, Reason

TOKEN = "a-token-for-tests-0123456789"
PATH = f"/calendar/{calendar_token(TOKEN)}.ics"


def test_a_calendar_needs_no_header_and_gets_what_is_coming(client, stranger) -> None:
    client.say("明天下午3点开会")

    answer = stranger("GET", PATH)

    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert str(event["summary"]) == "开会"


def test_a_calendar_that_has_it_already_is_told_so_until_something_changes(client, stranger) -> None:
    client.say("明天下午3点开会")
    tag = stranger("GET", PATH).headers["ETag"]

    again = stranger("GET", PATH, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")

    client.say("后天下午3点开会")
    assert stranger("GET", PATH, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    "token",
    [
        *("nobody-knows", TOKEN, "%E4%B8%AD", "a%00b"),
        *(calendar_token("another-token-0123456789"), calendar_token(TOKEN).upper()),
    ],
)
def test_another_token_opens_nothing_and_is_not_repeated(stranger, token) -> None:
    answer = stranger("GET", f"/calendar/{token}.ics")

    assert answer.status_code == 404
    assert token not in answer.text


def test_the_token_of_the_calendar_opens_nothing_else(api, connect) -> None:
    visitor = connect(api, {"Authorization": f"Bearer {calendar_token(TOKEN)}"})

    assert visitor("GET", "/api/v1/inbox").status_code == 401
    assert visitor("POST", PATH).status_code == 405


def test_a_page_from_elsewhere_does_not_get_the_feed(api, connect) -> None:
    answer = connect(api, {"Host": "evil.example"})("GET", PATH)

    assert answer.status_code == 403


# What is done about messages


@pytest.fixture
def message(client, pass_time):
    client.say("半小时后提醒我关火")
    pass_time(timedelta(minutes=30))
    (message,) = client.get("/api/v1/inbox")["messages"]
    return message


def test_acknowledging_completes_nothing(client, message) -> None:
    done = client.post(f"/api/v1/inbox/{message['id']}/acknowledge")

    assert done["acknowledgedAt"] == done["readAt"] == "2026-10-12T10:30:00+08:00"
    assert client.get(f"/api/v1/tasks/{message['task']}")["status"] == "active"


def test_a_snoozed_message_is_told_once_more(client, message, pass_time) -> None:
    put_off = client.post(f"/api/v1/inbox/{message['id']}/snooze", {"until": "2026-10-12T11:00:00+08:00"})
    assert put_off["snoozedUntil"] == "2026-10-12T11:00:00+08:00"

    pass_time(timedelta(minutes=30))

    assert [each["id"] for each in client.get("/api/v1/inbox")["messages"]] == ["m1", "m2"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"until": "2026-10-12T10:00:00+08:00"}, 400),
        ({"until": "2027-10-12T10:00:00+08:00"}, 400),
        ({"until": "tomorrow"}, 400),
        ({"until": "2026-10-12T11:00:00"}, 400),
        ({}, 400),
    ],
)
def test_an_instant_that_cannot_be_is_refused(client, message, body, status) -> None:
    assert client("POST", f"/api/v1/inbox/{message['id']}/snooze", json=body).status_code == status


def test_what_is_not_there_is_not_found(client) -> None:
    assert client("POST", "/api/v1/inbox/m9/acknowledge").status_code == 404
    assert client("POST", "/api/v1/inbox/m9/snooze", json={"until": "2026-10-12T11:00:00+08:00"}).status_code == 404
    assert client("POST", "/api/v1/channels/phone/test").status_code == 404


def test_a_channel_can_be_tried(store, clock, connect) -> None:
    phone = MemoryChannel("phone", [NotSent(Reason("unreachable"))])
    api = create_app(build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {"phone": phone}), TOKEN)
    client = connect(api)

    assert client.post("/api/v1/channels/phone/test") == {
        "channel": "phone",
        "arrived": False,
        "says": "测试消息没有送达：连不上接收方。",
    }
    assert client.post("/api/v1/channels/phone/test")["arrived"] is True
