"""Who fits a leaf: the bots of the catalog ranked, each with its reasons, and a proposal (taskloop §4.4).

The proposal is what rules can say; the owner of the goal, or a table, may answer otherwise. One bot that has all
abilities the goal names is proposed alone, the fewest bots that have them together as a group.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from zhixing.goals.bots.profiles import Catalog, Profile
from zhixing.goals.bots.ranking import Ranking, Scored, able, own_words, reason_text
from zhixing.goals.contracts.searching import Candidate
from zhixing.goals.loop.events import SearchResult
from zhixing.goals.loop.model import Formation, Member, TaskSpec
from zhixing.goals.loop.values import CollabMode, SearchOutcome
from zhixing.kernel.wording import Language, wording

MOST_CANDIDATES = 10
LOWEST_SCORE = 0.01
LEAST_POINTS = 2.0
"""Below, nobody is proposed: one ability that is asked for, in whatever order of words."""
MOST_MEMBERS = 5
"""Bots of a group that is proposed."""
MOST_RELAYS = 10
"""Bots that are asked to bid (§4.9)."""

_SHORT = 120


class Bar(StrEnum):
    """Why a bot was not looked at; the value is the key of its words."""

    OWNER = "bar_owner"
    TRIED = "bar_tried"
    UNREACHABLE = "bar_unreachable"
    UNAVAILABLE = "bar_unavailable"


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
    """A group that exists already; the first of its bots is the one that reports."""

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
    ranking = Ranking(eligible, demand.spec)
    scored = sorted((ranking.scored(each) for each in eligible), key=lambda each: -each.points)
    fitting = [each for each in scored if each.score >= LOWEST_SCORE]
    proposal = _proposal(demand.node_id, fitting, ranking, groups)
    asked = relays(catalog, demand) if proposal.outcome is SearchOutcome.MISS else ()
    excluded = tuple(Excluded(each.id, bar) for each, bar in barred if bar is not None)
    return Found(tuple(fitting[:MOST_CANDIDATES]), proposal, asked, excluded)


def relays(catalog: Catalog, demand: Demand) -> tuple[str, ...]:
    """Return who can be asked to take over the rest of a goal: who opted in, those first that fit best.

    Who failed at one leaf may still finish the rest: only the owner and who cannot be had are left out.
    """
    willing = [each for each in catalog if each.relay and _bar(each, demand) in {None, Bar.TRIED}]
    ranking = Ranking(willing, demand.spec)
    ranked = sorted(willing, key=lambda each: -ranking.scored(each).points)
    return tuple(each.id for each in ranked[:MOST_RELAYS])


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


def _proposal(node_id: str, fitting: Sequence[Scored], ranking: Ranking, groups: Sequence[KnownGroup]) -> SearchResult:
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
    members = tuple(Member(each.id, each.name, "、".join(own_words(each, part))) for each, part in chosen)
    name = wording("goal_bots.group_name", words="、".join(each.name for each, _ in chosen))
    formed = Formation(bots, CollabMode.MANAGER_WORKER, name, bots[0], members)
    return SearchResult(node_id, SearchOutcome.HIT_MULTI_BOTS, formation=formed)


def _chosen(fitting: Sequence[Scored], wanted: Sequence[str]) -> list[tuple[Profile, tuple[str, ...]]]:
    """Return the fewest bots that have the abilities asked for, each with those that are its part, the first leading.

    Who has the most of what is left comes next, and of equals the better candidate. Nobody when nobody fits well.
    """
    fit = [each for each in fitting if each.points >= LEAST_POINTS]
    does = {each.profile.id: [word for word in wanted if able(each.profile, word)] for each in fit}
    left = {word for words in does.values() for word in words}
    chosen: list[tuple[Profile, tuple[str, ...]]] = []
    while fit and len(chosen) < MOST_MEMBERS and (left or not chosen):
        best = max(fit, key=lambda each: (len(left.intersection(does[each.profile.id])), each.points))
        part = tuple(word for word in does[best.profile.id] if word in left)
        chosen.append((best.profile, part))
        left.difference_update(part)
    return chosen
