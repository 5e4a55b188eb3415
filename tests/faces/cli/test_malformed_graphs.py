"""Rule graphs that are none, or that would not let go: one line or findings with codes, and soon."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ID = "1764550800001"
SOON = 5.0
"""Seconds of work in which even the worst file is answered, on a machine that does other things beside."""


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < SOON


def rule(nodes: Any) -> str:
    return json.dumps({"id": ID, "nodes": nodes, "cfg": {"id": ID, "enable": True, "userData": {}}})


def card(name: str, kind: str, to: list[str], **parts: Any) -> dict[str, Any]:
    pin = {"signalOr": "input0"}.get(kind, "input")
    bare = {"id": name, "type": kind, "cfg": {"name": kind, "version": 1}, "props": {}}
    return bare | {"inputs": {} if kind == "onLoad" else {pin: None}, "outputs": {"output": to}} | parts


def ring(count: int) -> list[dict[str, Any]]:
    """Draw a circle of gates through which a pulse never stops to pass, and what starts it."""
    gates = [card(f"n{at}", "signalOr", [f"n{(at + 1) % count}.input0"]) for at in range(count)]
    return [card("start", "onLoad", ["n0.input0"]), *gates]


def delay(timeout: str) -> str:
    return rule([card("wait", "delay", [], props={"timeout": 0})]).replace('"timeout": 0', f'"timeout": {timeout}')


REFUSED = [
    ("two MiB of arrays", '{"id": "1", "nodes": ' + "[" * 2**20 + "]" * 2**20 + "}", "嵌套太深"),
    ("two MiB of objects", '{"id":' * (2**21 // 6) + "1" + "}" * (2**21 // 6), "嵌套太深"),
    ("arrays that are not closed", '{"nodes": ' + "[" * 2**21, "嵌套太深"),
    ("ten thousand nodes", rule([{}] * 10_000), "最多 5000 个"),
    ("fifty thousand wires", rule([card("a", "onLoad", [f"n{n}.input" for n in range(50_000)])]), "最多 20000 条"),
    ("more bytes than a rule has", rule([]) + " " * (4 * 2**20), "太大"),
    ("no number", delay("NaN"), "NaN"),
    ("no end", delay("-Infinity"), "NaN"),
    ("a number without end", delay("9" * 100_000), "太大的数字"),
    ("a power without end", delay("1e99999"), "太大的数字"),
    ("half a character", rule([]).replace(ID, "\\ud800", 1), "字符"),
    ("a key twice", '{"id": "1", "id": "2", "nodes": []}', "id"),
    ("half a file", rule([{}])[:-9], "JSON"),
    ("nothing", "", "空"),
    ("a list", "[]", "规则图"),
    ("a text", '"rule"', "规则图"),
    ("another object", '{"name": "x"}', "规则图"),
    ("the encoding of an old Windows", rule([]).replace("userData", "灯").encode("gbk") + "灯".encode("gbk"), "UTF-8"),
    ("two bytes a character", rule([]).encode("utf-16"), "UTF-8"),
    ("no text at all", bytes(range(256)), "UTF-8"),
]


COMMANDS = [("simulate", "--script", "events.jsonl"), ("layout",)]
TRIED = [
    *(pytest.param(*each[1:], ("validate",), id=f"{each[0]}, validate") for each in REFUSED),
    # the others read a rule by the same way
    *(pytest.param(*REFUSED[0][1:], command, id=f"{REFUSED[0][0]}, {command[0]}") for command in COMMANDS),
]


@pytest.mark.parametrize(("given", "says", "command"), TRIED)
def test_what_is_no_rule_is_refused_in_one_line(
    terminal, tmp_path: Path, given: str | bytes, says: str, command: tuple[str, ...]
) -> None:
    (tmp_path / "rule.json").write_bytes(given if isinstance(given, bytes) else given.encode())
    (tmp_path / "events.jsonl").write_text("", encoding="utf-8")
    files = [str(tmp_path / word) if word.endswith("jsonl") else word for word in command[1:]]
    assert says in terminal.refused("graph", command[0], str(tmp_path / "rule.json"), *files, "--json")


DEEP = {"scope": "global", "id": "x", "elements": [{"type": "const", "value": "(" * 100_000 + ")" * 100_000}]}
JUDGED = [
    ("a circle of all cards that a rule may have", rule(ring(4_999)), "event_cycle"),
    ("a whole number of three hundred digits", delay("9" * 300), "invalid_timeout"),
    ("a fraction in place of a time", delay("1e-300"), "invalid_timeout"),
    ("nodes that are no objects", rule([1, "x", None, [], True]), "node_not_object"),
    ("nodes that are no list", rule({"n1": {}}), "invalid_nodes"),
    ("wires of every shape", rule([card("a", "delay", [1, None, "", ".", "a.b.c", {}])]), "invalid_format"),  # type: ignore[list-item]
    ("one id for all", rule([card("a", "delay", ["a.input"])] * 3_000), "duplicate_id"),
    ("a card wired to all", rule([card("a", "onLoad", [f"n{n}.input" for n in range(15_000)])]), "target_not_found"),
    ("a formula that is deep", rule([card("a", "varSetNumber", [], props=DEEP)]), "expression_invalid"),
]


@pytest.mark.parametrize(("given", "code"), [pytest.param(*each[1:], id=each[0]) for each in JUDGED])
def test_what_is_a_bad_rule_is_judged_by_codes(terminal, tmp_path: Path, given: str, code: str) -> None:
    file = tmp_path / "rule.json"
    file.write_text(given, encoding="utf-8")
    done = terminal("graph", "validate", str(file), "--json")
    found = json.loads(done.out)
    assert (done.code, done.err, found["valid"]) == (1, "", False)
    assert code in {each["type"] for each in found["errors"]}
    assert all("\n" not in each["message"] for each in found["errors"])


def test_a_circle_of_events_ends_in_a_storm_that_is_told(terminal, tmp_path: Path) -> None:
    (tmp_path / "rule.json").write_text(rule(ring(3)), encoding="utf-8")
    (tmp_path / "events.jsonl").write_text('{"setup": {"until_ms": 100000}}', encoding="utf-8")
    done = terminal(
        "graph", "simulate", str(tmp_path / "rule.json"), "--script", str(tmp_path / "events.jsonl"), "--json"
    )
    assert [(each["code"], each["at_ms"]) for each in done.json["diagnostics"] if each["code"] == "event_storm"] == [
        ("event_storm", 0)
    ]


def test_a_circle_of_events_is_laid_out(terminal, tmp_path: Path) -> None:
    (tmp_path / "rule.json").write_text(rule(ring(300)), encoding="utf-8")
    assert all("pos" in each["cfg"] for each in terminal("graph", "layout", str(tmp_path / "rule.json")).json["nodes"])
