"""PAT-NUM-01."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.graphs.building.things import (
    BRIGHTNESS,
    CLICK,
    LIGHT,
    REMOTE,
    RULE,
    held,
    lit,
    pressed,
    ran,
    sends,
    sound,
    values,
)

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.device_cards import device_output
from zhixing.graphs.building.patterns.fragment import Fragment
from zhixing.graphs.building.patterns.numbers import ramped, range_of, rounded, scaled
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.specs.ranges import Range
from zhixing.kernel.errors import BadInput

RAW = Variable(f"R{RULE}", "raw")


def span(low: float, high: float, step: float | None = None) -> Range:
    return Range(Decimal(str(low)), Decimal(str(high)), None if step is None else Decimal(str(step)))


def worked(builder: Builder, fragment: Fragment, raw: float) -> float | str:
    """Press the remote once, and return what came out."""
    builder.wire(pressed(builder), *fragment.into("work"))
    lit(builder, fragment.out("done"), 1)
    sound(builder)
    return held(ran(builder, sends(1000, REMOTE, CLICK), variables={RAW.key: raw}))["out"]


@pytest.mark.parametrize(
    ("raw", "decimals", "out"),
    [(2.345, 2, 2.35), (2.344, 2, 2.34), (2.5, 0, 3), (-2.5, 0, -2), (20.04, 1, 20), (7, 0, 7)],
)
def test_a_number_is_rounded(raw: float, decimals: int, out: float) -> None:
    builder = Builder(RULE)
    assert worked(builder, rounded(builder, builder.declare("raw", 0), "out", decimals), raw) == pytest.approx(out)


@pytest.mark.parametrize(
    ("given", "wanted", "raw", "out"),
    [
        (span(0, 100), span(0, 10), 55, 5.5),
        # a lower end that is not zero: x * d / b would say 3250
        (span(1, 100, 1), span(2700, 6500, 1), 1, 2700),
        (span(1, 100, 1), span(2700, 6500, 1), 100, 6500),
        (span(1, 100, 1), span(2700, 6500, 1), 50, 4581),
        # steps are counted from the lower end
        (span(0, 100), span(1, 9, 4), 40, 5),
        # the last step may lie below the upper end
        (span(0, 100), span(0, 100, 30), 100, 90),
        (span(-40, 40), span(0, 100, 1), -40, 0),
        (span(0, 1), span(-10, -5, 1), 0.5, -7),
        # values beyond the given range end at the ends of the other
        (span(0, 100), span(0, 10, 1), 120, 10),
        (span(0, 100), span(0, 10), -5, 0),
    ],
)
def test_a_number_is_mapped_onto_another_range(given: Range, wanted: Range, raw: float, out: float) -> None:
    builder = Builder(RULE)
    assert worked(builder, scaled(builder, builder.declare("raw", 0), "out", given, wanted), raw) == pytest.approx(out)


def test_what_was_mapped_can_be_written_to_the_device() -> None:
    for raw in (0, 33, 67, 100):
        builder = Builder(RULE)
        fragment = scaled(builder, builder.declare("raw", 0), "out", span(0, 100), range_of(BRIGHTNESS))
        builder.wire(pressed(builder), *fragment.into("work"))
        sent = builder.add(device_output(LIGHT, BRIGHTNESS, Variable(builder.scope, "out")))
        builder.wire(fragment.out("done"), sent.pin())
        result = ran(builder, sends(1000, REMOTE, CLICK), variables={RAW.key: raw})
        assert values(result, LIGHT) == [max(1, round(1 + raw * 99 / 100))]
        sound(builder)


@pytest.mark.parametrize(("begin", "target", "stops"), [(0, 10, [4, 8, 10, 10]), (10, 1, [6, 2, 1, 1]), (5, 5, [5])])
def test_a_ramp_ends_at_its_target(begin: float, target: float, stops: list[float]) -> None:
    for count, expected in enumerate(stops, 1):
        builder = Builder(RULE)
        fragment = ramped(builder, builder.declare("now", begin), builder.declare("goal", target), 4)
        builder.wire(pressed(builder), *fragment.into("step"))
        lit(builder, fragment.out("stepped"), 1)
        sound(builder)
        result = ran(builder, *(sends(2000 * each, REMOTE, CLICK) for each in range(1, count + 1)))
        assert held(result)["now"] == expected


def test_what_cannot_be_worked_out_is_refused() -> None:
    builder = Builder(RULE)
    raw = builder.declare("raw", 0)
    for make in (
        lambda: rounded(builder, raw, "raw"),
        lambda: rounded(builder, raw, "out", 7),
        lambda: scaled(builder, raw, "out", span(5, 5), span(0, 1)),
        lambda: scaled(builder, raw, "out", span(0, 1), span(9, 3)),
        lambda: ramped(builder, raw, raw, 1),
        lambda: ramped(builder, raw, builder.declare("goal", 1), 0),
    ):
        with pytest.raises(BadInput):
            make()
