"""Who is let in, under which name, and what every answer carries."""

from __future__ import annotations

import pytest

EVERY_CALL = [
    ("GET", "/api/v1/tasks"),
    ("POST", "/api/v1/say"),
    ("GET", "/api/v1/events"),
    ("GET", "/api/v1/openapi.json"),
    ("GET", "/api/v1/nothing"),
    ("DELETE", "/api/v1/tasks/t1"),
]


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.mark.parametrize(("method", "path"), EVERY_CALL)
def test_without_the_token_nothing_of_the_api_answers(stranger, method, path) -> None:
    answer = stranger(method, path)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["error"]["code"] == "token_missing"


@pytest.mark.parametrize(
    ("authorization", "code"),
    [
        ("Bearer wrong", "token_wrong"),
        ("Bearer a-token-for-tests-012345678", "token_wrong"),
        ("Bearer a-token-for-tests-01234567890", "token_wrong"),
        ("Bearer \xe9", "token_wrong"),
        ("Bearer", "token_missing"),
        ("Bearer ", "token_missing"),
        ("Basic a-token-for-tests-0123456789", "token_missing"),
        ("a-token-for-tests-0123456789", "token_missing"),
    ],
)
def test_a_wrong_token_is_refused_in_one_line(stranger, authorization, code) -> None:
    answer = stranger("GET", "/api/v1/tasks", headers={"Authorization": authorization.encode("latin-1")})
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, code)


def test_the_word_bearer_is_read_in_any_case(stranger) -> None:
    token = {"Authorization": "bearer a-token-for-tests-0123456789"}
    assert stranger("GET", "/api/v1/tasks", headers=token).status_code == 200


def test_a_wrong_token_is_refused_before_the_body_is_looked_at(stranger) -> None:
    answer = stranger("POST", "/api/v1/say", content=b"x" * 10_000_000)
    assert answer.status_code == 401


def test_the_token_in_the_address_opens_nothing(stranger) -> None:
    token = "a-token-for-tests-0123456789"
    assert stranger("GET", f"/api/v1/tasks?token={token}").status_code == 401
    assert 'name="token"' in stranger("GET", f"/?token={token}").text


def test_the_cookie_of_the_page_does_not_open_the_api(stranger) -> None:
    stranger("POST", "/login", data={"token": "a-token-for-tests-0123456789"})
    assert stranger("GET", "/").text.count('id="say"') == 1
    assert stranger("GET", "/api/v1/tasks").status_code == 401


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8420", "localhost", "localhost:9000", "LOCALHOST", "[::1]:8420"]
)
def test_this_machines_own_names_are_answered(client, host) -> None:
    assert client("GET", "/api/v1/tasks", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8420", "localhost.evil.example", "192.168.1.7:8420", "", "[::1", "a b", "@"]
)
@pytest.mark.parametrize("path", ["/api/v1/tasks", "/api/v1/health", "/", "/sw.js"])
def test_a_name_from_elsewhere_is_turned_away(client, host, path) -> None:
    assert client("GET", path, headers={"Host": host}).status_code == 403


def test_a_home_that_others_may_reach_answers_under_any_name(connect, serve) -> None:
    api = serve(host="0.0.0.0")  # noqa: S104 - it is not bound
    assert connect(api)("GET", "/api/v1/tasks", headers={"Host": "home.example"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/v1/tasks", "/api/v1/health", "/nothing", "/static/style.css"])
def test_every_answer_forbids_what_it_does_not_need(client, path) -> None:
    headers = client("GET", path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_only_files_that_change_their_address_are_kept_by_browsers(client) -> None:
    assert client("GET", "/").headers["cache-control"] == "no-store"
    assert client("GET", "/api/v1/tasks").headers["cache-control"] == "no-store"
    assert "immutable" in client("GET", "/static/style.css").headers["cache-control"]


@pytest.mark.parametrize("name", ["nothing.css", "..%2fdesk.py", "page.html"])
def test_only_our_own_files_are_given(client, name) -> None:
    assert client("GET", f"/static/{name}").status_code == 404


def test_the_live_stream_of_the_page_needs_a_session(stranger) -> None:
    assert stranger("GET", "/live").status_code == 401
