"""The inbox and what is coming, over both databases."""

from __future__ import annotations

from datetime import timedelta


def told(client) -> list[str]:
    return [message["title"] for message in client.get("/api/v1/inbox")["messages"]]


def test_what_was_told_is_in_the_inbox(client, pass_time) -> None:
    said = client.say("半小时后提醒我关火")
    assert client.get("/api/v1/inbox") == {"messages": [], "last": None}
    pass_time(timedelta(minutes=30))
    inbox = client.get("/api/v1/inbox")
    (message,) = inbox["messages"]
    assert (message["task"], message["title"], message["channel"], message["state"]) == (
        said["id"],
        "关火",
        "inbox",
        "sent",
    )
    assert message["dueAt"] == message["toldAt"] == "2026-10-12T10:30:00+08:00"
    assert inbox["last"] == message["id"]


def test_who_asks_for_what_came_behind_the_last_message_misses_nothing(client, pass_time) -> None:
    for minutes in (10, 20, 30):
        client.say(f"{minutes}分钟后提醒我关火")
    pass_time(timedelta(minutes=10))
    seen = client.get("/api/v1/inbox")["last"]
    pass_time(timedelta(minutes=20))
    first = client.get(f"/api/v1/inbox?after={seen}&limit=1")
    second = client.get(f"/api/v1/inbox?after={first['last']}&limit=1")
    assert [len(page["messages"]) for page in (first, second)] == [1, 1]
    nothing = client.get(f"/api/v1/inbox?after={second['last']}")
    assert nothing == {"messages": [], "last": second["last"]}


def test_reading_and_dismissing_complete_nothing(client, pass_time) -> None:
    said = client.say("半小时后提醒我关火")
    pass_time(timedelta(minutes=30))
    (message,) = client.get("/api/v1/inbox")["messages"]
    read = client.post(f"/api/v1/inbox/{message['id']}/read")
    assert read["readAt"] == "2026-10-12T10:30:00+08:00"
    dismissed = client.post(f"/api/v1/inbox/{message['id']}/dismiss")
    assert dismissed["dismissedAt"] == "2026-10-12T10:30:00+08:00"
    assert told(client) == []
    assert client.get(f"/api/v1/tasks/{said['id']}")["status"] == "active"


def test_what_is_coming_is_listed_in_order_with_what_it_is_about(client) -> None:
    client.say("后天晚上八点提醒我看球")
    client.say("明晚九点提醒我交表")
    client.say("10月30日下午两点开班会")
    coming = client.get("/api/v1/coming?days=7")
    assert [(each["title"], each["at"]) for each in coming["reminders"]] == [
        ("交表", "2026-10-13T21:00:00+08:00"),
        ("看球", "2026-10-14T20:00:00+08:00"),
    ]
    assert coming["more"] is False
    short = client.get("/api/v1/coming?days=30&limit=2")
    assert (len(short["reminders"]), short["more"]) == (2, True)


def test_times_are_those_of_the_tasks_zone(client) -> None:
    client.say("明晚九点提醒我交表", zone="America/New_York")
    (coming,) = client.get("/api/v1/coming")["reminders"]
    assert coming["at"].endswith("-04:00")
