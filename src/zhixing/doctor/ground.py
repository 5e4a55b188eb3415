"""What a home stands on: Python, its folder, settings, zone, database, token and server."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from zhixing.doctor.finding import Finding, State, broken, missing, ok
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import wording
from zhixing.settings import Configuration, HomeZone, Source, check_binding, config_file, read_token, token_file
from zhixing.settings.model import Server
from zhixing.store.connection import Store
from zhixing.store.migrations import pending

OLDEST_PYTHON = (3, 11)
LEAST_FREE = 200 * 1024 * 1024
"""Bytes of disk below which a home is called full: a write-ahead log and a backup must fit."""
HEALTH = "/api/v1/health"
"""Answers without a token, with JSON whose `name` is `zhixing`."""
_PATIENCE = 2.0
_MEGABYTE = 1024 * 1024

OpenStore = Callable[[str], Store]


class Answer(StrEnum):
    """Who answers on a port."""

    OURS = "ours"
    NOBODY = "nobody"
    STRANGER = "stranger"


Ask = Callable[[str, int], Answer]


def ask_port(host: str, port: int) -> Answer:
    """Ask whoever listens on `host` and `port` whether it is us."""
    connection = http.client.HTTPConnection(host.strip("[]"), port, timeout=_PATIENCE)
    with closing(connection):
        try:
            connection.connect()
        except OSError:
            return Answer.NOBODY
        try:
            connection.request("GET", HEALTH)
            body = json.loads(connection.getresponse().read(_MEGABYTE))
        except (OSError, http.client.HTTPException, ValueError):
            return Answer.STRANGER
    return Answer.OURS if isinstance(body, dict) and body.get("name") == "zhixing" else Answer.STRANGER


def check_python(version: tuple[int, ...]) -> Iterator[Finding]:
    """Say whether Python is recent enough."""
    text = ".".join(map(str, version))
    yield ok("python", version=text) if version >= OLDEST_PYTHON else broken("python", "old", version=text)


def check_zone_data(system: Path = Path("/usr/share/zoneinfo/tzdata.zi")) -> Iterator[Finding]:
    """Say whether the time zone rules of this machine are as new as those that came with us.

    Python reads the machine's own rules when there are any.
    """
    ours = _release(metadata.version("tzdata"))
    try:
        with system.open(encoding="ascii") as opened:
            theirs = opened.readline().removeprefix("# version").strip()
    except (OSError, UnicodeDecodeError):
        yield ok("tzdata", version=ours)
        return
    if theirs < ours:
        yield missing("tzdata", "old", version=theirs, newer=ours)
    else:
        yield ok("tzdata", version=theirs)


def _release(version: str) -> str:
    """Return the name that the rules themselves have: `2026f` for the package version `2026.6`."""
    year, _, number = version.partition(".")
    return year + chr(ord("a") - 1 + int(number.split(".")[0])) if number else version


def check_home(home: Path, least_free: int = LEAST_FREE) -> Iterator[Finding]:
    """Say whether the home folder is there, can be written, and has room."""
    there = next(folder for folder in (home, *home.parents) if is_there(folder))
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield broken("home", "denied", home=home)
        return
    free = shutil.disk_usage(there).free
    if free < least_free:
        yield broken("home", "full", home=home, free=free // _MEGABYTE)
    elif there != home:
        yield missing("home", "new", home=home)
    else:
        yield ok("home", home=home, free=free // _MEGABYTE)


def is_there(path: Path) -> bool:
    """Whether something is at a path; no for what may not be looked at."""
    try:
        return path.exists()
    except OSError:  # a folder above it may not be entered, or the name is too long
        return False


def check_settings(configuration: Configuration) -> Iterator[Finding]:
    """Say whether all settings were understood, and only their owner can read the secrets among them."""
    file = config_file(configuration.home)
    secret_in_file = any(row.value == "******" and row.source is Source.FILE for row in configuration.shown())
    if configuration.strangers:
        yield missing("settings", "strangers", variables="、".join(configuration.strangers))
    elif secret_in_file and others_can_read(file):
        yield broken("settings", "open", file=file)
    elif file.exists():
        yield ok("settings", file=file)
    else:
        yield Finding("settings", State.OK, wording("doctor.settings_none", file=file))


def others_can_read(file: Path) -> bool:
    """Whether other users can read a file."""
    return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def check_zone(zone: HomeZone) -> Iterator[Finding]:
    """Say whether the home zone is known or only assumed."""
    if zone.warnings:
        yield missing("zone", "warned", zone=zone.name, warnings="".join(zone.warnings))
    else:
        yield ok("zone", zone=zone.name, source=wording(f"doctor.zone_from_{zone.source.value.lower()}"))


def check_store(url: str, open_store: OpenStore) -> Iterator[Finding]:
    """Say whether the database opens and has the schema of this program."""
    if url.startswith("sqlite:"):
        file = Path(unquote(urlsplit(url).path))
        if not is_there(file):
            # Opening would make it.
            yield missing("store", "new", file=file)
            return
    try:
        with closing(open_store(url)) as store:
            waiting = pending(store)
    except ZhixingError as error:
        yield broken("store", "shut", error=error)
        return
    if waiting:
        yield missing("store", "behind", count=len(waiting))
    else:
        yield ok("store", dialect="SQLite" if url.startswith("sqlite:") else "PostgreSQL")


def check_driver(url: str) -> Iterator[Finding]:
    """Say whether the driver for PostgreSQL is installed. Only a home that uses it needs it."""
    try:
        version = metadata.version("psycopg")
    except metadata.PackageNotFoundError:
        yield missing("psycopg", "none") if url.startswith("sqlite:") else broken("psycopg", "needed")
        return
    yield ok("psycopg", version=version)


def check_token(home: Path, env: Mapping[str, str]) -> Iterator[Finding]:
    """Say whether there is a token, and only its owner can read it."""
    file = token_file(home)
    try:
        token = read_token(home, env)
    except ZhixingError as error:
        yield broken("token", "wrong", error=error, file=file)
        return
    if token is None:
        yield missing("token", "none", file=file)
    elif file.exists() and others_can_read(file):
        yield broken("token", "open", file=file)
    else:
        yield ok("token")


def check_server(server: Server, home: Path, env: Mapping[str, str], ask: Ask) -> Iterator[Finding]:
    """Say whether the server is running; if not, whether it may and its port is free."""
    place = {"host": server.host, "port": server.port}
    answer = ask(_reached_at(server.host), server.port)
    if answer is Answer.OURS:
        yield ok("server", **place)
    elif answer is Answer.STRANGER:
        yield broken("server", "taken", **place)
    else:
        try:
            check_binding(server.host, read_token(home, env), home)
        except ZhixingError as error:
            yield broken("server", "refused", error=error)
        else:
            yield missing("server", "down", **place)


def _reached_at(host: str) -> str:
    """Return where to ask: a server that listens everywhere is asked on loopback."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host.strip("[]"), host)  # noqa: S104 - it is not bound here
