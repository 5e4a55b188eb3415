"""An agent looks after a task that is a goal of bots."""

from __future__ import annotations

from io import BytesIO, StringIO

from tests.faces.mcp.conftest import env_of
from tests.goals.running.houses import BACKEND, TASK, goal

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.goals.keeping.following import Following
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.kernel.clock import SystemClock


def pursue(folder) -> None:
    """Run a goal in the home of the agent, with scripted twins outside."""
    clock = SystemClock()
    with house(Desk(env_of(folder), clock, BytesIO(), StringIO(), StringIO())) as home:
        app = home.app
        watcher = Following(
            clock, tasks=app.tasks, cancel=lambda _tx, _goal: None, zone=app.zone.name, expect=lambda _tx: None
        )
        ports = scripted_ports(ScriptedPlanner({TASK: [planned("a")]}), ScriptedDeliverer({"a": [None]}))
        engine = EmbeddedEngine(app.store, clock, owner="乙")
        goals = opened(app.store, engine, clock, ports, backend=BACKEND, watcher=watcher)
        assert goals.execute(goal()).status == 200
        engine.drain()


def test_a_goal_is_listed_shown_and_explained(agent) -> None:
    pursue(agent.folder)
    task = agent("task_list", way="goal")["tasks"][0]
    assert task["goal"] == {"id": TASK, "status": "EXECUTING"}
    shown = agent("task_show", task=task["id"])
    assert [each["bot"] for each in shown["goal"]["working"]] == ["bot-a"]
    assert [each["kind"] for each in shown["journal"]] == ["created", "goal_handed_in"]
    assert any("bot-a 在做「a」" in line for line in agent("explain", id=task["id"])["explanation"])
