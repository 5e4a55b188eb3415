"""What is needed of groups: a talk is begun under the key of its delivery, looked after, and stopped."""

from __future__ import annotations

from typing import Protocol

from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.groups.model import Wanted
from zhixing.goals.running.ports import Arrived, Heard


class Groups(Protocol):
    """Groups that work on this side: all they are is rows and jobs."""

    def begin(self, wanted: Wanted) -> Arrived:
        """Form the group, or take the one that exists, and let it begin; the same key is the same talk.

        Raises `BadInput` for a group that cannot be, or that there is not.
        """
        ...

    def found(self, key: str) -> Arrived | None:
        """Return the talk of a delivery; None proves that it was never begun."""
        ...

    def result(self, run_id: str) -> Heard | None:
        """Return what a talk came to, None while it is under way."""
        ...

    def stop(self, run_id: str) -> None:
        """End a talk; nobody is asked any more."""
        ...

    def known(self) -> tuple[KnownGroup, ...]:
        """Return the groups there are."""
        ...
