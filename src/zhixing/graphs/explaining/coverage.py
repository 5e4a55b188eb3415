"""What scripts try of a rule: which outputs sent what, which wires carried what, and which never did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from zhixing.graphs.catalogue import Colour, inputs_of, outputs_of
from zhixing.graphs.checks.finding import Profile
from zhixing.graphs.checks.reachability import Reach
from zhixing.graphs.checks.survey import Survey
from zhixing.graphs.explaining.history import LEFT_OUT, colour_of
from zhixing.graphs.explaining.sentences import named, said
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.simulating.result import Result
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Script
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.errors import TooLarge
from zhixing.kernel.wording import Language

MOST_SCRIPTS = 50
"""Scripts that are looked at together."""
MOST_LINES = 200
"""Branches that are listed in words."""

Sent = Literal["pulse", "true", "false"]
_NOTE = "nop"


@dataclass(frozen=True, slots=True)
class Branch:
    """Something an output can send, or, with an `end` (`node.pin`), that one wire from it can carry."""

    node: str
    pin: str
    sent: Sent
    end: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often each branch was taken, by all scripts together; in the order of the rule.

    `by_script` holds what each script took by itself. `impossible` can never be taken, as the rule is wired, and does
    not count; nor do cards that take no part, `left_out`. An output that sends states has a pulse only to event wires.
    """

    rule: Rule
    taken: Mapping[Branch, int]
    by_script: tuple[frozenset[Branch], ...]
    impossible: frozenset[Branch]
    left_out: tuple[str, ...]

    @property
    def outputs(self) -> tuple[Branch, ...]:
        """The branches of outputs that count."""
        return tuple(each for each in self.taken if not each.end and each not in self.impossible)

    @property
    def wires(self) -> tuple[Branch, ...]:
        """The branches of wires that count."""
        return tuple(each for each in self.taken if each.end and each not in self.impossible)

    @property
    def uncovered(self) -> tuple[Branch, ...]:
        """What was never taken and could be: outputs, then wires."""
        return tuple(each for each in (*self.outputs, *self.wires) if not self.taken[each])

    @property
    def percent(self) -> float:
        """How many of the branches of outputs were taken, 0 to 100; 100 when there are none."""
        return self._percent(self.outputs)

    @property
    def wire_percent(self) -> float:
        """How many of the branches of wires were taken."""
        return self._percent(self.wires)

    def _percent(self, branches: Sequence[Branch]) -> float:
        done = sum(self.taken[each] > 0 for each in branches)
        return round(100 * done / len(branches), 1) if branches else 100.0

    def lines(self, language: Language = "zh") -> tuple[str, ...]:
        """Say it: the share, then what is not covered; a wire is named only when its output is covered."""
        done = [sum(self.taken[each] > 0 for each in group) for group in (self.outputs, self.wires)]
        head = {
            "done": done[0],
            "all": len(self.outputs),
            "percent": f"{self.percent:g}",
            "wires": done[1],
            "all_wires": len(self.wires),
        }
        found = [said("graph_explaining.coverage", language, head)]
        open_outputs = {(each.node, each.pin, each.sent) for each in self.uncovered if not each.end}
        told = [each for each in self.uncovered if not each.end or (each.node, each.pin, each.sent) not in open_outputs]
        found += [self._text(each, language) for each in told[:MOST_LINES]]
        if len(told) > MOST_LINES:
            found.append(said("graph_explaining.more", language, {"count": len(told) - MOST_LINES}))
        return tuple(found)

    def _text(self, branch: Branch, language: Language) -> str:
        values = {"card": named(self.rule.node(branch.node), branch.node), "pin": branch.pin, "end": shown(branch.end)}
        key = f"graph_explaining.open_{branch.sent}" + ("_wire" if branch.end else "")
        return said(key, language, values)


def coverage(rule: Rule, scripts: Sequence[Script]) -> Coverage:
    """Run each script and add up what they took. Raises `TooLarge` for more than `MOST_SCRIPTS`."""
    if len(scripts) > MOST_SCRIPTS:
        raise TooLarge("explain_scripts", limit=MOST_SCRIPTS)
    return coverage_of(rule, [simulate(rule, script) for script in scripts])


def coverage_of(rule: Rule, results: Sequence[Result]) -> Coverage:
    """Add up what runs of a rule took."""
    taken = dict.fromkeys(_branches(rule), 0)
    alone = []
    for result in results:
        counted = _taken(result)
        alone.append(frozenset(branch for branch in counted if branch in taken))
        for branch in alone[-1]:
            taken[branch] += counted[branch]
    left_out = {each.node for result in results for each in result.diagnostics if each.code in LEFT_OUT}
    taken = {branch: count for branch, count in taken.items() if branch.node not in left_out}
    impossible = frozenset(branch for branch in _impossible(rule, taken) if not taken[branch])
    return Coverage(rule, taken, tuple(alone), impossible, tuple(sorted(left_out)))


def _branches(rule: Rule) -> Iterator[Branch]:
    for node in rule.nodes:
        if node.type == _NOTE or not node.id or rule.node(node.id) is not node:
            continue
        for pin, colour in outputs_of(node).items():
            wires = [(wire, colour_of(rule, wire)) for wire in node.outputs.get(pin, ())]
            pulses = colour is Colour.EVENT or any(into is Colour.EVENT for _, into in wires)
            yield from (Branch(node.id, pin, sent) for sent in _sent(colour, pulses=pulses))
            for wire, into in wires:
                if into is not None:
                    yield from (Branch(node.id, pin, sent, wire.end) for sent in _sent(into, pulses=True))


def _sent(colour: Colour, *, pulses: bool) -> tuple[Sent, ...]:
    if colour is Colour.EVENT:
        return ("pulse",)
    return ("pulse", "true", "false") if colour is Colour.BOTH and pulses else ("true", "false")


def _taken(result: Result) -> Counter[Branch]:
    found: Counter[Branch] = Counter()
    for moment in result.moments:
        match moment.kind:
            case "pulsed" | "published":
                if moment.kind == "pulsed":
                    found[Branch(moment.node, moment.pin, "pulse")] += 1
                if moment.value is not None:
                    found[Branch(moment.node, moment.pin, "true" if moment.value else "false")] += 1
            case "carried":
                source = result.moments[moment.cause]
                sent: Sent = "pulse" if moment.value is None else "true" if moment.value else "false"
                found[Branch(source.node, source.pin, sent, f"{moment.node}.{moment.pin}")] += 1
    return found


def _impossible(rule: Rule, branches: Mapping[Branch, int]) -> Iterator[Branch]:
    """Yield what can never be taken; nothing when the wiring does not say (ids that are there twice)."""
    survey = Survey.of(rule, Profile.EDITOR, ())
    # a run does not ask whether inputs are declared
    survey = replace(survey, accepts={node.id: inputs_of(node) for node in rule.nodes if rule.node(node.id) is node})
    if not survey.ids_are_unique:
        return
    reach = Reach(survey)
    for branch in branches:
        node = rule.node(branch.node)
        if isinstance(node, Node):
            truth = reach.leaving(node, branch.pin)
            possible = {"pulse": truth.event, "true": truth.true, "false": truth.false}
            if not possible[branch.sent]:
                yield branch
