"""One rule and its episodes: pure.

    IDLE → INSIDE      it counts, and was answered
    IDLE → SILENT      it counts, and must not be answered: how things already were, cooldown, quiet hours
    INSIDE, SILENT → IDLE            an event rule, when it is confirmed to be over
    INSIDE, SILENT ⇄ LEAVING → IDLE  a state rule: over, unless it surely holds again before the exit is due

An episode begins at most once per time the condition holds, and ends at most once; what is not answered on entering is
not answered on leaving. Instants are microseconds since the epoch, spans are microseconds.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from zhixing.kernel.moments import from_micros, zone
from zhixing.tasks.rules.hearing import SECOND
from zhixing.tasks.rules.model import Mode, Plan, QuietSpan
from zhixing.tasks.rules.truth import Truth, View

SETTLING = 60 * SECOND
"""How long after it was made an event rule takes what it first sees for how things already were."""
NEAR = 0.8
"""The part of its duration that a condition must have held for its end to be worth telling."""


class Phase(StrEnum):
    """Where a rule is."""

    IDLE = "idle"
    INSIDE = "inside"
    SILENT = "silent"
    LEAVING = "leaving"


class Why(StrEnum):
    """Why something that came close did not happen."""

    HELD = "held"
    """It did not hold for long enough."""
    UNKNOWN = "unknown"
    """Nobody could tell for too long whether it still held."""
    OUTAGE = "outage"
    """We were away for too long to know."""
    ALREADY_TRUE = "already_true"
    """It was so already when the rule was made."""
    PASSED_WHILE_STOPPED = "passed_while_stopped"
    COOLDOWN = "cooldown"
    QUIET = "quiet"
    LIMIT = "limit"
    OLD_EVENT = "old_event"
    """The event was told of too late."""


class Happening(StrEnum):
    """What a rule does to the world outside of it."""

    ENTER = "enter"
    EXIT = "exit"
    TARGET = "target"
    NEAR_MISS = "near_miss"
    STOPPED = "stopped"
    """It is stopped by its own limit."""


class Effect(NamedTuple):
    """One thing that follows. `at` is the instant it is for, `now` the one at which it was decided.

    `since` names the episode: when it began to count. `held` and `needed` are spans, of a near miss.
    """

    what: Happening
    at: int
    since: int
    now: int
    left: int | None = None
    why: Why | None = None
    held: int = 0
    needed: int = 0


class Terms(msgspec.Struct, frozen=True):
    """What of a plan decides when a rule answers."""

    state: bool
    """Whether leaving matters."""
    duration: int
    debounce: int
    cooldown: int
    quiet: tuple[QuietSpan, ...]
    zone: str
    fires: int
    """Enters allowed within `window`; 0: no limit."""
    window: int
    target: bool
    """Whether reaching a target is answered."""


def terms_of(plan: Plan, zone_name: str) -> Terms:
    """Return what decides when a rule answers."""
    trigger, limit = plan.trigger, plan.limit
    return Terms(
        state=trigger.mode is Mode.STATE,
        duration=trigger.duration * SECOND,
        debounce=plan.exit_debounce * SECOND,
        cooldown=plan.cooldown * SECOND,
        quiet=plan.quiet,
        zone=zone_name,
        fires=limit.fires if limit else 0,
        window=limit.seconds * SECOND if limit else 0,
        target=bool(plan.on_target),
    )


class State(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a rule is, as it is kept."""

    phase: Phase = Phase.IDLE
    since: int = 0
    """The episode: when it began to count. Kept afterwards, so that the same one is not begun twice."""
    left_at: int = 0
    """When it was over, while LEAVING."""
    silent: bool = False
    """Whether the episode goes without answers, while LEAVING."""
    target_at: int | None = None
    count_from: int = 0
    """What held before does not count."""
    fresh_until: int = 0
    """Up to here, a first `true` is how things already were."""
    entered: int | None = None
    """The instant of the last answer on entering."""
    recent: tuple[int, ...] = ()
    """The instants of answers within the window of the limit, the newest last."""


class Decision(NamedTuple):
    """The state after, what follows, and the instant at which to decide again if nothing is heard before.

    Where `due` is None, only news of the condition can change anything.
    """

    state: State
    effects: tuple[Effect, ...]
    due: int | None


def decide(terms: Terms, state: State, truth: Truth, view: View, now: int) -> Decision:
    """Decide what a rule does about what is known at `now`."""
    match state.phase:
        case Phase.IDLE:
            return _idle(terms, state, truth, view, now)
        case Phase.INSIDE | Phase.SILENT:
            if view.value is False:
                return _over(terms, state, truth, view, now)
            return _inside(state, view, now)
        case Phase.LEAVING:
            return _leaving(terms, state, view, now)


def _idle(terms: Terms, state: State, truth: Truth, view: View, now: int) -> Decision:
    if view.value is not True:
        return Decision(state, (), None)
    since = max(truth.held_since, state.count_from)
    due = since + terms.duration
    if now < due:
        return Decision(state, (), due)
    if terms.duration and not view.clear:
        return Decision(state, (), None)
    already = not terms.duration and not terms.state and truth.judged == truth.held_since <= state.fresh_until
    if already:
        return _silently(terms, state, Why.ALREADY_TRUE, due, since=since, now=now)
    return enter(terms, state, due, since, now)


