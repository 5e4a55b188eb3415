"""docs/http.md names every route, and every curl line in it does what it says."""

from __future__ import annotations

import asyncio
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from zhixing.app import build
from zhixing.documents.terms import Terms
from zhixing.faces.http import create_app
from zhixing.faces.web.pages import PAGES
from zhixing.settings import HomeZone, ZoneSource

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
TOKEN = "a-token-for-tests-0123456789"
GOAL = "the-goal-that-was-handed-in-last"
NAMES = {"API": "http://127.0.0.1:8420/api/v1", "AUTH": f"Authorization: Bearer {TOKEN}", "GOAL": GOAL}


@dataclass
class Curl:
    """A curl line as a request."""

    line: str
    url: str = ""
    method: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    query: list[tuple[str, str]] = field(default_factory=list)
    streams: bool = False


def read(line: str) -> Curl:
    """Read the part of curl's command line that the page uses."""
    request = Curl(line)
    words = iter(shlex.split(re.sub(r"\$(\w+)", lambda name: NAMES[name[1]], line))[1:])
    for word in words:
        match word:
            case "-H":
                name, value = next(words).split(": ", 1)
                request.headers[name] = value
            case "-X":
                request.method = next(words)
            case "--json":
                request.body = next(words).encode()
                request.headers["Content-Type"] = "application/json"
            case "-G":
                request.method = "GET"
            case "--data-urlencode":
                name, value = next(words).split("=", 1)
                request.query.append((name, value))
            case "-N":
                request.streams = True
            case _:
                assert word.startswith("http"), f"the test does not know {word}"
                request.url = word
    request.method = request.method or ("GET" if request.body is None else "POST")
    return request


LINES = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
CURLS = [read(line) for line in LINES if line.startswith("curl ")]


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def api(store, clock, tmp_path) -> FastAPI:
    zone, terms = HomeZone("Asia/Shanghai", ZoneSource.CONFIG), Terms(project=tmp_path)
    return create_app(build(store, clock, zone, {}, terms=terms), TOKEN)


@pytest.fixture
def routes(api) -> set[str]:
    return {f"{method.upper()} {path}" for path, ways in api.openapi()["paths"].items() for method in ways}


def test_every_route_is_on_the_page_and_no_other(routes) -> None:
    named = set(re.findall(r"^\| `([A-Z]+ /api/v1/[^`]*)` \|", PAGE, re.MULTILINE))
    assert named == routes


def test_every_route_of_the_api_is_described(api, routes) -> None:
    described = {route.split(" ", 1)[1] for route in routes}
    paths = {route.path.replace(":path}", "}") for route in iter_route_contexts(api.routes)}
    assert {path for path in paths if path.startswith("/api/")} == described | {"/api/v1/openapi.json"}


def test_every_address_a_person_can_open_is_on_the_page() -> None:
    text = PAGE[PAGE.index("## The pages") :]
    addresses = {page.address for page in PAGES} | {"/password", "/design", "/offline", "/manifest.webmanifest"}
    assert {address for address in addresses if f"`{address}`" not in text} == set()


def test_every_curl_line_works_in_this_order(api) -> None:
    async def follow() -> None:
        transport, goal = httpx.ASGITransport(app=api), GOAL
        async with httpx.AsyncClient(transport=transport) as client:
            for each in CURLS:
                if each.streams:
                    continue
                url = httpx.URL(each.url.replace(GOAL, goal)).copy_merge_params(each.query)
                body = None if each.body is None else each.body.replace(GOAL.encode(), goal.encode())
                answer = await client.request(each.method, url, headers=each.headers, content=body)
                assert answer.is_success, f"{each.line}\n{answer.text}"
                if each.url.endswith("/tasks/execute"):
                    goal = answer.json()["data"]["task_id"]

    asyncio.run(follow())


def test_the_curl_lines_use_almost_every_route(routes) -> None:
    patterns = {route: re.compile(re.sub(r"\{\w+\}", r"[^/]+", route)) for route in routes}
    used = set()
    for each in CURLS:
        path = httpx.URL(each.url).path
        used |= {route for route, pattern in patterns.items() if pattern.fullmatch(f"{each.method} {path}")}
    # These need a picture, a message that was told, or a channel.
    assert routes - used == {
        "POST /api/v1/pictures",
        "GET /api/v1/tasks/{task_id}/picture",
        "POST /api/v1/inbox/{message_id}/read",
        "POST /api/v1/inbox/{message_id}/dismiss",
        "POST /api/v1/inbox/{message_id}/acknowledge",
        "POST /api/v1/inbox/{message_id}/snooze",
        "POST /api/v1/channels/{name}/test",
        "GET /api/v1/occurrences/{occurrence_id}/explain",
        # These need something that waits for judgement.
        "GET /api/v1/runs/{run}",
        "GET /api/v1/runs/{run}/turns",
        # This needs a real hub.
        "POST /api/v1/graphs/hub/connect",
        # These need a goal in which something hangs.
        "POST /api/v1/collaboration/tasks/retry",
        "POST /api/v1/collaboration/tasks/resolve",
        "POST /api/v1/collaboration/tasks/bbs/claim",
        "POST /api/v1/collaboration/tasks/bbs/attach",
        "POST /api/v1/collaboration/tasks/bbs/result",
        # This needs a run that was carried out.
        "GET /api/v1/document-runs/{run}/artifacts/{name}",
    }
