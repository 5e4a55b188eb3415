"""Rules over the shipped virtual home, for tests of commands and of the HTTP API."""

from __future__ import annotations

from typing import Any

DOOR = "urn:miot-spec-v2:device:magnet-sensor:0000A016:zhixing-contact-v1:1"
LIGHT = "urn:miot-spec-v2:device:light:0000A001:zhixing-light-v1:1"
ID = "1700000000002"


def rule(*, id_: str = ID, name: str = "玄关灯", value: object = True, enable: bool = True) -> dict[str, Any]:
    """When the door opens, the light of the entrance becomes `value`. Without `id_` the rule has none."""
    cfg = {"enable": enable, "uiType": "graph", "userData": {"name": name}}
    return {**({"id": id_} if id_ else {}), "cfg": {**({"id": id_} if id_ else {}), **cfg}, "nodes": nodes(value=value)}


def nodes(*, value: object = True) -> list[dict[str, Any]]:
    """Give the two cards of the rule."""
    opened = {"did": "door_entrance", "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True}
    return [
        {
            "id": "open",
            "type": "deviceInput",
            "inputs": {},
            "outputs": {"output": ["on.trigger"]},
            "props": opened,
            "cfg": {"name": "deviceInput", "version": 1, "urn": DOOR},
        },
        {
            "id": "on",
            "type": "deviceOutput",
            "inputs": {"trigger": None},
            "outputs": {"output": []},
            "props": {"did": "light_entrance", "siid": 2, "piid": 1, "value": value},
            "cfg": {"name": "deviceOutput", "version": 1, "urn": LIGHT},
        },
    ]


def counting(scope: str = "global") -> dict[str, Any]:
    """When the variable `count` of a scope changes above 3, the light goes on."""
    listening = {
        "id": "count",
        "type": "varChange",
        "inputs": {},
        "outputs": {"output": ["on.trigger"]},
        "props": {"scope": scope, "id": "count", "varType": "number", "preload": False, "operator": ">", "v1": 3},
        "cfg": {"name": "varChange", "version": 1},
    }
    return {**rule(id_="1700000000003", name="数到三"), "nodes": [listening, nodes()[1]]}
