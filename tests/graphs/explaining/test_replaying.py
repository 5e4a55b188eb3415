"""Real logs on the graph."""

from __future__ import annotations

import json
from typing import Any

from tests.graphs.explaining.stories import number, script_of
from tests.graphs.simulating.small import (
    RULE,
    SENSOR,
    button,
    lamp,
    node,
    press,
    ran,
    rule_of,
    says,
    sensor,
    sets,
)

from zhixing.graphs.explaining.comparing import Verdict
from zhixing.graphs.explaining.replaying import Replay, replay
from zhixing.graphs.logs import format_line
from zhixing.graphs.rule import Rule

T0 = 1_741_000_000_000
"""When the written logs begin."""


def link(at_ms: int, source: str, target: str) -> str:
    return f"3|{T0 + at_ms}|l|{RULE}|{source}|{target}|null"


def info(at_ms: int, name: str, value: object) -> str:
    return f"3|{T0 + at_ms}|i|{RULE}|{name}|{json.dumps(value)}"


def switch(at_ms: int, *, on: bool = True) -> str:
    return f'3|{T0 + at_ms}|r|{RULE}|{{"enable":{json.dumps(on)}}}'


def log_of(rule: Rule, *lines: dict[str, Any], **setup: Any) -> list[str]:
    return [format_line(line) for line in ran(rule, *lines, **setup).trace]


def counts(found: Replay) -> dict[str, int]:
    return {verdict.value: found.count(verdict) for verdict in Verdict if found.count(verdict)}


WAITING = rule_of(button("in", 1, "it.input"), node("it", "delay", {"timeout": 5000}, output="out.trigger"), lamp())
GATED = rule_of(
    button("in", 1, "it.trigger"),
    sensor("on", "it.condition"),
    node("it", "condition", met="out.trigger", unmet=""),
    lamp(),
)
ASKED = {"did": SENSOR, "siid": 2, "piid": 1, "dtype": "int", "operator": ">=", "v1": 50}
QUERY = rule_of(
    button("in", 1, "it.input"),
    node("it", "deviceGet", ASKED, output="out.trigger", output2="off.trigger"),
    lamp(),
    lamp("off"),
)
TO_X = {"scope": "global", "id": "x"}


def test_the_log_of_a_run_replays_as_it_was() -> None:
    rules = [
        (WAITING, [press(1000), press(3000), press(20_000)], {"until_ms": 30_000}),
        (GATED, [says(500, True), press(1000), says(2000, False), press(3000)], {}),
        (QUERY, [says(500, 70), press(1000), says(1500, 20), press(5000)], {}),
        (rule_of(number("varChange", "out.trigger"), lamp()), [sets(1000, "x", 5)], {"variables": {"global.x": 0}}),
    ]
    for rule, lines, setup in rules:
        found = replay(rule, log_of(rule, *lines, **setup))
        assert found.agrees, found.lines()
        assert found.known_from_start
        assert found.entries


def test_a_timer_of_the_hub_that_is_a_little_late_is_the_same() -> None:
    found = replay(WAITING, [switch(0), link(1000, "in.output", "it.input"), link(6180, "it.output", "out.trigger")])
    assert counts(found) == {"same": 2}
    assert (found.entries[1].logged_ms, found.entries[1].ran_ms) == (T0 + 6180, T0 + 6000)


def test_what_came_at_another_time_is_told_with_both() -> None:
    lines = [switch(0), link(1000, "in.output", "it.input"), link(16_000, "it.output", "out.trigger")]
    found = replay(WAITING, lines)
    assert counts(found) == {"same": 1, "other_time": 1}
    assert found.lines()[1] == "16 秒：it.output → out.trigger 传了 null，重放在 6 秒"


def test_what_only_one_of_them_did_is_missing_or_additional() -> None:
    lines = [switch(0), link(1000, "in.output", "it.input"), link(400_000, "it.output", "out.trigger")]
    found = replay(WAITING, lines)
    assert counts(found) == {"same": 1, "missing": 1, "additional": 1}
    assert [(each.verdict, each.at_ms - T0) for each in found.differing] == [
        (Verdict.ADDITIONAL, 6000),
        (Verdict.MISSING, 400_000),
    ]


def test_a_query_goes_where_the_log_went() -> None:
    lines = [
        switch(0),
        link(1000, "in.output", "it.input"),
        info(1010, "it", 70),
        link(1020, "it.output", "out.trigger"),
        link(9000, "in.output", "it.input"),
        link(9020, "it.output2", "off.trigger"),
    ]
    found = replay(QUERY, lines)
    assert found.agrees
    assert [each.node for each in found.result.outputs] == ["out", "off"]


def test_a_query_of_which_the_log_tells_only_the_value_compares_it() -> None:
    rule = rule_of(
        button("in", 1, "it.input"), node("it", "deviceGet", ASKED, output="", output2="off.trigger"), lamp("off")
    )
    lines = [switch(0), link(1000, "in.output", "it.input"), info(1010, "it", 20)]
    assert counts(replay(rule, lines)) == {"same": 1, "additional": 1}


def test_a_query_that_failed_in_the_log_goes_nowhere() -> None:
    lines = [switch(0), link(1000, "in.output", "it.input"), f"3|{T0 + 1010}|e|{RULE}|it|-9999|user ack timeout"]
    assert replay(QUERY, lines).agrees


