"""What eyes say, over HTTP: many at once, bounded, and on disk when it is answered."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

VERDICTS = "/api/v1/perception/verdicts"
NOBODY = "画面中无人"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def living(client, plan_of, clock):
    """Give a client of a home in which the living room has been watched for a while."""
    client.post("/api/v1/household/tasks", plan_of("living_room_off"))
    clock.advance(timedelta(minutes=2))
    return client


def verdict(clock, value: object, ago: float = 0, **more: object) -> dict[str, object]:
    at = (clock.now() - timedelta(seconds=ago)).isoformat()
    return {"source": "cam_living", "condition": NOBODY, "value": value, "at": at, **more}


def test_one_verdict_is_taken(living, clock) -> None:
    assert living.post(VERDICTS, verdict(clock, True)) == {
        "taken": 1,
        "fired": 0,
        "changed": 1,
        "unheard": 0,
        "stale": 0,
        "future": 0,
    }


def test_many_are_taken_in_order_and_what_follows_happens(living, clock, pass_time) -> None:
    many = [verdict(clock, True, ago=60 - second) for second in range(0, 60, 4)]
    told = living.post(VERDICTS, many)
    assert (told["taken"], told["stale"]) == (15, 0)
    living.post(VERDICTS, [verdict(clock, True, lasting=True)])
    pass_time(timedelta(minutes=5))
    log = living.get("/api/v1/household/tasks/living_room_off/logs")
    assert log["counts"] == {"done": 1}
    assert living.get("/api/v1/home/devices/light_living")["did"] == "light_living"


def test_the_same_ones_again_change_nothing(living, clock) -> None:
    many = [verdict(clock, True, ago=20), verdict(clock, False, ago=10)]
    living.post(VERDICTS, many)
    again = living.post(VERDICTS, many)
    assert (again["changed"], again["fired"]) == (0, 0)


def test_what_nobody_watches_what_is_old_and_what_is_to_come_are_counted(living, clock) -> None:
    living.post(VERDICTS, verdict(clock, True))
    told = living.post(
        VERDICTS,
        [
            verdict(clock, True) | {"condition": "有人唱歌"},
            verdict(clock, False, ago=30),
            verdict(clock, False, ago=-3600),
        ],
    )
    assert (told["unheard"], told["stale"], told["future"]) == (1, 1, 1)


def test_what_has_to_be_judged_is_listed_and_a_pause_ends_that(living) -> None:
    path = "/api/v1/perception/conditions"
    assert living.get(path)["conditions"] == [{"condition": NOBODY, "sources": ["cam_living"], "rules": ["r1"]}]
    living.post("/api/v1/household/tasks/living_room_off/disable")
    assert living.get(path)["conditions"] == []


def test_a_thousand_are_taken_at_once_and_no_more(living, clock) -> None:
    thousand = [verdict(clock, number % 2 == 0, ago=1000 - number) for number in range(1000)]
    assert living.post(VERDICTS, thousand)["taken"] == 1000
    answer = living("POST", VERDICTS, json=[*thousand, thousand[0]])
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "lines_many")


def test_an_empty_list_is_nothing(living) -> None:
    assert living.post(VERDICTS, [])["taken"] == 0


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "body_missing"),
        (b"{", 400, "body_unreadable"),
        (b'{"source": }', 400, "body_broken"),
        (b'{"source": "\xe4"}', 400, "body_unreadable"),
        (b"[" * 100_000, 400, "body_unreadable"),
        (b"null", 400, "body_no_object"),
        (b'"x"', 400, "body_no_object"),
        (b"7", 400, "body_no_object"),
        (b"1e999", 400, "body_unreadable"),
        (b"{}", 400, "verdict_field_missing"),
        (b"[[]]", 400, "verdict_line_broken"),
        (b"[null]", 400, "verdict_line_broken"),
        (b'{"source": "a", "condition": "b", "value": true}', 400, "verdict_field_missing"),
        (b'{"source": "a", "condition": "b", "value": true, "at": "2026-10-12T10:00:00"}', 400, "verdict_field_wrong"),
        (b'{"source": "a", "condition": "b", "value": true, "at": "now"}', 400, "verdict_field_wrong"),
        (b'{"source": "a", "condition": "b", "value": 1, "at": "2026-10-12T10:00:00Z"}', 400, "verdict_field_wrong"),
        (
            b'{"source": "a", "condition": "b", "value": "yes", "at": "2026-10-12T10:00:00Z"}',
            400,
            "verdict_field_wrong",
        ),
        (b'{"source": 7, "condition": "b", "value": true, "at": "2026-10-12T10:00:00Z"}', 400, "verdict_field_wrong"),
        (
            b'{"source": "a", "condition": "b", "value": true, "at": "2026-10-12T10:00:00Z", "sure": 1}',
            400,
            "verdict_field_unknown",
        ),
        (
            b'{"source": "a", "condition": "\\u0000", "value": true, "at": "2026-10-12T10:00:00Z"}',
            400,
            "verdict_field_wrong",
        ),
        (
            b'{"source": "a", "did": "b", "condition": "b", "value": true, "at": "2026-10-12T10:00:00Z"}',
            400,
            "verdict_field_twice",
        ),
        (b"x" * 2_000_000, 413, "body_large"),
    ],
)
def test_what_is_no_verdict_is_refused_with_the_reason(living, body, status, code) -> None:
    answer = living("POST", VERDICTS, content=body, headers=JSON)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert "\n" not in answer.json()["error"]["message"]


def test_of_a_list_the_wrong_one_is_named_and_none_is_taken(living, clock) -> None:
    answer = living("POST", VERDICTS, json=[verdict(clock, True), verdict(clock, 7)])
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith("第 2 条：字段「value」")
    assert living.post(VERDICTS, verdict(clock, True, ago=1))["changed"] == 1


def test_only_json_is_read(living) -> None:
    answer = living("POST", VERDICTS, content=b"{}", headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "media_wrong")


def test_a_stranger_says_nothing(stranger, clock) -> None:
    assert stranger("POST", VERDICTS, json=verdict(clock, True)).status_code == 401


def test_what_was_answered_is_on_disk(living, clock, home, serve, connect) -> None:
    living.post(VERDICTS, verdict(clock, True, lasting=True))
    other = connect(serve(store=home.open()))
    told = other.get("/api/v1/perception/conditions")
    assert told["conditions"][0]["rules"] == ["r1"]
    assert json.dumps(other.post(VERDICTS, verdict(clock, True, ago=10, lasting=True))).count('"stale": 1') == 1
