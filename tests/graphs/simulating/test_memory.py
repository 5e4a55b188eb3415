"""A rule that is put away between any two things that happen, and taken up again, does what it would have done."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.graphs.simulating.small import NOW, START, button, lamp, node, press, ran, rule_of, says, sensor, sets

from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.machine import Machine
from zhixing.graphs.simulating.memory import read_memory, recall, remembered, write_memory
from zhixing.graphs.simulating.reading import read_script
from zhixing.graphs.simulating.result import Output
from zhixing.graphs.simulating.script import Script
from zhixing.graphs.simulating.world import World

CLICKS = [press(at) for at in (1000, 1400, 2600, 9000)]
TURNS = [says(1000, True), says(1500, False), says(2500, True), says(9000, True), says(9500, False)]


def source(ends: str) -> dict[str, Any]:
    return button("in", 1, ends)


def through(kind: str, pin: str, out: str = "output", **props: Any) -> list[dict[str, Any]]:
    return [source(f"it.{pin}"), node("it", kind, props, **{out: "out.trigger"}), lamp()]


RULES: Mapping[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "delay": (through("delay", "input", timeout=1500), CLICKS),
    "loop": (through("loop", "start", interval=700), CLICKS[:1]),
    "counter": (through("counter", "input", n=3), CLICKS),
    "onlyNTimes": (through("onlyNTimes", "input", n=2), CLICKS),
    "register": (through("register", "setTrue"), CLICKS),
    "modeSwitch": (
        [
            source("it.input"),
            node("it", "modeSwitch", output0="out.trigger", output1="", output2="out.trigger"),
            lamp(),
        ],
        CLICKS,
    ),
    "statusLast": (
        [sensor("in", "it.input"), node("it", "statusLast", {"timeout": 800}, output="out.trigger"), lamp()],
        TURNS,
    ),
    "eventSequence": (
        [
            source("it.input1"),
            sensor("on", "it.input2"),
            node("it", "eventSequence", {"timeout": 1200}, output="out.trigger"),
            lamp(),
        ],
        sorted(CLICKS + TURNS, key=lambda line: line["at_ms"]),
    ),
    "condition": (
        [
            source("it.trigger"),
            sensor("on", "it.condition"),
            node("it", "condition", met="out.trigger", unmet=""),
            lamp(),
        ],
        sorted(CLICKS + TURNS, key=lambda line: line["at_ms"]),
    ),
    "logicAnd": (
        [
            sensor("on", "it.input0 not.input"),
            node("not", "logicNot", inputs={"input": None}, output="it.input1 hold.input"),
            node("it", "logicAnd", inputs={"input0": None, "input1": None}, output="out.trigger"),
            node("hold", "statusLast", {"timeout": 300}, output="out.trigger"),
            lamp(),
        ],
        TURNS,
    ),
    "deviceInput": ([sensor("in", "out.trigger"), lamp()], TURNS),
    "varChange": (
        [
            node(
                "in",
                "varChange",
                {"scope": "global", "id": "x", "varType": "number", "operator": ">=", "v1": 3},
                output="out.trigger",
            ),
            lamp(),
        ],
        [sets(1000, "x", 3), sets(2000, "x", 4), sets(3000, "x", 1), sets(4000, "x", 5)],
    ),
    "alarmClock": (
        [
            node(
                "in",
                "alarmClock",
                {"type": "periodicAlarm", "hour": 8, "minute": 0, "second": 5, "filter": {}},
                output="out.trigger",
            ),
            lamp(),
        ],
        TURNS,
    ),
    "timeRange": (
        [
            node(
                "in",
                "timeRange",
                {
                    "start": {"hour": 8, "minute": 0, "second": 3},
                    "end": {"hour": 8, "minute": 0, "second": 7},
                    "filter": {},
                },
                output="it.condition out.trigger",
            ),
            source("it.trigger"),
            node("it", "condition", met="out.trigger", unmet=""),
            lamp(),
        ],
        CLICKS,
    ),
    "remote": (
        [button("in", 1, "out.trigger", urn="urn:miot-spec-v2:device:remote-control:0000A021:x-y:1"), lamp()],
        CLICKS,
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_does_the_same_however_often_it_is_put_away(name: str) -> None:
    nodes, lines = RULES[name]
    rule = rule_of(*nodes)
    setup: dict[str, Any] = {"until_ms": 12_000, "variables": {"global.x": 0}, "state": {"sensor": {"2.1": False}}}
    whole = ran(rule, *lines, **setup)
    assert whole.outputs
    assert resumed(rule, *lines, **setup) == list(whole.outputs)


def test_what_is_remembered_of_a_card_that_is_gone_is_left_out() -> None:
    before = Machine(rule_of(source("wait.input"), node("wait", "delay", {"timeout": 1500}, output="")), world_of())
    before.save()
    before.take(1000, script_of(press(1000)).lines[0].event)
    after = Machine(rule_of(source("out.trigger"), lamp()), world_of())
    recall(after, remembered(before))
    assert after.agenda.next_due() is None


def test_after_a_break_what_was_due_is_done_once_and_what_goes_by_the_clock_is_not_made_up_for() -> None:
    ring = {"type": "periodicAlarm", "hour": 8, "minute": 0, "second": 5, "filter": {}}
    rule = rule_of(
        button("a", 1, "wait.input"),
        button("b", 2, "loop.start"),
        node("wait", "delay", {"timeout": 1500}, output="late.trigger"),
        node("loop", "loop", {"interval": 700}, output="tick.trigger"),
        node("ring", "alarmClock", ring, output="rung.trigger"),
        lamp("late"),
        lamp("tick"),
        lamp("rung"),
    )
    machine = Machine(rule, world_of())
    machine.save()
    for line in script_of(press(1000), press(1000, key=2)).lines:
        machine.take(line.at_ms, line.event)
    machine.wake(3_600_000)
    assert [(each.at_ms, each.node) for each in machine.record.outputs] == [(3_600_000, "tick"), (3_600_000, "late")]
    assert "ring_missed" in {each.code for each in machine.record.diagnostics}
    running = {timer.node: due for due, timer in machine.agenda.running()}
    assert running["loop"] == 3_600_700
    assert running["ring"] == 24 * 3_600_000 + 5000


def script_of(*lines: dict[str, Any], **setup: Any) -> Script:
    return read_script("\n".join(map(json.dumps, [{"setup": {"start": START, **setup}}, *lines])), NOW)


def world_of(**setup: Any) -> World:
    return World(script_of(**setup))


def resumed(rule: Rule, *lines: dict[str, Any], **setup: Any) -> list[Output]:
    """Run a rule that is put away before every line and every 100 ms, and is taken up in a new process each time."""
    script = script_of(*lines, **setup)
    world = World(script)
    machine = Machine(rule, world)
    machine.save()
    told = list(machine.record.outputs)
    events = list(script.lines)
    for at in range(100, script.until_ms + 101, 100):
        machine = again(rule, machine)
        while events and events[0].at_ms < at:
            line = events.pop(0)
            machine.advance(line.at_ms)
            machine.take(line.at_ms, line.event)
        machine.advance(at)
        told += machine.record.outputs
    return told


def again(rule: Rule, before: Machine) -> Machine:
    memory = write_memory(remembered(before))
    after = Machine(rule, before.world)
    recall(after, read_memory(memory))
    return after
