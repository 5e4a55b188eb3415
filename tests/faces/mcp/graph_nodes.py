"""Cards of rules over the home that comes with the program."""

from __future__ import annotations

from typing import Any

LIGHT = "urn:miot-spec-v2:device:light:0000A001:zhixing-light-v1:1"
BUTTON = "urn:miot-spec-v2:device:remote-control:0000A021:zhixing-button-v1:1"


def node(name: str, kind: str, props: Any, pins: str = "", urn: str = "", **wires: list[str]) -> dict[str, Any]:
    """Write a card; `pins` are its inputs, `wires` its outputs."""
    cfg = {"name": kind, "version": 1, **({"urn": urn} if urn else {})}
    inputs = dict.fromkeys(pins.split())
    return {"id": name, "type": kind, "cfg": cfg, "props": props, "inputs": inputs, "outputs": wires}


def pressed(*ends: str) -> dict[str, Any]:
    return node("press", "deviceInput", {"did": "button_bedside", "siid": 2, "eiid": 1}, urn=BUTTON, output=[*ends])


def lamp(name: str = "lamp", *, on: bool = True, did: str = "lamp_bedside", then: str = "") -> dict[str, Any]:
    props = {"did": did, "siid": 2, "piid": 1, "value": on}
    return node(name, "deviceOutput", props, "trigger", LIGHT, output=[then] if then else [])


def counted(scope: str = "rule") -> dict[str, Any]:
    elements = [{"type": "var", "scope": scope, "id": "n"}, {"type": "const", "value": " + 1"}]
    return node("count", "varSetNumber", {"scope": scope, "id": "n", "elements": elements}, "input", output=[])


TIMES = {"id": "n", "type": "number", "value": 0, "name": "次数"}
