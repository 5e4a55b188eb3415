"""why, what-if, coverage and replay on the command line: files in, sentences or JSON out, and no home."""

from __future__ import annotations

import json

import pytest
from tests.faces.entrance import ID, rule

OPENED = {"did": "door_entrance", "siid": 2, "piid": 1, "value": True}


@pytest.fixture
def file(tmp_path) -> str:
    (tmp_path / "rule.json").write_text(json.dumps(rule()), encoding="utf-8")
    return str(tmp_path / "rule.json")


@pytest.fixture
def named(file, script) -> dict[str, str]:
    return {"RULE": file, "SCRIPT": script}


@pytest.fixture
def script(tmp_path) -> str:
    lines = [{"setup": {"start": "2026-10-12T20:00:00+08:00"}}, {"at_ms": 1_000, "event": OPENED}]
    (tmp_path / "events.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(tmp_path / "events.jsonl")


def test_a_card_says_why_it_fired(terminal, file, script) -> None:
    told = terminal("graph", "why", file, "on", "--script", script)
    assert told.lines[0] == "「控制设备」（on）触发了 1 次，这是第 1 次的来由："
    found = terminal("graph", "why", file, "on", "--script", script, "--json").json
    assert (found["firing"], found["steps"][0]["nodeId"], found["lines"]) == (1, "open", told.lines)
    none = terminal("graph", "why", file, "on", "--script", script, "--after", "2000", "--json").json
    assert (none["firing"], none["reasons"][0]["nodeId"]) == (None, "open")
    assert not terminal.home.exists()


@pytest.mark.parametrize("event", [OPENED, {"event": OPENED}])
def test_one_more_event_makes_a_difference(terminal, file, script, event) -> None:
    shut = {"event": {**OPENED, "value": False}}
    nothing = terminal("graph", "what-if", file, "--script", script, "--at", "2000", "--event", json.dumps(shut))
    assert "什么都不会变" in nothing.lines
    asked = ("graph", "what-if", file, "--script", script, "--at", "500", "--event", json.dumps(event), "--json")
    found = terminal(*asked).json
    assert found["heard"] == ["open"]
    assert [each["atMs"] for each in found["moreCommands"]] == [500]


def test_scripts_add_up_to_a_coverage(terminal, file, script) -> None:
    one = terminal("graph", "coverage", file, "--script", script, "--json").json
    two = terminal("graph", "coverage", file, "--script", script, "--script", script, "--json").json
    assert [each["taken"] for each in two["wires"]] == [2 * each["taken"] for each in one["wires"]] == [2]
    assert terminal("graph", "coverage", file, "--script", script).lines == one["lines"]


def test_a_log_is_held_against_the_rule(terminal, file, script, tmp_path) -> None:
    trace = terminal("graph", "simulate", file, "--script", script, "--json").json["trace"]
    log = tmp_path / "hub.log"
    log.write_text("\n".join(trace), encoding="utf-8")
    assert terminal("graph", "replay", file, str(log), "--json").json["agrees"] is True
    gone = f"3|{trace[0].split('|')[1]}|l|{ID}|open.output|gone.trigger|null"
    found = terminal("graph", "replay", file, "-", "--json", stdin="\n".join([*trace, gone]).encode()).json
    assert (found["agrees"], found["counts"]["drift"]) == (False, 1)


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["why", "RULE", "nosuch", "--script", "SCRIPT"], 1, "nosuch"),
        (["why", "RULE", "on", "--script", "SCRIPT", "--pin", "nosuch"], 1, "nosuch"),
        (["why", "RULE", "on", "--script", "SCRIPT", "--firing", "9"], 1, "on"),
        (["why", "RULE", "on"], 2, "--script"),
        (["why", "-", "on", "--script", "-"], 2, "标准输入"),
        (["simulate", "-", "--script", "-"], 2, "标准输入"),
        (["what-if", "RULE", "--script", "SCRIPT", "--at", "-1", "--event", json.dumps(OPENED)], 1, "毫秒"),
        (["what-if", "RULE", "--script", "SCRIPT", "--at", "1", "--event", "open"], 1, "--event"),
        (["what-if", "RULE", "--script", "SCRIPT", "--at", "1", "--event", "{}"], 1, "event"),
        (["coverage", "RULE"], 2, "--script"),
        (["replay", "RULE", "nosuch.log"], 1, "nosuch.log"),
        (["replay", "RULE"], 2, "LOG"),
        (["replay"], 2, "--id"),
        (["replay", "RULE", "SCRIPT", "--id", "1"], 2, "--id"),
        (["replay", "RULE", "SCRIPT", "--passcode", "123456"], 2, "--passcode"),
        (["what-if", "RULE", "--script", "SCRIPT", "--at", "1", "--event", '{"setup": {}}'], 1, "剧本"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_one_line(terminal, named, argv, code, said) -> None:
    assert said in terminal.refused("graph", *(named.get(word, word) for word in argv), code=code)
