"""What the rules are told of what was seen, or not seen: pure.

Unknown is told as soon as nothing can be judged, once, and never taken for false. What is told again of the very same
picture must not pass for a second opinion, which rules believe at once; so that is only done where nothing waits for
one any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from zhixing.household.watching.model import Eye, Frame, Known, Now, Plan, Told
from zhixing.world.perception.verdict import Value
from zhixing.world.vision.looking import Judgement

SETTLES = 10.0
"""Seconds after which the rules believe a single verdict that nothing contradicted."""

Knowledge = tuple[dict[str, Known], tuple[Told, ...]]


def told_of(eye: Eye, plan: Plan, judgements: Mapping[str, Judgement], now: Now) -> Knowledge:
    """Return what is known after the model judged, and what is to be told.

    Nothing is told of what was too much for one question; it comes first the next time.
    """
    known, again = told_again(eye, plan, now)
    told = list(again)
    same = eye.frame is not None and eye.frame.fingerprint == plan.frame.fingerprint
    for query, said in judgements.items():
        last = eye.known.get(query)
        at = _instant(last, plan.frame, now.at)
        known[query] = Known(said.value, now.seconds, _is_seconded(last, said.value, same_frame=same), at, said.reason)
        told.append(Told(query, said.value, at, said.reason))
    known |= {query: replace(last, judged=None) for query in plan.later if (last := eye.known.get(query)) is not None}
    return known, tuple(told)


def told_again(eye: Eye, plan: Plan, now: Now) -> Knowledge:
    """Return what goes on being known because the picture is the same, and what of it is told once more."""
    known: dict[str, Known] = {}
    told = []
    for query in plan.hold:
        last = known[query] = eye.known[query]
        settled = last.seconded or (last.judged is not None and now.seconds - last.judged >= SETTLES)
        at = _instant(last, plan.frame, now.at)
        if settled and last.value is not Value.UNKNOWN and at > last.told_at:
            known[query] = replace(last, seconded=True, told_at=at)
            told.append(Told(query, last.value, at, last.reason))
    return known, tuple(told)


def told_unknown(eye: Eye, wanted: Sequence[str], why: str, now: Now) -> Knowledge:
    """Return that nothing is known of anything, and what is to be told of that: what was not told before."""
    known: dict[str, Known] = {}
    told = []
    for query in wanted:
        last = eye.known.get(query)
        if last is not None and last.value is Value.UNKNOWN:
            known[query] = replace(last, judged=None)
            continue
        known[query] = Known(Value.UNKNOWN, None, seconded=True, told_at=now.at, reason=why)
        told.append(Told(query, Value.UNKNOWN, now.at, why))
    return known, tuple(told)


def _instant(last: Known | None, frame: Frame, now: datetime) -> datetime:
    """Date a verdict: by the picture, but not before what was told last, unless the clock was put back since."""
    at = min(frame.taken_at, now)
    return last.told_at if last is not None and at < last.told_at <= now else at


def _is_seconded(last: Known | None, value: Value, *, same_frame: bool) -> bool:
    # The rules take the first thing they hear for so when it is false.
    if value is Value.UNKNOWN or (last is None and value is Value.FALSE):
        return True
    if last is None or last.value is not value:
        return False
    return last.seconded or not same_frame
