"""goal bots, goal token: who does goals, who fits a text, and who may speak for itself over HTTP."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.goal_pages import moment
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.cli.pages import INDENT, NOTHING
from zhixing.faces.cli.usage import Usage
from zhixing.faces.goal_bots import found_for, of_bots, of_found
from zhixing.goals.bots.profiles import Catalog, Profile
from zhixing.goals.bots.ranking import reason_text
from zhixing.goals.bots.searching import Found, bar_text
from zhixing.goals.keeping.texts import single_line
from zhixing.kernel.moments import from_micros, iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.settings.bots_file import BotsFile

For = Annotated[str | None, Parameter(name="--for")]
Revoke = Annotated[bool, Parameter(name="--revoke", negative=())]
BotName = Annotated[str | None, Parameter(name="BOT")]


def bots(*, wanted: For = None, as_json: Json = False, desk: AtDesk) -> None:
    """List the bots; with a text, who would do it and why."""
    with house(desk) as home:
        room, now = home.app.goals, desk.clock.now()
        if wanted is not None:
            home.check_length(wanted)
            found = found_for(home.app, wanted)
            desk.answer(of_found(found), list(_found_lines(found, room.catalog)), as_json=as_json)
            return
        if as_json:
            desk.give(of_bots(home.app))
            return
        catalog, fault = room.catalog, room.terms.fault()
        with_token = {each.bot_id for each in room.tokens.listed()}
        if fault is not None:
            desk.say(wording("goal_pages.bots_fault", fault=fault))
        desk.lay_out([_row(each, with_token, room.owner, takes=each.availability.at(now)) for each in catalog])
        if not len(catalog):
            desk.say(wording("goal_pages.bots_none", file=_file(home)))


def token(bot: BotName = None, /, *, revoke: Revoke = False, as_json: Json = False, desk: AtDesk) -> None:
    """Give a bot a token for the HTTP API, or take it away; without a bot, list those that have one."""
    if bot is None and revoke:
        raise Usage("usage_goal_token")
    with house(desk) as home:
        room, zone = home.app.goals, find_zone(home.app.zone.name)
        if bot is None:
            issued = room.tokens.listed()
            if as_json:
                shapes = [
                    {"bot_id": each.bot_id, "issued_at": iso(from_micros(each.issued_at * 1000), zone)}
                    for each in issued
                ]
                desk.give({"tokens": shapes})
                return
            since = [wording("goal_pages.token_row_since", when=moment(each.issued_at, zone)) for each in issued]
            desk.lay_out([[single_line(each.bot_id), when] for each, when in zip(issued, since, strict=True)])
            if not issued:
                desk.say(wording("goal_pages.token_none"))
        elif revoke:
            room.tokens.revoke(bot)
            desk.answer({"bot_id": bot, "token": None}, [_of_bot("token_revoked", bot)], as_json=as_json)
        else:
            # A mistyped name would be a token for nobody.
            known = room.catalog.get(bot).id if len(room.catalog) else bot
            had = any(each.bot_id == known for each in room.tokens.listed())
            new = room.tokens.issue(known)
            lines = [wording("goal_pages.token_new", bot=known, token=new)]
            desk.answer(
                {"bot_id": known, "token": new},
                [*lines, *([wording("goal_pages.token_replaced")] if had else [])],
                as_json=as_json,
            )


def _of_bot(key: str, bot: str) -> str:
    return wording(f"goal_pages.{key}", bot=single_line(bot))


def _row(profile: Profile, with_token: Collection[str], owner: str, *, takes: bool) -> list[str]:
    marks = {
        "bots_here": takes,
        "bots_away": not takes,
        "bots_owner": profile.id == owner,
        "bots_relay": profile.relay,
        "bots_token": profile.id in with_token,
    }
    return [
        single_line(profile.id),
        single_line(profile.name),
        profile.kind.value,
        "、".join(wording(f"goal_pages.{mark}") for mark, holds in marks.items() if holds),
        single_line("、".join(profile.abilities)) or NOTHING,
    ]


def _found_lines(found: Found, catalog: Catalog) -> Iterator[str]:
    yield wording("goal_pages.bots_for")
    yield INDENT + _proposed(found, catalog)
    for each in found.candidates:
        yield INDENT + wording(
            "goal_pages.bots_scored", bot=_named(each.profile.id, catalog), score=f"{each.score:.2f}"
        )
        for reason in each.reasons:
            points = f"{reason.points:.2f}"
            yield INDENT * 2 + wording("goal_pages.bots_why", words=reason_text(reason), points=points)
    for one in found.excluded:
        yield INDENT + wording("goal_pages.bots_barred", bot=_named(one.bot_id, catalog), why=bar_text(one.bar))
    if found.relays:
        yield wording("goal_pages.bots_relays", bots=_all(found.relays, catalog))


def _proposed(found: Found, catalog: Catalog) -> str:
    proposal = found.proposal
    if proposal.formation is not None:
        return wording("goal_pages.bots_proposed_group", bots=_all(proposal.formation.bot_ids, catalog))
    if proposal.group_id:
        return wording("goal_pages.bots_proposed_group", bots=single_line(proposal.group_id))
    if proposal.bot_id:
        return wording("goal_pages.bots_proposed", bots=_named(proposal.bot_id, catalog))
    why = wording("goal_bots.miss") if proposal.reason == "no_candidates" else single_line(proposal.reason)
    return wording("goal_pages.bots_proposed_none", why=why)


def _all(bot_ids: Collection[str], catalog: Catalog) -> str:
    return "、".join(_named(each, catalog) for each in bot_ids)


def _named(bot_id: str, catalog: Catalog) -> str:
    profile = catalog.find(bot_id)
    return single_line(bot_id if profile is None else f"{bot_id}（{profile.name}）")


def _file(home: House) -> str:
    wanted = home.configuration.settings.goals.bots
    return str(BotsFile(wanted, home.home, home.app.zone.name).path)
