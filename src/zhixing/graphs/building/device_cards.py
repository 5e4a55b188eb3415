"""The five types of cards about devices (mijia §1.3). Numbers, dtypes and ranges come from the specification. Pure.

What a device does not allow (a property that never reports, a value out of range) is for `checks` to say; refused here
is only what cannot be written at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zhixing.graphs.building.sketch import Comparison, Sketch, Thing, one_of
from zhixing.graphs.catalogue import operators, v1_fits, v2_fits
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Json, Members
from zhixing.graphs.specs.model import Action, Dtype, Event, Property, Value
from zhixing.graphs.specs.ranges import exact, plain
from zhixing.kernel.errors import BadInput, NotFound

Given = Value | Variable
"""What is sent: a value, or the variable that holds it."""


def device_input(thing: Thing, prop: Property, when: Comparison, *, preload: bool = False) -> Sketch:
    """Watch a property; `preload` looks at it once when the rule is enabled."""
    asked = _asked(prop, when)
    return Sketch("deviceInput", {**_at(thing, prop), "preload": preload, **asked}, urn=_urn(thing))


def device_event(thing: Thing, event: Event, arguments: Mapping[int, Comparison | None] | None = None) -> Sketch:
    """Watch an event. `arguments` are filters by piid, which must all pass; None as a filter lets any value through."""
    at: Members = {"did": thing.did, "siid": event.siid, "eiid": _known_event(thing, event).eiid, "preload": False}
    if arguments is None:
        return Sketch("deviceInput", at, urn=_urn(thing))
    filters = [_filter(_argument(thing, event, piid), when) for piid, when in arguments.items()]
    return Sketch("deviceInput", {**at, "arguments": filters}, urn=_urn(thing))


def device_get(thing: Thing, prop: Property, when: Comparison) -> Sketch:
    """Ask for a property: `output` when it compares, else `output2`, which is also what an unknown value may give."""
    asked = _asked(prop, when)
    return Sketch("deviceGet", {**_at(thing, prop), **asked}, ("input",), ("output", "output2"), _urn(thing))


def device_output(thing: Thing, prop: Property, given: Given) -> Sketch:
    """Set a property to a value, or to what a variable holds."""
    return Sketch("deviceOutput", {**_at(thing, prop), **_sent(prop, given)}, ("trigger",), urn=_urn(thing))


def device_action(thing: Thing, action: Action, inputs: Sequence[Given] = ()) -> Sketch:
    """Let a device do something; `inputs` in the order of the action's own."""
    if thing.spec.action(action.siid, action.aiid) != action:
        raise NotFound("building_not_of_device", member=action.name, did=thing.did)
    if len(inputs) != len(action.takes):
        raise BadInput("building_action_inputs", member=action.name, count=len(action.takes), given=len(inputs))
    ins = [
        {"piid": piid, **_sent(_member(thing, action.siid, piid), given)}
        for piid, given in zip(action.takes, inputs, strict=True)
    ]
    props: Members = {"did": thing.did, "siid": action.siid, "aiid": action.aiid, "ins": ins}
    return Sketch("deviceOutput", props, ("trigger",), urn=_urn(thing))


def device_input_set_var(thing: Thing, prop: Property, variable: Variable, *, preload: bool = False) -> Sketch:
    """Put every report of a property into a variable, and pulse; a bool is kept as 0 or 1."""
    props: Members = {**_at(thing, prop), "dtype": _slot(prop), **_variable(variable), "preload": preload}
    return Sketch("deviceInputSetVar", props, urn=_urn(thing))


def device_event_set_var(thing: Thing, event: Event, variables: Mapping[int, Variable]) -> Sketch:
    """Put arguments of an event into variables, by piid, and pulse."""
    arguments = [
        {"piid": piid, "dtype": _slot(_argument(thing, event, piid)), **_variable(variable)}
        for piid, variable in variables.items()
    ]
    eiid = _known_event(thing, event).eiid
    props: Members = {"did": thing.did, "siid": event.siid, "eiid": eiid, "arguments": arguments}
    return Sketch("deviceInputSetVar", props, urn=_urn(thing))


