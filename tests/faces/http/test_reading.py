"""What is answered without keeping anything."""

from __future__ import annotations

import json

import pytest

from zhixing.notices.batch import understand_lines

LINE = {"text": "明天下午3点参加会议", "submittedAt": "2026-10-12T10:00:00+08:00", "tz": "Asia/Shanghai"}


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def test_words_are_understood_by_the_contract_of_the_batch_command(client) -> None:
    lines = [
        {**LINE, "id": 1},
        {**LINE, "id": "b", "text": "明天三点开会", "answers": [{"kind": "meridiem", "value": "15:00"}]},
        {**LINE, "text": "请于明天前交回执", "source": "paste", "messageDate": "2026-10-14"},
        {**LINE, "text": "明晚九点提醒我交表", "now": "2026-10-15T10:00:00+08:00"},
    ]
    assert client.post("/api/v1/understand", lines) == [
        json.loads(each) for each in understand_lines(json.dumps(line) for line in lines)
    ]


def test_one_alone_is_answered_alone(client) -> None:
    answer = client.post("/api/v1/understand", LINE)
    assert (answer["outcome"], answer["reminders"][0]["at"]) == ("scheduled", "2026-10-13T14:30:00+08:00")


def test_one_that_cannot_be_used_does_not_spoil_the_others(client) -> None:
    bad = [{**LINE, "tz": "Mars/Olympus"}, {**LINE, "submittedAt": "2026-10-12T10:00:00"}, LINE]
    answers = client.post("/api/v1/understand", bad)
    assert [answer["outcome"] for answer in answers] == ["rejected", "rejected", "scheduled"]
    assert answers[0]["why"].startswith("不认识的时区「Mars/Olympus」")
    assert "缺少时区偏移" in answers[1]["why"]


def test_understanding_keeps_nothing(client) -> None:
    client.post("/api/v1/understand", [LINE])
    assert client.get("/api/v1/tasks")["tasks"] == []


def test_no_lines_are_no_answers(client) -> None:
    assert client.post("/api/v1/understand", []) == []


def test_a_thousand_at_once_are_answered_and_no_more(client) -> None:
    assert len(client.post("/api/v1/understand", [LINE] * 1000)) == 1000
    refused = client("POST", "/api/v1/understand", json=[LINE] * 1001)
    assert (refused.status_code, refused.json()["error"]["message"]) == (413, "一次最多 1000 条。")


def test_the_next_instants_of_an_expression(client) -> None:
    query = {"expr": "30 8 * * 1-5", "tz": "Europe/Paris", "after": "2026-10-23T12:00:00+02:00", "n": 2}
    answer = client.get("/api/v1/next", params=query)
    assert answer == {
        "expression": "30 8 * * 1-5",
        "zone": "Europe/Paris",
        "next": ["2026-10-26T08:30:00+01:00", "2026-10-27T08:30:00+01:00"],
    }


def test_the_next_instants_are_after_now_in_the_homes_zone_unless_told_otherwise(client) -> None:
    answer = client.get("/api/v1/next?expr=@daily&n=1")
    assert (answer["zone"], answer["next"]) == ("Asia/Shanghai", ["2026-10-13T00:00:00+08:00"])


def test_health_needs_no_token_and_says_who_is_there(stranger) -> None:
    answer = stranger.get("/api/v1/health")
    assert (answer["name"], answer["status"]) == ("zhixing", "ok")
    assert answer["version"]
