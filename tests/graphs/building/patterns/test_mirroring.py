"""PAT-SYNC-01, with the mirrors that swing beside those that come to rest (mijia §8 case 19)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs.building.things import (
    BEDSIDE,
    BRIGHTNESS,
    LIGHT,
    ON,
    OTHER,
    RULE,
    SPEAKER,
    at,
    found,
    prop,
    ran,
    says,
    sound,
    values,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.device_cards import device_input, device_output
from zhixing.graphs.building.patterns.mirroring import followed, mirrored, slack
from zhixing.graphs.building.patterns.numbers import range_of
from zhixing.graphs.building.sketch import Attribute, equals
from zhixing.graphs.simulating.script import Property as Key
from zhixing.graphs.specs.meanings import Meaning
from zhixing.kernel.errors import BadInput

LEFT: Attribute = (LIGHT, ON)
RIGHT: Attribute = (OTHER, ON)
BRIGHT: Attribute = (LIGHT, BRIGHTNESS)
LOUD: Attribute = (SPEAKER, prop(SPEAKER, Meaning.VOLUME))
REPORTED: dict[str, Any] = {"options": {"suppress_self_echo": False, "property_staleness_ms": 300}, "until_ms": 60_000}
"""Each write is reported 300 ms later."""
RACE = [says(1000, LIGHT, ON, True), says(1100, LIGHT, ON, False)]
"""Somebody presses twice, so that a report is on its way while the other one comes."""


def sides(result: Any, *attributes: Attribute) -> list[object]:
    return [result.devices.get(Key(thing.did, about.siid, about.piid)) for thing, about in attributes]


def copied() -> Builder:
    """Mirror without asking."""
    builder = Builder(RULE)
    for one, other in ((LEFT, RIGHT), (RIGHT, LEFT)):
        for value in (True, False):
            seen = builder.add(device_input(*one, equals(value)))
            builder.wire(seen.out(), builder.add(device_output(*other, value)).pin())
    return builder


def mirror() -> Builder:
    builder = Builder(RULE)
    mirrored(builder, LEFT, RIGHT)
    return builder


def test_a_mirror_of_two_switches_is_twelve_cards_that_pass_the_checks() -> None:
    assert len(mirror().ids) == 12
    sound(mirror())


def test_a_mirror_that_does_not_ask_swings_and_this_one_comes_to_rest() -> None:
    state = at({LEFT: False, RIGHT: False})
    swings, rests = (ran(builder, *RACE, state=state, **REPORTED) for builder in (copied(), mirror()))
    assert "unconditional_mirror" in {each.code for each in found(copied())}
    assert swings.outputs[-1].at_ms > 59_000
    assert rests.outputs[-1].at_ms < 3_000
    left, right = sides(rests, LEFT, RIGHT)
    assert left == right


@pytest.mark.parametrize("attribute", [LEFT, RIGHT])
@pytest.mark.parametrize(("value", "before"), [(True, False), (False, True)])
def test_each_side_follows_the_other(attribute: Attribute, value: object, before: object) -> None:
    state = at({LEFT: before, RIGHT: before})
    # a report of the other value first: a source without preload knows nothing at enabling
    lines = [says(1000, *attribute, before), says(2000, *attribute, value)]
    result = ran(mirror(), *lines, state=state, **REPORTED)
    assert sides(result, LEFT, RIGHT) == [value, value]
    assert len(result.outputs) == 1


def test_sides_that_are_equal_already_are_left_alone() -> None:
    assert ran(mirror(), says(1000, *LEFT, True), state=at({RIGHT: True}), **REPORTED).outputs == ()


def test_a_mirror_may_turn_values_round() -> None:
    builder = Builder(RULE)
    mirrored(builder, LEFT, RIGHT, [(True, False), (False, True)])
    result = ran(builder, says(1000, *LEFT, True), state=at({RIGHT: True}), **REPORTED)
    assert values(result, OTHER) == [False]


def pair() -> Builder:
    builder = Builder(RULE)
    followed(builder, BRIGHT, LOUD, "down")
    followed(builder, LOUD, BRIGHT, "up")
    return builder


def test_numbers_pass_the_checks() -> None:
    builder = Builder(RULE)
    followed(builder, BRIGHT, LOUD, "volume")
    sound(builder)
    sound(pair())


@pytest.mark.parametrize("level", [1, 33, 50, 67, 100])
def test_numbers_in_two_ranges_follow_each_other_and_come_to_rest(level: int) -> None:
    state = at({BRIGHT: 20, LOUD: 90})
    result = ran(pair(), says(1000, *BRIGHT, level), state=state, **REPORTED)
    bright, loud = sides(result, BRIGHT, LOUD)
    assert (bright, loud) == (level, round((level - 1) * 100 / 99))
    assert len(result.outputs) == 1


def test_numbers_that_differ_by_rounding_only_are_left_alone() -> None:
    builder = Builder(RULE)
    followed(builder, BRIGHT, LOUD, "volume")
    assert ran(builder, says(1000, *BRIGHT, 50), state=at({LOUD: 50}), **REPORTED).outputs == ()


def test_a_follower_of_which_nothing_is_known_is_left_alone() -> None:
    builder = Builder(RULE)
    followed(builder, BRIGHT, LOUD, "volume")
    assert ran(builder, says(1000, *BRIGHT, 50), **REPORTED).outputs == ()


def test_what_would_never_come_to_rest_is_refused() -> None:
    builder = Builder(RULE)
    mode = prop(LIGHT, Meaning.MODE)
    for make in (
        lambda: mirrored(builder, LEFT, LEFT),
        lambda: mirrored(builder, LEFT, RIGHT, []),
        lambda: mirrored(builder, (LIGHT, mode), (OTHER, mode), [(4, 4), (5, 4)]),
        lambda: followed(builder, BRIGHT, LOUD, "volume", 0.5),
        lambda: followed(builder, BRIGHT, (BEDSIDE, prop(BEDSIDE, Meaning.POWER)), "power"),
    ):
        with pytest.raises(BadInput):
            make()
    assert slack(range_of(BRIGHTNESS), range_of(LOUD[1])) == pytest.approx((100 / 99 + 1) / 2)
