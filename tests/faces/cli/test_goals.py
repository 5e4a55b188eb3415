"""goal replay: event scripts through the decider of goals; no home is needed for it."""

from __future__ import annotations

import json


def script(name: str, *events: dict[str, object]) -> bytes:
    return json.dumps({"id": name, "task_id": "g", "config": {}, "events": list(events)}).encode()


def test_each_script_is_answered_in_its_place(terminal, tmp_path):
    plan = {"ev": "plan_result", "target": "g", "children": ["a"], "has_gap": True, "then": {}}
    file = tmp_path / "scripts.jsonl"
    odd = [b"", b'{"id":', b"[]", script("odd", {"ev": "dance"})]
    file.write_bytes(b"\n".join([script("one", {"ev": "execute"}, plan), *odd, script("two", {"ev": "dashboard"})]))
    done = terminal("goal", "replay", "--batch", str(file))
    assert done.code == 0
    one, broken, no_object, dance, two = [json.loads(each) for each in done.lines]
    assert (one["id"], one["replies"], list(one["after"])) == ("one", [200, 200], ["1"])
    assert one["observed"]["nodes"] == {"g": "PLANNING", "a": "PENDING"}
    assert one["observed"]["outstanding"] == ["search:a"]
    assert "error" in broken
    assert "error" in no_object
    assert (dance["id"], dance["error"]) == ("odd", "没有这种事件：dance。")
    assert two["replies"] == [404]
    assert not terminal.home.exists()


def test_scripts_may_come_from_standard_input(terminal):
    done = terminal("goal", "replay", "--batch", "-", stdin=script("s", {"ev": "execute"}))
    assert json.loads(done.lines[0])["observed"]["graph"] == "RUNNING"


def test_without_a_file_the_way_to_write_it_is_said(terminal):
    assert terminal("goal", "replay").code == 2
