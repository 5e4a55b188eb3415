"""A group before it begins: who is in it, what each is to do, and the one who reports (taskloop §4.6)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum

from zhixing.goals.bots.definitions import Definition, read_definition
from zhixing.goals.contracts.searching import MOST_BOTS
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode
from zhixing.kernel.errors import BadInput, NotFound, TooLarge
from zhixing.kernel.wording import wording
from zhixing.world.devices.names import quoted

LONGEST_NAME = 200
LONGEST_RESPONSIBILITY = 2000
MOST_TALK = 60
"""Messages of a group that has no state machine."""


class Part(StrEnum):
    """What a member is to the group."""

    DRIVER = "driver"
    CONSULTANT = "consultant"
    MANAGER = "manager"
    WORKER = "worker"
    ACTOR = "actor"


@dataclass(frozen=True, slots=True)
class Seat:
    """One member. An actor plays the role of a state machine, and may have a seat for each of several roles."""

    bot_id: str
    part: Part
    role: str = ""
    responsibility: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A group that can work: one member reports, everybody else only speaks."""

    mode: CollabMode
    name: str
    reporter: str
    seats: tuple[Seat, ...]
    most_turns: int = MOST_TALK
    definition: Definition | None = None

    @property
    def others(self) -> tuple[str, ...]:
        """Everybody but the reporter, in order."""
        return tuple(dict.fromkeys(each.bot_id for each in self.seats if each.bot_id != self.reporter))

    def seat(self, bot_id: str) -> Seat:
        """Return the first seat of a member."""
        return next(each for each in self.seats if each.bot_id == bot_id)


def form_group(formation: Formation, known: Container[str]) -> Group:
    """Return the group of a formation; raises `BadInput` for the first thing wrong. `known` are all bots there are.

    The reporter is the manager, or the first bot where there is none; a group under a manager that is not named is
    managed by its first bot.
    """
    bots = _bots(formation.bot_ids, known)
    managed = formation.collab_mode is CollabMode.MANAGER_WORKER
    if formation.manager_bot_id and not managed:
        raise BadInput("bot_group_manager_stray", mode=formation.collab_mode.value)
    if formation.manager_bot_id and formation.manager_bot_id not in bots:
        raise BadInput("bot_group_manager_outside", id=quoted(formation.manager_bot_id))
    members = _members(formation.members, bots)
    name = _text(formation.group_name, "group_name", LONGEST_NAME) or wording("goal_bots.group")
    reporter = formation.manager_bot_id or bots[0]
    if formation.collab_mode is CollabMode.STATE_MACHINE:
        return _machine(formation, name, reporter, members)
    if formation.definition_yaml.strip():
        raise BadInput("bot_group_definition_stray", mode=formation.collab_mode.value)
    if len(bots) == 1:
        raise BadInput("bot_group_alone")
    lead, rest = (Part.MANAGER, Part.WORKER) if managed else (Part.DRIVER, Part.CONSULTANT)
    told = {each.bot_id: each for each in members}
    if len(told) < len(members):
        twice = next(each.bot_id for n, each in enumerate(members) if each.bot_id in {m.bot_id for m in members[:n]})
        raise BadInput("bot_group_member_twice", id=twice)
    ordered = [reporter, *(each for each in bots if each != reporter)]
    seats = tuple(_seat(told.get(each, Member(each)), lead if each == reporter else rest) for each in ordered)
    return Group(formation.collab_mode, name, reporter, seats)


def _seat(member: Member, part: Part) -> Seat:
    return Seat(member.bot_id, part, member.role, member.responsibility)


def _bots(given: Sequence[str], known: Container[str]) -> tuple[str, ...]:
    if not given:
        raise BadInput("bot_group_empty")
    if len(given) > MOST_BOTS:
        raise TooLarge("bot_group_large", limit=MOST_BOTS)
    for at, each in enumerate(given):
        if each in given[:at]:
            raise BadInput("bot_group_member_twice", id=quoted(each))
        if each not in known:
            raise NotFound("bot_group_unknown", id=quoted(each))
    return tuple(given)


def _members(given: Sequence[Member], bots: Sequence[str]) -> tuple[Member, ...]:
    """Return what the members are to do; a bot that is named here belongs to the group."""
    if len(given) > MOST_BOTS:
        raise TooLarge("bot_group_large", limit=MOST_BOTS)
    for each in given:
        if each.bot_id not in bots:
            raise BadInput("bot_group_member_outside", id=quoted(each.bot_id))
    return tuple(
        Member(
            each.bot_id,
            _text(each.role, "role", LONGEST_NAME),
            _text(each.responsibility, "responsibility", LONGEST_RESPONSIBILITY),
        )
        for each in given
    )


def _text(given: str, name: str, limit: int) -> str:
    text = " ".join(given.split())
    if len(text) > limit or not text.isprintable():
        raise BadInput("bot_group_text", name=name, limit=limit)
    return text


def _machine(formation: Formation, name: str, reporter: str, members: Sequence[Member]) -> Group:
    """Return a group that follows a state machine: each role is bound to one bot, and each bot has a role."""
    if not formation.definition_yaml.strip():
        raise BadInput("bot_group_no_definition")
    definition = read_definition(formation.definition_yaml)
    roles = {each.name: each for each in definition.roles}
    bound: dict[str, Seat] = {}
    for each in members:
        if each.role not in roles:
            known = "、".join(roles)
            raise BadInput("bot_group_role_unknown", id=each.bot_id, role=quoted(each.role), known=known)
        if each.role in bound:
            raise BadInput("bot_group_role_twice", role=each.role)
        does = each.responsibility or roles[each.role].responsibility
        bound[each.role] = Seat(each.bot_id, Part.ACTOR, each.role, does)
    for role in roles:
        if role not in bound:
            raise BadInput("bot_group_role_unbound", role=role)
    seated = {each.bot_id for each in bound.values()}
    for bot in formation.bot_ids:
        if bot not in seated:
            raise BadInput("bot_group_idle", id=bot)
    seats = tuple(bound[role] for role in roles)
    return Group(formation.collab_mode, name, reporter, seats, definition.most_turns, definition)