def enter(terms: Terms, state: State, at: int, since: int, now: int) -> Decision:
    """Begin an episode, answered unless something forbids it."""
    if quiet_at(terms.quiet, terms.zone, now):
        return _silently(terms, state, Why.QUIET, at, since=since, now=now)
    # A last enter somewhat in the future comes of clocks that differ, one far in the future of a clock that was wrong.
    if terms.cooldown and state.entered is not None and -SETTLING < at - state.entered < terms.cooldown:
        return _silently(terms, state, Why.COOLDOWN, at, since=since, now=now)
    recent: tuple[int, ...] = ()
    if terms.fires:
        recent = tuple(each for each in state.recent if -SETTLING < at - each < terms.window)
        if len(recent) >= terms.fires:
            effect = Effect(Happening.STOPPED, at, since, now, why=Why.LIMIT)
            return Decision(stop(state), (effect,), None)
    inside = State(Phase.INSIDE, since, 0, False, None, state.count_from, 0, at, (*recent, at) if terms.fires else ())
    return Decision(inside, (Effect(Happening.ENTER, at, since, now),), None)


def _silently(terms: Terms, state: State, why: Why, at: int, *, since: int, now: int) -> Decision:
    silent = msgspec.structs.replace(state, phase=Phase.SILENT, since=since, fresh_until=0)
    effect = Effect(Happening.NEAR_MISS, at, since, now, why=why, held=now - since, needed=terms.duration)
    return Decision(silent, (effect,), None)


def _inside(state: State, view: View, now: int) -> Decision:
    target = state.target_at
    if target is None or state.phase is Phase.SILENT:
        return Decision(state, (), None)
    if now < target:
        return Decision(state, (), target)
    if not view.clear:
        return Decision(state, (), None)
    reached = msgspec.structs.replace(state, target_at=None)
    return Decision(reached, (Effect(Happening.TARGET, target, state.since, now),), None)


def _over(terms: Terms, state: State, truth: Truth, view: View, now: int) -> Decision:
    # Where the clock was put back, an episode may have begun in the future.
    left = truth.left_at if state.since > now else max(truth.left_at, state.since)
    silent = state.phase is Phase.SILENT
    leaving = msgspec.structs.replace(state, phase=Phase.LEAVING, left_at=left, silent=silent)
    if terms.state:
        return _leaving(terms, leaving, view, now)
    reached, effects = _target_before(leaving, now)
    return Decision(_ended(reached), effects, None)


def _leaving(terms: Terms, state: State, view: View, now: int) -> Decision:
    if view.known:
        if not view.sure:
            return Decision(state, (), None)
        phase = Phase.SILENT if state.silent else Phase.INSIDE
        back = msgspec.structs.replace(state, phase=phase, left_at=0, silent=False)
        return _inside(back, view, now)
    state, effects = _target_before(state, now)
    due = state.left_at + terms.debounce
    if now < due:
        return Decision(state, effects, due)
    if not view.out:
        return Decision(state, effects, None)
    if not state.silent:
        effects = (*effects, Effect(Happening.EXIT, due, state.since, now, left=state.left_at))
    return Decision(_ended(state), effects, None)


def _target_before(state: State, now: int) -> tuple[State, tuple[Effect, ...]]:
    """Reach the target that lay before the end."""
    target = state.target_at
    if target is None or state.silent or not target <= state.left_at <= now:
        return state, ()
    effect = Effect(Happening.TARGET, target, state.since, now)
    return msgspec.structs.replace(state, target_at=None), (effect,)


def _ended(state: State) -> State:
    return State(
        Phase.IDLE, state.since, 0, False, None, state.count_from, state.fresh_until, state.entered, state.recent
    )


def break_off(terms: Terms, state: State, held_since: int, until: int, *, why: Why, now: int) -> Effect | None:
    """Return the near miss of an idle rule whose condition ceased to count at `until`, if it is worth telling.

    That it ceased is always told where nobody could see it; otherwise only when it was close.
    """
    since = max(held_since, state.count_from)
    held = until - since
    if not terms.duration or held <= 0 or (why is Why.HELD and held < NEAR * terms.duration):
        return None
    return Effect(Happening.NEAR_MISS, until, since, now, why=why, held=held, needed=terms.duration)


def first_state(now: int) -> State:
    """Return the state in which a rule that is made now begins; `begin` goes on from there."""
    return State(count_from=now)


def begin(terms: Terms, state: State, truth: Truth, view: View, now: int) -> Decision:
    """Start a rule that is idle: it was just made, or had been stopped.

    Of what holds already, a duration whose end is still ahead goes on. Otherwise a state rule enters now, and an event
    rule waits for the next time.
    """
    if truth.last is not True or truth.broken:
        fresh = now + SETTLING if not truth.judged else 0
        return Decision(msgspec.structs.replace(state, fresh_until=fresh), (), None)
    since = max(truth.held_since, state.count_from)
    due = since + terms.duration
    if terms.duration and now <= due:
        return decide(terms, state, truth, view, now)
    if terms.state:
        here = msgspec.structs.replace(state, count_from=now)
        # While nobody can see, it waits: it enters when it is seen to hold.
        return enter(terms, here, now, now, now) if view.value else Decision(here, (), None)
    if state.since >= truth.held_since and state.entered is not None:
        return Decision(msgspec.structs.replace(state, phase=Phase.SILENT), (), None)
    why = Why.PASSED_WHILE_STOPPED if terms.duration else Why.ALREADY_TRUE
    return _silently(terms, state, why, due, since=since, now=now)


def stop(state: State) -> State:
    """Return the state of a rule that is stopped: nothing pends, and no exit will be answered."""
    return State(since=state.since, count_from=state.count_from, entered=state.entered)


def quiet_at(spans: tuple[QuietSpan, ...], zone_name: str, at: int) -> bool:
    """Return whether an instant lies in quiet hours, as the clocks on the wall show."""
    if not spans:
        return False
    local = from_micros(at).astimezone(zone(zone_name))
    minute = local.hour * 60 + local.minute
    return any(
        span.start <= minute < span.end if span.start < span.end else minute >= span.start or minute < span.end
        for span in spans
    )
