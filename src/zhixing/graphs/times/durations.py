"""How long the timers of a rule graph run, and what their cards show (specification §1.5).

`props` holds milliseconds and runs; `cfg.unit` and `cfg.value` are what the editor shows. When the two differ, a person
reads one thing and the hub does another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from zhixing.graphs.checks.finding import Level
from zhixing.graphs.times.findings import MOST_WHOLE, Reading, TimeFinding, fields, finding, number, whole

UNITS = {"hour": 3_600_000, "min": 60_000, "s": 1_000, "ms": 1}
"""Milliseconds in each unit that the editor writes, the largest first."""

_LEGACY_UNITS = {"m": UNITS["min"]}
"""Units of old exports, which the editor still reads."""

_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Shown:
    """What a card shows: `value` times `unit`."""

    unit: str
    value: int


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    invalid: str
    low: int
    """The least that the hub takes."""
    mismatch: str = "duration_display_mismatch"
    missing: str | None = None
    """The warning when the card shows nothing; templates of some cards never do."""


_FIELDS = {
    "delay": _Field("timeout", "invalid_timeout", -MOST_WHOLE, missing="duration_display_mismatch"),
    "statusLast": _Field(
        "timeout",
        "status_last_invalid_timeout",
        1,
        mismatch="status_last_display_mismatch",
        missing="status_last_missing_display",
    ),
    "eventSequence": _Field("timeout", "invalid_timeout", 1),
    "loop": _Field("interval", "invalid_interval", -MOST_WHOLE),
}

TIMER_TYPES = frozenset(_FIELDS)
"""The node types that have a duration."""


def read_duration(node_type: str, props: Mapping[str, object], cfg: object = None) -> Reading[int]:
    """Read the milliseconds of a node of one of `TIMER_TYPES`, and hold the card's `cfg` against them.

    Codes: `invalid_timeout`, `status_last_invalid_timeout`, `invalid_interval`; `non_positive_duration` beside a value,
    since the hub takes it; the warnings `duration_display_mismatch`, `status_last_display_mismatch` and
    `status_last_missing_display`.
    """
    field = _FIELDS[node_type]
    where = f"props.{field.name}"
    given = props.get(field.name)
    duration = whole(given, field.low)
    if duration is None:
        return Reading(None, (finding(field.invalid, where, given),))
    findings = (finding("non_positive_duration", where, given),) if duration <= 0 else ()
    return Reading(duration, findings + _shown_otherwise(field, duration, fields(cfg)))


def shown(duration: int) -> Shown:
    """Return how a card shows `duration` milliseconds: the largest unit in which it is a whole number."""
    for unit, length in UNITS.items():
        if duration and duration % length == 0:
            return Shown(unit, duration // length)
    return Shown("s", 0)


def _shown_otherwise(field: _Field, duration: int, cfg: Mapping[str, object]) -> tuple[TimeFinding, ...]:
    unit, value = cfg.get("unit"), cfg.get("value")
    if unit is None or value is None:
        where = "cfg.unit" if unit is None else "cfg.value"
        if (unit is None) is not (value is None):
            return (finding(field.missing or field.mismatch, where, None, Level.WARN),)
        return () if field.missing is None else (finding(field.missing, where, None, Level.WARN),)
    length = (UNITS | _LEGACY_UNITS).get(unit) if isinstance(unit, str) else None
    amount = number(value, -MOST_WHOLE, MOST_WHOLE)
    if length is not None and amount is not None and math.isclose(amount * length, duration, rel_tol=_CLOSE):
        return ()
    return (finding(field.mismatch, "cfg.value", f"{value} {unit}", Level.WARN),)
