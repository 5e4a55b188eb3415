"""Whatever stands in a rule, the validator says what it thinks of it and does not fall over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zhixing.graphs.catalogue import node_types
from zhixing.graphs.checks.finding import GRAPH, Profile, verdict
from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.rule import Rule

SAMPLES = sorted((Path(__file__).parents[1] / "samples").glob("*.json"))
RAW = [json.loads(file.read_text(encoding="utf-8")) for file in SAMPLES]
WORDS = st.sampled_from(
    ["", "out", "in1", "a.b", "in1.output", "output", "input0", "trigger", "global", "rule", "between", "include", "="]
) | st.sampled_from(sorted(node_types()))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | WORDS
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the way to every value inside of one."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(way for key, each in inner for way in places(each, (*path, key)))]


def with_value(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    key, *rest = path
    if isinstance(value, dict):
        return {each: with_value(old, tuple(rest), new) if each == key else old for each, old in value.items()}
    return [with_value(old, tuple(rest), new) if each == key else old for each, old in enumerate(value)]


@st.composite
def mutated(draw: st.DrawFn) -> Rule:
    raw: Any = draw(st.sampled_from(RAW))
    for _ in range(draw(st.integers(1, 5))):
        way = draw(st.sampled_from(places(raw)[1:] or [("id",)]))
        raw = with_value(raw, way, draw(VALUES))
    return Rule.of(raw)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
@given(mutated(), st.sampled_from(Profile))
def test_any_mutation_of_a_rule_is_judged(given: Rule, profile: Profile) -> None:
    findings = check_structure(given, profile)
    known = {node.id for node in given.nodes} | {GRAPH}
    for each in findings:
        assert each.node in known
        assert each.text()
        assert each.text("en")
        assert "\n" not in each.text()
    assert verdict(findings) == verdict(check_structure(given, profile))


@given(VALUES)
def test_any_value_as_nodes_is_judged(value: Any) -> None:
    assert check_structure(Rule.of({"nodes": value}))


@pytest.mark.parametrize("profile", Profile)
def test_a_whole_rule_that_is_right_passes(profile: Profile) -> None:
    raw = next(each for file, each in zip(SAMPLES, RAW, strict=True) if file.stem == "hall_night_light")
    assert check_structure(Rule.of(raw), profile) == ()
