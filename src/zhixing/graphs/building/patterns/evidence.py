"""How well a way to build is known: the ladder from a video to a pattern for all (seed, mijia §7.1). Pure."""

from __future__ import annotations

from enum import StrEnum

from zhixing.kernel.wording import Language, wording


class Evidence(StrEnum):
    """A rung of the ladder, the lowest first. A case may begin on any of them."""

    VIDEO = "video"
    UI_SAMPLE = "ui-sample"
    GRAPH_DIFF = "graph-diff"
    LOCAL_TESTED = "local-tested"
    """It does what it should on a simulator: the most that can be found out without a gateway."""
    GATEWAY_ROUNDTRIP = "gateway-roundtrip"
    RUNTIME_VERIFIED = "runtime-verified"
    REUSABLE_PATTERN = "reusable-pattern"

    @property
    def rank(self) -> int:
        """How high it is, from 0."""
        return list(Evidence).index(self)

    @property
    def binds(self) -> bool:
        """Whether a validator may demand it: only what was seen on a gateway."""
        return self.rank >= Evidence.RUNTIME_VERIFIED.rank

    def text(self, language: Language = "zh") -> str:
        """Say it."""
        return wording(f"patterns.evidence_{self.name.lower()}", language)


class Standing(StrEnum):
    """Beside the ladder: why a case is not to be used by others."""

    FINE = "fine"
    CONFLICTED = "conflicted"
    REJECTED = "rejected"
    PRIVATE_ONLY = "private-only"

    def text(self, language: Language = "zh") -> str:
        """Say it."""
        return wording(f"patterns.standing_{self.name.lower()}", language)
