"""A house of groups whose bots are played: run by hand, restarted at will; the bots outlive it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.bots.profiles import Catalog, CommandSettings, Line, ModelSettings, Profile, ScriptedSettings
from zhixing.goals.groups.model import Kept, Wanted
from zhixing.goals.groups.operations import Groups
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode
from zhixing.goals.running.ports import Heard
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store, Tx
from zhixing.world.bots.port import Errand, Said

MODEL, COMMAND, SCRIPTED = ModelSettings(), CommandSettings(("work",)), ScriptedSettings((Line("好"),))
LOOP = """\
name: 写作评审
roles: {作者: 写完整的稿子, 评审: 看是否答到点上}
start: 起草
most_turns: 12
states:
  起草: {role: 作者, task: 写完整的草稿, next: 评审}
  评审: {role: 评审, task: 决定通过还是退回, next: {通过: 定稿, 退回: 起草}}
  定稿: {role: 作者, task: 写出定稿, end: true}
"""
ALONE = """\
roles: {作者: 写, 评审: 看}
start: 写
states: {写: {role: 作者, next: 看}, 看: {role: 评审, next: 完}, 完: {end: true}}
"""
CHAT = Formation(("a", "b", "c"), CollabMode.CHAT, "讨论群")
MANAGED = Formation(("a", "b", "c"), CollabMode.MANAGER_WORKER, "分工群", "a", (Member("b", "分析", "看市场"),))
ROLES = (Member("a", "作者"), Member("b", "评审"))
MACHINE = Formation(("a", "b"), CollabMode.STATE_MACHINE, "评审群", members=ROLES, definition_yaml=LOOP)

Reply = str | Said | BaseException


def catalog_of(settings=MODEL, *ids: str) -> Catalog:
    return Catalog(tuple(Profile(each, f"机器人{each}", settings) for each in ids or ("a", "b", "c")))


def strict(data: object = "成果", *gaps: str) -> str:
    return json.dumps({"success": not gaps, "data": data, "gaps": gaps}, ensure_ascii=False)


def done(data: object = "成果") -> str:
    return json.dumps({"done": {"success": True, "data": data, "gaps": []}}, ensure_ascii=False)


def ask_for(say: str, *to: str) -> str:
    return json.dumps({"to": to, "say": say}, ensure_ascii=False)


@dataclass(slots=True)
class Cast:
    """Bots that reply one line after another, the last again and again; a line may look at its errand."""

    lines: Mapping[str, Sequence[Reply | Callable[[Errand], Reply]]]
    asked: list[tuple[str, Errand]] = field(default_factory=list)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, profile: Profile, errand: Errand) -> Said:
        with self._turn:
            # Who is asked the same again says the same again.
            keys = list(dict.fromkeys(each.key for bot, each in self.asked if bot == profile.id))
            at = keys.index(errand.key) if errand.key in keys else len(keys)
            self.asked.append((profile.id, errand))
        lines = self.lines[profile.id]
        line = lines[min(at, len(lines) - 1)]
        said = line(errand) if callable(line) else line
        if isinstance(said, BaseException):
            raise said
        return Said(said, tokens=10, cost=0.5) if isinstance(said, str) else said

    @property
    def order(self) -> str:
        return " ".join(bot for bot, _ in self.asked)


class Room:
    """One start of the program on a store."""

    def __init__(
        self, store: Store, clock: ManualClock, cast: Cast, catalog: Catalog | None = None, engine=None
    ) -> None:
        self.clock = clock
        self.cast = cast
        self.catalog = catalog or catalog_of()
        self.ends: list[tuple[str, str, int, Heard]] = []
        self.engine = engine or EmbeddedEngine(store, clock, owner="甲")
        self.groups = Groups(store, self.engine, clock, catalog=lambda: self.catalog, ask=cast, ended=self._ended)

    def _ended(self, tx: Tx, task: str, node: str, attempt: int, heard: Heard) -> None:
        tx.on_commit(lambda: self.ends.append((task, node, attempt, heard)))

    def begin(self, formation: Formation | None = CHAT, **members) -> str:
        wanted = {"key": "k", "task_id": "t", "node_id": "n", "attempt": 1, "text": "目标：写报告", **members}
        return self.groups.begin(Wanted(formation=formation, **wanted)).run_id

    def play(self, formation: Formation | None = CHAT, **members) -> Heard | None:
        """Begin a talk and do what is ready; return what it came to."""
        run_id = self.begin(formation, **members)
        self.engine.drain()
        return self.groups.result(run_id)

    def later(self, seconds: float) -> None:
        self.clock.advance(timedelta(seconds=seconds))
        self.engine.drain()

    def talk(self, run_id: str) -> Kept:
        found = self.groups.talk(run_id)
        assert found is not None
        return found
