"""What is known of one condition: what its sources say together, and how that has been. Pure.

Instants are microseconds since the epoch, spans are microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from zhixing.tasks.rules.hearing import Heard
from zhixing.tasks.rules.model import Agreement, Trigger


class Condition(msgspec.Struct, frozen=True):
    """What is watched: all rules that watch exactly the same share one."""

    query: str
    sources: tuple[str, ...]
    agreement: Agreement
    tolerance: int
    expiry: int | None


def condition_of(trigger: Trigger) -> Condition:
    """Return what a trigger watches; times stay whole seconds."""
    return Condition(trigger.query, trigger.sources, trigger.agreement, trigger.tolerance, trigger.expiry)


class View(msgspec.Struct, frozen=True, gc=False):
    """What all sources together say at one instant."""

    value: bool | None
    clear: bool
    """It is true without any doubt."""
    known: bool
    """What is known, were there no unknown, is true."""
    sure: bool
    """That is sure."""
    out: bool
    """It is certain enough that it is not true for an exit to go ahead."""
    left: int
    """Since when it is not true; means something only where `value` is not True."""


NOBODY = View(None, False, False, False, True, 0)
"""No source counts."""


def look(heards: Iterable[Heard | None], agreement: Agreement) -> View:
    """Let the sources agree; None is a source that was never heard."""
    return _any(heards) if agreement is Agreement.ANY else _all(heards)


def look_alone(heard: Heard) -> View:
    """Return the view of a condition with a single source."""
    known, unknown = heard.known, heard.unknown_since
    proved = heard.proved
    doubtless = heard.doubted is None
    true = known is True
    if unknown is not None or known is None:
        left = heard.since if unknown is None or (known is False and heard.since < unknown) else unknown
        return View(None, False, true, true and doubtless and heard.true_from is None, not true and proved, left)
    if true:
        return View(True, doubtless and proved, True, doubtless and heard.true_from is None, False, 0)
    return View(False, False, False, False, proved, heard.since)


def _any(heards: Iterable[Heard | None]) -> View:
    """Let one be enough. Who cannot tell now holds up the end only where it was true when it could tell last.

    Otherwise a camera in an empty room, which has nothing to judge for hours, would keep going what another one saw.
    """
    true = denied = False
    clear = known = sure = False
    out, left, number = True, 0, 0
    for heard in heards:
        number += 1
        if heard is None:
            continue
        one = look_alone(heard)
        true, denied = true or one.value is True, denied or one.value is False
        clear, known, sure = clear or one.clear, known or one.known, sure or one.sure
        out = out and heard.proved
        left = max(left, one.left)
    if number == 0:
        return NOBODY
    value = True if true else False if denied and not known else None
    return View(value, clear, known, sure, out and not known, left)


def _all(heards: Iterable[Heard | None]) -> View:
    value: bool | None = True
    clear = known = sure = proved = True
    out, left, number = False, 0, 0
    for heard in heards:
        number += 1
        if heard is None:
            value = None if value is True else value
            clear = known = sure = False
            continue
        one = look_alone(heard)
        if one.value is False:
            value = False
        elif one.value is None:
            value = None if value is True else value
        clear, known, sure = clear and one.clear, known and one.known, sure and one.sure
        out = out or (heard.known is False and heard.proved)
        proved = proved and heard.proved
        if one.value is not True:
            left = one.left if left == 0 else min(left, one.left)
    if number == 0:
        return NOBODY
    return View(value, clear, known, sure, out or (proved and not known), left)


class Truth(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How the condition has been, from one view to the next."""

    last: bool | None = None
    """The last thing that was known."""
    unknown_since: int | None = None
    held_since: int = 0
    """Since when it has been true without a break, while `last` is True."""
    left_at: int = 0
    """Since when it has not been true, while `last` is False."""
    judged: int = 0
    """When it was first known."""
    broken: bool = False
    """It has been unknown for longer than is tolerated: what was counted does not count any more."""
    outage: bool = False
    """The unknown comes of our own absence."""


NEVER_JUDGED = Truth()


def follow(truth: Truth, view: View, at: int, *, outage: bool = False) -> Truth:
    """Return how the condition has been after `view` was seen at an instant; the same object where nothing changed."""
    value = view.value
    if value is None:
        if truth.unknown_since is not None or truth.last is None:
            return truth
        since = min(view.left, at) if truth.last else at
        return Truth(truth.last, since, truth.held_since, truth.left_at, truth.judged, False, outage)
    if value is truth.last and truth.unknown_since is None:
        return truth
    judged = truth.judged or at
    if value:
        held = truth.held_since if truth.last and not truth.broken else at
        return Truth(True, None, held, 0, judged)
    if truth.last is False:
        return Truth(False, None, truth.held_since, truth.left_at, judged)
    left = view.left if truth.unknown_since is None else min(view.left, truth.unknown_since)
    # A source that joined or was late may have denied it before it began.
    return Truth(False, None, truth.held_since, max(left, truth.held_since), judged, truth.broken)


def breaks_at(truth: Truth, tolerance: int) -> int | None:
    """Return the instant at which an unknown becomes too long for what was counted to go on counting."""
    if truth.unknown_since is None or truth.last is not True or truth.broken:
        return None
    return truth.unknown_since + tolerance + 1


def broken(truth: Truth) -> Truth:
    """Return that an unknown became too long."""
    return msgspec.structs.replace(truth, broken=True)
