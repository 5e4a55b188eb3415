"""The dotted names of the settings, read off the model: `server.port`, `channels.*.url`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, SecretStr, TypeAdapter
from pydantic.fields import FieldInfo

from zhixing.settings.model import Settings

ANY_NAME = "*"
"""Stands in a key for a name that the owner chooses."""
PREFIX = "ZHIXING_"

Path = tuple[str, ...]
Tree = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: where it stands and what it may be."""

    path: Path
    field: FieldInfo
    group: type[BaseModel]

    @property
    def name(self) -> str:
        """The dotted name."""
        return ".".join(self.path)

    @property
    def variable(self) -> str:
        """The environment variable that overrides it; `*` stands for the chosen name in capitals."""
        return PREFIX + "_".join(self.path).upper()

    @property
    def is_secret(self) -> bool:
        """Whether its value is never shown in full."""
        return self.field.annotation is SecretStr

    def read(self, text: str) -> object:
        """Turn a text from a variable or a command line into a value; raise pydantic's `ValidationError`."""
        kind: Any = Annotated[self.field.annotation, self.field, *self.field.metadata]
        value = TypeAdapter(kind).validate_strings(text, strict=False)
        return value.get_secret_value() if isinstance(value, SecretStr) else value

    def matches(self, path: Path) -> bool:
        """Whether `path`, with real names, is one of this key."""
        return len(path) == len(self.path) and all(
            mine in (ANY_NAME, theirs) for mine, theirs in zip(self.path, path, strict=True)
        )


@cache
def every() -> tuple[Key, ...]:
    """Return every setting, in the order of the model."""
    return tuple(_walk(Settings, ()))


def _walk(group: type[BaseModel], path: Path) -> Iterator[Key]:
    for name, field in group.model_fields.items():
        kind = field.annotation
        if get_origin(kind) is dict:
            yield from _walk(get_args(kind)[1], (*path, name, ANY_NAME))
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _walk(kind, (*path, name))
        else:
            yield Key((*path, name), field, group)


def find(path: Path) -> Key | None:
    """Return the key that `path` is one of."""
    return next((key for key in every() if key.matches(path)), None)


def is_group(path: Path) -> bool:
    """Whether settings stand below `path`, such as `server` or `channels.phone`."""
    return any(len(path) < len(key.path) and key.matches((*path, *key.path[len(path) :])) for key in every())


def nearest(path: Sequence[str]) -> str | None:
    """Return the setting or group that a mistyped `path` probably meant, also when only its group is wrong."""
    if not path:
        return None
    # The name of a channel is free: only what stands around it can be mistyped.
    names = [_with_names_of(key.path, path) for key in every()]
    groups = list(dict.fromkeys(key.path[0] for key in every()))
    close = difflib.get_close_matches(".".join(path), groups if len(path) == 1 else names, n=1, cutoff=0.6)
    if close:
        return close[0]
    by_last = {name.rpartition(".")[2]: name for name in reversed(names)}
    close = difflib.get_close_matches(path[-1], by_last, n=1, cutoff=0.75)
    return by_last[close[0]] if close else None


def _with_names_of(pattern: Path, path: Sequence[str]) -> str:
    return ".".join(
        path[place] if part == ANY_NAME and place < len(path) else part for place, part in enumerate(pattern)
    )


def from_variable(variable: str) -> Path | None:
    """Return the path that an environment variable sets, or None if it is not a setting."""
    name = variable.removeprefix(PREFIX).lower()
    for key in every():
        if ANY_NAME not in key.path:
            if name == "_".join(key.path):
                return key.path
            continue
        before, _, after = "_".join(key.path).partition(ANY_NAME)
        chosen = name.removeprefix(before).removesuffix(after)
        if name == before + chosen + after and chosen:
            return tuple(chosen if part == ANY_NAME else part for part in key.path)
    return None


def leaves(tree: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Walk the values of a tree of tables."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*path, name))
        else:
            yield (*path, name), value


def plant(tree: Tree, path: Path, value: object) -> None:
    """Put `value` into a tree of tables, making the tables on the way; what is no table is replaced."""
    for name in path[:-1]:
        table = tree.get(name)
        if not isinstance(table, dict):
            table = tree[name] = {}
        tree = table
    tree[path[-1]] = value


def is_in(tree: object, path: Path) -> bool:
    """Whether a tree of tables has something at `path`."""
    for name in path:
        if not isinstance(tree, Mapping) or name not in tree:
            return False
        tree = tree[name]
    return True
