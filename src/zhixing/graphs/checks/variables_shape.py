"""Where a node names variables and what it computes from them (mijia §1.11, §1.12, §2.3, §2.4). Pure."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.checks.finding import Finding, Fix, Phrase
from zhixing.graphs.checks.survey import Survey, kind_of, stands, written
from zhixing.graphs.expressions.elements import Variable, has_dollar, read_elements, stored_elements, without_dollar
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.expressions.parsing import expression_of
from zhixing.graphs.rule import Json, Members, Node, Part
from zhixing.graphs.specs.jsontext import shown

GLOBAL = "global"
PLACEHOLDER = "rule"
"""What stands in templates for the scope of a rule that has no id yet."""
_NAMES_ONE = frozenset({"deviceGetSetVar", "varChange", "varGet", "varSetNumber", "varSetString"})
_COMPUTES = frozenset({"varSetNumber", "varSetString"})
_LISTS = ("elements", "arguments", "ins")


def check_variables(survey: Survey, node: Node) -> Iterator[Finding]:
    """Check the variables that a node of a known type names."""
    if kind_of(node) is None or not stands(node, Part.PROPS):
        return
    if _names_one(node):
        for name in ("scope", "id"):
            given = node.props.get(name)
            if not isinstance(given, str) or not given:
                yield survey.error("variable_not_chosen", node, name=name, found=written(given))
    for path, members in _places(node):
        yield from _scope(survey, node, path, members)
    if node.type in _COMPUTES:
        yield from _elements(survey, node)


def _names_one(node: Node) -> bool:
    match node.type:
        case "deviceInputSetVar":
            return "piid" in node.props
        case "deviceOutput":
            return "piid" in node.props and "scope" in node.props and "value" not in node.props
        case _:
            return node.type in _NAMES_ONE


def _places(node: Node) -> Iterator[tuple[tuple[str, ...], Members]]:
    """Give the objects in which a scope may stand, with the way to them."""
    yield ("props",), node.props
    for name in _LISTS:
        given = node.props.get(name)
        for number, each in enumerate(given if isinstance(given, list) else ()):
            if isinstance(each, dict):
                yield ("props", name, str(number)), each


def _scope(survey: Survey, node: Node, path: tuple[str, ...], members: Members) -> Iterator[Finding]:
    scope: Json = members.get("scope")
    if not isinstance(scope, str) or not scope or scope in {GLOBAL, survey.rule.scope}:
        return
    own = survey.rule.scope
    fix = Fix((*path, "scope"), own)
    if scope == PLACEHOLDER:
        yield survey.error("scope_placeholder", node, fix, own=shown(own))
        return
    # Only the prefix of old tools is certain to mean this rule; another id may well be another rule's variable.
    fixes = (fix,) if scope == f"R{survey.rule.id}" else ()
    yield survey.error("scope_foreign", node, *fixes, scope=shown(scope), own=shown(own))


def _elements(survey: Survey, node: Node) -> Iterator[Finding]:
    elements = read_elements(node.props.get("elements"))
    if isinstance(elements, Fault):
        yield _faulty(survey, node, elements)
        return
    if node.type != "varSetNumber":
        return
    expression = expression_of(elements)
    if isinstance(expression, Fault):
        yield _faulty(survey, node, expression)
    scope, name = node.props.get("scope"), node.props.get("id")
    if not has_dollar(elements):
        return
    fixes: tuple[Fix, ...] = ()
    if isinstance(scope, str) and isinstance(name, str) and scope and name:
        fixes = (Fix(("props", "elements"), stored_elements(without_dollar(elements, Variable(scope, name)))),)
    yield survey.warn("dollar_literal_in_const", node, *fixes)


def _faulty(survey: Survey, node: Node, fault: Fault) -> Finding:
    why = Phrase(f"graph_expression.{fault.code}", fault.values)
    if fault.position is not None:
        why = Phrase("graph_expression.at", {"column": fault.position + 1, "said": why})
    return survey.error(fault.finding, node, why=why)
