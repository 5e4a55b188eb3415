"""A trial of a rule on a simulated hub: each case is made to come, and just not to come. Pure.

What is tried comes from the plan, not from the graph, so a graph that was built wrong is found out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from zhixing.graphs.building.builder import Declared
from zhixing.graphs.building.sketch import Comparison, equals
from zhixing.graphs.composing.graphing import contrary
from zhixing.graphs.composing.plan import (
    Case,
    Ground,
    Mirror,
    Order,
    Plan,
    Repeat,
    Ringing,
    Sensed,
    Step,
    Trigger,
    Watch,
    Write,
    comings,
)
from zhixing.graphs.composing.staging import AT_FIRST_MS, Stage, coming, instant, outside, sample, settled
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.result import Output, Written
from zhixing.graphs.simulating.run import simulate
from zhixing.graphs.simulating.script import Property
from zhixing.graphs.specs import model
from zhixing.graphs.specs.ranges import plain
from zhixing.kernel.wording import Language, wording

SLACK_MS = 2_000
"""How long is waited for what is done, beyond what was said."""
ROUNDS = 3
"""Rounds of a repetition that are waited for, where it has no number."""
MOST_CHECKS = 60

Kind = Literal["does", "does_not", "otherwise", "again", "stops", "follows", "never"]
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried: what came, and whether the rule did what it should."""

    kind: Kind
    words: str
    passed: bool

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        said = wording(f"composing_graphs.check_{self.kind}", language, words=self.words)
        return said if self.passed else wording("composing_graphs.check_failed", language, said=said)


