"""A home as a folder: devices, specifications, variables; what is missing is not known, what is broken has a name."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from zhixing.graphs.specs import folder, home
from zhixing.graphs.specs.folder import read_home
from zhixing.graphs.specs.home import NOTHING_KNOWN, home_of
from zhixing.graphs.specs.model import Dtype
from zhixing.kernel.errors import BadInput, NotFound, TooLarge

LIGHT = files("zhixing.graphs.specs").joinpath("samples", "light.json").read_bytes()
URN = json.loads(LIGHT)["type"]
DEVICES = {
    "1001": {"urn": URN, "name": "主灯", "room": "客厅", "online": False, "pushAvailable": True, "specV2Access": True},
    "blt.3.x": {"urn": None, "name": "旧设备", "room": "车库", "pushAvailable": False, "specV2Access": False},
    "1002": {},
}
VARIABLES = {
    "global": {"temp": {"type": "number", "value": 26.5, "userData": {"name": "室温"}}},
    "R1764000000001": {"$error": "timeout"},
    "R1764000000002": [{"id": "s", "type": "string", "value": "", "userData": {}}],
}


def written(found: Any) -> bytes:
    return json.dumps(found).encode()


def test_a_whole_home(tmp_path: Path) -> None:
    (tmp_path / "devices.json").write_bytes(written(DEVICES))
    (tmp_path / "variables.json").write_bytes(written(VARIABLES))
    (tmp_path / "light.json").write_bytes(LIGHT)
    (tmp_path / "notes.txt").write_bytes(b"\xff")
    (tmp_path / "rule.json").write_bytes(b'{"id": "1", "nodes": []}')
    (tmp_path / "inside.json").mkdir()
    found = read_home(tmp_path)
    assert list(found.specs) == [URN]
    assert (found.changed, found.unread) == (frozenset(), ())
    assert found.spec_of("1001") is found.specs[URN]
    assert found.device("9") is None
    assert found.spec_of("blt.3.x") is None


def test_a_device_of_the_list() -> None:
    found = home_of([("devices.json", written(DEVICES))])
    lamp, old, bare = (found.device(each) for each in DEVICES)
    assert lamp is not None
    assert old is not None
    assert bare is not None
    assert (lamp.urn, lamp.name, lamp.room, lamp.online, lamp.pushes, lamp.usable) == (
        URN, "主灯", "客厅", False, True, True,
    )  # fmt: skip
    assert (old.urn, old.online, old.pushes, old.usable) == (None, True, False, False)
    assert (bare.urn, bare.name, bare.online, bare.pushes, bare.usable) == (None, "", True, True, True)


def test_variables_by_scope() -> None:
    found = home_of([("variables.json", written(VARIABLES))])
    temp, text = found.variable("global", "temp"), found.variable("R1764000000002", "s")
    assert temp is not None
    assert text is not None
    assert (temp.type, temp.value, temp.name) == (Dtype.NUMBER, 26.5, "室温")
    assert (text.type, text.value, text.name) == (Dtype.STRING, "", "")
    assert found.scopes is not None
    assert found.scopes["R1764000000001"].fault == "timeout"
    assert found.scopes["global"].fault is None
    assert (found.variable("global", "x"), found.variable("R9", "x")) == (None, None)


def test_a_missing_file_means_that_nothing_is_known(tmp_path: Path) -> None:
    assert read_home(tmp_path) == NOTHING_KNOWN
    assert home_of([("devices.json", b"{}")]).devices == {}
    assert home_of([("devices.json", b"{}")]).scopes is None
    assert home_of([("variables.json", b"{}")]).scopes == {}


def test_two_readings_of_one_urn_that_differ_are_known_and_the_later_file_counts() -> None:
    other = json.loads(LIGHT)
    other["services"][1]["properties"][3]["value-list"][0]["value"] = 1
    found = home_of([("light_2026.json", written(other)), ("light_2025.json", LIGHT)])
    assert found.changed == {URN}
    assert found.specs[URN].fingerprint == home_of([("a.json", written(other))]).specs[URN].fingerprint


def test_one_reading_in_two_files_is_no_change() -> None:
    again = json.dumps(json.loads(LIGHT), sort_keys=True).encode()
    assert home_of([("a.json", LIGHT), ("b.json", again)]).changed == frozenset()


@pytest.mark.parametrize(
    ("raw", "urn", "line"),
    [
        (b"{", None, "不是合法的 JSON"),
        (written({"type": URN, "services": 3}), URN, "services 要是一个列表"),
        (written({"type": 3, "services": []}), None, "type 要是文字"),
    ],
)
def test_a_broken_specification_leaves_the_others_whole(raw: bytes, urn: str | None, line: str) -> None:
    found = home_of([("broken.json", raw), ("devices.json", written(DEVICES)), ("x.json", LIGHT)])
    [unread] = found.unread
    assert (unread.file, unread.urn) == ("broken.json", urn)
    assert line in str(unread.error)
    assert found.fault_of(URN) is (unread.error if urn else None)
    assert found.spec_of("1001") is not None


@pytest.mark.parametrize(
    ("name", "found", "line"),
    [
        ("devices.json", [], "devices.json 要是一个对象"),
        ("devices.json", {"1": 3}, "devices.json 1 要是一个对象"),
        ("devices.json", {"1": {"online": 1}}, r"devices.json 1\.online 要是 true 或 false"),
        ("devices.json", {"1": {"urn": 7}}, r"devices.json 1\.urn 要是文字"),
        ("variables.json", {"global": 3}, "variables.json global 要是一个对象"),
        ("variables.json", {"global": {"a": 3}}, r"variables.json global\.a 要是一个对象"),
        ("variables.json", {"global": {"a": {}}}, r"global\.a\.type 只能是 number 或 string"),
        ("variables.json", {"global": {"a": {"type": ["number"]}}}, r"global\.a\.type 只能是 number 或 string"),
        ("variables.json", {"global": {"a": {"type": "number", "value": True}}}, r"global\.a\.value 要是数字"),
        ("variables.json", {"global": {"a": {"type": "number", "value": float("nan")}}}, r"a\.value 要是数字"),
        ("variables.json", {"global": {"$error": 3}}, r"\$error 要是文字"),
        ("variables.json", {"global": [{"type": "number"}]}, r"global\.id 要是文字"),
    ],
)  # fmt: skip
def test_devices_and_variables_that_cannot_be_read_are_refused(name: str, found: object, line: str) -> None:
    with pytest.raises(BadInput, match=line):
        home_of([(name, written(found))])


def test_what_is_no_json_names_its_file() -> None:
    with pytest.raises(BadInput, match=r"^devices\.json 不能用：第 1 行第 2 个字符"):
        home_of([("devices.json", b"{")])


def test_counts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "MOST_DEVICES", 2)
    with pytest.raises(TooLarge, match="最多 2 项"):
        home_of([("devices.json", written(DEVICES))])
    monkeypatch.setattr(home, "MOST_SCOPES", 2)
    with pytest.raises(TooLarge, match="最多 2 项"):
        home_of([("variables.json", written(VARIABLES))])


def test_a_folder_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.json").write_bytes(LIGHT)
    monkeypatch.setattr(folder, "MOST_BYTES", len(LIGHT))
    with pytest.raises(TooLarge, match="加起来太大"):
        read_home(tmp_path)
    monkeypatch.setattr(folder, "MOST_FILES", 2)
    with pytest.raises(TooLarge, match="最多 2 个"):
        read_home(tmp_path)


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "large.json").open("wb") as opened:
        opened.truncate(2**30)
    [unread] = read_home(tmp_path).unread
    assert isinstance(unread.error, TooLarge)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert read_home(tmp_path) == NOTHING_KNOWN


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="找不到文件夹"):
        read_home(tmp_path / "none")
