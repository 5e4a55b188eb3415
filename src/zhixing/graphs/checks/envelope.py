"""The rule and its nodes as the gateway's base check wants them (mijia §1.1, §1.2, §2.1, §2.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from zhixing.graphs.checks.finding import Finding, Fix, Level
from zhixing.graphs.checks.survey import Survey, kind_of, written
from zhixing.graphs.rule import Node, Oddity, Part
from zhixing.graphs.specs.jsontext import shown

_NODE_ID = re.compile(r"[0-9a-zA-Z]+")
_LEGACY_NODE_ID = re.compile(r"[0-9a-zA-Z_]+")
_RULE_ID = re.compile(r"[0-9]{13}")
_OBJECTS = {Part.PROPS: "missing_props", Part.INPUTS: "missing_inputs", Part.OUTPUTS: "missing_outputs"}


def check_rule(survey: Survey) -> Iterator[Finding]:
    """Check the rule around its nodes."""
    rule = survey.rule
    if not rule.id:
        yield survey.error("invalid_rule_id")
    elif not _RULE_ID.fullmatch(rule.id):
        yield survey.warn("legacy_rule_id", id=shown(rule.id))
    if rule.cfg and rule.cfg.get("id") != rule.raw.get("id"):
        yield survey.error("rule_id_mismatch", id=written(rule.raw.get("id")), other=written(rule.cfg.get("id")))
    if not isinstance(rule.cfg.get("enable"), bool):
        yield survey.error("cfg_enable_not_bool")
    if not isinstance(rule.raw.get("nodes"), list):
        yield survey.error("invalid_nodes")
    elif not rule.nodes:
        yield survey.warn("empty_nodes")
    counts = Counter(node.id for node in rule.nodes if node.id)
    for name, count in counts.items():
        if count > 1:
            yield survey.error("duplicate_id", rule.node(name), count=count)


def check_envelope(survey: Survey, node: Node, number: int) -> Iterator[Finding]:
    """Check the parts that every node has; `number` counts nodes from 1 and names one without an id."""
    oddities = node.oddities
    if any(odd.part is Part.NODE for odd in oddities):
        yield survey.error("node_not_object", number=number)
        return
    if not node.id:
        yield survey.error("invalid_id", node, id=f"#{number}")
    elif not _NODE_ID.fullmatch(node.id):
        held = node.id in survey.legacy and _LEGACY_NODE_ID.fullmatch(node.id)
        yield survey.found("invalid_id", Level.WARN if held else Level.ERROR, node, id=shown(node.id))
    if not node.type:
        yield survey.error("missing_type", node)
        return
    if kind_of(node) is None:
        yield survey.error("unknown_type", node, type=shown(node.type))
    for odd in oddities:
        yield from _odd(survey, node, odd)


def _odd(survey: Survey, node: Node, odd: Oddity) -> Iterator[Finding]:
    match odd.part:
        case Part.PROPS | Part.INPUTS | Part.OUTPUTS:
            fixes = (Fix((odd.part.value,), {}),) if odd.missing else ()
            yield survey.error(_OBJECTS[odd.part], node, *fixes)
        case Part.PIN:
            # One wire that is written without its brackets is meant as one.
            lone = isinstance(odd.value, str) and odd.value.count(".") == 1
            value = [odd.value] if lone else []
            fixes = (Fix(("outputs", odd.pin), value),) if lone or odd.value is None else ()
            yield survey.error("invalid_output", node, *fixes, pin=shown(odd.pin))
        case Part.TARGET:
            yield survey.error("invalid_format", node, pin=shown(odd.pin), end=written(odd.value))
        case Part.CFG | Part.VERSION:
            fixes = (Fix(("cfg", "version"), 1),) if odd.part is Part.VERSION and odd.missing else ()
            yield survey.error("cfg_version_invalid", node, *fixes, found=written(odd.value))
        case _:
            return
