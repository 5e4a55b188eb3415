"""From a rule to JSON, and the edits of a rule. Every edit gives a new rule; what it is not about stays to the letter.

An edit keeps the order of nodes, keys and wires: a gateway serves the wires of a pin in their order (mijia §1.8).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from zhixing.graphs.catalogue import inputs_of, node_type
from zhixing.graphs.rule import Json, Members, Node, Position, Rule, Wire
from zhixing.kernel.errors import NotFound


def write_rule(rule: Rule, *, indent: int | None = None) -> str:
    """Write a rule as JSON, without `indent` on one line, as the gateway keeps it. Read again it is the same rule."""
    separators = (",", ":") if indent is None else None
    return json.dumps(rule.raw, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)


def with_node(rule: Rule, node: Node) -> Rule:
    """Put a node in the place of the one with its id, or behind all others."""
    return with_nodes(rule, (node,))


def with_nodes(rule: Rule, nodes: Iterable[Node]) -> Rule:
    """Put nodes in the places of those with their ids, and the new ones behind all others."""
    given = tuple(nodes)
    new = {node.id: node for node in given}
    kept = (new.get(node.id, node) if rule.node(node.id) is node else node for node in rule.nodes)
    added = (node for node in given if new[node.id] is node or not node.id)
    return rule.having_nodes((*kept, *(node for node in added if rule.node(node.id) is None)))


def without_node(rule: Rule, name: str) -> Rule:
    """Take a node away, and every wire that ends at it. Raises `NotFound`."""
    _existing(rule, name)
    ends = {wire.end for wire in rule.wires_into(name)}
    return rule.having_nodes(_without_ends(node, ends) for node in rule.nodes if node.id != name)


def connect(rule: Rule, wire: Wire) -> Rule:
    """Add a wire behind those of its pin, and declare the pins at both ends. A wire that is there stays the only one.

    Whether the pins exist and their colours fit is for the validator to say; a pin that the type of the target does not
    have is not declared on it. Raises `NotFound` when a node at either end is missing.
    """
    source, target = _existing(rule, wire.source), _existing(rule, wire.target)
    if wire not in source.outputs.get(wire.pin, ()):
        rule = with_node(rule, _with_outputs(source, {wire.pin: [*_ends(source, wire.pin), wire.end]}))
    if wire.target == wire.source:
        target = _existing(rule, wire.target)
    if wire.target_pin in target.inputs:
        return rule
    declared = target.having(inputs={**target.inputs, wire.target_pin: None})
    # A pin of a variable number counts as soon as it is declared, so the declared node is asked.
    known = node_type(target.type) is None or wire.target_pin in inputs_of(declared)
    return with_node(rule, declared) if known else rule


def disconnect(rule: Rule, wire: Wire) -> Rule:
    """Take a wire away, however often it is there; its pins stay declared. Raises `NotFound`."""
    source = _existing(rule, wire.source)
    if wire not in source.outputs.get(wire.pin, ()):
        raise NotFound("graph_wire_unknown", start=f"{wire.source}.{wire.pin}", end=wire.end)
    return with_node(rule, _with_outputs(source, {wire.pin: _left(_ends(source, wire.pin), {wire.end})}))


def with_props(rule: Rule, name: str, changes: Members) -> Rule:
    """Set some props of a node. Raises `NotFound`."""
    node = _existing(rule, name)
    return with_node(rule, node.having(props={**node.props, **changes}))


def with_cfg(rule: Rule, changes: Members) -> Rule:
    """Set some settings of the rule, such as `enable` or `uiType`."""
    return rule.having(cfg={**rule.cfg, **changes})


def with_user_data(rule: Rule, changes: Members) -> Rule:
    """Set some of what the editor keeps about the rule, such as `name` or `lastUpdateTime` (epoch ms)."""
    return with_cfg(rule, {"userData": {**rule.user_data, **changes}})


def with_id(rule: Rule, name: str) -> Rule:
    """Give the rule another id, in both places it stands (mijia §1.1)."""
    return with_cfg(rule.having(id=name), {"id": name})


def with_positions(rule: Rule, positions: Mapping[str, Position]) -> Rule:
    """Move nodes; other things that a card keeps beside its place stay. Ids that are no node's are passed over."""
    return rule.having_nodes(_placed(node, positions[node.id]) if node.id in positions else node for node in rule.nodes)


def _existing(rule: Rule, name: str) -> Node:
    found = rule.node(name)
    if found is None:
        raise NotFound("graph_node_unknown", id=name)
    return found


def _ends(node: Node, pin: str) -> list[Json]:
    """Give the ends of a pin as they stand, usable or not; none when they are no array."""
    found = _outputs(node).get(pin)
    return found if isinstance(found, list) else []


def _outputs(node: Node) -> Members:
    found = node.raw.get("outputs") if isinstance(node.raw, dict) else None
    return found if isinstance(found, dict) else {}


def _with_outputs(node: Node, changes: Members) -> Node:
    return node.having(outputs={**_outputs(node), **changes})


def _left(ends: list[Json], gone: set[str]) -> list[Json]:
    return [end for end in ends if not (isinstance(end, str) and end in gone)]


def _without_ends(node: Node, gone: set[str]) -> Node:
    touched = {
        pin: _left(_ends(node, pin), gone) for pin, wires in node.outputs.items() if {w.end for w in wires} & gone
    }
    return _with_outputs(node, touched) if touched else node


def _placed(node: Node, place: Position) -> Node:
    before = node.cfg.get("pos")
    kept = before if isinstance(before, dict) else {}
    new = {"x": place.x, "y": place.y, "width": place.width, "height": place.height}
    return node.having(cfg={**node.cfg, "pos": {**kept, **new}})
