"""A goal at the command line: begun, looked at, followed, steered."""

from __future__ import annotations

import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from tests.faces.cli.goal_homes import MISS, REPORT, bots_file, with_bots

WANTED = "写一份周报"


@pytest.fixture
def staffed(terminal):
    return with_bots(terminal, bots_file())


@pytest.fixture
def alone(terminal):
    """Give a home in which nobody is found for the one step."""
    return with_bots(terminal, bots_file(MISS))


def begun(terminal, *more: str) -> str:
    return str(terminal("goal", "start", WANTED, "--ac", "一页以内", *more, "--json").json["task_id"])


def hung(terminal, *more: str) -> str:
    goal = begun(terminal, "--depth", "1", *more)
    terminal.ring()
    return goal


def node_of(board, node_id: str):
    return next(each for each in board["tasks"] if each["node_id"] == node_id)


def test_a_goal_is_begun_in_words_runs_and_is_shown_done(staffed):
    done = staffed("goal", "start", WANTED, "--ac", "一页以内", "--title", "周报")
    goal = done.lines[0].split()[1].split("（")[0]
    assert done.lines[0] == f"已经开始：目标 {goal}（任务 t1）"
    assert f"zhixing goal show {goal}" in done.lines[1]
    assert any("zhixing serve" in line for line in done.lines)
    staffed.ring()
    assert staffed("goal", "show", goal).lines == [
        f"目标 {goal}（任务 t1）：做完了",
        "  周报",
        "  要做成：写一份周报",
        "  负责规划：planner",
        "  ✓ ac1 一页以内：只有一页",
        "步骤：",
        "  [做完了]  写初稿  draft  writer 做",
        "    成果：周报写好了",
        "    ✓ ac1 写完：writer#1",
        "成果 1 项：",
        "· 写初稿：周报写好了",
        "用了：模型用量 0，不限；费用 0，不限；时间 0 秒，不限",
    ]


def test_without_criteria_the_words_are_the_one_and_that_is_said(staffed):
    done = staffed("goal", "start", WANTED)
    assert any("--ac" in line for line in done.lines)
    spec = staffed("goal", "list", "--json").json["items"][0]["task_spec"]
    assert spec["goal"]["acceptances"] == [{"id": "ac1", "description": WANTED}]
    assert not any("--ac" in line for line in staffed("goal", "start", WANTED, "--ac", "一页").lines)


def test_everything_that_was_said_is_in_the_request(staffed):
    said = [
        "--ac",
        "一页以内",
        "--ac",
        "有数字",
        "--deliverable",
        "文档",
        "--constraint",
        "不联网",
        "--owner",
        "writer",
    ]
    limits = ["--tokens", "0", "--cost", "1.5", "--hours", "2", "--depth", "1", "--set", "MAX_LOOP=3"]
    staffed("goal", "start", WANTED, *said, *limits)
    record = staffed("goal", "list", "--all", "--json").json["items"][0]
    assert record["owner_bot_id"] == "writer"
    assert [each["id"] for each in record["task_spec"]["goal"]["acceptances"]] == ["ac1", "ac2"]
    instruction = record["task_spec"]["metadata"]["instruction"]
    assert instruction.splitlines() == [
        "目标：写一份周报",
        "交付物：文档",
        "验收标准：一页以内；有数字",
        "约束：不联网",
    ]
    assert record["execution_config"] == {
        "MAX_TOKENS": 0,
        "MAX_COST": 1.5,
        "MAX_WALL_CLOCK": 7200,
        "MAX_DEPTH": 1,
        "MAX_LOOP": 3,
    }


