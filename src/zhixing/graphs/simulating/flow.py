"""How one thing causes the next in a running rule.

What happens is worked off depth first (mijia §1.8): a card that was told something is asked for its effects one by one,
and what an effect causes is over before the next is asked for. That is kept in `_stack` and not in calls, so that no
rule, however long its chains, exhausts Python's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from zhixing.graphs.catalogue import Colour
from zhixing.graphs.simulating import effects as fx
from zhixing.graphs.simulating.agenda import Agenda, CardTimer, Entry, Learning
from zhixing.graphs.simulating.cards import Card
from zhixing.graphs.simulating.deck import Deck, Lead
from zhixing.graphs.simulating.record import Record
from zhixing.graphs.simulating.result import Called, Written
from zhixing.graphs.simulating.script import Signal, Topic, VariableSet, topic_of
from zhixing.graphs.simulating.world import World

MOST_STEPS = 200_000
"""Steps of a whole run: wires that carry something, signals that are heard, timers that are due."""
STEPS_PER_APPOINTMENT = 10
"""Steps that finding the next instant on the wall clock counts for: the sun takes its time."""
LONGEST_TIMER_MS = 1e15
"""Most that a timer runs; a longer one is never due in any run."""

Work = Callable[[], None]


class Flow:
    """Carries out what cards want; `on` and `settling` are the run's to set."""

    def __init__(self, deck: Deck, world: World, agenda: Agenda, record: Record) -> None:
        self.on = False
        """Whether the rule is enabled: sources hear nothing while it is not."""
        self.settling = False
        """Whether states are being published at enable, when no pulse leaves a card."""
        self._leads = deck.leads
        self._world = world
        self._agenda = agenda
        self._record = record
        self._topics: dict[Topic, list[Card]] = {}
        for card in deck.cards:
            if card.topic is not None:
                self._topics.setdefault(card.topic, []).append(card)
        self._published: dict[tuple[str, str], bool] = {}
        self._stack: list[Iterator[Work]] = []
        self._steps = self._steps_now = 0
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
        limit = self._world.options.max_steps_per_instant
        if self._steps_now <= limit and not self.spent:
            return True
        self._stack.clear()
        if not self.spent:
            self._agenda.stop_due(self._world.now_ms)
            self._record.note("event_storm", values={"limit": limit})
            self._steps_now = 0
        return False

    # What happens

    def ask(self, card: Card, effects: fx.Effects) -> None:
        """Carry out what a card wants, one effect after the other."""
        self._push(partial(self._effects[type(effect)], card, effect) for effect in effects)

    def ask_each(self, asked: Iterator[tuple[Card, fx.Effects]]) -> None:
        """Carry out what several cards want, one after the other."""
        self._push(partial(self.ask, card, effects) for card, effects in asked)

    def signal(self, signal: Signal) -> None:
        """Tell the sources that it is about, in node order."""
        if self.on:
            self._push(partial(self._hear, card, signal) for card in self._topics.get(topic_of(signal), ()))

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
        stack = self._stack
        while stack:
            work = next(stack[-1], None)
            if work is None:
                stack.pop()
            else:
                work()

    def _push(self, work: Iterator[Work]) -> None:
        self._stack.append(work)

    def _hear(self, card: Card, signal: Signal) -> None:
        if self.counted():
            self.ask(card, card.heard(signal))

    def _carry(self, lead: Lead, state: bool | None) -> None:  # noqa: FBT001 - it is the value of a wire
        # what an earlier wire caused may have changed the state since, and then it was carried already
        if state is not None and self._published[lead.source, lead.pin] is not state:
            return
        if not self.counted():
            return
        self._record.carried(lead, state)
        card, pin = lead.card, lead.target_pin
        self.ask(card, card.pulse(pin) if state is None else card.state(pin, state))

    # Effects

    def _emit(self, card: Card, emit: fx.Emit) -> None:
        node, pin = card.node.id, emit.pin
        pulse = emit.pulse and not self.settling
        if emit.state is not None:
            self._published[node, pin] = emit.state
        if pulse:
            self._record.fired[node] += 1
        leads = self._leads.get((node, pin), ())
        self._push(
            partial(self._carry, lead, None if lead.colour is Colour.EVENT else emit.state)
            for lead in leads
            if (pulse if lead.colour is Colour.EVENT else emit.state is not None)
        )

    def _tell(self, card: Card, tell: fx.Tell) -> None:
        self._record.told(card.node.id, tell.info)

    def _fail(self, card: Card, fail: fx.Fail) -> None:
        self._record.failed(card.node.id, fail)

    def _unproven(self, card: Card, unproven: fx.Unproven) -> None:
        value = getattr(self._world.options, unproven.option)
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        self._record.note("semantics_unproven", card.node.id, {"option": unproven.option, "value": shown})

    def _notice(self, card: Card, notice: fx.Notice) -> None:
        self._record.note(notice.code, card.node.id, notice.values)

    def _store(self, _card: Card, store: fx.Store) -> None:
        self.keep(VariableSet(store.variable, store.value))

    def _send(self, card: Card, send: fx.Send) -> None:
        world = self._world
        self._record.sent(Written(world.now_ms, card.node.id, send.property, send.value))
        number = world.write(send.property, send.value)
        wait, echo = world.options.property_staleness_ms, not world.options.suppress_self_echo
        if not wait:
            world.learn(send.property, send.value, number)
        if wait or echo:
            self.appoint(world.now_ms + wait, Learning(send.property, send.value, number, echo))

    def _call(self, card: Card, call: fx.Call) -> None:
        about = call.did, call.siid, call.aiid
        self._record.sent(Called(self._world.now_ms, card.node.id, *about, call.values))

    def _start(self, card: Card, start: fx.Start) -> None:
        due_ms = self._world.now_ms + min(start.after_ms, LONGEST_TIMER_MS)
        self.appoint(due_ms, CardTimer(card.node.id, start.kind))

    def _appoint(self, card: Card, appoint: fx.Appoint) -> None:
        self._steps += STEPS_PER_APPOINTMENT
        due_ms = max(self._world.due_at(appoint.at), self._world.now_ms)
        self.appoint(due_ms, CardTimer(card.node.id, appoint.kind))

    def _stop(self, card: Card, _stop: fx.Stop) -> None:
        self._agenda.stop(card.node.id)
