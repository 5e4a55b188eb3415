"""skills/bbs-relay-single-task/SKILL.md: its steps bring a goal to its end, word by word, with the token of a bot."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.faces.http.goals.conftest import PREFIX, data_of, refused
from tests.faces.http.goals.scripts import lonely

from zhixing.goals.contracts.bidding import HEADER, SKILL, read_bid, relay_message
from zhixing.goals.running.scripted import ScriptedBoard
from zhixing.kernel.wording import section

TEXT = (Path(__file__).parents[4] / "skills" / SKILL / "SKILL.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ (\w+\.\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
BOT = "r1"


def requests(kind: str = "") -> list[str]:
    """Return the requests of the blocks of a kind, in their order."""
    blocks = re.findall(rf"^```http{kind and ' ' + kind}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return [each.strip() for block in blocks for each in block.split("\n\n")]


def send(house: Any, written: str) -> Any:
    """Send a request as it is written, with our own names in it."""
    head, *more = written.splitlines()
    method, path = head.split(" ")
    headers = dict(line.split(": ", 1) for line in more if not line.startswith("{"))
    body = next((json.loads(line) for line in more if line.startswith("{")), None)
    assert path.startswith(PREFIX)
    what = {"headers": headers} if headers else {}
    return house.asked(method, path.removeprefix(PREFIX), body, by=BOT, **what)


@pytest.fixture
def waiting(furnish):
    """Give a home with a goal for which somebody is looked for, and the steps with its names in them."""
    house = furnish(lonely("a"))
    task_id = house.execute(MAX_DEPTH=1)
    house.run()

    def step(written: str, node_id: str = "") -> Any:
        for name, value in {"TASK_ID": task_id, "BOT_ID": BOT, "NODE_ID": node_id}.items():
            written = written.replace(name, value)
        return send(house, written)

    return house, task_id, step


def test_the_skill_is_the_one_that_the_message_names() -> None:
    front = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", TEXT)
    assert front is not None
    assert front[1] == SKILL
    assert "Use it when" in front[2]
    assert len(front[2]) <= 1024
    assert HEADER in front[2]


def test_every_step_works_in_this_order_and_the_goal_is_done(waiting) -> None:
    """L-5.11."""
    house, task_id, step = waiting
    found, claim, look, attach, result, others = requests()
    assert task_id in [each["task_id"] for each in data_of(step(found))]
    assert data_of(step(claim))["root_node_id"] == task_id
    board = data_of(step(look))
    root = next(each for each in board["tasks"] if each["node_id"] == task_id)
    assert (board["status"], root["run_info"]["extend_props"]["bbs_owner"]) == ("EXECUTING", BOT)
    assert board["execution_config"] == {"MAX_DEPTH": 1}
    node_id = data_of(step(attach))["node_id"]
    assert data_of(step(attach))["node_id"] == node_id
    assert step(attach).json()["message"] == "idempotent"
    assert data_of(step(result, node_id)) == {"ok": True}
    assert step(result, node_id).json()["message"] == "idempotent"
    house.run()
    assert house.get(f"/dashboard?task_id={task_id}")["status"] == "DONE"
    shown = house.node(task_id, node_id)
    assert shown["run_info"]["acceptance_result"]["acceptances_metric"][0]["evidence"] == "五项都写了数字"
    assert [each["node_id"] for each in data_of(step(others))] in ([], [node_id])


@pytest.mark.parametrize("kind", ["fail", "error"])
def test_what_is_left_unfinished_is_there_for_the_next_bot(waiting, kind) -> None:
    house, task_id, step = waiting
    _, claim, _, attach, _, _ = requests()
    step(claim)
    node_id = data_of(step(attach))["node_id"]
    (unfinished,) = requests(kind)
    assert data_of(step(unfinished, node_id)) == {"ok": True}
    node = house.node(task_id, node_id)
    assert (node["status"], node["run_info"]["run_mode"]) == ("FAILED", "bbs")
    assert node["run_info"]["acceptance_result"]["gaps"]
    assert data_of(house.asked("POST", "/bbs/claim", {"task_id": task_id, "bot_id": "r2"}, by="r2"))


def test_what_is_not_to_be_done_is_refused(waiting) -> None:
    house, task_id, step = waiting
    _, claim, _, attach, result, _ = requests()
    assert refused(step(attach), 409)["error"] == "goal_reply_not_owner"
    step(claim)
    node_id = data_of(step(attach))["node_id"]
    assert refused(step(attach.replace("BOT_ID-1", "BOT_ID-2")), 409)["error"] == "goal_reply_one_at_a_time"
    refused(
        house.asked(
            "POST", "/callback/report", {"loop_task_id": f"{task_id}::{node_id}", "result": {"success": True}}, by=BOT
        ),
        409,
    )
    refused(step(result.replace('"passed": true', '"passed": false'), node_id), 422)


def test_the_message_is_the_one_that_is_sent(furnish) -> None:
    board = ScriptedBoard({BOT: 90})
    house = furnish(lonely("a"), None, board)
    task_id = house.execute(MAX_DEPTH=1)
    house.run()
    written = (
        FILES["message.txt"]
        .replace("TASK_ID", task_id)
        .replace("BACKEND", "https://goals.example")
        .replace("BOT_ID", BOT)
    )
    (told,) = board.told
    assert told.prompt.startswith(written)
    graph = house.room.goals.graph(task_id)
    assert relay_message(graph, BOT, "https://goals.example").startswith(written)
    for name in ("acceptances", "done_children", "gaps"):
        assert f'"{name}"' in told.prompt


def test_the_bid_is_one() -> None:
    assert read_bid(FILES["bid.json"]) == 70


def test_the_errors_it_names_are_there() -> None:
    named = set(re.findall(r"`(goal_\w+)`", TEXT))
    assert named
    assert named <= set(section("errors", "zh"))