def test_a_request_comes_from_a_file_or_from_standard_input(staffed, tmp_path):
    body = {
        "task_spec": {
            "metadata": {"title": "周报", "instruction": "写"},
            "goal": {"objective": WANTED, "acceptances": [{"acceptance": "一页以内"}]},
        },
        "execution_config": {"MAX_DEPTH": 1},
    }
    file = tmp_path / "request.json"
    file.write_text(json.dumps(body), encoding="utf-8")
    staffed("goal", "start", "--file", str(file), "--depth", "2")
    staffed.clock.advance(timedelta(seconds=1))
    staffed("goal", "start", "--file", "-", stdin=file.read_bytes())
    second, first = staffed("goal", "list", "--json").json["items"]
    assert (first["execution_config"], second["execution_config"]) == ({"MAX_DEPTH": 2}, {"MAX_DEPTH": 1})
    assert (first["owner_user_id"], first["owner_bot_id"]) == ("home", "planner")


def test_a_state_machine_and_a_workflow_are_handed_to_others(staffed, tmp_path):
    file = tmp_path / "m.yaml"
    file.write_text("name: x\n", encoding="utf-8")
    staffed("goal", "start", WANTED, "--yaml", str(file), "--bot", "writer", "--role", "作者=writer")
    staffed.clock.advance(timedelta(seconds=1))
    staffed("goal", "start", WANTED, "--workflow", "wf_1")
    workflow, machine = (each["execution_config"] for each in staffed("goal", "list", "--json").json["items"])
    assert workflow == {"task_type": "workflow", "workflow_id": "wf_1"}
    assert (machine["task_type"], machine["yaml"]) == ("yaml", "name: x\n")
    assert (machine["participant_bot_ids"], machine["participant_bindings"]) == (["writer"], {"作者": "writer"})


def test_the_same_key_is_the_same_goal_and_no_other_one(staffed):
    assert begun(staffed, "--key", "k") == begun(staffed, "--key", "k")
    assert "幂等键" in staffed.refused("goal", "start", "别的", "--key", "k")


@pytest.mark.parametrize(
    ("argv", "code", "part"),
    [
        ((), 2, "要写要做成什么"),
        (("a", "--file", "x.json"), 2, "要写要做成什么"),
        (("--file", "x.json", "--ac", "a"), 2, "写在文件里"),
        (("a", "--workflow", "w", "--yaml", "x"), 2, "只能写一种"),
        (("a", "--set", "MAX_LOOP"), 2, "名字=值"),
        (("a", "--set", "MAX_LOOP=x"), 1, "MAX_LOOP"),
        (("a", "--set", "MAX_LOP=1"), 1, "没有「execution_config.MAX_LOP」这个限额"),
        (("a", "--tokens", "-1"), 1, "MAX_TOKENS"),
        (("a", "--depth", "0"), 1, "MAX_DEPTH"),
        (("--file", "nowhere.json"), 1, "nowhere.json"),
        (("  ",), 1, "要写要做成什么"),
        (("a", "--tokns", "1"), 2, "--tokens"),
    ],
)
def test_what_cannot_be_begun_is_refused_in_one_line(staffed, argv, code, part):
    assert part in staffed.refused("goal", "start", *argv, code=code)


@pytest.mark.parametrize("content", [b"[]", b"nonsense", b'{"task_spec": 1}', b'{"execution_config": 1}', b"{}"])
def test_a_file_that_is_no_request_is_refused(staffed, content):
    assert staffed.refused("goal", "start", "--file", "-", stdin=content)


def test_the_list_has_what_is_not_over_and_on_request_the_rest(staffed):
    assert staffed("goal", "list").lines == ["没有这样的目标。"]
    first = begun(staffed)
    staffed.ring()
    staffed.clock.advance(timedelta(seconds=1))
    second = begun(staffed)
    assert [line.split()[0] for line in staffed("goal", "list").lines] == [second]
    assert [line.split()[:2] for line in staffed("goal", "list", "--all").lines] == [
        [second, "进行中"],
        [first, "做完了"],
    ]
    assert [each["task_id"] for each in staffed("goal", "list", "--status", "done", "--json").json["items"]] == [first]
    lines = staffed("goal", "list", "--all", "--limit", "1").lines
    assert (len(lines), lines[-1]) == (2, "还有，往后看：--offset 1")
    assert staffed("goal", "list", "--all", "--limit", "1", "--offset", "1").lines[0].split()[0] == first


