"""A house whose tasks act: everything as the program wires it, over a hub that does as it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from zhixing.delivery.model import Message, MessageState
from zhixing.delivery.operations import Delivery
from zhixing.delivery.policy import Policy
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.household.descs import Medium
from zhixing.household.doing.model import AgentRun, CronMessage, Household, Step
from zhixing.household.doing.operations import Doing
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import zone
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records.content import read_content
from zhixing.tasks.records.operations import Records
from zhixing.tasks.rules.model import DeviceAction, Direction, Fired, Plan, Response, Rule, Trigger
from zhixing.tasks.schedule.expression import parse_expression
from zhixing.tasks.schedule.model import Action
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Task, Way
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.devices.port import (
    ActionSpec,
    Camera,
    Device,
    DeviceSpec,
    Done,
    Failed,
    Level,
    Person,
    PropertySpec,
    Result,
)

SHANGHAI = "Asia/Shanghai"
LEASE = timedelta(seconds=8)


class Killed(BaseException):
    """The process ends here, and nothing that is not on disk survives it."""


class ScriptedHub:
    """Devices that outlive the program.

    `answers` of a device are given one by one before it behaves; `log` has every command, `shows_after` the seconds
    until a written value shows.
    """

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self.values: dict[tuple[str, str], Level] = {}
        self.answers: dict[str, list[Result | BaseException | Callable[[], Any]]] = {}
        self.log: list[tuple[Any, ...]] = []
        self.transition = 0.0
        self.shows_after: dict[str, float] = {}
        self.stuck: set[str] = set()
        self._coming: dict[tuple[str, str], tuple[datetime, Level]] = {}
        self.unreadable: set[str] = set()

    @property
    def commands(self) -> list[tuple[Any, ...]]:
        """Give the log without what was read."""
        return [entry for entry in self.log if entry[0] != "read"]

    def devices(self) -> Sequence[Device]:
        names = {"lamp": "客厅灯", "curtain": "窗帘", "speaker": "音箱", "ac": "空调"}
        return [Device(did, name, "客厅", did, "m", online=True) for did, name in names.items()]

    def spec(self, did: str) -> DeviceSpec:
        if did not in {"lamp", "curtain", "speaker", "ac", "bell"}:
            raise NotFound("device_unknown", name=did, known="")
        readable = did not in self.unreadable
        on = PropertySpec("prop.2.1", "on", "bool", readable=readable, writable=True)
        level = PropertySpec("prop.2.2", "level", "float", readable=readable, writable=True, low=0, high=100, step=0.5)
        mode = PropertySpec("prop.2.3", "mode", "string", readable=readable, writable=True)
        count = PropertySpec("prop.2.4", "count", "int", readable=readable, writable=True)
        return DeviceSpec(did, (on, level, mode, count), (ActionSpec("action.7.3", "play"),), self.transition)

    def cameras(self) -> Sequence[Camera]:
        return ()

    def people(self) -> Sequence[Person]:
        return ()

    def use_camera(self, did: str, *, in_use: bool) -> Camera:  # noqa: ARG002
        raise NotFound("camera_unknown", name=did, known="")

    def read(self, did: str, iid: str) -> Result:
        self.log.append(("read", did, iid))
        coming = self._coming.get((did, iid))
        if coming is not None and coming[0] <= self._clock.now():
            self.values[did, iid] = coming[1]
            del self._coming[did, iid]
        if (did, iid) not in self.values:
            return Failed("offline")
        return Done(self.values[did, iid])

    def write(self, did: str, iid: str, value: Level) -> Result:
        self.log.append(("write", did, iid, value))
        scripted = self._scripted(did)
        if scripted is not None:
            return scripted
        if did in self.stuck:
            return Done()
        if (lag := self.shows_after.get(did)) is not None:
            self._coming[did, iid] = (self._clock.now() + timedelta(seconds=lag), value)
        else:
            self.values[did, iid] = value
        return Done()

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:
        self.log.append(("act", did, iid, *params))
        return self._scripted(did) or Done()

    def _scripted(self, did: str) -> Result | None:
        waiting = self.answers.get(did)
        if not waiting:
            return None
        answer = waiting.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        if callable(answer):
            return answer()
        return answer


class House:
    """Everything a household task needs to act, with tasks and occurrences made by hand.

    Where `restarts`, everything is closed and opened anew before every step.
    """

    def __init__(self, home: Any, clock: ManualClock, *, restarts: bool) -> None:
        self.home = home
        self.clock = clock
        self.hub: Any = ScriptedHub(clock)
        self.phone = MemoryChannel("phone")
        self.speaker = MemoryChannel("speaker")
        self.media = {Medium.SPEAKER: ("speaker",), Medium.PHONE: ("phone",)}
        self.policies: dict[str, Policy] = {}
        self.messages: dict[str, str] = {}
        self.slugs: dict[str, str] = {}
        self._restarts = restarts
        self._fires = 0
        self.open()

    def open(self) -> None:
        self.store = self.home.store
        self.engine = EmbeddedEngine(self.store, self.clock, owner="甲", lease=LEASE)
        self.scheduling = Scheduling(self.store, self.engine, self.clock)
        channels = {"phone": self.phone, "speaker": self.speaker}
        self.delivery = Delivery(self.engine, self.clock, channels, self._settled, policies=self.policies)
        self.records = Records(self.engine, self.clock)
        self.doing = Doing(
            self.store,
            self.engine,
            self.clock,
            hub=self.hub,
            records=self.records,
            delivery=self.delivery,
            scheduling=self.scheduling,
            channels=self.media,
            household=Household(self._message_of, lambda _, slug: self.slugs.get(slug), self._expire),
        )

        def withdraw(tx, before, after):
            if before.active and not after.active:
                self.delivery.withdraw(tx, after.id)

        hooks = (
            self.scheduling.on_status_change,
            self.records.on_status_change,
            self.doing.on_status_change,
            withdraw,
        )
        self.tasks = Tasks(self.engine, self.clock, hooks)

    def _settled(self, tx, message: Message) -> None:
        """End an occurrence with its last message, as the program does."""
        every = self.delivery.messages(tx, message.occurrence_id)
        if not all(one.settled for one in every) or not occurrences.get(tx, message.occurrence_id).open:
            return
        if self.doing.holds(tx, message.occurrence_id):
            return
        states = {one.state for one in every if one.channel != "inbox"}
        reason = "told_partly" if states & {MessageState.FAILED, MessageState.UNKNOWN} else None
        self.scheduling.finish_occurrence(tx, message.occurrence_id, OccurrenceState.DONE, reason)

    def _message_of(self, _, job: str) -> CronMessage | None:
        text = self.messages.get(job)
        return None if text is None else CronMessage(text)

    def _expire(self, tx, task_id: str) -> None:
        if tasks_store.get(tx, task_id).active:
            self.tasks.expire(tx, task_id, who="clock")

    def restart(self) -> None:
        """Come back after a power cut, as the only worker there is."""
        self.home.reopen()
        self.open()
        self.engine.reclaim_all()
        self.scheduling.reconcile()

    def step(self) -> None:
        if self._restarts:
            self.restart()

    def work(self) -> int:
        self.step()
        return self.engine.drain()

    def pass_time(self, span: timedelta, every: timedelta = timedelta(seconds=1)) -> None:
        """Let time pass as it does for a program that runs."""
        end = self.clock.now() + span
        while self.clock.now() < end:
            self.clock.advance(min(every, end - self.clock.now()))
            self.engine.drain()

    def task(self, title: str = "喝水", record: dict[str, Any] | None = None, kind: str = "progress") -> Task:
        with self.store.write() as tx:
            made = self.tasks.create(tx, title=title, way=Way.HOUSEHOLD, zone_name=SHANGHAI, who="小明")
            if record is not None:
                self.records.init(tx, made.id, read_content(kind, record), who="小明")
        return made

    def fire(self, task: Task, *response: str | DeviceAction, **rest: Any) -> str:
        """Let a rule of the task answer with `response`; return the id of its occurrence."""
        fired = self.fired_of(task, *response, **rest)
        self.hand_over(fired)
        return fired.occurrence_id

    def fired_of(
        self,
        task: Task,
        *response: str | DeviceAction,
        direction: Direction = Direction.ENTER,
        rule: str = "r1",
        **rest: Any,
    ) -> Fired:
        self._fires += 1
        now = self.clock.now()
        answer = Response(
            actions=tuple(one for one in response if isinstance(one, DeviceAction)),
            descs=tuple(one for one in response if isinstance(one, str)),
        )
        plan = Plan("规则", Trigger("有人喝水"), **{f"on_{direction.value}": answer}, **rest.pop("plan", {}))
        made = Rule(rule, task.id, SHANGHAI, plan, None, 1, now, now)
        identity = occurrences.new(
            task.id, f"rule:{rule}:{direction.value}", str(self._fires), now, OccurrenceState.CLAIMED, now=now
        ).id
        return Fired(made, direction, identity, rest.pop("at", now), rest.pop("since", now), **rest)

    def hand_over(self, *fires: Fired) -> None:
        """Enter the occurrences of fires and hand them over, in one transaction."""
        self.step()
        with self.store.write() as tx:
            for fired in fires:
                self.enter(tx, fired)
            self.doing.fired(tx, fires)

    def enter(self, tx, fired: Fired) -> None:
        now = self.clock.now()
        part = f"rule:{fired.rule.id}:{fired.direction.value}"
        made = occurrences.new(
            fired.rule.task_id, part, fired.occurrence_id, fired.at, OccurrenceState.CLAIMED, now=now
        )
        occurrences.add(tx, replace(made, id=fired.occurrence_id), now=now, who="clock")

    def cron(self, task: Task, message: str, expression: str = "0 12 * * *", job: str = "j1", **rest: Any) -> None:
        self.messages[job] = message
        trigger = parse_expression(expression, zone(SHANGHAI), self.clock.now())
        action = Action("household.message", {"job": job})
        with self.store.write() as tx:
            self.scheduling.add(
                tx, task.id, part=f"cron:{job}", trigger=trigger, zone_name=SHANGHAI, action=action, who="小明", **rest
            )

    def do(self, operation: str, task: Task) -> None:
        self.step()
        with self.store.write() as tx:
            getattr(self.tasks, operation)(tx, task.id, who="小明")

    @staticmethod
    def set(did: str = "lamp", /, **rest: Any) -> DeviceAction:
        """Give the command that switches a device on, unless `iid` or `value` say otherwise."""
        return DeviceAction(did, **({"iid": "prop.2.1", "value": True} | rest))

    @staticmethod
    def play(*params: Level, did: str = "speaker", **rest: Any) -> DeviceAction:
        return DeviceAction(did, "action.7.3", None, params, **rest)

    # What can be seen

    def occurrence(self, identity: str) -> Occurrence:
        with self.store.read() as tx:
            return occurrences.get(tx, identity)

    def ended(self, identity: str) -> str:
        """Say how an occurrence stands, in short."""
        found = self.occurrence(identity)
        return found.state.value if found.reason is None else f"{found.state.value} {found.reason}"

    def times(self, task: Task) -> list[str]:
        """Say how the occurrences of a task stand, the earliest first."""
        with self.store.read() as tx:
            return [self.short(one) for one in reversed(occurrences.of_task(tx, task.id, limit=500))]

    @staticmethod
    def short(one: Occurrence) -> str:
        words = [f"{one.due.astimezone(zone(SHANGHAI)):%H:%M}", one.state.value, one.reason or ""]
        return " ".join(words).strip()

    def steps(self, identity: str) -> list[Step]:
        with self.store.read() as tx:
            return self.doing.steps(tx, [identity])

    def states(self, identity: str) -> list[str]:
        return [f"{step.state.value} {step.reason}".strip() for step in self.steps(identity)]

    def journal(self, task: Task, kind: str) -> list[Any]:
        with self.store.read() as tx:
            return [entry for entry in journal.of_task(tx, task.id, 500)[::-1] if entry.kind == kind]

    def inbox(self) -> list[str]:
        with self.store.read() as tx:
            return [message.text for message in self.delivery.inbox(tx, limit=500)]

    def said(self, channel: MemoryChannel | None = None) -> list[str]:
        return [letter.text for letter in (channel or self.phone).arrived]

    def runs(self, **rest: Any) -> list[AgentRun]:
        with self.store.read() as tx:
            return self.doing.runs(tx, **rest)

    def count(self, task: Task) -> int:
        with self.store.read() as tx:
            return self.records.get(tx, task.id).shape()["record"]["current"]


@pytest.fixture(params=["in one go", "with restarts"])
def house(request: pytest.FixtureRequest, home, clock: ManualClock) -> House:
    return House(home, clock, restarts=request.param == "with restarts")


@pytest.fixture
def steady(home, clock: ManualClock) -> House:
    """Give the same, where nothing restarts unless the test says so."""
    return House(home, clock, restarts=False)
