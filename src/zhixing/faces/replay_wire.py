"""What programs get of a replayed rule: the contract of `zhixing rules replay --json`. Pure."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.faces.wire import Wire
from zhixing.household.replaying import Replayed
from zhixing.kernel.moments import iso
from zhixing.tasks.rules.replay import Transition


def of_replay(replayed: Replayed, zone: ZoneInfo) -> Wire:
    """Write everything a rule did, in order, and how it stood at the end."""
    return {
        "transitions": [of_transition(one, zone) for one in replayed.transitions],
        "end": {
            "at": iso(replayed.until, zone),
            "inside": replayed.inside,
            "since": _instant(replayed.since, zone),
            "stopped": replayed.stopped,
        },
        "unheard": replayed.unheard,
    }


def of_transition(one: Transition, zone: ZoneInfo) -> Wire:
    """Write one thing a rule did.

    `at` is the instant it is for; `late` the seconds from then until it could be known. `held` of `needed` seconds are
    of near misses.
    """
    return {
        "at": iso(one.at, zone),
        "kind": one.what,
        "since": iso(one.since, zone),
        "left": _instant(one.left, zone),
        "late": (one.decided - one.at).total_seconds(),
        "why": one.why,
        "held": one.held,
        "needed": one.needed,
    }


def _instant(at: datetime | None, zone: ZoneInfo) -> str | None:
    return None if at is None else iso(at, zone)