@pytest.mark.parametrize(
    "written", [lambda goal: goal[:6], lambda goal: goal[:8].upper(), lambda _: "t1", lambda _: "T1"]
)
def test_a_goal_goes_by_its_beginning_and_by_its_task(staffed, written):
    goal = begun(staffed)
    assert staffed("goal", "show", written(goal), "--json").json["task_id"] == goal


def test_what_is_no_goal_names_the_nearest_ones(staffed):
    assert "一个目标也还没有" in staffed.refused("goal", "show", "abc")
    goal = begun(staffed)
    for wrong in (goal[:5], "t9", goal[:-1] + "z", "", "\u202e", "%" * 6, "_" * 32):
        assert goal in staffed.refused("goal", "show", wrong), wrong


@pytest.mark.parametrize("wrong", ["\x00" * 6, "\ud800" * 6, "x" * 5000])
def test_what_no_database_keeps_is_no_id(staffed, wrong):
    staffed.refused("goal", "show", wrong)


def test_several_goals_that_begin_alike_are_named(staffed, monkeypatch):
    tokens = iter(["abcdef01" * 4, "abcdef02" * 4])
    given = SimpleNamespace(token_hex=lambda _size: next(tokens))
    monkeypatch.setattr("zhixing.goals.running.operations.secrets", given)
    first, second = begun(staffed), begun(staffed)
    line = staffed.refused("goal", "show", "abcdef0")
    assert first in line
    assert second in line


def test_a_node_goes_by_its_id_or_its_title_and_a_typo_names_the_nearest(alone):
    goal = hung(alone)
    for written in ("draft", "写初稿"):
        assert alone("goal", "show", goal, "--node", written).lines[1].strip() == "写初稿"
    assert "draft" in alone.refused("goal", "show", goal, "--node", "draf")
    assert [each["node_id"] for each in alone("goal", "show", goal, "--node", "draft", "--json").json["tasks"]] == [
        "draft"
    ]


def test_the_log_tells_what_happened_to_each_node(staffed):
    goal = begun(staffed)
    staffed.ring()
    lines = staffed("goal", "show", goal, "--log").lines
    assert any("「写初稿」验收 （在做 → 做完了）" in line for line in lines)
    board = staffed("goal", "show", goal, "--log", "--json").json
    assert [each["action"] for each in node_of(board, "draft")["run_info"]["action_log"]][-1] == "verify"
    assert "action_log" not in node_of(staffed("goal", "show", goal, "--json").json, "draft")["run_info"]


def test_what_hangs_says_why_and_what_can_be_done(alone):
    lines = alone("goal", "show", hung(alone)).lines
    assert any("卡住的原因：没有能做它的 bot，也不能再拆了" in line for line in lines)
    goal = lines[0].split()[1].split("（")[0]
    for command in (f"retry {goal} draft", f"resolve {goal} draft", f"relay claim {goal}", f"cancel {goal}"):
        assert any(f"zhixing goal {command}" in line for line in lines), command
    assert "正在外面找能接手的 bot" in lines


def test_a_person_gives_the_result_and_the_goal_is_verified_with_it(alone, tmp_path):
    goal = hung(alone)
    done = alone("goal", "resolve", goal, "写初稿", REPORT)
    assert done.lines[0] == "结果收下了：「写初稿」。目标还要再验收一次。"
    alone.ring()
    board = alone("goal", "show", goal, "--json").json
    assert board["status"] == "DONE"
    assert "节点" not in alone("goal", "show", goal).out
    file = tmp_path / "out.json"
    file.write_text(json.dumps({"report": REPORT}), encoding="utf-8")
    other = hung(alone)
    alone("goal", "resolve", other, "draft", "--file", str(file))
    alone.ring()
    assert node_of(alone("goal", "show", other, "--json").json, "draft")["run_info"]["output"] == {"report": REPORT}


