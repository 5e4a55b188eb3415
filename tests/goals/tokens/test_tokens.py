"""Tokens of bots: shown once, kept as a digest, ended at any time; and what a bot may see and say with one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.goals.loop.worlds import started

from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.loop.model import Formation, Graph, Node
from zhixing.goals.loop.values import GraphStatus
from zhixing.goals.tokens import operations
from zhixing.goals.tokens.operations import PREFIX, BotTokens
from zhixing.goals.tokens.standing import names_of, reports_for, sees, spoken_for
from zhixing.kernel.errors import BadInput, NotFound, TooLarge


@pytest.fixture
def tokens(store, clock) -> BotTokens:
    return BotTokens(store, clock)


def test_a_token_tells_whose_it_is(tokens) -> None:
    first, second = tokens.issue("市场"), tokens.issue("tech")
    assert (tokens.who(first), tokens.who(second)) == ("市场", "tech")
    assert first != second
    assert first.startswith(PREFIX)


@pytest.mark.parametrize("token", ["", "x", PREFIX, PREFIX + "x" * 43, "x" * 100_000, PREFIX + "\x00" * 43, "é"])
def test_what_is_no_token_is_nobodys(tokens, token) -> None:
    tokens.issue("tech")
    assert tokens.who(token) is None


def test_nothing_that_is_kept_opens_anything(tokens, store) -> None:
    token = tokens.issue("tech")
    with store.read() as tx:
        (row,) = tx.rows("SELECT bot_id, digest, issued_at FROM goal_bot_tokens")
    assert token.removeprefix(PREFIX) not in str(row)
    assert tokens.who(row[1]) is None
    assert token not in repr(tokens) + repr(tokens.listed())


def test_another_token_ends_the_one_before(tokens) -> None:
    old, new = tokens.issue("tech"), tokens.issue("tech")
    assert (tokens.who(old), tokens.who(new)) == (None, "tech")
    assert [each.bot_id for each in tokens.listed()] == ["tech"]


def test_a_token_that_was_taken_back_is_nobodys(tokens) -> None:
    token = tokens.issue("tech")
    tokens.revoke("tech")
    assert tokens.who(token) is None
    with pytest.raises(NotFound):
        tokens.revoke("tech")


@pytest.mark.parametrize("bot_id", ["", " ", " a", "a\n", "a\x00", "x" * 129])
def test_only_a_bot_has_a_token(tokens, bot_id) -> None:
    with pytest.raises(BadInput):
        tokens.issue(bot_id)


def test_the_number_of_tokens_has_an_end(tokens, monkeypatch) -> None:
    monkeypatch.setattr(operations, "MOST_TOKENS", 2)
    for bot_id in ("a", "b", "a"):
        tokens.issue(bot_id)
    with pytest.raises(TooLarge):
        tokens.issue("c")


def node(**run: object) -> Node:
    found = started("a").graph.nodes["a"]
    return replace(found, run=replace(found.run, **run))  # type: ignore[arg-type]


def test_the_word_of_the_reporter_alone_counts() -> None:
    group = node(assignee="group", reporter="lead", formation=Formation(("lead", "helper")))
    assert [reports_for(group, names_of(each)) for each in ("lead", "helper", "group", "stray")] == [
        True,
        False,
        False,
        False,
    ]
    alone = node(assignee="solo", reporter="")
    assert [reports_for(alone, names_of(each)) for each in ("solo", "stray", "")] == [True, False, False]


def test_the_first_of_a_group_that_is_known_speaks_for_it_and_the_others_see_what_it_does() -> None:
    known = (KnownGroup("g1", ("a", "b")), KnownGroup("g2", ("c",)))
    of_group = node(assignee="g1", reporter="")
    assert [reports_for(of_group, spoken_for(each, known)) for each in "abc"] == [True, False, False]
    graph = started("a").graph
    graph = Graph(graph.head, {**graph.nodes, "a": of_group})
    assert [sees(graph, names_of(each, known)) for each in "abc"] == [True, True, False]


def test_a_goal_is_the_business_of_who_owns_it_works_on_it_or_may_take_it_over() -> None:
    graph = started("a").graph
    owner = graph.head.info.owner_bot_id
    group = node(assignee="group", reporter="lead", formation=Formation(("lead", "helper")))
    graph = Graph(graph.head, {**graph.nodes, "a": group})
    assert [sees(graph, names_of(each)) for each in (owner, "lead", "helper", "stray")] == [True, True, True, False]
    wanted = Graph(replace(graph.head, relay=replace(graph.head.relay, mode=True)), graph.nodes)
    assert sees(wanted, names_of("stray"))
    for status in (GraphStatus.DONE, GraphStatus.CANCELLED, GraphStatus.FAILED):
        ended = Graph(replace(wanted.head, status=status), wanted.nodes)
        assert [sees(ended, names_of(each)) for each in ("lead", "stray")] == [True, False]
