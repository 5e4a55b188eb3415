"""`zhixing graph` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

MOTION = {
    "id": "motion",
    "type": "deviceInput",
    "inputs": {},
    "outputs": {"output": ["on.trigger"]},
    "props": {"did": "m1", "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True},
    "cfg": {"name": "deviceInput", "version": 1, "urn": "urn:x"},
}
LIGHT = {
    "id": "on",
    "type": "deviceOutput",
    "inputs": {"trigger": None},
    "outputs": {"output": []},
    "props": {"did": "l1", "siid": 2, "piid": 1, "value": True},
    "cfg": {"name": "deviceOutput", "version": 1, "urn": "urn:x"},
}
EVENTS = (
    '{"setup": {"start": "2026-10-12T20:00:00+08:00", "until_ms": 5000}}\n'
    '{"at_ms": 1000, "event": {"did": "m1", "siid": 2, "piid": 1, "value": true}}\n'
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "good.json", MOTION, LIGHT)
    write(tmp_path / "bad.json", {**MOTION, "outputs": {"output": ["gone.trigger"]}}, LIGHT)
    (tmp_path / "events.jsonl").write_text(EVENTS, encoding="utf-8")
    return tmp_path


def write(file: Path, *nodes: dict[str, Any]) -> None:
    rule = {"id": "1700000000001", "cfg": {"id": "1700000000001", "enable": True, "userData": {"name": "灯"}}}
    file.write_text(json.dumps({**rule, "nodes": nodes}), encoding="utf-8")


@pytest.mark.usefixtures("here")
def test_a_graph_that_may_be_saved_and_one_that_may_not(terminal):
    good, bad = terminal("graph", "validate", "good.json"), terminal("graph", "validate", "bad.json")
    assert (good.code, good.lines) == (0, ["「灯」可以保存：0 个错误，0 个提醒"])
    assert bad.code == 1
    assert bad.lines[0].startswith("「灯」有错，不能保存：")
    assert any("target_not_found" in line for line in bad.lines)


@pytest.mark.usefixtures("here")
def test_findings_as_json_name_their_node_and_code(terminal):
    found = json.loads(terminal("graph", "validate", "bad.json", "--json").out)
    assert found["valid"] is False
    assert found["errorCount"] == len(found["errors"]) > 0
    assert ("motion", "target_not_found") in [(each["nodeId"], each["type"]) for each in found["errors"]]


def test_with_a_home_the_devices_are_asked(terminal, here):
    (here / "home").mkdir()
    (here / "home" / "devices.json").write_text("{}", encoding="utf-8")
    found = json.loads(terminal("graph", "validate", "good.json", "--specs", "home", "--json").out)
    assert "unknown_device" in [each["type"] for each in found["errors"]]


@pytest.mark.usefixtures("here")
def test_a_simulation_says_what_devices_are_told_and_when(terminal):
    done = terminal("graph", "simulate", "good.json", "--script", "events.jsonl")
    assert done.lines == ["1.000 秒  on 让 l1 的 2.1 变成 true"]
    result = terminal("graph", "simulate", "good.json", "--script", "events.jsonl", "--json").json
    assert result["outputs"] == [{"at_ms": 1000, "nodeId": "on", "did": "l1", "siid": 2, "piid": 1, "value": True}]
    assert result["fired"] == {"motion": 1, "on": 1}


def test_a_batch_answers_every_line_in_order_and_goes_on(terminal, here):
    entries = [
        {"id": "a", "file": "good.json", "profile": "strict", "specs": False},
        {"id": "b", "file": "none.json"},
        {"id": "c"},
        {"id": "d", "file": "bad.json", "profile": "lax"},
        {"id": "e", "file": "bad.json"},
    ]
    lines = [*map(json.dumps, entries), "7", "{", "[" * 100_000]
    (here / "cases.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = terminal("graph", "validate", "--batch", "cases.jsonl")
    answers = [json.loads(line) for line in done.lines]
    assert done.code == 0
    assert [each["id"] for each in answers] == ["a", "b", "c", "d", "e", None, None, None]
    assert [each.get("valid") for each in answers] == [True, None, None, None, False, None, None, None]
    assert [each["error"] for each in answers if "error" in each] == [
        "读不了 none.json：No such file or directory。",
        "这一行缺「file」，要写文件名。",
        "没有「lax」这种严格程度，可写 editor 或 strict。",
        *["这一行不是一个 JSON 对象。"] * 3,
    ]


def test_a_batch_of_simulations_takes_the_scripts_beside_it(terminal, here):
    entry = {"id": "a", "file": "good.json", "events": "events.jsonl"}
    (here / "cases.jsonl").write_text(json.dumps(entry), encoding="utf-8")
    (answer,) = [json.loads(line) for line in terminal("graph", "simulate", "--batch", "cases.jsonl").lines]
    assert (answer["id"], len(answer["outputs"])) == ("a", 1)


@pytest.mark.usefixtures("here")
def test_a_layout_gives_every_card_a_place(terminal):
    (line,) = terminal("graph", "layout", "good.json").lines
    first, second = json.loads(line)["nodes"]
    assert first["cfg"]["pos"]["x"] + first["cfg"]["pos"]["width"] <= second["cfg"]["pos"]["x"]
    down = json.loads(terminal("graph", "layout", "good.json", "--direction", "DOWN").out)["nodes"]
    assert down[0]["cfg"]["pos"]["y"] < down[1]["cfg"]["pos"]["y"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("validate",), 2, "--batch"),
        (("validate", "good.json", "--batch", "good.json"), 2, "--batch"),
        (("validate", "nowhere.json"), 1, "nowhere.json"),
        (("validate", "events.jsonl"), 1, "规则图"),
        (("validate", "good.json", "--specs", "nowhere"), 1, "nowhere"),
        (("simulate", "good.json"), 2, "--script"),
        (("simulate", "good.json", "--script", "good.json"), 1, "剧本"),
        (("layout", "good.json", "--fold", "0"), 1, ""),
    ],
)
@pytest.mark.usefixtures("here")
def test_bad_input_is_one_line(terminal, words, code, says):
    assert says in terminal.refused("graph", *words, code=code)
