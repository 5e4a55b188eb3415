"""News of goals reach people once, in words that say what happened, why, and what they can do."""

from __future__ import annotations

import ast
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from tests.goals.keeping.houses import TASK, KeptHouse, goal

from zhixing.goals import loop
from zhixing.goals.keeping.news import LONGEST_TEXT, text_of
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.values import GraphStatus, Hung, TaskType
from zhixing.goals.running.ports import News
from zhixing.goals.running.scripted import (
    MISSED,
    ScriptedBoard,
    ScriptedDeliverer,
    ScriptedPlanner,
    failed,
    passed,
    planned,
    scripted_ports,
)
from zhixing.kernel.wording import LANGUAGES, section
from zhixing.world.channels.memory import MemoryChannel

TWO = {TASK: [planned("a", "b"), planned()]}


@pytest.fixture
def phone():
    return MemoryChannel()


@pytest.fixture
def house(store, clock, phone):
    """Open a house with these twins outside."""

    def open_house(plans=None, searches=None, deliverer=None, board=None) -> KeptHouse:
        ports = scripted_ports(ScriptedPlanner(plans or TWO, searches or {}), deliverer, board)
        return KeptHouse(store, clock, ports, phone)

    return open_house


def topics_in_source() -> set[str]:
    """Return every topic that the decider tells of, read off its source."""
    found: set[str] = set()
    for file in Path(loop.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tell":
                said = [each for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)]
                assert said, f"{file.name}:{node.lineno} tells of a topic that is not written there"
                found |= {each.value for each in said}
    return found


def test_every_topic_has_words_in_both_languages():
    topics = topics_in_source()
    assert {"done", "failed", "stopped", "hung", "relay_wanted", "budget_warning", "delivery_unknown"} <= topics
    for language in LANGUAGES:
        assert topics | {f"{each}_do" for each in topics} <= set(section("goal_news", language))


def test_every_reason_and_every_state_has_words_in_both_languages():
    wanted = {f"reason_{each.value}" for each in Hung} | {f"status_{each.value}" for each in GraphStatus}
    for language in LANGUAGES:
        assert wanted <= set(section("goal_news", language))


def test_a_finished_goal_brings_its_result(house, phone):
    home = house(deliverer=ScriptedDeliverer({"a": [passed("chapter\none")]}))
    home.run()
    assert [each.title for each in phone.arrived] == ["report"]
    assert phone.arrived[0].text.splitlines() == [
        "做完了。",
        "成果 2 项：",
        "· a：chapter one",
        "· b：work of b",
        f"看全部成果：zhixing goal show {TASK}",
    ]
    assert [each.text for each in home.inbox()] == [phone.arrived[0].text]
    assert home.states() == ["done"]


def test_a_goal_that_stops_brings_what_there_is_with_the_reasons(house, phone):
    home = house(deliverer=ScriptedDeliverer({"b": [None]}))
    home.run(goal(limits=Limits(wall_clock=100_000)))
    home.later(seconds=80)
    home.later(seconds=20)
    warning, stopped = (each.text.splitlines() for each in phone.arrived)
    assert warning == ["时间已经用了 80%，用完就会停下来。", f"要多用一些：zhixing goal budget {TASK} …"]
    assert stopped == [
        "停下来了：额度用完了。",
        "已经做完 1 项：",
        "· a：work of a",
        "没做完的：",
        "· b：额度用完了",
        "· 还没验收：it is complete",
        f"先加额度：zhixing goal budget {TASK} …，再接着做：zhixing goal retry {TASK}",
    ]


def test_what_hangs_says_why_and_how_to_go_on(house, phone):
    board = ScriptedBoard({"strong": 90})
    home = house({TASK: [planned("a"), planned()], "a": [planned()]}, {"a": [MISSED]}, board=board)
    home.run(goal(limits=Limits(max_depth=1)))
    assert home.news() == ["hung", "relay_wanted"]
    hung, wanted = (each.text.splitlines() for each in phone.arrived)
    assert hung[0] == "「a」卡住了：没有能做它的 bot，也不能再拆了。"
    assert f"zhixing goal resolve {TASK} a" in hung[1]
    assert wanted[0].startswith("自己做不下去了：下面有步骤卡住了。")


def test_what_hangs_for_its_children_is_in_the_inbox_and_calls_nobody(house, phone):
    home = house()
    home.run()
    news = News("k", TASK, "a", "hung", {"reason": "child_hung"})
    home.keeping.teller.tell(news)
    home.engine.drain()
    assert len(phone.arrived) == 1
    assert len(home.inbox()) == 2


def test_a_delivery_of_which_nobody_knows_says_that_it_is_not_sent_again(house, phone):
    home = house(deliverer=ScriptedDeliverer(refusals={"a": [RuntimeError("line cut")]}))
    home.run()
    assert phone.arrived[0].text.startswith("「a」交没交到对方手里不清楚")
    assert f"zhixing goal retry {TASK} a" in phone.arrived[0].text


