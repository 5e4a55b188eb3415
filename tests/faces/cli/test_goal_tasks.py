"""What the command line says of tasks that are goals."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO, StringIO

import pytest
from tests.goals.running.houses import BACKEND, TASK, goal

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.goals.keeping.following import Following
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.running.room import opened
from zhixing.goals.running.scripted import (
    MISSED,
    ScriptedBoard,
    ScriptedDeliverer,
    ScriptedPlanner,
    planned,
    scripted_ports,
)


@pytest.fixture
def pursue(terminal):
    """Run a goal in the home of the terminal, with scripted twins outside."""

    def run(plans, searches=None, deliverer=None, board=None, info=None) -> None:
        desk = Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())
        with house(desk) as home:
            app = home.app
            engine = EmbeddedEngine(app.store, terminal.clock, owner="乙")
            watcher = Following(
                terminal.clock,
                tasks=app.tasks,
                cancel=lambda _tx, _goal: None,
                zone=app.zone.name,
                expect=lambda _tx: None,
            )
            ports = scripted_ports(ScriptedPlanner(plans, searches or {}), deliverer, board)
            goals = opened(app.store, engine, terminal.clock, ports, backend=BACKEND, watcher=watcher)
            assert goals.execute(info or goal(limits=Limits(max_depth=1))).status == 200
            engine.drain()

    return run


TWO = {TASK: [planned("a", "b"), planned()]}


def test_a_goal_stands_in_the_list_with_how_it_stands(terminal, pursue, said):
    said("明晚九点提醒我交表")
    pursue(TWO, deliverer=ScriptedDeliverer({"b": [None]}))
    assert terminal("list", "--way", "goal").lines[-1].split()[:2] == ["t2", "进行中"]
    assert [each["id"] for each in terminal("list", "--json").json["tasks"]] == ["t2", "t1"]
    assert terminal("list", "--json").json["tasks"][0]["goal"] == {"id": TASK, "status": "EXECUTING"}


def test_a_goal_under_way_says_how_far_it_is_and_who_is_on_it(terminal, pursue):
    pursue(TWO, deliverer=ScriptedDeliverer({"b": [None]}))
    assert terminal("show", "t1").lines == [
        "t1  report",
        "  要做的：write the report",
        f"  目标 {TASK}：进行中",
        "  做完 1/2 步",
        "    bot-b 在做「b」",
        f"  看全部：zhixing goal show {TASK}；不做了：zhixing delete t1",
        "  经过：",
        "    今天（10月12日 周一） 10:00 新建（u）",
        "    今天（10月12日 周一） 10:00 交给 bot 去做（u）",
    ]
    shown = terminal("show", "t1", "--json").json["goal"]
    assert (shown["done"], shown["count"]) == (1, 2)
    assert shown["working"] == [{"id": "b", "title": "b", "bot": "bot-b", "reason": None}]


def test_what_hangs_says_why_and_what_to_do_about_it(terminal, pursue):
    plans = {TASK: [planned("a"), planned()], "a": [planned()]}
    pursue(plans, {"a": [MISSED]}, board=ScriptedBoard({"strong": 90}))
    lines = terminal("explain", "t1").lines
    assert f"  目标 {TASK}：进行中，下面有步骤卡住了" in lines
    hangs = next(line for line in lines if "「a」" in line)
    assert "没有能做它的 bot，也不能再拆了" in hangs
    assert f"zhixing goal resolve {TASK} a" in hangs
    assert "  由 strong 接手" in lines
    assert any("卡住了：a、没有能做它的 bot，也不能再拆了" in line for line in lines)
    assert any("有 bot 接手：strong" in line for line in lines)
    assert terminal("explain", "t1", "--json").json["explanation"]


def test_a_finished_goal_shows_its_result_and_its_log_reads_as_a_story(terminal, pursue):
    pursue(TWO)
    assert "  · a：work of a" in terminal("show", "t1").lines
    assert [line.split(" 10:00 ")[-1] for line in terminal("logs", "t1").lines[1:]] == [
        "已完成：目标达成（目标）",
        "目标达成（目标）",
        "交给 bot 去做（u）",
        "新建（u）",
    ]
    assert len(terminal("logs", "t1", "--limit", "2").lines) == 3
    assert terminal("list", "--json").json["tasks"] == []


def test_deleting_a_goal_says_that_it_ends_here(terminal, pursue):
    pursue(TWO, deliverer=ScriptedDeliverer({"b": [None]}))
    assert terminal("delete", "t1").lines == ["已删除：t1  report", "交给 bot 做的目标到此为止，不能恢复。"]


def test_nothing_hidden_in_the_words_of_bots_reaches_the_terminal(terminal, pursue):
    spec = TaskSpec("\x1b[2J\u202etitle", "\x1b]0;x\x07do\nit", "", "aim")
    pursue(TWO, deliverer=ScriptedDeliverer({"b": [None]}), info=replace(goal(), spec=spec))
    for command in ("show", "explain", "logs"):
        assert all(line.isprintable() for line in terminal(command, "t1").lines), command


def test_a_preview_of_a_goal_has_no_instants(terminal, pursue):
    pursue(TWO, deliverer=ScriptedDeliverer({"b": [None]}))
    assert terminal("preview", "t1", "--json").json["reminders"] == []
