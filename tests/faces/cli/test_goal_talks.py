"""Talking about a goal at the command line: say, answer, list."""

from __future__ import annotations

import pytest

WHOLE = "/task 修复 PR #1243 的命名问题，交付物：代码 PR，验收标准：CI 通过，约束：不动接口逻辑"
TWO = "/task 修复登录页的空指针。另外给产品写一份竞品分析报告"
PANEL = '<AixUI type="panel" component="taskPanel.TaskLoopView"></AixUI>'


def test_a_task_is_shown_changed_and_executed(terminal):
    done = terminal("say", WHOLE)
    assert done.lines[0].startswith("q1  /task")
    assert [line.strip() for line in done.lines[-4:]] == [
        "A. 执行",
        "B. 丢弃",
        "C. 暂存",
        "回答：zhixing answer q1 加上您的回答",
    ]
    changed = terminal("answer", "Q1", "约束改成今天内完成", "--json").json
    assert (changed["card"]["task"]["constraints"], changed["revision"]) == (["今天内完成"], 2)
    assert changed["cardText"].startswith("<AixUI cardId='card_3e31e1f1'>")
    assert "刚刚变了" in terminal.refused("answer", "q1", "执行", "--revision", "1")
    done = terminal("answer", "q1", "A")
    assert "开始执行" in done.lines[1]
    assert any("zhixing serve" in line for line in done.lines)
    again = terminal("answer", "q1", "执行", "--json").json
    assert again["state"] == "executed"
    assert again["goalId"]


def test_tasks_of_a_list_are_listed_and_resumed(terminal):
    assert terminal("goal", "talks").lines == ["还没有任务草案。"]
    terminal("say", TWO)
    terminal("answer", "q1", "②")
    assert [line.split()[:2] for line in terminal("goal", "talks").lines] == [["q2", "待处理"], ["q1", "等您回答"]]
    assert terminal("answer", "q2", "继续", "--json").json["card"]["goal"] == "修复登录页的空指针"
    terminal("answer", "q1", "丢弃")
    found = terminal("goal", "talks", "--open", "--json").json["talks"]
    assert [each["id"] for each in found] == ["q2"]
    assert terminal("goal", "talks", "q1", "--json").json["state"] == "discarded"
    assert [each["id"] for each in terminal("goal", "talks", "--before", "q2", "--json").json["talks"]] == ["q1"]


def test_the_tag_of_the_panel_is_met_with_silence(terminal):
    assert terminal("say", PANEL).out == ""
    assert terminal("say", PANEL, "--json").json == {"way": "goal", "silent": True, "lines": []}
    assert terminal("list", "--json").json["tasks"] == []


@pytest.mark.parametrize(
    "text", ["/task 明天早上8点提醒我开会", "/task 每天写一份日报", "/task 在网关上：开灯", "/TASK"]
)
def test_a_command_is_a_goal_whatever_follows(terminal, text):
    assert terminal("say", text, "--json").json["way"] == "goal"


@pytest.mark.parametrize("argv", [("say", "--note", WHOLE), ("say", "--source", "quote", WHOLE)])
def test_words_of_others_and_notes_begin_no_goal(terminal, argv):
    assert terminal(*argv, "--json").json["way"] == "notice"
    assert terminal("goal", "talks", "--json").json == {"talks": []}


def test_the_same_key_begins_no_second_talk(terminal):
    first, again = (terminal("say", WHOLE, "--key", "k", "--json").json for _ in range(2))
    assert first == again


@pytest.mark.parametrize("argv", [("answer", "q9", "执行"), ("goal", "talks", "q9"), ("goal", "talks", "x")])
def test_what_is_no_talk_is_not_found(terminal, argv):
    assert "没有编号" in terminal.refused(*argv)
