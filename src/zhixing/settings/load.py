"""Reading the settings: variables over the file over the defaults, each knowing which of them it came from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.settings import faults, keys
from zhixing.settings.keys import Key, Tree
from zhixing.settings.model import Settings
from zhixing.settings.place import config_file, why
from zhixing.store.opening import sqlite_url

LARGEST_FILE = 262_144
OWN_VARIABLES = ("ZHIXING_HOME", "ZHIXING_SERVER_TOKEN")
"""Read by `place` and `access`: no settings."""
MASK = "******"


class Source(StrEnum):
    """Where a value comes from; the later of these wins."""

    DEFAULT = "default"
    FILE = "file"
    ENV = "env"


@dataclass(frozen=True, slots=True)
class Shown:
    """One setting as a person may see it: a secret is masked. `value` is None when nothing is set."""

    key: str
    value: str | float | bool | None
    source: Source


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of one home, and where each came from."""

    home: Path
    settings: Settings
    sources: Mapping[str, Source]
    """By dotted name; what is not in it is a default."""
    strangers: tuple[str, ...] = ()
    """Variables that look like settings and are none, probably mistyped."""

    @property
    def store_url(self) -> str:
        """The database address, with the default filled in."""
        return self.settings.store.url.get_secret_value() or sqlite_url(self.home / "zhixing.db")

    def source(self, name: str) -> Source:
        """Return where the value of a dotted name comes from."""
        return self.sources.get(name, Source.DEFAULT)

    def shown(self) -> tuple[Shown, ...]:
        """Return every setting in the order of the model, for `config show`."""
        values = dict(keys.leaves(self.settings.model_dump()))
        values[("store", "url")] = SecretStr(self.store_url)
        rows = [
            Shown(".".join(path), _visible(key, value), self.source(".".join(path)))
            for key in keys.every()
            for path, value in values.items()
            if key.matches(path)
        ]
        channels = list(self.settings.channels)
        return tuple(sorted(rows, key=lambda row: _rank(row.key, channels)))


def _rank(name: str, channels: list[str]) -> tuple[int, int]:
    """Keep the settings of one channel together; everything else stays in the order of the model."""
    path = tuple(name.split("."))
    order = [key.path[0] for key in keys.every()]
    return order.index(path[0]), channels.index(path[1]) if path[0] == "channels" else 0


def _visible(key: Key, value: object) -> str | float | bool | None:
    text = value.get_secret_value() if isinstance(value, SecretStr) else value
    if text == "" or text is None:
        return None
    if not key.is_secret:
        assert isinstance(text, str | int | float | bool)  # noqa: S101 - the model has no other leaves
        return text
    if key.path[-1] != "url":
        return MASK
    scheme, found, _ = str(text).partition("://")
    if key.path[0] == "channels" and found and not scheme.lower().startswith("http"):
        # Where an address of Apprise has a host, others have the key.
        return f"{scheme}://{MASK}"
    return _masked_address(str(text))


def _masked_address(url: str) -> str:
    """Keep what tells one address from another, and drop what opens it: password, path and query."""
    if url.startswith("sqlite:"):
        return url
    try:
        parts = urlsplit(url)
    except ValueError:  # only a database's driver knows whether it likes this
        return MASK
    host = parts.netloc.rpartition("@")[2]
    user = f"{parts.username}:{MASK}@" if parts.username else ""
    database = not parts.scheme.startswith("http")
    rest = parts.path if database else "/" + MASK if parts.path.strip("/") or parts.query else ""
    return f"{parts.scheme}://{user}{host}{rest}" + (f"?{MASK}" if database and parts.query else "")


def load(home: Path, env: Mapping[str, str]) -> Configuration:
    """Read the settings of `home`; raise `BadInput` naming the file and line, or the variable, that is wrong.

    A home without `config.toml`, or one that does not exist yet, has the defaults. An empty variable sets nothing.
    Nothing is written.
    """
    file = config_file(home)
    text = read_text(file)
    tree = parse(file, text)
    check(tree, faults.InFile(file, text))
    sources = {".".join(path): Source.FILE for path, _ in keys.leaves(tree)}
    strangers = []
    variables: dict[keys.Path, faults.Where] = {}
    for variable, value in sorted(env.items()):
        if not variable.startswith(keys.PREFIX) or variable in OWN_VARIABLES or not value.strip():
            continue
        path = keys.from_variable(variable)
        if path is None:
            strangers.append(variable)
            continue
        variables[path] = faults.InVariable(variable)
        keys.plant(tree, path, read_value(path, value, variables[path]))
        sources[".".join(path)] = Source.ENV
    settings = check(tree, faults.Laid(variables, faults.InFile(file, text)))
    return Configuration(home, settings, sources, tuple(strangers))


def read_text(file: Path) -> str:
    """Return what is in the settings file, "" when there is none."""
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise Unavailable("settings_unreadable", file=file, why=why(error)) from error
    if len(data) > LARGEST_FILE:
        raise BadInput("settings_too_large", file=file, limit=LARGEST_FILE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput("settings_not_utf8", file=file, line=line) from error


def parse(file: Path, text: str) -> Tree:
    """Read TOML; a mistake is told with its line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else max(1, len(text.splitlines()))
        raise BadInput("settings_broken", file=file, line=line) from error
    except RecursionError as error:
        raise BadInput("settings_broken", file=file, line=1) from error


def check(tree: Tree, where: faults.Where) -> Settings:
    """Turn a tree of tables into settings, or raise the first thing that is wrong with it."""
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        raise faults.explain(error, where) from error


def read_value(path: keys.Path, text: str, where: faults.Where) -> object:
    """Turn a text into the value of the setting at `path`, which exists."""
    key = keys.find(path)
    if key is None:
        raise faults.unknown(path, where)
    try:
        return key.read(text)
    except ValidationError as error:
        raise faults.explain(error, where, path) from error
