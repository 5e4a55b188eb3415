"""One type of node by itself, as somebody who writes a rule needs it: a node to fill in, for each use. Pure.

What is to be filled in is a name behind `$`, after the prop: `$DID`, `$SIID`. A number or a truth value takes the place
of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zhixing.graphs.catalogue import Colour, NodeType, Prop, node_type
from zhixing.graphs.rule import Json, Members
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.errors import NotFound

VERSION = 1


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a type; `name` is empty where it has only one. `template` is a whole node without wires."""

    name: str
    props: Mapping[str, Prop]
    outputs: Mapping[str, Colour]
    template: Members


def known_type(name: str) -> NodeType:
    """Return a type. Raises `NotFound`."""
    found = node_type(name)
    if found is None:
        raise NotFound("graph_node_type_unknown", type=shown(name))
    return found


def uses_of(kind: NodeType) -> Iterator[Use]:
    """Give the uses of a type: a property, an event or an action of a device, an alarm by the clock or by the sun."""
    for each in kind.variants:
        outputs = kind.outputs if each.outputs is None else each.outputs
        yield Use(each.name, each.props, outputs, _template(kind, each.props, outputs, each.equals))
    if not kind.variants:
        yield Use("", kind.props, kind.outputs, _template(kind, kind.props, kind.outputs, {}))


def _template(
    kind: NodeType, props: Mapping[str, Prop], outputs: Mapping[str, Colour], given: Mapping[str, Json]
) -> Members:
    urn = {"urn": "$URN"} if "did" in props else {}
    pins = (*kind.inputs, *(kind.numbered_inputs.names if kind.numbered_inputs else ()))
    ends = (*outputs, *(kind.numbered_outputs.names if kind.numbered_outputs else ()))
    return {
        "id": "$ID",
        "type": kind.name,
        "cfg": {**urn, "name": kind.name, "version": VERSION},
        "props": {**dict(_filled(props)), **given},
        "inputs": dict.fromkeys(pins),
        "outputs": {pin: [] for pin in ends},
    }


def _filled(props: Mapping[str, Prop]) -> Iterator[tuple[str, Json]]:
    for prop in props.values():
        if prop.default is not None:
            yield prop.name, prop.default
        elif prop.required:
            yield prop.name, f"${prop.name.upper()}"
