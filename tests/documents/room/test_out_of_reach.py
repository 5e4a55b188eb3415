"""What no run may see or do, with the real sandbox: the home itself, other projects, somebody else's time."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from zhixing.documents import files, ledger
from zhixing.documents.agent.deciding import asks_to_send
from zhixing.documents.agent.files import NotDone, placed
from zhixing.documents.drafting.details import read_details
from zhixing.documents.files import tasks_folder
from zhixing.documents.model import Declared, Definition, Manual
from zhixing.documents.performing import Execution, Order, Outcome, Verdict
from zhixing.documents.run import RunState
from zhixing.documents.telling import secret_values
from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput, Conflict
from zhixing.world.models.scripted import ScriptedModel
from zhixing.world.sandbox.port import Sandbox
from zhixing.world.sandbox.probing import probe
from zhixing.world.sandbox.scripted import never_ending, printing

MINUTE = timedelta(minutes=1)


@pytest.fixture
def sandbox() -> Sandbox:
    made = probe(SystemClock())
    assert hasattr(made, "run"), made
    return made


@pytest.fixture
def walled(furnished, project, sandbox):
    """Give a house whose own folder, with a token in it, lies in the project."""
    home = project / "deep" / "home"
    home.mkdir(parents=True)
    (home / "token").write_text("hunter2hunter2")
    return furnished(sandbox=sandbox, hidden=(home,))


def output(house, body, **fields):
    house.create("script", "@manual", body, **fields)
    run = house.by_hand("script")
    house.run()
    folder = house.folder(run)
    error = folder / "error.md"
    return (folder / "output.md").read_text() + (error.read_text() if error.exists() else "")


def test_a_script_does_not_see_the_home_that_lies_in_its_project(walled):
    said = output(walled, 'ls -A "$DC_PROJECT_ROOT/deep/home" | wc -l; cat "$DC_PROJECT_ROOT/deep/home/token" || true')
    assert "hunter2" not in said
    assert said.startswith("0")


def test_what_is_declared_is_no_way_around_that(walled):
    with_home = output(walled, "ls -A $DC_PROJECT_ROOT/deep/home | wc -l", paths="deep:rw")
    assert with_home.startswith("0")
    walled.app.documents.delete(walled.project, "script", who="test")
    assert "不能用" in output(walled, "true", paths="deep/home:rw")


def test_a_script_does_not_see_the_tasks_of_another_project_inside_its_own(walled):
    other = walled.project / "nested"
    other.mkdir()
    walled.app.documents.adopt(other)
    (tasks_folder(other) / "secret").mkdir()
    (tasks_folder(other) / "secret" / "task.md").write_text("hunter2", encoding="utf-8")
    body = "find $DC_PROJECT_ROOT/nested -name task.md | wc -l; touch $DC_PROJECT_ROOT/nested/.downcity/x || true"
    said = output(walled, body, paths="nested:rw")
    assert said.startswith("0")
    assert not (other / ".downcity" / "x").exists()


def test_an_agent_cannot_read_it_through_its_file_tools_either(tmp_path):
    home = tmp_path / "deep" / "home"
    home.mkdir(parents=True)
    definition = Definition("t", "d", Manual(), "s", "b", paths=(Declared("deep", writable=True),))
    run = tmp_path / ".downcity" / "task" / "t" / "r"
    order = Order("r", "t1", definition, run, tmp_path, run.parent.parent, MINUTE, network=False, hidden=(home,))
    assert placed(order, "project:deep/other.md").parts == ("deep", "other.md")
    for path in ("project:deep/home/token", f"{home}/token", "project:deep/home"):
        with pytest.raises(NotDone):
            placed(order, path)


def test_the_folder_of_the_program_is_no_project(furnished, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    house = furnished(hidden=(home,))
    with pytest.raises(BadInput, match="不能当项目"):
        house.app.documents.project(home)
    assert list(home.iterdir()) == []


def test_enabled_tasks_of_a_strange_folder_do_not_begin_to_run(house, tmp_path):
    strange = tmp_path / "clone"
    house.project = strange
    house.write("偷偷", "* * * * *")
    assert [view.title for view in house.app.documents.tasks_of(strange)] == ["偷偷"]
    assert house.app.documents.get(strange, "偷偷").task_id is None
    with pytest.raises(Conflict, match="偷偷"):
        house.app.documents.project(strange)
    house.run(timedelta(minutes=5))
    assert house.performed == []
    house.app.documents.adopt(strange)
    house.sync()
    house.run(MINUTE)
    assert len(house.performed) == 1


def test_a_long_body_is_looked_through_in_no_time():
    """Searching is bounded work: patterns that backtrack would keep the whole server waiting."""
    done = threading.Event()

    def look():
        asks_to_send("发送" + " " * 200_000)
        asks_to_send("通知" + "一份" * 100_000)
        asks_to_send("city" + " " * 200_000 + "chat")
        read_details("最多" + "1" * 20_000)
        read_details("1" * 20_000)
        done.set()

    threading.Thread(target=look, daemon=True).start()
    assert done.wait(60)


def test_a_run_by_hand_during_the_pause_before_another_try_is_that_try(house):
    house.create("task", "@manual", retries="3")
    house.answer = printing(b"", b"no", code=1)
    house.by_hand("task")
    house.run()
    waiting = house.runs("task")[-1]
    assert waiting.state is RunState.QUEUED
    again = house.by_hand("task")
    assert again.id == waiting.id
    house.run()
    assert house.runs("task")[1].state is RunState.FAILURE


def test_a_task_that_gets_another_folder_while_it_runs_keeps_what_it_brought(house):
    house.create("task", "@manual")
    run = house.by_hand("task")

    def move(command):
        finished = printing("结果\n".encode())(command)
        folder: Path = command.cwd.parent
        folder.rename(folder.with_name("elsewhere"))
        return finished

    house.answer = move
    house.run()
    assert house.states("task") == [RunState.SUCCESS]
    assert house.told == ["结果"]
    moved = tasks_folder(house.project) / "elsewhere" / run.id
    assert (moved / "output.md").read_text() == "结果"


def test_a_run_that_fills_its_folder_is_stopped_and_leaves_only_its_record(furnished, sandbox):
    house = furnished(sandbox=sandbox, folder_bytes=4 * 1024 * 1024)
    said = output(house, "head -c 9000000 /dev/urandom > big; echo done")
    assert house.states("script") == [RunState.FAILURE]
    assert "太多" in said
    names = {path.name for path in house.folder(house.only("script")).iterdir()}
    assert "big" not in names
    assert {"run.json", "result.md", "error.md"} <= names


@pytest.mark.parametrize(
    ("network", "fetches", "reaches_out"), [("", True, False), ("true", True, True), ("false", False, False)]
)
def test_a_shell_reaches_the_network_only_where_the_task_says_so(furnished, clock, network, fetches, reaches_out):
    seen = []

    class Watching:
        def perform(self, order, _progress, _stop):
            seen.append((order.network, order.reaches_out))
            return Outcome(Execution.SUCCESS, Verdict.VALID, output="ok")

    house = furnished(model=ScriptedModel(clock))
    house.app.running._performers = replace(house.app.running._performers, agent=Watching())
    house.create("task", "@manual", "# 任务目标", kind="agent", network=network)
    house.by_hand("task")
    house.run()
    assert seen == [(fetches, reaches_out)]


def test_a_task_md_that_is_no_file_stays_in_sight(house):
    for make in (lambda file: file.mkdir(), os.mkfifo):
        folder = tasks_folder(house.project) / f"odd{len(house.views())}"
        folder.mkdir(parents=True)
        make(folder / "task.md")
    assert [view.fault is not None for view in house.views()] == [True, True]


def test_a_task_md_that_is_not_utf8_is_told_with_its_line(house):
    house.write("task", "@manual")
    file = tasks_folder(house.project) / "task" / "task.md"
    file.write_bytes(file.read_bytes() + "中文".encode("gb18030"))
    assert "UTF-8" in str(house.view("task").fault)
    assert "第 11 行" in str(house.view("task").fault)


def test_a_draft_whose_task_was_deleted_can_still_be_looked_at(house):
    draft_id = house.app.drafts.say("工作日早上8点给我写一份日报", who="test").row.id
    saved = house.app.drafts.answer(draft_id, "A", who="test")
    house.app.documents.delete(house.project, saved.task.title, who="test")
    assert "后来任务删掉了" in house.app.drafts.show(draft_id).lines[0]
    assert len(house.app.drafts.page()) == 1


def test_a_run_that_nearly_fills_the_disk_is_stopped_before_nobody_has_room(furnished, sandbox, monkeypatch):
    house = furnished(sandbox=sandbox)
    looks = iter([False])
    monkeypatch.setattr(files, "is_nearly_full", lambda _path: next(looks, True))
    said = output(house, "head -c 3000000 /dev/urandom > big; sleep 600")
    assert house.states("script") == [RunState.FAILURE]
    assert "磁盘快满了" in said
    assert not (house.folder(house.only("script")) / "big").exists()


def test_a_disk_that_was_full_before_is_not_the_fault_of_a_run(furnished, sandbox, monkeypatch):
    house = furnished(sandbox=sandbox)
    monkeypatch.setattr(files, "is_nearly_full", lambda _path: True)
    assert output(house, "echo ok").startswith("ok")
    assert house.states("script") == [RunState.SUCCESS]


def test_what_a_run_leaves_in_the_place_of_its_record_goes_too(furnished, sandbox):
    house = furnished(sandbox=sandbox, folder_bytes=4 * 1024 * 1024)
    said = output(house, "mkdir result.md; head -c 9000000 /dev/urandom > result.md/big; echo done")
    assert "太多" in said
    folder = house.folder(house.only("script"))
    assert files.weight(folder, 10_000_000) < 1_000_000


def test_whoever_asks_for_the_try_that_waits_gets_its_result(house):
    house.create("task", "@manual", retries="3")
    house.answer = printing(b"", b"no", code=1)
    house.by_hand("task")
    house.run()
    house.answer = printing("好了\n".encode())
    house.by_hand("task", session_id="family", reason="再试")
    house.run()
    run = house.runs("task")[-1]
    assert (run.state, run.session_id, run.reason) == (RunState.SUCCESS, "family", "再试")
    assert [letter.text for letter in house.family.arrived] == ["好了"]


def test_a_run_that_gave_way_to_the_next_instant_says_so(house):
    house.create("task", "@manual", overlap="replace")
    run = house.by_hand("task")

    def give_way(command):
        with house.app.store.write() as tx:
            ledger.ask_to_cancel(tx, ledger.get(tx, run.id), "replaced")
        house.app.running.stop(run.id)
        return never_ending(command)

    house.answer = give_way
    house.run()
    assert house.only("task").why == "replaced"
    assert "让给了下一次" in house.told[0]


def test_addresses_with_a_password_and_names_that_say_so_are_secret():
    environment = {
        "DB_PASS": "hunter2hunter2",
        "DATABASE_URL": "postgresql://me:hunter2@db.example/x",
        "API_BASE": "https://api.example/v1",
        "PATH": "/usr/bin:/bin",
        "AUTH": "hunter3hunter3",
    }
    assert set(secret_values(environment)) == {
        "hunter2hunter2",
        "postgresql://me:hunter2@db.example/x",
        "hunter3hunter3",
    }
