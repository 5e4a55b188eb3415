"""A town of bots round a house of goals: it is started again at will, while the bots and their memories stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.bots.profiles import (
    Catalog,
    CommandSettings,
    HttpSettings,
    ModelSettings,
    Profile,
    ScriptedSettings,
    Settings,
)
from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.contracts.planning import HEADERS
from zhixing.goals.groups.model import Wanted
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Criterion, Graph, TaskInfo, TaskSpec
from zhixing.goals.overlays.model import Overlay
from zhixing.goals.reaching.room import furnish
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Arrived, Heard, Ports
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import ScriptedTeller, chosen, passed
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput
from zhixing.store.connection import Store
from zhixing.world.bots.port import Bot, Errand, Said

TASK = "g"
BACKEND = "https://goals.example"
KINDS: Mapping[str, Settings] = {
    "model": ModelSettings(),
    "command": CommandSettings(("work",)),
    "http": HttpSettings("https://bot.example"),
    "scripted": ScriptedSettings(()),
}


def profile(bot_id: str, kind: str = "model", **members) -> Profile:
    members = {"name": bot_id, "abilities": ("do",), **members}
    return Profile(bot_id, settings=KINDS[kind], **members)


def goal(task_id: str = TASK, limits: Limits | None = None, **members) -> TaskInfo:
    spec = members.pop("spec", None) or TaskSpec(
        "report", "write the report", "", "a report", (Criterion("ac1", "it is complete"),)
    )
    members = {"owner_bot_id": "owner", **members}
    return TaskInfo(task_id, spec, owner_user_id="u", limits=limits or Limits(), **members)


class Owner:
    """An owner bot: plans by node, the nth answer to the nth question; finds `bot-<node>` unless the script says."""

    def __init__(self, plans: Mapping[str, Sequence[str]], searches: Mapping[str, Sequence[str]] | None = None) -> None:
        self.plans = plans
        self.searches = searches or {}
        self.errands: list[Errand] = []

    def ask(self, errand: Errand) -> Said:
        self.errands.append(errand)
        if errand.text.startswith(HEADERS):
            found = re.search(r"node_id=(.*)", errand.text)
            assert found is not None
            answers = self.plans[found[1]]
        else:
            found = re.search(r'"node_id": "(.*)"', errand.text)
            assert found is not None
            answers = self.searches.get(found[1], (chosen(f"bot-{found[1]}"),))
        return Said(answers[min(errand.attempt, len(answers)) - 1], tokens=1)


class Worker:
    """A bot that only answers: the nth answer to the nth attempt. `broken` is raised instead of the next answers."""

    def __init__(self, *answers: str | Said, broken: Sequence[BaseException] = ()) -> None:
        self.answers = answers
        self.broken = list(broken)
        self.errands: list[Errand] = []

    def ask(self, errand: Errand) -> Said:
        self.errands.append(errand)
        if self.broken:
            raise self.broken.pop(0)
        if not self.answers:
            return Said(passed(f"work of {errand.loop_task_id.rpartition('::')[2]}"), tokens=10, cost=0.5)
        answer = self.answers[min(errand.attempt, len(self.answers)) - 1]
        return Said(answer) if isinstance(answer, str) else answer


@dataclass(slots=True)
class TwinGroups:
    """Groups that come to what they are told; None is a talk without end."""

    results: Mapping[str, str | None] = field(default_factory=dict)
    groups: tuple[KnownGroup, ...] = ()
    refuses: bool = False
    wanted: dict[str, Wanted] = field(default_factory=dict)
    stopped: list[str] = field(default_factory=list)

    def begin(self, wanted: Wanted) -> Arrived:
        if self.refuses:
            raise BadInput("bot_group_alone")
        self.wanted.setdefault(wanted.key, wanted)
        return Arrived(wanted.group_id or f"group-{wanted.node_id}", f"talk-{wanted.node_id}-{wanted.attempt}")

    def found(self, key: str) -> Arrived | None:
        return self.begin(self.wanted[key]) if key in self.wanted else None

    def result(self, run_id: str) -> Heard | None:
        node_id = run_id.split("-")[1]
        answer = self.results.get(node_id, passed(f"talk of {node_id}"))
        return None if answer is None else Heard(answer)

    def stop(self, run_id: str) -> None:
        self.stopped.append(run_id)

    def known(self) -> tuple[KnownGroup, ...]:
        return self.groups


class Town:
    """One start of the program on a store."""

    def __init__(
        self,
        store: Store,
        clock: ManualClock,
        profiles: Sequence[Profile],
        bots: Mapping[str, Bot],
        *,
        fallback: Bot | None = None,
        overlays: Sequence[Overlay] = (),
        groups: TwinGroups | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.profiles = list(profiles)
        self.groups = groups or TwinGroups()
        self.engine = EmbeddedEngine(store, clock, owner="甲")
        self.reaching = furnish(
            store,
            self.engine,
            clock,
            catalog=lambda: Catalog(tuple(self.profiles)),
            reach=lambda each: bots[each.id],
            fallback=fallback,
            overlays=overlays,
            groups=self.groups,
            goals_of=lambda: self.goals,
        )
        self.teller = ScriptedTeller()
        ports = Ports(self.reaching.planner, self.reaching.deliverer, self.reaching.board, self.teller)
        self.goals: Goals = opened(store, self.engine, clock, ports, backend=BACKEND)

    @property
    def graph(self) -> Graph:
        found = self.goals.graph(TASK)
        assert found is not None
        return found

    def states(self) -> dict[str, str]:
        return {node.id: node.status.value for node in self.graph.nodes.values()}

    def run(self, info: TaskInfo | None = None, config: Mapping | None = None) -> None:
        """Hand a goal in and do what is ready."""
        assert self.goals.execute(info or goal(), config).status == 200
        self.engine.drain()

    def later(self, seconds: float) -> None:
        """Let time pass, all of it at once, and do what is ready then."""
        self.clock.advance(timedelta(seconds=seconds))
        self.engine.drain()

    def runs(self) -> dict[str, str]:
        """Return the states of runs, by node and attempt."""
        with self.store.read() as tx:
            found = tx.rows("SELECT node_id, attempt, state FROM goal_runs ORDER BY created_at, node_id, attempt")
        return {f"{node_id}#{attempt}": state for node_id, attempt, state in found}


def twice(errands: Sequence[Errand]) -> list[str]:
    return [key for key, count in Counter(each.key for each in errands).items() if count > 1]