def test_a_relay_message_of_which_nobody_knows_names_the_bot(house, phone):
    board = ScriptedBoard({"strong": 90}, refusals=[RuntimeError("?")])
    home = house({TASK: [planned("a")], "a": [planned()]}, {"a": [MISSED]}, board=board)
    home.run(goal(limits=Limits(max_depth=1)))
    said = [each.text for each in phone.arrived if "不清楚" in each.text]
    assert len(said) == 1
    assert said[0].startswith("给 strong 的接手消息")


def test_a_workflow_that_failed_says_what_is_missing(house, phone):
    home = house({}, deliverer=ScriptedDeliverer({TASK: [failed("no\ndisk")]}))
    home.run(goal(task_type=TaskType.WORKFLOW, workflow_id="wf-1"))
    lines = phone.arrived[0].text.splitlines()
    assert lines[0] == "没有做成：外面的系统说失败了。"
    assert "· report：还差 no disk" in lines


def test_the_same_news_are_told_once(house, phone):
    home = house()
    home.run()
    news = News("again", TASK, "a", "hung", {"reason": "exec_stuck"})
    for _ in range(3):
        home.keeping.teller.tell(news)
        home.engine.drain()
    assert home.news().count("hung") == 1
    assert len(phone.arrived) == 2


def test_what_was_finished_of_a_goal_that_is_given_up_is_in_the_inbox_and_calls_nobody(house, phone):
    home = house(deliverer=ScriptedDeliverer({"b": [None]}))
    home.run()
    home.do("delete")
    home.engine.drain()
    assert phone.arrived == []
    assert [each.text.splitlines()[:3] for each in home.inbox()] == [
        ["取消了，做完的都在这里。", "已经做完 1 项：", "· a：work of a"]
    ]


def test_of_a_task_that_was_deleted_nothing_is_told(house, phone):
    home = house(deliverer=ScriptedDeliverer({"a": [None], "b": [None]}))
    home.run()
    home.do("delete")
    home.keeping.teller.tell(News("late", TASK, "a", "hung", {"reason": "exec_stuck"}))
    home.keeping.teller.tell(News("strange", "nowhere", "a", "hung"))
    home.engine.drain()
    assert (phone.arrived, home.inbox()) == ([], [])


def test_a_flood_of_news_stays_in_the_inbox_but_the_end_is_told(house, phone):
    home = house(deliverer=ScriptedDeliverer({"a": [None], "b": [None]}))
    home.run()
    for number in range(30):
        home.keeping.teller.tell(News(f"k{number}", TASK, "a", "hung", {"reason": "exec_stuck"}))
    home.keeping.teller.tell(News("end", TASK, TASK, "stopped", {"reason": "loop_exhausted"}))
    home.engine.drain()
    assert len(phone.arrived) == 21
    assert phone.arrived[-1].text.startswith("停下来了")
    assert len(home.inbox()) == 31


NASTY = "x\n\u202e\x1b[2J\x00\ud800; rm -rf ~ {goal} 'q'"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", [*sorted(topics_in_source()), "of a later version"])
def test_hostile_names_and_values_stay_on_their_line(house, topic, language):
    home = house()
    home.run()
    graph = _nasty(home.graph)
    news = News("k", NASTY, next(iter(graph.nodes)), topic, {"reason": NASTY * 99, "limit": NASTY, "percent": NASTY})
    text = text_of(news, graph, language)
    assert len(text) <= LONGEST_TEXT
    assert all(line.isprintable() for line in text.splitlines())
    quoted = shlex.quote("x [2J ; rm -rf ~ {goal} 'q'")
    assert topic.startswith("delivery_unknown_bot") or f" {quoted}" in text


def _nasty(graph: Graph) -> Graph:
    root = replace(graph.root, id=NASTY, spec=replace(graph.root.spec, title=NASTY * 99))
    info = replace(graph.head.info, task_id=NASTY)
    many = {f"{NASTY}{number}": NASTY * 99 for number in range(60)}
    output = {"result": "partial", "deliverables": many, "reasons": many, "gaps": {NASTY: [NASTY] * 99}}
    head = replace(graph.head, info=info, output={**output, "unverified": [NASTY, 7]})
    return Graph(head, {NASTY: root})


def test_a_result_of_any_shape_is_told(house):
    home = house()
    home.run()
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    for value in (None, 1.5, {"a": [1, {"b": "\ud800"}]}, "y" * 10**6, deep):
        output = {"result": "all_done", "deliverables": {"a": value}}
        graph = Graph(replace(home.graph.head, output=output), home.graph.nodes)
        assert len(text_of(News("k", TASK, TASK, "done"), graph).splitlines()) == 4
