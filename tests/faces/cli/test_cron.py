"""cron: the cron tool at the command line."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

MORNING = ("--name", "早报", "--kind", "cron", "--expr", "0 8 * * *", "--message", "提醒看早报")


@pytest.fixture
def drink(terminal, plan_of):
    terminal("apply", "-", stdin=json.dumps(plan_of("drink_8_daily")).encode())


def test_a_job_on_its_own_is_added_in_the_zone_of_the_home(terminal):
    assert terminal("cron", "add", *MORNING).lines == [
        "j1  早报：每天 08:00",
        "  提醒看早报",
        "  下一次 明天（10月13日 周二） 08:00",
    ]
    told = terminal("cron", "get", "1", "--json").json
    assert told["schedule"] == {"kind": "cron", "expr": "0 8 * * *", "tz": "Asia/Shanghai"}
    assert (told["task"], told["next"][0], told["enabled"]) == (None, "2026-10-13T08:00:00+08:00", True)


@pytest.mark.parametrize(
    ("options", "schedule"),
    [
        (("--kind", "cron", "--expr", "0 8 * * *", "--tz", "Europe/Berlin"), {"kind": "cron", "tz": "Europe/Berlin"}),
        (("--kind", "at", "--at", "2026-10-13T09:00:00+08:00"), {"kind": "at", "at": "2026-10-13T09:00:00+08:00"}),
        (("--kind", "every", "--every-ms", "60000"), {"kind": "every", "everyMs": 60000}),
        (("--json-schedule", '{"kind": "every", "everyMs": 60000}'), {"kind": "every", "everyMs": 60000}),
    ],
)
def test_every_kind_of_schedule_can_be_said(terminal, options, schedule):
    told = terminal("cron", "add", "--name", "n", "--message", "提醒喝水", *options, "--json").json
    assert schedule.items() <= told["schedule"].items()


@pytest.mark.usefixtures("drink")
@pytest.mark.parametrize("task", ["drink_8_daily", "t1", "1"])
def test_a_job_of_a_task_goes_with_it(terminal, task):
    assert terminal("cron", "add", *MORNING, "--task", task).lines[-1] == "  属于 drink_8_daily"
    assert [job["id"] for job in terminal("show", "t1", "--json").json["cron"]] == ["j1", "j2"]
    terminal("delete", "t1")
    assert terminal("cron", "list").lines == ["没有定时任务。"]


def test_a_job_is_changed_stopped_and_removed(terminal):
    terminal("cron", "add", *MORNING)
    assert terminal("cron", "update", "j1", "--name", "晨报").lines[0] == "j1  晨报：每天 08:00"
    assert terminal("cron", "update", "j1", "--kind", "cron", "--expr", "30 7 * * 1-5").lines[0] == (
        "j1  晨报：每周一至周五 07:30"
    )
    assert terminal("cron", "update", "j1", "--enabled", "false").lines[0] == "j1  晨报：已停用"
    assert terminal("cron", "update", "j1", "--enabled", "true").lines[-1] == "  下一次 明天（10月13日 周二） 07:30"
    assert terminal("cron", "remove", "j1").lines == ["已删除：j1  晨报"]
    assert terminal.refused("cron", "get", "j1") == terminal.refused("cron", "get", "j1")
    assert terminal("cron", "list").lines == ["没有定时任务。"]


def test_a_job_acts_at_its_time_and_now_when_asked(terminal):
    terminal("cron", "add", *MORNING)
    assert terminal("cron", "run", "j1").lines[0].startswith("j1 现在就做一次：o")
    terminal.ring()
    terminal.clock.advance(timedelta(days=1))
    terminal.ring()
    told = terminal("cron", "runs", "j1", "--json").json["runs"]
    assert [(each["due"], each["state"]) for each in told] == [
        ("2026-10-13T08:00:00+08:00", "done"),
        ("2026-10-12T10:00:00+08:00", "done"),
    ]
    assert [message["text"] for message in terminal("inbox", "--json").json["messages"]] == ["看早报", "看早报"]
    assert len(terminal("cron", "runs", "j1", "--limit", "1", "--json").json["runs"]) == 1
    assert "已完成" in terminal("cron", "runs", "j1").lines[0]
    terminal("cron", "remove", "j1")
    assert len(terminal("cron", "runs", "j1", "--json").json["runs"]) == 2


def test_a_job_that_did_nothing_yet_says_so(terminal):
    terminal("cron", "add", *MORNING)
    assert terminal("cron", "runs", "j1").lines == ["还没有发生过什么。"]


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        ("add --message m", 1, "缺少「name」。"),
        ("add --name n --message m", 1, "缺少「schedule」。"),
        ("add --name n --kind cron --expr 0_8_*_*_* --message m", 1, None),
        ("add --name n --kind cron --message m", 1, "schedule.expr"),
        ("add --name n --kind at --at 2026-10-13T09:00:00 --message m", 1, "缺少时区偏移"),
        ("add --name n --kind at --at 2020-10-13T09:00:00+08:00 --message m", 1, None),
        ("add --name n --kind every --every-ms 999 --message m", 1, None),
        ("add --name n --kind every --every-ms 1500 --message m", 1, None),
        ("add --name n --kind every --every-ms x --message m", 1, "--every-ms 应为整数，现在是「x」。"),
        ("add --name n --kind every --expr * --message m", 1, None),
        ("add --name n --kind cron --expr @daily --tz Mars --message m", 1, "不认识的时区「Mars」"),
        ("add --name n --expr @daily --message m", 2, "写了 --expr，还要写 --kind：cron、at 或 every。"),
        ("add --name n --every-ms 60000 --message m", 2, "写了 --every-ms，还要写 --kind：cron、at 或 every。"),
        ("add --name n --kind at --json-schedule {} --message m", 2, "--json-schedule 已经是整个时间安排"),
        ("add --name n --json-schedule [] --message m", 1, "--json-schedule 后面要写一个 JSON 对象。"),
        ("add --name n --json-schedule {{ --message m", 1, "--json-schedule 后面要写一个 JSON 对象。"),
        ("add --name n --kind cron --expr @daily --message m --task nobody", 1, "「nobody」不是家庭任务。"),
        ("add --name n --kind weekly --message m", 1, "--kind 不能是「weekly」，可用：cron、at、every。"),
        ("get j9", 1, "j9"),
        ("update j9 --name n", 1, "j9"),
        ("update j1", 1, None),
        ("remove j9", 1, "j9"),
        ("run j9", 1, "j9"),
        ("runs j9", 1, "j9"),
        ("runs j1 --limit 0", 1, "--limit 应在 1 到 200 之间，现在是 0。"),
        ("udpate j1", 2, "没有「udpate」这个命令，是不是：zhixing cron update"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line_and_changes_nothing(terminal, argv, code, told):
    terminal("cron", "add", *MORNING)
    before = terminal("cron", "list", "--json").json
    line = terminal.refused("cron", *argv.split(), code=code)
    assert "意料之外" not in line
    assert told is None or told in line
    assert terminal("cron", "list", "--json").json == before
