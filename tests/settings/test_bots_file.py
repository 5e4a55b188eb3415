from __future__ import annotations

import os
from pathlib import Path

import pytest

from zhixing.settings.bots_file import BotsFile
from zhixing.settings.described import LARGEST

ONE = '[[bots]]\nid = "a"\nname = "甲"\nkind = "model"\n'
TWO = ONE + '[[bots]]\nid = "b"\nname = "乙"\nkind = "model"\n'


def ids(file: BotsFile) -> list[str]:
    return [each.id for each in file.catalog()]


def write(path, text: str, at: int) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(at, at))


def test_without_a_file_there_are_no_bots_and_nothing_is_wrong(tmp_path) -> None:
    file = BotsFile("", tmp_path, "Asia/Shanghai")
    assert (ids(file), file.fault()) == ([], None)


def test_a_change_is_seen_without_a_restart(tmp_path) -> None:
    file = BotsFile("", tmp_path, "Asia/Shanghai")
    write(tmp_path / "bots.toml", ONE, 1)
    assert ids(file) == ["a"]
    write(tmp_path / "bots.toml", TWO, 2)
    assert ids(file) == ["a", "b"]
    (tmp_path / "bots.toml").unlink()
    assert ids(file) == []


def test_a_slip_in_the_file_is_told_and_leaves_the_bots_there_were(tmp_path) -> None:
    file = BotsFile("", tmp_path, "Asia/Shanghai")
    write(tmp_path / "bots.toml", TWO, 1)
    assert ids(file) == ["a", "b"]
    write(tmp_path / "bots.toml", ONE + "[[bots]\n", 2)
    assert ids(file) == ["a", "b"]
    assert file.fault() is not None
    write(tmp_path / "bots.toml", ONE, 3)
    assert (ids(file), file.fault()) == (["a"], None)


@pytest.mark.parametrize("name", ["nobody.toml", "no/such/folder.yaml", "nul\0.toml"])
def test_a_named_file_that_is_not_there_is_told(tmp_path, name: str) -> None:
    file = BotsFile(str(tmp_path / name), tmp_path, "Asia/Shanghai")
    fault = file.fault()
    assert ids(file) == []
    assert fault is not None
    assert "\n" not in str(fault)


def test_a_file_that_is_too_large_or_no_text_is_told(tmp_path) -> None:
    (tmp_path / "bots.toml").write_bytes(b"#" * (LARGEST + 1))
    large = BotsFile("", tmp_path, "Asia/Shanghai").fault()
    (tmp_path / "bots.toml").write_bytes(b"\xff\xfe")
    garbled = BotsFile("", tmp_path, "Asia/Shanghai").fault()
    assert (large.key, garbled.key) == ("bots_file_large", "input_not_utf8")


def test_yaml_is_read_by_its_ending(tmp_path) -> None:
    (tmp_path / "b.yaml").write_text("bots:\n  - id: a\n    name: 甲\n    kind: model\n", encoding="utf-8")
    assert ids(BotsFile(str(tmp_path / "b.yaml"), tmp_path, "Asia/Shanghai")) == ["a"]


def test_a_file_that_may_not_be_read_yet_is_read_when_it_may(tmp_path, monkeypatch) -> None:
    """Permission that is given changes nothing by which a new file is known."""
    write(tmp_path / "bots.toml", ONE, 1)
    file = BotsFile("", tmp_path, "Asia/Shanghai")
    with monkeypatch.context() as forbidding:

        def forbidden(*_args) -> None:
            raise PermissionError(13, "Permission denied")

        forbidding.setattr(Path, "open", forbidden)
        assert (ids(file), file.fault().key) == ([], "bots_file_unreadable")
    assert (ids(file), file.fault()) == (["a"], None)
