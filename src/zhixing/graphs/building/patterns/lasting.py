"""PAT-TIME-01: how long something took, how much of a window has passed, parts of the year. Pure."""

from __future__ import annotations

from datetime import date, time

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.cards import on_load, signal_or, var_get, var_set_number
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import TIME
from zhixing.graphs.building.sketch import Comparison, between
from zhixing.kernel.errors import BadInput

SLACK_MS = 2_000
"""What a timer may be short of its minutes: one of 60 s was measured as 59 700 ms (mijia §1.9)."""
DAY_S = 86_400

Monthday = tuple[int, int]
"""Month and day of the month."""

_RUNNING = Comparison(">", 0)
_LEAP_YEAR = 2024


def measured(builder: Builder, name: str) -> Fragment:
    """Measure from `start` to `end` in whole minutes, at least 1, into variable `name`.

    A second start while it runs changes nothing. Exits: `measured`; `not_started` for an end without a start; and
    `clock_back` when the hub's clock was set back meanwhile, where `name` keeps its value.
    """
    mark = Mark(builder, TIME)
    minutes, begun, spent = (builder.declare(each, 0) for each in (name, f"{name}Start", f"{name}Ms"))
    fresh, started = builder.add(var_get(begun, _RUNNING)), builder.add(var_get(begun, _RUNNING))
    builder.wire(fresh.out("output2"), builder.add(var_set_number(begun, "now()")).pin())
    took = builder.add(var_set_number(spent, "now() - ", begun))
    over = builder.chain(started.out(), took, builder.add(var_set_number(begun, 0)))
    sane = builder.add(var_get(spent, Comparison(">=", 0)))
    builder.wire(over, sane.pin())
    whole = builder.add(var_set_number(minutes, "max(1, floor((", spent, f" + {SLACK_MS}) / 60000))"))
    builder.wire(sane.out(), whole.pin())
    exits = {
        "measured": whole.out(),
        "not_started": started.out("output2"),
        "clock_back": sane.out("output2"),
    }
    return mark.fragment({"start": (fresh.pin(),), "end": (started.pin(),)}, exits)


def day_progress(builder: Builder, start: time, end: time, name: str) -> Fragment:
    """Keep in `name` how much of a daily window has passed, 0 to 1; behind its end 1 until it starts again.

    It is worked out from the time of day at enabling and at each `tick`, so that a rule that is enabled in the middle
    is right at once. Exit `worked`. A window may lie over midnight; one without length is refused.
    """
    if start == end:
        raise BadInput("building_empty_window")
    mark = Mark(builder, TIME)
    passed, now = builder.declare(name, 0), builder.declare(f"{name}Second", 0)
    first, length = _seconds(start), (_seconds(end) - _seconds(start)) % DAY_S
    again = builder.add(signal_or())
    builder.wire(builder.add(on_load()).out(), again.pin("input0"))
    clock = f"(hours() * 3600 + minutes() * 60 + seconds() + {DAY_S} - {first}) % {DAY_S}"
    worked = builder.chain(
        again.out(),
        builder.add(var_set_number(now, clock)),
        builder.add(var_set_number(passed, "max(0, min(1, ", now, f" / {length}))")),
    )
    return mark.fragment({"tick": (again.pin("input1"),)}, {"worked": worked})


def in_year(builder: Builder, first: Monthday, last: Monthday, name: str) -> Fragment:
    """Tell whether today lies from one day of the year to another, both included, also over the year's end.

    Entry `ask`, exits `inside` and `outside`; `name` holds month × 100 + day. Raises `BadInput` for no day of any year.
    """
    low, high = (_key(each) for each in (first, last))
    mark = Mark(builder, TIME)
    today = builder.declare(name, 0)
    card = builder.add(var_set_number(today, "month() * 100 + date()"))
    if low <= high:
        asked = builder.add(var_get(today, between(low, high)))
        builder.wire(card.out(), asked.pin())
        exits = {"inside": asked.out(), "outside": asked.out("output2")}
        return mark.fragment({"ask": (card.pin(),)}, exits)
    late, early = (
        builder.add(var_get(today, Comparison(">=", low))),
        builder.add(var_get(today, Comparison("<=", high))),
    )
    builder.wire(card.out(), late.pin())
    builder.wire(late.out("output2"), early.pin())
    exits = {"inside": builder.merged([late.out(), early.out()]), "outside": early.out("output2")}
    return mark.fragment({"ask": (card.pin(),)}, exits)


def _seconds(at: time) -> int:
    return at.hour * 3600 + at.minute * 60 + at.second


def _key(day: Monthday) -> int:
    try:
        date(_LEAP_YEAR, *day)
    except ValueError as error:
        raise BadInput("pattern_monthday") from error
    return day[0] * 100 + day[1]
