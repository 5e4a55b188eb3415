"""Sentences on their way to rules of the hub, and the tasks that stand for these, at the command line."""

from __future__ import annotations

from datetime import timedelta

import pytest

WISH = "玄关有人就打开玄关灯，3分钟后关掉"
TRIES = 9
"""More than the engine makes."""
OPEN = "单击床头无线开关打开主卧的灯"


@pytest.fixture
def saved(terminal) -> str:
    """Have a rule saved; return the id of its task."""
    return terminal("graph", "draft", WISH, "--save", "--json").json["taskId"]


def rules(terminal) -> list[tuple[str, bool]]:
    return [(each["name"], each["enable"]) for each in terminal("graph", "list", "--json").json["graphs"]]


def test_a_sentence_that_names_the_hub_is_shown_as_a_rule_and_saved_by_its_answer(terminal):
    lines = terminal("say", f"在网关上：{WISH}").lines
    assert lines[0] == f"g1  {WISH}"
    assert any("打开玄关灯" in line and "关闭玄关灯" in line for line in lines[2:])
    assert lines[-1].strip() == "回答：zhixing answer g1 A"
    assert rules(terminal) == []
    done = terminal("answer", "G1", "A")
    assert any("zhixing serve" in line for line in done.lines)
    assert rules(terminal) == [(WISH, True)]
    assert "已经保存过了" in terminal.refused("answer", "g1", "A")


def test_what_is_open_is_asked_with_letters_and_then_the_rule_is_shown(terminal):
    lines = terminal("graph", "draft", OPEN).lines
    assert [line.strip() for line in lines[2:4]] == ["A. 主卧吸顶灯", "B. 主卧床头灯"]
    shown = terminal("answer", "g1", "B", "--json").json
    assert shown["question"]["options"][0]["value"] == "A"
    assert shown["rule"]["cfg"]["userData"]["name"] == OPEN
    assert any("主卧床头灯" in line for line in shown["lines"])
    assert shown["design"]
    assert terminal("show", "g1", "--json").json == shown


def test_save_asks_nothing_and_saves_nothing_while_something_is_open(terminal):
    done = terminal("graph", "draft", OPEN, "--save")
    assert (done.code, done.lines[-1]) == (1, "没有保存。")
    assert rules(terminal) == []


def test_the_same_key_is_one_rule(terminal):
    first, again = (terminal("graph", "draft", WISH, "--save", "--key", "k", "--json").json for _ in range(2))
    assert first["ruleId"] == again["ruleId"]
    assert len(rules(terminal)) == 1


def test_proposals_are_listed_the_newest_first_shown_and_dropped(terminal, saved):
    terminal("graph", "draft", OPEN)
    assert [line.split()[:3] for line in terminal("graph", "proposals", "list").lines] == [
        ["g2", "等您回答", "-"],
        ["g1", "已保存", saved],
    ]
    assert [one["id"] for one in terminal("graph", "proposals", "list", "--open", "--json").json["proposals"]] == ["g2"]
    assert terminal("graph", "proposals", "show", "g2").lines == terminal("show", "g2").lines
    assert "已放弃" in terminal("graph", "proposals", "cancel", "g2").out
    assert "已经放弃" in terminal.refused("graph", "proposals", "answer", "g2", "A")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("graph", "draft", "家里要有家的样子"), "读不准"),
        (("say", "在网关上：关灯"), "读不准"),
        (("graph", "draft", "灯" * 501), "500"),
        (("graph", "proposals", "show", "g9"), "没有编号为「g9」的规则草案"),
        (("graph", "proposals", "show", "gg"), "没有编号为「gg」的规则草案"),
        (("graph", "proposals", "list", "--before", "d1"), "没有编号为「d1」的规则草案"),
        (("answer", "g9", "A"), "没有编号为「g9」的规则草案"),
        (("show", "g9"), "没有编号为「g9」的规则草案"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(terminal, argv, said):
    assert said in terminal.refused(*argv)


def test_a_draft_without_words_shows_how_to_write_one(terminal):
    assert "zhixing graph draft" in terminal.refused("graph", "draft", code=2)


def test_a_word_that_is_no_answer_is_said_first_and_changes_nothing(terminal):
    terminal("graph", "draft", WISH)
    assert "没听懂「嗯哼」" in terminal("answer", "g1", "嗯哼").lines[1]
    assert rules(terminal) == []


def test_an_answer_to_a_question_that_has_changed_is_refused(terminal):
    terminal("graph", "draft", OPEN)
    terminal("answer", "g1", "A", "-r", "1")
    terminal.refused("answer", "g1", "A", "-r", "1")
    assert rules(terminal) == []


def test_a_saved_rule_is_a_task_among_the_others(terminal, saved):
    terminal("say", "明晚九点提醒我交表")
    assert [line.split()[0] for line in terminal("list").lines] == ["t2", saved]
    (one,) = terminal("list", "--way", "graph", "--json").json["tasks"]
    assert (one["id"], one["way"], one["text"], one["graph"]["hub"]) == (saved, "graph", WISH, "virtual")
    page = terminal("show", saved)
    assert any("虚拟网关" in line and "现在启用" in line for line in page.lines)
    assert f"zhixing graph show {one['graph']['id']}" in page.out
    assert terminal("show", saved, "--json").json["graph"]["nodeCount"] == 4


def test_pausing_deleting_and_restoring_the_task_does_so_to_the_rule(terminal, saved):
    assert any("zhixing serve" in line for line in terminal("pause", saved).lines)
    terminal.ring()
    assert rules(terminal) == [(WISH, False)]
    terminal("resume", saved)
    terminal.ring()
    assert rules(terminal) == [(WISH, True)]
    terminal("delete", saved)
    terminal.ring()
    assert rules(terminal) == []
    assert "现在看不到" in terminal("show", saved).out
    terminal("restore", saved)
    terminal.ring()
    assert rules(terminal) == [(WISH, True)]


def test_a_rule_that_is_deleted_on_the_hub_takes_its_task_along_and_explain_says_why(terminal, saved):
    graph = terminal("show", saved, "--json").json["graph"]["id"]
    terminal("graph", "delete", graph)
    assert terminal("list", "--status", "deleted", "--way", "graph", "--json").json["tasks"][0]["id"] == saved
    lines = [line.strip() for line in terminal("explain", saved).lines]
    told = next(index for index, line in enumerate(lines) if line.endswith("已删除（网关）"))
    assert lines[told + 1] == "网关上的规则不在了"


def test_explain_has_the_log_of_the_hub(terminal, saved):
    terminal("home", "set", "motion_entrance", "motion-state", "true")
    terminal.ring()
    told = terminal("explain", saved, "--json").json
    assert any("玄关灯" in line for line in told["explanation"])
    assert len(told["log"]) > 1
    assert told["journal"][0]["kind"] == "created"
    assert any("网关最近的日志" in line for line in terminal("explain", saved).lines)


def test_a_rule_that_could_not_follow_says_so_in_explain(terminal, saved):
    # The home is given another hub, which is not there.
    terminal("config", "set", "gateway.address", "http://192.0.2.7")
    terminal("pause", saved)
    for _ in range(TRIES):
        terminal.ring()
        terminal.clock.advance(timedelta(hours=2))
    lines = [line.strip() for line in terminal("explain", saved).lines]
    told = next(index for index, line in enumerate(lines) if line.endswith("网关上的规则没能跟着改（到点）"))
    assert lines[told + 1].startswith("还没有连上网关")
