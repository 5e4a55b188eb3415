"""How well a bot fits what a leaf says, in points, each with its reason.

Points are given for abilities that the leaf names, most of all; for the name and the purpose of a bot, less. The best
ability counts whole, the next half, and so on: a long list of abilities is no merit. Nor is a short word of a longer
one that another bot has. What the leaf says in its instruction and of its background counts half.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from zhixing.goals.bots.matching import clauses, folded, holds, outermost, pieces, same_words, tokens
from zhixing.goals.bots.profiles import MOST_PROFILES, Profile
from zhixing.goals.loop.model import TaskSpec
from zhixing.kernel.wording import Language, wording

_SIDE = 0.5
_LEAST_SHARE = 0.5


class Ground(StrEnum):
    """Why a bot was given points; the value is the key of its words."""

    ABILITY = "why_ability"
    ALIKE = "why_alike"
    APART = "why_apart"
    PART = "why_part"
    NAME = "why_name"
    PURPOSE = "why_purpose"


_POINTS = {
    Ground.ABILITY: 3.0,
    Ground.ALIKE: 2.5,
    Ground.APART: 2.0,
    Ground.PART: 1.5,
    Ground.NAME: 1.5,
    Ground.PURPOSE: 1.5,
}


@dataclass(frozen=True, slots=True)
class Reason:
    """What of a bot fits, and for how many points."""

    ground: Ground
    words: tuple[str, ...]
    points: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A bot that fits, from 0 to 1."""

    profile: Profile
    score: float
    points: float
    reasons: tuple[Reason, ...]


def reason_text(reason: Reason, language: Language = "zh") -> str:
    """Return a reason as people read it."""
    return wording(f"goal_bots.{reason.ground.value}", language, words="、".join(reason.words))


def able(profile: Profile, word: str) -> bool:
    """Whether one of the abilities of a bot is or holds a word, which is one of those that are wanted."""
    return any(holds(each.text, word) for each in _told(profile).abilities)


def own_words(profile: Profile, words: Sequence[str]) -> tuple[str, ...]:
    """Return what a bot itself calls the abilities that are or hold the words."""
    both = zip(profile.abilities, _told(profile).abilities, strict=True)
    return tuple(own for own, same in both if any(holds(same.text, word) for word in words))


class Ranking:
    """The texts of one demand, and how telling each token is among the bots."""

    def __init__(self, eligible: Sequence[Profile], spec: TaskSpec) -> None:
        wanted = [spec.title, spec.objective, *(each.description for each in spec.acceptances)]
        self._said = _Text(wanted, [spec.instruction, spec.background])
        self._count = len(eligible)
        told = [_told(each) for each in eligible]
        self._seen = Counter(each for one in told for each in one.tokens)
        named = {each.text for one in told for each in one.abilities}
        self.wanted = outermost(self._said.main, named)
        """The abilities that are asked for by name."""
        self._weights = {**dict.fromkeys(outermost(self._said.side, named), _SIDE), **dict.fromkeys(self.wanted, 1.0)}

    def scored(self, profile: Profile) -> Scored:
        """Give a bot its points."""
        told = _told(profile)
        found = map(self._ability, profile.abilities, told.abilities)
        abilities = sorted(filter(None, found), key=lambda each: -each.points)
        counted = [Reason(each.ground, each.words, each.points / 2**n) for n, each in enumerate(abilities)]
        reasons = [*counted, *filter(None, (self._name(profile, told), self._purpose(told)))]
        points = sum(each.points for each in reasons)
        return Scored(profile, round(1 - math.exp(-points / 4), 4), points, tuple(reasons))

    def _ability(self, ability: str, same: _Ability) -> Reason | None:
        weight = self._weights.get(same.text)
        if weight is not None:
            ground = Ground.ABILITY if self._said.literally(folded(ability)) else Ground.ALIKE
            return Reason(ground, (ability,), _POINTS[ground] * weight)
        if self._said.apart(same.pieces):
            return Reason(Ground.APART, (ability,), _POINTS[Ground.APART])
        share = self._share(same.tokens)
        return Reason(Ground.PART, (ability,), _POINTS[Ground.PART] * share) if share >= _LEAST_SHARE else None

    def _name(self, profile: Profile, told: _Told) -> Reason | None:
        share = self._share(told.name)
        return Reason(Ground.NAME, (profile.name,), _POINTS[Ground.NAME] * share) if share >= _LEAST_SHARE else None

    def _purpose(self, told: _Told) -> Reason | None:
        met = [each for each in told.purpose if each in self._said.tokens]
        weight = sum(self._telling(each) * self._said.tokens[each] for each in met)
        words = tuple(sorted(met, key=lambda each: -self._telling(each))[:5])
        return Reason(Ground.PURPOSE, words, _POINTS[Ground.PURPOSE] * weight / (weight + 3)) if met else None

    def _share(self, own: Sequence[str]) -> float:
        """Return which share of what tokens tell the demand says too."""
        whole = sum(map(self._telling, own))
        met = sum(self._telling(each) * self._said.tokens.get(each, 0.0) for each in own)
        return met / whole if whole else 0.0

    def _telling(self, token: str) -> float:
        """Return how much a token tells, at most 1: what all bots have tells little."""
        return math.log(1 + self._count / max(1, self._seen[token])) / math.log(1 + self._count)


class _Text:
    """What a leaf says: its goal, and beside it what counts half."""

    def __init__(self, main: Iterable[str], side: Iterable[str]) -> None:
        plain, beside = folded("\n".join(main)), folded("\n".join(side))
        self._plain = f"{plain}\n{beside}"
        self.main, self.side = same_words(plain), same_words(beside)
        self._clauses = clauses(self.main)
        self.tokens = {**dict.fromkeys(tokens(self.side), _SIDE), **dict.fromkeys(tokens(self.main), 1.0)}

    def apart(self, cut: Sequence[str]) -> bool:
        """Whether the goal has all pieces of a word in one clause, in any order: 报告汇总 in 汇总成一份报告."""
        return len(cut) > 1 and any(all(holds(clause, each) for each in cut) for clause in self._clauses)

    def literally(self, word: str) -> bool:
        """Whether a word stands there as it is."""
        return holds(self._plain, word)


@dataclass(frozen=True, slots=True)
class _Ability:
    """An ability made comparable: as a text, as tokens, and in pieces."""

    text: str
    tokens: tuple[str, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """What a profile says, made comparable."""

    abilities: tuple[_Ability, ...]
    name: tuple[str, ...]
    purpose: tuple[str, ...]
    tokens: frozenset[str]


@lru_cache(maxsize=2 * MOST_PROFILES)
def _told(profile: Profile) -> _Told:
    texts = tuple(map(_same, profile.abilities))
    abilities = tuple(_Ability(each, tokens(each), pieces(each)) for each in texts)
    name, purpose = tokens(_same(profile.name)), tokens(_same(profile.purpose))
    return _Told(abilities, name, purpose, frozenset((*name, *purpose, *tokens("\n".join(texts)))))


def _same(text: str) -> str:
    return same_words(folded(text))
