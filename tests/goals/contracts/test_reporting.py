"""Messages of executors, bots and people: read in every known shape, and never a crash."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import zhixing.goals.loop
from zhixing.goals.contracts.fields import DEEPEST, LARGEST_RESULT
from zhixing.goals.contracts.relaying import read_attach, read_claim, read_relay_result
from zhixing.goals.contracts.reporting import InSession, Named, Uncorrelated, Unplaced, read_callback, read_result
from zhixing.goals.contracts.reporting import read_start as started
from zhixing.goals.contracts.requesting import read_request
from zhixing.goals.contracts.steering import read_budget, read_resolved, read_steered
from zhixing.goals.loop.events import Budget, Report, Started
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import section

READERS = [
    *(read_callback, read_result, started, read_attach, read_claim, read_relay_result),
    *(read_request, read_budget, read_resolved, read_steered),
]


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


ODD: list[Any] = [None, True, 0, -1, 2**70, 1.5, "", " ", "x", "x" * 300, "a\x00", "\ud800", [], [[]], {}, {"": None}]
NAMES = [
    *("task_id", "node_id", "loop_task_id", "status", "result", "is_success", "acceptance_result", "extend_props"),
    *("event_type", "data", "scope", "session_id", "ext_info", "failed_info", "bot_id", "task_spec", "output_patch"),
    *("output", "event_id", "workflow_id", "workflow_source", "MAX_TOKENS", "tokens_left", "gaps"),
]


@pytest.mark.parametrize("reader", READERS)
def test_whatever_comes_is_read_or_refused_in_one_line(reader) -> None:
    whole = {"task_id": "t", "node_id": "n", "bot_id": "b", "parent_node_id": "t", "status": "DONE", "output": "x"}
    lines = []
    for base, name, value in product(({}, whole), NAMES, ODD):
        try:
            reader({**base, name: value})
        except BadInput as error:
            lines.append(str(error))
    assert lines
    assert [each for each in lines if "\n" in each] == []
    for value in (nested(DEEPEST), nested(100_000)):
        with pytest.raises(TooLarge):
            reader({**whole, "result": value})


def test_a_name_may_hold_the_mark_between_its_parts() -> None:
    found = read_callback({"loop_task_id": "t::n::m", "result": {"success": True}})
    assert isinstance(found, Named)
    assert (found.task_id, found.event.node) == ("t", "n::m")


def test_names_that_come_twice_must_agree() -> None:
    body = {"loop_task_id": "t::n", "task_id": "t", "node_id": "n", "result": {"success": True}}
    assert isinstance(read_callback(body), Named)
    for other in ({"task_id": "u"}, {"node_id": "m"}, {"loop_task_id": "tn"}):
        with pytest.raises(Uncorrelated):
            read_callback({**body, **other})


def test_without_a_node_a_message_is_about_the_root() -> None:
    assert started({"task_id": "t"}) == Named("t", Started("t"))
    assert read_result({"task_id": "t", "is_success": True, "output": "x"}) == Named("t", Report("t", True, "x"))


def test_the_id_of_an_event_is_read_wherever_it_stands() -> None:
    for body in (
        {"event_id": "e", "result": {"success": True}},
        {"result": {"success": True, "_ext_info": {"event_id": "e"}}},
        {"is_success": True, "ext_info": {"event_id": "e"}},
        {"status": "DONE", "event_id": "e"},
    ):
        found = read_callback({"loop_task_id": "t::n", **body})
        assert isinstance(found, Named)
        assert isinstance(found.event, Report)
        assert found.event.event_id == "e"


@pytest.mark.parametrize(
    ("kind", "outcome"), [("run.completed", "completed"), ("session_failed", "failed"), ("a:b/aborted", "aborted")]
)
def test_an_event_tells_how_a_session_ended(kind, outcome) -> None:
    found = read_callback({"event_type": kind, "data": {"session_id": "s", "output": "x", "error": "y"}})
    assert found == InSession("s", outcome, "x", "y")


def test_an_end_without_a_result_says_nothing_of_it() -> None:
    assert InSession("s", "completed", "", "").report_on("n", 1) is None
    assert InSession("s", "aborted", "", "").report_on("n", 2) == Report(
        "n", exec_error="run_status_aborted", attempt=2
    )


def test_events_under_way_and_of_nowhere_belong_to_nothing() -> None:
    for body in (
        {"event_type": "run.progress", "data": {"session_id": "s"}},
        {"event_type": "run.completed", "scope": {}},
        {"workflow_id": "w", "status": "COMPLETED"},
    ):
        assert read_callback(body) == Unplaced()


def test_a_result_of_a_session_is_read_without_a_name() -> None:
    found = read_result({"session_id": "s", "is_success": True, "output": "x"})
    assert isinstance(found, InSession)
    report = found.report_on("n", 1)
    assert report is not None
    assert (report.success, report.data) == (True, "x")
    failed = read_result({"main_session_id": "s", "is_success": False, "failed_info": "y"})
    assert failed == InSession("s", "failed", "", "y")


def test_a_result_may_be_long_and_not_endless() -> None:
    whole = {"task_id": "t", "node_id": "n", "bot_id": "b"}
    for reader, name in (
        *((each, "output") for each in (read_resolved, read_result)),
        *((read_callback, "result"), (read_relay_result, "output_patch")),
    ):

        def body(size: int, name: str = name) -> dict[str, Any]:
            value = {"success": True, "data": "x" * size}
            return {**whole, name: value, "is_success": True, "acceptance_result": {"verdict": "PASS"}}

        reader(body(LARGEST_RESULT - 1000))
        with pytest.raises(TooLarge):
            reader(body(LARGEST_RESULT))


def test_a_budget_is_read_in_seconds_and_kept_in_milliseconds() -> None:
    body = {"task_id": "t", "MAX_TOKENS": 9, "MAX_COST": 1.5, "MAX_WALL_CLOCK": 60}
    assert read_budget(body) == ("t", Budget(9, 1.5, 60_000))
    assert read_budget({"task_id": "t", "tokens_left": 0}) == ("t", Budget(left=0))


def test_every_refusal_of_the_decider_has_words_for_people() -> None:
    words, told = section("errors", "zh"), set()
    for path in Path(zhixing.goals.loop.__path__[0]).glob("*.py"):
        for call in re.findall(r"(?:conflict|invalid|broken_shape|forbidden)\((.*)\)", path.read_text("utf-8")):
            told |= set(re.findall(r'"([a-z_]+)"', call))
    assert len(told) > 20
    assert {each for each in told if f"goal_reply_{each}" not in words} == set()
