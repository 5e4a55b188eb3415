"""recognise --batch: what conversations about a goal are answered with; no home is needed for it."""

from __future__ import annotations

import json


def line(name: str, text: str) -> bytes:
    said = {"id": name, "messages": [{"role": "user", "text": text}]}
    return json.dumps(said, ensure_ascii=False).encode()


def test_each_line_is_answered_in_its_place(terminal, tmp_path):
    file = tmp_path / "said.jsonl"
    file.write_bytes(b"\n".join([line("a", "/task 修复登录页按钮错位"), b'{"id":', line("b", "你好")]))
    done = terminal("recognise", "--batch", str(file))
    assert done.code == 0
    card, broken, silent = [json.loads(each) for each in done.lines]
    assert (card["id"], card["outcome"], card["cards"][0]["goal"]) == ("a", "card", "修复登录页按钮错位")
    assert (broken["id"], broken["outcome"]) == (None, "rejected")
    assert (silent["id"], silent["outcome"], silent["silent"]) == ("b", "silent", True)
    assert not terminal.home.exists()


def test_lines_may_come_from_standard_input(terminal):
    done = terminal("recognise", "--batch", "-", "--json", stdin=line("a", "/task"))
    assert json.loads(done.lines[0])["cards"][0]["questions"] == ["你想做什么任务？能说说具体目标吗？"]


def test_without_a_file_the_way_to_write_it_is_said(terminal):
    assert terminal("recognise").code == 2
