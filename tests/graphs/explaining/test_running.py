"""Timers and loops that run at an instant of a run."""

from __future__ import annotations

from tests.graphs.explaining.stories import alarm, script_of
from tests.graphs.simulating.small import button, lamp, node, press, rule_of, says, sensor

from zhixing.graphs.explaining.running import running_at

RULE = rule_of(
    button("in", 1, "wait.input round.start"),
    button("off", 2, "round.stop"),
    node("wait", "delay", {"timeout": 5000}, output="out.trigger"),
    node("round", "loop", {"interval": 2000}, output=""),
    sensor("hot", "last.input"),
    node("last", "statusLast", {"timeout": 30_000}, output=""),
    alarm(""),
    lamp(),
)
SCRIPT = script_of(press(1000), says(1500, True), press(8000, key=2))


def at(at_ms: int) -> list[tuple[str, str, int, int | None]]:
    return [(each.node, each.kind, each.due_ms, each.started_ms) for each in running_at(RULE, SCRIPT, at_ms)]


def test_what_runs_is_told_with_when_it_started_and_when_it_is_due() -> None:
    assert at(4000) == [
        ("round", "loop", 5000, 1000),
        ("wait", "delay", 6000, 1000),
        ("last", "statusLast", 31_500, 1500),
        ("it", "alarm", 3_600_000, 0),
    ]


def test_what_is_over_or_was_stopped_no_longer_runs() -> None:
    assert [name for name, *_ in at(8000)] == ["last", "it"]


def test_nothing_runs_before_it_is_started() -> None:
    assert [name for name, *_ in at(500)] == ["it"]


def test_what_started_a_timer_is_told() -> None:
    found = {each.node: each for each in running_at(RULE, SCRIPT, 7500)}
    assert [(step.kind, step.node, step.at_ms) for step in found["round"].steps] == [
        ("heard", "in", 1000),
        ("carried", "round", 1000),
    ]
    assert found["round"].text() == "「循环」（round）在循环：1 秒启动，下一轮在 9 秒"
    assert all("{" not in each.text(language) for each in found.values() for language in ("zh", "en"))
