"""What the devices of a virtual home can do, as the documents that MIoT-Spec-V2 has for products."""

from __future__ import annotations

from typing import Any

from zhixing.world.devices.specs import Action, Event, Kind, Property, Service

Json = Any

_ACCESS = {"r": "read", "w": "write", "n": "notify"}
_VALUE = "00000000"
"""The number of a member in the standard's tables: ours are in none."""


def instance_of(kind: Kind) -> dict[str, Json]:
    """Return the specification instance of a kind: `{"type", "description", "services": […]}`."""
    model = kind.urn.split(":", 5)[-1]
    return {
        "type": kind.urn,
        "description": kind.title,
        "services": [_service(each, model) for each in kind.services],
    }


def _service(service: Service, model: str) -> dict[str, Json]:
    return {
        **_named(service.number, "service", service.name, model),
        "properties": [_property(each, model) for each in service.properties],
        "actions": [_action(each, service, model) for each in service.actions],
        "events": [_event(each, model) for each in service.events],
    }


def _property(each: Property, model: str) -> dict[str, Json]:
    spec = each.spec
    found = {
        **_named(each.number, "property", spec.name, model),
        "format": each.format,
        "access": [_ACCESS[letter] for letter in each.access],
    }
    if each.says:
        found["description"] = each.says
    if spec.unit:
        found["unit"] = spec.unit
    if spec.choices:
        found["value-list"] = [{"value": value, "description": said} for value, said in spec.choices]
    elif spec.low is not None and spec.high is not None:
        found["value-range"] = [spec.low, spec.high, *([] if spec.step is None else [spec.step])]
    return found


def _action(each: Action, service: Service, model: str) -> dict[str, Json]:
    takes = [service.get(argument.name).number for argument in each.spec.arguments]
    return {**_named(each.number, "action", each.spec.name, model), "in": takes, "out": []}


def _event(each: Event, model: str) -> dict[str, Json]:
    return {**_named(each.number, "event", each.name, model), "arguments": list(each.arguments)}


def _named(number: int, what: str, name: str, model: str) -> dict[str, Json]:
    return {"iid": number, "type": f"urn:miot-spec-v2:{what}:{name}:{_VALUE}:{model}", "description": name}
