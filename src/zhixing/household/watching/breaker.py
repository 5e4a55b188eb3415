"""When a model that fails is left alone: pure. Seconds are those of a clock that never goes back."""

from __future__ import annotations

from dataclasses import dataclass, replace

FAILURES = 3
"""In a row, after which it is left alone."""
FIRST = 30.0
LONGEST = 900.0
"""Seconds of the first pause, and of the longest that the doubling comes to."""
LONGEST_ASKED = 3_600.0
"""Seconds of the longest pause that a server may ask for."""


@dataclass(frozen=True, slots=True)
class Breaker:
    """Closed while `until` is None. Open until then, and until the one probe that is let through has succeeded."""

    failures: int = 0
    until: float | None = None
    pause: float = 0.0
    probing: bool = False

    def is_open(self, now: float) -> bool:
        """Return whether nothing may be asked now."""
        return self.until is not None and (self.probing or now < self.until)

    def asking(self) -> Breaker:
        """Note that something is asked; where it was open, that is the probe."""
        return self if self.until is None else replace(self, probing=True)

    def given_back(self) -> Breaker:
        """Note that what was to be asked was not, or said nothing of the endpoint."""
        return replace(self, probing=False)

    def failed(self, now: float, *, after: float | None = None, lasts: bool = False) -> Breaker:
        """Note a failure. `after` is how long the server wants to be left alone; `lasts`: only a person can help."""
        if self.until is not None and not self.probing and now < self.until:
            return self  # asked before it opened
        failures = self.failures + 1
        if failures < FAILURES and self.until is None and after is None and not lasts:
            return replace(self, failures=failures)
        pause = LONGEST if lasts else min(max(2 * self.pause, FIRST), LONGEST)
        return Breaker(failures, now + max(pause, min(after or 0.0, LONGEST_ASKED)), pause)


CLOSED = Breaker()
