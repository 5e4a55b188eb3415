"""What became of a write to a hub, where a caller takes an answer without an error for done. Pure."""

from __future__ import annotations

from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.kernel.errors import Unavailable
from zhixing.world.hub.port import Unconfirmed


def must_be_done(name: str, outcome: Outcome) -> None:
    """Raise `Unavailable` where a rule was not written, and `Unconfirmed` where nobody knows."""
    if outcome is Outcome.UNKNOWN:
        raise Unconfirmed("gateway_unconfirmed", id=name)
    if outcome is Outcome.NOT_APPLIED:
        raise Unavailable("gateway_not_applied", id=name)


def must_be_made(name: str, outcome: Outcome) -> None:
    """Raise `Unconfirmed` where nobody knows whether a new rule is there: the same again, with its id, goes on."""
    if outcome is Outcome.UNKNOWN:
        raise Unconfirmed("gateway_create_unconfirmed", id=name)
