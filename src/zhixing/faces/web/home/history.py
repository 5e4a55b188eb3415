"""What a rule did, as stretches and moments: from the journal of its task, and from where it is now. Pure.

The journal tells of answers (an occurrence that was claimed), near misses, and stops; what held in vain for too short a
time to be a near miss is nowhere, and is not drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import from_micros, parse_instant
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.rules.machine import Phase, State, Why
from zhixing.tasks.rules.model import Direction, Rule
from zhixing.tasks.rules.truth import Truth

_ENDS = {
    Kind.OCCURRENCE_DONE: "done",
    Kind.OCCURRENCE_FAILED: "failed",
    Kind.OCCURRENCE_SKIPPED: "skipped",
    Kind.OCCURRENCE_MISSED: "missed",
    Kind.OCCURRENCE_INTERRUPTED: "interrupted",
    Kind.OCCURRENCE_CANCELLED: "cancelled",
}
_BLIND = (Why.UNKNOWN.value, Why.OUTAGE.value)
_SHORT = (Why.HELD.value, *_BLIND)
"""Reasons for which nothing was decided against it: time was missing."""


class Look(StrEnum):
    """What goes on in a stretch."""

    HELD = "held"
    """It holds, and counts."""
    INSIDE = "inside"
    """It was answered, and goes on."""
    LEAVING = "leaving"
    """It is over, unless it comes back soon."""
    BLOCKED = "blocked"
    """It counts and must not be answered."""
    UNKNOWN = "unknown"
    """Nobody can tell."""
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Something that lasted."""

    look: Look
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Moment:
    """Something a rule did, or did not.

    `what` is enter, exit, target, near_miss, stopped or started. `why`, and how many seconds were `held` of those
    `needed`, are of near misses; `ended` is what became of an answer, empty while that is open.
    """

    at: datetime
    what: str
    why: str = ""
    held: float = 0.0
    needed: float = 0.0
    ended: str = ""

    @property
    def sign(self) -> str:
        """How it is drawn: fired, short, blocked or switched."""
        if self.what == "near_miss":
            return "short" if self.why in _SHORT else "blocked"
        return "switched" if self.what in {"stopped", "started"} else "fired"


@dataclass
class History:
    """What is known of one rule, the earliest first."""

    stretches: list[Stretch] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    def last(self, look: Look, start: datetime, end: datetime) -> None:
        """Add a stretch, unless it has no length."""
        if start < end:
            self.stretches.append(Stretch(look, start, end))


def history_of(rule: Rule, state: State, truth: Truth, entries: Sequence[Entry], now: datetime) -> History:
    """Return what a rule did according to the entries of its task, the newest first, and what it does now."""
    teller = _Teller(rule)
    for entry in entries:
        if entry.kind in _ENDS:
            teller.ends.setdefault(str(entry.data.get("occurrence")), _ENDS[entry.kind])
    for entry in reversed(entries):
        teller.take(entry)
    teller.finish(state, truth, now)
    teller.history.moments.sort(key=lambda moment: moment.at)
    return teller.history


class _Teller:
    def __init__(self, rule: Rule) -> None:
        self.history = History()
        self.ends: dict[str, str] = {}
        """What became of occurrences."""
        self._rule = rule
        self._duration = timedelta(seconds=rule.plan.trigger.duration)
        self._inside: tuple[datetime, datetime] | None = None
        """The episode that was answered last, by its beginning, and when that was."""
        self._stopped: datetime | None = None

    def take(self, entry: Entry) -> None:
        data = entry.data
        if data.get("rule") != self._rule.id:
            return
        match entry.kind:
            case Kind.OCCURRENCE_CLAIMED:
                self._answered(data, entry.at)
            case Kind.NEAR_MISS:
                self._missed(data, entry)
            case Kind.RULE_STOPPED:
                self._stopped = self._stopped or entry.at
                self.history.moments.append(Moment(entry.at, "stopped", entry.why))
            case Kind.RULE_STARTED:
                if self._stopped is not None:
                    self.history.last(Look.STOPPED, self._stopped, entry.at)
                self._stopped = None
                self.history.moments.append(Moment(entry.at, "started"))
            case _:
                pass

    def _answered(self, data: Mapping[str, Any], told: datetime) -> None:
        direction = str(data.get("part", "")).rpartition(":")[2]
        if direction not in set(Direction):
            return
        at, since = _instant(data, "due", told), _instant(data, "since", told)
        end = self.ends.get(str(data.get("occurrence")), "")
        self.history.moments.append(Moment(at, direction, ended=end))
        if direction == Direction.ENTER.value and not str(data.get("key", "")).startswith("asked:"):
            self.history.last(Look.HELD, since, at)
            self._inside = (since, at)
        elif direction == Direction.EXIT.value:
            left = _instant(data, "left", at)
            entered = since + self._duration
            if self._inside is not None and self._inside[0] == since:
                entered = self._inside[1]
            else:
                self.history.last(Look.HELD, since, entered)
            self.history.last(Look.INSIDE, entered, left)
            self.history.last(Look.LEAVING, left, at)
            self._inside = None

    def _missed(self, data: Mapping[str, Any], entry: Entry) -> None:
        at = _instant(data, "at", entry.at)
        since = _instant(data, "since", at)
        held, needed = _number(data, "held"), _number(data, "needed")
        until = min(at, since + timedelta(seconds=held)) if entry.why in _BLIND else at
        self.history.last(Look.HELD, since, until)
        self.history.last(Look.UNKNOWN, until, at)
        self.history.moments.append(Moment(at, "near_miss", entry.why, held, needed))

    def finish(self, state: State, truth: Truth, now: datetime) -> None:
        """Add what goes on now."""
        history, since = self.history, from_micros(state.since)
        if not self._rule.enabled:
            history.last(Look.STOPPED, self._stopped or self._rule.updated_at, now)
            return
        entered = from_micros(state.entered) if state.entered is not None and state.entered >= state.since else since
        match state.phase:
            case Phase.INSIDE:
                history.last(Look.INSIDE, entered, now)
            case Phase.SILENT:
                history.last(Look.BLOCKED, since, now)
            case Phase.LEAVING:
                left = from_micros(state.left_at)
                history.last(Look.BLOCKED if state.silent else Look.INSIDE, entered, left)
                history.last(Look.LEAVING, left, now)
            case Phase.IDLE:
                if truth.last is True and not truth.broken:
                    until = now if truth.unknown_since is None else from_micros(truth.unknown_since)
                    history.last(Look.HELD, from_micros(max(truth.held_since, state.count_from)), until)
        if truth.unknown_since is not None:
            history.last(Look.UNKNOWN, from_micros(truth.unknown_since), now)


def _instant(data: Mapping[str, Any], name: str, otherwise: datetime) -> datetime:
    try:
        return parse_instant(str(data[name]))
    except (KeyError, BadInput):
        return otherwise


def _number(data: Mapping[str, Any], name: str) -> float:
    found = data.get(name, 0.0)
    return float(found) if isinstance(found, int | float) else 0.0
