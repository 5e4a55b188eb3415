"""Who fits a leaf: the bots of the catalog ranked, each with its reasons, and a proposal (taskloop §4.4).

A bot is ranked by points: for abilities that the leaf names, most of all; for its name and purpose, less. The first
ability counts whole, the second half, and so on: a long list of abilities is no merit. What the leaf says of its
background and in its instruction counts half. The proposal is what rules can say; the owner's answer may differ.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from zhixing.goals.bots.matching import folded, holds, outermost, same_words, tokens
from zhixing.goals.bots.profiles import Catalog, Profile
from zhixing.goals.contracts.searching import Candidate
from zhixing.goals.loop.events import SearchResult
from zhixing.goals.loop.model import Formation, Member, TaskSpec
from zhixing.goals.loop.values import CollabMode, SearchOutcome
from zhixing.kernel.wording import Language, wording

MOST_CANDIDATES = 10
LOWEST_SCORE = 0.01
LEAST_POINTS = 2.5
"""Below, nobody is proposed: about one ability that is named."""
MOST_MEMBERS = 5
"""Bots of a group that is proposed."""
MOST_RELAYS = 10
"""Bots that are asked to bid (§4.9)."""

_SIDE = 0.5
_LEAST_SHARE = 0.5
_SHORT = 120


class Ground(StrEnum):
    """Why a bot was given points; the value is the key of its words."""

    ABILITY = "why_ability"
    ALIKE = "why_alike"
    PART = "why_part"
    NAME = "why_name"
    PURPOSE = "why_purpose"


_POINTS = {Ground.ABILITY: 3.0, Ground.ALIKE: 2.5, Ground.PART: 1.5, Ground.NAME: 1.5, Ground.PURPOSE: 1.5}


class Bar(StrEnum):
    """Why a bot was not looked at; the value is the key of its words."""

    OWNER = "bar_owner"
    TRIED = "bar_tried"
    UNREACHABLE = "bar_unreachable"
    UNAVAILABLE = "bar_unavailable"


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


@dataclass(frozen=True, slots=True)
class Excluded:
    """A bot that was not looked at."""

    bot_id: str
    bar: Bar


@dataclass(frozen=True, slots=True)
class Demand:
    """What is looked for: a leaf, who may not do it, and when.

    `owner` never does its own leaves; `tried` did this leaf before; `unreachable` do not answer at the moment.
    """

    node_id: str
    spec: TaskSpec
    at: datetime
    owner: str = ""
    tried: Collection[str] = ()
    unreachable: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class KnownGroup:
    """A group that exists already."""

    id: str
    bot_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates, best first; the proposal; who could be asked to relay when nobody fits; who was left out."""

    candidates: tuple[Scored, ...]
    proposal: SearchResult
    relays: tuple[str, ...] = ()
    excluded: tuple[Excluded, ...] = ()


def search(catalog: Catalog, demand: Demand, groups: Sequence[KnownGroup] = ()) -> Found:
    """Return who fits a leaf. The same catalog and demand give the same answer; ties keep the catalog's order."""
    barred = [(each, _bar(each, demand)) for each in catalog]
    eligible = [each for each, bar in barred if bar is None]
    ranking = _Ranking(eligible, demand.spec)
    scored = sorted((ranking.scored(each) for each in eligible), key=lambda each: -each.points)
    fitting = [each for each in scored if each.score >= LOWEST_SCORE]
    proposal = _proposal(demand.node_id, fitting, ranking, groups)
    relays = _relays(scored, demand) if proposal.outcome is SearchOutcome.MISS else ()
    excluded = tuple(Excluded(each.id, bar) for each, bar in barred if bar is not None)
    return Found(tuple(fitting[:MOST_CANDIDATES]), proposal, relays, excluded)


def offered(found: Found, language: Language = "zh") -> tuple[Candidate, ...]:
    """Return the candidates as the owner is asked about them."""
    return tuple(
        Candidate(
            each.profile.id,
            each.profile.name,
            each.profile.purpose,
            each.score,
            "、".join(each.profile.abilities)[:_SHORT],
            tuple(reason_text(reason, language) for reason in each.reasons),
        )
        for each in found.candidates
    )


def reason_text(reason: Reason, language: Language = "zh") -> str:
    """Return a reason as people read it."""
    return wording(f"goal_bots.{reason.ground.value}", language, words="、".join(reason.words))


def bar_text(bar: Bar, language: Language = "zh") -> str:
    """Return why a bot was not looked at, as people read it."""
    return wording(f"goal_bots.{bar.value}", language)


def _bar(profile: Profile, demand: Demand) -> Bar | None:
    if profile.id == demand.owner:
        return Bar.OWNER
    if profile.id in demand.tried:
        return Bar.TRIED
    if not profile.availability.at(demand.at):
        return Bar.UNAVAILABLE
    return Bar.UNREACHABLE if profile.id in demand.unreachable else None


