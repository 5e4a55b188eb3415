"""A house with the household agent in it, and a model that follows a script, or none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Home
from tests.household.doing.conftest import House, ScriptedHub

from zhixing.household.agent import transcript
from zhixing.household.agent.model import Turn
from zhixing.household.agent.working import HouseholdAgent
from zhixing.household.doing.model import AgentRun
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import NotFound
from zhixing.store.opening import sqlite_url
from zhixing.tasks.rules.model import DeviceAction, Direction
from zhixing.tasks.task import Task
from zhixing.world.devices.port import Device, DeviceSpec
from zhixing.world.models.failures import ModelUnavailable, Why
from zhixing.world.models.port import Prompt
from zhixing.world.models.scripted import FunctionModel, ScriptedModel

RESET = "检查开窗帘是否仍有效，若已结束则复位"
AWAY = ModelUnavailable(Why.UNREACHABLE)
MINUTE = timedelta(minutes=1)
ARGUMENTS = ("text", "medium", "device", "property", "value", "source", "task", "outcome")


Script = Sequence[Any] | Callable[[Prompt], Any] | None
"""What a model says: line by line, by a function, or there is none."""


def wants(tool: str, thought: str = "想一下", **arguments: Any) -> dict[str, Any]:
    """Write what a model says in a turn."""
    return {"thought": thought, "tool": tool, "arguments": dict.fromkeys(ARGUMENTS) | arguments}


def _following(script: Sequence[Any] | None, clock: ManualClock) -> ScriptedModel | None:
    return None if script is None else ScriptedModel(clock, script)


def ends(outcome: str = "done") -> dict[str, Any]:
    return wants("finish", outcome=outcome, text="办完了")


class Hub(ScriptedHub):
    """The same devices, and a lock; names may be made hostile."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.names = {"lamp": "客厅灯", "curtain": "窗帘", "speaker": "音箱", "ac": "空调", "lock": "入户门锁"}

    def devices(self) -> Sequence[Device]:
        kinds = {"lamp": "light", "lock": "lock"}
        return [Device(did, name, "客厅", kinds.get(did, did), "m", online=True) for did, name in self.names.items()]

    def spec(self, did: str) -> DeviceSpec:
        if did not in self.names:
            raise NotFound("device_unknown", name=did, known="")
        made = super().spec("lamp" if did == "lock" else did)
        return DeviceSpec(did, made.properties, made.actions, made.transition)


class Agency(House):
    """A house whose runs are worked off by rule, and by `model` where there is one."""

    def __init__(self, home: Any, clock: ManualClock, *, restarts: bool, script: Script) -> None:
        self.model = FunctionModel(script, clock) if callable(script) else _following(script, clock)
        self._own_hub = Hub(clock)
        super().__init__(home, clock, restarts=restarts)

    def open(self) -> None:
        self.hub = self._own_hub
        super().open()
        self.agent = HouseholdAgent(
            self.store,
            self.engine,
            self.clock,
            hub=self.hub,
            records=self.records,
            agents=self.doing.agents,
            telling=self.doing.telling,
            task_of=lambda _, slug: self.slugs.get(slug),
            model=self.model,
        )

    def restart(self) -> None:
        super().restart()
        self.agent.take_up()

    def episode(self, task: Task, *commands: DeviceAction, after: timedelta = 10 * MINUTE, desc: str = RESET) -> str:
        """Let a rule enter, with commands, and leave; return the occurrence of its end."""
        since = self.enter_rule(task, *commands)
        self.clock.advance(after)
        return self.leave_rule(task, since, desc)

    def enter_rule(self, task: Task, *commands: DeviceAction) -> Any:
        since = self.clock.now()
        self.fire(task, *commands, since=since)
        self.pass_time(timedelta(seconds=30), every=timedelta(seconds=10))
        return since

    def leave_rule(self, task: Task, since: Any, desc: str = RESET) -> str:
        now = self.clock.now()
        return self.fire(task, desc, direction=Direction.EXIT, since=since, left=now)

    def run(self) -> AgentRun:
        """Give the newest run."""
        return self.runs()[0]

    def turns(self, run_id: str = "h1") -> tuple[Turn, ...]:
        with self.store.read() as tx:
            return transcript.turns(tx, run_id)

    def said_in(self, run_id: str = "h1") -> list[str]:
        """Write the turns of a run in short."""
        return [f"{turn.number} {turn.tool.value} {turn.state.value}" for turn in self.turns(run_id)]

    def asked(self, place: int = -1) -> str:
        """Give everything that the model was asked."""
        assert self.model is not None
        prompt = self.model.asked[place]
        return prompt.system + "".join(part.text for part in prompt.parts)


@pytest.fixture(params=["in one go", "with restarts"])
def agency(request: pytest.FixtureRequest, home: Any, clock: ManualClock) -> Any:
    """Make houses: with a script for the model, or without a model."""
    return lambda script=None: Agency(home, clock, restarts=request.param == "with restarts", script=script)


@pytest.fixture
def steady_agency(home: Any, clock: ManualClock) -> Any:
    """Make the same, where nothing restarts unless the test says so."""
    return lambda script=None: Agency(home, clock, restarts=False, script=script)


@pytest.fixture
def quick_agency(migrated_file: Path, tmp_path: Path, clock: ManualClock) -> Iterator[Any]:
    """Make the same in one place: for what no database and no restart has a say in."""
    shutil.copy(migrated_file, tmp_path / "quick.db")
    with closing(Home(sqlite_url(tmp_path / "quick.db"))) as home:
        yield lambda script=None: Agency(home, clock, restarts=False, script=script)
