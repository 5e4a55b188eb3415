"""Who a bot is and how it is reached: the catalog, which may be read anew at any time, and the way to each bot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeGuard

from zhixing.goals.bots.profiles import Catalog, Profile
from zhixing.world.bots.port import Bot, Remote

Reach = Callable[[Profile], Bot]
"""How a bot of the catalog is reached."""
CatalogOf = Callable[[], Catalog]


@dataclass(frozen=True, slots=True)
class Contact:
    """A bot of the catalog, and the way to it."""

    profile: Profile
    bot: Bot


class Directory:
    """The bots there are. `fallback` answers questions for owners that are not among them, None for nobody."""

    def __init__(self, catalog: CatalogOf, reach: Reach, fallback: Bot | None = None) -> None:
        self.catalog = catalog
        self.fallback = fallback
        self._reach = reach

    def contact(self, bot_id: str) -> Contact | None:
        """Return the way to a bot, None when it is not in the catalog (any more)."""
        profile = self.catalog().find(bot_id)
        return None if profile is None else Contact(profile, self._reach(profile))

    def may_repeat(self, bot_id: str) -> bool:
        """Whether asking a bot again changes nothing outside; of a bot that is gone nobody knows."""
        profile = self.catalog().find(bot_id)
        return profile is not None and profile.is_repeatable


def works_elsewhere(bot: Bot) -> TypeGuard[Remote]:
    """Whether errands can be left with a bot."""
    return all(callable(getattr(bot, each, None)) for each in ("send", "whereabouts", "collect", "stop"))
