"""Wirings that are legal and still not what people want (mijia §2.4, X1): cycles, timers, mirrors, thresholds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from zhixing.graphs.checks.cycles import cycles
from zhixing.graphs.checks.finding import Finding, Level
from zhixing.graphs.checks.pins import LOGIC, SOURCES
from zhixing.graphs.checks.survey import Survey, card
from zhixing.graphs.checks.thresholds import check_thresholds
from zhixing.graphs.checks.walks import Budget, Place, commanded, place_of, pulses
from zhixing.graphs.rule import Node, Wire
from zhixing.graphs.specs.jsontext import shown

_GATES = frozenset({"counter", "delay", "eventSequence", "loop", "onlyNTimes", "register", "statusLast"})
"""Types that take time or let through only so much: a cycle with one of them cannot storm."""
_BRANCHES = frozenset({"condition", "deviceGet", "modeSwitch", "varGet"})
"""Types that may end a cycle, when what they ask changes inside of it."""
_WATCHES = frozenset({"deviceInput", "deviceInputSetVar"})
"""Types that start when a device changes, with a comparison or with the value itself in a variable."""
_ASKS_FIRST = frozenset({"condition", "deviceGet", "varGet"})
"""Types after which a copy is not unconditional; numbers are read into variables and compared there."""
_ENOUGH = 2


def check_patterns(survey: Survey) -> Iterator[Finding]:
    """Look for the wirings. Ids must be unique for what is said to be true; nothing is said otherwise."""
    if not survey.ids_are_unique:
        return
    if survey.strict:
        yield from _time_ranges(survey)
    yield from _event_cycles(survey)
    yield from _shared_delays(survey)
    yield from _held_by_delay(survey)
    yield from _mirrors(survey)
    yield from check_thresholds(survey)


def _event_cycles(survey: Survey) -> Iterator[Finding]:
    free = {node.id: node for node in survey.rule.nodes if node.id and node.type not in _GATES}
    follows = {name: [w.target for w in pulses(survey, node) if w.target in free] for name, node in free.items()}
    order = {name: number for number, name in enumerate(free)}
    for names in cycles(follows):
        ends = any(free[name].type in _BRANCHES for name in names)
        cards = sorted(names, key=order.__getitem__)
        level = Level.WARN if ends else Level.ERROR
        yield survey.found("event_cycle", level, free[cards[0]], ids=shown("、".join(cards)))


def _shared_delays(survey: Survey) -> Iterator[Finding]:
    """Hand on, along pulses, which sources one comes from; two of them are enough to know."""
    known: dict[str, frozenset[str]] = {node.id: frozenset({node.id}) for node in _sources(survey)}
    waiting = deque(known)
    while waiting:
        name = waiting.popleft()
        node = survey.rule.node(name)
        for wire in () if node is None else pulses(survey, node):
            before = known.get(wire.target, frozenset())
            if len(before) >= _ENOUGH or known[name] <= before:
                continue
            known[wire.target] = frozenset(sorted(before | known[name])[:_ENOUGH])
            waiting.append(wire.target)
    for node in survey.rule.nodes:
        if node.type == "delay" and len(known.get(node.id, ())) >= _ENOUGH:
            yield survey.info("shared_delay", node)


def _sources(survey: Survey) -> Iterator[Node]:
    return (node for node in survey.rule.nodes if node.id and node.type in SOURCES)


def _held_by_delay(survey: Survey) -> Iterator[Finding]:
    """Find a device that is asked when a delay ends which a device began: seen twice, not all the time."""
    for node in survey.rule.nodes:
        if node.type != "delay":
            continue
        followers = (survey.rule.node(wire.target) for wire in node.wires)
        asked = next((each for each in followers if each is not None and each.type == "deviceGet"), None)
        if asked is not None and any(each.type == "deviceInput" for each in _begins(survey, node)):
            yield survey.info("delay_as_hold", node, target=card(asked))


def _begins(survey: Survey, delay: Node) -> Iterator[Node]:
    """Give what starts a delay, itself or gathered by a `signalOr`."""
    for wire in survey.wires_to(delay, "input"):
        source = survey.rule.node(wire.source)
        if source is None:
            continue
        yield source
        if source.type == "signalOr":
            gathered = (survey.rule.node(each.source) for each in survey.rule.wires_into(source.id))
            yield from (each for each in gathered if each is not None)


def _mirrors(survey: Survey) -> Iterator[Finding]:
    """Find pairs of properties of two devices where each one's change writes the other."""
    budget = Budget()
    free = _written(survey, _ASKS_FIRST, budget)
    through = _written(survey, frozenset(), budget, preload=True)
    if budget.spent:
        return
    order = {node.id: number for number, node in enumerate(survey.rule.nodes)}
    for code, found in (("unconditional_mirror", free), ("preload_conflict", through)):
        for (start, end), node in found.items():
            other = found.get((end, start))
            if other is not None and start[0] != end[0] and order[node.id] < order[other.id]:
                yield survey.warn(code, node, target=card(other))


def _written(
    survey: Survey, walls: frozenset[str], budget: Budget, *, preload: bool = False
) -> dict[tuple[Place, Place], Node]:
    """Tell for each watched property which ones its change writes, and the node that watches. `walls` stop a pulse."""
    found: dict[tuple[Place, Place], Node] = {}
    for source in survey.rule.nodes:
        start = place_of(source) if source.type in _WATCHES else None
        if start is None or (preload and source.props.get("preload") is not True):
            continue
        for end, _ in commanded(survey, source, walls, budget):
            found.setdefault((start, end), source)
    return found


def _time_ranges(survey: Survey) -> Iterator[Finding]:
    """Demand that a time range is asked by a condition, directly or through logic (§2.1)."""
    asked = _asked(survey)
    for node in survey.rule.nodes:
        if node.type != "timeRange":
            continue
        for wire in node.outputs.get("output", ()):
            target = survey.rule.node(wire.target)
            if target is not None and not _leads(wire, target, asked):
                yield survey.error("tr_wrong_target", node, target=card(target), pin=shown(wire.target_pin))


def _asked(survey: Survey) -> set[str]:
    """Return the logic nodes from which a condition is reached, walking back from the conditions."""
    into = {node.id: node for node in survey.rule.nodes if node.type == "condition" and "condition" in node.inputs}
    found: set[str] = set()
    waiting = [wire for node in into.values() for wire in survey.wires_to(node, "condition")]
    while waiting:
        wire = waiting.pop()
        source = survey.rule.node(wire.source)
        if source is None or source.id in found or source.type not in LOGIC or wire.pin != "output":
            continue
        found.add(source.id)
        waiting += [each for pin in survey.accepts[source.id] for each in survey.wires_to(source, pin)]
    return found


def _leads(wire: Wire, target: Node, asked: set[str]) -> bool:
    if target.type == "condition":
        return wire.target_pin == "condition" and "condition" in target.inputs
    return target.type in LOGIC and target.id in asked and wire.target_pin in target.inputs
