"""One line of the report, and how one is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from zhixing.kernel.wording import Language, wording


class State(StrEnum):
    """How it is with one thing."""

    OK = "ok"
    MISSING = "missing"
    """Not there; what can be done without it is done."""
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `how_to_fix` is empty when nothing needs doing."""

    name: str
    state: State
    says: str
    how_to_fix: str = ""

    def label(self, language: Language = "zh") -> str:
        """Return the name as a user reads it."""
        return wording(f"doctor.label_{self.name}", language)


def ok(name: str, **values: object) -> Finding:
    """Say that all is well with something."""
    return Finding(name, State.OK, wording(f"doctor.{name}_ok", **values))


def missing(name: str, found: str, **values: object) -> Finding:
    """Say that something is not there, and how to get it."""
    return _told(name, State.MISSING, found, values)


def broken(name: str, found: str, **values: object) -> Finding:
    """Say that something does not work, and how to mend it."""
    return _told(name, State.BROKEN, found, values)


def _told(name: str, state: State, found: str, values: Mapping[str, object]) -> Finding:
    says, fix = (wording(f"doctor.{name}_{found}{end}", **values) for end in ("", "_fix"))
    return Finding(name, state, says, fix)
