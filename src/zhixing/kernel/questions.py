"""The one kind of question (design §2.3)."""

from __future__ import annotations

from dataclasses import dataclass

MAX_OPTIONS = 7


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be picked: what is stored, and what is shown."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """A short question about one missing field of one subject.

    `revision` is the subject's revision it was asked at: an answer to an older revision changes nothing.
    """

    kind: str
    prompt: str
    options: tuple[Option, ...]
    subject: str
    revision: int

    def __post_init__(self) -> None:
        if len(self.options) > MAX_OPTIONS:
            raise ValueError(f"a question has at most {MAX_OPTIONS} options, not {len(self.options)}")
