"""PAT-LOOP-01: rounds that end, and a mode that is taken back. The way out is wired before the way in. Pure."""

from __future__ import annotations

from typing import Literal

from zhixing.graphs.building.builder import Builder, Inlet, Outlet
from zhixing.graphs.building.cards import counter, signal_or, var_get, var_set_number
from zhixing.graphs.building.device_cards import device_get, device_get_set_var, device_output
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import LOOP
from zhixing.graphs.building.patterns.writing import written
from zhixing.graphs.building.sketch import Attribute, Comparison, Span, Thing, equals
from zhixing.graphs.building.time_cards import loop
from zhixing.graphs.specs.model import Dtype, Property, Value
from zhixing.kernel.errors import BadInput

First = Literal["at_once", "after_interval"]


def repeated(builder: Builder, interval: Span, rounds: int, first: First = "at_once") -> Fragment:
    """Pulse at `work`, `rounds` times; then `done` pulses, with the last round.

    Entries `start`, which begins again with a full number of rounds, and `cancel`. The first round `at_once` does not
    rest on when the hub's loop ticks first.
    """
    mark = Mark(builder, LOOP)
    beat, count, stop = builder.add(loop(interval)), builder.add(counter(rounds)), builder.add(signal_or())
    builder.wire(stop.out(), beat.pin("stop"))
    builder.wire(count.out(), stop.pin("input0"))
    start: tuple[Inlet, ...] = (count.pin("zero"), beat.pin("start"))
    work = beat.out()
    if first == "at_once":
        both = builder.add(signal_or())
        builder.wire(beat.out(), both.pin("input0"))
        start, work = (*start, both.pin("input1")), both.out()
    # Counted before the work is done, so that nothing that the work causes comes before the stop.
    builder.wire(work, count.pin("input"))
    return mark.fragment({"start": start, "cancel": (stop.pin("input1"),)}, {"work": work, "done": count.out()})


def until(builder: Builder, interval: Span, watched: Attribute, when: Comparison, rounds: int) -> Fragment:
    """Ask a property again and again until it compares (`reached`), `rounds` times at most (`given_up`).

    Entries `start` and `cancel`. For devices that report nothing of themselves.
    """
    mark = Mark(builder, LOOP)
    polling = repeated(builder, interval, rounds)
    asked, stop = builder.add(device_get(*watched, when)), builder.add(signal_or())
    builder.wire(polling.out("work"), asked.pin())
    builder.wire(asked.out(), stop.pin("input0"))
    builder.wire(stop.out(), *polling.into("cancel"))
    return mark.fragment(
        {"start": polling.into("start"), "cancel": (stop.pin("input1"),)},
        {"reached": asked.out(), "given_up": polling.out("done")},
    )


def temporary(builder: Builder, thing: Thing, prop: Property, value: Value, name: str) -> Fragment:
    """Set a property at `begin` and set it back at `end` to what it was, unless somebody changed it meanwhile.

    What it was is in variable `name`, and in `<name>Active` whether the mode is on. A `begin` while it is on changes
    nothing, and neither does one when nobody knows what to go back to. Exits `begun`, `restored`, `kept` (somebody else
    decided). For some ten seconds after `begin` the gateway may not know of it yet, and an `end` then counts as `kept`
    (mijia §1.9): this is for modes that last longer.
    """
    if prop.variable_type is not Dtype.NUMBER:
        raise BadInput("pattern_not_number")
    mark = Mark(builder, LOOP)
    saved, active = builder.declare(name, 0), builder.declare(f"{name}Active", 0)
    idle, running = builder.add(var_get(active, equals(1))), builder.add(var_get(active, equals(1)))
    begun = builder.chain(
        idle.out("output2"),
        builder.add(device_get_set_var(thing, prop, saved)),
        builder.add(var_set_number(active, 1)),
        builder.add(device_output(thing, prop, value)),
    )
    ours = builder.add(device_get(thing, prop, _is(prop, value)))
    builder.chain(running.out(), builder.add(var_set_number(active, 0)), ours)
    into, restored, none = written(builder, thing, prop, saved)
    builder.wire(ours.out(), into)
    kept: list[Outlet] = [ours.out("output2"), *([] if none is None else [none])]
    exits = {"begun": begun, "restored": restored, "kept": builder.merged(kept)}
    return mark.fragment({"begin": (idle.pin(),), "end": (running.pin(),)}, exits)


def _is(prop: Property, value: Value) -> Comparison:
    """Ask for a value; floats know no `=` (X5)."""
    floating = prop.comparison_dtype is Dtype.FLOAT
    return Comparison("between", value, value) if floating else equals(value)
