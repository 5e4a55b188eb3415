"""Cameras that drop pictures into a folder, and simulations that do: the newest whole picture is what they show."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from heapq import nlargest
from itertools import islice
from pathlib import Path

from zhixing.world.perception.frames import read_frame
from zhixing.world.perception.snapshots import LARGEST_SNAPSHOT, NoPicture, Snapshot, SnapshotFailed

ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
MOST_FILES = 20_000
"""Entries of a folder that are looked through; whoever keeps more there has to clear it out."""
_TRIED = 3
"""Of the newest pictures: the first of them may still be written."""


class FolderSnapshots:
    """Gives the newest picture of one folder; the moment it shows is when the file was last written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def snapshot(self, source: str) -> Snapshot:  # noqa: ARG002 - the folder is of one camera
        """Return the newest whole picture; files below the folder and links are passed over."""
        failure = SnapshotFailed(NoPicture.FOLDER_EMPTY)
        for written, _, path in nlargest(_TRIED, self._pictures()):
            try:
                with open(path, "rb") as opened:  # noqa: PTH123 - scandir gives texts
                    data = opened.read(LARGEST_SNAPSHOT + 1)
                return read_frame(data, _instant(written))
            except SnapshotFailed as failed:
                failure = failed
            except OSError:
                # It was taken away since, or may not be read: the one before it may do.
                continue
        raise failure

    def _pictures(self) -> list[tuple[int, str, str]]:
        found = []
        try:
            with os.scandir(self._folder) as entries:
                for entry in islice(entries, MOST_FILES):
                    if not entry.name.lower().endswith(ENDINGS) or not entry.is_file(follow_symlinks=False):
                        continue
                    try:
                        written = entry.stat(follow_symlinks=False).st_mtime_ns
                    except FileNotFoundError:
                        continue
                    found.append((written, entry.name, entry.path))
        except (OSError, ValueError):
            raise SnapshotFailed(NoPicture.FOLDER_MISSING) from None
        return found


def _instant(nanoseconds: int) -> datetime:
    try:
        return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)
