"""What properties, events and values of devices are called on the page. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from zhixing.faces.rule_words import level_text, single_line
from zhixing.kernel.wording import Language, section
from zhixing.world.devices.names import reason_text
from zhixing.world.devices.port import Done, Level, PropertySpec, Result

Text = Callable[..., str]
"""Gives a text of the catalogue in the language of whoever looks."""

_NAME = re.compile(r"[a-z]+(-[a-z]+)*")


def called(name: str, language: Language) -> str:
    """Name a property, an event or an action; what the catalogue does not know keeps its own name."""
    if _NAME.fullmatch(name) is None:
        return single_line(name)
    return section("web_home", language).get(f"is_{name.replace('-', '_')}", name)


def value_text(spec: PropertySpec | None, value: Level | None, text: Text) -> str:
    """Write a value as a person says it: 开, 24.5℃, the name of a choice."""
    if value is None:
        return text("web_home.nothing")
    if isinstance(value, bool):
        words = ("on", "off") if spec is not None and spec.name == "on" else ("yes", "no")
        return text(f"web_home.{words[0] if value else words[1]}")
    if spec is None:
        return level_text(value)
    label = next((label for choice, label in spec.choices if choice == value), None)
    return single_line(label) if label else level_text(value) + spec.unit


def result_text(spec: PropertySpec, result: Result, text: Text) -> str:
    """Write what was read, or why nothing was."""
    if isinstance(result, Done):
        return value_text(spec, result.value, text)
    return text("web_home.unread", why=reason_text(result))
