"""What is known by one source: pure.

A `true` counts at once and is *unsure* until the source says so again, or nothing contradicted it for ten seconds. A
`false` counts once the source says so again, or nothing contradicted it for ten seconds, and then from the first
`false` of its run; until then it is only a doubt, which a `true` takes back. Firm verdicts need no second one.
`unknown` is never false: it leaves what is known alone (design §2.7), and where the first thing known after it is
false, it ended when the unknown began. A source that falls silent for longer than its verdicts stand becomes unknown.

Instants are microseconds since the epoch, spans are microseconds.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from zhixing.world.perception.verdict import Value

SECOND = 1_000_000
SETTLED_AFTER = 10 * SECOND
"""How long a single verdict must stay uncontradicted to be believed."""
LONGEST_OUTAGE = 600 * SECOND
"""How long we may have been away for what went on before to count as having gone on."""


class Heard(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is known by one source."""

    known: bool | None
    """The last thing it knew; None: it never judged."""
    since: int
    heard: int
    """The instant of its newest verdict."""
    unknown_since: int | None = None
    false_from: int | None = None
    """From when a doubt would count, if it proves right."""
    doubted: int | None = None
    """When the doubt came up."""
    true_from: int | None = None
    """The beginning of a run of `true` that is not sure yet."""
    stands: bool = False
    """Its verdict does not expire."""
    proved: bool = True
    """It was heard of an instant since we are back, or needs not be."""
    fresh: int = 0
    """Silence counts from here at the earliest."""
    events: tuple[str, ...] = ()
    """Names of momentary events it told of, the newest last."""
    belated: bool = False
    """While it is not proved: it tells of the time when we were away, and may have more of that to tell."""


def hear(before: Heard | None, value: Value, at: int, *, firm: bool, lasting: bool) -> Heard:
    """Return what is known by a source after a verdict that is not older than its newest."""
    if before is None:
        before = Heard(None, at, at)
    if value is Value.TRUE:
        return _heard_true(before, at, firm=firm, lasting=lasting)
    if value is Value.FALSE:
        return _heard_false(before, at, firm=firm, lasting=lasting)
    return Heard(
        before.known,
        before.since,
        at,
        at if before.unknown_since is None else before.unknown_since,
        before.false_from,
        before.doubted,
        before.true_from,
        lasting,
        True,
        before.fresh,
        before.events,
    )


def _heard_true(before: Heard, at: int, *, firm: bool, lasting: bool) -> Heard:
    since = before.since if before.known else at
    true_from: int | None = at
    if firm:
        true_from = None
    elif before.known:
        # A second one in a row makes it sure, the same one told again does not; what was sure stays so when a doubt is
        # taken back.
        begun = before.true_from
        true_from = None if begun is None or (before.doubted is None and begun < at) else at
    return Heard(True, since, at, None, None, None, true_from, lasting, True, before.fresh, before.events)


def _heard_false(before: Heard, at: int, *, firm: bool, lasting: bool) -> Heard:
    fresh, events = before.fresh, before.events
    if not before.known:
        since = at if before.known is None else before.since
        return Heard(False, since, at, None, None, None, None, lasting, True, fresh, events)
    unknown, start = before.unknown_since, before.false_from
    if start is None:
        start = at if unknown is None else min(at, unknown)
    # The same one told again is no second one.
    if firm or (before.doubted is not None and before.doubted < at):
        return Heard(False, start, at, None, None, None, None, lasting, True, fresh, events)
    return Heard(True, before.since, at, unknown, start, at, before.true_from, lasting, True, fresh, events)


def same(before: Heard, after: Heard) -> bool:
    """Return whether a verdict changed nothing but when its source was last heard."""
    return (
        before.known is after.known
        and before.unknown_since == after.unknown_since
        and before.doubted == after.doubted
        and before.true_from == after.true_from
        and before.proved is after.proved
        and before.stands is after.stands
    )


class Lapse(Enum):
    """What time alone does to what is known by a source."""

    DOUBT_HOLDS = 1
    TRUE_HOLDS = 2
    SILENCE = 3


def next_lapse(heard: Heard, expiry: int | None) -> tuple[int, Lapse] | None:
    """Return what time does next, and when. A source we have not heard since we were away is not judged by time."""
    found: tuple[int, Lapse] | None = None
    if heard.proved:
        if heard.doubted is not None:
            found = (max(heard.doubted, heard.fresh) + SETTLED_AFTER, Lapse.DOUBT_HOLDS)
        elif heard.true_from is not None:
            found = (max(heard.true_from, heard.fresh) + SETTLED_AFTER, Lapse.TRUE_HOLDS)
        if heard.unknown_since is not None:
            return found
    if expiry is not None and not heard.stands:
        silent = max(heard.heard, heard.fresh) + expiry
        if found is None or silent < found[0]:
            return silent, Lapse.SILENCE
    return found


def after_lapse(heard: Heard, lapse: Lapse, at: int) -> Heard:
    """Return what is known by a source after time did its part."""
    replaced = msgspec.structs.replace
    match lapse:
        case Lapse.DOUBT_HOLDS:
            since = heard.since if heard.false_from is None else heard.false_from
            # It was heard after what was unknown before; what was unknown after it still is.
            unknown = None if heard.heard == heard.doubted else heard.unknown_since
            return replaced(
                heard, known=False, since=since, unknown_since=unknown, false_from=None, doubted=None, true_from=None
            )
        case Lapse.TRUE_HOLDS:
            return replaced(heard, true_from=None)
        case Lapse.SILENCE:
            return replaced(
                heard, unknown_since=at if heard.unknown_since is None else heard.unknown_since, proved=True
            )


def after_outage(heard: Heard, now: int, expiry: int | None, tolerance: int) -> tuple[Heard, bool]:
    """Return what is known by a source when we are back, and whether we were away for too long.

    It has as long to be heard again as its verdicts stand. After a long absence nothing is known since it was last
    heard. Verdicts that stand by themselves need no proof.
    """
    if heard.stands or expiry is None:
        return heard, False
    long = now - heard.heard > max(LONGEST_OUTAGE, tolerance)
    unknown = heard.heard if long and heard.unknown_since is None else heard.unknown_since
    back = msgspec.structs.replace(heard, unknown_since=unknown, proved=False, fresh=now, belated=False)
    return back, long and heard.unknown_since is None
