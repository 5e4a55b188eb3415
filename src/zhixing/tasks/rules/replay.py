"""What a rule would do about verdicts: the same machine on a virtual clock, without a store. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from heapq import merge

from zhixing.kernel.moments import from_micros, micros
from zhixing.tasks.rules.hearing import SECOND
from zhixing.tasks.rules.machine import Effect, Happening, first_state, terms_of
from zhixing.tasks.rules.model import Plan
from zhixing.tasks.rules.ranks import Member
from zhixing.tasks.rules.truth import condition_of
from zhixing.tasks.rules.watch import Kept, Watch
from zhixing.world.perception.verdict import Value, Verdict

RULE = "r1"


class Step(StrEnum):
    """Something that happens to a rule beside verdicts."""

    STOP = "stop"
    START = "start"
    RESTART = "restart"
    """The process ends and comes back at once."""


@dataclass(frozen=True, slots=True)
class Interlude:
    """A step at an instant; it comes before a verdict of that instant."""

    at: datetime
    step: Step


@dataclass(frozen=True, slots=True)
class Transition:
    """Something a rule did. `at` is the instant it is for, `decided` when that was certain.

    `since` is when the episode began, `left` when it was over. `why`, and how many seconds were `held` of those
    `needed`, are of near misses.
    """

    what: str
    at: datetime
    decided: datetime
    since: datetime
    left: datetime | None = None
    why: str = ""
    held: float = 0.0
    needed: float = 0.0


def replay(
    plan: Plan,
    zone: str,
    verdicts: Sequence[Verdict],
    until: datetime,
    *,
    made: datetime | None = None,
    interludes: Sequence[Interlude] = (),
    cameras: Sequence[str] | None = None,
    target_after: int | None = None,
) -> tuple[Transition, ...]:
    """Return what a rule does, from its making (default: the first verdict) until an instant.

    `verdicts` and `interludes` are in order of time. `cameras` are those in use; where none are named, all sources
    count for a rule that names none. `target_after` seconds of an episode its target is reached.
    """
    if made is None:
        made = min((verdicts[0].at, until)) if verdicts else until
    player = _Player(plan, zone, micros(made), cameras, target_after)
    steps: Iterable[tuple[int, int, Verdict | Interlude]] = merge(
        ((micros(each.at), 0, each) for each in interludes),
        ((micros(each.at), 1, each) for each in verdicts),
        key=lambda step: step[:2],
    )
    for at, _, step in steps:
        if at > micros(until):
            break
        if isinstance(step, Interlude):
            player.intervene(step.step, at)
        else:
            player.take(step, at)
    player.advance(micros(until))
    return tuple(player.transitions)


class _Player:
    def __init__(
        self, plan: Plan, zone: str, made: int, cameras: Sequence[str] | None, target_after: int | None
    ) -> None:
        self.transitions: list[Transition] = []
        self._condition = condition_of(plan.trigger)
        self._cameras = None if cameras is None else frozenset(cameras)
        self._target_after = None if target_after is None or not plan.on_target else target_after * SECOND
        self._watch = Watch("c1", self._condition, Kept(now=made), self._cameras)
        self._watch.start(Member(RULE, 1, terms_of(plan, zone), first_state(made), enabled=True), made)

    def take(self, verdict: Verdict, at: int) -> None:
        sources = self._condition.sources or self._cameras
        if verdict.query != self._condition.query or (sources is not None and verdict.source not in sources):
            return
        self.advance(at)
        if verdict.event is not None and verdict.value is Value.TRUE:
            self._watch.pulse(verdict.source, verdict.event, at, at, verdict.reason)
        else:
            self._watch.take(
                verdict.source, verdict.value, at, firm=verdict.firm, lasting=verdict.lasting, reason=verdict.reason
            )
        self._drain()

    def advance(self, until: int) -> None:
        self._watch.advance(until)
        # A target that was set by what was met may lie before `until`, too.
        while self._drain():
            self._watch.advance(until)

    def intervene(self, step: Step, at: int) -> None:
        self.advance(at)
        watch, member = self._watch, self._watch.members[RULE]
        match step:
            case Step.STOP:
                if member.enabled:
                    watch.stop(RULE)
            case Step.START:
                if not member.enabled:
                    watch.start(member, at)
            case Step.RESTART:
                self._watch = Watch("c1", self._condition, watch.kept(), self._cameras)
                self._watch.put(Member(RULE, 1, member.terms, member.state, enabled=member.enabled))
                self._watch.come_back(at)
        self._drain()

    def _drain(self) -> bool:
        happened, self._watch.effects = self._watch.effects, []
        for _, effect in happened:
            self.transitions.append(_transition(effect))
            if effect.what is Happening.ENTER and self._target_after is not None:
                self._watch.aim(RULE, effect.since + self._target_after)
        return bool(happened)


def _transition(effect: Effect) -> Transition:
    return Transition(
        what=effect.what.value,
        at=from_micros(effect.at),
        decided=from_micros(effect.now),
        since=from_micros(effect.since),
        left=None if effect.left is None else from_micros(effect.left),
        why="" if effect.why is None else effect.why.value,
        held=effect.held / SECOND,
        needed=effect.needed / SECOND,
    )
