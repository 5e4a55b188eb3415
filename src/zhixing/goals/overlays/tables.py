"""Checked access to one table of a scenario file: every fault is one line with the file and, where known, the line."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.goals.contracts.shapes import LONGEST_ID
from zhixing.kernel.errors import BadInput, TooLarge

LARGEST_FILE = 200_000
"""Bytes of one file."""
LONGEST_TEXT = 4000
MOST_ITEMS = 200
"""Items of one list or table."""

_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a scenario, by its name in the folder."""

    name: str
    text: str

    def place(self, table: str = "", index: int = 0, key: str = "") -> str:
        """Return `file:line` of a key in the nth table of a name; without a line when the layout hides it."""
        lines = self.text.splitlines()
        start = 0
        if table:
            heads = [n for n, line in enumerate(lines) if line.strip() in {f"[[{table}]]", f"[{table}]"}]
            if index >= len(heads):
                return self.name
            start = heads[index]
        for number in range(start, len(lines) if key else start):
            if number > start and lines[number].lstrip().startswith("["):
                break
            if re.match(rf"\s*\"?{re.escape(key)}\"?\s*[=:]", lines[number]):
                return f"{self.name}:{number + 1}"
        return f"{self.name}:{start + 1}" if table else self.name


def parsed(source: Source) -> Table:
    """Return the whole of a file. Raises `BadInput` for what is no TOML or JSON object, `TooLarge`."""
    if len(source.text.encode()) > LARGEST_FILE:
        raise TooLarge("overlay_too_large", place=source.name, limit=LARGEST_FILE)
    try:
        value = json.loads(source.text) if source.name.endswith(".json") else tomllib.loads(source.text)
    except (ValueError, RecursionError) as fault:
        raise BadInput("overlay_unreadable", place=_place_of(source, fault)) from fault
    if not isinstance(value, dict):
        raise BadInput("overlay_unreadable", place=source.name)
    return Table(source, value)


def _place_of(source: Source, fault: Exception) -> str:
    found = _LINE.search(str(fault))
    line = fault.lineno if isinstance(fault, json.JSONDecodeError) else int(found[1]) if found else 0
    return f"{source.name}:{line}" if line else source.name


@dataclass(frozen=True, slots=True)
class Table:
    """One table: the nth of its name in its file."""

    source: Source
    values: Mapping[str, Any]
    name: str = ""
    index: int = 0

    def place(self, key: str = "") -> str:
        """Return where the table, or a key of it, stands."""
        return self.source.place(self.name, self.index, key)

    def fault(self, topic: str, at: str = "", /, **values: object) -> BadInput:
        """Return an error at a key."""
        return BadInput(f"overlay_{topic}", place=self.place(at), **values)

    def only(self, *keys: str) -> None:
        """Refuse keys that nobody reads."""
        for key in self.values:
            if key not in keys:
                raise self.fault("key_unknown", key, field=key)

    def text(self, key: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
        """Return a text, stripped; without a default it must be there and say something."""
        if key not in self.values and default is not None:
            return default
        return self._worded(key, self._there(key), longest)

    def id(self, key: str) -> str:
        """Return a name of at most 128 printable characters."""
        found = self.text(key, longest=LONGEST_ID)
        if not found.isprintable():
            raise self._kind(key, "name")
        return found

    def texts(self, key: str, *, least: int = 0) -> tuple[str, ...]:
        """Return a list of texts, each once."""
        if key not in self.values and not least:
            return ()
        given = self._list(key)
        found = tuple(self._worded(key, each, LONGEST_TEXT) for each in given)
        if len(found) < least:
            raise self.fault("key_missing", key, field=key)
        for each in found:
            if found.count(each) > 1:
                raise self.fault("twice", key, name=each)
        return found

    def choice(self, key: str, choices: Collection[str], default: str | None = None) -> str:
        """Return one of some words."""
        found = self.text(key, default)
        if found not in choices:
            raise self.fault("choice", key, field=key, choices=", ".join(choices))
        return found

    def flag(self, key: str) -> bool:
        """Return a boolean, false when it is not there."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self._kind(key, "flag")
        return value

    def mapping(self, key: str) -> Mapping[str, Any]:
        """Return a JSON object as it is."""
        value = self._there(key)
        if not isinstance(value, dict) or not value:
            raise self._kind(key, "table")
        return value

    def table(self, key: str) -> Table:
        """Return a table inside of this one."""
        return Table(self.source, self.mapping(key), self.name or key, self.index)

    def rows(self, key: str) -> Iterator[Table]:
        """Return the tables of a list."""
        if key not in self.values:
            return
        for index, value in enumerate(self._list(key)):
            if not isinstance(value, dict):
                raise self._kind(key, "tables")
            # A list inside of a table is shown at the table: its own lines do not tell which table they belong to.
            yield Table(self.source, value, self.name or key, self.index if self.name else index)

    def _there(self, key: str) -> Any:
        if key not in self.values:
            raise self.fault("key_missing", field=key)
        return self.values[key]

    def _list(self, key: str) -> list[Any]:
        value = self._there(key)
        if not isinstance(value, list):
            raise self._kind(key, "list")
        if len(value) > MOST_ITEMS:
            raise self.fault("many", key, field=key, limit=MOST_ITEMS)
        return value

    def _worded(self, key: str, value: object, longest: int) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self._kind(key, "text")
        if len(value) > longest:
            raise self.fault("long", key, field=key, limit=longest)
        return value.strip()

    def _kind(self, key: str, kind: str) -> BadInput:
        return self.fault(f"no_{kind}", key, field=key)
