"""Household tasks at the command line, beside notices: made, shown, stopped, changed back, ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO, StringIO

import pytest

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.household.pushing import Pushing

LIVING = "living_room_off"
DRINK = "drink_8_daily"


@pytest.fixture
def apply(terminal, plan_of) -> Callable[[str], str]:
    """Make a household task from its plan; give its id."""

    def applied(name: str) -> str:
        plan = json.dumps(plan_of(name)).encode()
        return terminal("apply", "-", "--json", stdin=plan).json["id"]

    return applied


@pytest.fixture
def drink(terminal) -> Callable[[int], None]:
    """Have somebody drink a number of cups, two minutes apart."""

    def drunk(cups: int) -> None:
        for _ in range(cups):
            terminal.clock.advance(timedelta(minutes=2))
            event = terminal.clock.now().isoformat()
            terminal("home", "verdict", "cam_living", "妈妈举杯喝水", "true", "--event", event)
        terminal.ring()

    return drunk


def test_a_plan_becomes_a_task_with_everything_in_it(terminal, plan_of):
    plan = json.dumps(plan_of(DRINK)).encode()
    assert terminal("apply", "-", stdin=plan).lines == [
        "已建好：",
        "t1  妈妈每天喝 8 杯水（drink_8_daily）",
        "  进行中",
        "  记录（今天）：0/8 杯",
        "  r1  [drink_8_daily] 喝水计数",
        "    看 所有启用的摄像头：“妈妈举杯喝水”",
        "    发生时：喝水次数加一；首次达标时使用手机推送通知：恭喜达标",
        "  j1  [drink_8_daily] 喝水提醒：每天 12:00、18:00",
        "    提醒用户喝水",
        "    下一次 今天（10月12日 周一） 12:00",
        "服务没有在运行：规则和定时任务只在 zhixing serve 运行时起作用。",
    ]


def test_a_plan_comes_from_a_file_too(terminal, plan_of, tmp_path):
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan_of(LIVING)), encoding="utf-8")
    assert terminal("apply", str(file), "--json").json["slug"] == LIVING


def test_a_plan_with_a_fault_leaves_nothing_behind(terminal, plan_of):
    plan = plan_of(DRINK)
    plan["rules"][0]["action"] = {"did": "light_lving", "iid": "on", "value": True}
    del plan["rules"][0]["action_desc"]
    assert "light_lving" in terminal.refused("apply", "-", stdin=json.dumps(plan).encode())
    assert terminal("list").lines == ["还没有事项。说一句试试：zhixing say 明晚九点提醒我交表"]
    assert terminal("cron", "list").lines == ["没有定时任务。"]


def test_the_list_has_notices_and_household_tasks_the_newest_first(terminal, apply, said):
    said("明晚九点提醒我交表")
    apply(DRINK)
    apply(LIVING)
    said("后天上午9点提醒我开会")
    assert [line.split() for line in terminal("list").lines] == [
        ["t4", "已安排", "后天（10月14日", "周三）", "09:00", "开会"],
        ["t3", "进行中", "-", "客厅没人关灯（living_room_off）"],
        ["t2", "进行中", "今天（10月12日", "周一）", "12:00", "妈妈每天喝", "8", "杯水（drink_8_daily）", "0/8", "杯"],
        ["t1", "已安排", "明天（10月13日", "周二）", "21:00", "交表"],
    ]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (("--way", "household"), ["t3", "t2"]),
        (("--way", "notice"), ["t4", "t1"]),
        (("--state", "scheduled"), ["t4", "t1"]),
        (("--state", "scheduled", "--way", "household"), []),
        (("--status", "paused"), ["t3"]),
        (("--all",), ["t4", "t3", "t2", "t1"]),
        (("--limit", "2"), ["t4", "t3"]),
        (("--limit", "2", "--before", "t3"), ["t2", "t1"]),
        (("--limit", "1", "--before", "t2"), ["t1"]),
    ],
)
def test_the_list_is_narrowed_and_paged_over_both_kinds(terminal, apply, said, options, ids):
    said("明晚九点提醒我交表")
    apply(DRINK)
    apply(LIVING)
    said("后天上午9点提醒我开会")
    terminal("pause", LIVING)
    told = terminal("list", *options, "--json").json
    assert [task["id"] for task in told["tasks"]] == ids
    following = terminal("list", "--limit", "2", "--json").json
    assert following["more"] == "t3"


def test_a_task_of_its_own_for_a_lone_job_is_listed_and_a_pushed_message_is_not(terminal):
    terminal("cron", "add", "--name", "早报", "--kind", "cron", "--expr", "0 8 * * *", "--message", "提醒看早报")
    with house(Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())) as home:
        app = home.app
        with app.store.write() as tx:
            Pushing(app.tasks, app.doing.telling, app.clock, app.zone.name).push(tx, "门没关", who="test")
    assert [line.split()[-1] for line in terminal("list").lines] == ["早报"]


@pytest.mark.parametrize("written", ["t1", "1", "T1", LIVING, LIVING.upper()])
@pytest.mark.parametrize("command", ["show", "explain", "logs", "pause", "done", "delete", "preview"])
def test_a_task_goes_by_its_number_and_by_its_name(terminal, apply, command, written):
    apply(LIVING)
    done = terminal(command, written, "--json")
    assert done.code == 0, done.err
    assert done.json.get("id", "t1") == "t1"


def test_a_name_that_reads_like_a_number_means_the_task_of_that_number(terminal, plan_of):
    for name in ("t2", LIVING):
        plan = plan_of(LIVING)
        plan["task"]["task_id"] = name
        plan["rules"][0]["name"] = name
        terminal("apply", "-", stdin=json.dumps(plan).encode())
    assert terminal("show", "t2", "--json").json["slug"] == LIVING
    terminal("delete", LIVING)
    assert terminal("show", "t1", "--json").json["slug"] == "t2"


def test_the_name_of_an_ended_task_means_the_last_one_that_had_it(terminal, apply):
    apply(LIVING)
    terminal("delete", LIVING)
    assert terminal("show", LIVING, "--json").json["status"] == "deleted"
    apply(LIVING)
    assert terminal("show", LIVING, "--json").json["id"] == "t2"
    assert "living_room_off" in terminal.refused("restore", "t1")


def test_show_has_the_rules_in_words_the_record_and_what_happened(terminal, apply, drink):
    apply(DRINK)
    drink(2)
    lines = terminal("show", DRINK).lines
    assert lines[:3] == ["t1  妈妈每天喝 8 杯水（drink_8_daily）", "  进行中", "  记录（今天）：2/8 杯"]
    assert "  发生过：" in lines
    assert sum("喝水计数：已完成" in line for line in lines) == 2
    assert lines[lines.index("  经过：") + 1] == "    今天（10月12日 周一） 10:00 新建（命令行）"


def test_a_target_reached_is_told_once_and_shown(terminal, apply, drink):
    apply(DRINK)
    drink(9)
    lines = terminal("records", "show", DRINK).lines
    assert lines[:3] == [
        "t1  妈妈每天喝 8 杯水",
        "  记录（今天）：9/8 杯，已达标",
        "    达标于 今天（10月12日 周一） 10:16",
    ]
    told = [message["text"] for message in terminal("inbox", "--json").json["messages"]]
    assert len([text for text in told if text.startswith("恭喜达标")]) == 1


def test_done_delete_and_restore_work_as_on_every_task(terminal, apply):
    apply(LIVING)
    assert terminal("done", LIVING).lines == ["已完成：t1  客厅没人关灯"]
    assert terminal("restore", "t1").lines[:3] == [
        "已恢复：t1  客厅没人关灯",
        "  进行中",
        "  r1  [living_room_off] 客厅无人关灯",
    ]
    assert terminal("delete", "t1").lines == ["已删除：t1  客厅没人关灯（找回：zhixing restore t1）"]
    assert terminal("list", "--all").lines == ["t1  已删除  -  客厅没人关灯（living_room_off）"]


def test_a_pause_stops_the_rules_and_its_end_starts_only_those(terminal, apply):
    apply(LIVING)
    assert terminal("pause", LIVING).lines == ["已暂停：t1  客厅没人关灯（继续：zhixing resume t1）"]
    assert terminal("rules", "list").lines[0] == "r1  [living_room_off] 客厅无人关灯（随任务暂停）"
    assert terminal("home", "watched").lines == ["现在没有要判断的条件。"]
    assert terminal("resume", LIVING).lines == ["已继续：t1  客厅没人关灯"]
    assert terminal("rules", "list").lines[0] == "r1  [living_room_off] 客厅无人关灯"


def test_a_notice_is_paused_too(terminal, said):
    said("明晚九点提醒我交表")
    terminal("pause", "t1")
    assert terminal("list").lines == ["t1  已暂停  -  交表"]
    terminal("resume", "t1")
    assert terminal("list").lines == ["t1  已安排  明天（10月13日 周二） 21:00  交表"]


def test_undo_takes_back_and_again_does_it_again(terminal, apply):
    apply(DRINK)
    terminal("cron", "update", "j1", "--kind", "cron", "--expr", "0 9 * * *")
    assert "  j1  [drink_8_daily] 喝水提醒：每天 12:00、18:00" in terminal("undo", DRINK).lines
    assert "  j1  [drink_8_daily] 喝水提醒：每天 09:00" in terminal("undo", "t1").lines


def test_the_log_says_what_fired_and_what_came_close(terminal, apply):
    apply(LIVING)
    assert terminal("logs", LIVING).lines == ["t1  客厅没人关灯", "  还没有发生过什么。"]
    watch = ("home", "verdict", "cam_living", "r1")
    terminal.clock.advance(timedelta(minutes=1))
    terminal(*watch, "true", "--lasting")
    terminal.clock.advance(timedelta(minutes=4, seconds=40))
    terminal(*watch, "false", "--firm")
    terminal.clock.advance(timedelta(minutes=1))
    terminal(*watch, "true", "--lasting")
    terminal.clock.advance(timedelta(minutes=5))
    terminal.ring()
    lines = terminal("logs", LIVING).lines
    assert lines[1].startswith("  今天（10月12日 周一） 10:11:40  [living_room_off] 客厅无人关灯：已完成  o")
    assert "客厅无人关灯：没有触发（没有持续够久）" in lines[2]
    assert lines[3] == "  共 已完成 1 次、差一点触发 1 次"
    told = terminal("logs", LIVING, "--json").json
    assert [line["kind"] for line in told["lines"]] == ["occurrence", "near_miss"]
    assert (told["counts"], told["nearMisses"]) == ({"done": 1}, 1)
    assert terminal("logs", LIVING, "--since", "1m", "--json").json["nearMisses"] == 0
    assert terminal("logs", LIVING, "--since", "2026-10-12T10:11:00+08:00", "--json").json["counts"] == {"done": 1}


def test_explain_says_what_became_of_each_command(terminal, apply):
    apply(LIVING)
    terminal("home", "set", "light_living", "on", "true")
    terminal.clock.advance(timedelta(minutes=1))
    terminal("home", "verdict", "cam_living", "r1", "true", "--lasting", "--reason", "沙发上没有人")
    terminal.clock.advance(timedelta(minutes=5))
    terminal.ring()
    assert "    客厅吸顶灯 on → false：已照办" in terminal("explain", LIVING).lines
    told = terminal("explain", LIVING, "--json").json
    (occurrence,) = told["occurrences"]
    assert [(step["did"], step["state"]) for step in occurrence["steps"]] == [("light_living", "done")]
    lines = terminal("explain", occurrence["id"]).lines
    assert lines[0] == "t1  客厅没人关灯"
    assert lines[1] == f"  {occurrence['id']}：今天（10月12日 周一） 10:06，已完成"
    assert lines[2] == "    客厅吸顶灯 on → false：已照办"


def test_what_needs_judgement_waits_in_sight(terminal, apply):
    apply("wakeup_curtain")
    watch = ("home", "verdict", "cam_kids", "r1")
    terminal.clock.advance(timedelta(minutes=2))
    terminal(*watch, "true", "--firm")
    terminal.clock.advance(timedelta(seconds=30))
    terminal(*watch, "false", "--firm")
    terminal.ring()
    lines = terminal("runs", "list").lines
    assert lines[0].startswith("h1  等管家判断：t1，")
    assert lines[1] == "  检查开窗帘是否仍有效，若已结束则复位"
    assert terminal("runs", "show", "h1", "--json").json["prompt"]["direction"] == "exit"
    assert "  h1  等管家判断：t1，今天（10月12日 周一） 10:02:30" in terminal("show", "t1").lines
    terminal.clock.advance(timedelta(minutes=6))
    terminal.ring()
    assert terminal("runs", "list", "--state", "waiting").lines == ["没有这样的运行。"]
    assert terminal("runs", "list", "--task", "wakeup_curtain", "--json").json["runs"][0]["state"] == "expired"


def test_what_can_be_judged_by_rule_is_and_says_how(terminal, apply):
    apply("wakeup_curtain")
    watch = ("home", "verdict", "cam_kids", "r1")
    terminal.clock.advance(timedelta(minutes=2))
    terminal(*watch, "true", "--firm")
    for _ in range(3):
        terminal.ring()
        terminal.clock.advance(timedelta(seconds=30))
    terminal(*watch, "false", "--firm")
    for _ in range(3):
        terminal.ring()
        terminal.clock.advance(timedelta(seconds=30))
    lines = terminal("runs", "show", "h1").lines
    assert lines[0].startswith("h1  管家已处理：t1，")
    assert lines[1:4] == [
        "  检查开窗帘是否仍有效，若已结束则复位",
        "  已恢复到触发前的样子",
        "  按规则判断，没有用模型；可用：动设备",
    ]
    told = terminal("runs", "show", "h1", "--json").json
    assert (told["state"], told["why"], told["tokens"]) == ("done", "reset_done", 0)
    assert [(turn["who"], turn["tool"], turn["state"]) for turn in told["turns"]] == [("rule", "act_device", "done")]


def test_preview_and_next_have_the_instants_of_its_jobs(terminal, apply):
    apply(DRINK)
    assert terminal("preview", DRINK, "--days", "1").lines[:3] == [
        "t1  妈妈每天喝 8 杯水：1 天内有 2 次提醒",
        "  今天（10月12日 周一） 12:00  [drink_8_daily] 喝水提醒",
        "  今天（10月12日 周一） 18:00  [drink_8_daily] 喝水提醒",
    ]
    assert terminal("next", DRINK, "-n", "1").lines == [
        "t1  妈妈每天喝 8 杯水",
        "  2026-10-12 周一 12:00:00  [drink_8_daily] 喝水提醒",
    ]
    assert len(terminal("next", "t1", "--json").json["next"]) == 5
    apply(LIVING)
    assert terminal("preview", LIVING).lines == ["t2  客厅没人关灯：30 天内没有提醒"]
    assert terminal("next", LIVING).lines == ["t2  客厅没人关灯", "之后不会再到。"]


def test_next_reads_a_time_rule_first_and_a_notice_as_well(terminal, said):
    said("每天早上8点提醒我吃药")
    assert terminal("next", "t1", "-n", "1").lines[0] == "t1  吃药"
    assert "看不懂" in terminal.refused("next", "t9")


def test_a_temporary_task_says_until_when_and_ends_by_itself(terminal, plan_of):
    plan = plan_of(LIVING)
    plan["task"] |= {"lifecycle": "temporary", "expires_at": "2026-10-12T23:59:59+08:00"}
    terminal("apply", "-", stdin=json.dumps(plan).encode())
    assert terminal("show", LIVING).lines[1] == "  进行中，到 今天（10月12日 周一） 23:59:59 为止"
    terminal.clock.advance(timedelta(days=1))
    terminal.ring()
    assert terminal("list").lines == ["还没有事项。说一句试试：zhixing say 明晚九点提醒我交表"]
    assert terminal("list", "--all").lines == ["t1  已过期  -  客厅没人关灯（living_room_off）"]


@pytest.mark.parametrize(
    "command", ["answer t1 1", "edit t1 买米", "retry t1", "skip t1 明天", "remind t1 明天下午3点"]
)
def test_what_only_notices_know_is_refused_in_one_line(terminal, apply, command):
    apply(LIVING)
    assert terminal.refused(*command.split()) == "没有编号为「t1」的事项。"


@pytest.mark.parametrize(
    ("argv", "stdin", "line"),
    [
        (("apply", "-"), b"", "- 不是可用的 JSON（第 1 行附近）。"),
        (("apply", "-"), b'{"task":\n{"task_id": }', "- 不是可用的 JSON（第 2 行附近）。"),
        (("apply", "-"), b"[" * 100_000, "- 不是可用的 JSON（第 1 行附近）。"),
        (("apply", "-"), b"\xff\xfe", "- 不是可用的 JSON（第 1 行附近）。"),
        (("apply", "-"), b"x" * 2_000_000, "文件太大，最多 1048576 字节。"),
        (("apply", "/nowhere/plan.json"), b"", "读不了 /nowhere/plan.json：没有这个文件。"),
        (("apply", "- plan"), b"", None),
        (("apply", "-"), b"[]", None),
        (("apply", "-"), b"{}", "缺少「task」。"),
        (("apply", "-"), b'{"task": {"task_id": "Drink Water"}}', None),
        (("logs", "no_such_task"), b"", "没有编号为「no_such_task」的任务。"),
        (("pause", "no_such_task"), b"", "没有编号为「no_such_task」的任务。"),
        (("undo", "no_such_task"), b"", "「no_such_task」不是家庭任务。"),
        (("records", "show", "no_such_task"), b"", "没有编号为「no_such_task」的任务。"),
        (("rules", "list", "no_such_task"), b"", None),
        (("rules", "show", "r9"), b"", None),
        (("runs", "show", "h9"), b"", None),
        (("runs", "show", "h" * 500), b"", None),
        (("logs", "x", "--limit", "501"), b"", "--limit 应在 1 到 500 之间，现在是 501。"),
        (("logs", "x", "--since", "soon"), b"", "看不懂时间「soon」"),
        (("logs", "x", "--since", "2026-10-12T10:00:00"), b"", "缺少时区偏移"),
        (("logs", "x", "--since", "999999d"), b"", "看不懂「999999d」"),
        (("list", "--way", "other"), b"", "--way 不能是「other」"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(terminal, argv, stdin, line):
    told = terminal.refused(*argv, stdin=stdin)
    assert line is None or line in told
