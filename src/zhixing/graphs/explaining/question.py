"""A question about one card, and what it takes to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from zhixing.graphs.catalogue import Colour, inputs_of
from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.explaining.history import History, colour_of
from zhixing.graphs.explaining.sentences import Reason, named, seconds
from zhixing.graphs.rule import Members, Node
from zhixing.graphs.simulating.result import Active

Want = Literal["pulse", "true"]


@dataclass(frozen=True, slots=True)
class Question:
    """Why did no pulse leave a card in a stretch of the run, or why was its state not true at its end.

    `pin` is the output that is asked about, None for any; the stretch goes from `since` up to `before`.
    """

    history: History
    node: Node
    pin: str | None
    want: Want
    since: int
    before: int

    @property
    def props(self) -> Members:
        """The props of the card."""
        return self.node.props

    def reason(self, code: str, pin: str = "", at: int | None = None, **values: object) -> Reason:
        """Make a reason at this card; `at` is the index of the moment that decided."""
        return self.made(code, values, pin, at)

    def made(self, code: str, values: Mapping[str, object], pin: str = "", at: int | None = None) -> Reason:
        """Make a reason as `reason` does, of values that are there already."""
        at_ms = None if at is None else self.history.moments[at].at_ms
        when = {} if at_ms is None else {"at": seconds(at_ms)}
        return Reason(code, self.node.id, pin, at_ms, {"card": self.card, "pin": pin, **when, **values})

    @property
    def card(self) -> Phrase | str:
        """What people call the card."""
        return named(self.node, self.node.id)

    def arrived(self, pin: str) -> list[int]:
        """Return when something was brought to an input within the stretch."""
        return self.history.indices(self.node.id, "carried", pin, self.since, self.before)

    def heard(self) -> list[int]:
        """Return when the card, a source, heard of something, within the whole run up to `before`."""
        return self.history.indices(self.node.id, "heard", before=self.before)

    def timer(self) -> Active | None:
        """Return the timer of the card that runs at the end of the run."""
        return next((each for each in self.history.result.active if each.node == self.node.id), None)

    def seconds(self, index: int) -> str:
        """Return when a moment was."""
        return seconds(self.history.moments[index].at_ms)

    def back(self, pin: str, before: int | None = None) -> Iterator[Reason | Question]:
        """Ask on at every wire to an input, or say why there is none to ask."""
        history, rule = self.history, self.history.rule
        wires = rule.wires_to(self.node.id, pin)
        if not wires:
            yield self.reason("unwired", pin)
        for wire in wires:
            source, colour = rule.node(wire.source), colour_of(rule, wire)
            if source is None or colour is None:
                yield self.reason("wire_dead", pin, end=f"{wire.source}.{wire.pin}")
                continue
            pulses = colour is Colour.EVENT
            lost = history.fired(source.id, wire.pin, self.since, self.before) if pulses else []
            if lost:
                yield self.dropped(pin, lost[-1])
            else:
                end = self.before if before is None else before
                yield Question(history, source, wire.pin, "pulse" if pulses else "true", self.since, end)

    def back_to_all(self) -> Iterator[Reason | Question]:
        """Ask on at the wires to all inputs."""
        for pin in inputs_of(self.node):
            if self.history.rule.wires_to(self.node.id, pin):
                yield from self.back(pin)

    def dropped(self, pin: str, at: int) -> Reason:
        """Say why what was to come of a moment never came: the run itself ended."""
        codes = {each.code for each in self.history.result.diagnostics}
        code = next((each for each in ("event_storm", "steps_spent") if each in codes), "run_cut")
        return self.reason(code, pin, at)
