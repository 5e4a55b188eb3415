"""graph from-task: a household task at the command line."""

from __future__ import annotations

import json

import pytest

from zhixing.graphs.reading import read_rule

ON = {"did": "light_living", "iid": "prop.on", "value": True}
RULE = {"name": "开门开灯", "condition": "大门开着", "source": ["door_entrance"]}


def plan(**rule):
    return {"task": {"task_id": "door_light", "description": "开门开灯"}, "rules": [{**RULE, **rule}]}


@pytest.fixture
def apply(terminal, tmp_path):
    def act(made):
        file = tmp_path / "plan.json"
        file.write_text(json.dumps(made), encoding="utf-8")
        assert terminal("apply", str(file)).code == 0

    return act


def test_what_runs_and_what_stays_is_said_in_lines(terminal, apply):
    apply(plan(action_desc="打开客厅吸顶灯；使用手机推送通知：门开了"))
    done = terminal("graph", "from-task", "door_light")
    assert done.code == 0
    assert done.lines[:4] == [
        "「door_light」有一部分可以在中枢上运行：",
        "  规则「开门开灯」：「大门开着」（入户门门磁）→ 客厅吸顶灯 on=true",
        "留在知行的：",
        "  规则「开门开灯」的触发动作：要通知人，由知行执行",
    ]


def test_the_rule_in_json_is_one_that_the_gateway_takes(terminal, apply, tmp_path):
    apply(plan(action=ON))
    told = terminal("graph", "from-task", "t1", "--json").json
    assert told["checks"]["valid"]
    assert (told["left"], [each["ok"] for each in told["trials"]]) == ([], [True])
    assert told["runs"][0] | {"message": ""} == {"code": "enter", "what": "rule", "name": "开门开灯", "message": ""}
    file = tmp_path / "rule.json"
    file.write_text(json.dumps(told["rule"]), encoding="utf-8")
    assert terminal("graph", "deploy", str(file), "--yes").code == 0
    assert told["rule"]["id"] in terminal("graph", "list").out


def test_the_rule_goes_into_a_file(terminal, apply, tmp_path):
    apply(plan(action=ON))
    file = tmp_path / "rule.json"
    done = terminal("graph", "from-task", "door_light", "--out", str(file))
    assert done.code == 0
    assert str(file) in done.lines[-1]
    assert read_rule(file.read_bytes()).name == "开门开灯"


def test_a_task_that_only_cameras_can_see_has_no_rule_and_a_reason(terminal, apply, tmp_path):
    apply(plan(condition="画面中无人", source=["cam_living"], action=ON))
    file = tmp_path / "rule.json"
    done = terminal("graph", "from-task", "door_light", "--out", str(file))
    assert (done.code, done.err) == (1, "")
    assert done.lines == [
        "「door_light」没有能在中枢上运行的部分：",
        "  规则「开门开灯」：「画面中无人」由摄像头「客厅摄像头」判断，中枢看不懂画面",
    ]
    assert not file.exists()


def test_what_is_no_household_task_is_refused(terminal):
    terminal("say", "明天下午3点提醒我开会")
    assert "家庭任务" in terminal.refused("graph", "from-task", "t1")
    assert "nothing" in terminal.refused("graph", "from-task", "nothing")


def test_a_file_that_cannot_be_written_is_one_clear_line(terminal, apply, tmp_path):
    apply(plan(action=ON))
    assert str(tmp_path) in terminal.refused("graph", "from-task", "door_light", "--out", str(tmp_path))
