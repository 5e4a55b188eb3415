"""Whatever is wrong, the answer has one shape and one line, and nothing was changed."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.settings import Limits
from zhixing.store.opening import open_store

JSON = {"Content-Type": "application/json"}
SAY = "/api/v1/say"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def fault(answer) -> tuple[int, str]:
    """Check the shape; return status and code."""
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message"}
    message = body["error"]["message"]
    assert "\n" not in message
    assert re.search("[\u4e00-\u9fff]", message), message
    return answer.status_code, body["error"]["code"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "body_missing"),
        (b'{"text": "\xe4\xb9\xb0', 400, "body_broken"),
        (b'{"text": "\xe4\xb9"}', 400, "body_unreadable"),
        (b'{"text": "a",', 400, "body_broken"),
        (b"\xff\xfe\x00", 400, "body_unreadable"),
        (b"[" * 100_000, 400, "body_unreadable"),
        (b"[]", 400, "body_no_object"),
        (b'"text"', 400, "body_no_object"),
        (b"null", 400, "body_no_object"),
        (b"{}", 400, "field_missing"),
        (b'{"text": 7}', 400, "field_wrong"),
        (b'{"text": null}', 400, "field_wrong"),
        (b'{"text": "\\ud800"}', 400, "text_unstorable"),
        (b'{"text": "a", "\\ud800": 1}', 400, "text_unstorable"),
        (b'{"text": "a\\u0000b"}', 400, "text_nul"),
        (b'{"text": ""}', 400, "text_empty"),
        (b'{"text": " \\n "}', 400, "text_empty"),
        (b'{"text": "a", "txet": "b"}', 400, "field_unknown"),
        (b'{"text": "a", "source": "rumour"}', 400, "field_wrong"),
        (b'{"text": "a", "entry": "dream"}', 400, "field_wrong"),
        (b'{"text": "a", "zone": "Mars/Olympus"}', 400, "zone_unknown"),
        (b'{"text": "a", "zone": "../etc/passwd"}', 400, "zone_unknown"),
        (b'{"text": "a", "submittedAt": "2026-10-12T10:00:00"}', 400, "instant_without_offset"),
        (b'{"text": "a", "submittedAt": "soon"}', 400, "instant_unreadable"),
        (b'{"text": "a", "messageDate": "12.10.2026"}', 400, "date_unreadable"),
    ],
)
def test_words_that_cannot_be_taken_are_refused_with_the_reason(client, body, status, code) -> None:
    assert fault(client("POST", SAY, content=body, headers=JSON)) == (status, code)
    assert client.get("/api/v1/tasks")["tasks"] == []


def test_an_unknown_field_is_named_even_where_another_is_missing(client) -> None:
    answer = client("POST", SAY, json={"txet": "b"})
    assert answer.json()["error"]["message"] == "没有「txet」这个字段。"


def test_a_choice_that_is_none_is_answered_with_those_there_are(client) -> None:
    message = client("POST", SAY, json={"text": "a", "source": "rumour"}).json()["error"]["message"]
    assert message == "字段「source」只能是 direct, voice, paste, share, image / quote。"


def test_a_field_in_a_list_is_named_with_its_place(client) -> None:
    answer = client("POST", "/api/v1/understand", json=[{"text": "a", "submittedAt": "x", "tz": "y", "foo": 1}])
    assert fault(answer) == (400, "field_unknown")
    assert "foo" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nothing", 404, "route_unknown"),
        ("GET", "/api/v1/tasks/", 404, "route_unknown"),
        ("GET", "/api/v2/tasks", 404, "route_unknown"),
        ("GET", "/api/v1/docs", 404, "route_unknown"),
        ("PUT", "/api/v1/say", 405, "method_wrong"),
        ("GET", "/api/v1/say", 405, "method_wrong"),
        ("OPTIONS", "/api/v1/tasks", 405, "method_wrong"),
        ("GET", "/api/v1/tasks?limit=0", 400, "field_wrong"),
        ("GET", "/api/v1/tasks?limit=many", 400, "field_wrong"),
        ("GET", "/api/v1/tasks?status=lost", 400, "field_wrong"),
        ("GET", "/api/v1/tasks?before=last", 400, "cursor_unreadable"),
        ("GET", "/api/v1/tasks/t1%0A%0D%3Cb%3E", 404, "task_unknown"),
        ("GET", "/api/v1/coming?days=100000", 400, "field_wrong"),
        ("GET", "/api/v1/next", 400, "field_missing"),
        ("GET", "/api/v1/next?expr=whenever", 400, "expression_unreadable"),
        ("GET", "/api/v1/next?expr=@daily&tz=Mars", 400, "zone_unknown"),
        ("GET", "/api/v1/next?expr=@daily&after=2026-10-12T10:00:00", 400, "instant_without_offset"),
        ("GET", "/api/v1/next?expr=@daily&n=101", 400, "field_wrong"),
        ("GET", "/api/v1/events?after=-1", 400, "field_wrong"),
        ("GET", "/api/v1/events?after=99999999999999999999", 400, "field_wrong"),
    ],
)
def test_addresses_and_queries_that_are_wrong_are_refused_with_the_reason(client, method, path, status, code) -> None:
    assert fault(client(method, path)) == (status, code)


@pytest.mark.parametrize("header", [{}, {"Content-Type": "text/plain"}, {"Content-Type": "application/jsonp"}])
def test_a_body_that_is_no_json_is_refused_by_its_type(client, header) -> None:
    assert fault(client("POST", SAY, content=b'{"text": "a"}', headers=header)) == (415, "media_wrong")


def test_a_key_that_is_too_long_is_refused(client) -> None:
    assert fault(client("POST", SAY, json={"text": "a"}, headers={"Idempotency-Key": "k" * 201})) == (400, "key_long")


def test_ten_megabytes_are_refused_before_they_are_read(client) -> None:
    taken = []

    async def megabytes():
        for number in range(10):
            taken.append(number)
            yield b"x" * 1_000_000

    length = {**JSON, "Content-Length": "10000000"}
    assert fault(client("POST", SAY, content=megabytes(), headers=length)) == (413, "body_large")
    assert taken == []


def test_ten_megabytes_that_do_not_say_so_are_read_up_to_the_bound(client) -> None:
    taken = []

    async def megabytes():
        for number in range(10):
            taken.append(number)
            yield b"x" * 1_000_000

    answer = client("POST", SAY, content=megabytes(), headers=JSON)
    assert fault(answer) == (413, "body_large")
    assert answer.json()["error"]["message"] == "内容太大，一次最多 1048576 字节。"
    assert taken == [0, 1]


class TestALowerBoundOfTheOwner:
    @pytest.fixture
    def limits(self) -> Limits:
        return Limits(text_chars=100, body_bytes=2048)

    def test_text_up_to_it_is_taken(self, client) -> None:
        assert client.say("字" * 100)["text"] == "字" * 100

    def test_longer_text_is_refused(self, client) -> None:
        answer = client("POST", SAY, json={"text": "字" * 101})
        assert fault(answer) == (413, "text_long")
        assert "100" in answer.json()["error"]["message"]

    def test_a_longer_edit_is_refused(self, client) -> None:
        said = client.say("买牛奶")
        path = f"/api/v1/tasks/{said['id']}"
        assert fault(client("PATCH", path, json={"text": "字" * 101})) == (413, "text_long")
        assert client.get(path) == said

    def test_a_larger_body_is_refused(self, client) -> None:
        assert fault(client("POST", SAY, json={"text": "x" * 3000})) == (413, "body_large")


def test_twenty_thousand_characters_are_kept_as_they_are(client) -> None:
    text = "🎂" * 20_000
    said = client.say(text)
    assert client.get(f"/api/v1/tasks/{said['id']}")["originalText"] == text


def test_a_locked_database_is_said_in_one_line_and_nothing_is_lost(client, home) -> None:
    before = client.say("买牛奶")
    with closing(sqlite3.connect(home.url.removeprefix("sqlite://"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert fault(client("POST", SAY, json={"text": "买米"})) == (503, "store_locked")
        assert fault(client("POST", f"/api/v1/tasks/{before['id']}/done")) == (503, "store_locked")
        assert client.get("/api/v1/tasks")["tasks"] == [before]
        other.execute("ROLLBACK")
    assert client.say("买米")["id"] != before["id"]


@pytest.fixture
def home(home):
    """Wait less long for a lock than a user would."""
    home.store.close()
    home.store = open_store(home.url, busy_seconds=0.05)
    yield home
    home.store.close()


class _Broken(ManualClock):
    """A clock that breaks down when it is asked."""

    def now(self):
        raise ValueError("the secret inside")


@pytest.fixture
def broken(serve, connect, clock):
    """Give a client of a home whose clock has broken down."""
    return connect(serve(clock=_Broken(clock.now())))


def test_our_own_mistakes_are_logged_and_not_shown(broken, caplog) -> None:
    answer = broken("POST", SAY, json={"text": "买米"})
    assert fault(answer) == (500, "internal")
    assert "secret" not in answer.text
    assert "the secret inside" in caplog.text
    assert "POST /api/v1/say" in caplog.text


def test_every_fault_is_described(client) -> None:
    described = client.get("/api/v1/openapi.json")
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            schema = operation["responses"]["default"]["content"]["application/json"]["schema"]
            # The collaboration API has one shape for everything.
            shape = "GoalAnswer" if path.startswith("/api/v1/collaboration/") else "Fault"
            assert schema == {"$ref": f"#/components/schemas/{shape}"}, f"{method} {path}"
    assert set(described["components"]["schemas"]["Fault"]["properties"]) == {"error"}
    assert set(described["components"]["schemas"]["Error"]["properties"]) == {"code", "message"}
    assert "HTTPValidationError" not in described["components"]["schemas"]


def test_every_answer_is_described(client) -> None:
    described = client.get("/api/v1/openapi.json")
    raw = {
        "/api/v1/tasks/{task_id}/picture": "image/*",
        "/api/v1/document-runs/{run}/artifacts/{name}": "text/plain",
    }
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            good = next(one for code, one in operation["responses"].items() if code in ("200", "201", "202"))
            assert raw.get(path, "$ref") in json.dumps(good), f"{method} {path}"
