"""What is sent to a draft: bounds of one call, and hostile input."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.drafts.refusals import refusal

from zhixing.graphs.drafts.model import MOST_BATCH_BYTES
from zhixing.graphs.drafts.reading import batch_from, name_from, removed_from
from zhixing.graphs.drafts.variables import decode, encode, variables_from


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def of_size(count: int) -> dict[str, str]:
    """Make a node that takes `count` bytes."""
    empty = len('{"id":"a","text":""}')
    return {"id": "a", "text": "x" * (count - empty)}


@pytest.mark.parametrize(
    ("nodes", "key"),
    [
        ({"id": "a"}, "graph_draft_not_list"),
        ("[]", "graph_draft_not_list"),
        (None, "graph_draft_not_list"),
        ([{"id": f"n{n}"} for n in range(26)], "graph_draft_list_long"),
        (["a"], "graph_node_not_object"),
        ([{}], "graph_draft_node_id"),
        ([{"id": 7}], "graph_draft_node_id"),
        ([{"id": ""}], "graph_draft_node_id"),
        ([{"id": "a_b"}], "graph_draft_node_id"),
        ([{"id": "a.b"}], "graph_draft_node_id"),
        ([{"id": "a\n"}], "graph_draft_node_id"),
        ([{"id": "灯"}], "graph_draft_node_id"),
        ([{"id": "a" * 65}], "graph_draft_node_id"),
        ([{"id": "a"}, {"id": "b"}, {"id": "a"}], "graph_draft_twice"),
        ([{"id": "a", "v": float("nan")}], "graph_number"),
        ([{"id": "a", "v": float("-inf")}], "graph_number"),
        ([{"id": "a", "v": 10**301}], "graph_number"),
        ([{"id": "a", "v": nested(100)}], "graph_deep"),
        ([{"id": "a", "v": nested(100_000)}], "graph_deep"),
        ([{"id": "a", "v": {1, 2}}], "graph_value_foreign"),
        ([{"id": "a", "v": "\ud83d"}], "text_unstorable"),
        ([of_size(2 * 1024 * 1024)], "graph_draft_batch_large"),
        ([of_size(MOST_BATCH_BYTES - 9), {"id": "b"}], "graph_draft_batch_large"),
    ],
)
def test_a_batch_that_cannot_be_kept_is_refused_in_one_line(nodes: object, key: str) -> None:
    assert refusal(batch_from, nodes) == key


def test_a_batch_may_be_as_large_as_is_said() -> None:
    (one,) = batch_from([of_size(MOST_BATCH_BYTES)])
    assert one.slot.size == len(one.body.encode()) == MOST_BATCH_BYTES
    assert len(batch_from([{"id": f"n{n}"} for n in range(25)])) == 25


def test_bytes_are_counted_and_not_characters() -> None:
    assert refusal(batch_from, [{"id": "a", "text": "灯" * (MOST_BATCH_BYTES // 2)}]) == "graph_draft_batch_large"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"id": "a", "x": 1, "y": 2}, {"y": 2, "x": 1, "id": "a"}, True),
        ({"id": "a", "x": 1}, {"id": "a", "x": 1.0}, True),
        ({"id": "a", "x": 1}, {"id": "a", "x": True}, False),
        ({"id": "a", "x": 1}, {"id": "a", "x": "1"}, False),
        ({"id": "a", "x": None}, {"id": "a"}, False),
        ({"id": "a", "x": ["b.in", "c.in"]}, {"id": "a", "x": ["c.in", "b.in"]}, False),
    ],
)
def test_bodies_are_the_same_when_they_say_the_same(one: dict, other: dict, *, same: bool) -> None:
    assert (batch_from([one])[0].slot.digest == batch_from([other])[0].slot.digest) is same


def test_a_body_is_kept_as_it_was_written() -> None:
    assert batch_from([{"id": "a", "z": 1.0, "y": "灯\0"}])[0].body == r'{"id":"a","z":1.0,"y":"灯\u0000"}'


@pytest.mark.parametrize("name", ["", "  ", None, 7, "a\nb", "长" * 101, "\ud83d", "a\0b"])
def test_a_name_is_one_line_of_text(name: object) -> None:
    assert refusal(name_from, name) == "graph_draft_name"


def test_a_name_is_trimmed() -> None:
    assert name_from(" 走廊夜灯 ") == "走廊夜灯"


def test_ids_to_remove_count_once() -> None:
    assert removed_from(["b", "a", "b"]) == ("b", "a")


@pytest.mark.parametrize(
    ("ids", "key"),
    [("a", "graph_draft_not_list"), (["a"] * 26, "graph_draft_list_long"), (["a_b"], "graph_draft_node_id")],
)
def test_ids_to_remove_are_ids(ids: object, key: str) -> None:
    assert refusal(removed_from, ids) == key


def test_variables_come_back_as_they_were_read() -> None:
    given = [
        {"id": "count", "type": "number", "value": 0, "name": "次数"},
        {"id": "mode", "type": "string", "value": "睡眠", "name": None, "scope": "global"},
    ]
    found = variables_from(given)
    assert [(each.scope, each.id, each.name, each.value) for each in found] == [
        ("rule", "count", "次数", 0),
        ("global", "mode", "mode", "睡眠"),
    ]
    assert decode(encode(found)) == found


@pytest.mark.parametrize(
    "variables",
    [
        "count",
        [7],
        [{}],
        [{"id": "count", "type": "number"}],
        [{"id": "count", "type": ["number"], "value": 0}],
        [{"id": ["count"], "type": "number", "value": 0}],
        [{"id": "a_b", "type": "number", "value": 0}],
        [{"id": "count", "type": "boolean", "value": True}],
        [{"id": "count", "type": "number", "value": True}],
        [{"id": "count", "type": "number", "value": float("nan")}],
        [{"id": "count", "type": "number", "value": 10**400}],
        [{"id": "count", "type": "string", "value": 0}],
        [{"id": "count", "type": "string", "value": "\ud83d"}],
        [{"id": "count", "type": "number", "value": 0, "name": 7}],
        [{"id": "count", "type": "number", "value": 0, "scope": "R1700000000001"}],
        [{"id": "count", "type": "number", "value": 0}] * 2,
        [{"id": f"v{n}", "type": "number", "value": 0} for n in range(101)],
    ],
)
def test_a_variable_that_no_gateway_takes_is_refused_in_one_line(variables: object) -> None:
    assert refusal(variables_from, variables)
