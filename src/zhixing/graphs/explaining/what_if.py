"""What one more event would change: the run without it and the run with it, held against each other."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from zhixing.graphs.explaining.history import History
from zhixing.graphs.explaining.sentences import Reason, event_text, named, said, seconds, value_text
from zhixing.graphs.explaining.why import explained
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.reading import LONGEST_MS
from zhixing.graphs.simulating.result import Active, Diagnostic, Output, Result, Written
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Event, Line, Script
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import Language

MOST_LINES = 200
"""Lines in which a difference is said."""
MOST_SILENT = 10
"""Sources that heard the event and did not fire, whose reason is told."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Changed:
    """A variable at the end of both runs; None where there is none."""

    variable: Variable
    without: float | str | None
    with_event: float | str | None


@dataclass(frozen=True, slots=True)
class Firings:
    """How often a card fired in both runs."""

    node: str
    without: int
    with_event: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What would be different. `more` is there only with the event, `fewer` only without it.

    `heard` are the sources that heard the event, `silent` why those of them did not fire that did not.
    """

    rule: Rule
    at_ms: int
    event: Event
    more_commands: tuple[Output, ...]
    fewer_commands: tuple[Output, ...]
    variables: tuple[Changed, ...]
    firings: tuple[Firings, ...]
    more_timers: tuple[Active, ...]
    fewer_timers: tuple[Active, ...]
    more_diagnostics: tuple[Diagnostic, ...]
    heard: tuple[str, ...]
    silent: tuple[Reason, ...]
    without: Result
    with_event: Result

    @property
    def none(self) -> bool:
        """Whether all would be as it is."""
        return not (
            self.more_commands
            or self.fewer_commands
            or self.variables
            or self.firings
            or self.more_timers
            or self.fewer_timers
        )

    def lines(self, language: Language = "zh") -> tuple[str, ...]:
        """Say it, one thing a line; at most `MOST_LINES`."""
        found = list(self._lines(language))
        if len(found) > MOST_LINES:
            more = said("graph_explaining.more", language, {"count": len(found) - MOST_LINES})
            return (*found[:MOST_LINES], more)
        return tuple(found)

    def _lines(self, language: Language) -> Iterator[str]:
        def line(code: str, **values: object) -> str:
            return said(f"graph_explaining.{code}", language, values)

        yield line("if_head", at=seconds(self.at_ms), event=event_text(self.event))
        if self.none:
            yield line("if_nothing")
        if not self.heard:
            yield line("if_unheard")
        yield from (each.text(language) for each in self.silent)
        yield from (line("if_command", **self._output(each)) for each in self.more_commands)
        yield from (line("if_no_command", **self._output(each)) for each in self.fewer_commands)
        for each in self.variables:
            values = {"before": _text(each.without), "after": _text(each.with_event)}
            yield line("if_variable", variable=each.variable.key, **values)
        for fired in self.firings:
            yield line("if_fired", card=self._card(fired.node), before=fired.without, after=fired.with_event)
        yield from (line("if_timer", **self._timer(each)) for each in self.more_timers)
        yield from (line("if_no_timer", **self._timer(each)) for each in self.fewer_timers)
        yield from (line("if_diagnostic", said=each) for each in self.more_diagnostics)

    def _timer(self, timer: Active) -> dict[str, object]:
        return {"card": self._card(timer.node), "due": seconds(timer.due_ms)}

    def _card(self, name: str) -> object:
        return named(self.rule.node(name), name)

    def _output(self, output: Output) -> dict[str, object]:
        if isinstance(output, Written):
            about, value = f"{output.property.did} {output.property.key}", value_text(output.value)
        else:
            about, value = f"{output.did} {output.siid}.{output.aiid}", value_text(list(output.values))
        return {"at": seconds(output.at_ms), "card": self._card(output.node), "about": about, "value": value}


def what_if(rule: Rule, script: Script, at_ms: int, event: Event) -> Difference:
    """Run a script twice, the second time with one more event, which comes behind all others of its instant.

    A run that ended before that goes on until then, both times. Raises `BadInput` for an instant out of bounds.
    """
    if not 0 <= at_ms <= LONGEST_MS:
        raise BadInput("explain_time")
    until_ms = max(script.until_ms, at_ms)
    place = bisect_right(script.lines, at_ms, key=lambda line: line.at_ms)
    lines = (*script.lines[:place], Line(at_ms, event), *script.lines[place:])
    without = simulate(rule, replace(script, until_ms=until_ms))
    result = simulate(rule, replace(script, until_ms=until_ms, lines=lines))
    history = History(rule, result)
    heard = _heard(history, event)
    fired = {node: (without.fired.get(node, 0), result.fired.get(node, 0)) for node in (*without.fired, *result.fired)}
    values = {key: (without.variables.get(key), result.variables.get(key)) for key in result.variables}
    return Difference(
        rule=rule,
        at_ms=at_ms,
        event=event,
        more_commands=_only(result.outputs, without.outputs, repr),
        fewer_commands=_only(without.outputs, result.outputs, repr),
        variables=tuple(Changed(key, *pair) for key, pair in values.items() if pair[0] != pair[1]),
        firings=tuple(Firings(node, *pair) for node, pair in fired.items() if pair[0] != pair[1]),
        more_timers=_only(result.active, without.active, _timer),
        fewer_timers=_only(without.active, result.active, _timer),
        more_diagnostics=_only(result.diagnostics, without.diagnostics, _diagnostic),
        heard=heard,
        silent=tuple(_silent(history, at_ms, heard)),
        without=without,
        with_event=result,
    )


def _heard(history: History, event: Event) -> tuple[str, ...]:
    """Return the cards that heard of an event: those whose moment follows from it at once."""
    moments = history.moments
    roots = {index for index in history.indices("", "happened") if moments[index].value is event}
    kinds = ("heard", "pulsed", "published")
    found = (each.node for each in moments if each.cause in roots and each.kind in kinds)
    return tuple(dict.fromkeys(found))


def _silent(history: History, at_ms: int, heard: Iterable[str]) -> Iterator[Reason]:
    for node in list(heard)[:MOST_SILENT]:
        found = explained(history, node, after_ms=at_ms)
        if not found.firings and found.reason is not None:
            yield found.reason


def _only(here: Iterable[_T], there: Iterable[_T], key: Callable[[_T], object]) -> tuple[_T, ...]:
    """Return what is here and not there; what is there once takes away one of its kind."""
    left = Counter(map(key, there))
    found = []
    for each in here:
        if left[key(each)] > 0:
            left[key(each)] -= 1
        else:
            found.append(each)
    return tuple(found)


def _timer(each: Active) -> object:
    return each.node, each.kind, each.due_ms


def _diagnostic(each: Diagnostic) -> object:
    return each.code, each.node


def _text(value: float | str | None) -> str:
    return "-" if value is None else value_text(value)
