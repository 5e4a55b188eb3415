"""The language of the pages: Chinese, unless a visitor chose English."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import LANGUAGES, Language, wording

COOKIE = "zhixing-language"
LASTS = 365 * 24 * 3600
"""Seconds that a choice is kept."""


def language_of(scope: Scope) -> Language:
    """Return the language in which whoever sent a request reads."""
    return read_language(cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE, ""))


def read_language(text: str) -> Language:
    """Return the language of that name, or Chinese."""
    return next((language for language in LANGUAGES if language == text), LANGUAGES[0])


def line_of(error: ZhixingError, language: Language) -> str:
    """Say in one line what is wrong. It may quote what was sent, and that may be anything."""
    text = wording(f"errors.{error.key}", language, **error.values)
    return " ".join(text.split()).encode(errors="replace").decode()
