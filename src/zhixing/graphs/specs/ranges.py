"""Arithmetic of value-ranges [min, max, step], exact in decimal.

A binary float counts as the shortest decimal that stands for it: 20.3 is 20.3, so steps of 0.1 come out. Numbers beyond
`HIGHEST_EXPONENT` are no values of any device and count as not finite, which bounds every sum below.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

HIGHEST_EXPONENT = 40
"""Values of 1e40 and more, and digits behind the fortieth after the point, are not reckoned with."""
SAFE_INTEGER = 2**53 - 1
"""Largest whole number that the gateway, which counts in doubles, tells from its neighbour."""
TOLERANCE = Decimal("1e-9")
"""What a float may be off a step, times max(1, |value|)."""

_EXACT = Context(prec=6 * HIGHEST_EXPONENT)
_BEYOND = 10**HIGHEST_EXPONENT
_SMALLEST = Decimal(1).scaleb(-HIGHEST_EXPONENT)

Number = int | float | Decimal


@dataclass(frozen=True, slots=True)
class Range:
    """A value-range as it stands in a specification, broken or not; `step` 0 or None means that only the ends count."""

    low: Decimal
    high: Decimal
    step: Decimal | None

    def __post_init__(self) -> None:
        """Round each number as values are, so that an end lies within its own range."""
        for name in ("low", "high", "step"):
            rounded = exact(getattr(self, name))
            if rounded is not None:
                object.__setattr__(self, name, rounded)

    @property
    def broken(self) -> bool:
        """Whether it says nothing: min above max, a step that is not positive, or a number that is not finite."""
        if exact(self.low) is None or exact(self.high) is None or self.low > self.high:
            return True
        return self.step is not None and (exact(self.step) is None or self.step <= 0)

    @property
    def usable(self) -> bool:
        """Whether its ends can be compared with; a step of 0 or below is then left aside."""
        return exact(self.low) is not None and exact(self.high) is not None and self.low <= self.high

    def same_as(self, low: object, high: object, step: object) -> bool:
        """Return whether three numbers written elsewhere (`min`, `max`, `step` of a node) are these."""
        ours = (self.low, self.high, Decimal(0) if self.step is None else self.step)
        return all(
            exact(here) is not None and exact(here) == exact(there)
            for here, there in zip((low, high, step), ours, strict=True)
        )


def exact(value: object) -> Decimal | None:
    """Return a number as a decimal; None for what is no finite number in bounds, such as true, text and NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, int):
        return Decimal(value) if abs(value) < _BEYOND else None
    found = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not found.is_finite():
        return None
    if found == 0:
        return Decimal(0)
    if found.adjusted() >= HIGHEST_EXPONENT:
        return None
    # Nothing measures what stands behind the fortieth digit, and sums of it would not end.
    return found if _exponent(found) >= -HIGHEST_EXPONENT else _EXACT.quantize(found, _SMALLEST)


def plain(value: Decimal) -> int | float:
    """Return a finite decimal in bounds as JSON would have it: whole as `int`, else a float."""
    return int(value) if value == value.to_integral_value() else float(value)


def whole(value: object) -> bool:
    """Return whether a value is a whole number; 26.0 is one, as it is for the gateway, and true is none."""
    found = exact(value)
    return found is not None and found == found.to_integral_value()


def safe(value: object) -> bool:
    """Return whether a number is no whole number beyond ±(2^53−1)."""
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= SAFE_INTEGER
    found = exact(value)
    return found is None or not whole(found) or found.copy_abs() <= SAFE_INTEGER


def within(value: Number, span: Range) -> bool:
    """Return whether a value lies between the ends, exactly; always so if they say nothing."""
    found = exact(value)
    return found is not None and (not span.usable or span.low <= found <= span.high)


def on_step(value: Number, span: Range) -> bool:
    """Return whether (value − min) is a whole number of steps, exactly; always so without a step or usable ends."""
    found, step = exact(value), _step(span)
    if found is None or step is None:
        return found is not None
    return _EXACT.remainder(_EXACT.subtract(found, span.low), step) == 0


def near_within(value: Number, span: Range) -> bool:
    """Return `within` for floats: an end counts within 1e-9 × max(1, |value|)."""
    found = exact(value)
    if found is None or not span.usable:
        return found is not None
    slack = _slack(found)
    return _EXACT.subtract(span.low, slack) <= found <= _EXACT.add(span.high, slack)


def near_step(value: Number, span: Range) -> bool:
    """Return `on_step` for floats: round((v−min)/step)×step + min within 1e-9 × max(1, |v|) of v."""
    found, step = exact(value), _step(span)
    if found is None or step is None:
        return found is not None
    return _EXACT.subtract(_nearest_step(found, span.low, step), found).copy_abs() <= _slack(found)


def nearest(value: Number, span: Range) -> Decimal | None:
    """Return the allowed value closest to `value`, the even step of two; None without a number or usable ends.

    The last step may lie below max: of 0–100 in steps of 30 it is 90.
    """
    found = exact(value)
    if found is None or not span.usable:
        return None
    step = _step(span)
    if step is None:
        return min(max(found, span.low), span.high)
    steps = _EXACT.divide(_EXACT.subtract(span.high, span.low), step).to_integral_value(ROUND_FLOOR)
    last = _EXACT.add(span.low, _EXACT.multiply(steps, step))
    return min(max(_nearest_step(found, span.low, step), span.low), last)


def _nearest_step(value: Decimal, low: Decimal, step: Decimal) -> Decimal:
    steps = _EXACT.divide(_EXACT.subtract(value, low), step).to_integral_value(ROUND_HALF_EVEN)
    return _EXACT.add(low, _EXACT.multiply(steps, step))


def _step(span: Range) -> Decimal | None:
    """Return a step to reckon with."""
    step = exact(span.step)
    return step if step is not None and step > 0 and span.usable else None


def _slack(value: Decimal) -> Decimal:
    return _EXACT.multiply(TOLERANCE, max(Decimal(1), value.copy_abs()))


def _exponent(value: Decimal) -> int:
    found = value.as_tuple().exponent
    return found if isinstance(found, int) else 0
