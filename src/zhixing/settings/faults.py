"""What is wrong with a setting, as one line that names the place, the key and the way out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import SecretStr, ValidationError
from pydantic_core import ErrorDetails

from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.kernel.wording import wording
from zhixing.settings import keys

_PROBLEMS = {
    "int_type": "integer",
    "int_parsing": "integer",
    "int_parsing_size": "integer",
    "int_from_float": "integer",
    "float_type": "number",
    "float_parsing": "number",
    "string_type": "text",
    "bool_type": "truth",
    "bool_parsing": "truth",
    "literal_error": "choice",
    "greater_than_equal": "too_small",
    "less_than_equal": "too_large",
    "string_pattern_mismatch": "name",
    "name_taken": "name_taken",
    "zone_unknown": "zone",
    "host_wrong": "host",
    "url_wrong": "url",
    "channel_url_wrong": "channel_url",
    "channel_topic_wrong": "channel_topic",
    "topic_wrong": "topic",
    "fact_wrong": "fact",
    "device_level": "device_level",
    "device_same": "device_same",
    "homeassistant_fact_wrong": "homeassistant_fact",
    "condition_twice": "condition_twice",
    "quiet_wrong": "quiet",
    "store_wrong": "store",
    "camera_twice": "camera_twice",
}
_NOT_A_TABLE = ("model_type", "model_attributes_type", "dict_type")
_EMPTY = ("string_too_short", "too_short")
_LONGEST_VALUE = 60


class Where(Protocol):
    """Where a setting was written."""

    def place(self, path: keys.Path) -> str:
        """Say it in words, for the setting at `path`."""
        ...


@dataclass(frozen=True, slots=True)
class InFile:
    """In a file, whose text is at hand to find the line in."""

    file: Path
    text: str

    def place(self, path: keys.Path) -> str:
        """Name the file and the line."""
        return wording("settings.place_file", file=self.file, line=line_of(self.text, path))


@dataclass(frozen=True, slots=True)
class InVariable:
    """In one environment variable."""

    variable: str

    def place(self, path: keys.Path) -> str:  # noqa: ARG002 - a variable holds one setting
        """Name the variable."""
        return wording("settings.place_variable", variable=self.variable)


@dataclass(frozen=True, slots=True)
class Laid:
    """In one of several places laid over another."""

    over: Mapping[keys.Path, Where]
    below: Where

    def place(self, path: keys.Path) -> str:
        """Name the place that set this, or something in its group; else what is below."""
        for set_path, where in self.over.items():
            if set_path[: len(path)] == path or (len(path) > 1 and set_path[:-1] == path[:-1]):
                return where.place(path)
        return self.below.place(path)


@dataclass(frozen=True, slots=True)
class OnCommandLine:
    """In the arguments of a command."""

    def place(self, path: keys.Path) -> str:  # noqa: ARG002 - it is the one that was given
        """Say that it was given."""
        return wording("settings.place_command")


def explain(error: ValidationError, where: Where, path: keys.Path | None = None) -> ZhixingError:
    """Turn the first thing pydantic found into our error; `path` says which setting was checked alone."""
    found = error.errors(include_url=False)
    # A mistyped name is why another one is missing.
    details = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    kind = details["type"]
    if path is None:
        path = tuple(str(part) for part in details["loc"] if part != "[key]")
    name = ".".join(path)
    if kind == "extra_forbidden":
        return unknown(path, where)
    place = where.place(path)
    if kind == "missing" or kind in _EMPTY:
        return BadInput("setting_missing", place=place, name=name)
    if kind in _NOT_A_TABLE:
        return BadInput("setting_is_group", place=place, name=name)
    return BadInput("setting_wrong", place=place, name=name, problem=_problem(details), value=_value(details, path))


def unknown(path: keys.Path, where: Where) -> ZhixingError:
    """Return the error for a setting that does not exist."""
    if path == ("server", "token"):
        return BadInput("setting_is_token", place=where.place(path))
    place, name = where.place(path), ".".join(path)
    if keys.is_group(path):
        return BadInput("setting_is_group", place=place, name=name)
    close = keys.nearest(path)
    if close is None:
        groups = "、".join(dict.fromkeys(key.path[0] for key in keys.every()))
        return BadInput("setting_unknown", place=place, name=name, groups=groups)
    return BadInput("setting_mistyped", place=place, name=name, nearest=close)


def _problem(details: ErrorDetails) -> str:
    context: dict[str, Any] = details.get("ctx") or {}
    name = _PROBLEMS.get(details["type"], "unusable")
    return wording(
        f"settings.problem_{name}",
        bound=context.get("ge", context.get("le", "")),
        choices=str(context.get("expected", "")).replace("'", "").replace(" or ", " / ").replace(", ", " / "),
    )


def _value(details: ErrorDetails, path: keys.Path) -> str:
    """Quote what was written, unless it may be a secret."""
    key = keys.find(path)
    value = details["input"]
    if isinstance(value, SecretStr) or (key is not None and key.is_secret):
        return "******"
    if isinstance(value, bool):
        return str(value).lower()
    text = " ".join(str(value).split())
    if isinstance(value, str) and details["type"].endswith("_type"):
        text = f'"{text}"'  # the quotes are what is wrong
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def line_of(text: str, path: keys.Path) -> int:
    """Return the line on which the setting at `path` is written, in a text that is right TOML.

    The shortest beginning of the text that has the setting ends with it, so beginnings are tried that end on a line
    with the setting's last name, or where a value that began there ends. What is not written itself (a missing
    setting) is found at its group.
    """
    lines = text.splitlines(keepends=True)
    while path:
        began = 0
        for number, line in enumerate(lines, start=1):
            if not began and path[-1] not in line:
                continue
            began = began or number
            tree = _beginning("".join(lines[:number]))
            if tree is not None:
                if keys.is_in(tree, path):
                    return began
                began = 0
        path = path[:-1]
    return 1


def _beginning(text: str) -> keys.Tree | None:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
