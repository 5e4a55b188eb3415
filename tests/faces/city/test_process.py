"""The real command in a process of its own: locales, pipes, and a home that cannot be opened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).parent / "city"
PATIENCE = 60


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HOME": str(tmp_path), "ZHIXING_HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai"}


@pytest.fixture
def command(env: dict[str, str], tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    def call(*argv: str, **how) -> subprocess.CompletedProcess[bytes]:
        how = {"capture_output": True, "stdin": subprocess.DEVNULL, "env": env, "cwd": tmp_path, **how}
        return subprocess.run([COMMAND, *argv], timeout=PATIENCE, check=False, **how)

    return call


def test_a_task_made_in_one_process_is_there_in_the_next(command):
    made = command("task", "create", "--title", "晨报", "--description", "d", "--session-id", "s")
    assert json.loads(made.stdout)["data"]["reusedExisting"] is False, made
    assert [each["title"] for each in json.loads(command("task", "list").stdout)["data"]["tasks"]] == ["晨报"]


def test_chinese_goes_in_and_out_where_the_locale_knows_none(command, env):
    bare = {**env, "LANG": "C", "LC_ALL": "C"}
    command("task", "create", "--title", "晨报", "--description", "d", "--session-id", "s", env=bare)
    assert "晨报" in command("task", "list", env=bare).stdout.decode()


def test_bytes_that_are_no_text_are_refused_and_no_traceback(command):
    done = command("task", "run", os.fsdecode(b"\xff\xfe"))
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout)["success"] is False


def test_whoever_stops_reading_is_no_error(env, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(
            [COMMAND, "task", "list"],
            stdout=nobody,
            stderr=subprocess.PIPE,
            env=env,
            cwd=tmp_path,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_result_that_cannot_be_written_is_told(command):
    with Path("/dev/full").open("wb") as full:
        done = command("task", "list", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.decode()) == (2, "结果写不出去：磁盘满了。\n")


def test_a_database_that_does_not_answer_is_out_of_reach(command, env):
    done = command("task", "list", env={**env, "ZHIXING_STORE_URL": "postgresql://nobody@127.0.0.1:1/nothing"})
    assert done.returncode == 2
    assert "PostgreSQL" in json.loads(done.stdout)["error"]
