"""What one more event would change."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.explaining.stories import force, script_of
from tests.graphs.simulating.small import button, lamp, node, press, rule_of, says, sensor

from zhixing.graphs.explaining.what_if import Changed, Difference, Firings, what_if
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.simulating.script import Event, Script, Switch
from zhixing.kernel.errors import BadInput

ADD_ONE = [{"type": "var", "scope": "global", "id": "x"}, {"type": "const", "value": "+1"}]
RULE = rule_of(
    button("in", 1, "it.trigger count.input"),
    sensor("on", "it.condition", preload=False),
    node("it", "condition", met="wait.input", unmet=""),
    node("wait", "delay", {"timeout": 5000}, output="out.trigger"),
    node("count", "varSetNumber", {"scope": "global", "id": "x", "elements": ADD_ONE}, output=""),
    lamp(),
)


def script(*lines: dict[str, Any], until_ms: int = 10_000) -> Script:
    return script_of(*lines, until_ms=until_ms, variables={"global.x": 0})


def event(line: dict[str, Any]) -> Event:
    return script_of(line).lines[0].event


def commands(found: Difference) -> tuple[list[int], list[int]]:
    return [each.at_ms for each in found.more_commands], [each.at_ms for each in found.fewer_commands]


def test_one_more_event_adds_commands_variables_and_firings() -> None:
    found = what_if(RULE, script(says(500, True)), 1000, event(press(0)))
    assert commands(found) == ([6000], [])
    assert found.variables == (Changed(Variable("global", "x"), 0, 1),)
    assert Firings("out", 0, 1) in found.firings
    assert (found.more_timers, found.fewer_timers, found.heard, found.none) == ((), (), ("in",), False)


def test_a_timer_that_is_started_anew_moves_its_command() -> None:
    found = what_if(RULE, script(says(500, True), press(1000)), 4000, event(press(0)))
    assert commands(found) == ([9000], [6000])


def test_a_timer_that_still_runs_at_the_end_is_told() -> None:
    found = what_if(RULE, script(says(500, True)), 8000, event(press(0)))
    assert [(each.node, each.due_ms) for each in found.more_timers] == [("wait", 13_000)]
    assert "「延时」（wait）会多一个计时，13 秒到" in found.lines()


def test_an_event_takes_away_what_it_prevents() -> None:
    found = what_if(RULE, script(says(500, True), press(1000)), 700, event(says(0, False)))
    assert commands(found) == ([], [6000])
    assert "会少一条命令：6 秒，「控制设备」（out）不再对 lamp 2.1 发 true" in found.lines()


def test_an_event_that_no_card_waits_for_changes_nothing() -> None:
    found = what_if(RULE, script(), 1000, event(press(0, key=9)))
    assert (found.none, found.heard) == (True, ())
    assert found.lines()[1:] == ("什么都不会变", "没有卡片在等它")


def test_a_source_that_hears_it_and_stays_silent_says_why() -> None:
    found = what_if(RULE, script(says(500, True)), 1000, event(says(0, True)))
    assert found.none
    assert [(each.node, each.code) for each in found.silent] == [("on", "already_true")]


def test_an_event_behind_the_end_prolongs_both_runs() -> None:
    found = what_if(RULE, script(says(500, True), press(1000), until_ms=2000), 7000, event(press(0, key=9)))
    assert found.none


def test_the_event_comes_behind_what_happens_at_the_same_instant() -> None:
    found = what_if(RULE, script(press(1000), says(1000, True)), 1000, event(press(0)))
    assert commands(found) == ([6000], [])


@pytest.mark.parametrize("given", [Switch(on=False), event(force(0, "it", "met"))])
def test_switches_and_forced_outputs_can_be_tried_too(given: Event) -> None:
    found = what_if(RULE, script(says(500, True), press(1000)), 2000, given)
    assert not found.none
    assert all("{" not in line for language in ("zh", "en") for line in found.lines(language))


def test_an_instant_out_of_bounds_is_refused() -> None:
    with pytest.raises(BadInput):
        what_if(RULE, script(), -1, Switch(on=True))
