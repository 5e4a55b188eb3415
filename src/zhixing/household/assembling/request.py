"""What the assembler is given: a sentence, the home it was said in, and the answers to what was asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody the home knows. The role may be empty; a user reads the role, and the name only where there is none."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera; one that is not in use is never matched (H-CAM-01)."""

    did: str
    name: str
    room: str
    in_use: bool


@dataclass(frozen=True, slots=True)
class Device:
    """Something that can be switched, or a speaker."""

    did: str
    name: str
    room: str
    kind: str


@dataclass(frozen=True, slots=True)
class Known:
    """A task that exists already, as its list shows it."""

    id: str
    description: str
    active: bool
    briefs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Home:
    """The home, at the instant the sentence was said."""

    persons: tuple[Person, ...]
    cameras: tuple[Camera, ...]
    devices: tuple[Device, ...]
    tasks: tuple[Known, ...]
    sources: tuple[str, ...]
    now: datetime
    zone: ZoneInfo

    @property
    def eyes(self) -> tuple[Camera, ...]:
        """The cameras in use: N of the document."""
        return tuple(camera for camera in self.cameras if camera.in_use)


@dataclass(frozen=True, slots=True)
class Request:
    """One sentence. `answers`: kind of question → what was answered; they continue the same decision."""

    text: str
    home: Home
    answers: Mapping[str, str] = field(default_factory=dict)
