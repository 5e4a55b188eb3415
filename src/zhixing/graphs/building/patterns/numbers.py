"""PAT-NUM-01: rounding, scaling, ramps. What is worked out has a variable of its own. Pure."""

from __future__ import annotations

from decimal import Decimal

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.cards import Part, var_set_number
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import NUM
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.specs.model import Property
from zhixing.graphs.specs.ranges import Range, plain
from zhixing.kernel.errors import BadInput

MOST_DECIMALS = 6


def rounded(builder: Builder, source: Variable, name: str, decimals: int = 0) -> Fragment:
    """Put a variable, rounded, into `name`: halves go up, -2.5 to -2. Entry `work`, exit `done`.

    Zeros at the end are not kept: 2.50 becomes 2.5 in a text.
    """
    if not 0 <= decimals <= MOST_DECIMALS:
        raise BadInput("pattern_decimals", limit=MOST_DECIMALS)
    ten = 10**decimals
    parts: tuple[Part, ...] = ("round(", source, f" * {ten}) / {ten}") if decimals else ("round(", source, ")")
    return _derived(builder, source, name, parts)


def scaled(builder: Builder, source: Variable, name: str, given: Range, wanted: Range) -> Fragment:
    """Map a variable from one range onto another, whatever their lower ends, then to a step and within the ends.

    Entry `work`, exit `done`. Raises `BadInput` for a range that says nothing or has no width.
    """
    return _derived(builder, source, name, mapped(source, given, wanted))


def mapped(source: Variable, given: Range, wanted: Range) -> tuple[Part, ...]:
    """Return the expression of `scaled`."""
    for each in (given, wanted):
        if not each.usable or each.low == each.high:
            raise BadInput("pattern_range")
    low, high, step = _written(wanted.low), _written(wanted.high), wanted.step
    ratio: tuple[Part, ...] = (
        "(",
        source,
        f" - {_written(given.low)}) / ({_written(given.high)} - {_written(given.low)})",
    )
    if step is None or step <= 0:
        return (f"max({low}, min({high}, {low} + ", *ratio, f" * ({high} - {low})))")
    # Steps are counted from the lower end, and not all ranges end on one.
    steps = (wanted.high - wanted.low) / step
    most = int(steps)
    head = f"{low} + max(0, min({most}, round("
    return (head, *ratio, f" * {_written(steps)}))) * {_written(step)}")


def range_of(prop: Property) -> Range:
    """Return the range of a property. Raises `BadInput` if it has none."""
    if prop.range is None or not prop.range.usable:
        raise BadInput("building_no_range", member=prop.name)
    return prop.range


def ramped(builder: Builder, current: Variable, target: Variable, step: float) -> Fragment:
    """Bring a variable one step nearer to another, never past it. Entry `step`, exit `stepped`."""
    if step <= 0:
        raise BadInput("pattern_step")
    if current == target:
        raise BadInput("pattern_same_variable", name=current.id)
    mark = Mark(builder, NUM)
    parts: tuple[Part, ...] = ("max(min(", target, ", ", current, f" + {step}), ", current, f" - {step})")
    card = builder.add(var_set_number(current, *parts))
    return mark.fragment({"step": (card.pin(),)}, {"stepped": card.out()})


def _derived(builder: Builder, source: Variable, name: str, parts: tuple[Part, ...]) -> Fragment:
    mark = Mark(builder, NUM)
    target = builder.declare(name, 0)
    if target == source:
        raise BadInput("pattern_same_variable", name=name)
    card = builder.add(var_set_number(target, *parts))
    return mark.fragment({"work": (card.pin(),)}, {"done": card.out()})


def _written(number: Decimal) -> str:
    """Write a number; one below zero in brackets, so that no two signs stand side by side."""
    shown = str(plain(number))
    return f"({shown})" if number < 0 else shown
