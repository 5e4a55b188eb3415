"""The home zone: set, else `TZ`, else what the machine is set to, else Asia/Shanghai with a warning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone
from zhixing.kernel.wording import wording

FALLBACK = "Asia/Shanghai"
LOCALTIME = Path("/etc/localtime")
TIMEZONE = Path("/etc/timezone")
_MOST_LINKS = 8
_IN_ZONEINFO = re.compile(r"(?:^|/)zoneinfo[^/]*/(?:posix/|right/)?(.+)$")
_NO_PLACES = ("localtime", "posixrules", "Factory")


class ZoneSource(StrEnum):
    """What the home zone was read from."""

    CONFIG = "config"
    TZ = "TZ"
    LOCALTIME = "localtime"
    TIMEZONE = "timezone"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class HomeZone:
    """The zone in which a household's words about time are read."""

    name: str
    source: ZoneSource
    warnings: tuple[str, ...] = ()
    """Lines for the user: what was there and could not be used."""


def home_zone(
    configured: str, env: Mapping[str, str], localtime: Path = LOCALTIME, timezone: Path = TIMEZONE
) -> HomeZone:
    """Find the home zone.

    `TZ` may begin with a colon and may be a path into a zoneinfo folder. A POSIX rule such as `CST-8` names no place,
    so it says nothing about summer time: it is passed over with a warning.
    """
    if configured:
        return HomeZone(configured, ZoneSource.CONFIG)
    warnings: tuple[str, ...] = ()
    written = env.get("TZ", "").strip()
    if written:
        found = _from_tz(written, localtime)
        if found is not None:
            return HomeZone(found, ZoneSource.TZ)
        warnings = (wording("settings.zone_tz_ignored", tz=written[:64]),)
    found = _from_link(localtime)
    if found is not None:
        return HomeZone(found, ZoneSource.LOCALTIME, warnings)
    found = _from_text(timezone)
    if found is not None:
        return HomeZone(found, ZoneSource.TIMEZONE, warnings)
    return HomeZone(FALLBACK, ZoneSource.FALLBACK, (*warnings, wording("settings.zone_fallback", zone=FALLBACK)))


def _from_tz(written: str, localtime: Path) -> str | None:
    name = written.removeprefix(":")
    if not name.startswith("/"):
        return _from_link(localtime) if name == "localtime" else _place(name)
    inside = _IN_ZONEINFO.search(name)
    return _place(inside[1]) if inside else _from_link(Path(name))


def _from_link(link: Path) -> str | None:
    """Follow links one by one: the first that leads into a zoneinfo folder has the name the owner chose."""
    for _ in range(_MOST_LINKS):
        try:
            target = link.readlink()
        except OSError:
            return None
        inside = _IN_ZONEINFO.search(str(target))
        if inside:
            return _place(inside[1])
        link = link.parent / target
    return None


def _from_text(file: Path) -> str | None:
    try:
        lines = file.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return None
    return _place(lines[0]) if lines else None


def _place(name: str) -> str | None:
    if name in _NO_PLACES:
        return None
    try:
        zone(name)
    except BadInput:
        return None
    return name
