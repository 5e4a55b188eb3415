"""How one thing causes the next in a running rule.

What happens is worked off depth first (mijia §1.8): a card that was told something is asked for its effects one by one,
and what an effect causes is over before the next is asked for. That is kept in `_stack` and not in calls, so that no
rule, however long its chains, exhausts Python's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat, starmap
from typing import Any, cast

from zhixing.graphs.catalogue import Colour, outputs_of
from zhixing.graphs.simulating import effects as fx
from zhixing.graphs.simulating.agenda import Agenda, CardTimer, Entry, LateSignal, Learning
from zhixing.graphs.simulating.cards import Card
from zhixing.graphs.simulating.deck import Deck, Lead
from zhixing.graphs.simulating.moments import UNCAUSED
from zhixing.graphs.simulating.record import Record
from zhixing.graphs.simulating.result import Called, Written
from zhixing.graphs.simulating.script import Forced, PropertyReport, Signal, Topic, Value, VariableSet, topic_of
from zhixing.graphs.simulating.world import World

MOST_STEPS = 200_000
"""Steps of a whole run: wires that carry something, signals heard, timers due, cards enabled or told of a clock."""
STEPS_PER_APPOINTMENT = 10
"""Steps that finding the next instant on the wall clock counts for: the sun takes its time."""
LONGEST_TIMER_MS = 1e15
"""Most that a timer runs; a longer one is never due in any run."""

_DONE = object()
"""What an iterator gives that has come to its end."""


@dataclass(frozen=True, slots=True)
class _Fan:
    """The wires of a pin in their order: all, those that carry pulses, and those that carry states."""

    all: tuple[Lead, ...]
    pulses: tuple[Lead, ...]
    states: tuple[Lead, ...]

    @classmethod
    def of(cls, leads: tuple[Lead, ...]) -> _Fan:
        """Sort the wires of a pin."""
        pulses = tuple(lead for lead in leads if lead.colour is Colour.EVENT)
        return cls(leads, pulses, tuple(lead for lead in leads if lead.colour is not Colour.EVENT))


_NO_WIRES = _Fan((), (), ())


class Flow:
    """Carries out what cards want; `on` and `settling` are the run's to set."""

    def __init__(self, deck: Deck, world: World, agenda: Agenda, record: Record) -> None:
        self.on = False
        """Whether the rule is enabled: sources hear nothing while it is not."""
        self.settling = False
        """Whether states are being published at enable, when no pulse leaves a card."""
        self._fans = {end: _Fan.of(leads) for end, leads in deck.leads.items()}
        self._world = world
        self._agenda = agenda
        self._record = record
        self._topics: dict[Topic, list[Card]] = {}
        self._cards = {card.node.id: card for card in deck.cards}
        for card in deck.cards:
            if card.topic is not None:
                self._topics.setdefault(card.topic, []).append(card)
        self.published: dict[tuple[str, str], bool] = {}
        """The last state that left each pin."""
        self.cause = UNCAUSED
        """The moment of which all is worked off now."""
        self._stack: list[tuple[Iterator[Any], int, Card | None]] = []
        """What is being worked off, its cause, and the card whose effects it is; without a card, each step of it is
        done when it is asked for."""
        self._steps = self._steps_now = 0
        self._limit = world.options.max_steps_per_instant
        self._effects: Mapping[type[fx.Effect], Callable[[Card, Any], None]] = {
            fx.Emit: self._emit,
            fx.Tell: self._tell,
            fx.Fail: self._fail,
            fx.Unproven: self._unproven,
            fx.Notice: self._notice,
            fx.Store: self._store,
            fx.Send: self._send,
            fx.Call: self._call,
            fx.Start: self._start,
            fx.Appoint: self._appoint,
            fx.Stop: self._stop,
        }

    # Steps

    @property
    def spent(self) -> bool:
        """Whether the run took as many steps as any may."""
        return self._steps > MOST_STEPS

    def new_instant(self) -> None:
        """Count the steps of this instant from 0."""
        self._steps_now = 0

    def counted(self) -> bool:
        """Count a step, and tell whether it may be made.

        A storm ends with its instant: all that was still to come of it, timers included, is dropped (mijia §1.8).
        """
        self._steps += 1
        self._steps_now += 1
        if self._steps_now <= self._limit and self._steps <= MOST_STEPS:
            return True
        self._stack.clear()
        if not self.spent:
            self._agenda.stop_due(self._world.now_ms)
            self._record.note("event_storm", values={"limit": self._limit})
            self._steps_now = 0
        return False

    # What happens

    def ask(self, card: Card, effects: fx.Effects) -> None:
        """Carry out what a card wants, one effect after the other."""
        self._stack.append((effects, self.cause, card))

    def ask_each(self, asked: Iterator[tuple[Card, fx.Effects]]) -> None:
        """Carry out what several cards want, one after the other; each is a step of the run, not of its instant."""
        self._push(starmap(self._asking, asked))

    def signal(self, signal: Signal) -> None:
        """Tell the sources that it is about, in node order."""
        if self.on:
            self._push(map(self._hear, self._topics.get(topic_of(signal), ()), repeat(signal)))

    def force(self, forced: Forced) -> None:
        """Let an output send what its card did not; one that there is not, and a rule that is off, send nothing."""
        card = self._cards.get(forced.node)
        colour = None if card is None else outputs_of(card.node).get(forced.pin)
        state, pulse = forced.state, forced.pulse
        if card is None or colour is None or (colour is Colour.EVENT and state is not None):
            self._record.note("force_nowhere", values={"end": f"{forced.node}.{forced.pin}"[:80]})
        elif self.on:
            self._emit(card, fx.Emit(forced.pin, state, pulse))

    def keep(self, given: VariableSet) -> None:
        """Set a variable; its watchers hear of it."""
        self._world.variables[given.variable] = given.value
        self.signal(given)

    def appoint(self, due_ms: float, entry: Entry) -> None:
        """Put something on the agenda."""
        if not self._agenda.add(due_ms, entry):
            self._record.note("timers_many")

    def drain(self) -> None:
        """Work everything off."""
        stack, carry_out = self._stack, self._effects
        while stack:
            work, self.cause, card = stack[-1]
            effect: Any = next(work, _DONE)
            if effect is _DONE:
                stack.pop()
            elif card is not None:
                carry_out[type(effect)](card, effect)

    def _push(self, work: Iterator[None]) -> None:
        self._stack.append((work, self.cause, None))

    def _asking(self, card: Card, effects: fx.Effects) -> None:
        self._steps += 1
        self.ask(card, effects)

    def _hear(self, card: Card, signal: Signal) -> None:
        if self.counted():
            self.cause = self._record.moment(self.cause, "heard", card.node.id, value=signal)
            self.ask(card, card.heard(signal))

    def _pulse(self, lead: Lead) -> None:
        if self.counted():
            self.cause = self._record.carried(self.cause, lead, None)
            card = lead.card
            self.ask(card, card.pulse(lead.target_pin))

    def _carry(self, lead: Lead, state: bool) -> None:  # noqa: FBT001 - it is the value of a wire
        # what an earlier wire caused may have changed the state since, and then it was carried already
        if self.published[lead.source, lead.pin] is state and self.counted():
            self.cause = self._record.carried(self.cause, lead, state)
            card = lead.card
            self.ask(card, card.state(lead.target_pin, state))

    def _bring(self, lead: Lead, state: bool) -> None:  # noqa: FBT001 - it is the value of a wire
        if lead.colour is Colour.EVENT:
            self._pulse(lead)
        else:
            self._carry(lead, state)

    # Effects

    def _emit(self, card: Card, emit: fx.Emit) -> None:
        end = card.node.id, emit.pin
        state, pulse = emit.state, emit.pulse and not self.settling
        self.cause = self._record.emitted(self.cause, end[0], emit, pulse=pulse)
        fan = self._fans.get(end, _NO_WIRES)
        if state is None:
            if pulse and fan.pulses:
                self._push(map(self._pulse, fan.pulses))
            return
        self.published[end] = state
        if pulse and fan.pulses:
            self._push(map(self._bring, fan.all, repeat(state)))
        elif fan.states:
            self._push(map(self._carry, fan.states, repeat(state)))

    def _tell(self, card: Card, tell: fx.Tell) -> None:
        self._record.told(self.cause, card.node.id, tell.info)

    def _fail(self, card: Card, fail: fx.Fail) -> None:
        self._record.failed(self.cause, card.node.id, fail)

    def _unproven(self, card: Card, unproven: fx.Unproven) -> None:
        value = getattr(self._world.options, unproven.option)
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        self._record.note("semantics_unproven", card.node.id, {"option": unproven.option, "value": shown})

    def _notice(self, card: Card, notice: fx.Notice) -> None:
        self._record.moment(self.cause, "noted", card.node.id, value=notice.code)
        self._record.note(notice.code, card.node.id, notice.values)

    def _store(self, _card: Card, store: fx.Store) -> None:
        given = VariableSet(store.variable, store.value)
        self._record.stores.append(given)
        self.keep(given)

    def _send(self, card: Card, send: fx.Send) -> None:
        world = self._world
        self._record.sent(Written(world.now_ms, card.node.id, send.property, send.value))
        reports = world.write(send.property, send.value)
        wait = world.options.property_staleness_ms
        if wait:
            self.appoint(world.now_ms + wait, Learning(send.property, send.value, reports))
        else:
            world.learn(send.property, send.value, reports)
        if not world.options.suppress_self_echo:
            echo = PropertyReport(send.property, cast("Value", send.value))
            self.appoint(world.now_ms + wait, LateSignal(echo, self.cause))

    def _call(self, card: Card, call: fx.Call) -> None:
        about = call.did, call.siid, call.aiid
        self._record.sent(Called(self._world.now_ms, card.node.id, *about, call.values))

    def _start(self, card: Card, start: fx.Start) -> None:
        due_ms = self._world.now_ms + min(start.after_ms, LONGEST_TIMER_MS)
        self.appoint(due_ms, CardTimer(card.node.id, start.kind, self.cause))

    def _appoint(self, card: Card, appoint: fx.Appoint) -> None:
        self._steps += STEPS_PER_APPOINTMENT
        due_ms = max(self._world.due_at(appoint.at), self._world.now_ms)
        self.appoint(due_ms, CardTimer(card.node.id, appoint.kind, self.cause))

    def _stop(self, card: Card, _stop: fx.Stop) -> None:
        self._agenda.stop(card.node.id)
