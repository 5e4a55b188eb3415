"""What became of a write. A write is sent once; when no answer comes, what is there now tells, or nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from zhixing.graphs.checks.finding import Verdict
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.kernel.wording import Language, wording
from zhixing.world.hub.port import HubRefused, Unconfirmed


class Outcome(StrEnum):
    """What was seen after a write."""

    APPLIED = "applied"
    """It is there."""
    NOT_APPLIED = "not_applied"
    """What was there before is there still."""
    ALTERED = "altered"
    """Something is there that is neither."""
    UNKNOWN = "unknown"
    """No answer came, and what is there cannot be read: look again before anything is written again."""

    def text(self, language: Language = "zh") -> str:
        """Say it."""
        return wording(f"hubs.outcome_{self.value}", language)


class InvalidRule(BadInput):
    """A rule with errors, which is not written; `verdict` has all of them."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__("graph_hub_invalid", count=len(verdict.errors), first=verdict.errors[0].text())
        self.verdict = verdict


def seen(*, wanted: bool, before: bool) -> Outcome:
    """Tell what a look says, by whether what was wanted is there, and whether what was there before is."""
    if wanted:
        return Outcome.APPLIED
    return Outcome.NOT_APPLIED if before else Outcome.ALTERED


def written(write: Callable[[], object], look: Callable[[], Outcome]) -> Outcome:
    """Write once, then look at what is there.

    Raises what the write raises, except that no answer came; then the look decides, and `UNKNOWN` where it fails. After
    an answer a failing look leaves the hub's word for it: `APPLIED`.
    """
    told = _sent(write)
    try:
        return look()
    except (Unavailable, HubRefused):
        return told


def answered(write: Callable[[], object], look: Callable[[], Outcome]) -> Outcome:
    """Write once, and look only when no answer came: for what running rules change by themselves, such as values."""
    if _sent(write) is Outcome.APPLIED:
        return Outcome.APPLIED
    try:
        return look()
    except (Unavailable, HubRefused):
        return Outcome.UNKNOWN


def _sent(write: Callable[[], object]) -> Outcome:
    try:
        write()
    except Unconfirmed:
        return Outcome.UNKNOWN
    return Outcome.APPLIED
