"""A run as it is written: true after every write, whatever fails (T13, T14, T41; downcity.md §3.2, §6.2 no. 7, 17)."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from zhixing.delivery.model import MessageState
from zhixing.documents.artifacts.atomic import Replace, replace_file, swap_file
from zhixing.documents.artifacts.facts import Delivery, DeliveryState, RunFacts, RunStatus, Told
from zhixing.documents.artifacts.names import ERROR, OUTPUT, PROGRESS, RESULT, RUN
from zhixing.documents.artifacts.reading import read_run
from zhixing.documents.artifacts.texts import HIDDEN
from zhixing.documents.artifacts.writer import RunFolder
from zhixing.documents.model import Definition, Kind
from zhixing.documents.performing import Execution, Outcome, Phase, Progress, Verdict
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import Unavailable

Opened = Callable[..., RunFolder]
SENT = Delivery(DeliveryState.SENT, (Told("m1", "家庭群", MessageState.SENT),))
FAILED = Outcome(Execution.FAILURE, Verdict.NOT_CHECKED, error="退出码 3")
WRITES = 12
"""Writes of a whole life of an agent run, below."""


class Crash(BaseException):
    """The program died."""


class Disk:
    """A disk on which the program dies at a write: before it, or behind it."""

    def __init__(self, at: int, when: str) -> None:
        self.left = at
        self.when = when

    def port(self, real: Replace) -> Replace:
        def write(path: Path, data: bytes) -> None:
            self.left -= 1
            if self.left == 0 and self.when == "before":
                raise Crash
            real(path, data)
            if self.left == 0:
                raise Crash

        return write

    @property
    def ports(self) -> dict[str, Replace]:
        return {"keep": self.port(replace_file), "show": self.port(swap_file)}


class Full:
    """A disk that has no room for some files, from a point on."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.full = False

    def __call__(self, path: Path, data: bytes) -> None:
        if self.full and path.name in self.names:
            raise Unavailable("artifact_unwritable", file=path.name, why="磁盘满了")
        replace_file(path, data)


def load(folder: Path, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / name).read_bytes())
    return loaded


def live(run: RunFolder, clock: ManualClock, definition: Definition, outcome: Outcome) -> None:
    """Live a whole life of a run."""
    run.prepare(definition)
    run.note(Phase.EXECUTOR, "第 1 轮", round_number=1)
    clock.advance(timedelta(seconds=2))
    run.finish(outcome, RunStatus.SUCCESS, clock.now(), Delivery(DeliveryState.PENDING))
    run.deliver(SENT)


def test_a_run_says_running_from_the_first_moment(a_run: Opened, folder: Path, definition: Definition) -> None:
    a_run().prepare(definition)
    assert load(folder, RUN)["status"] == "running"
    assert load(folder, PROGRESS)["status"] == "running"
    assert load(folder, PROGRESS)["phase"] == "preparing"
    assert sorted(each.name for each in folder.iterdir()) == ["input.md", "run-progress.json", "run.json"]


def test_a_run_that_waits_says_queued_until_it_begins(
    folder: Path, facts: RunFacts, clock: ManualClock, definition: Definition
) -> None:
    run = RunFolder(folder, replace(facts, started_at=None), clock)
    run.prepare(definition)
    assert load(folder, RUN)["status"] == load(folder, PROGRESS)["status"] == "queued"
    assert "startedAt" not in load(folder, RUN)
    clock.advance(timedelta(seconds=5))
    run.begin(clock.now(), attempt=1)
    assert load(folder, RUN)["status"] == load(folder, PROGRESS)["status"] == "running"
    assert load(folder, RUN)["startedAtIso"] == "2026-10-12T10:00:05.000+08:00"


def test_another_attempt_starts_without_what_the_first_one_left(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition
) -> None:
    run = a_run()
    run.prepare(definition)
    run.finish(FAILED, RunStatus.FAILURE, clock.now())
    run.begin(clock.now(), attempt=2)
    assert sorted(each.name for each in folder.iterdir()) == ["input.md", "run-progress.json", "run.json"]
    assert (load(folder, RUN)["status"], load(folder, RUN)["attempt"]) == ("running", 2)
    run.note(Phase.EXECUTOR, "再来")
    assert load(folder, PROGRESS)["message"] == "再来"


