"""The search question as it is sent, and its answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.goals.loop.worlds import started

from zhixing.goals.contracts.searching import Candidate, read_search, search_prompt
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode, SearchOutcome

GOLDEN = Path(__file__).parent / "golden"
CATALOG = (
    Candidate("b1", "资料员", "找资料", 0.4, "short", ("资料",)),
    Candidate("b2", "分析员", score=0.9),
    Candidate("b3", "分身", score=0.1),
    Candidate("b4", "分身", score=0.1),
)


def test_the_question_is_laid_out_as_agreed_with_the_best_candidates_first() -> None:
    """L-3.1."""
    graph = started("a", criteria=["ac1"]).graph
    assert search_prompt(graph, "a", CATALOG[:2]) + "\n" == (GOLDEN / "search.txt").read_text("utf-8")


def many(**members: Any) -> str:
    return json.dumps({"outcome": "HIT_MULTI_BOTS", **members}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("content", "bot"),
    [
        ('{"outcome": "HIT_SINGLE", "bot_id": "b1"}', "b1"),
        ('{"outcome": "hit_single", "bot_id": "分析员"}', "b2"),
        ('[search] 选 {"outcome": "HIT_SINGLE", "bot_id": "b2"} 。', "b2"),
        ('```\n{"outcome": "HIT_SINGLE", "bot_id": "b2"}\n```', "b2"),
        ('{"answer": {"outcome": "HIT_SINGLE", "bot_id": "b2"}}', "b2"),
        ('{"outcome": "MISS"} 不对，应该是 {"outcome": "HIT_SINGLE", "bot_id": "b2"}', "b2"),
    ],
)
def test_one_bot_is_found_by_id_or_by_its_name(content: str, bot: str) -> None:
    """D3."""
    read = read_search("a", content, CATALOG)
    assert (read.outcome, read.bot_id) == (SearchOutcome.HIT_SINGLE, bot)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"outcome": "MISS", "miss_reason": "没有人会"}', "没有人会"),
        ('{"outcome": "HIT_SINGLE", "bot_id": "b9"}', "unknown_bot:b9"),
        ('{"outcome": "HIT_SINGLE", "bot_id": "分身"}', "unknown_bot:分身"),
        ('{"outcome": "HIT_SINGLE"}', "hit_single_no_bot_id"),
        ('{"outcome": "HIT_GROUP"}', "hit_group_no_group_id"),
        (many(), "hit_multi_no_bot_ids"),
        (many(bot_ids=[]), "hit_multi_no_bot_ids"),
        (many(bot_ids="b1"), "hit_multi_no_bot_ids"),
        (many(bot_ids=["b1", "b9"]), "unknown_bot:b9"),
        (many(bot_ids=["b1"], collab_mode="vote"), "unknown_collab_mode"),
        ('{"outcome": "MAYBE"}', "unknown_outcome"),
        ("[1, 2]", "not_object"),
        ("选第一个", "parse_error"),
        ("", "empty_content"),
    ],
)
def test_what_cannot_be_used_is_a_miss_that_says_why(content: str, reason: str) -> None:
    """L-3.6."""
    read = read_search("a", content, CATALOG)
    assert (read.outcome, read.reason) == (SearchOutcome.MISS, reason)


def test_without_a_finished_run_or_candidates_it_is_a_miss() -> None:
    hit = '{"outcome": "HIT_SINGLE", "bot_id": "b1"}'
    assert read_search("a", hit, CATALOG, run_status="TIME_OUT").reason == "run_status_TIME_OUT"
    assert read_search("a", hit, ()).reason == "no_candidates"


def test_an_existing_group_is_found() -> None:
    read = read_search("a", '{"outcome": "HIT_GROUP", "group_id": "g7"}', CATALOG)
    assert (read.outcome, read.group_id) == (SearchOutcome.HIT_GROUP, "g7")


def test_a_new_group_is_read_with_names_resolved() -> None:
    """L-3.12."""
    members = [{"bot_id": "资料员", "role": "查", "responsibility": "找"}, {"bot_id": "b9"}, "x"]
    content = many(
        bot_ids=["资料员", "b2", "b2"],
        collab_mode="manager_worker",
        manager_bot_id="分析员",
        group_name="群",
        members_info=members,
    )
    read = read_search("a", content, CATALOG)
    member = Member("b1", "查", "找")
    assert read.formation == Formation(("b1", "b2"), CollabMode.MANAGER_WORKER, "群", "b2", (member,))
    assert read_search("a", many(bot_ids=["b1"]), CATALOG).formation == Formation(("b1",))
