"""The group of a goal whose way of working is written down (`task_type` yaml, taskloop §2.3): pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zhixing.goals.contracts.searching import MOST_BOTS
from zhixing.goals.contracts.shapes import compact
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.world.devices.names import quoted

_KINDS = {each.value: each for each in (CollabMode.CHAT, CollabMode.MANAGER_WORKER)}


def formation_of(owner: str, config: Mapping[str, Any]) -> Formation:
    """Return the group that an execution config asks for: the owner and `participant_bot_ids`.

    With `yaml` it follows that state machine, whose roles `participant_bindings` gives to bots; an owner without a role
    has no part in it. Without, `group_kind` says how it works, and the owner leads. Raises `BadInput`.
    """
    bots = tuple(dict.fromkeys([owner, *_participants(config.get("participant_bot_ids"))]))
    roles = _bindings(config.get("participant_bindings"))
    name = config.get("group_name") or ""
    if not isinstance(name, str):
        raise BadInput("goal_group_name")
    definition = _definition(config.get("yaml"))
    if definition:
        members = tuple(Member(bot, role) for role, bot in roles.items())
        playing = bots if owner in roles.values() or not roles else bots[1:]
        return Formation(playing, CollabMode.STATE_MACHINE, name, members=members, definition_yaml=definition)
    kind = config.get("group_kind") or CollabMode.MANAGER_WORKER.value
    if kind == CollabMode.STATE_MACHINE.value:
        raise BadInput("goal_group_no_yaml")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise BadInput("goal_group_kind", kind=quoted(str(kind)[:200]), known="、".join(_KINDS))
    does = {bot: "、".join(role for role, of in roles.items() if of == bot) for bot in roles.values()}
    members = tuple(Member(bot, role) for bot, role in does.items())
    manager = owner if _KINDS[kind] is CollabMode.MANAGER_WORKER else ""
    return Formation(bots, _KINDS[kind], name, manager, members)


def _participants(given: object) -> list[str]:
    if given is None:
        return []
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) and each.strip() for each in given):
        raise BadInput("goal_group_participants")
    if len(given) > MOST_BOTS:
        raise TooLarge("bot_group_large", limit=MOST_BOTS)
    return [each.strip() for each in given]


def _bindings(given: object) -> dict[str, str]:
    """Return the bots by the roles they play."""
    if given is None:
        return {}
    fits = isinstance(given, Mapping) and all(
        isinstance(role, str) and role.strip() and isinstance(bot, str) and bot.strip() for role, bot in given.items()
    )
    if not isinstance(given, Mapping) or not fits:
        raise BadInput("goal_group_bindings")
    if len(given) > MOST_BOTS:
        raise TooLarge("bot_group_large", limit=MOST_BOTS)
    return {role.strip(): bot.strip() for role, bot in given.items()}


def _definition(given: object) -> str:
    """Return the state machine as YAML, of which JSON is a part; empty when there is none."""
    match given:
        case None:
            return ""
        case str():
            return given if given.strip() else ""
        case Mapping():
            return compact(given) if given else ""
        case _:
            raise BadInput("goal_group_yaml")
