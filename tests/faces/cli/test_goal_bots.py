"""Bots and relays at the command line."""

from __future__ import annotations

import json

import pytest
from tests.faces.cli.goal_homes import MISS, REPORT, bots_file, with_bots

RELAY = (
    '[[bots]]\nid = "helper"\nname = "帮手"\nkind = "http"\nrelay = true\nhttp = { url = "https://bots.example.com" }\n'
)
AWAY = '[[bots]]\nid = "away"\nname = "休息的"\nkind = "model"\navailable = { enabled = false }\nmodel = {}\n'


@pytest.fixture
def home(terminal):
    return with_bots(terminal, bots_file(MISS, AWAY))


@pytest.fixture
def waiting(home):
    goal = home("goal", "start", "写一份周报", "--ac", "一页以内", "--depth", "1", "--json").json["task_id"]
    home.ring()
    return goal


def test_bots_are_listed_with_what_they_do_now(terminal):
    home = with_bots(terminal, bots_file(MISS, RELAY, AWAY))
    rows = [line.split() for line in home("goal", "bots").lines]
    assert rows == [
        ["planner", "规划员", "scripted", "接活、负责规划", "规划"],
        ["writer", "写手", "scripted", "接活", "写周报"],
        ["helper", "帮手", "http", "接活、愿意接力", "-"],
        ["away", "休息的", "model", "现在不接活", "-"],
    ]
    found = home("goal", "bots", "--json").json
    assert (found["total"], found["owner"], found["fault"]) == (4, "planner", None)
    assert "example.com" not in json.dumps(found)


def test_without_bots_one_is_told_where_they_are_written(terminal):
    assert str(terminal.home / "bots.toml") in terminal("goal", "bots").lines[0]


def test_a_fault_of_the_file_is_told_and_the_list_still_comes(terminal):
    home = with_bots(terminal, "[[bots]]\nid = 1\n")
    assert home("goal", "bots").lines[0].startswith("bot 名录或演示场景有毛病：")
    assert home("goal", "bots", "--json").json["fault"]["message"]


def test_who_would_do_something_comes_with_reasons(home):
    lines = home("goal", "bots", "--for", "写周报").lines
    assert lines[1] == "  派给：writer（写手）"
    assert any("会需求里说的「写周报」" in line for line in lines)
    assert any(line.startswith("  planner（规划员）  不派：") for line in lines)
    assert any(line.startswith("  away（休息的）  不派：现在不接任务") for line in lines)
    found = home("goal", "bots", "--for", "写周报", "--json").json
    assert (found["proposal"]["outcome"], found["candidates"][0]["bot_id"]) == ("HIT_SINGLE", "writer")


def test_where_nobody_fits_that_is_said(terminal):
    home = with_bots(terminal, bots_file(MISS, RELAY))
    lines = home("goal", "bots", "--for", "种一片森林").lines
    assert lines[1].startswith("  没有合适的：")
    assert lines[-1] == "没有人做就问这些 bot 愿不愿意接力：helper（帮手）"


def test_a_token_is_shown_once_and_can_be_taken_back(home):
    assert home("goal", "token").lines == ["没有 bot 有令牌。发一个：zhixing goal token 编号"]
    first = home("goal", "token", "writer", "--json").json["token"]
    again = home("goal", "token", "writer")
    assert "已经作废" in again.lines[1]
    second = again.lines[0].split("：")[1]
    assert first != second
    listed = home("goal", "token").out + home("goal", "token", "--json").out
    assert "writer" in listed
    assert first not in listed
    assert second not in listed
    assert "有令牌" in home("goal", "bots").lines[1]
    assert home("goal", "token", "writer", "--revoke").lines == ["writer 的令牌作废了。"]
    assert "没有令牌" in home.refused("goal", "token", "writer", "--revoke")
    assert home("goal", "token", "--json").json == {"tokens": []}


def test_a_token_for_nobody_is_refused(home):
    assert "writer" in home.refused("goal", "token", "writr")
    assert "哪个 bot" in home.refused("goal", "token", "--revoke", code=2)


def test_a_relay_at_a_shell_brings_a_goal_to_its_end(home, waiting):
    assert home("goal", "relay", "list").lines[0].split()[:2] == [waiting, "在等人接手"]
    assert home("goal", "relay", "claim", waiting, "--bot", "writer", "--json").json["root_node_id"] == waiting
    assert home("goal", "relay", "list").lines[0].split()[1:3] == ["writer", "接手了"]
    argv = ("goal", "relay", "attach", waiting, "写完", "--bot", "writer", "--json")
    node = home(*argv).json["node_id"]
    assert home(*argv).json["node_id"] == node
    assert [each["node_id"] for each in home("goal", "relay", "list", "--json").json["relays"]] == [node]
    done = home("goal", "relay", "result", waiting, node, REPORT, "--bot", "writer")
    assert "再复核一次差距" in done.lines[0]
    home.ring()
    assert home("goal", "show", waiting, "--json").json["status"] == "DONE"
    assert home("goal", "relay", "list", "--json").json["waiting"] == []


def test_a_relay_that_did_not_finish_leaves_what_it_has(home, waiting):
    home("goal", "relay", "claim", waiting, "--bot", "writer")
    node = home("goal", "relay", "attach", waiting, "写完", "--bot", "writer", "--json").json["node_id"]
    assert (
        "下一个"
        in home("goal", "relay", "result", waiting, node, "一半", "--gap", "没有数字", "--bot", "writer").lines[0]
    )
    shown = home("goal", "show", waiting, "--node", node, "--json").json["tasks"][0]
    assert (shown["status"], shown["run_info"]["acceptance_result"]["gaps"]) == ("FAILED", ["没有数字"])
    assert any("还差：没有数字" in line for line in home("goal", "show", waiting).lines)
    home("goal", "relay", "claim", waiting, "--bot", "planner")


def test_the_node_of_a_relay_may_come_from_a_file(home, waiting, tmp_path):
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({"metadata": {"title": "写完"}, "goal": {"objective": "全文"}}), encoding="utf-8")
    home("goal", "relay", "claim", waiting, "--bot", "writer")
    done = home("goal", "relay", "attach", waiting, "--file", str(spec), "--bot", "writer", "--key", "k")
    assert f"zhixing goal relay result {waiting}" in done.lines[0]
    shown = home("goal", "relay", "list", "--json").json["relays"][0]
    assert shown["title"] == "写完"
    home("goal", "relay", "result", waiting, shown["node_id"], "--bot", "writer", "--error", "no_data")


@pytest.mark.parametrize(
    ("argv", "code", "part"),
    [
        (("claim", "{goal}"), 2, "--bot"),
        (("attach", "{goal}", "--bot", "b"), 2, "--file"),
        (("attach", "{goal}", "写", "--bot", "b"), 1, "接力的不是这个 bot"),
        (("result", "{goal}", "draft", "--bot", "b"), 2, "--gap"),
        (("result", "{goal}", "nope", "x", "--bot", "b"), 1, "draft"),
        (("claim", "nope", "--bot", "b"), 1, "{goal}"),
        (("lst",), 2, "list"),
    ],
)
def test_what_no_relay_can_do_is_refused(home, waiting, argv, code, part):
    line = home.refused("goal", "relay", *(each.format(goal=waiting) for each in argv), code=code)
    assert part.format(goal=waiting) in line


def test_without_anything_to_take_over_that_is_said(home):
    assert home("goal", "relay", "list").lines == ["没有在等人接手的目标，也没有接力的节点。"]
