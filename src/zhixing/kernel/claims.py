"""A value that knows where it came from (design §2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T = TypeVar("T")


class Basis(StrEnum):
    """Why a value is what it is."""

    SAID = "said"
    ANSWERED = "answered"
    PROFILE = "profile"
    INFERRED = "inferred"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Claim(Generic[T]):
    """`value` with its basis and the words (or the rule) it rests on.

    For said and answered claims `evidence` is a verbatim piece of the source; for the others it names the rule.
    """

    value: T
    basis: Basis
    evidence: str

    @property
    def must_be_told(self) -> bool:
        """Whether the user has to be told, because nobody said this value."""
        return self.basis in (Basis.INFERRED, Basis.DEFAULT)
