"""The kinds of devices that are shipped, and the published JSON form of a specification.

The numbers, names and ranges of `kinds.yaml` are of our own choosing, in the manner of the common devices of a home.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from zhixing.world.devices.fields import Fields
from zhixing.world.devices.specreading import read_kind
from zhixing.world.devices.specs import Kind, Property, Service
from zhixing.world.devices.yamltext import read_yaml

_ACCESS_WORDS = {"r": "read", "w": "write", "n": "notify"}


@cache
def kinds() -> Mapping[str, Kind]:
    """Return the shipped kinds by category."""
    text = files("zhixing.world.devices").joinpath("kinds.yaml").read_text(encoding="utf-8")
    found = [read_kind(node) for node in Fields(read_yaml(text), "kinds", ("kinds",)).items("kinds", 64)]
    return {kind.category: kind for kind in found}


def printed(kind: Kind) -> dict[str, Any]:
    """Return a specification in the JSON form of MIoT-Spec-V2 (`mijia.md` §3.2).

    The codes inside the names of services and members are zero: virtual devices stand in nobody's register.
    """
    return {
        "type": kind.urn,
        "description": kind.title,
        "services": [_service(kind, service) for service in kind.services],
    }


def _service(kind: Kind, service: Service) -> dict[str, Any]:
    found: dict[str, Any] = {
        "iid": service.number,
        "type": _urn(kind, "service", service.name),
        "description": service.name,
        "properties": [_property(kind, each) for each in service.properties],
        "actions": [
            {
                "iid": each.number,
                "type": _urn(kind, "action", each.spec.name),
                "description": each.spec.name,
                "in": [int(argument.iid.rpartition(".")[2]) for argument in each.spec.arguments],
                "out": [],
            }
            for each in service.actions
        ],
        "events": [
            {
                "iid": each.number,
                "type": _urn(kind, "event", each.name),
                "description": each.name,
                "arguments": list(each.arguments),
            }
            for each in service.events
        ],
    }
    return {name: value for name, value in found.items() if value != []}


def _property(kind: Kind, prop: Property) -> dict[str, Any]:
    spec = prop.spec
    found: dict[str, Any] = {
        "iid": prop.number,
        "type": _urn(kind, "property", spec.name),
        "description": spec.name,
        "format": prop.format,
        "access": [_ACCESS_WORDS[letter] for letter in prop.access],
    }
    if spec.unit:
        found["unit"] = spec.unit
    if spec.low is not None:
        found["value-range"] = [spec.low, spec.high, spec.step]
    if spec.choices:
        found["value-list"] = [{"value": value, "description": text} for value, text in spec.choices]
    return found


def _urn(kind: Kind, what: str, name: str) -> str:
    make = kind.model.replace(".", "-")
    return f"urn:miot-spec-v2:{what}:{name}:00000000:{make}:1"
