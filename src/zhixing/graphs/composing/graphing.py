"""A plan → a rule: cards and wires. Pure.

A condition beside a trigger is asked at the moment of the trigger. Of two states that must both be so, each one's
coming asks for the other, so that it does not matter which is last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zhixing.graphs.building.builder import Builder, Outlet
from zhixing.graphs.building.cards import condition, register
from zhixing.graphs.building.device_cards import device_action, device_event, device_get, device_input, device_output
from zhixing.graphs.building.patterns.gathering import at_least
from zhixing.graphs.building.patterns.library import AGG, FIRST_ROUND, HOLD, LOOP, OFF_TIMER, SYNC
from zhixing.graphs.building.patterns.mirroring import followed, mirrored
from zhixing.graphs.building.patterns.recipes import first_at_once, held_for, off_timer
from zhixing.graphs.building.patterns.rounds import repeated
from zhixing.graphs.building.sketch import Comparison, Sketch, equals
from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.building.time_cards import alarm_clock, delay, loop, sun_alarm, time_range
from zhixing.graphs.composing.abilities import is_countable
from zhixing.graphs.composing.following import NotBuilt
from zhixing.graphs.composing.plan import (
    Case,
    Ground,
    Hear,
    Mirror,
    Order,
    Pair,
    Plan,
    Ringing,
    Sensed,
    Sensor,
    Step,
    Trigger,
    Watch,
    Write,
    comings,
)
from zhixing.graphs.composing.request import Clock, Joint, Window
from zhixing.graphs.rule import Rule
from zhixing.graphs.times.filters import EveryDay
from zhixing.graphs.times.sun import Place

MOST_TOGETHER = 6
"""Facts that must all be so; each one's coming asks for all others."""


