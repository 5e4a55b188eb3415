"""Whole or not there (T41: a crash between write and rename, two writers)."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zhixing.documents.artifacts.atomic import regain, remove_file, replace_file, swap_file, sweep
from zhixing.kernel.errors import Unavailable

Write = Callable[[Path, bytes], None]
both = pytest.mark.parametrize("write", [replace_file, swap_file])


@both
def test_a_file_is_made_and_replaced_for_its_owner_alone(tmp_path: Path, write: Write) -> None:
    file = tmp_path / "run.json"
    write(file, b"one")
    file.chmod(0o644)
    write(file, b"two\0\xff\r\n")
    assert file.read_bytes() == b"two\0\xff\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("call", "number", "words"),
    [
        ("fsync", errno.ENOSPC, "磁盘满了"),
        ("fsync", errno.EDQUOT, "磁盘满了"),
        ("fsync", errno.EIO, "磁盘出错"),
        ("rename", errno.EROFS, "磁盘只读"),
        ("rename", errno.EACCES, "没有权限"),
        ("rename", errno.EXDEV, "cross-device"),
    ],
)
def test_what_was_there_survives_a_failure_at_any_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, words: str
) -> None:
    file = tmp_path / "task.md"
    file.write_bytes(b"before")

    def fails(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, fails)
    with pytest.raises(Unavailable, match=f"(?i)写不了 task.md：.*{words}"):
        replace_file(file, b"after")
    monkeypatch.undo()
    assert file.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_program_that_is_stopped_between_write_and_rename_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "task.md"
    file.write_bytes(b"before")

    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        replace_file(file, b"after")
    monkeypatch.undo()
    assert file.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [file]


@both
def test_a_folder_that_is_gone_is_told_and_not_made_again(tmp_path: Path, write: Write) -> None:
    with pytest.raises(Unavailable, match="文件夹不在了"):
        write(tmp_path / "gone" / "run.json", b"")
    assert list(tmp_path.iterdir()) == []


@both
def test_a_link_in_the_place_of_the_file_is_replaced_and_not_followed(tmp_path: Path, write: Write) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"untouched")
    file = tmp_path / "output.md"
    file.symlink_to(secret)
    write(file, b"result")
    assert not file.is_symlink()
    assert file.read_bytes() == b"result"
    assert secret.read_bytes() == b"untouched"


@both
def test_a_folder_that_is_a_link_is_not_written_through(tmp_path: Path, write: Write) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "run").symlink_to(elsewhere)
    with pytest.raises(Unavailable, match=r"写不了 run\.json"):
        write(tmp_path / "run" / "run.json", b"")
    assert list(elsewhere.iterdir()) == []


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "task.md").mkdir()
    with pytest.raises(Unavailable, match="同名的位置上是一个文件夹"):
        replace_file(tmp_path / "task.md", b"")
    assert [each.name for each in tmp_path.iterdir()] == ["task.md"]


@both
def test_of_two_writers_one_wins_whole(tmp_path: Path, write: Write) -> None:
    file = tmp_path / "task.md"
    texts = [bytes([letter]) * 70_000 for letter in b"abcd"]
    ready = threading.Barrier(len(texts))

    def writing(text: bytes) -> None:
        ready.wait(60)
        for _ in range(20):
            write(file, text)
            assert file.read_bytes() in texts

    failures: list[BaseException] = []

    def guarded(text: bytes) -> None:
        try:
            writing(text)
        except BaseException as error:  # noqa: BLE001 - told by the thread that waits
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert file.read_bytes() in texts
    assert list(tmp_path.iterdir()) == [file]


def test_removing_what_is_not_there_is_done(tmp_path: Path) -> None:
    remove_file(tmp_path / "error.md")
    with pytest.raises(Unavailable):
        remove_file(tmp_path / "gone" / "error.md")


def test_removing_a_link_leaves_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("kept")
    (tmp_path / "error.md").symlink_to(tmp_path / "target")
    remove_file(tmp_path / "error.md")
    assert [each.name for each in tmp_path.iterdir()] == ["target"]


def test_what_dead_writers_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    kept = {".zhixing-notes", "run.json", ".zhixing-0123456789abcdef.new.md", ".hidden"}
    for name in {*kept, ".zhixing-0123456789abcdef.new"}:
        (tmp_path / name).write_text("")
    sweep(tmp_path)
    assert {each.name for each in tmp_path.iterdir()} == kept
    sweep(tmp_path / "gone")


def test_folders_move_out_of_the_way_of_files_with_all_they_hold(tmp_path: Path) -> None:
    (tmp_path / "output.md").mkdir()
    (tmp_path / "output.md" / "data.csv").write_text("1,2")
    (tmp_path / "result.md").write_text("a file stays")
    regain(tmp_path, ("output.md", "result.md", "run.json"))
    moved = [each for each in tmp_path.iterdir() if each.is_dir()]
    assert [each.name.rpartition(".")[0] for each in moved] == ["output.md"]
    assert (moved[0] / "data.csv").read_text() == "1,2"
    assert (tmp_path / "result.md").read_text() == "a file stays"


def test_a_folder_its_script_closed_is_opened_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    folder.chmod(0o500)
    regain(folder, ())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_link_instead_of_the_folder_is_not_opened(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o750)
    (tmp_path / "run").symlink_to(elsewhere)
    with pytest.raises(Unavailable, match="不是文件夹"):
        regain(tmp_path / "run", ())
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o750
