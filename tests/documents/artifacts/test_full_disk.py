"""A disk that is full while `run.json` is written (extra case of downcity.md §7.4): really, in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.machine import lacks

CHILD = Path(__file__).with_name("full_disk.py")
NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")


def may_mount(place: Path) -> bool:
    """Whether this machine lets a test have a small disk of its own."""
    if shutil.which(NAMESPACE[0]) is None:
        return False
    trial = [*NAMESPACE, "mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)]
    return subprocess.run(trial, capture_output=True, timeout=60, check=False).returncode == 0


def run_on(way: str, place: Path) -> dict[str, Any]:
    prefix = () if way == "size_limit" else NAMESPACE
    command = [*prefix, sys.executable, str(CHILD), way, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def disk(place: Path) -> Path:
    if not may_mount(place):
        lacks("mounts in a user namespace")
    return place


def test_a_disk_that_fills_up_at_run_json_makes_room_for_the_failure_by_giving_up_the_summary(disk: Path) -> None:
    found = run_on("room_for_one", disk)
    assert found["said"] == "写不了 run.json：磁盘满了。"
    assert (found["status"], found["error"]) == ("failure", "写不了 run.json：磁盘满了。")
    assert "SUCCESS" not in found["result"]
    assert (found["output"], found["problems"], found["pending"]) == ("ok\n", [], [])


def test_a_disk_that_stays_full_leaves_the_earlier_run_json_readable(disk: Path) -> None:
    found = run_on("no_room", disk)
    assert found["said"] == "写不了 run.json：磁盘满了。"
    assert found["status"] == "running"
    assert found["result"] == ""
    assert (found["output"], found["problems"], found["pending"]) == ("ok\n", [], [])


def test_a_limit_on_the_size_of_files_is_a_reason_as_well(place: Path) -> None:
    found = run_on("size_limit", place)
    assert found["said"] == "写不了 run.json：超过了允许的文件大小。"
    assert found["status"] == "running"
    assert "**FAILURE**" in found["result"]
    assert (found["output"], found["problems"], found["pending"]) == ("ok\n", [], [])
