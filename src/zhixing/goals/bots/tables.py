"""Tables that people write, in TOML, YAML or JSON, asked for by name; a fault is one line that names its place."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import NoReturn, TypeVar

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.world.devices.names import quoted
from zhixing.world.devices.yamltext import Items, Leaf, Node, read_yaml

LONGEST = 256_000
"""Characters of a text."""

Choice = TypeVar("Choice", bound=StrEnum)


class Form(StrEnum):
    """How a text is written."""

    TOML = "toml"
    YAML = "yaml"
    JSON = "json"


def read_text(text: str, form: Form, longest: int = LONGEST) -> object:
    """Return what a text holds, as lists, dicts and single values; raises `BadInput` for the first thing wrong."""
    if len(text) > longest:
        raise TooLarge("bot_text_large", limit=longest)
    match form:
        case Form.YAML:
            return _yaml(text)
        case Form.JSON:
            return _json(text)
        case Form.TOML:
            return _toml(text)


def _yaml(text: str) -> object:
    try:
        return _plain(read_yaml(text))
    except BadInput as error:
        # The reader speaks of the plan of a home; the same faults have words of ours.
        raise type(error)(f"bot_yaml_{error.key.removeprefix('homeplan_')}", **error.values) from None


def _plain(node: Node) -> object:
    if isinstance(node, Leaf):
        return node.scalar()
    if isinstance(node, Items):
        return [_plain(each) for each in node.nodes]
    return {name: _plain(each) for name, each in node.nodes.items()}


def _json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise BadInput("bot_text_broken", line=error.lineno, form="JSON") from None
    except (ValueError, RecursionError):
        raise BadInput("bot_json_odd") from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise BadInput("bot_json_twice", name=quoted(name))
        found[name] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        told = re.search(r"at line (\d+)", str(error))
        line = told[1] if told else text.count("\n") + 1
        raise BadInput("bot_text_broken", line=line, form="TOML") from None


class Fields:
    """A table that may have the entries `known` and no others; `where` is what people call it."""

    def __init__(self, given: object, where: str, known: Sequence[str]) -> None:
        if not isinstance(given, Mapping):
            raise BadInput("bot_not_table", where=where)
        for key in given:
            if key not in known:
                raise _unknown(str(key), where, known)
        self.where = where
        self._given: Mapping[str, object] = given

    def has(self, name: str) -> bool:
        """Whether the entry is written."""
        return name in self._given

    def value(self, name: str) -> object:
        """Return an entry that must be there."""
        if name not in self._given:
            raise BadInput("bot_key_missing", where=self.where, name=name)
        return self._given[name]

    def text(self, name: str, limit: int, default: str | None = None) -> str:
        """Return a text of one line; without `default` it must be there and say something."""
        if default is not None and not self.has(name):
            return default
        return one_line(self.value(name), self.where, name, limit)

    def prose(self, name: str, limit: int) -> str:
        """Return a text of any number of lines, empty when it is left out."""
        given = self.value(name) if self.has(name) else ""
        text = given.strip() if isinstance(given, str) else None
        if text is None or len(text) > limit or not re.sub(r"[\n\t]", "", text.replace("\r\n", "\n")).isprintable():
            raise BadInput("bot_prose", where=self.where, name=name, limit=limit)
        return text

    def texts(self, name: str, most: int, limit: int) -> tuple[str, ...]:
        """Return texts of one line, none of them twice; empty when they are left out."""
        found = tuple(one_line(each, self.where, name, limit) for each in self.items(name, most))
        for at, each in enumerate(found):
            if each in found[:at]:
                raise BadInput("bot_value_twice", where=self.where, name=name, value=each)
        return found

    def items(self, name: str, most: int) -> list[object]:
        """Return the values of a list, empty when it is left out."""
        given = self.value(name) if self.has(name) else []
        if not isinstance(given, list):
            raise BadInput("bot_not_list", where=self.where, name=name)
        if len(given) > most:
            raise TooLarge("bot_list_long", where=self.where, name=name, limit=most)
        return given

    def truth(self, name: str, *, default: bool) -> bool:
        """Return true or false."""
        given = self.value(name) if self.has(name) else default
        if not isinstance(given, bool):
            raise BadInput("bot_not_truth", where=self.where, name=name)
        return given

    def whole(self, name: str, low: int, high: int, default: int) -> int:
        """Return a whole number between `low` and `high`."""
        return whole(self.value(name) if self.has(name) else default, self.where, name, low, high)

    def choice(self, name: str, choices: type[Choice]) -> Choice:
        """Return one of `choices`."""
        given = self.value(name)
        found = next((each for each in choices if each.value == given), None)
        if found is None:
            known = "、".join(each.value for each in choices)
            raise BadInput("bot_choice", where=self.where, name=name, value=quoted(str(given)), choices=known)
        return found


def one_line(given: object, where: str, name: str, limit: int) -> str:
    """Return a text of one line and 1 to `limit` characters."""
    text = given.strip() if isinstance(given, str) else ""
    if not text or len(text) > limit or not text.isprintable():
        raise BadInput("bot_text", where=where, name=name, limit=limit)
    return text


def whole(given: object, where: str, name: str, low: int, high: int) -> int:
    """Return a whole number between `low` and `high`."""
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise BadInput("bot_whole", where=where, name=name, low=low, high=high, value=quoted(str(given)))
    return given


def _unknown(key: str, where: str, known: Sequence[str]) -> BadInput:
    close = get_close_matches(key[:64].lower(), known, n=1, cutoff=0.6)
    if close:
        return BadInput("bot_key_mistyped", where=where, name=quoted(key), nearest=close[0])
    return BadInput("bot_key_unknown", where=where, name=quoted(key), known="、".join(known))
