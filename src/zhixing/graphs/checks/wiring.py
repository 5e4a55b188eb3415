"""Wires: where they end, whether anything passes, and what is left unwired (mijia §1.8, §2.1, §2.4).

The gateway checks none of this: a rule with a dead wire is saved, and does nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from zhixing.graphs.catalogue import Colour, inputs_of
from zhixing.graphs.checks.finding import Finding, Fix, Phrase
from zhixing.graphs.checks.pins import LOGIC, NOTE, SOURCES
from zhixing.graphs.checks.reachability import PASSES_ON
from zhixing.graphs.checks.survey import Survey, card, kind_of, listed, written
from zhixing.graphs.rule import Node, Wire
from zhixing.graphs.specs.jsontext import shown

_REQUIRED = PASSES_ON | {"eventSequence": ("input1", "input2"), "logicNot": ("input",), "register": ("setTrue",)}
"""Inputs without which a node never does anything; those of condition and statusLast have codes of their own."""
_LASTING = frozenset({"counter", "register", "statusLast"}) | LOGIC
"""Types whose output is a state that somebody is meant to look at."""


def check_wires(survey: Survey, node: Node) -> Iterator[Finding]:
    """Check the wires that leave a node."""
    for pin, wires in node.outputs.items():
        counts = Counter(wires)
        if len(counts) < len(wires):
            twice = next(wire for wire, count in counts.items() if count > 1)
            fix = Fix(("outputs", pin), [wire.end for wire in counts])
            yield survey.error("duplicate_edge", node, fix, end=shown(twice.end), pin=shown(pin))
        for wire in counts:
            yield from _wire(survey, node, wire)


def check_ends(survey: Survey, node: Node) -> Iterator[Finding]:
    """Check what arrives at a node, and what does not."""
    kind = kind_of(node)
    # what arrives at an id is told at the first card that bears it
    for pin in node.inputs if survey.rule.node(node.id) is node else ():
        wires = dict.fromkeys(survey.wires_to(node, pin))
        if len(wires) > 1:
            join = "logicOr" if survey.accepts.get(node.id, {}).get(pin) is Colour.STATE else "signalOr"
            yield survey.error("fan_in", node, pin=shown(pin), count=len(wires), join=Phrase(f"node_types.{join}"))
    if kind is None or node.type == NOTE:
        return
    if not node.wires and not survey.rule.wires_into(node.id):
        yield survey.warn("orphan_node", node)
    elif node.type in _LASTING and not node.wires:
        yield survey.warn("dead_end_logic", node)
    if node.type not in SOURCES:
        yield from _unwired(survey, node)


def _wire(survey: Survey, node: Node, wire: Wire) -> Iterator[Finding]:
    target = survey.rule.node(wire.target)
    if target is None:
        yield survey.error("target_not_found", node, end=shown(wire.end), id=shown(wire.target))
        return
    if wire.source == wire.target:
        yield survey.warn("self_loop", node, end=shown(wire.end))
    if target.type == NOTE:
        yield survey.error("nop_has_incoming", target, source=card(node))
        return
    if target.type in SOURCES:
        if wire.pin == "output2" and node.type in {"deviceGet", "varGet"}:
            yield survey.error("output2_to_state", node, target=card(target))
        yield survey.error("state_has_incoming", target, source=card(node))
        return
    known = kind_of(target) is not None
    accepts = survey.accepts[target.id]
    if wire.target_pin not in (accepts if known else target.inputs):
        pins = listed(accepts if known else target.inputs)
        yield survey.error("target_port_not_found", node, target=card(target), pin=shown(wire.target_pin), pins=pins)
        return
    sent = survey.sends.get(node.id, {}).get(wire.pin)
    if sent is None or not known:
        return
    into = accepts[wire.target_pin]
    if not sent.reaches(into):
        yield _crossed(survey, node, wire, target, into)
    elif node.type == "timeRange" and into is Colour.EVENT:
        yield survey.info("time_range_event_start_only", node, target=card(target))


def _crossed(survey: Survey, node: Node, wire: Wire, target: Node, into: Colour) -> Finding:
    pin, target_pin = shown(wire.pin), shown(wire.target_pin)
    if target.type in LOGIC and into is Colour.STATE:
        return survey.error("event_to_state_logic", node, target=card(target), pin=pin, target_pin=target_pin)
    into_said = Phrase(f"graph_reasons.colour_{into.name.lower()}")
    sent = Phrase(f"graph_reasons.colour_{'event' if into is Colour.STATE else 'state'}")
    return survey.error(
        "cross_color", node, target=card(target), pin=pin, target_pin=target_pin, sent=sent, wanted=into_said
    )


def _unwired(survey: Survey, node: Node) -> Iterator[Finding]:
    match node.type:
        case "condition":
            if not survey.wires_to(node, "trigger"):
                yield survey.error("cond_no_trigger", node)
            if not survey.is_fed(node, "condition"):
                yield survey.error("cond_no_condition", node)
        case "statusLast":
            if "input" not in node.inputs or not survey.wires_to(node, "input"):
                yield survey.error("status_last_no_input", node)
        case _:
            for pin in _needed(survey, node):
                if not survey.is_fed(node, pin):
                    yield survey.error("required_input_unwired", node, pin=shown(pin))
    yield from _endless(survey, node)


def _needed(survey: Survey, node: Node) -> tuple[str, ...]:
    """Return the inputs that must be fed: every one of an "and", of an "or" the first when none is."""
    pins = tuple(inputs_of(node))
    match node.type:
        case "logicAnd":
            return pins
        case "logicOr" | "signalOr":
            return () if any(survey.is_fed(node, pin) for pin in pins) else pins[:1]
        case _:
            return _REQUIRED.get(node.type, ())


def _endless(survey: Survey, node: Node) -> Iterator[Finding]:
    """Say what never ends or works once, because nobody wired its way back."""
    match node.type:
        case "loop" if not survey.wires_to(node, "stop"):
            yield survey.warn("loop_never_stops", node)
        case "register" if not survey.wires_to(node, "setFalse"):
            yield survey.warn("register_never_reset", node)
        case "onlyNTimes" if not survey.wires_to(node, "zero"):
            yield survey.info("only_n_never_reset", node, n=written(node.props.get("n")))
