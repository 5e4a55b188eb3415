"""The pins that a node declares, by its type (mijia §1.3, §2.1, §2.2). Wires are checked in `wiring`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from zhixing.graphs.catalogue import NodeType, Numbered, outputs_of
from zhixing.graphs.checks.finding import Finding, Fix
from zhixing.graphs.checks.survey import Survey, kind_of, listed, stands, written
from zhixing.graphs.rule import Json, Node, Part
from zhixing.graphs.specs.jsontext import shown

NOTE = "nop"
SOURCES = frozenset({"alarmClock", "deviceInput", "deviceInputSetVar", "onLoad", "timeRange", "varChange"})
"""Types that start a rule; no wire ends at them."""
LOGIC = frozenset({"logicAnd", "logicNot", "logicOr"})
"""Types that make a state of states."""
_OWN_CODE = frozenset({"delay", "deviceOutput", "loop", "statusLast"})
"""Types whose missing inputs have codes of their own."""
_MOST_NESTED = 8
"""Depth to which the contents of a note are searched for text; what the editor writes has two levels."""


def check_pins(survey: Survey, node: Node) -> Iterator[Finding]:
    """Check what a node of a known type declares."""
    kind = kind_of(node)
    if kind is None:
        return
    if node.type == NOTE:
        yield from _note(survey, node)
        return
    if node.type in SOURCES:
        if node.inputs:
            yield survey.error("state_has_inputs", node, Fix(("inputs",), {}), pins=listed(node.inputs))
    elif stands(node, Part.INPUTS):
        yield from _inputs(survey, node, kind)
    if stands(node, Part.OUTPUTS):
        yield from _outputs(survey, node, kind)


def has_text(contents: Json, depth: int = 0) -> bool:
    """Tell whether the contents of a note hold anything to read: a text, or the inserts of a rich text (§0.3, X13)."""
    if isinstance(contents, str):
        rich = _rich(contents) if not depth else None
        return bool(contents.strip()) if rich is None else has_text(rich, depth + 1)
    if depth >= _MOST_NESTED:
        return False
    if isinstance(contents, list):
        return any(has_text(each, depth + 1) for each in contents)
    if not isinstance(contents, dict):
        return False
    insert = contents.get("insert")
    picture = isinstance(insert, dict) and bool(insert)
    return picture or has_text(insert, depth + 1) or has_text(contents.get("ops"), depth + 1)


def _rich(contents: str) -> Json:
    """Read a rich text that is kept as JSON text; None when it is a plain one."""
    if not contents.startswith("{"):
        return None
    try:
        found = json.loads(contents)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "ops" in found else None


def _note(survey: Survey, node: Node) -> Iterator[Finding]:
    if node.inputs:
        yield survey.error("nop_has_inputs", node, Fix(("inputs",), {}))
    if node.wires:
        yield survey.error("nop_has_outputs", node, Fix(("outputs",), {"output": []}))
    if not has_text(node.cfg.get("contents")):
        yield survey.warn("nop_empty", node)


def _inputs(survey: Survey, node: Node, kind: NodeType) -> Iterator[Finding]:
    missing = [pin for pin in kind.inputs if pin not in node.inputs]
    match node.type:
        case "loop":
            if missing:
                yield survey.error("loop_wrong_inputs", node, *_declaring(missing), pins=listed(missing))
        case "delay":
            if missing:
                yield survey.error("delay_wrong_input", node, *_declaring(missing))
        case "deviceOutput":
            yield from _trigger(survey, node)
    if node.type not in _OWN_CODE:
        for pin in missing:
            yield survey.error("missing_input", node, *_declaring([pin]), pin=pin)
    if kind.numbered_inputs is not None:
        yield from _numbered(survey, node, kind.numbered_inputs)
    yield from _constants(survey, node, kind)


def _trigger(survey: Survey, node: Node) -> Iterator[Finding]:
    if "trigger" in node.inputs:
        if node.inputs["trigger"] is not None:
            yield survey.error("device_output_trigger_not_null", node, *_declaring(["trigger"]))
    elif "input" in node.inputs:
        yield survey.error("device_output_wrong_input", node, *_declaring(["trigger"]))
    else:
        yield survey.error("device_output_missing_trigger", node, *_declaring(["trigger"]))


def _numbered(survey: Survey, node: Node, numbered: Numbered) -> Iterator[Finding]:
    if not node.inputs:
        yield survey.error("missing_input", node, *_declaring(numbered.names), pin=numbered.names[0])
    wrong = [pin for pin in node.inputs if numbered.number(pin) is None]
    if wrong:
        yield survey.error("invalid_indexed_input", node, pins=listed(wrong))
    numbers = {found for pin in node.inputs if (found := numbered.number(pin)) is not None}
    if numbers and max(numbers) != len(numbers) - 1:
        gap = next(number for number in range(len(numbers) + 1) if number not in numbers)
        yield survey.warn("non_contiguous_inputs", node, pin=f"{numbered.stem}{gap}")


def _constants(survey: Survey, node: Node, kind: NodeType) -> Iterator[Finding]:
    """Check what stands at an input: nothing, or true or false where the type takes that."""
    if node.type in _OWN_CODE:
        return
    for pin, value in node.inputs.items():
        if value is None or (kind.takes_constant(pin) and isinstance(value, bool)):
            continue
        if node.type == "signalOr":
            yield survey.error("signal_input_not_null", node, *_declaring([pin]), pin=shown(pin))
        elif kind.constants or kind.numbered_inputs is not None:
            yield survey.error("input_value_invalid", node, *_declaring([pin]), pin=shown(pin), found=written(value))


def _outputs(survey: Survey, node: Node, kind: NodeType) -> Iterator[Finding]:
    sends = outputs_of(node)
    for pin in kind.outputs:
        if pin not in node.outputs:
            code = "missing_output2" if pin == "output2" else "missing_output"
            yield survey.error(code, node, Fix(("outputs", pin), []), pin=pin)
    if kind.numbered_outputs is not None:
        yield from _modes(survey, node, kind.numbered_outputs)
    for pin in node.outputs:
        if pin in sends:
            continue
        if node.type == "timeRange" and pin == "output2":
            yield survey.error("tr_has_output2", node)
        else:
            yield survey.error("source_port_not_declared_type", node, pin=shown(pin), pins=listed(sends))


def _modes(survey: Survey, node: Node, numbered: Numbered) -> Iterator[Finding]:
    if not node.outputs:
        yield survey.error("missing_output", node, Fix(("outputs", "output0"), []), pin="output0")
        return
    present = {f"{numbered.stem}{number}" for number in range(len(node.outputs))}
    hole = next((pin for pin in sorted(present, key=len) if pin not in node.outputs), None)
    if hole is not None:
        yield survey.error("mode_outputs_gap", node, pin=hole)


def _declaring(pins: list[str] | tuple[str, ...]) -> tuple[Fix, ...]:
    return tuple(Fix(("inputs", pin), None) for pin in pins)