def device_get_set_var(thing: Thing, prop: Property, variable: Variable) -> Sketch:
    """Put what the gateway knows of a property into a variable, then pulse. There is no second output (seed)."""
    props: Members = {**_at(thing, prop), "dtype": _slot(prop), **_variable(variable)}
    return Sketch("deviceGetSetVar", props, ("input",), urn=_urn(thing))


def _urn(thing: Thing) -> str:
    return str(thing.spec.urn)


def _at(thing: Thing, prop: Property) -> Members:
    if thing.spec.property(prop.siid, prop.piid) != prop:
        raise NotFound("building_not_of_device", member=prop.name, did=thing.did)
    return {"did": thing.did, "siid": prop.siid, "piid": prop.piid}


def _member(thing: Thing, siid: int, piid: int) -> Property:
    found = thing.spec.property(siid, piid)
    if found is None:
        raise NotFound("building_not_of_device", member=piid, did=thing.did)
    return found


def _known_event(thing: Thing, event: Event) -> Event:
    if thing.spec.event(event.siid, event.eiid) != event:
        raise NotFound("building_not_of_device", member=event.name, did=thing.did)
    return event


def _argument(thing: Thing, event: Event, piid: int) -> Property:
    if piid not in event.arguments:
        raise NotFound("building_not_of_device", member=piid, did=thing.did)
    return _member(thing, event.siid, piid)


def _asked(prop: Property, when: Comparison) -> Members:
    dtype = prop.comparison_dtype
    if dtype is None:
        raise BadInput("building_format", member=prop.name)
    if when.operator == "=" and prop.choices and dtype is Dtype.INT and not isinstance(when.v1, tuple):
        # The editor shows a value-list as boxes to tick and fails on a single value (mijia §1.4, X6).
        when = one_of(when.v1)
    return {"dtype": dtype.value, **_compared(prop, dtype, when)}


def _filter(prop: Property, when: Comparison | None) -> Members:
    """Return one filter of an event; a single value stays one there (mijia §1.4)."""
    dtype = prop.comparison_dtype
    if dtype is None:
        raise BadInput("building_format", member=prop.name)
    return {"piid": prop.piid, "dtype": dtype.value, **({} if when is None else _compared(prop, dtype, when))}


def _compared(prop: Property, dtype: Dtype, when: Comparison) -> Members:
    members = when.members
    known = operators("device", dtype.value)
    if when.operator not in known:
        raise BadInput("building_operator", member=prop.name, operator=when.operator, known=" ".join(known))
    if not v1_fits("device", dtype.value, when.operator, members["v1"]) or not v2_fits(
        "device", dtype.value, when.operator, members.get("v2")
    ):
        raise BadInput("building_operand", member=prop.name, operator=when.operator)
    return members


def _sent(prop: Property, given: Given) -> Members:
    if not isinstance(given, Variable):
        return {"value": given}
    slot = _slot(prop)
    limits = _limits(prop) if slot == Dtype.NUMBER else {}
    return {"id": given.id, "scope": given.scope, "dtype": slot, **limits}


def _limits(prop: Property) -> Mapping[str, Json]:
    """Return what a number is held to; the gateway takes it from the card (mijia §1.3, 3v)."""
    if prop.range is None or not prop.range.usable:
        raise BadInput("building_no_range", member=prop.name)
    step = exact(prop.range.step)
    return {"min": plain(prop.range.low), "max": plain(prop.range.high), "step": 0 if step is None else plain(step)}


def _slot(prop: Property) -> str:
    if prop.slot_dtype is None:
        raise BadInput("building_format", member=prop.name)
    return prop.slot_dtype.value


def _variable(variable: Variable) -> Members:
    return {"scope": variable.scope, "id": variable.id}
