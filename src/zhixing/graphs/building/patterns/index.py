"""From what a rule has to do to one to three patterns, and the recipes beside them (seed: 知识索引). Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from zhixing.graphs.building.design import MOST_PATTERNS, Design
from zhixing.graphs.building.patterns.library import ADAPT, LOOP, NUM, STATE, SYNC, TIME, Entry, Need, entry, library

LONGEST_TEXT = 4_000
"""Characters of a request that are looked at."""

_COMBINED: Mapping[Need, tuple[str, ...]] = {
    Need.CIRCADIAN: (TIME, NUM, LOOP),
    Need.OUTSIDE_MODES: (STATE, SYNC),
    Need.REPEATED_REMINDER: (STATE, LOOP, ADAPT),
}
"""Needs that take several patterns together (seed: 常见组合)."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """At most three patterns, the most fitting first; recipes; and the needs that neither meets."""

    patterns: tuple[Entry, ...]
    recipes: tuple[Entry, ...]
    left: tuple[Need, ...]


def choose(needs: Iterable[Need]) -> Chosen:
    """Choose for some needs: first whole combinations, then pattern by pattern the one that meets most of the rest."""
    wanted = tuple(dict.fromkeys(needs))
    combined = [each for need in wanted for each in _COMBINED.get(need, ())]
    patterns = [found for name in dict.fromkeys(combined) if (found := entry(name)) is not None][:MOST_PATTERNS]
    open_ = {need for need in wanted if need not in _COMBINED} - _met(patterns)
    while open_ and len(patterns) < MOST_PATTERNS:
        best = max((each for each in library() if each.is_pattern), key=lambda each: len(each.needs & open_))
        if not best.needs & open_:
            break
        patterns.append(best)
        open_ -= best.needs
    recipes = tuple(each for each in library() if not each.is_pattern and each.needs & set(wanted))
    open_ -= _met(recipes)
    chosen = {each.id for each in patterns}
    return Chosen(
        tuple(patterns),
        recipes,
        tuple(need for need in wanted if need in open_ or (need in _COMBINED and not set(_COMBINED[need]) <= chosen)),
    )


def needs_of(design: Design) -> tuple[Need, ...]:
    """Return what a design shows by its columns: something to remember, something that repeats."""
    found = [Need.REMEMBER] if design.states else []
    return (*found, Need.REMIND) if design.rounds else tuple(found)


def needs_in(text: str) -> tuple[Need, ...]:
    """Return what a request names by its words, in the order of `Need`; a hint, not an understanding."""
    looked_at = text[:LONGEST_TEXT].casefold()
    return tuple(need for need in Need if any(word in looked_at for word in _words().get(need.value, ())))


def _met(entries: Iterable[Entry]) -> set[Need]:
    return {need for each in entries for need in each.needs}


@cache
def _words() -> Mapping[str, list[str]]:
    text = files("zhixing.graphs.building.patterns").joinpath("needs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
