"""Where the pictures of each camera come from, and what it means when there is none, in words."""

from __future__ import annotations

from collections.abc import Mapping

from zhixing.kernel.wording import Language, wording
from zhixing.world.perception.snapshots import NoPicture, Snapshot, SnapshotFailed, Snapshots


class ByCamera:
    """Each camera has its own giver of pictures; `others`, if there is one, gives those of all the rest."""

    def __init__(self, givers: Mapping[str, Snapshots], others: Snapshots | None = None) -> None:
        self._givers = dict(givers)
        self._others = others

    def snapshot(self, source: str) -> Snapshot:
        """Ask the one who gives pictures of this camera."""
        giver = self._givers.get(source, self._others)
        if giver is None:
            raise SnapshotFailed(NoPicture.NO_SOURCE)
        return giver.snapshot(source)


def words_of(failure: SnapshotFailed, language: Language = "zh") -> str:
    """Return the one line that says why there is no picture."""
    return wording(f"vision.{failure.why.value}", language, detail=failure.detail)
