"""Small recipes (mijia §7.3). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time

from zhixing.graphs.building.builder import GLOBAL, Builder, Outlet
from zhixing.graphs.building.cards import on_load, only_n_times, signal_or, var_change, var_set_number
from zhixing.graphs.building.device_cards import device_get_set_var
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import DAILY_LIMIT, FIRST_ROUND, FLIP, HOLD, OFF_TIMER, ORDERED_START
from zhixing.graphs.building.sketch import Span, Thing, equals
from zhixing.graphs.building.time_cards import alarm_clock, delay, loop, status_last
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.specs.model import Dtype, Property
from zhixing.kernel.errors import BadInput

_MIDNIGHT = time()


def held_for(builder: Builder, state: Outlet, span: Span) -> Fragment:
    """Pulse once, at exit `held`, when a state was true for so long; a break begins it anew."""
    mark = Mark(builder, HOLD)
    card = builder.add(status_last(span))
    builder.wire(state, card.pin())
    return mark.fragment({}, {"held": card.out()})


def off_timer(builder: Builder, seen: Outlet, span: Span) -> Fragment:
    """Pulse at `on` at once, and at `off` so long after the last time. Only one source: others would hold it back."""
    mark = Mark(builder, OFF_TIMER)
    card = builder.add(delay(span))
    builder.wire(seen, card.pin())
    return mark.fragment({}, {"on": seen, "off": card.out()})


def first_at_once(builder: Builder, interval: Span) -> Fragment:
    """Repeat from the moment it starts, whenever the loop's own first tick is. Entries `start`, `stop`, exit `work`."""
    mark = Mark(builder, FIRST_ROUND)
    beat, both = builder.add(loop(interval)), builder.add(signal_or())
    builder.wire(beat.out(), both.pin("input0"))
    return mark.fragment(
        {"start": (beat.pin("start"), both.pin("input1")), "stop": (beat.pin("stop"),)}, {"work": both.out()}
    )


def daily_limit(builder: Builder, most: int, at: time = _MIDNIGHT) -> Fragment:
    """Let `most` pulses a day through. Entry `input`, exit `output`."""
    mark = Mark(builder, DAILY_LIMIT)
    card = builder.add(only_n_times(most))
    builder.wire(builder.add(alarm_clock(at)).out(), card.pin("zero"))
    return mark.fragment({"input": (card.pin(),)}, {"output": card.out()})


def flag(builder: Builder, name: str) -> Variable:
    """Declare a variable by which one rule wakes another; both do so alike."""
    return builder.declare(name, 0, scope=GLOBAL)


def raised(builder: Builder, flag: Variable) -> Fragment:
    """Raise a flag for a rule that waits for it. Entry `raise`, exit `raised`."""
    mark = Mark(builder, FLIP)
    card = builder.add(var_set_number(flag, 1))
    return mark.fragment({"raise": (card.pin(),)}, {"raised": card.out()})


def lowered(builder: Builder, flag: Variable) -> Fragment:
    """Wait for a flag and put it down at once, or it would never be seen to rise again. Exit `seen`."""
    mark = Mark(builder, FLIP)
    seen = builder.add(var_change(flag, equals(1)))
    return mark.fragment({}, {"seen": builder.chain(seen.out(), builder.add(var_set_number(flag, 0)))})


def ordered_start(builder: Builder, reads: Sequence[tuple[Thing, Property, str]]) -> Fragment:
    """Read properties into variables at enabling, one after the other; exit `ready` pulses when all are known."""
    if not reads:
        raise BadInput("pattern_nothing_to_read")
    mark = Mark(builder, ORDERED_START)
    cards = [
        builder.add(
            device_get_set_var(thing, prop, builder.declare(name, "" if prop.variable_type is Dtype.STRING else 0))
        )
        for thing, prop, name in reads
    ]
    return mark.fragment({}, {"ready": builder.chain(builder.add(on_load()).out(), *cards)})
