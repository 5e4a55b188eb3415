"""What relay bots are asked and told."""

from __future__ import annotations

import pytest
from tests.goals.loop.worlds import attach, hung_leaf

from zhixing.goals.contracts.bidding import bid_prompt, read_bid, relay_message
from zhixing.goals.loop.events import BbsResult


def test_the_question_shows_the_goal_and_what_is_left() -> None:
    world = hung_leaf({"r1": 60}).tell(attach("r1", "s1"), BbsResult("r1", "s1", "FAIL", gaps=("缺第 3 节",)))
    text = bid_prompt(world.graph)
    assert text.startswith("[bbs-bid] ")
    for part in ("reach it", "a title（miss_depth_exhausted）", "缺第 3 节", "completion_rate"):
        assert part in text


def test_the_winner_is_told_skill_task_place_and_its_own_id() -> None:
    """L-5.1."""
    lines = relay_message(hung_leaf().graph, "r1", "http://host").splitlines()
    assert {"skill=bbs-relay-single-task", "task_id=g", "backend=http://host", "你的 bot_id=r1"} <= set(lines)


@pytest.mark.parametrize(
    ("content", "bid"),
    [
        ('{"completion_rate": 70}', 70),
        ('[bbs-bid] 我可以：```json\n{"completion_rate": 70}\n```', 70),
        ('{"completion_rate": true}', True),
        ("70", None),
        ("", None),
    ],
)
def test_a_bid_is_read_as_it_was_written(content: str, bid: object) -> None:
    """L-5.7."""
    assert read_bid(content) is bid
    assert read_bid(content, run_status="FAILED") is None
