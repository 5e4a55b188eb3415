"""PAT-STATE-01: what a device said is kept and asked later; two conditions of which either may come last. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.graphs.building.builder import Builder, Outlet
from zhixing.graphs.building.cards import condition, on_load, var_get, var_set_number
from zhixing.graphs.building.device_cards import device_get_set_var, device_input_set_var
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import STATE
from zhixing.graphs.building.sketch import Comparison, Thing, equals
from zhixing.graphs.catalogue import Colour
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.specs.model import Dtype, Property
from zhixing.kernel.errors import BadInput


@dataclass(frozen=True, slots=True)
class Memory:
    """A value of a device in a variable, and `ready`: 1 once the device said it since the rule was enabled."""

    value: Variable
    ready: Variable


def remembered(builder: Builder, thing: Thing, prop: Property, name: str) -> tuple[Memory, Fragment]:
    """Keep a property in variable `name`, and in `<name>Ready` whether it is known.

    The initial value is no value of the device: until it is heard of, or the gateway knew it at enabling, `ready` is 0.
    Exit `known` pulses at each update.
    """
    mark = Mark(builder, STATE)
    memory = Memory(
        builder.declare(name, "" if prop.variable_type is Dtype.STRING else 0), builder.declare(f"{name}Ready", 0)
    )
    read = builder.chain(
        builder.add(on_load()).out(),
        builder.add(var_set_number(memory.ready, 0)),
        builder.add(device_get_set_var(thing, prop, memory.value)),
    )
    heard = builder.add(device_input_set_var(thing, prop, memory.value))
    known = builder.chain(builder.merged([read, heard.out()]), builder.add(var_set_number(memory.ready, 1)))
    return memory, mark.fragment({}, {"known": known})


def recalled(builder: Builder, memory: Memory, when: Comparison) -> Fragment:
    """Ask a memory: entry `ask`, exits `yes`, `no` and `unknown`, which no card of a device tells apart (seed)."""
    mark = Mark(builder, STATE)
    ready, asked = builder.add(var_get(memory.ready, equals(1))), builder.add(var_get(memory.value, when))
    builder.wire(ready.out(), asked.pin())
    exits = {"yes": asked.out(), "no": asked.out("output2"), "unknown": ready.out("output2")}
    return mark.fragment({"ask": (ready.pin(),)}, exits)


def symmetric(builder: Builder, first: Outlet, second: Outlet) -> Fragment:
    """Pulse once, at exit `both`, when the later of two conditions comes true while the other is.

    Both must be pins that send events and states (a property, a variable, a window, logic): an event alone is over
    before the other comes, and is refused.
    """
    if first == second or {first.colour, second.colour} != {Colour.BOTH}:
        raise BadInput("pattern_not_states")
    mark = Mark(builder, STATE)
    one, other = builder.add(condition()), builder.add(condition())
    # States before pulses: where both come true at enabling, each pulse finds the other's state.
    builder.wire(first, other.pin("condition"), one.pin("trigger"))
    builder.wire(second, one.pin("condition"), other.pin("trigger"))
    return mark.fragment({}, {"both": builder.merged([one.out("met"), other.out("met")])})
