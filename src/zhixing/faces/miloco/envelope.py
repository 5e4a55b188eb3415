"""What programs get back: the envelope `{code, message, data}`, and which code stands for which error.

Source: miloco.md §1.11, §2.1. The message is our own line in Chinese; where the document names a word for the error
(`task_not_found` …) that word stands in front, so that whoever looks for it finds it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from zhixing.kernel.errors import Conflict, NotFound, ZhixingError

OK = 0
INVALID = 1002
FAILED = 2000
NOT_FOUND = 2001
EXISTS = 2002
DEVICE_FAILED = 3200
UNEXPECTED = 9000

Wire = dict[str, Any]

_WORDS: dict[str, tuple[str, int | None]] = {
    "household_task_unknown": ("task_not_found", None),
    "household_task_exists": ("task_already_exists", EXISTS),
    "record_none": ("no_active_record", None),
    "record_exists": ("record_already_exists", EXISTS),
    "record_wrong_kind": ("wrong_kind", None),
    "miloco_no_session": ("schema_invalid", None),
    "person_exists": ("person_already_exists", EXISTS),
    "rule_exists": ("rule_already_exists", EXISTS),
    "rule_unknown": ("rule_not_found", None),
    "job_linked": ("link_already_exists", EXISTS),
    "link_kind": ("wrong_kind", None),
}
"""By key of the catalogue: the document's word for it, and the code where its class does not say that."""


@dataclass(frozen=True, slots=True)
class Text:
    """An answer that is no JSON: a table, a bare instant."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer on standard error that is no JSON, with exit code 1: how `time-compute` says no."""

    line: str


@dataclass(frozen=True, slots=True)
class Partial:
    """What came of an attempt at the outside world that did not wholly succeed: exit code 3, with the data."""

    code: int
    message: str
    data: Any


Reply = Wire | list[Wire] | Text | Refusal | Partial | None


def envelope(code: int, message: str, data: Any) -> Wire:
    """Return the one shape of every answer."""
    return {"code": code, "message": message, "data": data}


def of_error(error: ZhixingError) -> Wire:
    """Return the envelope of an error of the home."""
    word, own = _WORDS.get(error.key, ("", None))
    message = f"{word}: {error}" if word else str(error)
    return envelope(code_of(error) if own is None else own, message, None)


def code_of(error: ZhixingError) -> int:
    """Return the code of a kind of error: nothing of that name, not possible now, or not to be used at all."""
    if isinstance(error, NotFound):
        return NOT_FOUND
    return FAILED if isinstance(error, Conflict) or error.status == 403 else INVALID


def code_words() -> list[str]:
    """Return the document's words for errors."""
    return sorted({word for word, _ in _WORDS.values()})


def written(wire: Any, *, indent: int | None = None) -> str:
    """Write JSON as the document does: compact, and characters as they are."""
    separators = (",", ":") if indent is None else None
    return json.dumps(wire, ensure_ascii=False, separators=separators, indent=indent)
