"""The machine contract: JSON lines in, JSON lines out, in their order; a broken line breaks nothing else."""

from __future__ import annotations

import json

import pytest

from zhixing.goals.recognising.batch import LONGEST_LINE, recognise_lines


def line(name, *texts, **more):
    messages = [{"role": "user", "text": text} for text in texts]
    return json.dumps({"id": name, "messages": messages, **more}, ensure_ascii=False)


def answers(*lines):
    return [json.loads(each) for each in recognise_lines(lines)]


def test_each_line_is_answered_in_its_place() -> None:
    card, silent, model = answers(
        line("a", "/task 修复登录页按钮错位"), "", line(2, "你好"), line("c", "/task 组织下周三的新人培训")
    )
    assert (card["id"], card["outcome"], card["silent"], card["cards"][0]["type"]) == (
        "a",
        "card",
        False,
        "task_clarify",
    )
    assert silent == {"id": 2, "cards": [], "markers": [], "silent": True, "outcome": "silent"}
    assert model == {"id": "c", "cards": [], "markers": [], "silent": False, "outcome": "needs_model"}


@pytest.mark.parametrize(
    "broken",
    [
        '{"id":',
        "[]",
        "7",
        '{"id": "x"}',
        '{"id": "x", "messages": [{"role": "nobody", "text": "a"}]}',
        '{"id": "x", "messages": [{"role": "user"}]}',
        '{"id": "x", "messages": "no"}',
        " " + "x" * LONGEST_LINE,
        "[" * 100_000,
    ],
)
def test_a_line_that_cannot_be_used_says_why(broken) -> None:
    first, second = answers(broken, line("b", "/task"))
    assert first["outcome"] == "rejected"
    assert first["why"]
    assert second["outcome"] == "card"


def test_the_context_is_taken_and_may_be_null() -> None:
    resumed, plain = answers(
        line("a", "继续", context="[RESUME_TASK]\n  生成本月月报"), line("b", "/task 生成本月月报", context=None)
    )
    assert resumed["cards"][0]["goal"] == plain["cards"][0]["goal"] == "生成本月月报"
