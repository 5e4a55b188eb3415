"""What a device can do, as programs get it."""

from __future__ import annotations

from typing import Any

from zhixing.faces.spec_wire import of_spec
from zhixing.graphs.specs.reading import spec_of


def urn(kind: str, name: str) -> str:
    return f"urn:miot-spec-v2:{kind}:{name}:0000A001:example-none-v1:1"


def prop(piid: int, name: str, format_: str, **more: Any) -> dict[str, Any]:
    return {"iid": piid, "type": urn("property", name), "description": name, "format": format_, "access": [], **more}


DOCUMENT = {
    "type": urn("device", "light"),
    "description": "灯",
    "services": [
        {
            "iid": 1,
            "type": urn("service", "device-information"),
            "description": "",
            "properties": [prop(1, "manufacturer", "string")],
        },
        {
            "iid": 2,
            "type": urn("service", "light"),
            "description": "灯",
            "properties": [
                prop(1, "level", "float", **{"value-range": [0, 1, 0.1]}),
                prop(2, "raw", "hex"),
                prop(3, "mode", "uint8", **{"value-list": [{"value": 0, "description": "普通"}]}),
            ],
            "actions": [{"iid": 1, "type": urn("action", "go"), "description": "", "in": [3, 1], "out": []}],
            "events": [{"iid": 1, "type": urn("event", "gone"), "description": "", "arguments": [9]}],
        },
    ],
}


def test_of_a_device_that_nobody_knows_nothing_is_said_rather_than_that_it_can_do_nothing() -> None:
    assert of_spec(None) == {"kind": None, "properties": None, "events": None, "actions": None}


def test_members_are_written_with_what_nodes_need_and_who_made_the_device_is_left_out() -> None:
    wire = of_spec(spec_of(DOCUMENT))
    level, raw, mode = wire["properties"]
    assert (level["iid"], level["dtype"], level["variableDtype"]) == ("prop.2.1", "float", "number")
    assert level["range"] == {"min": 0, "max": 1, "step": 0.1}
    assert (raw["dtype"], raw["variableDtype"], raw["range"]) == (None, None, None)
    assert mode["choices"] == [{"value": 0, "description": "普通"}]
    assert [each["piid"] for each in wire["actions"][0]["in"]] == [3, 1]
    # A broken specification names an argument that its service does not have.
    assert wire["events"][0]["arguments"] == [{"piid": 9}]
