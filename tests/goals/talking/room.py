"""A room of talks about goals that can be restarted at will; what was handed in outlives it."""

from __future__ import annotations

from dataclasses import replace

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.contracts.requesting import Requested
from zhixing.goals.loop.model import TaskInfo
from zhixing.goals.recognising.cards import read_card
from zhixing.goals.recognising.mapping import Asker
from zhixing.goals.running.operations import Goals
from zhixing.goals.talking.operations import GoalTalks
from zhixing.goals.talking.talk import GoalTalk
from zhixing.goals.talking.views import GoalTalkView
from zhixing.goals.talking.watching import Together
from zhixing.store.connection import Tx

FIX = "/task 修复 PR #1243 的命名问题，交付物：代码 PR，验收标准：CI 通过，约束：不动接口逻辑"
"""Whole at once."""
EMPTY = "/task"
TWO = "/task 修复登录页的空指针。另外给产品写一份竞品分析报告"


class Dies(BaseException):
    """The program stops here."""


class Desk:
    """Where goals are handed in. `dies` stops the program before or behind it, `refuses` says no."""

    def __init__(self) -> None:
        self.goals: Goals | None = None
        self.dies_before = self.dies_behind = False
        self.refuses: Exception | None = None

    def submit(self, requested: Requested, key: str) -> str:
        assert self.goals is not None
        if self.refuses is not None:
            raise self.refuses
        if self.dies_before:
            raise Dies
        reply = self.goals.execute(replace(requested.info, key=key), requested.config)
        assert reply.status == 200, reply
        if self.dies_behind:
            raise Dies
        return str(reply.data["task_id"])

    @property
    def handed_in(self) -> list[TaskInfo]:
        """The goals, the oldest first."""
        assert self.goals is not None
        graphs = (self.goals.graph(each.info.task_id) for each in reversed(self.goals.listed()))
        return [graph.head.info for graph in graphs if graph is not None]


class Room:
    def __init__(self, home, clock, model=None) -> None:
        self.home = home
        self.clock = clock
        self.model = model
        self.desk = Desk()
        self.offered: list[str] = []
        self.watched = True
        self.open()

    def open(self) -> None:
        store = self.home.store
        self.engine = EmbeddedEngine(store, self.clock, owner="甲")
        self.talks = GoalTalks(
            store,
            self.engine,
            self.clock,
            model=self.model,
            submit=self.desk.submit,
            asker=Asker("user-1", "bot-1"),
            zone="Asia/Shanghai",
            offered=self.hear,
        )
        watcher = Together(lambda: (self.talks,) if self.watched else ())
        self.desk.goals = Goals(store, self.engine, self.clock, watcher=watcher)
        self.talks.take_up()

    def hear(self, _tx: Tx, talk: GoalTalk, _goal_id: str) -> None:
        self.offered.append(talk.id)

    def restart(self) -> None:
        self.home.reopen()
        self.open()

    def say(self, text: str, **members) -> GoalTalkView:
        view = self.talks.say(text, who="test", **members)
        assert isinstance(view, GoalTalkView)
        return view

    def answer(self, talk_id: str, words: str, revision: int | None = None) -> GoalTalkView:
        return self.talks.answer(talk_id, words, who="test", revision=revision)

    def over(self, goal_id: str) -> None:
        """Let a goal end."""
        assert self.desk.goals is not None
        self.desk.goals.cancel(goal_id)

    def states(self) -> dict[str, str]:
        return {view.row.id: view.row.state.value for view in reversed(self.talks.page())}


def draft_of(view: GoalTalkView):
    return read_card(view.card_text).draft
