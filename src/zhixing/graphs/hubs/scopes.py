"""Scopes of variables: `global`, and `R` with the digits of a rule's id for those of that rule (mijia §4.1). Pure."""

from __future__ import annotations

import re

from zhixing.graphs.checks.variables_shape import GLOBAL, PLACEHOLDER
from zhixing.graphs.rule import Json, Members, Node, Rule
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.errors import BadInput

_LISTS = ("elements", "arguments", "ins")
"""Props whose entries may name variables (mijia §1.3)."""
_LEGACY = "graph_"
_OF_RULE = re.compile(r"R[0-9]{1,20}")


def scope_of(rule: str) -> str:
    """Return the scope of a rule's own variables, by the id of the rule."""
    return f"R{rule.removeprefix(_LEGACY)}"


def checked_scope(scope: str) -> str:
    """Return a scope that can be one. Raises `BadInput`, with the right one where it is plain which is meant."""
    if scope == GLOBAL or _OF_RULE.fullmatch(scope):
        return scope
    if scope == PLACEHOLDER:
        raise BadInput("variable_scope_placeholder")
    meant = scope_of(scope.removeprefix("R"))
    if _OF_RULE.fullmatch(meant):
        raise BadInput("variable_scope_meant", scope=shown(scope), meant=meant)
    raise BadInput("variable_scope_form", scope=shown(scope))


def with_own_scope(rule: Rule) -> Rule:
    """Put the scope of the rule wherever a template says `rule`; for new rules only (seed: 作用域名与创建时机)."""
    return rule.having_nodes(_owned(node, rule.scope) for node in rule.nodes)


def scopes_named(rule: Rule) -> frozenset[str]:
    """Return every scope that the rule names where variables stand."""
    found = {each.get("scope") for node in rule.nodes for each in _places(node.props)}
    return frozenset(each for each in found if isinstance(each, str))


def _places(props: Members) -> list[Members]:
    lists = (props.get(name) for name in _LISTS)
    return [props, *(each for one in lists if isinstance(one, list) for each in one if isinstance(each, dict))]


def _owned(node: Node, own: str) -> Node:
    if not any(each.get("scope") == PLACEHOLDER for each in _places(node.props)):
        return node
    props = {**_exchanged(node.props, own)}
    for name in _LISTS:
        if isinstance(props.get(name), list):
            props[name] = [_exchanged(each, own) for each in props[name]]
    return node.having(props=props)


def _exchanged(value: Json, own: str) -> Json:
    return {**value, "scope": own} if isinstance(value, dict) and value.get("scope") == PLACEHOLDER else value