def test_an_agent_run_leaves_all_artifacts(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    live(a_run(), clock, definition, done)
    assert sorted(each.name for each in folder.iterdir()) == [
        "dialogue.json",
        "dialogue.md",
        "input.md",
        "output.md",
        "result.md",
        "run-progress.json",
        "run.json",
    ]
    assert (folder / OUTPUT).read_bytes() == done.output.encode()
    assert load(folder, RUN)["status"] == "success"
    assert load(folder, RUN)["delivery"]["state"] == "sent"
    assert load(folder, PROGRESS)["phase"] == "completed"
    assert load(folder, PROGRESS)["runStatus"] == "success"
    assert [event["phase"] for event in load(folder, PROGRESS)["events"]] == [
        "preparing",
        "agent_executor_round",
        "writing_artifacts",
        "completed",
    ]


def test_a_script_run_has_no_dialogue(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    live(a_run(Kind.SCRIPT), clock, definition, replace(done, rounds=()))
    assert not list(folder.glob("dialogue.*"))


def test_only_a_run_without_a_result_has_an_error(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    run = a_run()
    run.prepare(definition)
    run.finish(FAILED, RunStatus.FAILURE, clock.now())
    assert (folder / ERROR).read_text() == "# 任务出错\n\n退出码 3\n"
    assert (folder / OUTPUT).read_bytes() == b""
    run.finish(done, RunStatus.SUCCESS, clock.now())
    assert not (folder / ERROR).exists()


def test_a_cancelled_run_says_so_without_an_error_of_its_own(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition
) -> None:
    run = a_run()
    run.prepare(definition)
    cancelled = Outcome(Execution.FAILURE, Verdict.NOT_CHECKED, cancelled=True)
    run.finish(cancelled, RunStatus.CANCELLED, clock.now())
    assert (folder / ERROR).read_text() == "# 任务出错\n\n已取消\n"
    assert "**CANCELLED**" in (folder / RESULT).read_text()


def test_the_result_links_what_exists_and_nothing_else(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    (folder / "数据.csv").write_text("1,2")
    live(a_run(), clock, definition, done)
    linked = re.findall(r"^- \[(.+?)\]\(", (folder / RESULT).read_text(), re.MULTILINE)
    there = {each.name for each in folder.iterdir()}
    assert set(linked) == there - {RESULT}


def test_delivery_changes_nothing_but_its_own_block(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    run = a_run()
    run.prepare(definition)
    run.finish(done, RunStatus.SUCCESS, clock.now())
    before = load(folder, RUN) | {"某人的": 1}
    (folder / RUN).write_text(json.dumps(before))
    a_run().deliver(SENT)
    after = load(folder, RUN)
    assert after.pop("delivery") == {
        "state": "sent",
        "messages": [{"id": "m1", "sessionId": "家庭群", "state": "sent"}],
    }
    del before["delivery"]
    assert after == before


@pytest.mark.parametrize("contents", [None, b"", b"[]", b"{", b"\xff"])
def test_delivery_is_not_written_into_a_file_that_cannot_be_read(
    a_run: Opened, folder: Path, contents: bytes | None
) -> None:
    if contents is not None:
        (folder / RUN).write_bytes(contents)
    with pytest.raises(Unavailable, match=r"读不了 run\.json"):
        a_run().deliver(SENT)
    assert (contents is None) == (not (folder / RUN).exists())


def test_a_line_of_progress_that_cannot_be_written_ends_no_run(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    disk = Full(PROGRESS)
    run = a_run(show=disk)
    run.prepare(definition)
    disk.full = True
    for number in range(50):
        run.note(Phase.EXECUTOR, f"第 {number} 行")
    assert run.problems[0] == "写不了 run-progress.json：磁盘满了。"
    assert len(run.problems) <= 10
    disk.full = False
    run.finish(done, RunStatus.SUCCESS, clock.now())
    assert load(folder, PROGRESS)["events"][-3]["message"] == "第 49 行"


def test_progress_after_the_end_brings_no_run_back_to_life(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    run = a_run()
    live(run, clock, definition, done)
    ended = (folder / PROGRESS).read_bytes()
    run.note(Phase.EXECUTOR, "太晚了")
    assert (folder / PROGRESS).read_bytes() == ended


def test_threads_report_into_one_readable_file(a_run: Opened, folder: Path, definition: Definition) -> None:
    run = a_run()
    run.prepare(definition)
    reporting: Progress = run
    ready = threading.Barrier(5)

    def report(number: int) -> None:
        ready.wait(60)
        for line in range(30):
            reporting.note(Phase.EXECUTOR, f"{number}:{line}", round_number=number)

    threads = [threading.Thread(target=report, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    ready.wait(60)
    while any(thread.is_alive() for thread in threads):
        assert load(folder, PROGRESS)["status"] == "running"
    events = load(folder, PROGRESS)["events"]
    assert len(events) == 40
    assert run.problems == ()


def test_secrets_are_in_no_file(
    folder: Path, facts: RunFacts, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    secret = "s3cret-token"
    trigger = replace(facts.trigger, reason=f"用 {secret}")
    run = RunFolder(folder, replace(facts, trigger=trigger), clock, secrets=(secret,))
    said = replace(
        done,
        output=f"口令是 {secret}",
        error=f"{'x' * 790}{secret}",
        errors=(secret,),
        rounds=tuple(replace(each, query=f"{secret}{each.query}", output=secret) for each in done.rounds),
    )
    run.prepare(replace(definition, body=f"curl -H {secret}"))
    run.note(Phase.EXECUTOR, f"用 {secret} 登录")
    run.finish(said, RunStatus.FAILURE, clock.now())
    for file in folder.iterdir():
        assert secret.encode() not in file.read_bytes(), file.name
        assert secret[:6].encode() not in file.read_bytes(), file.name
    assert (folder / OUTPUT).read_text() == f"口令是 {HIDDEN}"


def test_folders_a_script_put_in_the_place_of_artifacts_are_moved(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    run = a_run()
    run.prepare(definition)
    (folder / RUN).unlink()
    (folder / RUN).mkdir()
    (folder / RUN / "mine").write_text("kept")
    run.finish(done, RunStatus.SUCCESS, clock.now())
    assert load(folder, RUN)["status"] == "success"
    assert [each.read_text() for each in folder.glob("run.json.*/mine")] == ["kept"]


def test_links_a_script_put_in_the_place_of_artifacts_lead_nowhere(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome, *, tmp_path: Path
) -> None:
    run = a_run()
    run.prepare(definition)
    outside = tmp_path / "outside"
    outside.write_text("untouched")
    for name in (OUTPUT, RESULT, ERROR, PROGRESS):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside)
    run.finish(done, RunStatus.SUCCESS, clock.now())
    assert outside.read_text() == "untouched"
    assert (folder / OUTPUT).read_text() == done.output


def test_a_folder_that_was_deleted_during_the_run_is_told_and_not_made_again(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    run = a_run()
    run.prepare(definition)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    run.note(Phase.EXECUTOR, "还在写")
    with pytest.raises(Unavailable, match="文件夹不在了"):
        run.finish(done, RunStatus.SUCCESS, clock.now())
    with pytest.raises(Unavailable, match="文件夹不在了"):
        a_run().interrupt("程序重启")
    assert not folder.exists()


@pytest.mark.parametrize("name", [OUTPUT, "dialogue.json", "dialogue.md", RESULT])
def test_a_run_whose_artifact_cannot_be_written_has_failed_and_says_why(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome, *, name: str
) -> None:
    disk = Full(name)
    run = a_run(keep=disk)
    run.prepare(definition)
    disk.full = True
    with pytest.raises(Unavailable, match=f"写不了 {name}：磁盘满了"):
        run.finish(done, RunStatus.SUCCESS, clock.now())
    assert load(folder, RUN)["status"] == load(folder, PROGRESS)["status"] == "failure"
    assert load(folder, RUN)["error"] == f"写不了 {name}：磁盘满了。"
    assert f"写不了 {name}：磁盘满了" in (folder / ERROR).read_text()
    assert name == RESULT or "**FAILURE**" in (folder / RESULT).read_text()


def test_a_full_disk_at_run_json_leaves_the_earlier_one_and_no_success_beside_it(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    disk = Full(RUN)
    run = a_run(keep=disk)
    run.prepare(definition)
    disk.full = True
    with pytest.raises(Unavailable, match=r"写不了 run\.json：磁盘满了"):
        run.finish(done, RunStatus.SUCCESS, clock.now())
    assert load(folder, RUN)["status"] == "running"
    assert "**FAILURE**" in (folder / RESULT).read_text()
    assert load(folder, PROGRESS)["status"] == "failure"
    assert (folder / OUTPUT).read_text() == done.output


def test_a_disk_that_is_full_for_every_file_leaves_no_summary_of_success(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    class FullAtTheEnd(Full):
        def __call__(self, path: Path, data: bytes) -> None:
            super().__call__(path, data)
            self.full = self.full or path.name == RESULT

    disk = FullAtTheEnd(RUN, RESULT, ERROR, PROGRESS)
    run = a_run(keep=disk, show=disk)
    run.prepare(definition)
    with pytest.raises(Unavailable, match=r"run\.json"):
        run.finish(done, RunStatus.SUCCESS, clock.now())
    assert load(folder, RUN)["status"] == load(folder, PROGRESS)["status"] == "running"
    assert not (folder / RESULT).exists()


def test_the_reason_of_the_run_itself_is_kept_beside_that_of_the_disk(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition
) -> None:
    disk = Full(OUTPUT)
    run = a_run(keep=disk)
    run.prepare(definition)
    disk.full = True
    with pytest.raises(Unavailable):
        run.finish(FAILED, RunStatus.FAILURE, clock.now())
    assert load(folder, RUN)["error"] == "写不了 output.md：磁盘满了。\n退出码 3"


def test_a_life_has_as_many_writes_as_are_failed_below(
    a_run: Opened, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    disk = Disk(10**6, "before")
    live(a_run(**disk.ports), clock, definition, done)
    assert 10**6 - disk.left == WRITES


@pytest.mark.parametrize("when", ["before", "behind"])
@pytest.mark.parametrize("at", range(1, WRITES + 1))
def test_whatever_write_the_program_dies_at_its_folder_says_the_truth(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition, done: Outcome, *, at: int, when: str
) -> None:
    with pytest.raises(Crash):
        live(a_run(**Disk(at, when).ports), clock, definition, done)

    # what a reader sees who comes now
    view = read_run(folder)
    assert view.problems == ()
    assert view.status in {None, RunStatus.RUNNING, RunStatus.SUCCESS}
    assert (view.status is None) == (at == 1 and when == "before")
    if view.status is RunStatus.SUCCESS:
        assert (folder / OUTPUT).read_text() == done.output
        assert view.has(RESULT)

    # what the next start makes of it
    output = (folder / OUTPUT).read_bytes() if view.has(OUTPUT) else None
    clock.advance(timedelta(minutes=1))
    status = a_run().interrupt("程序在运行中途停止")
    assert status is (RunStatus.SUCCESS if view.status is RunStatus.SUCCESS else RunStatus.INTERRUPTED)
    assert load(folder, RUN)["status"] == load(folder, PROGRESS)["status"] == status.value
    assert f"**{status.value.upper()}**" in (folder / RESULT).read_text()
    assert ((folder / OUTPUT).read_bytes() if (folder / OUTPUT).exists() else None) == output
    assert (folder / ERROR).exists() == (status is RunStatus.INTERRUPTED)
    # and doing it twice is doing it once
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert a_run().interrupt("再来一次") is status
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == files


@pytest.mark.parametrize("when", ["before", "behind"])
@pytest.mark.parametrize("at", range(1, 5))
def test_a_program_that_dies_while_closing_a_run_closes_it_at_the_next_start(
    a_run: Opened, folder: Path, definition: Definition, at: int, when: str
) -> None:
    a_run().prepare(definition)
    with pytest.raises(Crash):
        a_run(**Disk(at, when).ports).interrupt("停电")
    assert read_run(folder).problems == ()
    assert a_run().interrupt("停电") is RunStatus.INTERRUPTED
    assert load(folder, RUN)["status"] == load(folder, PROGRESS)["status"] == "interrupted"


def test_an_interrupted_run_keeps_what_it_had_reported_and_says_why(
    a_run: Opened, folder: Path, clock: ManualClock, definition: Definition
) -> None:
    run = a_run()
    run.prepare(definition)
    run.note(Phase.EXECUTOR, "写到一半", round_number=1)
    (folder / OUTPUT).write_text("半篇日报")
    (folder / ".zhixing-0123456789abcdef.new").write_text("{")
    clock.advance(timedelta(hours=1))
    a_run().interrupt("程序在运行中途停止")
    assert [event["message"] for event in load(folder, PROGRESS)["events"]] == [
        "准备运行",
        "写到一半",
        "运行结束：中断",
    ]
    assert load(folder, RUN)["error"] == "程序在运行中途停止"
    assert load(folder, RUN)["endedAtIso"] == "2026-10-12T11:00:00.000+08:00"
    assert (folder / OUTPUT).read_text() == "半篇日报"
    assert "半篇日报" in (folder / RESULT).read_text()
    assert not list(folder.glob(".zhixing-*"))


@pytest.mark.parametrize("contents", [b"", b"{", b"[]", b"null", b'{"status": "running"}', b'{"status": "odd"}'])
def test_a_run_whose_record_is_broken_is_closed_all_the_same(a_run: Opened, folder: Path, contents: bytes) -> None:
    (folder / RUN).write_bytes(contents)
    (folder / PROGRESS).write_bytes(contents)
    assert a_run().interrupt("程序在运行中途停止") is RunStatus.INTERRUPTED
    assert load(folder, RUN)["status"] == load(folder, PROGRESS)["status"] == "interrupted"


def test_a_full_disk_keeps_a_run_open_and_readable_until_there_is_room(
    a_run: Opened, folder: Path, definition: Definition
) -> None:
    a_run().prepare(definition)
    disk = Full(RUN, RESULT, ERROR)
    disk.full = True
    with pytest.raises(Unavailable, match=r"写不了 run\.json"):
        a_run(keep=disk).interrupt("停电")
    assert load(folder, RUN)["status"] == "running"
    assert a_run().interrupt("停电") is RunStatus.INTERRUPTED
