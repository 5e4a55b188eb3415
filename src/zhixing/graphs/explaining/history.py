"""The moments of a run, found by card."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from zhixing.graphs.catalogue import Colour, inputs_of, outputs_of
from zhixing.graphs.rule import Rule, Wire
from zhixing.graphs.simulating.moments import UNCAUSED, Kind, Moment
from zhixing.graphs.simulating.record import MOST_MOMENTS
from zhixing.graphs.simulating.result import Diagnostic, Result
from zhixing.graphs.simulating.script import Event, Switch

LEFT_OUT = frozenset({"node_incomplete", "node_twice", "node_unknown"})
"""Diagnostics of cards that take no part in a run."""

_NEAR = 100
"""How many moments of a card are looked through for what it did at once."""


class History:
    """A rule and what one run of it did. Indices are those of `Result.moments`; `before` is not included."""

    def __init__(self, rule: Rule, result: Result) -> None:
        self.rule = rule
        self.result = result
        self.moments = result.moments
        self.end = len(result.moments)
        self.left_out: dict[str, Diagnostic] = {
            each.node: each for each in result.diagnostics if each.code in LEFT_OUT and each.node
        }
        self._found: dict[tuple[str, Kind], list[int]] = {}
        """Indices by card and kind."""
        for index, moment in enumerate(result.moments):
            self._found.setdefault((moment.node, moment.kind), []).append(index)

    @property
    def was_on(self) -> bool:
        """Whether the rule was on at any time."""
        return self.rule.enabled or any(on for _, _, on in self.happened())

    @property
    def cut(self) -> bool:
        """Whether the run did more than was written down."""
        return self.end >= MOST_MOMENTS

    def indices(
        self, node: str, kind: Kind, pin: str | None = None, since: int = 0, before: int | None = None
    ) -> list[int]:
        """Return when something of a kind was at a card, in order, at one pin or any."""
        found = self._found.get((node, kind), [])
        found = found[bisect_left(found, since) : len(found) if before is None else bisect_left(found, before)]
        return found if pin is None else [index for index in found if self.moments[index].pin == pin]

    def fired(self, node: str, pin: str | None = None, since: int = 0, before: int | None = None) -> list[int]:
        """Return when pulses left a card."""
        return self.indices(node, "pulsed", pin, since, before)

    def follows(self, node: str, kind: Kind, cause: int) -> Moment | None:
        """Return what a card did at once of one thing."""
        found = self._found.get((node, kind), [])
        at = bisect_left(found, cause + 1)
        for index in found[at : at + _NEAR]:
            moment = self.moments[index]
            if moment.cause == cause:
                return moment
        return None

    def state(self, node: str, pin: str, before: int) -> tuple[bool | None, int]:
        """Return the state last brought to an input and the index since which it was that; None when there is none."""
        brought = self.indices(node, "carried", pin, before=before)
        if not brought:
            return None, UNCAUSED
        value = self.moments[brought[-1]].value
        since = brought[-1]
        for index in reversed(brought):
            if self.moments[index].value is not value:
                break
            since = index
        return value is True, since

    def happened(self, since: int = 0) -> Iterator[tuple[int, Event, bool]]:
        """Yield each line of the script that was worked off: its index, the event, whether the rule was on."""
        lines = self.indices("", "happened")
        first = next((event.on for index in lines if isinstance(event := self.moments[index].value, Switch)), False)
        # a rule that goes on from what it remembered is not switched on again
        on = self.rule.enabled and not first
        for index in lines:
            event = self.moments[index].value
            if isinstance(event, Switch):
                on = event.on
            if index >= since:
                yield index, event, on  # type: ignore[misc]

    def index_at(self, at_ms: int) -> int:
        """Return the index of the first moment at or after an instant."""
        return bisect_left(self.moments, at_ms, key=lambda moment: moment.at_ms)


def colour_of(rule: Rule, wire: Wire) -> Colour | None:
    """Return what a wire carries, event or state; None for one that cannot work (mijia §1.8)."""
    source, target = rule.node(wire.source), rule.node(wire.target)
    if source is None or target is None:
        return None
    into, sent = inputs_of(target).get(wire.target_pin), outputs_of(source).get(wire.pin)
    return into if into is not None and sent is not None and sent.reaches(into) else None
