"""What a device can do, as JSON: the members of its specification, with numbers, types and limits for rules."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from zhixing.faces.graph_wire import Wire
from zhixing.graphs.specs.model import Access, Action, Event, Property, Service, Spec
from zhixing.graphs.specs.ranges import Range, exact, plain

_LISTS = ("properties", "events", "actions")


def of_spec(spec: Spec | None) -> Wire:
    """Write what a device can do, member by member in the order of its specification; all null where it is unknown."""
    if spec is None:
        return {"kind": None, **dict.fromkeys(_LISTS)}
    services = [each for each in spec.services if not spec.informs_only(each.siid)]
    return {
        "kind": spec.kind,
        "properties": [of_property(one, each) for each in services for one in each.properties],
        "events": [of_event(one, each) for each in services for one in each.events],
        "actions": [of_action(one, each) for each in services for one in each.actions],
    }


def of_property(prop: Property, service: Service) -> Wire:
    """Write a property. `dtype` is for comparing it, `variableDtype` for a slot of a variable; null: neither can be."""
    return {
        "iid": f"prop.{prop.siid}.{prop.piid}",
        "siid": prop.siid,
        "service": service.name,
        **_argument(prop),
        "access": [each.value for each in Access if each in prop.access],
    }


def of_event(event: Event, service: Service) -> Wire:
    """Write an event and what it tells."""
    return {
        "iid": f"event.{event.siid}.{event.eiid}",
        "siid": event.siid,
        "eiid": event.eiid,
        "service": service.name,
        "name": event.name,
        "description": event.description,
        "arguments": _arguments(event.arguments, service),
    }


def of_action(action: Action, service: Service) -> Wire:
    """Write an action; `in` and `out` are in the order of the specification, which is that of `ins` in a card."""
    return {
        "iid": f"action.{action.siid}.{action.aiid}",
        "siid": action.siid,
        "aiid": action.aiid,
        "service": service.name,
        "name": action.name,
        "description": action.description,
        "in": _arguments(action.takes, service),
        "out": _arguments(action.gives, service),
    }


def _argument(prop: Property) -> Wire:
    dtype, slot = prop.comparison_dtype, prop.slot_dtype
    return {
        "piid": prop.piid,
        "name": prop.name,
        "description": prop.description,
        "format": prop.format.value,
        "dtype": None if dtype is None else dtype.value,
        "variableDtype": None if slot is None else slot.value,
        "unit": prop.unit,
        "range": None if prop.range is None else _range(prop.range),
        "choices": [{"value": each.value, "description": each.description} for each in prop.choices],
    }


def _arguments(piids: Sequence[int], service: Service) -> list[Wire]:
    """Write properties of a service by their numbers; one that it does not have has its number only."""
    found = [(piid, service.property(piid)) for piid in piids]
    return [{"piid": piid} if prop is None else _argument(prop) for piid, prop in found]


def _range(span: Range) -> Wire:
    return {"min": _number(span.low), "max": _number(span.high), "step": _number(span.step)}


def _number(value: Decimal | None) -> int | float | None:
    found = exact(value)
    return None if found is None else plain(found)
