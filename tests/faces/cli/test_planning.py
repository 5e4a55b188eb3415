"""plan --batch: what would be built from what is said at home; no home is needed for it."""

from __future__ import annotations

import json

CONTEXT = {
    "persons": [{"name": "王强", "role": "爸爸"}],
    "cameras": [{"did": "cam_lr", "name": "客厅摄像头", "room_name": "客厅", "in_use": True}],
    "devices": [{"did": "ac_lr", "name": "客厅空调", "room": "客厅", "kind": "ac"}],
    "now": "2026-06-12T15:20:00+08:00",
    "tz": "Asia/Shanghai",
}


def line(name: str, text: str) -> bytes:
    return json.dumps({"id": name, "text": text, "context": CONTEXT}, ensure_ascii=False).encode()


def test_each_line_is_answered_in_its_place(terminal, tmp_path):
    file = tmp_path / "said.jsonl"
    file.write_bytes(b"\n".join([line("a", "客厅没人就关空调"), b'{"id":', line("b", "风起云涌")]))
    done = terminal("plan", "--batch", str(file))
    assert done.code == 0
    built, broken, unknown = [json.loads(each) for each in done.lines]
    assert (built["id"], built["outcome"], built["tasks"][0]["source"]) == ("a", "planned", ["cam_lr"])
    assert (broken["id"], broken["outcome"]) == (None, "rejected")
    assert (unknown["id"], unknown["outcome"], unknown["tasks"]) == ("b", "needs_model", [])
    assert not terminal.home.exists()


def test_lines_may_come_from_standard_input(terminal):
    done = terminal("plan", "--batch", "-", "--json", stdin=line("a", "有人敲门就告诉我"))
    assert json.loads(done.lines[0])["questions"] == ["channel"]


def test_a_file_that_is_not_there_is_said(terminal):
    assert terminal("plan", "--batch", "/nowhere/said.jsonl").code == 1


def test_without_a_file_the_way_to_write_it_is_said(terminal):
    assert terminal("plan").code == 2
