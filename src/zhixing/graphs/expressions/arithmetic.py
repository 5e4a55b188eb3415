"""Numbers as JavaScript has them: doubles, read by `Number()`, written in the shortest form, never an exception.

The gateway's own language (mijia.md §1.11 "anything JS `Number()` accepts", §1.7 "JS-like shortest form"); rules are
those of ECMA-262: Number.prototype.toString, Number::remainder, Number::exponentiate, Math.round.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000\ufeff"
)
"""What `Number()` takes away at both ends (ECMA-262 WhiteSpace and LineTerminator)."""
LARGEST_EXACT = 2**53
"""Up to here every whole number is a double."""

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_BASES = {"0x": 16, "0o": 8, "0b": 2}
_BASED = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
_INFINITE = {"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}


def read_number(text: str) -> float | None:
    """Read a number as `Number()` does; None for a blank text and for what is none."""
    text = text.strip(BLANKS)
    if _DECIMAL.fullmatch(text):
        return float(text)
    if _BASED.fullmatch(text):
        return double(int(text[2:], _BASES[text[:2].lower()]))
    return _INFINITE.get(text)


def number_text(value: float) -> str:
    """Write a number in the shortest form that reads back as the same double: `26`, `0.000001`, `1e-7`, `1e+21`."""
    if isinstance(value, int) and -LARGEST_EXACT <= value <= LARGEST_EXACT:
        return str(int(value))
    value = double(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    parts = Decimal(repr(abs(value))).as_tuple()
    written = "".join(map(str, parts.digits))
    digits = written.rstrip("0")
    point = len(written) + int(parts.exponent)
    sign = "-" if value < 0 else ""
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def double(value: float) -> float:
    """Make a double of a number of any size; what is too large is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def settled(value: float) -> float:
    """Return a whole number as `int` where a double tells it from its neighbours, and a double otherwise."""
    return int(value) if value.is_integer() and abs(value) <= LARGEST_EXACT else value


def divided(left: float, right: float) -> float:
    """`left / right`; a division by zero is infinite, 0 / 0 is NaN."""
    if right:
        return left / right
    if not left or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def remainder(left: float, right: float) -> float:
    """`left % right`, with the sign of `left`; NaN for `x % 0` and `Infinity % x`."""
    if not right or math.isinf(left):
        return math.nan
    return math.fmod(left, right)


def power(base: float, exponent: float) -> float:
    """`Math.pow`: NaN where C says 1 for a base of ±1 (and an infinite or absent exponent)."""
    if math.isnan(exponent) or (abs(base) == 1 and math.isinf(exponent)):
        return math.nan
    odd = exponent.is_integer() and math.fmod(exponent, 2) != 0
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and odd else math.inf
    except ValueError:
        if base:
            return math.nan
        return -math.inf if odd and math.copysign(1.0, base) < 0 else math.inf


def rounded(value: float) -> float:
    """`Math.round`: to the nearest whole number, a half towards +∞."""
    below = floored(value)
    return below + 1 if value - below >= 0.5 else below


def floored(value: float) -> float:
    """`Math.floor`."""
    return float(math.floor(value)) if math.isfinite(value) else value


def raised(value: float) -> float:
    """`Math.ceil`."""
    return float(math.ceil(value)) if math.isfinite(value) else value


def logarithm(value: float) -> float:
    """`Math.log`: −∞ at 0, NaN below."""
    if value == 0:
        return -math.inf
    return math.log(value) if value > 0 else math.nan
