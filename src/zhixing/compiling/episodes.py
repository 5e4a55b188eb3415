"""A household rule as cards: the same machine as `tasks.rules.machine`, as far as a graph can be one. Pure.

    event rule   state ─ statusLast? ─ quiet? ─ cooldown? ─ commands
    state rule   the same behind "not inside"; what enters sets `inside`, and, where it may go unanswered, `answered`
                 not state ─ statusLast ─ "was answered?" ─ commands; and in any case no longer inside

A short break within the exit debounce leaves a state rule inside, and what was not answered on entering is not answered
on leaving: both as in the household.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time

from zhixing.compiling.commanding import Command, give, paused
from zhixing.compiling.model import About
from zhixing.compiling.sensing import Moment, Watch
from zhixing.graphs.building.builder import Builder, Outlet
from zhixing.graphs.building.cards import condition, logic_not, register
from zhixing.graphs.building.sketch import Span
from zhixing.graphs.building.time_cards import status_last, time_range
from zhixing.tasks.rules.model import Agreement, QuietSpan

_SECOND_MS = 1_000


@dataclass(frozen=True, slots=True)
class Terms:
    """What decides when a rule answers; spans in whole seconds. `leaving` is the exit debounce, None of event rules."""

    agreement: Agreement
    duration: int
    leaving: int | None
    cooldown: int
    quiet: tuple[QuietSpan, ...]

    @property
    def looks_first(self) -> bool:
        """Whether what holds already when the rule is enabled counts."""
        return self.duration > 0 or self.leaving is not None


@dataclass(frozen=True, slots=True)
class RulePiece:
    """A rule that the hub runs: `condition` is its words, `watches` how the hub hears of each of its sources."""

    about: About
    condition: str
    watches: tuple[Watch, ...]
    terms: Terms
    enter: tuple[Command, ...]
    leave: tuple[Command, ...]

    def build(self, builder: Builder) -> None:
        """Put the rule into a graph."""
        terms = self.terms
        sources = [each.source(builder, preload=terms.looks_first) for each in self.watches]
        if isinstance(self.watches[0], Moment):
            give(builder, _let_through(builder, builder.merged(sources), terms), self.enter)
            return
        join = builder.all_of if terms.agreement is Agreement.ALL else builder.any_of
        state = join(sources)
        pulse = _held(builder, state, terms.duration)
        if terms.leaving is None:
            give(builder, _let_through(builder, pulse, terms), self.enter)
        else:
            self._episode(builder, state, pulse, terms.leaving)

    def _episode(self, builder: Builder, state: Outlet, pulse: Outlet, leaving: int) -> None:
        inside = builder.add(register())
        entered = _asked(builder, pulse, inside.out()).unmet
        builder.wire(entered, inside.pin("setTrue"))
        passed = _let_through(builder, entered, self.terms)
        answered = inside
        if passed != entered and self.leave:
            answered = builder.add(register())
            builder.wire(passed, answered.pin("setTrue"))
        give(builder, passed, self.enter)
        ended = builder.add(logic_not())
        builder.wire(state, ended.pin())
        over = _held(builder, ended.out(), leaving)
        if self.leave:
            gone = _asked(builder, over, answered.out()).met
            give(builder, gone, self.leave)
            if answered is not inside:
                builder.wire(gone, answered.pin("setFalse"))
        builder.wire(over, inside.pin("setFalse"))


@dataclass(frozen=True, slots=True)
class _Asked:
    met: Outlet
    unmet: Outlet


def _asked(builder: Builder, pulse: Outlet, state: Outlet) -> _Asked:
    card = builder.add(condition())
    builder.wire(pulse, card.pin("trigger"))
    builder.wire(state, card.pin("condition"))
    return _Asked(card.out("met"), card.out("unmet"))


def _held(builder: Builder, state: Outlet, seconds: int) -> Outlet:
    """Return what pulses when a state was true for so long; 0: when it becomes true."""
    if not seconds:
        return state
    card = builder.add(status_last(Span.of_ms(seconds * _SECOND_MS)))
    builder.wire(state, card.pin())
    return card.out()


def _let_through(builder: Builder, pulse: Outlet, terms: Terms) -> Outlet:
    """Hold back what comes in quiet hours, then what comes too soon after the last answer."""
    if terms.quiet:
        windows = [builder.add(time_range(at(each.start), at(each.end))).out() for each in terms.quiet]
        pulse = _asked(builder, pulse, builder.any_of(windows)).unmet
    return paused(builder, pulse, terms.cooldown * _SECOND_MS)


def at(minute: int) -> time:
    """Return a minute of the day as a time."""
    return time(minute // 60 % 24, minute % 60)


def is_quiet(quiet: Sequence[QuietSpan], minute: int) -> bool:
    """Whether a minute of the day lies in quiet hours."""
    return any(
        each.start <= minute < each.end if each.start < each.end else minute >= each.start or minute < each.end
        for each in quiet
    )
