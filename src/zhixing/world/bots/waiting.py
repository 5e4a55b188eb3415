"""Waiting for a bot that works on its own side: leave the errand there, look after it, stop it when its time is up."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from zhixing.kernel.clock import Clock
from zhixing.world.bots.hearing import failed
from zhixing.world.bots.port import Errand, NotSent, Receipt, Remote, Said, Unclear
from zhixing.world.bounded import Deadline

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
"""Seconds between two looks; they double up to this."""
LEAST = 0.001
"""Seconds that are none: clocks tell no smaller parts."""
MOST_GUESSES = 3
"""How often it is asked what became of an errand that may not have arrived."""


def awaited(remote: Remote, errand: Errand, clock: Clock, closing: threading.Event) -> Said:
    """Return what an errand came to within its seconds; see `Bot.ask`."""
    watch, reason = _Watch(clock, closing, Deadline(clock, errand.seconds)), ""
    found: Receipt | Said | Literal["unknown"] = "unknown"
    try:
        found = remote.send(errand)
    except Unclear as error:
        reason = error.reason
    return _waited(remote, errand, found, reason, watch)


def taken_up(remote: Remote, errand: Errand, clock: Clock, closing: threading.Event) -> Said:
    """Return what an errand came to that may have left before; see `Remote.take_up`."""
    found = remote.whereabouts(errand)
    if found == "unknown":
        raise Unclear("interrupted")
    if found == "not_sent":
        return awaited(remote, errand, clock, closing)
    return _waited(remote, errand, found, "", _Watch(clock, closing, Deadline(clock, errand.seconds)))


@dataclass(frozen=True, slots=True)
class _Watch:
    """How long something is waited for."""

    clock: Clock
    closing: threading.Event
    deadline: Deadline


def _waited(
    remote: Remote, errand: Errand, found: Receipt | Said | Literal["unknown"], reason: str, watch: _Watch
) -> Said:
    guesses, pause = 0, FIRST_PAUSE
    while not isinstance(found, Said):
        if found == "unknown" and guesses == MOST_GUESSES:
            return failed(reason)
        guesses += found == "unknown"
        _pause(watch.clock, watch.closing, min(pause, watch.deadline.seconds()))
        if watch.deadline.seconds() <= LEAST:
            return _given_up(remote, found, reason)
        pause = min(2 * pause, LONGEST_PAUSE)
        found = _look(remote, errand, found, reason)
    return found


def _look(
    remote: Remote, errand: Errand, found: Receipt | Literal["unknown"], reason: str
) -> Receipt | Said | Literal["unknown"]:
    if isinstance(found, Receipt):
        with suppress(Unclear):
            return remote.collect(found) or found
        return found
    guess = remote.whereabouts(errand)
    if guess == "not_sent":
        raise NotSent(reason)
    return guess


def _given_up(remote: Remote, found: Receipt | Literal["unknown"], reason: str) -> Said:
    if isinstance(found, Receipt):
        with suppress(Unclear):
            remote.stop(found)
    return failed(reason or "timeout")


def _pause(clock: Clock, closing: threading.Event, seconds: float) -> None:
    """Let seconds pass. Raises `Unclear` when the program closes."""
    end = Deadline(clock, seconds)
    while (left := end.seconds()) > LEAST:
        if clock.wait(closing, left):
            raise Unclear("closing")
