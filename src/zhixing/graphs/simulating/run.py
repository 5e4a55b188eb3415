"""The run itself: a virtual clock that jumps from one thing that is due to the next.

At one instant the lines of the script come first, then what is due, in the order it was appointed (mijia §1.8).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.agenda import Agenda, CardTimer, Entry, Learning, QueuedEvent
from zhixing.graphs.simulating.deck import Deck
from zhixing.graphs.simulating.effects import Fail
from zhixing.graphs.simulating.flow import MOST_STEPS, Flow
from zhixing.graphs.simulating.record import Record
from zhixing.graphs.simulating.result import Active, Result
from zhixing.graphs.simulating.script import (
    ClockSet,
    DeviceEvent,
    Event,
    PropertyReport,
    Script,
    Switch,
    Value,
    VariableSet,
)
from zhixing.graphs.simulating.world import World

BUTTON_INTERVAL_MS = 1000
"""How far apart events of a remote control are worked off (mijia §1.9)."""

_REMOTE = ":remote-control:"
_LISTED = ("delay", "loop", "statusLast")


def simulate(rule: Rule, script: Script) -> Result:
    """Run a rule, also one that is badly wired, as the gateway does. Nothing it holds raises, or runs forever."""
    return _Run(rule, script).result()


class _Run:
    """One run; it owns the world, the cards, the agenda and the record."""

    def __init__(self, rule: Rule, script: Script) -> None:
        self._rule = rule
        self._script = script
        self._world = World(script)
        self._deck = Deck.of(rule, self._world)
        self._agenda = Agenda()
        self._record = Record(rule.id, self._world)
        self._flow = Flow(self._deck, self._world, self._agenda, self._record)
        self._cards = {card.node.id: card for card in self._deck.cards}
        self._remotes = {node.did for node in rule.nodes if _REMOTE in node.urn}
        self._turns_ms: dict[str, int] = {}
        self._events: Mapping[type[Event], Callable[[Any], None]] = {
            Switch: self._switch,
            ClockSet: self._set_clock,
            PropertyReport: self._report,
            DeviceEvent: self._send,
            VariableSet: self._set_variable,
        }
        self._entries: Mapping[type[Entry], Callable[[Any], None]] = {
            CardTimer: self._expire,
            QueuedEvent: self._take_turn,
            Learning: self._learn,
        }

    def result(self) -> Result:
        """Run it, and return what it did."""
        for dropped in self._deck.dropped:
            self._record.note(dropped.code, dropped.node, dropped.values)
        if self._rule.enabled:
            self._world.saving = True
            self._switch(Switch(on=True))
            self._world.saving = False
        self._go()
        running = ((due_ms, timer) for due_ms, timer in self._agenda.running() if timer.kind in _LISTED)
        return Result(
            trace=tuple(self._record.trace),
            outputs=tuple(self._record.outputs),
            variables=dict(self._world.variables),
            devices=dict(self._world.devices),
            fired=dict(self._record.fired),
            active=tuple(Active(timer.node, timer.kind, due_ms) for due_ms, timer in running),
            diagnostics=tuple(self._record.diagnostics),
            options=self._world.options,
        )

    def _go(self) -> None:
        """Work off the script and what is due, up to the end of the run."""
        until = self._script.until_ms
        lines = list(reversed(self._script.lines))
        while not self._flow.spent:
            due = self._agenda.next_due()
            if lines and lines[-1].at_ms <= until and (due is None or lines[-1].at_ms <= due):
                line = lines.pop()
                self._arrive(line.at_ms)
                self._events[type(line.event)](line.event)
            elif due is not None and due <= until:
                self._arrive(due)
                entry = self._agenda.pop()
                if self._flow.counted():
                    self._entries[type(entry)](entry)
            else:
                break
            self._flow.drain()
        if self._flow.spent:
            self._record.note("steps_spent", values={"limit": MOST_STEPS})
        elif lines:
            self._record.note("script_cut", values={"count": len(lines)})

    def _arrive(self, at_ms: int) -> None:
        if at_ms != self._world.now_ms:
            self._world.now_ms = at_ms
            self._flow.new_instant()

    # What the script says

    def _switch(self, switch: Switch) -> None:
        if switch.on is self._flow.on:
            return
        self._flow.on = switch.on
        self._record.switched(on=switch.on)
        if switch.on:
            self._enable()
        else:
            self._agenda.stop_all()

    def _enable(self) -> None:
        """Reset memory, publish states, then let those pulse that do so at enable (mijia §1.8)."""
        cards = self._deck.cards
        for card in cards:
            card.reset()
        self._flow.settling = True
        for late in (False, True):
            self._flow.ask_each((card, card.settle()) for card in cards if card.settles_late is late)
            self._flow.drain()
        self._flow.settling = False
        self._flow.ask_each((card, card.begin()) for card in cards)
        self._flow.drain()

    def _set_clock(self, clock: ClockSet) -> None:
        self._world.set_clock(clock.at)
        if self._flow.on:
            self._flow.ask_each((card, card.clock_set()) for card in self._deck.cards)

    def _report(self, report: PropertyReport) -> None:
        self._world.report(report.property, report.value)
        self._flow.signal(report)

    def _send(self, event: DeviceEvent) -> None:
        """Let an event through, or let it wait for its turn (`event_queue_interval_ms`)."""
        interval = self._world.options.event_queue_interval_ms
        if interval is None:
            interval = BUTTON_INTERVAL_MS if event.did in self._remotes else 0
        now = self._world.now_ms
        turn = max(self._turns_ms.get(event.did, 0), now)
        self._turns_ms[event.did] = turn + interval
        if turn <= now:
            self._flow.signal(event)
        else:
            self._flow.appoint(turn, QueuedEvent(event))

    def _set_variable(self, given: VariableSet) -> None:
        value = self._world.fitting(given.variable, given.value)
        if isinstance(value, Fail):
            self._record.note(value.code, values=value.values)
        else:
            self._flow.keep(VariableSet(given.variable, value))

    # What is due

    def _expire(self, timer: CardTimer) -> None:
        card = self._cards[timer.node]
        self._flow.ask(card, card.expire())

    def _take_turn(self, queued: QueuedEvent) -> None:
        self._flow.signal(queued.event)

    def _learn(self, learning: Learning) -> None:
        self._world.learn(learning.property, learning.value, learning.number)
        if learning.echo:
            self._flow.signal(PropertyReport(learning.property, cast("Value", learning.value)))