class Grapher:
    """Builds one plan into a builder; `patterns` are the ids of those that were used."""

    def __init__(self, builder: Builder, place: Place | None) -> None:
        self.builder = builder
        self.patterns: dict[str, None] = {}
        self._place = place
        self._doors: dict[tuple[str, int, int], Outlet] = {}
        self._counted = 0

    def build(self, plan: Plan) -> None:
        """Put everything in. Raises `NotBuilt`."""
        if plan.mirror is not None:
            self._mirror(plan.mirror)
        for case in plan.cases:
            self._case(case)

    # Cases

    def _case(self, case: Case) -> None:
        if case.triggers and not case.asked and case.otherwise and self._states_only(case):
            self._branch(replace(case, otherwise=()))
            self._branch(self._contrary(case))
            return
        self._branch(case)

    @staticmethod
    def _states_only(case: Case) -> bool:
        return not any(each.is_event for each in case.triggers)

    def _contrary(self, case: Case) -> Case:
        """Return the case of what is done when the states are no more: 有人就开灯，否则关灯."""
        flipped = tuple(self._flipped(each) for each in case.triggers)
        joint: Joint = "any" if case.joint == "all" else "all"
        return replace(case, triggers=flipped, joint=joint, steps=case.otherwise, otherwise=(), repeat=None)

    @staticmethod
    def _flipped(trigger: Trigger) -> Trigger:
        if not isinstance(trigger, Sensed) or trigger.least or len(trigger.sensors) != 1:
            raise NotBuilt("otherwise")
        return replace(trigger, sensors=(contrary(trigger.sensors[0]),), hold=None)

    def _branch(self, case: Case) -> None:
        """Build one case: when it comes, what is asked then, what is done."""
        passed: list[Outlet] = []
        failed: list[Outlet] = []
        if sum(each.is_event for each in case.triggers) > 1 and case.joint == "all":
            raise NotBuilt("triggers")
        for trigger, others in comings(case):
            if len(others) >= MOST_TOGETHER:
                raise NotBuilt("triggers")
            at = self._event(trigger)
            at, missed = self._asked(at, others)
            passed.append(at)
            failed += missed
        go = self.builder.merged(passed)
        if case.repeat is not None:
            self._rounds(case, go)
            return
        go, outside = self._inside(go, case.windows)
        go, not_so = self._asked(go, case.asked)
        self._steps(go, case.steps)
        misses = not_so if case.asked else [*failed, *outside]
        if case.otherwise:
            if not misses:
                raise NotBuilt("otherwise")
            self._steps(self.builder.merged(misses), case.otherwise)

    def _rounds(self, case: Case, go: Outlet) -> None:
        """Build what happens again and again; the way out is wired before the way in."""
        repeat = case.repeat
        if repeat is None or case.otherwise or case.asked:
            raise NotBuilt("repeat")
        stops = [self._event(repeat.until)] if repeat.until is not None else []
        ends = [self._ended(each) for each in case.triggers] if repeat.until is None else []
        stops += [each for each in ends if each is not None]
        if repeat.times:
            self.patterns[LOOP] = None
            rounds = repeated(
                self.builder, repeat.every, repeat.times, "at_once" if repeat.at_once else "after_interval"
            )
            for name, source in (("cancel", stops), ("start", [go])):
                if source:
                    self.builder.wire(self.builder.merged(source), *rounds.into(name))
            work = rounds.out("work")
        else:
            if not stops:
                raise NotBuilt("until")
            work = self._endless(repeat.every, go, self.builder.merged(stops), at_once=repeat.at_once)
        inside, _ = self._inside(work, case.windows)
        self._steps(inside, case.steps)

    def _endless(self, every: Length, go: Outlet, stop: Outlet, *, at_once: bool) -> Outlet:
        if at_once:
            self.patterns[FIRST_ROUND] = None
            beat = first_at_once(self.builder, every)
            self.builder.wire(stop, *beat.into("stop"))
            self.builder.wire(go, *beat.into("start"))
            return beat.out("work")
        self.patterns[LOOP] = None
        card = self.builder.add(loop(every))
        self.builder.wire(stop, card.pin("stop"))
        self.builder.wire(go, card.pin("start"))
        return card.out()

    def _ended(self, trigger: Trigger) -> Outlet | None:
        """Return when what began something ends; None for what is over at once."""
        if not isinstance(trigger, Sensed) or trigger.is_event or len(trigger.sensors) != 1 or trigger.least:
            return None
        return self._heard(contrary(trigger.sensors[0]))

    # What is watched

    def _event(self, trigger: Trigger) -> Outlet:
        """Return the pulse of a trigger."""
        if isinstance(trigger, Ringing):
            return self._ringing(trigger)
        if trigger.quiet and trigger.hold is not None:
            self.patterns[OFF_TIMER] = None
            return off_timer(self.builder, self._heard(trigger.sensors[0]), trigger.hold).out("off")
        if trigger.hold is not None or trigger.least:
            return self._state(trigger)
        return self.builder.merged([self._heard(each) for each in trigger.sensors])

    def _state(self, sensed: Sensed) -> Outlet:
        """Return the state of what sensors tell, for as long as was said; it pulses when that begins."""
        if sensed.least:
            self.patterns[AGG] = None
            self._counted += 1
            sensors = [
                (each.thing, each.prop) for each in sensed.sensors if isinstance(each, Watch) and is_countable(each)
            ]
            some = Comparison(">=", 1)
            state = at_least(self.builder, sensors, some, sensed.least, f"count{self._counted}").out("enough")
        else:
            states = [self._kept(each) for each in sensed.sensors]
            state = self.builder.all_of(states) if sensed.joint == "all" else self.builder.any_of(states)
        if sensed.hold is None:
            return state
        self.patterns[HOLD] = None
        return held_for(self.builder, state, sensed.hold).out("held")

    def _heard(self, sensor: Sensor) -> Outlet:
        match sensor:
            case Watch():
                return self.builder.add(device_input(sensor.thing, sensor.prop, sensor.when)).out()
            case Hear():
                filters = dict(sensor.filters) or None
                return self.builder.add(device_event(sensor.thing, sensor.event, filters)).out()
            case Pair():
                return self.builder.add(device_event(sensor.thing, sensor.begins)).out()

    def _kept(self, sensor: Sensor) -> Outlet:
        """Return a state that is known from the moment the rule is enabled, as far as the device says it."""
        match sensor:
            case Watch():
                return self.builder.add(device_input(sensor.thing, sensor.prop, sensor.when, preload=True)).out()
            case Pair():
                key = sensor.thing.did, sensor.begins.siid, sensor.begins.eiid
                if key not in self._doors:
                    kept = self.builder.add(register())
                    self.builder.wire(self._heard(sensor), kept.pin("setTrue"))
                    ends = self.builder.add(device_event(sensor.thing, sensor.ends))
                    self.builder.wire(ends.out(), kept.pin("setFalse"))
                    self._doors[key] = kept.out()
                return self._doors[key]
            case Hear():
                raise NotBuilt(sensor.event.name)

    def _ringing(self, trigger: Ringing) -> Outlet:
        at = trigger.at
        if isinstance(at, Clock):
            return self.builder.add(alarm_clock(at.at, at.days or EveryDay())).out()
        if self._place is None:
            raise NotBuilt("place")
        return self.builder.add(sun_alarm(self._place, at.event, at.offset, at.days)).out()

    # What is asked at that moment

    def _asked(self, at: Outlet, asked: Sequence[Sensed]) -> tuple[Outlet, list[Outlet]]:
        """Return where it goes on when everything is so, and where it does not."""
        missed: list[Outlet] = []
        for each in asked:
            sensor = each.sensors[0]
            if (
                len(each.sensors) == 1
                and isinstance(sensor, Watch)
                and sensor.prop.readable
                and not (each.hold or each.least)
            ):
                card = self.builder.add(device_get(sensor.thing, sensor.prop, sensor.when))
                self.builder.wire(at, card.pin())
                at = card.out()
                missed.append(card.out("output2"))
            else:
                at, unmet = self._conditioned(at, self._state(each))
                missed.append(unmet)
        return at, missed

    def _inside(self, at: Outlet, windows: Sequence[Window]) -> tuple[Outlet, list[Outlet]]:
        missed: list[Outlet] = []
        for each in windows:
            card = self.builder.add(time_range(each.start, each.end, each.days))
            at, unmet = self._conditioned(at, card.out())
            missed.append(unmet)
        return at, missed

    def _conditioned(self, at: Outlet, state: Outlet) -> tuple[Outlet, Outlet]:
        card = self.builder.add(condition())
        self.builder.wire(state, card.pin("condition"))
        self.builder.wire(at, card.pin("trigger"))
        return card.out("met"), card.out("unmet")

    # What is done

    def _steps(self, at: Outlet, steps: Sequence[Step]) -> None:
        waits: dict[int, Outlet] = {}
        for each in steps:
            source = at
            if each.after is not None:
                source = waits.get(each.after.ms) or self.builder.chain(at, self.builder.add(delay(each.after)))
                waits[each.after.ms] = source
            self.builder.wire(source, self.builder.add(order_card(each.order)).pin())

    def _mirror(self, mirror: Mirror) -> None:
        if mirror.how == "both":
            self.patterns[SYNC] = None
            mirrored(self.builder, mirror.master, mirror.follower)
        elif mirror.how == "scaled":
            self.patterns[SYNC] = None
            followed(self.builder, mirror.master, mirror.follower, "follow")
        else:
            for value in (True, False):
                came = self.builder.add(device_input(*mirror.master, equals(value)))
                self.builder.wire(came.out(), self.builder.add(device_output(*mirror.follower, value)).pin())


def contrary(sensor: Sensor) -> Sensor:
    """Return when a sensor tells that it is no more so. Raises `NotBuilt`."""
    match sensor:
        case Watch(contrary=Comparison() as flipped):
            return replace(sensor, when=flipped, contrary=sensor.when)
        case Pair():
            return replace(sensor, begins=sensor.ends, ends=sensor.begins)
    raise NotBuilt("contrary")


def order_card(order: Order) -> Sketch:
    """Return the card of an order."""
    if isinstance(order, Write):
        return device_output(order.thing, order.prop, order.value)
    return device_action(order.thing, order.action, list(order.inputs))


def graph_of(plan: Plan, ground: Ground) -> tuple[Rule, Grapher]:
    """Return the rule, and what built it."""
    grapher = Grapher(Builder(ground.rule_id), ground.place)
    grapher.build(plan)
    return grapher.builder.rule(plan.name, int(ground.now.timestamp() * 1000)), grapher
