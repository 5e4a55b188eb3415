"""What a message said: pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from zhixing.kernel.wording import Language, wording
from zhixing.world.perception.verdict import Verdict

_MILLISECONDS = 100_000_000_000
"""Numbers above this are milliseconds: as seconds they would be of the year 5138."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict; `stands` is how long its level stands unless it is told again, None: as its own word says."""

    verdict: Verdict
    retained: bool = False
    stands: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """Sources are there, or they are away and nothing is known by them."""

    sources: tuple[str, ...]
    there: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that could not be used: a key of section `mqtt`, where it came, and one detail."""

    key: str
    topic: str
    detail: str = ""

    def text(self, language: Language = "zh") -> str:
        """Return it as a line of the log."""
        return wording(f"mqtt.{self.key}", language, topic=self.topic, detail=self.detail)


Said = Judged | Presence | Fault


def instant(value: object) -> datetime | None:
    """Read an instant: ISO text with an offset, seconds since the epoch, or milliseconds; None where it is none."""
    try:
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            return None if read.tzinfo is None else read.astimezone(UTC)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
