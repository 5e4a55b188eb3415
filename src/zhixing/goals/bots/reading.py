"""Profiles as people write them: a table a bot under `bots`, its settings in a table named like its kind.

    [[bots]]
    id = "market"
    name = "市场分析员"
    kind = "http"
    abilities = ["市场分析", "需求预测"]
    purpose = "看一个行业要多少货、谁在买"
    relay = true
    http = { url = "https://bots.example.com/market", secret = "market_key" }
    available = { hours = ["09:00-18:00"], days = [1, 2, 3, 4, 5], zone = "Asia/Shanghai" }

A secret is only named: its value is kept elsewhere and stands in no profile.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, time
from urllib.parse import urlsplit

from zhixing.goals.bots.profiles import (
    DEFAULT_SECONDS,
    EVERY_DAY,
    HOME_ZONE,
    MOST_PROFILES,
    A2aSettings,
    Availability,
    BotKind,
    Catalog,
    CommandSettings,
    Hours,
    HttpSettings,
    Line,
    ModelSettings,
    Profile,
    ScriptedSettings,
    Settings,
)
from zhixing.goals.bots.tables import Fields, Form, one_line, read_text, whole
from zhixing.goals.contracts.shapes import LONGEST_ID
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant, zone
from zhixing.kernel.wording import wording
from zhixing.world.devices.names import quoted

LONGEST_NAME = 60
MOST_ABILITIES = 30
LONGEST_ABILITY = 40
LONGEST_PURPOSE = 1000
LONGEST_INSTRUCTIONS = 8000
LONGEST_URL = 2000
MOST_ARGUMENTS = 64
LONGEST_ARGUMENT = 1000
MOST_LINES = 200
LONGEST_REPLY = 20_000
MOST_SECONDS = 3600
MOST_HOURS = 10

_PROFILE = ("id", "name", "kind", "abilities", "purpose", "relay", "available", *(each.value for each in BotKind))
_AVAILABLE = ("enabled", "hours", "days", "zone", "since", "until")
_HOURS = re.compile(r"(\d{1,2}):(\d{2})\s*[-–~至到]\s*(\d{1,2}):(\d{2})")
_SECRET = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


def read_catalog(text: str, form: Form, home_zone: str = HOME_ZONE) -> Catalog:
    """Return the bots of a text; raises `BadInput` for the first thing wrong."""
    fields = Fields(read_text(text, form), wording("goal_bots.where_file"), ("bots",))
    fields.value("bots")
    return Catalog(
        tuple(read_profile(each, n, home_zone) for n, each in enumerate(fields.items("bots", MOST_PROFILES), 1))
    )


def read_profile(given: object, number: int = 1, home_zone: str = HOME_ZONE) -> Profile:
    """Return the bot of one table, the `number`th; bots without a zone live in `home_zone`."""
    named = given.get("id") if isinstance(given, Mapping) else None
    known = isinstance(named, str) and named.strip()
    where = wording("goal_bots.where_bot", id=quoted(str(named))) if known else wording("goal_bots.where_nth", n=number)
    fields = Fields(given, where, _PROFILE)
    bot_id = fields.text("id", LONGEST_ID)
    if any(each.isspace() for each in bot_id):
        raise BadInput("bot_id_blank", where=where)
    return Profile(
        bot_id,
        fields.text("name", LONGEST_NAME),
        _settings(fields, fields.choice("kind", BotKind)),
        fields.texts("abilities", MOST_ABILITIES, LONGEST_ABILITY),
        fields.prose("purpose", LONGEST_PURPOSE),
        _availability(fields, home_zone),
        fields.truth("relay", default=False),
    )


def _settings(profile: Fields, kind: BotKind) -> Settings:
    """Return the settings of a bot, which stand under the name of its kind; those of other kinds are refused."""
    for other in BotKind:
        if other is not kind and profile.has(other.value):
            raise BadInput("bot_settings_stray", where=profile.where, name=other.value, kind=kind.value)
    given = profile.value(kind.value) if profile.has(kind.value) else {}
    where = f"{profile.where} {kind.value}"
    match kind:
        case BotKind.MODEL:
            fields = Fields(given, where, ("instructions", "model", "seconds"))
            asked = fields.prose("instructions", LONGEST_INSTRUCTIONS)
            return ModelSettings(asked, fields.text("model", 200, ""), _seconds(fields))
        case BotKind.COMMAND:
            fields = Fields(given, where, ("command", "folder", "seconds"))
            return CommandSettings(_command(fields), fields.text("folder", 1000, ""), _seconds(fields))
        case BotKind.HTTP:
            fields = Fields(given, where, ("url", "secret", "seconds"))
            return HttpSettings(_address(fields, "url"), _secret(fields), _seconds(fields))
        case BotKind.A2A:
            fields = Fields(given, where, ("card", "secret", "seconds"))
            return A2aSettings(_address(fields, "card"), _secret(fields), _seconds(fields))
        case BotKind.SCRIPTED:
            fields = Fields(given, where, ("lines",))
            return ScriptedSettings(_lines(fields))


def _seconds(fields: Fields) -> int:
    return fields.whole("seconds", 1, MOST_SECONDS, DEFAULT_SECONDS)


def _command(fields: Fields) -> tuple[str, ...]:
    fields.value("command")
    given = fields.items("command", MOST_ARGUMENTS)
    if not given:
        raise BadInput("bot_command_empty", where=fields.where)
    return tuple(one_line(each, fields.where, "command", LONGEST_ARGUMENT) for each in given)


def _address(fields: Fields, name: str) -> str:
    url = fields.text(name, LONGEST_URL)
    try:
        parts = urlsplit(url)
        fits = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits or re.search(r"[\s\\<>\"]", url):
        raise BadInput("bot_address", where=fields.where, name=name)
    if parts.username is not None or parts.password is not None:
        raise BadInput("bot_address_secret", where=fields.where, name=name)
    return url


def _secret(fields: Fields) -> str:
    name = fields.text("secret", LONGEST_URL, "")
    if name and not _SECRET.fullmatch(name):
        # What does not look like a name may be the secret itself, which no message repeats.
        raise BadInput("bot_secret_name", where=fields.where)
    return name


def _lines(fields: Fields) -> tuple[Line, ...]:
    fields.value("lines")
    given = fields.items("lines", MOST_LINES)
    if not given:
        raise BadInput("bot_lines_empty", where=fields.where)
    return tuple(_line(each, f"{fields.where} lines[{n}]") for n, each in enumerate(given, 1))


def _line(given: object, where: str) -> Line:
    fields = Fields(given, where, ("when", "reply"))
    fields.value("reply")
    return Line(fields.prose("reply", LONGEST_REPLY), fields.text("when", 200, ""))


def _availability(profile: Fields, home_zone: str) -> Availability:
    if not profile.has("available"):
        return Availability(zone=home_zone)
    where = f"{profile.where} available"
    fields = Fields(profile.value("available"), where, _AVAILABLE)
    name = fields.text("zone", 64, home_zone)
    zone(name)
    days = tuple(whole(each, where, "days", 1, 7) for each in fields.items("days", 7))
    since, until = _instant(fields, "since"), _instant(fields, "until")
    if since is not None and until is not None and since >= until:
        raise BadInput("bot_never", where=where)
    return Availability(
        fields.truth("enabled", default=True),
        tuple(_hours(each, where) for each in fields.texts("hours", MOST_HOURS, 20)),
        tuple(sorted(set(days))) or EVERY_DAY,
        name,
        since,
        until,
    )


def _hours(text: str, where: str) -> Hours:
    read = _HOURS.fullmatch(text)
    if read is not None:
        first, last = (int(read[1]), int(read[2])), (int(read[3]), int(read[4]))
        # 24:00 is how people write the end of a day; the clock calls it 00:00 of the next.
        last = (0, 0) if last == (24, 0) else last
        if first != last and max(first[0], last[0]) < 24 and max(first[1], last[1]) < 60:
            return Hours(time(*first), time(*last))
    raise BadInput("bot_hours", where=where, text=quoted(text))


def _instant(fields: Fields, name: str) -> datetime | None:
    if not fields.has(name):
        return None
    given = fields.value(name)
    # TOML has instants of its own.
    return parse_instant(given.isoformat() if isinstance(given, datetime) else fields.text(name, 64))
