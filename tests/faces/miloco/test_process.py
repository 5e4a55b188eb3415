"""The real command in a process of its own: locales, pipes, signals, and a home that cannot be opened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).parent / "miloco-cli"
PATIENCE = 60


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HOME": str(tmp_path), "ZHIXING_HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai"}


@pytest.fixture
def command(env: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    def call(*argv: str, **how) -> subprocess.CompletedProcess[bytes]:
        how = {"capture_output": True, "stdin": subprocess.DEVNULL, "env": env, **how}
        if "input" in how:
            del how["stdin"]
        return subprocess.run([COMMAND, *argv], timeout=PATIENCE, check=False, **how)

    return call


def test_a_task_made_in_one_process_is_there_in_the_next(command):
    made = command("task", "create", "--task-id", "drink_8", "--description", "每天喝 8 杯水")
    assert json.loads(made.stdout) == {"code": 0, "message": "ok", "data": {"task_id": "drink_8", "id": "t1"}}
    assert "每天喝 8 杯水" in command("task", "list").stdout.decode()


@pytest.mark.parametrize(
    "locale",
    [{"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "latin-1"}],
)
def test_chinese_goes_in_and_out_in_every_locale(command, env, locale):
    done = command("task", "create", "--task-id", "drink_8", "--description", "喝水", env={**env, **locale})
    assert done.returncode == 0, done.stderr
    assert "喝水" in command("task", "list", env={**env, **locale}).stdout.decode()
    assert "没有「苹果」这个命令" in command("苹果", env={**env, **locale}).stderr.decode()


def test_whoever_stops_reading_is_no_error(env):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(
            [COMMAND, "device", "list"], stdout=nobody, stderr=subprocess.PIPE, env=env, timeout=PATIENCE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_result_that_cannot_be_written_is_told(command):
    with Path("/dev/full").open("wb") as full:
        done = command("--help", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, json.loads(done.stderr)) == (2, {"error": "结果写不出去：磁盘满了。"})


def test_ctrl_c_is_one_line_of_json_and_130(env):
    process = subprocess.Popen(
        [COMMAND, "task", "apply", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    with process:
        process.stdin.write(b"{")
        process.stdin.flush()
        # It reads when the pipe is empty again.
        while Path(f"/proc/{process.pid}/wchan").read_text(encoding="utf-8") not in ("pipe_read", "anon_pipe_read"):
            assert process.poll() is None
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        assert json.loads(process.stderr.read()) == {"error": "已中断。"}
        assert process.wait(PATIENCE) == 130


def test_a_home_that_cannot_be_opened_is_out_of_reach(command, tmp_path):
    (tmp_path / "home").write_text("no folder", encoding="utf-8")
    done = command("task", "list")
    assert (done.returncode, done.stdout) == (2, b"")
    assert list(json.loads(done.stderr)) == ["error"]


def test_a_database_that_does_not_answer_is_out_of_reach(command, env):
    url = "postgresql://nobody@127.0.0.1:1/nothing"
    done = command("task", "list", env={**env, "ZHIXING_STORE_URL": url})
    assert (done.returncode, done.stdout) == (2, b"")
    assert "PostgreSQL" in json.loads(done.stderr)["error"]


def test_a_file_that_is_no_database_is_out_of_reach(command, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "zhixing.db").write_bytes(b"no database at all" * 100)
    assert command("task", "list").returncode == 2


def test_an_instant_is_computed_without_reading_what_is_not_needed():
    probe = (
        "import sys; sys.argv = ['miloco-cli', 'time-compute', '--anchor', '{\"kind\":\"end_of_day\"}']\n"
        "from zhixing.faces.miloco.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'httpx', 'fastapi', 'zhixing.app', 'zhixing.household.operations', 'rich', 'yaml'}\n"
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == b"set()"
