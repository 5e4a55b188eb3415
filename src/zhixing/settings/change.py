"""Changing one setting in the file: checked first, written whole, comments kept."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Item

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.settings import faults, keys
from zhixing.settings.load import check, parse, read_text, read_value
from zhixing.settings.place import config_file, make_home, one_writer, why, write_whole


def put(home: Path, name: str, text: str) -> None:
    """Set the setting of a dotted name in the home's file, or take it out when `text` is empty.

    An empty text also takes out a whole group, such as `channels.phone`. Raises `BadInput` when there is no such
    setting, the value is wrong, or the file is; then the file is as it was.
    """
    path = tuple(part.strip() for part in name.split("."))
    if text:
        value = read_value(path, text, faults.OnCommandLine())
    elif keys.find(path) is None and not keys.is_group(path):
        raise faults.unknown(path, faults.OnCommandLine())
    make_home(home)
    file = config_file(home)
    try:
        with one_writer(home):
            before = read_text(file)
            parse(file, before)
            after = _with(before, path, value) if text else _without(before, path)
            check(parse(file, after), faults.Laid({path: faults.OnCommandLine()}, faults.InFile(file, before)))
            if after != before:
                # It may hold the keys of channels and models.
                write_whole(file, after, mode=0o600)
    except OSError as error:
        raise Unavailable("settings_not_written", file=file, why=why(error)) from error


def _with(before: str, path: keys.Path, value: object) -> str:
    document = tomlkit.parse(before)
    table: Any = document
    for part in path[:-1]:
        if part not in table:
            # A table that only holds tables needs no header of its own.
            table[part] = tomlkit.table(is_super_table=part in ("channels", "prices", "cameras", "facts", "devices"))
        table = table[part]
        if not isinstance(table, Mapping):
            raise BadInput("setting_is_group", place=faults.OnCommandLine().place(path), name=part)
    table[path[-1]] = value
    return _written(document, path, value)


def _without(before: str, path: keys.Path) -> str:
    document = tomlkit.parse(before)
    if not keys.is_in(document, path):
        return before
    table: Any = document
    for part in path[:-1]:
        table = table[part]
    del table[path[-1]]
    return _written(document, path, None)


def _written(document: tomlkit.TOMLDocument, path: keys.Path, value: object) -> str:
    """Write the document, and make sure that a plain reader finds in it what was put there."""
    text = tomlkit.dumps(document)
    found: Any = tomllib.loads(text)
    for part in path:
        found = found.get(part) if isinstance(found, dict) else None
    expected = value.unwrap() if isinstance(value, Item) else value
    if found != expected:
        raise RuntimeError(f"tomlkit wrote {found!r} at {path!r} instead of what it was given")
    return text
