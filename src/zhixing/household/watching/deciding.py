"""When which camera is looked at, what is asked, and what the rules are told: pure.

A look begins (`begin`), has a plan once there is a picture (`plan`), and has one `end`, which sets when the camera is
looked at next. A camera is never looked at twice at once, and nothing queues: a model that needs long makes the looks
rarer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zhixing.household.watching.breaker import CLOSED
from zhixing.household.watching.model import (
    Answered,
    Ending,
    Eye,
    Failed,
    Frame,
    Known,
    Look,
    Missed,
    NotAllowed,
    Now,
    Outdated,
    Plan,
    Same,
    Shut,
    Spent,
    State,
    Step,
    SwitchedOff,
    Terms,
)
from zhixing.household.watching.telling import SETTLES, told_again, told_of, told_unknown
from zhixing.kernel.wording import wording
from zhixing.world.models.failures import ModelFailure, ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.vision.looking import MOST_CHARACTERS, MOST_QUERIES

HOUR = 3_600.0
REST = 1.0
"""Seconds between the end of a look and the beginning of the next at least."""
MOST_HURRIED = 3
"""Looks in a row that may come sooner; a model that wavers would spend the budget on one camera."""
LONGEST_MISS = 300.0
"""Seconds between two looks at a camera that gives nothing, unless its interval is longer."""
_REPAIRED_NOT = {Why.TRUNCATED, Why.TOO_BIG}


def next_look(state: State, cameras: Sequence[str], now: float) -> str | None:
    """Return the camera that has waited longest for its look; None where none is due."""
    free = [(eye.due, camera) for camera in cameras if not (eye := state.eye(camera)).busy and eye.due <= now]
    return min(free)[1] if free else None


def next_due(state: State, cameras: Sequence[str], now: float) -> float:
    """Return the seconds until a camera is due that is not being looked at; a second where there is none."""
    dues = [eye.due for camera in cameras if not (eye := state.eye(camera)).busy]
    return max(0.0, min(dues, default=now + 1.0) - now)


def begin(state: State, camera: str, now: float) -> State:
    """Begin a look."""
    return _with(state, camera, replace(state.eye(camera), busy=True, began=now))


def rest(state: State, camera: str, terms: Terms, now: float) -> State:
    """End a look that was none: nobody wants to know anything of this camera."""
    return _with(state, camera, Eye(due=now + terms.interval))


def shut(state: State, terms: Terms, today: Spent, now: float) -> Shut | None:
    """Return why nothing may be asked now."""
    if state.breaker.is_open(now):
        return Shut.RESTING
    if terms.per_hour and now - state.hour < HOUR and state.asked >= terms.per_hour:
        return Shut.HOUR
    return over_today(terms, today)


def over_today(terms: Terms, today: Spent) -> Shut | None:
    """Return which budget of the day is used up, if one is."""
    if terms.per_day and today.calls >= terms.per_day:
        return Shut.DAY
    if terms.cost_per_day and today.cost >= terms.cost_per_day:
        return Shut.MONEY
    return None


def plan(eye: Eye, frame: Frame, wanted: Sequence[str], terms: Terms, now: float) -> Plan:
    """Decide what to ask about a picture.

    Of the same picture nothing is asked again within `hold`, and nothing at all where it is the same old file. Where
    there is too much to ask at once, what was judged longest ago comes first.
    """
    hold: tuple[str, ...] = ()
    if eye.frame is not None and frame.fingerprint == eye.frame.fingerprint:
        limit = None if frame.taken_at == eye.frame.taken_at else terms.hold
        hold = tuple(query for query in wanted if _holds(eye.known.get(query), limit, now))
    held = frozenset(hold)
    ask = sorted((query for query in wanted if query not in held), key=lambda query: _judged(eye, query))
    count = _bounded(ask)
    return Plan(frame, tuple(ask[:count]), hold, tuple(ask[count:]))


def asking(state: State, now: float) -> State:
    """Note that a question is put."""
    return _counted(replace(state, breaker=state.breaker.asking()), 1, now)


def end(state: State, look: Look, ending: Ending, terms: Terms, now: Now) -> Step:
    """End a look."""
    match ending:
        case SwitchedOff():
            # Where a question was about to be put, it was not.
            state = replace(state, breaker=state.breaker.given_back())
            return _nothing(state, look, wording("vision.switched_off"), terms.interval, now)
        case NotAllowed():
            why = wording(f"vision.{ending.why.value}")
            step = _nothing(replace(state, shut=ending.why), look, why, terms.interval, now)
            # What was wrong with the camera before is no news when it is tried again.
            eye = replace(step.state.eye(look.camera), trouble=state.eye(look.camera).trouble)
            return Step(_with(step.state, look.camera, eye), step.told)
        case Missed():
            return _missed(state, look, ending.why, terms, now)
        case Outdated():
            return _nothing(state, look, ending.why, terms.interval, now)
        case Same():
            known, told = told_again(state.eye(look.camera), ending.plan, now)
            eye = replace(state.eye(look.camera), frame=ending.plan.frame, known=known, misses=0, trouble="")
            return Step(_with(state, look.camera, _again(eye, terms, now)), told)
        case Answered():
            return _answered(state, look, ending, terms, now)
        case Failed():
            return _failed(state, look, ending.failure, terms, now)


def broke_off(state: State, camera: str, terms: Terms, now: float, *, asked: bool) -> State:
    """End a look that came to nothing for a reason of our own; nothing of the camera is taken for known."""
    breaker = state.breaker.given_back() if asked else state.breaker
    return replace(_with(state, camera, Eye(due=now + terms.interval)), breaker=breaker)


def _answered(state: State, look: Look, ending: Answered, terms: Terms, now: Now) -> Step:
    before = state.eye(look.camera)
    known, told = told_of(before, ending.plan, ending.looked.judgements, now)
    eye = replace(before, frame=ending.plan.frame, known=known, misses=0, trouble="")
    state = _counted(replace(state, breaker=CLOSED, shut=None), ending.looked.requests - 1, now.seconds)
    return Step(_with(state, look.camera, _again(eye, terms, now)), told)


def _failed(state: State, look: Look, failure: ModelFailure, terms: Terms, now: Now) -> Step:
    if isinstance(failure, ModelRefused) and failure.concerns_prompt:
        # What it will not say about one picture says nothing against the others.
        return _missed(replace(state, breaker=state.breaker.given_back()), look, str(failure), terms, now)
    after = failure.after.total_seconds() if isinstance(failure, ModelUnavailable) and failure.after else None
    breaker = state.breaker.failed(now.seconds, after=after, lasts=isinstance(failure, ModelRefused))
    was_repaired = isinstance(failure, ModelGarbled) and failure.why not in _REPAIRED_NOT
    state = _counted(replace(state, breaker=breaker), int(was_repaired), now.seconds)
    return _nothing(state, look, str(failure), terms.interval, now)


def _missed(state: State, look: Look, why: str, terms: Terms, now: Now) -> Step:
    """Come back more and more rarely."""
    misses = state.eye(look.camera).misses
    pause = min(terms.interval * 2.0 ** min(misses, 16), max(LONGEST_MISS, terms.interval))
    step = _nothing(state, look, why, pause, now)
    return Step(_with(step.state, look.camera, replace(step.state.eye(look.camera), misses=misses + 1)), step.told)


def _nothing(state: State, look: Look, why: str, pause: float, now: Now) -> Step:
    """End a look that brought nothing: all of it is unknown, and what was judged before goes for no other picture."""
    before = state.eye(look.camera)
    known, told = told_unknown(before, look.wanted, why, now)
    eye = Eye(due=max(before.began + pause, now.seconds + REST), known=known, trouble=why)
    return Step(_with(state, look.camera, eye), told)


def _again(eye: Eye, terms: Terms, now: Now) -> Eye:
    """End a look that showed something: come again soon where that waits to be confirmed, but not on and on."""
    waits = any(
        not one.seconded and one.judged is not None and now.seconds - one.judged < SETTLES for one in eye.known.values()
    )
    hurries = waits and eye.hurried < MOST_HURRIED
    gap = min(terms.soon, terms.interval) if hurries else terms.interval
    due = max(eye.began + gap, now.seconds + REST)
    return replace(eye, busy=False, due=due, hurried=eye.hurried + 1 if hurries else 0)


def _with(state: State, camera: str, eye: Eye) -> State:
    return replace(state, eyes={**state.eyes, camera: eye})


def _counted(state: State, questions: int, now: float) -> State:
    """Count questions; the first one after an hour begins another. A sliding hour would let one in now and then."""
    if questions and now - state.hour >= HOUR:
        return replace(state, hour=now, asked=questions)
    return replace(state, asked=state.asked + questions)


def _holds(known: Known | None, limit: float | None, now: float) -> bool:
    return known is not None and known.judged is not None and (limit is None or now - known.judged <= limit)


def _judged(eye: Eye, query: str) -> float:
    known = eye.known.get(query)
    return -1.0 if known is None or known.judged is None else known.judged


def _bounded(queries: Sequence[str]) -> int:
    """Return how many of them go into one question."""
    characters = 0
    for count, query in enumerate(queries[:MOST_QUERIES]):
        characters += len(query)
        if count and characters > MOST_CHARACTERS:
            return count
    return min(len(queries), MOST_QUERIES)