def test_a_retry_goes_out_again(alone):
    goal = hung(alone)
    with_bots(alone, bots_file())
    assert alone("goal", "retry", goal, "draft").lines[0] == "再试：「写初稿」"
    alone.ring()
    assert alone("goal", "show", goal, "--json").json["status"] == "DONE"
    assert "任务已经结束" in alone.refused("goal", "retry", goal)


def test_a_goal_that_was_given_up_stays_with_what_there_is(staffed):
    goal = begun(staffed)
    assert staffed("goal", "cancel", goal).lines[-1] == "取消了"
    assert staffed("goal", "cancel", goal).lines[0] == "已经是这样了，什么都没有改。"
    assert staffed("show", "t1", "--json").json["goal"]["status"] == "CANCELLED"
    staffed.ring()
    assert staffed("goal", "show", goal).lines[0].endswith("：取消了")
    assert not any("zhixing goal" in line for line in staffed("goal", "show", goal).lines)


def test_a_goal_without_budget_stops_and_goes_on_with_one(staffed):
    goal = begun(staffed, "--tokens", "0")
    staffed.ring()
    lines = staffed("goal", "show", goal).lines
    assert lines[0].endswith("停下来了，额度用完了")
    assert any(f"zhixing goal budget {goal}" in line for line in lines)
    done = staffed("goal", "budget", goal, "--left", "5000").lines
    assert done[:2] == ["额度改好了。", "用了：模型用量 0，共 5000；费用 0，不限；时间 0 秒，不限"]
    assert f"zhixing goal retry {goal}" in done[2]
    staffed("goal", "retry", goal)
    staffed.ring()
    assert staffed("goal", "show", goal, "--json").json["status"] == "DONE"


@pytest.mark.parametrize("argv", [(), ("--tokens", "1", "--left", "1")])
def test_a_budget_says_what_it_sets(staffed, argv):
    assert "--left" in staffed.refused("goal", "budget", begun(staffed), *argv, code=2)


def test_watching_a_goal_prints_what_changes_and_ends_with_it(staffed):
    goal = begun(staffed)
    staffed.ring()
    done = staffed("goal", "watch", goal)
    assert done.code == 0
    assert any(line.endswith("[做完了]  写初稿  draft  writer") for line in done.lines)
    assert done.lines[-1] == "· 写初稿：周报写好了"
    assert staffed("goal", "watch", goal, "--json").json["status"] == "DONE"


def test_watching_a_goal_that_stopped_says_what_can_be_done(alone):
    goal = hung(alone, "--set", "MAX_LOOP=1")
    done = alone("goal", "watch", goal)
    assert done.code == 1
    assert any("接手的轮数用完了" in line for line in done.lines)
    assert f"不做了：zhixing goal cancel {goal}" in done.lines


def test_one_can_look_once_or_for_a_while(alone):
    goal = hung(alone)
    done = alone("goal", "watch", goal, "--once")
    assert (done.code, done.lines[-1].split()[-1]) == (0, "draft")
    before = alone.clock.monotonic()
    done = alone("goal", "watch", goal, "--seconds", "3")
    assert done.code == 1
    assert f"zhixing goal watch {goal}" in done.lines[-1]
    assert alone.clock.monotonic() - before >= 3


def test_words_of_bots_cannot_steer_the_terminal(terminal):
    staffed = with_bots(terminal, bots_file().replace(REPORT, r"周报\u001b[2J\u202e写好了"))
    goal = begun(staffed)
    staffed.ring()
    for argv in (("show", goal, "--log"), ("watch", goal, "--once"), ("list", "--all")):
        assert all(line.isprintable() for line in staffed("goal", *argv).lines), argv


def test_a_goal_begins_on_either_database(on_any_store):
    staffed = with_bots(on_any_store, bots_file())
    goal = begun(staffed)
    staffed.ring()
    assert staffed("goal", "show", goal[:7], "--json").json["status"] == "DONE"
