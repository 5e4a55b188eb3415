"""What programs get of the types of nodes: pins and what they carry, props with limits, a node to fill in. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zhixing.faces.wire import Wire
from zhixing.graphs.catalogue import Colour, NodeType, Numbered, Prop, kinds_of, operators
from zhixing.graphs.templates import Use, uses_of

_CARRIES = {Colour.EVENT: "event", Colour.STATE: "state", Colour.BOTH: "both"}


def of_index(kinds: Iterable[NodeType]) -> Wire:
    """Write the list of types."""
    rows = [{"type": each.name, "title": each.title(), "group": each.group.value} for each in kinds]
    return {"types": rows, "count": len(rows)}


def of_types(kinds: Iterable[NodeType]) -> Wire:
    """Write whole types."""
    rows = [_of_type(each) for each in kinds]
    return {"types": rows, "count": len(rows)}


def _of_type(kind: NodeType) -> Wire:
    return {
        "type": kind.name,
        "title": kind.title(),
        "group": kind.group.value,
        "inputs": [
            {"pin": pin, "carries": _CARRIES[colour], "takesTruth": kind.takes_constant(pin)}
            for pin, colour in kind.inputs.items()
        ],
        "numberedInputs": _of_numbered(kind.numbered_inputs),
        "numberedOutputs": _of_numbered(kind.numbered_outputs),
        "operators": {each: list(operators(kind.compares, each)) for each in kinds_of(kind.compares)}
        if kind.compares
        else None,
        "uses": [_of_use(each) for each in uses_of(kind)],
    }


def _of_numbered(pins: Numbered | None) -> Wire | None:
    if pins is None:
        return None
    return {"stem": pins.stem, "from": 0, "carries": _CARRIES[pins.colour], "takesTruth": pins.constants}


def _of_use(use: Use) -> Wire:
    return {
        "use": use.name or None,
        "props": _of_props(use.props),
        "outputs": [{"pin": pin, "carries": _CARRIES[colour]} for pin, colour in use.outputs.items()],
        "template": use.template,
    }


def _of_props(props: Mapping[str, Prop]) -> list[Wire]:
    return [
        {
            "name": each.name,
            "kind": each.kind.value,
            "required": each.required,
            "default": each.default,
            "min": each.low,
            "max": each.high,
            "choices": list(each.choices) or None,
        }
        for each in props.values()
    ]
