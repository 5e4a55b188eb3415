"""`zhixing task` and `zhixing runs` of tasks in files, for people."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from zhixing.documents.artifacts.folders import read_run_id
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.run import run as run_line
from zhixing.kernel.clock import ManualClock


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    (project / ".downcity" / "task").mkdir(parents=True)
    monkeypatch.chdir(project)
    return project


def script(project: Path, title: str, body: str) -> Path:
    """Write a script task by hand."""
    file = project / ".downcity" / "task" / title / "task.md"
    file.parent.mkdir()
    file.write_text(
        f'---\ntitle: {title}\nwhen: "@manual"\ndescription: d\nsessionId: s\nkind: script\n---\n\n{body}\n',
        encoding="utf-8",
    )
    return file


def started(terminal, title: str) -> str:
    """Run a task in the background; return the id of the run."""
    return terminal("task", "run", title, "--json").json["executionId"]


def test_a_new_task_is_a_template_to_be_filled_in_and_says_what_to_do_next(terminal, project):
    lines = terminal("task", "new", "晨报").lines
    file = project / ".downcity" / "task" / "晨报" / "task.md"
    assert str(file) in lines[0]
    assert "zhixing task validate 晨报" in lines[1]
    assert "# 任务目标" in file.read_text(encoding="utf-8")
    assert terminal("task", "list").lines[0].startswith("晨报  启用")


@pytest.mark.usefixtures("project")
def test_a_template_that_would_run_by_itself_is_paused_until_it_is_filled_in(terminal):
    made = terminal("task", "new", "晨报", "--when", "0 8 * * *", "--kind", "script", "--json").json
    assert (made["status"], made["kind"], made["nextRuns"]) == ("paused", "script", [])
    assert "set -euo pipefail" in made["body"]
    assert made["sessionId"] == "inbox"
    assert (
        terminal("task", "new", "周报", "--when", "@weekly", "--session", "tg-1").lines[1].startswith("到点会自动运行")
    )


@pytest.mark.usefixtures("project")
def test_a_title_that_is_taken_is_not_touched(terminal):
    terminal("task", "new", "晨报")
    assert "不能重复" in terminal.refused("task", "new", "晨报")
    assert "--when" in terminal.refused("task", "new", "晚报", "--when", "每天")


def test_without_tasks_here_it_is_the_homes_own_project(terminal, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    terminal("task", "new", "晨报")
    assert (terminal.home / "documents" / ".downcity" / "task" / "晨报" / "task.md").is_file()
    assert list(elsewhere.iterdir()) == []
    terminal("task", "new", "别处的", "--dir", ".")
    assert [each["title"] for each in terminal("task", "list", "--json").json["tasks"]] == ["别处的"]
    assert "晨报" in "".join(terminal("task", "list", "--all").lines)
    assert {each["title"] for each in terminal("task", "list", "--all", "--json").json["tasks"]} == {"晨报", "别处的"}


def test_show_and_validate_say_what_is_wrong_and_where(terminal, project):
    terminal("task", "new", "晨报")
    assert any(line.startswith("第 ") for line in terminal("task", "show", "晨报").lines)
    assert terminal("task", "validate", "晨报").lines[0].startswith("「晨报」可以用")
    script(project, "坏的", "echo 1").write_text("---\ntitle: 坏的\nwhen: x\n---\n", encoding="utf-8")
    assert "第 3 行" in terminal.refused("task", "validate", "坏的")
    assert "有误" in "".join(terminal("task", "list").lines)
    assert "「晨报」" in terminal.refused("task", "show", "晨 报")


def test_a_run_is_followed_by_its_id(terminal, project):
    script(project, "清点", "echo 共 3 项")
    lines = terminal("task", "run", "清点", "--reason", "看看").lines
    run = lines[-1].split()[-1]
    assert read_run_id(run) is not None
    terminal.ring()
    done = terminal("runs", "watch", run)
    assert (done.code, done.err) == (0, "")
    assert f"{run} 成功" in done.out
    shown = terminal("runs", "show", run).out
    assert all(part in shown for part in ("「清点」", "看看", "output.md"))
    assert terminal("runs", "show", run, "--json").json["record"]["exit"]["code"] == 0


def test_a_run_that_failed_ends_watching_with_one(terminal, project):
    script(project, "清点", "exit 4")
    run = started(terminal, "清点")
    terminal.ring()
    done = terminal("runs", "watch", run)
    assert (done.code, "失败" in done.out, "退出码：4" in done.out) == (1, True, True)


class Meanwhile(ManualClock):
    """A clock on which something happens while somebody waits."""

    def __init__(self, clock: ManualClock, happens: Callable[[], object]) -> None:
        super().__init__(clock.now())
        self._happens = happens

    def wait(self, wake: threading.Event, seconds: float) -> bool:
        self.advance(timedelta(seconds=seconds))
        self._happens()
        return wake.is_set()


def test_watching_tells_each_step_once_until_the_run_ends(terminal, project):
    script(project, "清点", "echo 1")
    run = started(terminal, "清点")
    terminal.clock = Meanwhile(terminal.clock, terminal.ring)
    out = StringIO()
    desk = Desk(terminal.env, terminal.clock, BytesIO(), out, StringIO())
    assert run_line(["runs", "watch", run], desk) == 0
    lines = out.getvalue().splitlines()
    assert sum("zhixing serve" in line for line in lines) == 1
    assert f"{run} 即将开始" in lines
    assert len([line for line in lines if "准备运行" in line]) == 1
    assert any(f"{run} 成功" in line for line in lines)


def test_watching_ends_with_its_seconds(terminal, project):
    script(project, "清点", "echo 1")
    run = started(terminal, "清点")
    terminal.clock = Meanwhile(terminal.clock, lambda: None)
    done = terminal("runs", "watch", run, "--seconds", "3")
    assert (done.code, done.lines[-1]) == (1, f"等了 3 秒，{run} 还没有结束。")


def test_a_run_is_cancelled_by_its_id(terminal, project):
    script(project, "清点", "echo 1")
    run = started(terminal, "清点")
    assert terminal("runs", "cancel", run).lines == [f"已取消 {run}。"]
    terminal.ring()
    assert terminal("runs", "watch", run).code == 1
    run = started(terminal, "清点")
    terminal.ring()
    assert terminal("runs", "cancel", run).lines == [f"{run} 已经结束（成功），没有可取消的。"]
    assert "没有编号" in terminal.refused("runs", "cancel", "20200101-000000-000")
    assert "没有编号" in terminal.refused("runs", "show", "20200101-000000-000")


def test_the_list_of_runs_has_those_of_tasks_in_files(terminal, project):
    script(project, "清点", "echo 1")
    script(project, "失败的", "exit 1")
    good, bad = started(terminal, "清点"), started(terminal, "失败的")
    terminal.ring()
    lines = terminal("runs", "list").lines
    assert [line.split(" · ")[0] for line in lines] == ["失败的", "清点"]
    listed = terminal("runs", "list", "--json").json
    assert (listed["runs"], [each["executionId"] for each in listed["documentRuns"]]) == ([], [bad, good])
    failed = terminal("runs", "list", "--state", "failed", "--json").json["documentRuns"]
    assert [each["executionId"] for each in failed] == [bad]
    number = listed["documentRuns"][1]["taskId"]
    assert len(terminal("runs", "list", "--task", number, "--json").json["documentRuns"]) == 1


def test_a_run_whose_task_is_gone_is_still_listed(terminal, project):
    script(project, "清点", "echo 1")
    run = started(terminal, "清点")
    terminal.ring()
    desk = Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())
    with house(desk) as home:
        home.app.documents.delete(project.resolve(), "清点", who="test")
    assert "清点" in terminal("runs", "list").lines[0]
    assert terminal("runs", "show", run).code == 0


def test_a_document_task_is_shown_previewed_and_explained_by_its_number_too(terminal, project):
    terminal("task", "new", "晨报", "--kind", "script", "--when", "0 9 * * *")
    file = project / ".downcity" / "task" / "晨报" / "task.md"
    file.write_text(file.read_text(encoding="utf-8").replace("paused", "enabled"), encoding="utf-8")
    assert terminal("task", "show", "晨报").lines
    assert "「晨报」启用" in terminal("show", "t1").lines[0]
    shown = terminal("show", "t1", "--json").json
    assert (shown["title"], shown["way"], shown["document"]["status"]) == ("晨报", "document", "enabled")
    assert any("09:00" in line for line in terminal("preview", "t1", "--days", "2").lines)
    assert "「晨报」启用" in terminal("explain", "t1").lines[0]


def test_document_tasks_stand_in_the_list_of_everything(terminal, project, said):
    said("明晚九点提醒我交表")
    terminal("task", "new", "清点", "--kind", "script", "--when", "0 9 * * *")
    file = project / ".downcity" / "task" / "清点" / "task.md"
    file.write_text(file.read_text(encoding="utf-8").replace("paused", "enabled"), encoding="utf-8")
    terminal("task", "list")
    assert [line.split() for line in terminal("list").lines] == [
        ["t2", "启用", "明天（10月13日", "周二）", "09:00", "清点"],
        ["t1", "已安排", "明天（10月13日", "周二）", "21:00", "交表"],
    ]
    found = terminal("list", "--way", "document", "--json").json["tasks"]
    assert [(one["id"], one["way"], one["status"], one["next"]) for one in found] == [
        ("t2", "document", "active", "2026-10-13T09:00:00+08:00")
    ]
    assert found[0]["document"]["taskMdPath"] == str(file)
    assert terminal("list", "--limit", "1").lines[-1] == "还有更早的：zhixing list --before t2"
    assert len(terminal("list", "--before", "t2").lines) == 1


def test_a_file_that_comes_to_name_another_zone_has_its_times_listed_in_that_one(terminal, project):
    terminal("task", "new", "清点", "--kind", "script", "--when", "0 9 * * *")
    file = project / ".downcity" / "task" / "清点" / "task.md"
    enabled = file.read_text(encoding="utf-8").replace("paused", "enabled")
    file.write_text(enabled.replace("---\n", "---\ntimezone: Asia/Tokyo\n", 1), encoding="utf-8")
    terminal("task", "list")
    assert "09:00" in terminal("list").lines[0].split()
    found = terminal("list", "--json").json["tasks"][0]
    assert (found["zone"], found["next"]) == ("Asia/Tokyo", "2026-10-13T09:00:00+09:00")


def test_the_list_of_everything_keeps_a_task_whose_file_is_gone_until_it_is_deleted(terminal, project):
    terminal("task", "new", "清点", "--kind", "script")
    folder = project / ".downcity" / "task" / "清点"
    shutil.rmtree(folder)
    terminal("task", "list")
    assert terminal("list").lines == ["还没有事项。说一句试试：zhixing say 明晚九点提醒我交表"]
    assert [line.split() for line in terminal("list", "--all").lines] == [["t1", "已删除", "-", "清点"]]


def test_runs_go_by_the_title_of_their_task(terminal, project):
    script(project, "待办", "echo ok")
    run_id = started(terminal, "待办")
    assert run_id in "".join(terminal("runs", "show", "待办").lines)
    assert "已经取消" in "".join(terminal("runs", "cancel", "待办").lines) or terminal("runs", "show", run_id).lines
    assert terminal("runs", "show", "没有的").code == 1


def test_a_message_to_a_chat_is_a_task_without_a_file_and_is_shown_like_any_other(terminal):
    desk = Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())
    with house(desk) as home:
        home.app.documents.chats.send("tg-1", "药到了", who="test")
    assert terminal("list", "--json").json["tasks"][0]["document"] is None
    assert terminal("show", "t1").lines == ["t1  药到了"]
    shown = terminal("show", "t1", "--json").json
    assert (shown["document"], len(shown["occurrences"])) == (None, 1)
    told = terminal("explain", "t1").lines
    assert told[0] == "t1  药到了"
    assert len(told) > 1
    assert len(terminal("explain", "t1", "--json").json["occurrences"]) == 1
    assert terminal("preview", "t1", "--json").json["reminders"] == []
    assert terminal("next", "t1", "--json").json["next"] == []
