"""Plans from JSON: what a check is about comes through, what cannot be a plan does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from tests.household.checks.cases import HOME, ONE_PERSON, PLANS, changed, found

from zhixing.household.checks import CHECKS, Level, check, read_assembly, read_context, refused
from zhixing.household.checks.lexicon import pattern, table
from zhixing.household.plan import read_plan
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import section

HOSTILE: tuple[Any, ...] = (
    *(None, "", " ", "不含；不含，", "\x00\ud800", "「" * 2_001),
    *(0, -1, 10**400, 1.5, float("nan"), True),
    *([], [None], [[]], {}, {"window": []}),
)


def paths(value: Any, way: str = "") -> Iterator[str]:
    """Yield every place of a plan."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inside:
        here = f"{way}.{name}" if way else str(name)
        yield here
        yield from paths(item, here)


@pytest.mark.parametrize("base", ["doc-4", "doc-5", "doc-8", "x-every"])
def test_no_value_at_any_place_is_a_crash(base: str) -> None:
    context = read_context(HOME)
    for path in paths(PLANS[base]):
        for value in HOSTILE:
            plan = changed({"base": base, "set": {path: value}})
            with suppress(BadInput):
                check(read_assembly(plan), context)


@pytest.mark.parametrize("base", ["doc-4", "doc-5", "doc-8"])
def test_nothing_that_is_left_out_is_a_crash(base: str) -> None:
    context = read_context(HOME)
    for path in paths(PLANS[base]):
        with suppress(BadInput):
            check(read_assembly(changed({"base": base, "drop": [path]})), context)


@pytest.mark.parametrize("value", [30.5, "30", True, 0, [], {}])
def test_a_time_that_is_none_is_reported_and_not_refused(value: Any) -> None:
    findings = found(changed({"base": "doc-7", "set": {"rules.0.duration_seconds": value}}))
    assert "V-093" in {finding.id for finding in findings}


@pytest.mark.parametrize("value", ["cam_lr", {}, [1], [""], ["cam_lr", "cam_lr"]])
def test_sources_that_are_no_list_of_cameras_are_reported(value: Any) -> None:
    findings = found(changed({"base": "doc-6", "set": {"rules.0.source": value}}))
    assert [finding.id for finding in findings] == ["V-110"]


@pytest.mark.parametrize("value", [{}, "", "  ", [], 3])
def test_an_empty_answer_to_leaving_is_reported(value: Any) -> None:
    for name in ("on_exit_desc", "on_exit_action") if isinstance(value, dict) else ("on_exit_desc",):
        findings = found(changed({"base": "doc-8", "set": {f"rules.0.{name}": value}}))
        assert "V-029" in {finding.id for finding in findings}


@pytest.mark.parametrize(
    "change",
    [
        {"rules": {}},
        {"rules.0": []},
        {"rules.0.trigger_class": "sometimes"},
        {"rules.0.query.kind": None},
        {"rules.0.query.subject_source": "somebody"},
        {"rules.0.debounce_origin": None},
        {"rules.0.activates": "yes"},
        {"rules.0.duration_second": 30},
        {"task.owner": "x"},
        {"surprise": 1},
        {"record": "none"},
        {"steps": [1]},
    ],
    ids=str,
)
def test_what_cannot_be_a_plan_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        read_assembly(changed({"base": "doc-8", "set": change}))


def test_too_much_of_anything_is_refused() -> None:
    plan = deepcopy(PLANS["doc-6"])
    plan["tips"] = plan["tips"] * 101
    with pytest.raises(TooLarge):
        read_assembly(plan)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_that_passes_can_be_made(name: str) -> None:
    plan = read_plan(PLANS[name])
    assert plan.slug == PLANS[name]["task"]["task_id"]


def test_each_rule_is_reported_by_its_place() -> None:
    plan = deepcopy(PLANS["doc-7"])
    plan["rules"] = [*plan["rules"], {**plan["rules"][0], "mode": "toggle"}, {**plan["rules"][0], "mode": "toggle"}]
    plan["steps"] += ["rule:1", "rule:2"]
    assert [(finding.id, finding.place) for finding in found(plan)] == [("V-022", "rules.1"), ("V-022", "rules.2")]


def test_a_warning_alone_does_not_refuse_a_plan() -> None:
    findings = found(changed({"base": "x-every", "set": {"schedules.0.every_ms": 2700}}))
    assert [finding.level for finding in findings] == [Level.WARNING]
    assert not refused(findings)
    assert refused(found(changed({"base": "x-every", "set": {"schedules.0.every_ms": 0}})))


def test_a_plan_in_a_home_of_one() -> None:
    assert found(PLANS["doc-9"], {"persons": ONE_PERSON}) == ()


def test_a_home_may_be_nearly_empty() -> None:
    home = read_context({"now": HOME["now"], "tz": HOME["tz"], "source_did": None})
    assert {finding.id for finding in check(read_assembly(PLANS["doc-6"]), home)} == {"V-037", "V-112"}


def test_checking_twice_says_the_same() -> None:
    plan = changed({"base": "doc-5", "set": {"rules.0.mode": "event"}})
    assert found(plan) == found(json.loads(json.dumps(plan)))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_check_has_its_words_and_no_words_are_left_over(language: Any) -> None:
    assert set(section("checks", language)) == {one.id for one in CHECKS}


def test_the_words_for_people_have_no_internal_names() -> None:
    assert not any(pattern("talk.internal_patterns").search(text) for text in section("checks", "zh").values())


def test_each_check_names_the_clauses_it_stands_for() -> None:
    assert all(one.clauses.startswith("H-") for one in CHECKS)
    assert [one.id for one in CHECKS] == sorted({one.id for one in CHECKS})


def test_the_expressions_of_the_lexicon_can_be_read() -> None:
    tables = ("condition", "desc", "talk")
    names = [f"{name}.{key}" for name in tables for key in table(name) if key.endswith(("_pattern", "_patterns"))]
    assert all(pattern(name).fullmatch("abc") is None for name in names)
