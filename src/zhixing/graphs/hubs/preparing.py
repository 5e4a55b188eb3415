"""What is made ready before a rule is written: its id, its places, what its timers show, the verdict (§4.3). Pure."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final

from zhixing.graphs.checks.capability import check_capability
from zhixing.graphs.checks.finding import Finding, Level, Profile, Verdict, verdict
from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.hubs.scopes import scope_of
from zhixing.graphs.layout.sizes import size_of
from zhixing.graphs.placing import placed
from zhixing.graphs.rule import Json, Node, Rule, is_number
from zhixing.graphs.specs.home import Home, Scope, Variable
from zhixing.graphs.times.durations import TIMER_TYPES, read_duration, shown
from zhixing.graphs.writing import with_nodes

ID_DIGITS: Final = 13
"""Digits of the id of a rule: the milliseconds of an instant (mijia §1.1)."""

_HIGHEST = 10**ID_DIGITS - 1


def milliseconds(now: datetime) -> int:
    """Return an instant as the hub writes it."""
    return int(now.timestamp() * 1000)


def free_id(now: datetime, ids: Collection[str], scopes: Container[str] = ()) -> str:
    """Return an id near the clock that no rule has, and whose scope holds no variables that somebody left."""
    taken = {scope_of(each) for each in ids}
    number = min(max(milliseconds(now), 0), _HIGHEST)
    for _ in range(_HIGHEST):  # ends: there are more numbers than rules and scopes
        found = f"{number:0{ID_DIGITS}d}"
        if scope_of(found) not in taken and scope_of(found) not in scopes:
            break
        number = number + 1 if number < _HIGHEST else 0
    return found


def places_kept(rule: Rule, before: Rule) -> Rule:
    """Leave the cards that were there where they were, whatever the new ones say of it (§4.3)."""
    kept = _places(before)
    return rule.having_nodes(_at(node, kept[node.id]) if node.id in kept else node for node in rule.nodes)


def places_filled(rule: Rule, before: Rule) -> Rule:
    """Leave the cards that were there where they were, except those that say where they are to go."""
    kept = _places(before)
    return rule.having_nodes(
        _at(node, kept[node.id]) if node.id in kept and _whole(node).position is None else node for node in rule.nodes
    )


def with_places(rule: Rule) -> Rule:
    """Give each card that has no place one; the others stay."""
    there = rule.having_nodes(_whole(node) for node in rule.nodes)
    wanting = {node.id for node in there.nodes if node.id and node.position is None}
    if not wanting:
        return there
    return with_nodes(there, (node for node in placed(there).nodes if node.id in wanting))


def with_durations(rule: Rule) -> Rule:
    """Have the cards of timers show what their timers run, where they do not (mijia §1.5, §8 case 21)."""
    return rule.having_nodes(_shown(node) for node in rule.nodes)


def judged(rule: Rule, home: Home, before: Rule | None = None, profile: Profile = Profile.EDITOR) -> Verdict:
    """Return the verdict on a rule that is to be written.

    What the hub already holds of it is not held against it: ids of nodes in the old form, and types nobody knows.
    """
    held = {} if before is None else {node.id: node.type for node in before.nodes}
    structure = check_structure(rule, profile, legacy=held)
    softened = (_softened(each, rule, held) for each in structure)
    return verdict((*softened, *check_capability(rule, home)))


def with_variables(home: Home, variables: Iterable[Variable]) -> Home:
    """Return a home that also has these variables; nothing changes where its variables are not known."""
    if home.scopes is None:
        return home
    scopes = dict(home.scopes)
    for each in variables:
        scope = scopes.get(each.scope, Scope(each.scope, {}))
        scopes[each.scope] = replace(scope, variables={**scope.variables, each.id: each})
    return replace(home, scopes=MappingProxyType(scopes))


def _softened(finding: Finding, rule: Rule, held: Mapping[str, str]) -> Finding:
    node = rule.node(finding.node)
    if finding.code == "unknown_type" and node is not None and held.get(node.id) == node.type:
        return replace(finding, level=Level.WARN)
    return finding


def _places(rule: Rule) -> Mapping[str, Json]:
    return {node.id: node.cfg["pos"] for node in rule.nodes if _whole(node).position is not None}


def _whole(node: Node) -> Node:
    """Fill in the size of a card that says only where it lies, as some tools write it; else it would be moved."""
    place = node.cfg.get("pos")
    if node.position is not None or not isinstance(place, dict):
        return node
    if not is_number(place.get("x")) or not is_number(place.get("y")):
        return node
    size = size_of(node.type)
    return _at(node, {"width": size.width, "height": size.height, **place})


def _at(node: Node, place: Json) -> Node:
    return node.having(cfg={**node.cfg, "pos": place})


def _shown(node: Node) -> Node:
    if node.type not in TIMER_TYPES:
        return node
    reading = read_duration(node.type, node.props, node.cfg)
    if reading.value is None or all(not each.where.startswith("cfg.") for each in reading.findings):
        return node
    show = shown(reading.value)
    return node.having(cfg={**node.cfg, "unit": show.unit, "value": show.value})
