"""Variables of a rule held against those of a home: do they exist, are they of the type that is asked (§3.4, §4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from zhixing.graphs.checks.capability_words import type_of
from zhixing.graphs.checks.finding import GRAPH, Finding, Level
from zhixing.graphs.checks.variables_shape import PLACEHOLDER
from zhixing.graphs.rule import Json, Node, Rule
from zhixing.graphs.specs.home import Home, Variable
from zhixing.graphs.specs.jsontext import shown
from zhixing.graphs.specs.model import Dtype

MOST_FINDINGS = 1_000
"""Findings of one kind in one rule."""

_TYPES = {"number": Dtype.NUMBER, "boolean": Dtype.NUMBER, "string": Dtype.STRING}


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a rule names a variable; `type` is None where any will do."""

    node: str
    scope: str
    id: str
    type: Dtype | None


def uses_of(rule: Rule) -> tuple[Use, ...]:
    """Return every place where the rule names a variable, in the order of its nodes."""
    return tuple(use for node in rule.nodes for use in _uses(node))


def check_variables(rule: Rule, home: Home) -> tuple[Finding, ...]:
    """Return what is wrong with the variables of a rule; nothing where the variables of the home are not known."""
    if home.scopes is None:
        return ()
    uses = uses_of(rule)
    return (
        *islice(_unreadable(uses, home), MOST_FINDINGS),
        *islice(_wrong(uses, home), MOST_FINDINGS),
        *islice(_unused(rule, uses, home), MOST_FINDINGS),
    )


def _unreadable(uses: tuple[Use, ...], home: Home) -> Iterator[Finding]:
    for name in dict.fromkeys(use.scope for use in uses):
        scope = (home.scopes or {}).get(name)
        if scope is not None and scope.fault is not None:
            yield Finding(
                "variable_scope_unavailable", Level.ERROR, values={"scope": shown(name), "reason": shown(scope.fault)}
            )


def _wrong(uses: tuple[Use, ...], home: Home) -> Iterator[Finding]:
    for use in dict.fromkeys(uses):
        scope = (home.scopes or {}).get(use.scope)
        # The structural checks tell of the placeholder.
        if use.scope == PLACEHOLDER or (scope is not None and scope.fault is not None):
            continue
        variable = home.variable(use.scope, use.id)
        if variable is None:
            yield Finding(
                "unknown_variable", Level.ERROR, use.node, {"variable": shown(use.id), "scope": shown(use.scope)}
            )
        elif use.type is not None and variable.type is not use.type:
            values = {"variable": _called(variable), "type": type_of(variable.type), "expected": type_of(use.type)}
            yield Finding("variable_type_mismatch", Level.ERROR, use.node, values)


def _unused(rule: Rule, uses: tuple[Use, ...], home: Home) -> Iterator[Finding]:
    """Name locals of the rule that no node uses: the editor deletes them when the rule is saved there (§4.1)."""
    scope = (home.scopes or {}).get(rule.scope) if rule.id else None
    if scope is None:
        return
    used = {use.id for use in uses if use.scope == rule.scope}
    for variable in scope.variables.values():
        if variable.id not in used:
            yield Finding("unused_local_variable", Level.WARN, values={"variable": _called(variable)})


def _called(variable: Variable) -> str:
    """Return the name people gave a variable and how a rule writes it."""
    written = f"{variable.scope}.{variable.id}"
    return shown(written if variable.name in {"", variable.id} else f"{variable.name} ({written})")


def _uses(node: Node) -> Iterator[Use]:
    props = node.props
    match node.type:
        case "varSetNumber":
            yield from _use(node, props, Dtype.NUMBER)
            yield from _elements(node, Dtype.NUMBER)
        case "varSetString":
            yield from _use(node, props, Dtype.STRING)
            yield from _elements(node, None)
        case "varChange" | "varGet":
            yield from _use(node, props, _type(props.get("varType")))
        case "deviceGetSetVar":
            yield from _use(node, props, _type(props.get("dtype")))
        case "deviceInputSetVar":
            yield from _use(node, props, _type(props.get("dtype")))
            yield from _listed(node, "arguments")
        case "deviceOutput":
            if "value" not in props:
                yield from _use(node, props, _type(props.get("dtype")))
            yield from _listed(node, "ins")


def _elements(node: Node, wanted: Dtype | None) -> Iterator[Use]:
    for each in _rows(node, "elements"):
        if isinstance(each, dict) and each.get("type") == "var":
            yield from _use(node, each, wanted)


def _listed(node: Node, name: str) -> Iterator[Use]:
    for each in _rows(node, name):
        if isinstance(each, dict) and "value" not in each:
            yield from _use(node, each, _type(each.get("dtype")))


def _rows(node: Node, name: str) -> list[Json]:
    found = node.props.get(name)
    return found if isinstance(found, list) else []


def _use(node: Node, given: Json, wanted: Dtype | None) -> Iterator[Use]:
    scope, name = given.get("scope"), given.get("id")
    if isinstance(scope, str) and isinstance(name, str) and scope and name:
        yield Use(node.id or GRAPH, scope, name, wanted)


def _type(written: Json) -> Dtype | None:
    return _TYPES.get(written) if isinstance(written, str) else None
