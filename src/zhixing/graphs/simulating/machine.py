"""A rule that runs, one thing after the other: the same for a script, for a real log and for the virtual gateway.

Time is in milliseconds of the run. Whoever has a machine tells it what happens, in order, and lets it work off what is
due in between; at one instant what happens comes before what is due (mijia §1.8).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.agenda import Agenda, CardTimer, Entry, LateSignal, Learning
from zhixing.graphs.simulating.cards import Card
from zhixing.graphs.simulating.deck import NO_MAKERS, Deck, Maker
from zhixing.graphs.simulating.effects import Fail
from zhixing.graphs.simulating.flow import Flow
from zhixing.graphs.simulating.moments import UNCAUSED
from zhixing.graphs.simulating.record import Record
from zhixing.graphs.simulating.script import (
    ClockSet,
    DeviceEvent,
    Event,
    Forced,
    PropertyReport,
    Reconnected,
    Switch,
    VariableSet,
)
from zhixing.graphs.simulating.world import World

BUTTON_INTERVAL_MS = 1000
"""How far apart events of a remote control are worked off (mijia §1.9)."""

_REMOTE = ":remote-control:"
_BY_WALL_CLOCK = ("alarm", "window")


class Machine:
    """One rule that runs in a `World`; it owns the cards, the agenda and the record."""

    def __init__(self, rule: Rule, world: World, makers: Mapping[str, Maker] = NO_MAKERS) -> None:
        self.rule = rule
        self.world = world
        self.agenda = Agenda()
        self.record = Record(rule.id, world)
        self.deck = Deck.of(rule, world, makers)
        self.flow = Flow(self.deck, world, self.agenda, self.record)
        self.turns_ms: dict[str, int] = {}
        """When the next event of a remote control may be worked off, by did."""
        self._last_events: dict[str, DeviceEvent] = {}
        """The last event of each device, by did; heard also while the rule is off."""
        self._at_ms = world.now_ms
        self._cards = {card.node.id: card for card in self.deck.cards}
        self._remotes = {node.did for node in rule.nodes if _REMOTE in node.urn}
        self._events: Mapping[type[Event], Callable[[Any], None]] = {
            Switch: self._switch,
            ClockSet: self._set_clock,
            PropertyReport: self._report,
            DeviceEvent: self._send,
            VariableSet: self._set_variable,
            Reconnected: self._reconnect,
            Forced: self.flow.force,
        }
        self._entries: Mapping[type[Entry], Callable[[Any], None]] = {
            CardTimer: self._expire,
            LateSignal: self._take_turn,
            Learning: self._learn,
        }
        for dropped in self.deck.dropped:
            self.record.note(dropped.code, dropped.node, dropped.values)

    def card(self, name: str) -> Card | None:
        """Return the card of a node; None for one that takes no part."""
        return self._cards.get(name)

    def save(self) -> None:
        """Enable the rule if it was saved that way."""
        if self.rule.enabled:
            self.world.saving = True
            self._happens(Switch(on=True))
            self.world.saving = False
            self.flow.drain()

    def take(self, at_ms: int, event: Event) -> None:
        """Take in what happens, and all that follows at once."""
        self._arrive(at_ms)
        self._happens(event)
        self.flow.drain()

    def advance(self, until_ms: int) -> None:
        """Work off what is due before an instant."""
        while not self.flow.spent:
            due = self.agenda.next_due()
            if due is None or due >= until_ms:
                return
            self._arrive(due)
            self._work_off()

    def wake(self, at_ms: int) -> None:
        """Go on after nobody worked off what was due: all of it is done now, once, and in its order.

        What goes by the wall clock is not made up for (mijia §1.7); it stands where the clock is.
        """
        self._arrive(at_ms)
        passed: dict[str, Card] = {}
        while not self.flow.spent and (due := self.agenda.next_due()) is not None and due < at_ms:
            entry = self.agenda.pop()
            if isinstance(entry, CardTimer) and entry.kind in _BY_WALL_CLOCK:
                passed[entry.node] = self._cards[entry.node]
            else:
                self._do(entry)
                self.flow.drain()
        for name, card in passed.items():
            self.record.note("ring_missed", name)
            self.flow.cause = UNCAUSED
            self.flow.ask(card, card.clock_set())
            self.flow.drain()

    def _work_off(self) -> None:
        self._do(self.agenda.pop())
        self.flow.drain()

    def _do(self, entry: Entry) -> None:
        if self.flow.counted():
            self._entries[type(entry)](entry)

    def _arrive(self, at_ms: int) -> None:
        self.world.now_ms = at_ms
        if at_ms != self._at_ms:
            self._at_ms = at_ms
            self.flow.new_instant()

    # What happens

    def _happens(self, event: Event) -> None:
        self.flow.cause = self.record.moment(UNCAUSED, "happened", value=event)
        self._events[type(event)](event)

    def _switch(self, switch: Switch) -> None:
        if switch.on is self.flow.on:
            return
        self.flow.on = switch.on
        self.record.switched(on=switch.on)
        if switch.on:
            self._enable()
        else:
            self.agenda.stop_all()

    def _enable(self) -> None:
        """Reset memory, publish states, then let those pulse that do so at enable (mijia §1.8)."""
        cards = self.deck.cards
        for card in cards:
            card.reset()
        self.flow.settling = True
        for late in (False, True):
            self.flow.ask_each((card, card.settle()) for card in cards if card.settles_late is late)
            self.flow.drain()
        self.flow.settling = False
        self.flow.ask_each((card, card.begin()) for card in cards)
        self.flow.drain()

    def _set_clock(self, clock: ClockSet) -> None:
        self.world.set_clock(clock.at)
        if self.flow.on:
            self.flow.ask_each((card, card.clock_set()) for card in self.deck.cards)

    def _report(self, report: PropertyReport) -> None:
        self.world.report(report.property, report.value)
        self.flow.signal(report)

    def _send(self, event: DeviceEvent) -> None:
        """Let an event through, or let it wait for its turn (`event_queue_interval_ms`)."""
        self._last_events[event.did] = event
        interval = self.world.options.event_queue_interval_ms
        if interval is None:
            interval = BUTTON_INTERVAL_MS if event.did in self._remotes else 0
        now = self.world.now_ms
        turn = max(self.turns_ms.get(event.did, 0), now)
        self.turns_ms[event.did] = turn + interval
        if turn <= now:
            self.flow.signal(event)
        else:
            self.flow.appoint(turn, LateSignal(event, self.flow.cause))

    def _reconnect(self, reconnected: Reconnected) -> None:
        """Send the last event of a device again, or drop it (`replayed_events`); without one nothing comes."""
        last = self._last_events.get(reconnected.did)
        if last is None:
            return
        option = self.world.options.replayed_events
        self.record.note("semantics_unproven", values={"option": "replayed_events", "value": option})
        if option == "hear":
            self._send(last)

    def _set_variable(self, given: VariableSet) -> None:
        value = self.world.fitting(given.variable, given.value)
        if isinstance(value, Fail):
            self.record.note(value.code, values=value.values)
        else:
            self.flow.keep(VariableSet(given.variable, value))

    # What is due

    def _expire(self, timer: CardTimer) -> None:
        card = self._cards[timer.node]
        self.flow.cause = self.record.moment(timer.cause, "due", timer.node, timer.kind)
        self.flow.ask(card, card.expire())

    def _take_turn(self, late: LateSignal) -> None:
        self.flow.cause = late.cause
        self.flow.signal(late.signal)

    def _learn(self, learning: Learning) -> None:
        self.world.learn(learning.property, learning.value, learning.reports)
