"""Rules of a hub on the command line, over the virtual gateway and the shipped virtual home."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.faces.entrance import ID, counting, rule

from zhixing.faces.cli.graph_hub import MOST_LOG_LINES


@pytest.fixture
def file(tmp_path):
    """Write a rule to a file; give its name."""

    def written(given: Any, name: str = "rule.json") -> str:
        (tmp_path / name).write_text(json.dumps(given, ensure_ascii=False), encoding="utf-8")
        return str(tmp_path / name)

    return written


@pytest.fixture
def deployed(terminal, file):
    """Give a terminal whose hub has the rule of the entrance."""
    assert terminal("graph", "deploy", file(rule()), "--yes").code == 0
    return terminal


def test_a_hub_without_rules_says_so(terminal) -> None:
    assert terminal("graph", "list").lines == ["网关里没有规则。"]
    assert terminal("graph", "hub").lines == ["虚拟网关：0 条规则，23 个设备"]
    assert terminal("graph", "log").lines == ["日志里什么也没有。"]
    assert terminal("graph", "conflicts").lines == ["没有几条规则各写各的属性。"]
    assert terminal("graph", "where-used").lines == ["规则没有用到设备。"]


def test_a_plan_shows_what_would_change_and_writes_nothing(terminal, file) -> None:
    planned = terminal("graph", "deploy", file(rule()), "--plan")
    assert planned.code == 0
    assert planned.lines[0] == f"「玄关灯」是新规则，编号 {ID}："
    assert "  新增连线 open.output → on.trigger" in planned.lines
    assert planned.lines[-1].startswith("口令 ")
    assert terminal("graph", "list", "--json").json == {"graphs": [], "count": 0}


@pytest.mark.parametrize(("answer", "code", "count"), [("y\n", 0, 1), ("是\n", 0, 1), ("n\n", 1, 0), ("", 1, 0)])
def test_a_rule_is_deployed_once_somebody_agrees(terminal, file, answer, code, count) -> None:
    done = terminal("graph", "deploy", file(rule()), stdin=answer.encode())
    assert done.code == code
    assert ("备份 1" if count else "没有写入。") in done.lines
    assert terminal("graph", "list", "--json").json["count"] == count


def test_who_switches_a_rule_on_while_no_server_runs_is_told_that_it_does_not_run_yet(terminal, file) -> None:
    assert "zhixing serve" in terminal("graph", "deploy", file(rule()), "--yes").lines[-1]
    assert "zhixing serve" not in "".join(terminal("graph", "disable", ID).lines)
    assert "zhixing serve" in terminal("graph", "enable", ID).lines[-1]
    assert "zhixing serve" in terminal("graph", "create", file(rule())).lines[-1]


def test_the_token_of_a_plan_deploys_just_that_plan(terminal, file) -> None:
    token = terminal("graph", "deploy", file(rule()), "--plan", "--json").json["plan"]["token"]
    other = terminal("graph", "deploy", file(rule(value=False), "other.json"), "--token", token, "--json")
    assert (other.code, other.err) == (1, f"规则 {ID} 在做计划以后变了，请重新看一遍计划。\n")
    done = terminal("graph", "deploy", file(rule()), "--token", token, "--json").json["deployed"]
    assert (done["outcome"], done["receipt"], done["difference"]) == ("applied", 1, None)


def test_deploying_again_what_is_there_writes_nothing(deployed, file) -> None:
    again = deployed("graph", "deploy", file(rule()))
    assert (again.code, again.lines) == (0, [f"「玄关灯」（{ID}）和网关里的一样，不用写。"])
    assert len(deployed("graph", "receipts", ID).lines) == 1


def test_a_rule_without_an_id_gets_one(terminal, file) -> None:
    found = terminal("graph", "deploy", file(rule(id_="")), "--yes", "--json").json["deployed"]["id"]
    assert len(found) == 13
    assert terminal("graph", "show", found, "--json").json["cfg"]["id"] == found


def test_a_rule_is_made_with_variables_of_its_own(terminal, file) -> None:
    own = [{"id": "count", "type": "number", "value": 0}]
    made = terminal("graph", "create", file({**counting("rule"), "variables": own}))
    assert (made.code, terminal("graph", "list", "--json").json["count"]) == (0, 1)
    (entry,) = terminal("graph", "list", "--json").json["graphs"]
    assert terminal("graph", "vars", "list").lines == [f"R{entry['id']}.count  number  0  count"]
    assert terminal("graph", "delete", entry["id"]).code == 0
    assert terminal("graph", "vars", "list").lines == ["没有变量。"]


def test_a_rule_with_errors_is_not_written(terminal, file) -> None:
    broken = file(rule(value="heaven"))
    done = terminal("graph", "deploy", broken, "--yes")
    assert done.code == 1
    assert done.lines[-1] == "有 1 个错误，没有写入。"
    assert any(line.startswith("  错误  on ") for line in done.lines)
    told = terminal("graph", "deploy", broken, "--yes", "--json")
    assert told.code == 1
    answer = json.loads(told.out)
    assert (answer["plan"]["verdict"]["valid"], answer["deployed"]) == (False, None)
    assert terminal("graph", "list", "--json").json["count"] == 0


def test_a_deployment_is_taken_back_by_its_number(deployed, file) -> None:
    changed = file(rule(value=False))
    assert deployed("graph", "diff", changed).lines == ["「控制设备」（on）的 props.value：true → false"]
    assert deployed("graph", "deploy", changed, "--yes").lines[-3:-1] == ["已经写进网关", "备份 2"]
    assert deployed("graph", "rollback", "2").lines == ["已经写进网关", "备份 3"]
    assert deployed("graph", "show", ID, "--json").json["nodes"][1]["props"]["value"] is True
    assert deployed("graph", "rollback", "1", "--json").json["outcome"] == "applied"
    assert deployed("graph", "list", "--json").json["count"] == 0
    kept = deployed("graph", "receipts", ID, "--json").json["receipts"]
    assert [(each["number"], each["existed"]) for each in kept] == [(4, True), (3, True), (2, True), (1, False)]


def test_two_files_are_compared_without_a_home(terminal, file) -> None:
    first, second = file(rule()), file(rule(name="门厅灯", value=False), "second.json")
    assert terminal("graph", "diff", first, second).lines == [
        '规则名称："玄关灯" → "门厅灯"',
        "「控制设备」（on）的 props.value：true → false",
    ]
    assert terminal("graph", "diff", first, first, "--json").json["empty"] is True
    assert not terminal.home.exists()


def test_a_file_is_compared_with_a_receipt(deployed, file) -> None:
    assert "新增连线 open.output → on.trigger" in deployed("graph", "diff", file(rule()), "--receipt", "1").lines


def test_a_rule_is_shown_and_saved(deployed, tmp_path) -> None:
    shown = deployed("graph", "show", ID).json
    assert deployed("graph", "show", ID, "--lines").lines == [
        f"玄关灯（{ID}）启用",
        "卡片 2 张：",
        '  open  设备触发  door_entrance 2.1  {"dtype": "boolean", "operator": "=", "v1": true}',
        '  on  控制设备  light_entrance 2.1  {"value": true}',
        "连线 1 条：",
        "  open.output → on.trigger",
    ]
    saved = tmp_path / "saved.json"
    assert deployed("graph", "show", ID, "--out", str(saved)).lines == [f"规则 {ID} 已存进 {saved}"]
    assert json.loads(saved.read_text(encoding="utf-8")) == shown
    assert deployed.refused("graph", "show", ID, "--out", str(tmp_path)).startswith(f"写不了文件 {tmp_path}：")


def test_a_rule_is_switched_and_deleted(deployed) -> None:
    assert deployed("graph", "disable", ID).lines == ["规则「玄关灯」改好了，现在是停用的。"]
    assert deployed("graph", "list").lines == [f"{ID}  停用  玄关灯"]
    assert deployed("graph", "enable", ID, "--json").json["enable"] is True
    gone = deployed("graph", "delete", ID)
    assert (gone.code, gone.lines[-1]) == (0, "备份 2")
    assert deployed("graph", "list").lines == ["网关里没有规则。"]


def test_devices_say_what_they_can_do(terminal) -> None:
    assert "door_entrance    玄关    入户门门磁" in terminal("graph", "devices").lines
    some = terminal("graph", "devices", "door_entrance", "sofa")
    assert some.code == 1
    assert "  prop.2.1  contact-state  bool  可读、会上报" in some.lines
    assert some.lines[-1] == "网关里没有设备「sofa」。"


@pytest.mark.parametrize("words", ["door_entrance", "入户门", "magnet"])
def test_a_device_is_found_in_rules(deployed, words) -> None:
    assert deployed("graph", "where-used", words).lines[:2] == [
        "door_entrance  入户门门磁",
        f"  玄关灯（{ID}）的 open  设备触发  启用",
    ]


def test_what_is_used_nowhere_or_is_no_device_is_told_apart(deployed) -> None:
    assert deployed("graph", "where-used", "tv_living").lines == ["tv_living  客厅电视", "  没有规则用到它。"]
    assert deployed("graph", "where-used", "冰箱").lines == ["没有设备的编号、名字、房间或型号里有这些字。"]


def test_rules_that_set_one_thing_each_its_own_way_are_listed(deployed, file) -> None:
    other = rule(id_="1700000000009", name="关玄关灯", value=False)
    deployed("graph", "deploy", file(other), "--yes")
    assert deployed("graph", "conflicts").lines == [
        "light_entrance  2.1",
        f"  玄关灯（{ID}）的 on  true",
        "  关玄关灯（1700000000009）的 on  false",
    ]
    (found,) = deployed("graph", "conflicts", "--json").json["conflicts"]
    assert [each["value"] for each in found["writers"]] == [True, False]


def test_the_log_says_what_the_rule_did(deployed) -> None:
    deployed("home", "set", "door_entrance", "contact-state", "true")
    deployed.ring()
    lines = deployed("graph", "log", ID).lines
    assert lines[0].endswith(f"{ID}  规则启用")
    assert any(line.endswith("open.output → on.trigger  触发") for line in lines)
    told = deployed("graph", "log", "--limit", "1", "--json").json
    assert (len(told["lines"]), told["count"]) == (1, len(lines))
    assert deployed("graph", "log", "1700000000009").lines == ["日志里什么也没有。"]


def test_variables_live_and_die(terminal, file) -> None:
    assert terminal("graph", "vars", "list").lines == ["没有变量。"]
    assert terminal("graph", "vars", "create", "global.count", "3").lines == ["变量 global.count 已建好"]
    terminal("graph", "vars", "create", "global.note", "5", "--type", "string", "--name", "备注")
    assert terminal("graph", "vars", "set", "global.count", "-4.5").lines == ["变量 global.count 现在是 -4.5"]
    assert terminal("graph", "vars", "list", "global").lines == [
        "global.count  number  -4.5  count",
        'global.note   string  "5"   备注',
    ]
    assert terminal("graph", "deploy", file(counting()), "--yes").code == 0
    used = terminal("graph", "vars", "show", "global.count").lines[1:]
    assert used == ["  数到三（1700000000003）的 count"]
    assert terminal("graph", "where-used", "--variable", "global.count").lines == [line.strip() for line in used]
    assert "数到三" in terminal.refused("graph", "vars", "delete", "global.count")
    assert terminal("graph", "vars", "delete", "global.note", "--json").json["deleted"] is True


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["show", "nosuch"], 1, "网关里没有规则「nosuch」。"),
        (["enable", "nosuch"], 1, "网关里没有规则「nosuch」。"),
        (["delete", "nosuch"], 1, "网关里没有规则「nosuch」。"),
        (["rollback", "99"], 1, "没有编号为 99 的备份。"),
        (["rollback", "x"], 1, "NUMBER"),
        (["create", "nosuch.json"], 1, "nosuch.json"),
        (["deploy", "RULE", "--json"], 2, "--yes"),
        (["deploy", "-"], 2, "--yes"),
        (["deploy", "nosuch.json", "--yes"], 1, "nosuch.json"),
        (["diff", "RULE", "RULE", "--receipt", "1"], 2, "--receipt"),
        (["diff", "-", "-"], 2, "标准输入"),
        (["diff", "RULE", "--receipt", "9"], 1, "没有编号为 9 的备份。"),
        (["where-used", "x", "--variable", "global.x"], 2, "--variable"),
        (["where-used", "--variable", "x"], 1, "global.count"),
        (["where-used", "x" * 101], 1, "最多 100 个字"),
        (["log", "--limit", str(MOST_LOG_LINES + 1)], 1, "--limit"),
        (["vars", "show", "global.nosuch"], 1, "nosuch"),
        (["vars", "create", "global.a-b", "1"], 1, "a-b"),
        (["vars", "create", "global.count", "many"], 1, "count"),
        (["vars", "create", "global.count", "nan"], 1, "count"),
        (["vars", "create", "R1700000000009.count", "1"], 1, "R1700000000009"),
        (["vars", "creat", "global.count", "1"], 2, "graph vars create"),
        (["drafts", "show", "gd9"], 1, "gd9"),
        (["drafts", "commit", "gd9"], 1, "gd9"),
        (["list", "--gateway", "http://192.168.1.2"], 2, "--passcode"),
        (["list", "--gateway", "ftp://192.168.1.2", "--passcode", "123456"], 1, "http://"),
        (["list", "--passcode", "123456"], 1, "gateway.address"),
        (["lst"], 2, "graph list"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(terminal, file, argv, code, said) -> None:
    name = file(rule())
    assert said in terminal.refused("graph", *(name if word == "RULE" else word for word in argv), code=code)


def test_the_log_of_the_hub_is_held_against_a_rule_of_it(deployed) -> None:
    assert deployed("graph", "replay", "--id", ID).lines == ["日志里没有这条规则的连线记录"]
    assert deployed("graph", "replay", "--id", ID, "--json").json["agrees"] is True
    assert "9999999999999" in deployed.refused("graph", "replay", "--id", "9999999999999")
