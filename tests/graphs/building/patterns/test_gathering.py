"""PAT-AGG-01."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.building.things import (
    BEDSIDE,
    CLIMATE,
    HUMIDITY,
    LIGHT,
    ON,
    PORCH,
    RULE,
    SPEAKER,
    at,
    held,
    levels,
    lit,
    prop,
    ran,
    says,
    sound,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.patterns.gathering import How, at_least, gathered
from zhixing.graphs.building.sketch import Comparison, Thing, equals
from zhixing.graphs.specs.meanings import Meaning
from zhixing.kernel.errors import BadInput

CLIMATES = [(CLIMATE, HUMIDITY), (PORCH, HUMIDITY), (Thing("attic", CLIMATE.spec), HUMIDITY)]
LIGHTS = [(LIGHT, ON), (BEDSIDE, prop(BEDSIDE, Meaning.POWER)), (Thing("third", LIGHT.spec), ON)]
ENOUGH, FEW = 1, 2


def result_of(how: How, *lines: dict[str, Any], **setup: Any) -> tuple[list[int], dict[str, float | str]]:
    """Return when it was worked out, and the variables at the end."""
    builder = Builder(RULE)
    lit(builder, gathered(builder, CLIMATES, how, "all").out("worked"), ENOUGH)
    result = ran(builder, *lines, **setup)
    return [each for each, _ in levels(result)], held(result)


def reports(*values: float) -> list[dict[str, Any]]:
    return [says(1000 * (number + 1), *CLIMATES[number], value) for number, value in enumerate(values)]


@pytest.mark.parametrize(("how", "out"), [(How.MIN, 20), (How.MAX, 60), (How.AVERAGE, 40), (How.SPREAD, 20)])
def test_one_value_is_made_of_all(how: How, out: float) -> None:
    moments, variables = result_of(how, *reports(20, 60, 40))
    assert moments == [3000]
    assert variables["all"] == pytest.approx(out)


@pytest.mark.parametrize("how", list(How))
def test_it_passes_the_checks(how: How) -> None:
    builder = Builder(RULE)
    lit(builder, gathered(builder, CLIMATES[:2], how, "all").out("worked"), ENOUGH)
    sound(builder)


def test_nothing_is_worked_out_before_every_sensor_is_known() -> None:
    moments, variables = result_of(How.MIN, *reports(20, 60))
    assert (moments, variables["all"]) == ([], 0)


def test_what_the_gateway_knows_at_enabling_is_worked_out_at_once_and_each_report_after_it() -> None:
    known = at(dict(zip(CLIMATES, (30, 50, 40), strict=True)))
    moments, variables = result_of(How.MAX, says(1000, *CLIMATES[0], 90), state=known)
    assert (moments, variables["all"]) == ([0, 1000], 90)


def counted(count: int, *lines: dict[str, Any], **setup: Any) -> list[tuple[int, object]]:
    builder = Builder(RULE)
    fragment = at_least(builder, LIGHTS, equals(1), count, "lit")
    lit(builder, fragment.out("enough"), ENOUGH)
    lit(builder, fragment.out("few"), FEW)
    return levels(ran(builder, *lines, **setup))


def test_at_least_two_of_three_is_told_when_it_begins_and_when_it_ends() -> None:
    on, off = True, False
    lines = [
        says(1000, *LIGHTS[0], on),
        says(2000, *LIGHTS[1], on),
        says(3000, *LIGHTS[2], off),  # only now all are known
        says(4000, *LIGHTS[2], on),  # three are still at least two
        says(5000, *LIGHTS[0], off),
        says(6000, *LIGHTS[1], off),
        says(7000, *LIGHTS[0], on),
    ]
    assert counted(2, *lines) == [(3000, ENOUGH), (6000, FEW), (7000, ENOUGH)]


def test_an_unknown_sensor_is_neither_enough_nor_too_few() -> None:
    assert counted(1, says(1000, *LIGHTS[0], False), says(2000, *LIGHTS[1], True)) == []


def test_too_few_is_told_when_it_is_known_and_no_sensor_compares() -> None:
    assert counted(1, *(says(1000, *each, False) for each in LIGHTS)) == [(1000, FEW)]


def test_numbers_are_counted_by_a_comparison() -> None:
    builder = Builder(RULE)
    fragment = at_least(builder, CLIMATES, Comparison(">", 60), 2, "wet")
    lit(builder, fragment.out("enough"), ENOUGH)
    lit(builder, fragment.out("few"), FEW)
    assert levels(ran(builder, *reports(70, 50, 80))) == [(3000, ENOUGH)]


def test_counting_passes_the_checks() -> None:
    builder = Builder(RULE)
    fragment = at_least(builder, CLIMATES[:2], Comparison(">", 60), 2, "wet")
    lit(builder, fragment.out("enough"), ENOUGH)
    lit(builder, fragment.out("few"), FEW)
    sound(builder)


def test_what_cannot_be_gathered_is_refused() -> None:
    builder = Builder(RULE)
    text = next(each for service in SPEAKER.spec.services for each in service.properties if each.name == "text-content")
    for make in (
        lambda: gathered(builder, CLIMATES[:1], How.MIN, "a"),
        lambda: gathered(builder, [CLIMATES[0], CLIMATES[0]], How.MIN, "b"),
        lambda: gathered(builder, [CLIMATES[0], (SPEAKER, text)], How.MIN, "c"),
        lambda: at_least(builder, LIGHTS, equals(1), 0, "d"),
        lambda: at_least(builder, LIGHTS, equals(1), 4, "e"),
    ):
        with pytest.raises(BadInput):
            make()
