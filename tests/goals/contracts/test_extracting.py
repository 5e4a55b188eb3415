"""JSON in what models write."""

from __future__ import annotations

from typing import Any

import pytest

from zhixing.goals.contracts.extracting import candidates, is_bare, json_values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ("[]", [[]]),
        ('```json\n{"a": 1}\n```', [{"a": 1}]),
        ('好的，结果如下：{"a": "（1）"}。请查收', [{"a": "（1）"}]),
        ('[planning] 收到。\n{"a": 1}', [{"a": 1}]),
        ('[search] {oops {"a": 1}', [{"a": 1}]),
        ('{"a": 1} 或者 {"a": 2}', [{"a": 1}, {"a": 2}]),
        ('{"a": "}{"} {"b": 1}', [{"a": "}{"}, {"b": 1}]),
        ('{"a": "two\nlines"}', [{"a": "two\nlines"}]),
        ('{"a": NaN} {"a": 1}', [{"a": 1}]),
        ("没有", []),
        ('{"a": 1', []),
        ("", []),
        ("[" * 50_000, []),
        ('{"a":' * 50_000, []),
    ],
)
def test_every_whole_value_is_found(text: str, values: list[Any]) -> None:
    """trap_18."""
    assert json_values(text) == values


def test_the_last_outermost_value_comes_first_and_the_objects_inside_come_after_all() -> None:
    assert list(candidates('{"x": {"y": {"z": 1}}} {"b": [{"c": 2}]}')) == [
        {"b": [{"c": 2}]},
        {"x": {"y": {"z": 1}}},
        {"c": 2},
        {"y": {"z": 1}},
        {"z": 1},
    ]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("[]", True),
        ("```json\n[]\n```", True),
        ("```\n[]\n```", True),
        (" [] ", True),
        ("没有：[]", False),
        ("", False),
    ],
)
def test_a_bare_value_has_nothing_round_it_but_a_fence(text: str, bare: bool) -> None:  # noqa: FBT001 - a row
    assert is_bare(text, []) is bare
