"""Rules nobody wrote: what is right passes, is written as it is read, and runs; nothing that is wrong does harm."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.graphs.cases.generated import STATE, VARIABLES, broken, rules, scripts
from tests.graphs.simulating.small import ran

from zhixing.graphs.checks.finding import Level, Profile
from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.layout.model import Direction, Options
from zhixing.graphs.logs import ErrorLine
from zhixing.graphs.placing import placed
from zhixing.graphs.reading import read_rule
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.result import Result, result_json
from zhixing.graphs.writing import write_rule

KNOWN = {"semantics_unproven", "uninitialised_state", "already_true", "calendar_unknown", "never_rings", "stale_read"}
"""What a run may remark upon without anything having gone wrong."""

generous = settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


def run(rule: Rule, lines: list[dict[str, Any]], **options: Any) -> Result:
    # a variable may hold what a device does not take: that is about what it holds, not about the rule
    given = {"dynamic_out_of_range": "clamp"} | options
    return ran(rule, *lines, state=STATE, variables=VARIABLES, until_ms=60_000, options=given)


@generous
@given(rules())
def test_a_rule_is_read_as_it_was_written(rule: Rule) -> None:
    text = write_rule(rule)
    again = read_rule(text)
    assert again == rule
    assert write_rule(again) == text
    assert again.wires == rule.wires


@generous
@given(rules(), scripts())
def test_a_rule_that_is_right_may_be_saved_and_runs_without_a_fault(rule: Rule, lines: list[dict[str, Any]]) -> None:
    assert [each.code for each in check_structure(rule) if each.level is Level.ERROR] == []
    result = run(rule, lines)
    assert {each.code for each in result.diagnostics} <= KNOWN
    assert not any(isinstance(line, ErrorLine) for line in result.trace)
    assert result_json(run(rule, lines)) == result_json(result)


@settings(generous, max_examples=100)
@given(rules(), st.sampled_from(Direction))
def test_a_layout_moves_cards_and_nothing_else(rule: Rule, direction: Direction) -> None:
    after = placed(rule, Options(direction=direction))
    assert [(each.id, each.outputs, each.props) for each in after.nodes] == [
        (each.id, each.outputs, each.props) for each in rule.nodes
    ]
    places = [each.position for each in after.nodes if each.position is not None]
    assert len(places) == len(rule.nodes)
    for number, one in enumerate(places):
        for other in places[:number]:
            beside = one.x + one.width <= other.x or other.x + other.width <= one.x
            below = one.y + one.height <= other.y or other.y + other.height <= one.y
            assert beside or below
    assert placed(after, Options(direction=direction)) == after


@generous
@given(broken(), scripts(), st.sampled_from(Profile))
def test_what_is_broken_is_judged_drawn_and_run_to_an_end(
    rule: Rule, lines: list[dict[str, Any]], profile: Profile
) -> None:
    assert check_structure(rule, profile) == check_structure(rule, profile)
    assert len(placed(rule).nodes) == len(rule.nodes)
    result = run(rule, lines, suppress_self_echo=False, max_steps_per_instant=200)
    assert result_json(run(rule, lines, suppress_self_echo=False, max_steps_per_instant=200)) == result_json(result)
    assert json.loads(json.dumps(result_json(result)))
