"""Texts from elsewhere, as they stand in files: bounded, on one line, inside fences, without secrets. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from zhixing.kernel.moments import micros, zone

HIDDEN = "［已隐去］"
"""What stands where a secret was."""
SHORTEST_SECRET = 4
"""Characters below which a value is not looked for: hiding every "1" would hide the text."""

_TICKS = re.compile(r"`+")
_SPACES = re.compile(r"\s+")
_DOTS = "..."


def shortened(text: str, most: int) -> str:
    """Trim `text` and cut it to `most` characters, the last three of which are dots (downcity.md §3.3)."""
    trimmed = text.strip()
    return trimmed if len(trimmed) <= most else trimmed[: most - len(_DOTS)] + _DOTS


def one_line(text: str, most: int = 500) -> str:
    """Return `text` on one line of at most `most` characters."""
    return shortened(_SPACES.sub(" ", text), most)


def fenced(text: str, language: str = "text") -> str:
    """Put `text` into a code block that it cannot end.

    CommonMark §4.5: only a fence at least as long as the one that opened the block closes it, so this one is longer
    than any row of backticks inside.
    """
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}"


def encoded(text: str) -> bytes:
    """Write `text` as UTF-8. Half a surrogate pair, which UTF-8 cannot hold, becomes a question mark."""
    return text.encode("utf-8", "replace")


def as_json(document: dict[str, object]) -> bytes:
    """Write `document` as a person can read it."""
    # `json` itself indents in Python, many times slower, and this is written several times in each run.
    return msgspec.json.format(encoded(json.dumps(document, ensure_ascii=False, allow_nan=False)), indent=2) + b"\n"


def millis(at: datetime) -> int:
    """Return aware `at` as whole milliseconds since the epoch, as the files of downcity have it."""
    return micros(at) // 1000


def moment(at: datetime, zone_name: str) -> str:
    """Write `at` as ISO 8601 to the millisecond, with the offset it has in the zone."""
    return at.astimezone(zone(zone_name)).isoformat(timespec="milliseconds")


def hide(text: str, secrets: Iterable[str]) -> str:
    """Return `text` without the secrets, as they are and as they stand inside JSON."""
    forms = {form for secret in secrets if len(secret) >= SHORTEST_SECRET for form in _forms(secret)}
    for form in sorted(forms, key=lambda each: (-len(each), each)):  # the longest first: one may hold another
        text = text.replace(form, HIDDEN)
    return text


def _forms(secret: str) -> tuple[str, str, str]:
    return secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]
