"""Bots to talk to on the loopback: one that speaks our own protocol, and an A2A agent made with the SDK."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import uvicorn
from a2a.helpers import new_data_part, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface
from starlette.applications import Starlette

PATIENCE = 30
Act = Callable[["Handler"], object]


@dataclass
class Peer:
    """A bot that speaks our protocol: it has done an errand after `looks` looks. `acts` come first, one each request.

    `asked` holds method, path and headers of every request, `errands` the bodies of those that were posted.
    """

    url: str
    looks: int = 0
    acts: list[Act] = field(default_factory=list)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    errands: dict[str, dict[str, Any]] = field(default_factory=dict)
    stopped: list[str] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)

    def then(self, *acts: Act) -> None:
        self.acts.extend(acts)


class Handler(BaseHTTPRequestHandler):
    """What the bot does; the number of a run is the key of its errand."""

    peer: Peer

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.acted():
            return
        self.peer.errands[body["key"]] = body
        self.peer.left.setdefault(body["key"], self.peer.looks)
        self.report(body["key"])

    def do_GET(self):
        if not self.acted():
            self.report(self.number())

    def do_DELETE(self):
        if not self.acted():
            self.peer.stopped.append(self.number())
            self.give(204)

    def number(self):
        query = parse_qs(urlsplit(self.path).query)
        return (query.get("run_id") or query["key"])[0]

    def report(self, key):
        if key not in self.peer.errands:
            self.give(404)
        elif self.peer.left[key] > 0:
            self.peer.left[key] -= 1
            self.give(202, {"run_id": key, "session_id": "s1"})
        else:
            text = self.peer.errands[key]["text"]
            self.give(200, {"content": f"好：{text}", "usage": {"tokens": 7, "cost": 0.5}})

    def acted(self):
        self.peer.asked.append((self.command, self.path, dict(self.headers)))
        self.close_connection = True
        if not self.peer.acts:
            return False
        self.peer.acts.pop(0)(self)
        return True

    def give(self, status, value=None, **headers):
        self.raw(status, json.dumps(value or {}).encode(), **headers)

    def raw(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        # Whoever asks hangs up, as it should on most of what is done here.
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *args):
        pass


@pytest.fixture
def peer() -> Iterator[Peer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    peer = Peer(f"http://127.0.0.1:{server.server_port}/bots/market?team=1")
    server.RequestHandlerClass = type("Handler", (Handler,), {"peer": peer})
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield peer
    peer.closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def closed_port() -> Iterator[int]:
    """Reserve a port that nobody listens on and that nobody else is given meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


class Executor(AgentExecutor):
    """An agent that does what the first word of a message says."""

    def __init__(self) -> None:
        self.messages: list[Any] = []

    async def execute(self, context, event_queue):
        self.messages.append(context.message)
        word, _, rest = context.get_user_input().partition(" ")
        if word == "message":
            await event_queue.enqueue_event(new_text_message(rest))
            return
        task = context.current_task or new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        match word:
            case "wait":
                await asyncio.Event().wait()
            case "artifact":
                await updater.add_artifact([new_text_part("第一段"), new_data_part({"数": 1})])
                await updater.add_artifact([new_text_part("第二段")])
                await updater.complete(new_text_message("写完了"))
            case "fail":
                await updater.failed(new_text_message("没有货"))
            case "reject":
                await updater.reject()
            case "input":
                await updater.requires_input(new_text_message("要哪一种？"))
            case "auth":
                await updater.requires_auth()
            case "boom":
                raise RuntimeError("boom")
            case _:
                await updater.complete(new_text_message(f"好：{context.get_user_input()}"))

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


@dataclass
class Agent:
    """An A2A agent that runs at `url`."""

    url: str
    executor: Executor


@pytest.fixture(scope="session")
def agent() -> Iterator[Agent]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        executor = Executor()
        card = AgentCard(
            name="市场分析员",
            description="看一个行业要多少货",
            version="1",
            supported_interfaces=[AgentInterface(url=f"{url}/rpc", protocol_binding="JSONRPC", protocol_version="1.0")],
            capabilities=AgentCapabilities(streaming=False),
            default_input_modes=["text/plain"],
            default_output_modes=["text/plain"],
        )
        handler = DefaultRequestHandler(executor, InMemoryTaskStore(), card)
        routes = [*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/rpc")]
        config = uvicorn.Config(
            Starlette(routes=routes), log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield Agent(url, executor)
        server.should_exit = True
        thread.join(PATIENCE)