def test_what_was_stored_is_taken_from_the_log() -> None:
    rule = rule_of(
        node(
            "in",
            "deviceInputSetVar",
            {"did": SENSOR, "siid": 2, "piid": 1, "dtype": "number", **TO_X},
            output="get.input",
        ),
        node(
            "get", "varGet", {**TO_X, "varType": "number", "operator": ">=", "v1": 3}, output="out.trigger", output2=""
        ),
        lamp(),
    )
    lines = [
        switch(0),
        info(1000, "in", 7),
        link(1000, "in.output", "get.input"),
        link(1010, "get.output", "out.trigger"),
    ]
    found = replay(rule, lines)
    assert found.agrees
    assert list(found.result.variables.values()) == [7]


def test_a_text_that_looks_like_a_number_stays_a_text() -> None:
    rule = rule_of(
        button("in", 1, "it.input"),
        node("it", "varSetString", {**TO_X, "elements": [{"type": "const", "value": "0"}]}, output="out.trigger"),
        lamp(),
    )
    lines = [
        switch(0),
        link(1000, "in.output", "it.input"),
        f"3|{T0 + 1010}|i|{RULE}|it|12",
        link(1010, "it.output", "out.trigger"),
    ]
    found = replay(rule, lines)
    assert found.agrees
    assert list(found.result.variables.values()) == ["12"]


def test_wires_and_cards_that_are_gone_are_marked() -> None:
    lines = [
        switch(0),
        link(1000, "in.output", "gone.input"),
        link(1000, "in.output", "it.input"),
        link(2000, "it.extra", "out.trigger"),
        info(3000, "old", 1),
        link(6000, "it.output", "out.trigger"),
    ]
    found = replay(WAITING, lines)
    assert counts(found) == {"same": 2, "drift": 2}
    assert [(each.watchpoint, each.count) for each in found.drift] == [
        ("link:in.output->gone.input", 1),
        ("node:gone", 1),
        ("link:it.extra->out.trigger", 1),
        ("node:old", 1),
    ]
    assert "图里已经没有 node:old，日志里有 1 行，最早在 3 秒" in found.lines()


def test_a_wire_that_is_new_in_the_rule_is_additional() -> None:
    rule = rule_of(button("in", 1, "out.trigger more.trigger"), lamp(), lamp("more"))
    found = replay(rule, [switch(0), link(1000, "in.output", "out.trigger")])
    assert counts(found) == {"same": 1, "additional": 1}


def test_wires_of_one_output_are_sent_at_once_and_those_of_two_presses_are_not() -> None:
    rule = rule_of(button("in", 1, "a.trigger b.trigger"), lamp("a"), lamp("b"))
    lines = [link(at, "in.output", end) for at in (1000, 1020) for end in ("a.trigger", "b.trigger")]
    found = replay(rule, [switch(0), *lines])
    assert counts(found) == {"same": 4}
    assert found.result.fired["in"] == 2


def test_states_and_pulses_of_one_output_go_along_their_own_wires() -> None:
    rule = rule_of(
        sensor("in", "it.condition it.trigger"), node("it", "condition", met="out.trigger", unmet=""), lamp()
    )
    found = replay(rule, log_of(rule, says(1000, True), says(2000, False), says(3000, True)))
    assert found.agrees
    assert found.result.fired["out"] == 2


def test_a_log_that_begins_in_the_middle_says_that_the_start_is_not_known() -> None:
    found = replay(GATED, [link(1000, "in.output", "it.trigger"), link(1000, "it.met", "out.trigger")])
    assert (counts(found), found.known_from_start) == ({"same": 1, "missing": 1}, False)
    assert any("之前的状态不知道" in line for line in found.lines())


def test_switching_on_again_begins_anew() -> None:
    rule = rule_of(button("in", 1, "it.input"), node("it", "onlyNTimes", {"n": 1}, output="out.trigger"), lamp())
    lines = [switch(0), link(1000, "in.output", "it.input"), link(1000, "it.output", "out.trigger")]
    again = [switch(2000), link(3000, "in.output", "it.input"), link(3000, "it.output", "out.trigger")]
    assert replay(rule, lines + again).agrees


def test_blocks_of_a_log_may_come_newest_first_and_with_lines_of_other_rules() -> None:
    log = log_of(WAITING, press(1000), until_ms=9000)
    other = [line.replace(RULE, "1764000000002") for line in log]
    found = replay(WAITING, ["", *log[2:], "nonsense", *other, *log[:2]])
    assert found.agrees
    assert (found.others, found.log.unread_count) == (len(other), 1)
    assert "有 1 行读不懂，没有用" in found.lines()


def test_what_was_around_can_be_given() -> None:
    lines = [switch(0), link(1000, "in.output", "it.input"), link(1000, "it.output2", "off.trigger")]
    around = script_of(state={SENSOR: {"2.1": 70}})
    # only the log knows that something else was read
    assert replay(QUERY, lines, around).agrees
    assert counts(replay(QUERY, lines[:2], around)) == {"same": 1, "additional": 1}


def test_a_log_without_the_rule_is_empty() -> None:
    found = replay(WAITING, ["", f"3|{T0}|l|7|a.output|b.input|null"])
    assert found.lines() == ("日志里没有这条规则的连线记录",)
    assert found.entries == ()


def test_every_line_is_said_in_both_languages() -> None:
    lines = [link(1000, "in.output", "gone.input"), link(1000, "in.output", "it.input"), "?"]
    lines += [link(30_000, "it.output", "out.trigger"), link(400_000, "it.output", "out.trigger")]
    found = replay(WAITING, lines)
    for language in ("zh", "en"):
        assert all("{" not in line for line in found.lines(language))
        assert all("{" not in entry.text(found.start_ms, language) for entry in found.entries)
