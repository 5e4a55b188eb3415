"""A small home for checks of what devices can do, and rules of a few cards for it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Home, home_of

RULE = "1764000000001"
SAMPLES = (
    "light", "curtain", "speaker", "speaker_stepped", "air_conditioner", "occupancy_sensor", "climate_sensor", "lock",
    "remote_single", "remote_double", "gateway", "motion_sensor", "motion_sensor_listed", "outlet",
)  # fmt: skip
ODD = "urn:miot-spec-v2:device:sensor:0000A0FF:sample-odd:1"
NO_SPEC = "urn:miot-spec-v2:device:heater:0000A01A:sample-none:1"


def odd_spec() -> dict[str, Any]:
    """Give a specification with ranges and types that real ones rarely have."""

    def prop(iid: int, name: str, kind: str, **more: Any) -> dict[str, Any]:
        urn = f"urn:miot-spec-v2:property:{name}:00000001:sample-odd:1"
        access = ["read", "write", "notify"]
        return {"iid": iid, "type": urn, "description": name, "format": kind, "access": access, **more}

    levels = [{"value": value, "description": str(value)} for value in (0, 1, 2)]
    return {
        "type": ODD,
        "description": "怪设备",
        "services": [
            {
                "iid": 2,
                "type": "urn:miot-spec-v2:service:sensor:00007800:sample-odd:1",
                "description": "",
                "properties": [
                    prop(1, "upside-down", "uint8", **{"value-range": [100, 1, 1]}),
                    prop(2, "zero-step", "uint8", **{"value-range": [0, 100, 0]}),
                    prop(3, "offset", "int32"),
                    prop(4, "level", "float", **{"value-list": levels}),
                    prop(5, "label", "string"),
                    prop(6, "fine", "float", **{"value-range": [16, 31, 0.1]}),
                    prop(7, "colour", "string", **{"value-list": [{"value": "red", "description": "红"}]}),
                    prop(8, "raw", "hex"),
                    prop(9, "on", "bool", **{"value-list": levels}),
                ],
                "actions": [
                    {
                        "iid": 1,
                        "type": "urn:miot-spec-v2:action:set:00002800:sample-odd:1",
                        "description": "设定",
                        "in": [3, 6, 99],
                        "out": [],
                    }
                ],
            }
        ],
    }


def raw_sample(name: str) -> bytes:
    """Give a packaged specification as it is written."""
    return files("zhixing.graphs.specs").joinpath("samples", f"{name}.json").read_bytes()


URNS = {name: json.loads(raw_sample(name))["type"] for name in SAMPLES} | {"odd": ODD, "no_spec": NO_SPEC}

DEVICES: dict[str, Any] = {
    name: {"urn": urn, "name": f"我的{name}", "room": "客厅", "online": True, "pushAvailable": True}
    for name, urn in URNS.items()
} | {
    "offline": {"urn": URNS["light"], "name": "床头灯", "room": "主卧", "online": False},
    "silent": {"urn": URNS["motion_sensor"], "name": "车库人体", "room": "车库", "pushAvailable": False},
    "old": {"urn": None, "name": "旧设备", "room": "车库"},
}
VARIABLES: dict[str, Any] = {
    "global": {
        "num": {"type": "number", "value": 0, "userData": {"name": "设定温度"}},
        "txt": {"type": "string", "value": "", "userData": {"name": "txt"}},
    },
    f"R{RULE}": {"used": {"type": "number", "value": 0}, "left": {"type": "number", "value": 0}},
    "R1764000000009": {"$error": "timeout"},
}


def home(**changed: Any) -> Home:
    """Give the home; a file that is `...` is left out, others are put in its place or beside."""
    contents = {f"{name}.json": raw_sample(name) for name in SAMPLES}
    contents["odd.json"] = json.dumps(odd_spec()).encode()
    given = {"devices": DEVICES, "variables": VARIABLES, **changed}
    contents |= {f"{name}.json": json.dumps(value).encode() for name, value in given.items() if value is not ...}
    return home_of(contents.items())


def node(name: str, kind: str, props: dict[str, Any], **cfg: Any) -> dict[str, Any]:
    """Give a card; a device named by `props` has its URN."""
    urn = (DEVICES.get(props.get("did", "")) or {}).get("urn")
    told = {"name": kind, "version": 1, **({"urn": urn} if urn else {}), **cfg}
    return {"id": name, "type": kind, "cfg": told, "props": props, "inputs": {}, "outputs": {}}


def rule(*nodes: dict[str, Any], id_: str = RULE) -> Rule:
    """Give a rule of these cards, wired or not: what devices can do does not ask."""
    return Rule.of({"id": id_, "nodes": list(nodes), "cfg": {"id": id_, "enable": True, "userData": {}}})
