"""What the page of the bots shows: who they are, whether they take work, who would do something and why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from zhixing.app import App
from zhixing.faces.goal_bots import found_for
from zhixing.faces.web.goals.addresses import BOTS
from zhixing.faces.web.language import line_of
from zhixing.goals.bots.profiles import EVERY_DAY, Availability, Catalog, Profile
from zhixing.goals.bots.ranking import reason_text
from zhixing.goals.bots.searching import Found, bar_text
from zhixing.goals.keeping.texts import single_line
from zhixing.kernel.wording import Language, wording

MOST = 50
"""Bots on one page."""
_MOST_ABILITIES = 20


@dataclass(frozen=True, slots=True)
class ShownBot:
    """A bot; nothing of how it is reached, which may hold addresses and instructions."""

    id: str
    name: str
    kind: str
    purpose: str
    abilities: tuple[str, ...]
    takes_work: bool
    hours: str
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fitting:
    """Who would do something: the proposal in a line, and (bot, why) of the candidates and of who was left out."""

    proposed: str
    candidates: tuple[tuple[str, str], ...]
    excluded: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AllBots:
    """The page at /goals/bots; `owner` plans where a goal names nobody."""

    bots: tuple[ShownBot, ...]
    total: int
    owner: str
    fault: str
    fitting: Fitting | None
    before: str
    after: str


def all_bots(app: App, page: int, wanted: str, language: Language) -> AllBots:
    """Return a page of the bots; with words, who would do that."""
    room, now = app.goals, app.clock.now()
    catalog, fault = room.catalog, room.terms.fault()
    with_token = {each.bot_id for each in room.tokens.listed()}
    everyone = tuple(catalog)
    shown = everyone[(page - 1) * MOST : page * MOST]
    return AllBots(
        bots=tuple(
            _bot(each, with_token, room.owner, language, takes_work=each.availability.at(now)) for each in shown
        ),
        total=len(everyone),
        owner=single_line(room.owner),
        fault="" if fault is None else wording("goal_pages.bots_fault", language, fault=line_of(fault, language)),
        fitting=_fitting(found_for(app, wanted), catalog, language) if wanted else None,
        before=f"{BOTS}?page={page - 1}" if page > 1 else "",
        after=f"{BOTS}?page={page + 1}" if len(everyone) > page * MOST else "",
    )


def _bot(
    profile: Profile, with_token: Collection[str], owner: str, language: Language, *, takes_work: bool
) -> ShownBot:
    marks = {"bots_owner": profile.id == owner, "bots_relay": profile.relay, "bots_token": profile.id in with_token}
    return ShownBot(
        id=single_line(profile.id),
        name=single_line(profile.name),
        kind=wording(f"web_goals.kind_{profile.kind.value}", language),
        purpose=single_line(profile.purpose),
        abilities=tuple(map(single_line, profile.abilities[:_MOST_ABILITIES])),
        takes_work=takes_work,
        hours=_hours(profile.availability, language),
        marks=tuple(wording(f"goal_pages.{mark}", language) for mark, holds in marks.items() if holds),
    )


def _hours(given: Availability, language: Language) -> str:
    """Say when a bot takes work; "" for always."""
    if not given.enabled:
        return wording("web_goals.bot_off", language)
    comma = wording("web_goals.and", language)
    parts = []
    if tuple(given.days) != EVERY_DAY:
        days = comma.join(wording(f"web_goals.day_{day}", language) for day in given.days)
        parts.append(days)
    parts += [f"{each.start:%H:%M}–{each.end:%H:%M}" for each in given.hours]
    if given.since is not None:
        parts.append(wording("web_goals.bot_since", language, when=f"{given.since:%Y-%m-%d %H:%M}"))
    if given.until is not None:
        parts.append(wording("web_goals.bot_until", language, when=f"{given.until:%Y-%m-%d %H:%M}"))
    return comma.join(parts)


def _fitting(found: Found, catalog: Catalog, language: Language) -> Fitting:
    comma = wording("web_goals.and", language)
    return Fitting(
        proposed=_proposed(found, catalog, language),
        candidates=tuple(
            (
                _named(each.profile.id, catalog),
                comma.join(reason_text(reason, language) for reason in each.reasons),
            )
            for each in found.candidates
        ),
        excluded=tuple((_named(each.bot_id, catalog), bar_text(each.bar, language)) for each in found.excluded[:MOST]),
    )


def _proposed(found: Found, catalog: Catalog, language: Language) -> str:
    proposal, comma = found.proposal, wording("web_goals.and", language)
    if proposal.formation is not None:
        bots = comma.join(_named(each, catalog) for each in proposal.formation.bot_ids)
        return wording("goal_pages.bots_proposed_group", language, bots=bots)
    if proposal.group_id:
        return wording("goal_pages.bots_proposed_group", language, bots=single_line(proposal.group_id))
    if proposal.bot_id:
        return wording("goal_pages.bots_proposed", language, bots=_named(proposal.bot_id, catalog))
    return wording("goal_pages.bots_proposed_none", language, why=wording("goal_bots.miss", language))


def _named(bot_id: str, catalog: Catalog) -> str:
    profile = catalog.find(bot_id)
    return single_line(bot_id if profile is None or profile.name == bot_id else f"{profile.name} ({bot_id})")
