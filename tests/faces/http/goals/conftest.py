"""A home with goals behind its HTTP face: scripted bots, one engine of their own, tokens for some of the bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.faces.http.conftest import TOKEN, ZONE, Client

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.faces.http import create_app
from zhixing.goals.bots.profiles import Availability, Catalog, HttpSettings, ModelSettings, Profile
from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.callbacks.operations import Callbacks
from zhixing.goals.running.ports import Ports
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import ScriptedPlanner, scripted_ports
from zhixing.goals.tokens.operations import BotTokens

PREFIX = "/api/v1/collaboration/tasks"
SECRET = "not-for-anybody"
CATALOG = Catalog(
    (
        Profile("owner", "负责人", ModelSettings(instructions=SECRET), ("规划",)),
        Profile("bot-a", "甲", HttpSettings(f"https://bots.example/{SECRET}", SECRET), relay=True),
        Profile("bot-off", "乙", ModelSettings(), availability=Availability(enabled=False)),
    )
)
GROUPS = (KnownGroup("group-g", ("bot-a", "bot-g")),)


class Stage:
    """One application for all tests, which is slow to make; each test puts a home of its own behind it."""

    def __init__(self) -> None:
        self.app: Any = SimpleNamespace(zone=ZONE, documents=None, store=None, clock=None)
        self.app.goals = SimpleNamespace(tokens=self)
        self.api = create_app(self.app, TOKEN)

    def who(self, token: str) -> str | None:
        """Return whose token this is in the home that is behind the application now."""
        found: str | None = self.app.goals.tokens.who(token)
        return found


class House:
    """A home with goals, asked over HTTP: by the home itself, by bots, by strangers."""

    def __init__(self, stage: Stage, store: Any, clock: Any, connect: Callable[..., Client], ports: Ports) -> None:
        self.ports, self.clock, self.store = ports, clock, store
        self.engine = EmbeddedEngine(store, clock, owner="goals")
        goals = opened(store, self.engine, clock, ports, backend="https://goals.example")
        tokens, callbacks = BotTokens(store, clock), Callbacks(store, clock)
        groups = SimpleNamespace(known=lambda: GROUPS)
        self.room = SimpleNamespace(goals=goals, catalog=CATALOG, tokens=tokens, callbacks=callbacks, groups=groups)
        stage.app.store, stage.app.clock, stage.app.goals = store, clock, self.room
        self.api = stage.api
        self._connect = connect
        self.client = connect(self.api)
        self._bots: dict[str, Client] = {}

    def bot(self, bot_id: str) -> Client:
        """Return the client of a bot, with a token of its own."""
        if bot_id not in self._bots:
            headers = {"Authorization": f"Bearer {self.room.tokens.issue(bot_id)}"}
            self._bots[bot_id] = self._connect(self.api, headers)
        return self._bots[bot_id]

    def stranger(self, headers: dict[str, str] | None = None) -> Client:
        """Return a client without a token, or with these headers."""
        return self._connect(self.api, headers or {})

    def asked(self, method: str, path: str, body: Any = None, *, by: str = "", **what: Any) -> httpx.Response:
        """Ask in the name of a bot, or of the home."""
        client = self.bot(by) if by else self.client
        given = what if body is None else {"json": body, **what}
        return client(method, f"{PREFIX}{path}", **given)

    def at_once(self, method: str, path: str, bodies: Sequence[Any]) -> list[httpx.Response]:
        """Ask many things at the same time."""
        return self.client.together([(method, f"{PREFIX}{path}", {"json": body}) for body in bodies])

    def get(self, path: str, **what: Any) -> Any:
        """Return the data of what is there."""
        return data_of(self.asked("GET", path, **what))

    def post(self, path: str, body: Any, **what: Any) -> Any:
        """Return the data of what was done."""
        return data_of(self.asked("POST", path, body, **what))

    def execute(self, **config: Any) -> str:
        """Hand a goal in; return its id."""
        return str(self.post("/execute", request(execution_config=config))["task_id"])

    def run(self, step: timedelta = timedelta(0)) -> None:
        """Let time pass, and everything happen that is due then."""
        self.clock.advance(step)
        self.engine.drain()

    def node(self, task_id: str, node_id: str) -> Any:
        """Return one node of the dashboard."""
        found = self.get(f"/dashboard?task_id={task_id}")["tasks"]
        return next(each for each in found if each["node_id"] == node_id)


def data_of(answer: httpx.Response) -> Any:
    body = answer.json()
    assert (answer.status_code, body["success"], body["code"]) == (200, True, 200_000), answer.text
    assert body["request_id"] == answer.headers["x-request-id"]
    return body["data"]


def refused(answer: httpx.Response, status: int) -> Any:
    """Check that an answer is a refusal in the one shape; return it."""
    body = answer.json()
    assert (answer.status_code, body["code"], body["success"], body["data"]) == (status, status * 1000, False, None), (
        body
    )
    assert body["detail"]
    assert "\n" not in body["detail"]
    assert body["request_id"] == answer.headers["x-request-id"]
    return body


def request(**members: Any) -> dict[str, Any]:
    """Return a TaskRequest."""
    return {
        "task_spec": {
            "metadata": {"title": "报告", "instruction": "写一份报告"},
            "context": {"background": "", "extend_props": {}},
            "goal": {"objective": "一份报告", "acceptances": [{"id": "ac1", "acceptance": "完整"}]},
        },
        "source_type": "api",
        "owner_user_id": "u1",
        "owner_bot_id": "owner",
        **members,
    }


def report(task_id: str, node_id: str, **result: Any) -> dict[str, Any]:
    """Return the result of a leaf in the shape of the contract."""
    body = {"loop_task_id": f"{task_id}::{node_id}", "workflow_type": "single_bot", "workflow_id": 0, "instance_id": 0}
    return {**body, "result": result}


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture(scope="session")
def stage() -> Stage:
    return Stage()


@pytest.fixture
def furnish(stage, store, clock, connect) -> Callable[..., House]:
    """Furnish a home with bots that do as a script says."""

    def furnished(planner: ScriptedPlanner | None = None, *others: Any, **more: Any) -> House:
        return House(stage, store, clock, connect, scripted_ports(planner or ScriptedPlanner({}), *others, **more))

    return furnished
