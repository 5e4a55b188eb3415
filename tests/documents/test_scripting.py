"""Script runs: what bash gets, what of it becomes the result, and what a failure says."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.documents.agent.playing import (
    LocalSandbox,
    Noted,
    ScriptedSandbox,
    captured,
    contents,
    declare,
    finished,
    order_in,
)
from tests.machine import walls

from zhixing.documents.model import Declared, Kind
from zhixing.documents.performing import Execution, Order, Outcome, Phase, Verdict
from zhixing.documents.processes import LAST_CHARACTERS, plain, text_of
from zhixing.documents.scripting import ScriptPerformer
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.sandbox.port import Captured, Ended, Mount, Sandbox


def script(folder: Path, body: str, **more: object) -> Order:
    return order_in(folder, body, kind=Kind.SCRIPT, **more)


def run(order: Order, sandbox: Sandbox | None = None, noted: Noted | None = None) -> Outcome:
    return ScriptPerformer(sandbox or LocalSandbox()).perform(order, noted or Noted(), threading.Event())


def test_what_a_script_prints_is_the_result(tmp_path: Path) -> None:
    noted = Noted()
    outcome = run(script(tmp_path, "echo 你好\necho 世界"), noted=noted)
    assert outcome.output == "你好\n世界"
    assert outcome.succeeded
    assert noted.phases == [Phase.SCRIPT]
    assert outcome.exit is not None
    assert (outcome.exit.code, outcome.exit.sandbox, outcome.exit.timed_out) == (0, "none", False)
    assert outcome.exit.stdout_bytes == len("你好\n世界\n".encode())


def test_the_template_of_the_document_runs_under_bash_and_a_failing_pipe_fails_the_run(tmp_path: Path) -> None:
    outcome = run(script(tmp_path, "set -euo pipefail\nfalse | cat\necho 不该到这里"))
    assert outcome.execution is Execution.FAILURE
    assert outcome.verdict is Verdict.NOT_CHECKED
    assert "退出码 1" in outcome.error
    assert outcome.output == ""


def test_a_failure_tells_the_last_lines_of_both_streams_and_no_output(tmp_path: Path) -> None:
    outcome = run(script(tmp_path, "echo 做了一半\necho 磁盘满了 >&2\nexit 3"))
    assert outcome.output == ""
    assert [part in outcome.error for part in ("退出码 3", "磁盘满了", "做了一半")] == [True] * 3
    assert outcome.exit is not None
    assert outcome.exit.code == 3


def test_what_goes_to_standard_error_is_never_sent(tmp_path: Path) -> None:
    order = script(tmp_path, "echo 噪声 >&2\necho 结果")
    assert run(order).output == "结果"
    assert (order.folder / "stderr.log").read_text(encoding="utf-8") == "噪声\n"
    assert (order.folder / "stdout.log").read_text(encoding="utf-8") == "结果\n"


@pytest.mark.parametrize("body", ["true", "echo", "printf ' \\n\\t'"])
def test_a_script_that_prints_nothing_succeeds_with_nothing_to_send(tmp_path: Path, body: str) -> None:
    outcome = run(script(tmp_path, body))
    assert outcome.succeeded
    assert outcome.output == ""


def test_the_body_is_kept_as_it_is_with_a_line_end(tmp_path: Path) -> None:
    order = script(tmp_path, "#!/bin/false\n  echo '原样'")
    run(order)
    file = order.folder / "task-script.sh"
    assert file.read_text(encoding="utf-8") == "#!/bin/false\n  echo '原样'\n"
    assert file.stat().st_mode & 0o077 == 0


def test_windows_line_ends_are_changed_and_that_is_said(tmp_path: Path) -> None:
    noted = Noted()
    outcome = run(script(tmp_path, "set -euo pipefail\r\necho 好\r\n"), noted=noted)
    assert outcome.output == "好"
    assert noted.phases == [Phase.PREPARING, Phase.SCRIPT]
    assert "CRLF" in noted.messages[0]


def test_a_script_gets_the_names_of_its_run_and_what_was_declared_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVER_ONLY", "1")
    order = script(
        tmp_path, "env | cut -d= -f1 | sort | tr '\\n' ' '; pwd", env={"CITY": "杭州"}, timezone="Asia/Tokyo"
    )
    sandbox = LocalSandbox()
    outcome = run(order, sandbox)
    names = set(outcome.output.split()[:-1])
    ours = {"DC_SESSION_ID", "DC_TASK_ID", "DC_RUN_ID", "DC_RUN_DIR", "DC_PROJECT_ROOT"}
    assert names - {"PWD", "SHLVL", "_", "OLDPWD"} == {*ours, "CITY", "HOME", "LANG", "LC_ALL", "PATH", "TERM", "TZ"}
    assert outcome.output.split()[-1] == str(order.folder)
    assert sandbox.commands[0].env["DC_SESSION_ID"] == "tg-1"


def test_standard_input_is_closed(tmp_path: Path) -> None:
    assert run(script(tmp_path, "cat; echo 读完")).output == "读完"


def test_the_walls_show_the_project_to_read_and_the_run_to_write_and_no_other_run(tmp_path: Path) -> None:
    order = script(tmp_path, "true", paths=(Declared("out", writable=True), Declared("data.csv")))
    order = replace(order, reaches_out=True)
    (order.project / "out").mkdir()
    (order.project / "data.csv").write_text("1", encoding="utf-8")
    sandbox = ScriptedSandbox(finished())
    run(order, sandbox)
    command = sandbox.commands[0]
    assert command.mounts == (
        Mount(order.project),
        Mount(order.project / "out", writable=True),
        Mount(order.project / "data.csv"),
        Mount(order.folder, writable=True),
    )
    assert command.hidden == (order.project / ".downcity",)
    assert command.limits.wall == order.timeout
    assert command.network is True


@pytest.mark.parametrize("path", ["../other", ".downcity/task", ".downcity/task/晨读", "missing", "link", "inward/x"])
def test_what_is_declared_and_cannot_be_shown_fails_before_anything_runs(tmp_path: Path, path: str) -> None:
    order = script(tmp_path, "true")
    (tmp_path / "other").mkdir()
    (order.project / "link").symlink_to(tmp_path / "other")
    (order.project / "inward").symlink_to(order.tasks)
    sandbox = ScriptedSandbox()
    outcome = run(declare(order, Declared(path, writable=True)), sandbox)
    assert outcome.execution is Execution.FAILURE
    assert path in outcome.error
    assert sandbox.commands == []


@pytest.mark.parametrize(
    ("ended", "code", "signal", "said"),
    [
        (Ended.TIMED_OUT, None, 15, "超过 3600 秒"),
        (Ended.CANCELLED, None, 15, "取消"),
        (Ended.TOO_MANY_PROCESSES, None, 9, "进程太多"),
        (Ended.EXITED, None, 11, "信号 11"),
        (Ended.EXITED, 127, None, "退出码 127"),
    ],
)
def test_every_way_to_end_badly_is_told(
    tmp_path: Path, ended: Ended, code: int | None, signal: int | None, said: str
) -> None:
    sandbox = ScriptedSandbox(finished(b"partial", b"why", ended=ended, code=code, signal=signal))
    outcome = run(script(tmp_path, "true"), sandbox)
    assert said in outcome.error.splitlines()[0]
    assert "why" in outcome.error
    assert outcome.output == ""
    assert outcome.cancelled is (ended is Ended.CANCELLED)
    assert outcome.retryable is False
    assert outcome.exit is not None
    assert (outcome.exit.code, outcome.exit.signal) == (code, signal)
    assert outcome.exit.timed_out is (ended is Ended.TIMED_OUT)


def test_a_sandbox_that_cannot_start_is_worth_another_try_and_a_command_that_cannot_be_is_not(tmp_path: Path) -> None:
    away = run(script(tmp_path / "a", "true"), ScriptedSandbox(Unavailable("store_closed")))
    assert (away.retryable, away.error != "") == (True, True)
    wrong = run(script(tmp_path / "b", "true"), ScriptedSandbox(BadInput("store_closed")))
    assert wrong.retryable is False


def test_a_folder_that_cannot_be_written_is_an_outcome(tmp_path: Path) -> None:
    order = script(tmp_path, "true")
    shutil.rmtree(order.folder)
    outcome = run(order)
    assert outcome.error.startswith("写不了运行目录")
    assert outcome.retryable is True


def test_a_link_in_place_of_the_script_is_replaced_and_not_followed(tmp_path: Path) -> None:
    order = script(tmp_path, "echo 好")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("old", encoding="utf-8")
    (order.folder / "task-script.sh").symlink_to(elsewhere)
    assert run(order).output == "好"
    assert elsewhere.read_text(encoding="utf-8") == "old"


def test_of_a_huge_output_the_beginning_and_the_end_are_sent_with_what_is_missing(tmp_path: Path) -> None:
    sandbox = ScriptedSandbox(finished("头".encode() + b"x" * 3_000_000 + "尾\n".encode()))
    outcome = run(script(tmp_path, "true"), sandbox)
    head, missing, tail = outcome.output.split("\n")
    assert outcome.exit is not None
    dropped = outcome.exit.dropped_bytes
    assert (head[0], tail[-1]) == ("头", "尾")
    assert str(dropped) in missing
    assert len(outcome.output) < 1_100_000
    assert outcome.exit.stdout_bytes == 3_000_007


def test_an_error_is_bounded(tmp_path: Path) -> None:
    outcome = run(script(tmp_path, "true"), ScriptedSandbox(finished(b"y" * 900_000, b"z\n" * 400_000, code=1)))
    assert len(outcome.error) < 2 * LAST_CHARACTERS + 200


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        (b"\x1b[31mred\x1b[0m", "red"),
        (b"\x1b]0;title\x07text", "text"),
        (b"\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"10%\r50%\r100%\ndone", "100%\ndone"),
        (b"10%\r50%\r", "50%"),
        (b"a\r\nb\r\n", "a\nb"),
        (b"\xff\xfe", "��"),
        (b"a\x00b\x07c", "abc"),
        (b"\ttab\n\n\n", "\ttab"),
        ("\x1b(B中文\x9b1m".encode(), "中文"),
        (b"", ""),
    ],
)
def test_what_was_printed_is_read_as_a_person_would(printed: bytes, read: str) -> None:
    assert text_of(captured(printed)) == read


def test_a_character_that_was_cut_in_two_leaves_no_mark() -> None:
    whole = "汉字".encode()
    said = text_of(Captured(whole[:4], whole[4:], total=1_000))
    assert said.split("\n")[0] == "汉"
    assert "\ufffd" not in said


def test_escapes_that_never_end_hide_nothing_of_what_follows() -> None:
    assert plain("\x1b]" * 200_000 + "x").endswith("x")
    assert plain("\x1b[" + "1" * 500_000).endswith("1")


@pytest.fixture(name="walls")
def real_walls() -> Sandbox:
    return walls()


def test_within_real_walls_a_script_reads_the_project_and_writes_only_its_run(tmp_path: Path, walls: Sandbox) -> None:
    body = """
        cat "$DC_PROJECT_ROOT/data.csv"
        echo 中间产物 > work.txt; umask
        ls -A "$DC_PROJECT_ROOT/.downcity/task/晨读" | tr '\\n' ' '
        touch "$DC_PROJECT_ROOT/new" 2>/dev/null || echo 不能写
        echo "$TOKEN_OF_MINE"
    """
    order = script(
        tmp_path,
        body,
        env={"TOKEN_OF_MINE": "hunter2hunter2"},
        secrets=("hunter2hunter2",),
        network=False,
        timeout=timedelta(seconds=60),
    )
    (order.project / "data.csv").write_text("一,二\n", encoding="utf-8")
    outcome = run(order, walls)
    assert outcome.error == ""
    assert outcome.output.split("\n") == ["一,二", "0077", f"{order.folder.name} 不能写", "***"]
    assert (order.folder / "work.txt").read_text(encoding="utf-8") == "中间产物\n"
    assert not any(b"hunter2" in content for content in contents(order.folder))
    assert outcome.exit is not None
    assert outcome.exit.sandbox == "bwrap"
