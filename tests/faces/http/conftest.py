"""A real home behind its HTTP face, asked without a network in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import httpx
import pytest
from fastapi import FastAPI

from zhixing.app import App, build
from zhixing.faces.http import create_app
from zhixing.kernel.clock import Clock
from zhixing.settings import HomeZone, Limits, ZoneSource
from zhixing.store.connection import Store

TOKEN = "a-token-for-tests-0123456789"
ZONE = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)
ORIGIN = "http://127.0.0.1:8420"
PATIENCE = 30


class Client:
    """Asks an application, each request in turn, and keeps cookies as a browser does."""

    def __init__(self, api: FastAPI, headers: dict[str, str] | None = None) -> None:
        self.api = api
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(app=api, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers)

    def __call__(self, method: str, path: str, **what: Any) -> httpx.Response:
        return self._runner.run(self.http.request(method, path, **what))

    def together(self, requests: Sequence[tuple[str, str, dict[str, Any]]]) -> list[httpx.Response]:
        """Ask for several things at the same time."""

        async def asked() -> list[httpx.Response]:
            return await asyncio.gather(*(self.http.request(method, path, **what) for method, path, what in requests))

        return self._runner.run(asked())

    def get(self, path: str, **what: Any) -> Any:
        """Ask for something that is there; return its JSON."""
        answer = self("GET", path, **what)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, **what: Any) -> Any:
        """Do something that can be done; return its JSON."""
        answer = self("POST", path, **what) if body is None else self("POST", path, json=body, **what)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def say(self, text: str, **more: Any) -> Any:
        return self.post("/api/v1/say", {"text": text, **more})

    def close(self) -> None:
        self._runner.run(self.http.aclose())
        self._runner.close()


class Stream:
    """One server-sent stream: what the server sends, event by event, until either side ends it."""

    def __init__(self, api: FastAPI, path: str, query: str = "", headers: dict[str, str] | None = None) -> None:
        given = {"host": "127.0.0.1:8420", "authorization": f"Bearer {TOKEN}", **(headers or {})}
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "server": ("127.0.0.1", 8420),
            "client": ("127.0.0.1", 50000),
        }
        self._api = api
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._asked = False
        self._left = asyncio.Event()
        self.status = 0
        self.headers: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._api(self._scope, self._receive, self._sent.put))
        start = await self._take()
        self.status = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return self

    async def __aexit__(self, *_: object) -> None:
        self._left.set()
        await asyncio.wait_for(self._task, PATIENCE)

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _take(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._sent.get(), PATIENCE)

    async def event(self) -> dict[str, str] | None:
        """Return the fields of the next event that is no comment, None at the end of the stream."""
        while True:
            message = await self._take()
            if not message.get("more_body"):
                return None
            lines = message["body"].decode().splitlines()
            fields = dict(line.split(": ", 1) for line in lines if line and not line.startswith(":"))
            if fields:
                return fields

    async def comment(self) -> bytes:
        """Return the next chunk that is a comment."""
        while True:
            message = await self._take()
            assert message.get("more_body"), "the stream ended"
            if message["body"].startswith(b":"):
                return message["body"]

    async def entries(self, count: int) -> list[dict[str, Any]]:
        """Return the data of the next `count` events that have some."""
        found: list[dict[str, Any]] = []
        while len(found) < count:
            fields = await self.event()
            assert fields is not None, "the stream ended"
            if "data" in fields:
                found.append({"id": int(fields["id"]), **json.loads(fields["data"])})
        return found


@pytest.fixture
def app(store, clock) -> App:
    return build(store, clock, ZONE, {})


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
def api(app, limits) -> FastAPI:
    return create_app(app, TOKEN, limits=limits)


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    """Make clients of an application, with the token unless told otherwise."""
    clients: list[Client] = []

    def connected(api: FastAPI, headers: dict[str, str] | None = None) -> Client:
        clients.append(Client(api, {"Authorization": f"Bearer {TOKEN}"} if headers is None else headers))
        return clients[-1]

    yield connected
    for client in clients:
        client.close()


@pytest.fixture
def stranger(connect, api) -> Client:
    """Give a client without a token."""
    return connect(api, {})


@pytest.fixture
def client(connect, api) -> Client:
    return connect(api)


@pytest.fixture
def serve(store, clock) -> Callable[..., FastAPI]:
    """Make the face of the same home anew, with another clock, store, token or address."""

    def served(clock: Clock = clock, store: Store = store, token: str = TOKEN, **more: Any) -> FastAPI:
        return create_app(build(store, clock, ZONE, {}), token, **more)

    return served


@pytest.fixture
def stream(api) -> Callable[..., Stream]:
    """Open streams; give a path, a query and headers."""

    def opened(path: str = "/api/v1/events", *, api: FastAPI = api, **more: Any) -> Stream:
        return Stream(api, path, **more)

    return opened


@pytest.fixture
def pass_time(app, clock) -> Callable[[Any], None]:
    """Let time pass and everything happen that is due then."""

    def passing(step: Any) -> None:
        clock.advance(step)
        app.engine.drain()

    return passing
