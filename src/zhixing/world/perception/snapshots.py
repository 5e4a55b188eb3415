"""The port to what a camera sees: one still picture of one source, of bounded size."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, Protocol

LARGEST_SNAPSHOT = 8 * 1024 * 1024
"""Bytes of a picture."""

FrameType = Literal["image/jpeg", "image/png", "image/webp"]
"""The formats of a picture."""


class NoPicture(StrEnum):
    """Why there is no picture; a key of section `vision`."""

    FOLDER_MISSING = "folder_missing"
    FOLDER_EMPTY = "folder_empty"
    HOST_UNKNOWN = "host_unknown"
    TLS_FAILED = "tls_failed"
    UNREACHABLE = "unreachable"
    NO_ANSWER = "no_answer"
    ANSWER_BROKEN = "answer_broken"
    STATUS = "status"
    TOO_LARGE = "too_large"
    NOT_A_PICTURE = "not_a_picture"
    CUT_OFF = "cut_off"
    """It begins as a picture and does not end as one."""
    NO_SOURCE = "no_source"
    """Nobody said where pictures of this camera come from."""


class SnapshotFailed(Exception):
    """There is no picture. `detail` is ours (a status, a bound), never what a camera sent."""

    def __init__(self, why: NoPicture, detail: str = "") -> None:
        super().__init__(why.value)
        self.why = why
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A whole picture, and the instant it shows (aware, UTC)."""

    data: bytes
    media_type: FrameType
    taken_at: datetime


class Snapshots(Protocol):
    """Cameras that can be asked for a picture. Safe to use from several threads."""

    def snapshot(self, source: str) -> Snapshot:
        """Return what a camera shows now, in bounded time; raise `SnapshotFailed` where that cannot be had."""
        ...
