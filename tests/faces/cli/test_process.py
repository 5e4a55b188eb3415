"""The real command in a process of its own: streams, signals, locales, and disks that do not take anything."""

from __future__ import annotations

import ctypes
import os
import pty
import resource
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from zhixing.faces.cli.layout import columns

COMMAND = Path(sys.executable).parent / "zhixing"
PATIENCE = 60
SAID = "明晚九点提醒我交表"
LINE = '{"id":1,"text":"明晚九点提醒我交表","submittedAt":"2026-10-12T10:00:00+08:00","tz":"Asia/Shanghai"}\n'.encode()

_DROP_FROM_BOUNDING_SET = 24
_OVERRIDE_PERMISSIONS = 1


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


def only_line(done: subprocess.CompletedProcess[bytes], code: int) -> str:
    assert (done.returncode, done.stdout) == (code, b""), done
    text = done.stderr.decode()
    assert text.count("\n") == 1, text
    return text[:-1]


def test_say_then_list_in_processes_of_their_own(command):
    assert SAID in command("say", SAID).stdout.decode()
    assert "交表" in command("list").stdout.decode()


@pytest.mark.parametrize(
    "locale",
    [
        {"LANG": "C", "LC_ALL": "C"},
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {},
    ],
    ids=["C", "ascii", "latin-1", "usual"],
)
def test_chinese_goes_in_and_out_in_every_locale(command, env, locale):
    done = command("say", SAID, env={**env, **locale})
    assert done.returncode == 0, done.stderr
    assert "依据“明晚九点提醒我交表”" in done.stdout.decode()
    done = command("say", "-", env={**env, **locale}, input=SAID.encode())
    assert "依据“明晚九点提醒我交表”" in done.stdout.decode()
    assert "没有「苹果」这个命令" in command("苹果", env={**env, **locale}).stderr.decode()


def test_bytes_that_are_no_text_are_told_in_one_line(command):
    assert "无法保存的字符" in only_line(command("say", b"\xff\xfe".decode("utf-8", "surrogateescape")), 1)
    assert "没有「" in only_line(command(b"\xff\xfe".decode("utf-8", "surrogateescape")), 2)


def test_whoever_stops_reading_is_no_error(env):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(
            [COMMAND, "--help"], stdout=nobody, stderr=subprocess.PIPE, env=env, timeout=PATIENCE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_result_that_cannot_be_written_is_told(command):
    with Path("/dev/full").open("wb") as full:
        done = command("--help", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.decode()) == (2, "结果写不出去：磁盘满了。\n")


@pytest.mark.parametrize(
    ("closed", "code"), [("<&-", 1), (">&-", 1), ("2>&-", 1), ("<&- >&- 2>&-", 1)], ids=["in", "out", "err", "all"]
)
def test_closed_streams_change_nothing_else(env, closed, code):
    line = f"exec {shlex.quote(str(COMMAND))} say - {closed}"
    done = subprocess.run(
        ["bash", "-c", line], env=env, capture_output=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


def test_ctrl_c_is_one_line_and_130(env):
    process = subprocess.Popen(
        [COMMAND, "understand", "--batch", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    )
    with process:
        process.stdin.write(LINE)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b'{"id":1')  # it answers each line as it comes
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().decode() == "已中断。\n"
        assert process.wait(PATIENCE) == 130


def test_a_terminal_decides_how_wide_lines_are(env):
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, "say", SAID], stdin=follower, stdout=follower, stderr=follower, env={**env, "COLUMNS": "30"}
    )
    os.close(follower)
    shown = b""
    with process, os.fdopen(leader, "rb", buffering=0) as screen:
        try:
            while chunk := screen.read(4096):
                shown += chunk
        except OSError:  # how a terminal says that nobody writes to it any more
            pass
    lines = shown.decode().splitlines()
    assert lines[0] == "t1  交表"
    assert len(lines) > 5
    assert max(map(columns, lines)) <= 30


def test_a_database_that_somebody_writes_to_is_waited_for_and_then_told(command, env):
    command("say", SAID)
    with closing(sqlite3.connect(Path(env["ZHIXING_HOME"]) / "zhixing.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "数据库正被占用" in only_line(command("say", "后天交表"), 2)
        assert "交表" in command("list").stdout.decode()  # reading goes on
        other.execute("ROLLBACK")
    assert command("say", "后天交表").returncode == 0
    assert len(command("list").stdout.splitlines()) == 2


def test_a_full_disk_is_told_and_what_was_kept_stays(command):
    command("say", SAID)
    # Less than the words need, however large an empty database is.
    room = 100_000

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    long = "买" + "菜" * 19_000
    lines = {only_line(command("say", long, preexec_fn=full), 2) for _ in range(2)}
    assert all("这次没有保存" in line for line in lines), lines
    assert len(command("list").stdout.splitlines()) == 1
    assert command("say", long).returncode == 0
    assert len(command("list").stdout.splitlines()) == 2


def test_a_home_that_may_not_be_written_is_told(command, env):
    command("say", SAID)
    home = Path(env["ZHIXING_HOME"])
    for file in home.iterdir():
        file.chmod(0o400)
    home.chmod(0o500)

    def without_override() -> None:
        # Root writes anyway, unless this power is taken away before the program starts.
        ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, _OVERRIDE_PERMISSIONS, 0, 0, 0)

    line = only_line(command("say", SAID, preexec_fn=without_override), 2)
    assert "只读" in line or "权限" in line
    assert "没有权限" in only_line(command("config", "set", "zone", "Asia/Tokyo", preexec_fn=without_override), 2)
    line = only_line(command("serve", preexec_fn=without_override), 2)
    assert "没有权限" in line
    home.chmod(0o700)
    for file in home.iterdir():
        file.chmod(0o600)
    assert len(command("list").stdout.splitlines()) == 1


def test_a_thousand_lines_are_understood_without_reading_what_is_not_needed(command, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(LINE * 1000)
    done = command("understand", "--batch", str(tmp_path / "in.jsonl"))
    assert done.stdout.count(b"\n") == 1000
    probe = (
        "import sys; sys.argv = ['zhixing', 'understand', '--batch', sys.argv[1]]\n"
        "from zhixing.faces.cli.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'pydantic', 'httpx', 'fastapi', 'sqlite3', 'zhixing.app', 'zhixing.settings', 'rich'}\n"
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe, tmp_path / "in.jsonl"], capture_output=True, check=True, timeout=PATIENCE
    )
    assert done.stdout.splitlines()[-1] == b"set()"


def test_the_next_instants_need_no_settings_when_the_zone_is_given():
    probe = (
        "import sys; sys.argv = ['zhixing', 'next', '@daily', '--tz', 'Asia/Shanghai']\n"
        "from zhixing.faces.cli.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'pydantic', 'httpx', 'fastapi', 'sqlite3', 'zhixing.app', 'zhixing.settings', 'rich'}\n"
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == b"set()"
