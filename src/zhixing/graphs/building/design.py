"""The table that stands before the first card of a rule (seed: 设计表), what is missing of it, and its lines. Pure.

A column that nobody filled in is None or empty; one for which there is nothing is an empty tuple. So "there is no loop"
can be said, and is not the same as not having thought of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zhixing.graphs.building.patterns.library import entry
from zhixing.graphs.catalogue import Colour, inputs_of
from zhixing.graphs.checks.variables import uses_of
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Rule, Wire
from zhixing.kernel.wording import Language, wording

FEW_NODES = 10
"""Nodes of a rule that needs no lists of its wires (seed)."""
MOST_PATTERNS = 3
"""Patterns that one design takes (seed: 一至三个)."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is asked, and what follows: when it is so, when it is not, and when nobody knows."""

    about: str
    when_true: str = ""
    when_false: str = ""
    when_unknown: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A variable: what it is for, and its value at first; None when that is not settled."""

    variable: Variable
    initial: float | str | None
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """What makes one state another."""

    start: str
    event: str
    end: str


@dataclass(frozen=True, slots=True)
class Rounds:
    """Something that repeats: what starts it, what stops it."""

    about: str
    start: str = ""
    stop: str = ""


@dataclass(frozen=True, slots=True)
class Design:
    """The columns of the table: the seed's, in its order. `patterns` are ids of the library."""

    triggers: tuple[str, ...] | None = None
    states: tuple[str, ...] | None = None
    questions: tuple[Question, ...] | None = None
    variables: tuple[Kept, ...] | None = None
    transitions: tuple[Transition, ...] | None = None
    rounds: tuple[Rounds, ...] | None = None
    recovery: str = ""
    failure: str = ""
    patterns: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that a design leaves open; `code` is stable, `about` is which one of several."""

    code: str
    about: str = ""

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        return wording(f"patterns.gap_{self.code}", language, about=self.about)


@dataclass(frozen=True, slots=True)
class WireLists:
    """The wires of a rule by what they carry: pulses, and truth values."""

    events: tuple[Wire, ...]
    states: tuple[Wire, ...]


def gaps(design: Design, rule: Rule | None = None) -> tuple[Gap, ...]:
    """Return what is missing; with a rule also what is in it and not in the table."""
    return (*_unsaid(design), *_unfinished(design), *(() if rule is None else _undesigned(design, rule)))


def wire_lists(rule: Rule) -> WireLists:
    """Return both lists, in the order of the rule; wires that end at no pin of a known type are in neither."""
    return WireLists(
        tuple(wire for wire in rule.wires if _carries(rule, wire) is Colour.EVENT),
        tuple(wire for wire in rule.wires if _carries(rule, wire) is Colour.STATE),
    )


def lines(design: Design, rule: Rule | None = None, language: Language = "zh") -> tuple[str, ...]:
    """Return the table as text, one line a column; of a rule over ten nodes also its two lists of wires."""
    rows: list[tuple[str, Iterable[str] | None]] = [
        ("triggers", design.triggers or None),
        ("states", design.states),
        ("questions", _each(design.questions, "question", language)),
        ("variables", _each(design.variables, "variable", language)),
        ("transitions", _each(design.transitions, "transition", language)),
        ("rounds", _each(design.rounds, "rounds", language)),
        ("recovery", [design.recovery] if design.recovery else None),
        ("failure", [design.failure] if design.failure else None),
        ("patterns", design.patterns),
    ]
    if rule is not None and len(rule.nodes) > FEW_NODES:
        found = wire_lists(rule)
        rows += [("events", map(_shown, found.events)), ("state_wires", map(_shown, found.states))]
    return tuple(_row(name, content, language) for name, content in rows)


def _unsaid(design: Design) -> Iterator[Gap]:
    if not design.triggers:
        yield Gap("triggers")
    for name in ("states", "questions", "variables", "transitions", "rounds"):
        if getattr(design, name) is None:
            yield Gap(name)
    for name in ("recovery", "failure"):
        if not getattr(design, name).strip():
            yield Gap(name)
    if design.patterns is None:
        yield Gap("patterns")


def _unfinished(design: Design) -> Iterator[Gap]:
    yield from _unanswered(design)
    if design.states and design.transitions == ():
        yield Gap("unchanging")
    for name in design.patterns or ():
        if entry(name) is None:
            yield Gap("unknown_pattern", name)
    if len(design.patterns or ()) > MOST_PATTERNS:
        yield Gap("many_patterns", str(MOST_PATTERNS))


def _unanswered(design: Design) -> Iterator[Gap]:
    for asked in design.questions or ():
        for branch in ("when_true", "when_false", "when_unknown"):
            if not getattr(asked, branch).strip():
                yield Gap(branch, asked.about)
    for kept in design.variables or ():
        if kept.initial is None:
            yield Gap("initial", kept.variable.key)
    for each in design.rounds or ():
        if not each.start.strip():
            yield Gap("start", each.about)
        if not each.stop.strip():
            yield Gap("stop", each.about)


def _undesigned(design: Design, rule: Rule) -> Iterator[Gap]:
    """Name what the rule has and the table does not: variables, and loops."""
    known = {kept.variable for kept in design.variables or ()}
    used = dict.fromkeys(Variable(use.scope, use.id) for use in uses_of(rule))
    for variable in used:
        if variable not in known:
            yield Gap("undesigned_variable", variable.key)
    if design.rounds == ():
        for node in rule.nodes:
            if node.type == "loop":
                yield Gap("undesigned_loop", node.id)


def _carries(rule: Rule, wire: Wire) -> Colour | None:
    target = rule.node(wire.target)
    return None if target is None else inputs_of(target).get(wire.target_pin)


def _shown(wire: Wire) -> str:
    return f"{wire.source}.{wire.pin} → {wire.end}"


def _each(
    given: Iterable[Question | Kept | Transition | Rounds] | None, kind: str, language: Language
) -> list[str] | None:
    if given is None:
        return None
    return [wording(f"patterns.cell_{kind}", language, **_said(each, language)) for each in given]


def _said(each: Question | Kept | Transition | Rounds, language: Language) -> dict[str, str]:
    unsaid = wording("patterns.unsaid", language)
    match each:
        case Question(about, true, false, unknown):
            return {"about": about, "true": true or unsaid, "false": false or unsaid, "unknown": unknown or unsaid}
        case Kept(variable, initial, purpose):
            return {
                "id": variable.key,
                "initial": unsaid if initial is None else json.dumps(initial, ensure_ascii=False),
                "purpose": purpose,
            }
        case Transition(start, event, end):
            return {"start": start, "event": event, "end": end}
        case Rounds(about, start, stop):
            return {"about": about, "start": start or unsaid, "stop": stop or unsaid}


def _row(name: str, content: Iterable[str] | None, language: Language) -> str:
    said = None if content is None else wording("patterns.between", language).join(content)
    missing = "patterns.unsaid" if said is None else "patterns.nothing"
    return wording(f"patterns.column_{name}", language, content=said or wording(missing, language))
