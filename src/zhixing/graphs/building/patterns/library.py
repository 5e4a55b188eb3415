"""What is known of each pattern and recipe: what it is for, how well it is known, what goes wrong, what goes with it.

The words are in section `patterns`: `<key>_title`, `<key>_use`, and `<key>_risk_<risk>` for each risk. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from zhixing.graphs.building.patterns.evidence import Evidence, Standing
from zhixing.kernel.wording import Language, wording


class Need(StrEnum):
    """Something that a rule has to do."""

    REMEMBER = "remember"
    SYMMETRIC = "symmetric"
    ROUND = "round"
    SCALE = "scale"
    RAMP = "ramp"
    COMBINE = "combine"
    COUNT_OF = "count_of"
    DURATION = "duration"
    DATES = "dates"
    PROGRESS = "progress"
    POLL = "poll"
    REMIND = "remind"
    TEMPORARY = "temporary"
    MIRROR = "mirror"
    FOLLOW = "follow"
    TEMPLATE = "template"
    FOREIGN_VALUES = "foreign_values"
    LISTEN = "listen"
    ACROSS_RULES = "across_rules"
    HOLD = "hold"
    OFF_TIMER = "off_timer"
    FIRST_ROUND = "first_round"
    LIMIT = "limit"
    FLAG = "flag"
    BOOLEAN = "boolean"
    INITIAL = "initial"
    CIRCADIAN = "circadian"
    OUTSIDE_MODES = "outside_modes"
    REPEATED_REMINDER = "repeated_reminder"

    def text(self, language: Language = "zh") -> str:
        """Say it."""
        return wording(f"patterns.need_{self.value}", language)


@dataclass(frozen=True, slots=True)
class Entry:
    """One pattern (`PAT-…`) or recipe. `goes_with` are ids that it is often combined with."""

    id: str
    key: str
    needs: frozenset[Need]
    risks: tuple[str, ...]
    goes_with: tuple[str, ...] = ()
    evidence: Evidence = Evidence.LOCAL_TESTED
    standing: Standing = Standing.FINE

    @property
    def is_pattern(self) -> bool:
        """Whether it is a pattern and no small recipe."""
        return self.id.startswith("PAT-")

    def title(self, language: Language = "zh") -> str:
        """Name it."""
        return wording(f"patterns.{self.key}_title", language)

    def use(self, language: Language = "zh") -> str:
        """Say what it is for."""
        return wording(f"patterns.{self.key}_use", language)

    def pitfalls(self, language: Language = "zh") -> tuple[str, ...]:
        """Say what goes wrong, one line each."""
        return tuple(wording(f"patterns.{self.key}_risk_{risk}", language) for risk in self.risks)


STATE, NUM, AGG, TIME = "PAT-STATE-01", "PAT-NUM-01", "PAT-AGG-01", "PAT-TIME-01"
LOOP, SYNC, ADAPT = "PAT-LOOP-01", "PAT-SYNC-01", "PAT-ADAPT-01"
HOLD, OFF_TIMER, FIRST_ROUND, DAILY_LIMIT = "hold", "off-timer", "first-round", "daily-limit"
FLIP, BOOLEAN_OUTPUT, ORDERED_START = "flip", "boolean-output", "ordered-start"

_ENTRIES = (
    Entry(
        STATE,
        "state",
        frozenset({Need.REMEMBER, Need.SYMMETRIC}),
        ("initial", "producer", "fresh", "unknown", "clear", "silent"),
        (SYNC, LOOP, ORDERED_START),
    ),
    Entry(
        NUM,
        "num",
        frozenset({Need.ROUND, Need.SCALE, Need.RAMP}),
        ("zero", "raw", "half", "display", "step"),
        (TIME, LOOP),
    ),
    Entry(
        AGG,
        "agg",
        frozenset({Need.COMBINE, Need.COUNT_OF}),
        ("partial", "stale", "enum", "deviation", "logic", "opposite"),
        (NUM, ORDERED_START),
    ),
    Entry(
        TIME,
        "time",
        frozenset({Need.DURATION, Need.DATES, Need.PROGRESS}),
        ("minute", "repeated", "clock", "year", "midday", "empty"),
        (NUM, LOOP),
    ),
    Entry(
        LOOP,
        "loop",
        frozenset({Need.POLL, Need.REMIND, Need.TEMPORARY}),
        ("limit", "stop", "cursor", "heater", "late", "soon"),
        (STATE, ADAPT, FIRST_ROUND),
    ),
    Entry(
        SYNC,
        "sync",
        frozenset({Need.MIRROR, Need.FOLLOW}),
        ("swing", "preload", "lossy", "master", "unknown", "colour"),
        (STATE, NUM),
    ),
    Entry(
        ADAPT,
        "adapt",
        frozenset({Need.TEMPLATE, Need.FOREIGN_VALUES, Need.LISTEN, Need.ACROSS_RULES}),
        ("occupied", "copy", "name", "layers"),
        (STATE, LOOP),
    ),
    Entry(HOLD, "hold", frozenset({Need.HOLD}), ("native", "delay", "once")),
    Entry(OFF_TIMER, "off_timer", frozenset({Need.OFF_TIMER}), ("shared", "present"), (HOLD,)),
    Entry(FIRST_ROUND, "first_round", frozenset({Need.FIRST_ROUND}), ("tick", "stop"), (LOOP,)),
    Entry(DAILY_LIMIT, "daily_limit", frozenset({Need.LIMIT}), ("restart",)),
    Entry(FLIP, "flip", frozenset({Need.FLAG, Need.ACROSS_RULES}), ("reset", "one"), (ADAPT,)),
    Entry(BOOLEAN_OUTPUT, "boolean_output", frozenset({Need.BOOLEAN}), ("dynamic",), (STATE,)),
    Entry(ORDERED_START, "ordered_start", frozenset({Need.INITIAL}), ("unknown", "preload"), (STATE, AGG)),
)
_BY_ID: Mapping[str, Entry] = MappingProxyType({each.id: each for each in _ENTRIES})


def library() -> tuple[Entry, ...]:
    """Return everything, patterns first."""
    return _ENTRIES


def entry(name: str) -> Entry | None:
    """Return a pattern or recipe by its id."""
    return _BY_ID.get(name)
