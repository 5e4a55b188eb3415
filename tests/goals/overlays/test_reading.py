"""The example of the page works, and every fault in it is one line that says where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.goals.overlays.playing import Play

from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.overlays.answering import answer
from zhixing.goals.overlays.reading import FILES, read_overlay
from zhixing.kernel.errors import BadInput

PAGE = (Path(__file__).parents[3] / "docs" / "goal-scenarios.md").read_text("utf-8")
EXAMPLE = dict(re.findall(r"^```\w+ ([\w.]+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_example_of_the_page_shows_every_file_and_is_played_to_the_end() -> None:
    assert set(EXAMPLE) == set(FILES)
    overlay = read_overlay(EXAMPLE)
    play = Play(overlay, "party", failing=["tea_hall"])
    assert play.to_the_end().graph.head.status is GraphStatus.DONE
    assert play.planned[0][1] == ["tea_menu", "tea_hall"]
    assert '"about": "场地"' in str(answer(overlay, "为茶会演示案例找一处场地"))


def fault(files: dict[str, str]) -> str:
    with pytest.raises(BadInput) as caught:
        read_overlay(files)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("file", "before", "after", "line"),
    [
        ("scenario.toml", 'name = "tea"', 'name = "tea', "scenario.toml:1 读不了"),
        ("scenario.toml", '["茶会演示案例"]', "[]", "scenario.toml:2：缺「keywords」"),
        ("scenario.toml", "茶会演示案例", "茶会", "scenario.toml:2：信号词「茶会」太短"),
        ("scenario.toml", 'name = "tea"', 'nam = "tea"', "scenario.toml:1：不认识「nam」"),
        ("scenario.toml", 'name = "tea"', "name = 1", "scenario.toml:1：「name」要是一段不空的文字"),
        ("planning.toml", "为茶会演示案例列出茶单", "列出茶单", "planning.toml:6：「tea_menu」的 instruction"),
        ("planning.toml", 'id = "tea_hall"', 'id = "tea_menu"', "planning.toml:11：「tea_menu」写了两次"),
        ("planning.toml", 'task = "tea_hall"', 'task = "tea"', "planning.toml:28：「task」里的「tea」没有定义"),
        ("planning.toml", '"tea_menu", "tea_hall"]', '"nobody"]', "planning.toml:34：「tasks」里的「nobody」"),
        ("planning.toml", "closed = true", "closed = 1", "planning.toml:39：「closed」要是 true 或 false"),
        ("planning.toml", '"delivered"', '"ready"', "planning.toml:38：「state」要是其中之一：untouched, delivered"),
        ("planning.toml", 'state = "delivered"', "", "planning.toml:39：closed 的一行要写 done"),
        ("planning.toml", "closed = true", "", "planning.toml:36：tasks、closed、detail 要写且只写一个"),
        ("planning.toml", "closed = true", 'closed = true\ndetail = "x"', "planning.toml:36：tasks、closed、detail"),
        ("planning.toml", "为茶会演示案例补上", "补上", "planning.toml:49：「_again」的 instruction"),
        ("planning.toml", "acceptances = [{ id", "acceptances = [{ no", "planning.toml:3：不认识「no」"),
        ("planning.toml", 'id = "hall"', 'id = "menu"', "planning.toml:25：「menu」写了两次"),
        ("search.toml", 'task = "tea_menu"', 'task = "tea"', "search.toml:4：「task」里的「tea」没有定义"),
        ("search.toml", 'bot = "茶师"', 'bot = "茶师"\nmiss = "没有"', "search.toml:3：bot、members、miss"),
        ("search.toml", '"manager_worker"', '"state_machine"', "search.toml:10：「mode」要是其中之一"),
        ("search.toml", '{ bot = "向导"', '{ bot = "领队"', "search.toml:11：「领队」写了两次"),
        ("search.toml", '    { bot = "向导", role = "worker", responsibility = "找地方" },\n', "", "至少要有两个 bot"),
        ("answer.json", '"reply"', "reply", "answer.json:3 读不了"),
        ("answer.json", '"reply"', '"replies"', "answer.json:3：不认识「replies」"),
        ("example.toml", "MAX_DEPTH = 1", "MAX_DEPTH = 0", "example.toml:2：「MAX_DEPTH」的值不能用"),
        ("example.toml", 'task = "tea_menu"', 'task = "tea"', "example.toml:15：「task」里的「tea」没有定义"),
        ("example.toml", "筹备茶会演示案例", "筹备", "example.toml:7：「party」的 instruction 里没有信号词"),
    ],
)
def test_a_fault_is_one_line_with_file_and_place(file: str, before: str, after: str, line: str) -> None:
    assert before in EXAMPLE[file]
    assert line in fault({**EXAMPLE, file: EXAMPLE[file].replace(before, after, 1)})


def test_lists_and_texts_are_bounded() -> None:
    many = ", ".join(f'"案例编号{n}"' for n in range(201))
    head = f'name = "tea"\nkeywords = [{many}]'
    assert fault({**EXAMPLE, "scenario.toml": head}) == "scenario.toml:2：「keywords」太多，最多 200 项。"
    long = EXAMPLE["planning.toml"].replace("列出茶单", "茶" * 4001, 1)
    deep = '{"reply": {"a": ' + "[" * 21 + "]" * 21 + "}}"
    assert fault({**EXAMPLE, "answer.json": deep}) == "answer.json：「reply」套得太深，最多 20 层。"
    assert "太长，最多 4000 个字" in fault({**EXAMPLE, "planning.toml": long})


def test_a_folder_needs_its_head_and_one_part() -> None:
    head = {"scenario.toml": EXAMPLE["scenario.toml"]}
    assert "缺文件：planning.toml / search.toml / answer.json" in fault(head)
    assert "缺文件：scenario.toml" in fault({"answer.json": EXAMPLE["answer.json"]})
    assert read_overlay({**head, "answer.json": EXAMPLE["answer.json"]}).planning is None
