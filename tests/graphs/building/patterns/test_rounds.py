"""PAT-LOOP-01."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.building.things import (
    BRIGHTNESS,
    CLICK,
    CLIMATE,
    DOUBLE,
    HUMIDITY,
    LIGHT,
    ON,
    REMOTE,
    RULE,
    SPEAKER,
    TEMPERATURE,
    at,
    held,
    levels,
    lit,
    pressed,
    prop,
    ran,
    says,
    sends,
    sound,
    values,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.patterns.rounds import First, repeated, temporary, until
from zhixing.graphs.building.sketch import Comparison, Span
from zhixing.graphs.simulating.result import Result
from zhixing.graphs.specs.meanings import Meaning
from zhixing.graphs.specs.model import Property, Value
from zhixing.kernel.errors import BadInput

WORK, DONE = 1, 2
BEGUN, RESTORED, KEPT = 1, 2, 3
REACHED, GIVEN_UP = 1, 2
MINUTE = 60_000
MODE = prop(LIGHT, Meaning.MODE)


def reminder(first: First = "at_once", rounds: int = 3) -> Builder:
    builder = Builder(RULE)
    fragment = repeated(builder, Span(1, "min"), rounds, first)
    builder.wire(pressed(builder), *fragment.into("start"))
    builder.wire(pressed(builder, DOUBLE), *fragment.into("cancel"))
    lit(builder, fragment.out("work"), WORK)
    lit(builder, fragment.out("done"), DONE)
    return builder


def worked(result: Result) -> list[int]:
    return [each for each, level in levels(result) if level == WORK]


@pytest.mark.parametrize("first", ["at_once", "after_interval"])
def test_it_passes_the_checks(first: First) -> None:
    sound(reminder(first))


@pytest.mark.parametrize(("first", "expected"), [("at_once", [0, 1, 2]), ("after_interval", [1, 2, 3])])
def test_it_does_so_many_rounds_and_then_no_timer_runs(first: First, expected: list[int]) -> None:
    result = ran(reminder(first), sends(0, REMOTE, CLICK), until_ms=100 * MINUTE)
    assert worked(result) == [each * MINUTE for each in expected]
    assert [each for each, level in levels(result) if level == DONE] == [expected[-1] * MINUTE]
    assert result.active == ()


def test_a_cancelled_one_does_nothing_more() -> None:
    result = ran(reminder(), sends(0, REMOTE, CLICK), sends(MINUTE + 1, REMOTE, DOUBLE), until_ms=100 * MINUTE)
    assert worked(result) == [0, MINUTE]
    assert result.active == ()


@pytest.mark.parametrize("again", [MINUTE + 30_000, 10 * MINUTE])
def test_a_new_start_has_all_its_rounds(again: int) -> None:
    result = ran(reminder(), sends(0, REMOTE, CLICK), sends(again, REMOTE, CLICK), until_ms=100 * MINUTE)
    assert [each for each in worked(result) if each >= again] == [again + each * MINUTE for each in range(3)]
    assert result.active == ()


def test_one_round_is_one_round() -> None:
    result = ran(reminder(rounds=1), sends(0, REMOTE, CLICK), until_ms=100 * MINUTE)
    assert (worked(result), result.active) == ([0], ())


def polling() -> Builder:
    builder = Builder(RULE)
    fragment = until(builder, Span(1, "min"), (CLIMATE, HUMIDITY), Comparison("<", 50), 4)
    builder.wire(pressed(builder), *fragment.into("start"))
    builder.wire(pressed(builder, DOUBLE), *fragment.into("cancel"))
    lit(builder, fragment.out("reached"), REACHED)
    lit(builder, fragment.out("given_up"), GIVEN_UP)
    return builder


@pytest.mark.parametrize(
    ("reported", "expected"),
    [
        ([(90_000, 40)], [(120_000, REACHED)]),
        ([(0, 40)], [(0, REACHED)]),
        ([(0, 70)], [(180_000, GIVEN_UP)]),
        ([], [(180_000, GIVEN_UP)]),
    ],
)
def test_a_device_is_asked_until_it_compares_or_long_enough(
    reported: list[tuple[int, int]], expected: list[tuple[int, int]]
) -> None:
    lines = [says(at_ms, CLIMATE, HUMIDITY, value) for at_ms, value in reported]
    lines = sorted([*lines, sends(0, REMOTE, CLICK)], key=lambda line: line["at_ms"])
    result = ran(polling(), *lines, until_ms=100 * MINUTE)
    assert levels(result) == expected
    assert result.active == ()


def test_polling_passes_the_checks() -> None:
    sound(polling())


def mode(about: Property, value: Value) -> Builder:
    builder = Builder(RULE)
    fragment = temporary(builder, LIGHT, about, value, "before")
    builder.wire(pressed(builder), *fragment.into("begin"))
    builder.wire(pressed(builder, DOUBLE), *fragment.into("end"))
    for name, level in (("begun", BEGUN), ("restored", RESTORED), ("kept", KEPT)):
        lit(builder, fragment.out(name), level)
    return builder


KINDS: list[tuple[Property, Value, Value]] = [(BRIGHTNESS, 80, 30), (ON, True, False), (MODE, 5, 9)]


@pytest.mark.parametrize(("about", "value", "before"), KINDS)
def test_what_was_changed_for_a_while_is_changed_back(about: Property, value: Value, before: Value) -> None:
    builder = mode(about, value)
    sound(builder)
    state = at({(LIGHT, about): before})
    result = ran(builder, sends(1000, REMOTE, CLICK), sends(5000, REMOTE, DOUBLE), state=state)
    assert values(result, LIGHT) == [value, before]
    assert levels(result) == [(1000, BEGUN), (5000, RESTORED)]
    assert held(result)["beforeActive"] == 0


def lines(*moments: tuple[int, str]) -> list[dict[str, Any]]:
    return [sends(at_ms, REMOTE, CLICK if what == "begin" else DOUBLE) for at_ms, what in moments]


def test_a_late_recovery_does_not_override_what_somebody_chose() -> None:
    begin, end = lines((1000, "begin"), (5000, "end"))
    result = ran(
        mode(BRIGHTNESS, 80), begin, says(3000, LIGHT, BRIGHTNESS, 55), end, state=at({(LIGHT, BRIGHTNESS): 30})
    )
    assert values(result, LIGHT) == [80]
    assert levels(result) == [(1000, BEGUN), (5000, KEPT)]


@pytest.mark.parametrize(("end", "exit_"), [(5000, KEPT), (20_000, RESTORED)])
def test_a_mode_that_ends_before_the_gateway_knows_of_it_is_left_as_it_is(end: int, exit_: int) -> None:
    moments = lines((1000, "begin"), (end, "end"))
    stale = {"state": at({(LIGHT, BRIGHTNESS): 30}), "options": {"property_staleness_ms": 12_000}}
    assert levels(ran(mode(BRIGHTNESS, 80), *moments, **stale)) == [(1000, BEGUN), (end, exit_)]


def test_a_second_begin_does_not_forget_what_was_before() -> None:
    moments = lines((1000, "begin"), (3000, "begin"), (5000, "end"), (9000, "end"))
    result = ran(mode(BRIGHTNESS, 80), *moments, state=at({(LIGHT, BRIGHTNESS): 30}))
    assert values(result, LIGHT) == [80, 30]


def test_nothing_is_changed_that_could_not_be_changed_back() -> None:
    assert values(ran(mode(BRIGHTNESS, 80), *lines((1000, "begin"), (5000, "end"))), LIGHT) == []


def test_a_float_is_known_again_and_a_text_is_refused() -> None:
    temporary(Builder(RULE), CLIMATE, TEMPERATURE, 21, "before")
    text = next(each for service in SPEAKER.spec.services for each in service.properties if each.name == "text-content")
    with pytest.raises(BadInput):
        temporary(Builder(RULE), SPEAKER, text, "a", "before")
