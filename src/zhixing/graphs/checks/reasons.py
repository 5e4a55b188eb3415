"""Which actions can never run, and why not: the first card on the way back that explains it (mijia §2.4, §2.5)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from zhixing.graphs.checks.finding import Finding, Level, Phrase
from zhixing.graphs.checks.reachability import PASSES_ON, Reach
from zhixing.graphs.checks.survey import Survey, card
from zhixing.graphs.rule import Node
from zhixing.graphs.specs.jsontext import shown

SINKS = frozenset({"deviceOutput", "deviceGetSetVar", "varSetNumber", "varSetString"})
"""Types that do something outside of the rule's wires."""

Pin = tuple[str, str]
"""A node's id and the name of one of its inputs."""


def check_reach(survey: Survey) -> Iterator[Finding]:
    """Say which actions can never run, and why, and which branches can never be taken."""
    if not survey.ids_are_unique:
        return
    reach = Reach(survey)
    reasons = _Reasons(survey, reach)
    level = Level.ERROR if survey.strict else Level.WARN
    for node in survey.rule.nodes:
        if not node.id:
            continue
        pin = "trigger" if node.type == "deviceOutput" else "input"
        if node.type in SINKS and survey.wires_to(node, pin) and not reach.at(node, pin).event:
            yield survey.found("never_fires", level, node, why=reasons.why(node, pin))
        elif node.type == "condition" and survey.is_fed(node, "condition") and reach.at(node, "trigger").event:
            found = reach.condition(node)
            if not found.true and node.outputs.get("met"):
                yield survey.info("met_unreachable", node)
            if not found.false and node.outputs.get("unmet"):
                yield survey.info("unmet_unreachable", node)


class _Reasons:
    """Follows wires back from inputs that never get a pulse. Cards in a row share their reason, so it is kept."""

    def __init__(self, survey: Survey, reach: Reach) -> None:
        self._survey = survey
        self._reach = reach
        self._known: dict[Pin, Phrase] = {}

    def why(self, node: Node, pin: str) -> Phrase:
        """Return why an input never gets a pulse."""
        seen: dict[Pin, None] = {}
        step: Phrase | tuple[Node, str] = (node, pin)
        while not isinstance(step, Phrase):
            seen[step[0].id, step[1]] = None
            step = self._step(*step, seen)
        self._known.update(dict.fromkeys(seen, step))
        return step

    def _step(self, node: Node, pin: str, seen: Container[Pin]) -> Phrase | tuple[Node, str]:
        """Return why an input gets no pulse, or the input before it that is to blame."""
        if (node.id, pin) in self._known:
            return self._known[node.id, pin]
        said = {"card": card(node), "pin": shown(pin)}
        if not self._survey.wires_to(node, pin):
            return Phrase("graph_reasons.unwired", said)
        for wire in (wires := self._reach.working(node, pin)):
            source = self._survey.rule.node(wire.source)
            if source is None:
                continue
            back = self._back(source, wire.pin)
            if isinstance(back, Phrase):
                return back
            if (source.id, back) not in seen:
                return source, back
        return Phrase("graph_reasons.circle" if wires else "graph_reasons.wire_dead", said)

    def _back(self, source: Node, out: str) -> Phrase | str:
        """Return why a card sends no pulse, or the input whose lack of pulses is the reason."""
        said = {"card": card(source)}
        match source.type:
            case "condition":
                asked = self._reach.at(source, "trigger").event
                return Phrase(f"graph_reasons.never_{out}", said) if asked else "trigger"
            case "eventSequence":
                return "input2" if self._reach.at(source, "input1").event else "input1"
            case "register":
                return "setTrue"
            case "signalOr":
                wired = next((pin for pin in source.inputs if self._reach.working(source, pin)), None)
                return wired or next(iter(source.inputs), "input0")
            case "logicAnd" | "logicOr" | "logicNot" | "statusLast":
                return Phrase("graph_reasons.never_true", said)
            case _:
                pins = PASSES_ON.get(source.type)
                return pins[0] if pins else Phrase("graph_reasons.silent", said)
