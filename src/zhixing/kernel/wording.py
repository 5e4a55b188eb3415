"""The catalogue of what users read: Chinese first, English beside it.

A key is `section.name`; each section is one TOML file per language under `words/`. Templates use `str.format` fields.
A missing key is a programming error and raises `KeyError`; `tests/kernel/test_wording.py` checks both languages.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")


@cache
def section(name: str, language: Language) -> dict[str, str]:
    """Return the templates of one section."""
    text = files("zhixing.kernel").joinpath("words", language, f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def wording(key: str, language: Language = "zh", /, **values: object) -> str:
    """Return the text behind `key` with `values` filled in."""
    name, _, entry = key.partition(".")
    template = section(name, language)[entry]
    return template.format(**values) if values else template
