"""What is known of a bot, and the catalog of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType

from zhixing.kernel.errors import BadInput, NotFound, TooLarge
from zhixing.kernel.moments import zone
from zhixing.world.devices.names import quoted

MOST_PROFILES = 500
HOME_ZONE = "Asia/Shanghai"
EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)
DEFAULT_SECONDS = 600
"""How long one answer of a bot may take (taskloop §4.12)."""


class BotKind(StrEnum):
    """How a bot is reached."""

    MODEL = "model"
    COMMAND = "command"
    HTTP = "http"
    A2A = "a2a"
    SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model with instructions of its own; `model` is empty for the one that is configured."""

    instructions: str = ""
    model: str = ""
    seconds: int = DEFAULT_SECONDS


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """A local program: its arguments as they are, without a shell, and the folder it runs in."""

    command: tuple[str, ...]
    folder: str = ""
    seconds: int = DEFAULT_SECONDS


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """An address that takes the text of a leaf; `secret` names what is sent to prove who asks, empty for nothing."""

    url: str
    secret: str = ""
    seconds: int = DEFAULT_SECONDS


@dataclass(frozen=True, slots=True)
class A2aSettings:
    """An agent that speaks A2A: the address of its card, and the name of the secret it wants."""

    card: str
    secret: str = ""
    seconds: int = DEFAULT_SECONDS


@dataclass(frozen=True, slots=True)
class Line:
    """What a scripted bot replies to a text that holds `when`; an empty `when` fits every text."""

    reply: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class ScriptedSettings:
    """A bot that reads its replies off a list: the first line that fits."""

    lines: tuple[Line, ...]


Settings = ModelSettings | CommandSettings | HttpSettings | A2aSettings | ScriptedSettings


@dataclass(frozen=True, slots=True)
class Hours:
    """A part of the day, on the clock of the bot; one that ends before it begins ends the next day."""

    start: time
    end: time


@dataclass(frozen=True, slots=True)
class Availability:
    """When a bot takes work. Without hours all day; Monday is 1; `since` and `until` have offsets, `until` is out."""

    enabled: bool = True
    hours: tuple[Hours, ...] = ()
    days: tuple[int, ...] = EVERY_DAY
    zone: str = HOME_ZONE
    since: datetime | None = None
    until: datetime | None = None

    def at(self, instant: datetime) -> bool:
        """Whether the bot takes work at an instant, which has an offset."""
        if not self.enabled or (self.since is not None and instant < self.since):
            return False
        if self.until is not None and instant >= self.until:
            return False
        local = instant.astimezone(zone(self.zone))
        if not self.hours:
            return local.isoweekday() in self.days
        return any(self._within(local, each) for each in self.hours)

    def _within(self, local: datetime, hours: Hours) -> bool:
        """Whether a local time lies in a part of the day; what began yesterday belongs to yesterday's weekday."""
        now, today = local.time(), local.isoweekday() in self.days
        if hours.start < hours.end:
            return today and hours.start <= now < hours.end
        yesterday = (local.date() - timedelta(days=1)).isoweekday() in self.days
        return (today and now >= hours.start) or (yesterday and now < hours.end)


@dataclass(frozen=True, slots=True)
class Profile:
    """A bot: its id, what people call it, what it can do, what it is for, and whether it takes relays (§4.9)."""

    id: str
    name: str
    settings: Settings
    abilities: tuple[str, ...] = ()
    purpose: str = ""
    availability: Availability = field(default_factory=Availability)
    relay: bool = False

    @property
    def kind(self) -> BotKind:
        """How the bot is reached."""
        return KIND_OF[type(self.settings)]

    @property
    def seconds(self) -> float:
        """How long one of its answers may take."""
        return DEFAULT_SECONDS if isinstance(self.settings, ScriptedSettings) else self.settings.seconds

    @property
    def is_repeatable(self) -> bool:
        """Whether asking it changes nothing outside, so that what was cut off may be asked again."""
        return self.kind in _REPEATABLE


_REPEATABLE = frozenset({BotKind.MODEL, BotKind.SCRIPTED})


KIND_OF: Mapping[type[Settings], BotKind] = MappingProxyType(
    {
        ModelSettings: BotKind.MODEL,
        CommandSettings: BotKind.COMMAND,
        HttpSettings: BotKind.HTTP,
        A2aSettings: BotKind.A2A,
        ScriptedSettings: BotKind.SCRIPTED,
    }
)


class Catalog:
    """All bots, in the order in which they were written; raises `BadInput` for an id that comes twice."""

    def __init__(self, profiles: tuple[Profile, ...] = ()) -> None:
        if len(profiles) > MOST_PROFILES:
            raise TooLarge("bot_catalog_large", limit=MOST_PROFILES)
        self._by_id: dict[str, Profile] = {}
        for each in profiles:
            if each.id in self._by_id:
                raise BadInput("bot_id_twice", id=each.id)
            self._by_id[each.id] = each

    def __iter__(self) -> Iterator[Profile]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, bot_id: object) -> bool:
        return bot_id in self._by_id

    def find(self, bot_id: str) -> Profile | None:
        """Return the bot with an id, None when there is none."""
        return self._by_id.get(bot_id)

    def get(self, bot_id: str) -> Profile:
        """Return the bot with an id; raises `NotFound` that names the nearest ones."""
        found = self._by_id.get(bot_id)
        if found is None:
            near = get_close_matches(bot_id[:64], list(self._by_id), n=3, cutoff=0.5) or list(self._by_id)[:8]
            raise NotFound("bot_unknown", id=quoted(bot_id), known="、".join(near) or "-")
        return found

    def named(self, name: str) -> Profile | None:
        """Return the only bot that is called so, None when there is none or several."""
        found = [each for each in self if each.name == name]
        return found[0] if len(found) == 1 else None

    def available(self, instant: datetime) -> tuple[Profile, ...]:
        """Return the bots that take work at an instant."""
        return tuple(each for each in self if each.availability.at(instant))
