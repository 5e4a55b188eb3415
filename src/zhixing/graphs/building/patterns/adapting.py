"""PAT-ADAPT-01: what is peculiar to a device stays at the edge of a rule; rules that speak to each other. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zhixing.graphs.building.builder import Builder
from zhixing.graphs.building.cards import var_set_number, var_set_string
from zhixing.graphs.building.device_cards import (
    device_action,
    device_event,
    device_event_set_var,
    device_input_set_var,
    device_output,
)
from zhixing.graphs.building.patterns.fragment import Fragment, Mark
from zhixing.graphs.building.patterns.library import ADAPT
from zhixing.graphs.building.patterns.writing import told_apart
from zhixing.graphs.building.sketch import Attribute, Sketch, Thing, equals
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.specs.meanings import Doing, Happening, find_actions, find_events
from zhixing.graphs.specs.model import Dtype, Event, Property, Value
from zhixing.kernel.errors import BadInput, NotFound

LONGEST_NAME = 64
"""Characters of the name of a virtual event."""
UNKNOWN = "unknown"
"""What a contract says of a value that nobody foresaw."""

Command = tuple[Thing, Property, Value]


def contract(builder: Builder, name: str, scope: str = "") -> Variable:
    """Declare a text variable between an adapter and the core of a rule, `UNKNOWN` at first; scope `GLOBAL` for all."""
    return builder.declare(name, UNKNOWN, scope=scope)


def adapted_input(builder: Builder, source: Attribute, words: Mapping[Value, str], into: Variable) -> Fragment:
    """Keep in a text variable what a property means, by `words` for each of its values, else `UNKNOWN`.

    Exits `known` and `unknown` pulse when it was set. A motion that is seen is no room that is occupied: where a device
    only reports that something begins, there must be a word for its end, too.
    """
    if len(words) < 2 or UNKNOWN in words.values():
        raise BadInput("pattern_words", unknown=UNKNOWN)
    mark = Mark(builder, ADAPT)
    raw = builder.declare(f"{into.id}Raw", "" if source[1].variable_type is Dtype.STRING else 0)
    heard = builder.add(device_input_set_var(*source, raw))
    cases = [
        (int(value) if isinstance(value, bool) else value, var_set_string(into, word)) for value, word in words.items()
    ]
    first, known, none = told_apart(builder, raw, cases)
    builder.wire(heard.out(), first)
    unknown = builder.chain(none, builder.add(var_set_string(into, UNKNOWN)))
    return mark.fragment({}, {"known": known, "unknown": unknown})


def adapted_output(builder: Builder, action: Variable, commands: Mapping[str, Command]) -> Fragment:
    """Send the command that belongs to what a text variable holds. Entry `act`, exits `sent` and `unknown`."""
    mark = Mark(builder, ADAPT)
    cases: Sequence[tuple[str, Sketch]] = [(word, device_output(*command)) for word, command in commands.items()]
    into, sent, unknown = told_apart(builder, action, cases)
    return mark.fragment({"act": (into,)}, {"sent": sent, "unknown": unknown})


def probe(builder: Builder, thing: Thing, event: Event, name: str) -> Fragment:
    """Keep each argument of an event in `<name><piid>` and how often it came in `name`, and do nothing else.

    For events of which nobody knows what they carry. Exit `heard`, for a note at most.
    """
    if not event.arguments:
        raise BadInput("pattern_no_arguments", member=event.name)
    mark = Mark(builder, ADAPT)
    count = builder.declare(name, 0)
    kept = {piid: builder.declare(f"{name}{piid}", _first(thing, event, piid)) for piid in event.arguments}
    heard = builder.add(device_event_set_var(thing, event, kept))
    return mark.fragment({}, {"heard": builder.chain(heard.out(), builder.add(var_set_number(count, count, " + 1")))})


def announced(builder: Builder, hub: Thing, name: str) -> Fragment:
    """Send a virtual event that all rules hear: a pulse and no state (mijia §1.10). Entry `send`, exit `sent`."""
    mark = Mark(builder, ADAPT)
    found = find_actions(hub.spec, Doing.VIRTUAL)
    if not found:
        raise NotFound("building_not_of_device", member=Doing.VIRTUAL.value, did=hub.did)
    card = builder.add(device_action(hub, found[0], [_named(name)]))
    return mark.fragment({"send": (card.pin(),)}, {"sent": card.out()})


def overheard(builder: Builder, hub: Thing, name: str) -> Fragment:
    """Hear a virtual event of just that name. Exit `heard`."""
    mark = Mark(builder, ADAPT)
    found = [each for each in find_events(hub.spec, Happening.VIRTUAL) if each.arguments]
    if not found:
        raise NotFound("building_not_of_device", member=Happening.VIRTUAL.value, did=hub.did)
    asked = {found[0].arguments[0]: equals(_named(name))}
    return mark.fragment({}, {"heard": builder.add(device_event(hub, found[0], asked)).out()})


def _named(name: str) -> str:
    """Return a name that two rules can write alike: no blanks at its ends, which nobody sees."""
    if not name or name != name.strip() or len(name) > LONGEST_NAME:
        raise BadInput("pattern_event_name", limit=LONGEST_NAME)
    return name


def _first(thing: Thing, event: Event, piid: int) -> float | str:
    prop = thing.spec.property(event.siid, piid)
    return "" if prop is not None and prop.variable_type is Dtype.STRING else 0
