"""Rules beside each other on one gateway."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.graphs.simulating.small import button, lamp, node, rule_of, sensor

from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.script import DeviceEvent, Property, PropertyReport, VariableSet
from zhixing.graphs.virtual.ensemble import GRACE_MS, MOST_HANDED_ON, REST_MS, Ensemble, GatewayClock
from zhixing.kernel.moments import micros, parse_instant

START = parse_instant("2026-12-01T08:00:00+08:00")
ZERO = micros(START) // 1000
CLICK = DeviceEvent("remote", 3, 1, {})


def ensemble(**variables: float | str) -> Ensemble:
    held: dict[Variable, float | str] = {Variable("global", name): value for name, value in variables.items()}
    return Ensemble(GatewayClock(ZERO), "Asia/Shanghai", held, {})


def named(name: str, *nodes: dict[str, Any]) -> Rule:
    raw = rule_of(*nodes).raw
    return Rule.of({**raw, "id": name, "cfg": {**raw["cfg"], "id": name}})


def writer(name: str, variable: str, value: str) -> Rule:
    props = {"scope": "global", "id": variable, "elements": [{"type": "const", "value": value}]}
    return named(name, button("in", 1, "set.input"), node("set", "varSetNumber", props, output=""))


def watcher(name: str, variable: str, *then: dict[str, Any], ends: str) -> Rule:
    props = {"scope": "global", "id": variable, "varType": "number", "operator": ">=", "v1": 0, "preload": False}
    return named(name, node("in", "varChange", props, output=ends), *then)


def commands(found: Ensemble) -> list[tuple[str, int]]:
    return [(name, each.at_ms - ZERO) for name, each in found.commands()]


def test_a_variable_that_one_rule_sets_is_heard_by_another():
    found = ensemble(x=-1)
    found.start(writer("1", "x", "5"), saved=True)
    found.start(watcher("2", "x", lamp(), ends="out.trigger"), saved=True)
    found.hear(CLICK)
    assert found.world.variables[Variable("global", "x")] == 5
    assert commands(found) == [("2", 0)]


def test_a_variable_that_somebody_sets_is_heard_by_all_rules():
    found = ensemble(x=-1)
    for name in ("1", "2"):
        found.start(watcher(name, "x", lamp(), ends="out.trigger"), saved=True)
    found.hear(VariableSet(Variable("global", "x"), 1))
    assert commands(found) == [("1", 0), ("2", 0)]


def test_two_rules_that_set_each_other_off_come_to_an_end():
    def bounces(name: str, mine: str, other: str) -> Rule:
        watch = {"scope": "global", "id": mine, "varType": "number", "operator": ">=", "v1": 0, "preload": False}
        back, on = (
            {"scope": "global", "id": variable, "elements": [{"type": "const", "value": value}]}
            for variable, value in ((mine, "-1"), (other, "1"))
        )
        return named(
            name,
            node("in", "varChange", watch, output="back.input"),
            node("back", "varSetNumber", back, output="on.input"),
            node("on", "varSetNumber", on, output=""),
        )

    found = ensemble(a=-1, b=-1)
    found.start(bounces("1", "a", "b"), saved=True)
    found.start(bounces("2", "b", "a"), saved=True)
    found.hear(VariableSet(Variable("global", "a"), 1))
    assert "event_storm" in {each.code for _, each in found.noted()}
    assert len(found.lines()) < 10 * MOST_HANDED_ON


def test_timers_of_all_rules_are_worked_off_in_order_of_time():
    found = ensemble()
    for name, wait in (("1", 3000), ("2", 1000)):
        rule = named(
            name, button("in", 1, "wait.input"), node("wait", "delay", {"timeout": wait}, output="out.trigger"), lamp()
        )
        found.start(rule, saved=True)
    found.hear(CLICK)
    assert found.next_due_ms == ZERO + 1000
    found.advance(GatewayClock(ZERO + 5000))
    assert commands(found) == [("2", 1000), ("1", 3000)]
    assert found.now_ms == ZERO + 5000


def test_a_rule_that_is_switched_off_forgets_its_timers_and_what_it_did_is_still_told():
    found = ensemble()
    rule = named(
        "1",
        button("in", 1, "wait.input out.trigger"),
        node("wait", "delay", {"timeout": 1000}, output="out.trigger"),
        lamp(),
    )
    found.start(rule, saved=True)
    found.hear(CLICK)
    found.stop("1")
    found.advance(GatewayClock(ZERO + 5000))
    assert commands(found) == [("1", 0)]
    assert [line.enable for line in found.lines() if hasattr(line, "enable")] == [True, False]


def test_a_report_is_not_heard_by_the_rule_that_it_echoes():
    found = ensemble()
    for name in ("1", "2"):
        found.start(named(name, sensor("in", "out.trigger", preload=False), lamp()), saved=True)
    found.hear(PropertyReport(Property("sensor", 2, 1), True), quietly={"1"})
    assert commands(found) == [("2", 0)]


def test_what_is_long_overdue_is_done_once():
    found = ensemble()
    rule = named(
        "1", button("in", 1, "tick.start"), node("tick", "loop", {"interval": 1000}, output="out.trigger"), lamp()
    )
    found.start(rule, saved=True)
    found.hear(CLICK)
    found.advance(GatewayClock(ZERO + 2 * GRACE_MS))
    assert commands(found) == [("1", 2 * GRACE_MS)]


def test_a_wall_clock_that_is_put_back_does_not_hold_up_what_waits():
    clock = GatewayClock(ZERO).at(START + timedelta(seconds=10))
    back = clock.at(START - timedelta(hours=1))
    assert back.now_ms == clock.now_ms
    assert back.wall(back.now_ms) == START - timedelta(hours=1)
    assert back.at(START - timedelta(hours=1) + timedelta(seconds=5)).now_ms == clock.now_ms + 5000


def test_an_alarm_rings_by_the_wall_clock_that_was_put_back():
    found = ensemble()
    ring = {"type": "periodicAlarm", "hour": 8, "minute": 0, "second": 5, "filter": {}}
    found.start(named("1", node("in", "alarmClock", ring, output="out.trigger"), lamp()), saved=True)
    found.advance(GatewayClock(ZERO + 6000))
    back = GatewayClock(ZERO + 6000).at(START)
    found.set_clock(back)
    found.advance(back.at(START + timedelta(seconds=6)))
    assert commands(found) == [("1", 5000), ("1", 11_000)]


def test_a_rule_that_took_as_many_steps_as_any_may_rests_and_then_goes_on():
    found = ensemble(x=0)
    outs = [node(f"o{number}", "varGet", {"scope": "global", "id": "x"}, output="", output2="") for number in range(4)]
    ends = " ".join(f"{each['id']}.input" for each in outs)
    loop = node("tick", "loop", {"interval": 1}, inputs={"start": None, "stop": None}, output=ends)
    found.start(named("1", button("in", 1, "tick.start"), loop, *outs), saved=True)
    found.hear(CLICK)
    found.advance(GatewayClock(ZERO + GRACE_MS - 1_000))
    assert found.next_due_ms == found.now_ms + REST_MS
