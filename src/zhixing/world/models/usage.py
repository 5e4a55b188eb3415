"""What asking costs: counted per model and day, pure. A room that keeps the counts stores one row per `Spot`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Tokens:
    """How much was read and written. `cached` is the part of `read` that the server already knew.

    Zeros may mean that the server does not count.
    """

    read: int = 0
    written: int = 0
    cached: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.read + other.read, self.written + other.written, self.cached + other.cached)


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in whatever currency the owner thinks in. `cached` None: as much as `read`."""

    read: Decimal
    written: Decimal
    cached: Decimal | None = None

    def cost(self, tokens: Tokens) -> int:
        """Return the cost in millionths of the currency."""
        known = min(tokens.cached, tokens.read)
        price_known = self.read if self.cached is None else self.cached
        total = (tokens.read - known) * self.read + known * price_known + tokens.written * self.written
        return int(total.to_integral_value(ROUND_HALF_UP))


class Outcome(StrEnum):
    """What became of one call."""

    ANSWERED = "answered"
    GARBLED = "garbled"
    """Answered, counted by the server, and not usable."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Spent:
    """One call: one request that reached for the server, whatever came of it. `cost` None: no prices are known."""

    model: str
    at: datetime
    outcome: Outcome
    tokens: Tokens
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The sum of some calls. `cost` sums what has a price, in millionths; `unpriced` counts the calls without one."""

    calls: int = 0
    failures: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    cost: int = 0
    unpriced: int = 0

    def plus(self, spent: Spent) -> Tally:
        """Return the sum with one call more. A call that brought nothing usable is a failure, whatever it cost."""
        return Tally(
            calls=self.calls + 1,
            failures=self.failures + (spent.outcome is not Outcome.ANSWERED),
            tokens=self.tokens + spent.tokens,
            cost=self.cost + (spent.cost or 0),
            unpriced=self.unpriced + (spent.cost is None),
        )


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """Where a call is counted: a model's name and the day on which it was made, in the owner's zone."""

    day: date
    model: str

    @classmethod
    def of(cls, spent: Spent, zone: tzinfo) -> Spot:
        """Return where `spent` belongs."""
        return cls(spent.at.astimezone(zone).date(), spent.model)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tallies by spot. A value: `plus` returns another one, so whoever shares it between threads guards it."""

    zone: tzinfo
    tallies: Mapping[Spot, Tally] = field(default_factory=dict)

    def plus(self, spent: Spent) -> Usage:
        """Return the usage with one call more."""
        spot = Spot.of(spent, self.zone)
        return Usage(self.zone, {**self.tallies, spot: self.tallies.get(spot, Tally()).plus(spent)})

    def rows(self) -> Iterator[tuple[Spot, Tally]]:
        """Yield every spot with its tally, by day and name."""
        for spot in sorted(self.tallies):
            yield spot, self.tallies[spot]