@dataclass(frozen=True, slots=True)
class Smoke:
    """All that was tried."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether something was tried and all of it went well."""
        return bool(self.checks) and all(each.passed for each in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """What did not go well."""
        return tuple(each for each in self.checks if not each.passed)


def smoke(rule: Rule, variables: tuple[Declared, ...], plan: Plan, ground: Ground) -> Smoke:
    """Try everything that a plan says."""
    trial = _Trial(rule, variables, plan, ground)
    checks = [*(check for case in plan.cases for check in trial.case(case))]
    if plan.mirror is not None:
        checks += trial.mirror(plan.mirror)
    return Smoke(tuple(checks[:MOST_CHECKS]))


@dataclass(frozen=True, slots=True)
class Coming:
    """One way in which a case comes: what is last, and what else must be so then."""

    case: Case
    trigger: Trigger
    others: tuple[Sensed, ...]


@dataclass(frozen=True, slots=True)
class _Ran:
    """What was done, and when it was due, in ms."""

    done: tuple[Output, ...]
    due_ms: int


class _Trial:
    def __init__(self, rule: Rule, variables: tuple[Declared, ...], plan: Plan, ground: Ground) -> None:
        self._rule = rule
        self._variables = variables
        self._plan = plan
        self._ground = ground

    def case(self, case: Case) -> Iterator[Check]:
        """Let a case come in every way; not come; and come when it does not count."""
        for trigger, others in comings(case):
            way = Coming(case, trigger, others)
            if instant(case, trigger, self._ground) is None:
                yield Check("never", trigger.words, passed=False)
            elif case.repeat is not None:
                yield from self._rounds(way, case.repeat)
            else:
                yield from self._once(way)
        if case.otherwise and not case.asked and case.repeat is None:
            yield from self._else(case)

    def _once(self, way: Coming) -> Iterator[Check]:
        case, words = way.case, way.trigger.words
        yield Check("does", words, self._does(case, case.steps, self._run(way)))
        if isinstance(way.trigger, Sensed) and way.trigger.least:
            turned = replace(way.trigger, sensors=way.trigger.sensors[::-1])
            yield Check("does", words, self._does(case, case.steps, self._run(replace(way, trigger=turned))))
        yield Check("does_not", words, self._none(case, self._run(way, comes=False)))
        for each in (way.others or case.asked)[:1]:
            done = self._run(way, so=False)
            yield Check("does_not", each.words, self._none(case, done))
            if case.asked and case.otherwise:
                yield Check("otherwise", words, self._does(case, case.otherwise, done))
        for at in outside(case, way.trigger, self._ground) if case.windows else ():
            yield Check("does_not", words, self._none(case, self._run(way, at=at)))

    def _else(self, case: Case) -> Iterator[Check]:
        """Try what is done when it is not so: at the end of a state, or when an event finds something else."""
        for trigger, others in comings(case):
            if isinstance(trigger, Sensed) and not trigger.is_event:
                ended = replace(trigger, sensors=tuple(contrary(each) for each in trigger.sensors[:1]), hold=None)
                turned = replace(case, triggers=(ended,), joint="any", steps=case.otherwise, otherwise=())
                done = self._run(Coming(turned, ended, ()))
            elif others:
                done = self._run(Coming(case, trigger, others), so=False)
            else:
                continue
            yield Check("otherwise", trigger.words, self._does(case, case.otherwise, done))

    def _rounds(self, way: Coming, repeat: Repeat) -> Iterator[Check]:
        """Count the rounds, see that nothing begins by itself, and that what stops them does."""
        words, wanted = way.trigger.words, {_key(each.order) for each in way.case.steps}
        ran = self._run(way, more_ms=(repeat.times + 2 if repeat.times else ROUNDS) * repeat.every.ms)
        times = [each.at_ms for each in ran.done if _output_key(each) in wanted]
        rounds = len(times) // len(wanted)
        begins = ran.due_ms + (0 if repeat.at_once else repeat.every.ms)
        counted = rounds == repeat.times if repeat.times else rounds >= ROUNDS - 1
        yield Check("again", words, counted and begins <= min(times) <= begins + SLACK_MS)
        yield Check("does_not", words, self._none(way.case, self._run(way, comes=False)))
        stop = repeat.until or _end_of(way.trigger)
        if stop is not None and repeat.times != 1:
            ran = self._stopped(way, repeat.every.ms, stop)
            late = [each for each in ran.done if each.at_ms > ran.due_ms and _output_key(each) in wanted]
            yield Check("stops", stop.words, not late)

    # Running

    def _run(
        self, way: Coming, *, comes: bool = True, so: bool = True, at: datetime | None = None, more_ms: int = 0
    ) -> _Ran:
        """Return what is done when a trigger comes (or nearly), what is asked is so (or not), `at` some time."""
        case, trigger = way.case, way.trigger
        stage, ready = self._stage(way, so=so)
        due = coming(stage, trigger, ready + AT_FIRST_MS, enough=comes)
        later = max([each.after.ms for each in (*case.steps, *case.otherwise) if each.after] or [0])
        until = due + later + SLACK_MS + more_ms
        at = at or instant(case, trigger, self._ground) or self._ground.now
        start = at - timedelta(milliseconds=due)
        if isinstance(trigger, Ringing) and not comes:
            start, until = at + timedelta(minutes=1), SLACK_MS
        return _Ran(simulate(self._rule, stage.script(start, until)).outputs, due)

    def _stopped(self, way: Coming, every_ms: int, stop: Trigger) -> _Ran:
        """Return what is done when rounds are stopped in the middle of the second, and when they were."""
        stage, ready = self._stage(way, so=True)
        due = coming(stage, way.trigger, ready + AT_FIRST_MS)
        known = dict(stage.state)
        ends = coming(stage, stop, due + every_ms + every_ms // 2)
        stage.state |= known
        at = instant(way.case, way.trigger, self._ground) or self._ground.now
        script = stage.script(at - timedelta(milliseconds=due), ends + ROUNDS * every_ms)
        return _Ran(simulate(self._rule, script).outputs, ends)

    def _stage(self, way: Coming, *, so: bool) -> tuple[Stage, int]:
        """Return a stage on which every sensor of the plan rests, and what is asked is so or not."""
        stage = Stage(self._ground.zone, self._variables)
        for each in self._plan.cases:
            for one in each.triggers:
                for sensor in one.sensors if isinstance(one, Sensed) else ():
                    stage.is_(sensor, so=False)
        return stage, settled(stage, (*way.others, *way.case.asked), so=so)

    # What was done

    def _does(self, case: Case, steps: Sequence[Step], ran: _Ran) -> bool:
        """Whether everything is done in time, and nothing of it too early."""
        elsewhere = self._elsewhere(case)
        for each in steps:
            key, due = _key(each.order), ran.due_ms + (each.after.ms if each.after else 0)
            times = [one.at_ms for one in ran.done if _output_key(one) == key]
            if not any(due <= at <= due + SLACK_MS for at in times):
                return False
            if key not in elsewhere and min(times) < due:
                return False
        return bool(steps)

    def _none(self, case: Case, ran: _Ran) -> bool:
        """Whether nothing of it was done, but for what other cases do, too."""
        spared = self._elsewhere(case) | {_key(each.order) for each in case.otherwise}
        found = {_output_key(each) for each in ran.done} - spared
        return not any(_key(each.order) in found for each in case.steps)

    def _elsewhere(self, case: Case) -> set[Key]:
        others = [one for one in self._plan.cases if one is not case]
        return {_key(each.order) for one in others for each in (*one.steps, *one.otherwise)}

    def mirror(self, mirror: Mirror) -> Iterator[Check]:
        """Let the one that is followed change, and the other where both do."""
        sides = [(mirror.master, mirror.follower, mirror.words[0])]
        if mirror.how == "both":
            sides.append((mirror.follower, mirror.master, mirror.words[1]))
        for (thing, prop), (other, written), words in sides:
            for value in (True, False):
                stage = Stage(self._ground.zone, self._variables)
                here, there = Property(thing.did, prop.siid, prop.piid), Property(other.did, written.siid, written.piid)
                if mirror.how == "scaled":
                    watch = Watch(thing, prop, _end(prop, high=value))
                    low = sample(written, _end(written, high=not value), so=True)
                else:
                    watch, low = Watch(thing, prop, equals(value)), not value
                stage.is_(watch, so=False)
                stage.state[there] = not value if low is None else low
                stage.comes(watch, AT_FIRST_MS)
                done = simulate(self._rule, stage.script(self._ground.now, AT_FIRST_MS + SLACK_MS)).outputs
                hit = [each for each in done if isinstance(each, Written) and each.property == there]
                good = bool(hit) and (mirror.how == "scaled" or hit[-1].value is value)
                quiet = not any(isinstance(each, Written) and each.property == here for each in done)
                yield Check("follows", words, good and quiet)


def _end_of(trigger: Trigger) -> Sensed | None:
    if not isinstance(trigger, Sensed) or trigger.is_event or len(trigger.sensors) != 1:
        return None
    return replace(trigger, sensors=(contrary(trigger.sensors[0]),), hold=None)


def _end(prop: model.Property, *, high: bool) -> Comparison:
    """Ask for one end of a range."""
    span = prop.range
    end = 0 if span is None else plain(span.high if high else span.low)
    return Comparison("between", end, end)


def _key(order: Order) -> Key:
    if isinstance(order, Write):
        return order.thing.did, order.prop.siid, order.prop.piid, type(order.value) is bool, order.value
    return order.thing.did, order.action.siid, order.action.aiid, "call", order.inputs


def _output_key(each: Output) -> Key:
    if isinstance(each, Written):
        about = each.property
        return about.did, about.siid, about.piid, type(each.value) is bool, each.value
    return each.did, each.siid, each.aiid, "call", each.values