class _Ranking:
    """The texts of one demand, and how telling each token is among the bots."""

    def __init__(self, eligible: Sequence[Profile], spec: TaskSpec) -> None:
        wanted = [spec.title, spec.objective, *(each.description for each in spec.acceptances)]
        self._said = _Text(wanted, [spec.instruction, spec.background])
        self._count = len(eligible)
        self._seen = Counter(each for one in eligible for each in set(_tokens_of(one)))
        named = {_same(each) for one in eligible for each in one.abilities}
        self.wanted = outermost(self._said.main, named)
        """The abilities that are asked for by name."""

    def scored(self, profile: Profile) -> Scored:
        """Give a bot its points."""
        abilities = sorted(filter(None, map(self._ability, profile.abilities)), key=lambda each: -each.points)
        counted = [Reason(each.ground, each.words, each.points / n) for n, each in enumerate(abilities, 1)]
        reasons = [*counted, *filter(None, (self._name(profile), self._purpose(profile)))]
        points = sum(each.points for each in reasons)
        return Scored(profile, round(1 - math.exp(-points / 4), 4), points, tuple(reasons))

    def _ability(self, ability: str) -> Reason | None:
        ground = Ground.ABILITY if self._said.literally(folded(ability)) else Ground.ALIKE
        weight = self._said.weight_of(_same(ability))
        if weight > 0:
            return Reason(ground, (ability,), _POINTS[ground] * weight)
        own = tokens(_same(ability))
        share = self._share(own)
        return Reason(Ground.PART, (ability,), _POINTS[Ground.PART] * share) if share >= _LEAST_SHARE else None

    def _name(self, profile: Profile) -> Reason | None:
        share = self._share(tokens(_same(profile.name)))
        return Reason(Ground.NAME, (profile.name,), _POINTS[Ground.NAME] * share) if share >= _LEAST_SHARE else None

    def _purpose(self, profile: Profile) -> Reason | None:
        met = [each for each in tokens(_same(profile.purpose)) if self._said.tokens.get(each)]
        told = sum(self._telling(each) * self._said.tokens[each] for each in met)
        words = tuple(sorted(met, key=lambda each: -self._telling(each))[:5])
        return Reason(Ground.PURPOSE, words, _POINTS[Ground.PURPOSE] * told / (told + 3)) if met else None

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
        self.main, self._side = same_words(plain), same_words(beside)
        self.tokens = {**dict.fromkeys(tokens(self._side), _SIDE), **dict.fromkeys(tokens(self.main), 1.0)}

    def literally(self, word: str) -> bool:
        """Whether a word stands there as it is."""
        return holds(self._plain, word)

    def weight_of(self, word: str) -> float:
        """Return how much a word counts where it stands, 0 where it does not."""
        if holds(self.main, word):
            return 1.0
        return _SIDE if holds(self._side, word) else 0.0


def _same(text: str) -> str:
    return same_words(folded(text))


def _tokens_of(profile: Profile) -> tuple[str, ...]:
    return tokens(_same("\n".join((profile.name, *profile.abilities, profile.purpose))))


def _proposal(
    node_id: str, fitting: Sequence[Scored], ranking: _Ranking, groups: Sequence[KnownGroup]
) -> SearchResult:
    if not fitting:
        return SearchResult(node_id, SearchOutcome.MISS, reason="no_candidates")
    chosen = _chosen(fitting, ranking.wanted)
    if not chosen:
        return SearchResult(node_id, SearchOutcome.MISS, reason=wording("goal_bots.miss"))
    bots = tuple(each.id for each, _ in chosen)
    if len(bots) == 1:
        return SearchResult(node_id, SearchOutcome.HIT_SINGLE, bot_id=bots[0])
    known = next((each for each in groups if set(each.bot_ids) == set(bots)), None)
    if known is not None:
        return SearchResult(node_id, SearchOutcome.HIT_GROUP, group_id=known.id)
    members = tuple(Member(each.id, each.name, "、".join(does)) for each, does in chosen)
    name = wording("goal_bots.group_name", words="、".join(each.name for each, _ in chosen))
    formed = Formation(bots, CollabMode.MANAGER_WORKER, name, bots[0], members)
    return SearchResult(node_id, SearchOutcome.HIT_MULTI_BOTS, formation=formed)


def _chosen(fitting: Sequence[Scored], wanted: Sequence[str]) -> list[tuple[Profile, tuple[str, ...]]]:
    """Return the fewest bots that have the abilities asked for, each with those that are its part, the first leading.

    Who has the most of what is left comes next, and of equals the better candidate. Nobody when nobody fits well.
    """
    fit = [each for each in fitting if each.points >= LEAST_POINTS]
    able = {each.profile.id: [word for word in wanted if _can(each.profile, word)] for each in fit}
    left = {word for words in able.values() for word in words}
    chosen: list[tuple[Profile, tuple[str, ...]]] = []
    while fit and len(chosen) < MOST_MEMBERS and (left or not chosen):
        best = max(fit, key=lambda each: (len(left.intersection(able[each.profile.id])), each.points))
        part = tuple(word for word in able[best.profile.id] if word in left)
        chosen.append((best.profile, part))
        left.difference_update(part)
    return chosen


def _can(profile: Profile, word: str) -> bool:
    return any(holds(_same(each), word) for each in profile.abilities)


def _relays(scored: Sequence[Scored], demand: Demand) -> tuple[str, ...]:
    """Return who opted in to relays, those that fit best first."""
    willing = [each.profile.id for each in scored if each.profile.relay]
    return tuple(willing[:MOST_RELAYS])
