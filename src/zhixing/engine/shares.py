"""How many of the workers are free for jobs that may take long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zhixing.engine.model import Share

MODELS = Share("models", 6)
"""For jobs that ask a model, in whatever room: few enough that most workers stay free for what is due."""


class Places:
    """The free places of every share, counted from what runs."""

    def __init__(self, shares: Mapping[str, Share], running: Iterable[str]) -> None:
        """Count. `shares` has the names of jobs that share places, `running` the names of what runs here."""
        self._shares = shares
        self._free = {share.name: share.most for share in shares.values()}
        for name in running if shares else ():
            self.take(name)

    def share_of(self, name: str) -> str | None:
        """Return the share of the jobs of a name, None when they are free."""
        share = self._shares.get(name)
        return None if share is None else share.name

    def is_free(self, share: str | None) -> bool:
        """Return whether one more job of a share may start."""
        return share is None or self._free[share] > 0

    def take(self, name: str) -> None:
        """Take the place for a job."""
        share = self._shares.get(name)
        if share is not None:
            self._free[share.name] -= 1

    def full(self) -> tuple[str, ...]:
        """Return the names of all jobs that may not start."""
        return tuple(name for name, share in self._shares.items() if self._free[share.name] <= 0)


ALL_FREE = Places({}, ())
"""Where nothing is shared."""
