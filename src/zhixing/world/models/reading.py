"""One JSON object out of what a model wrote.

Tolerated, because models without an enforced schema do it and it leaves no doubt about what is meant:

- blanks and a byte order mark around it;
- thoughts before it: from `<think>` at the beginning, or from the beginning itself, up to the first `</think>`;
- prose and code fences around it, as long as no brace is in them;
- a comma after the last member of an object or array.

Refused: anything that is not exactly one object (none, several, an array, one that is cut off), a key that occurs
twice in one object, NaN and Infinity and numbers that become them, raw line breaks inside strings, comments, single
quotes, lone surrogates and NUL (no database stores them), and more than `LONGEST` characters.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

LONGEST = 200_000
"""Characters of a reply."""

_THOUGHTS_END = "</think>"
# A string is stepped over whole, closed or not; possessive, so that nothing is looked at twice.
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)


class Unreadable(ValueError):
    """The text is refused; the message is one sentence for the model and repeats nothing out of the text."""


def read_object(text: str) -> dict[str, Any]:
    """Return the one object in `text`."""
    if len(text) > LONGEST:
        raise Unreadable(f"回答超过 {LONGEST} 个字符")
    text = _without_thoughts(text.strip().removeprefix("\ufeff").strip())
    start = text.find("{")
    if start < 0:
        raise Unreadable("回答里没有 JSON 对象")
    # An array around the object would otherwise pass as prose.
    if text[:start].rstrip().endswith("["):
        raise Unreadable("回答应是一个 JSON 对象，不是数组")
    clean = _STRING_OR_COMMA.sub(_keep_string, text[start:])
    try:
        value, end = _DECODER.raw_decode(clean)
    except json.JSONDecodeError as error:
        raise Unreadable(_what(error, clean)) from None
    except RecursionError:
        raise Unreadable("JSON 嵌套太深") from None
    except ValueError as error:  # a number with thousands of digits; Unreadable passes through
        raise error if isinstance(error, Unreadable) else Unreadable("JSON 里有太长的数字") from None
    if not isinstance(value, dict):
        raise Unreadable("回答应是一个 JSON 对象")
    if any(brace in clean[end:] for brace in "{}"):
        raise Unreadable("JSON 对象后面还有别的花括号，只能有一个对象")
    return value


def _without_thoughts(text: str) -> str:
    if text.startswith("{"):
        return text
    before, end, after = text.partition(_THOUGHTS_END)
    return after if end else before


def _keep_string(found: re.Match[str]) -> str:
    return "" if found[0] == "," else found[0]


def _what(error: json.JSONDecodeError, clean: str) -> str:
    if error.pos >= len(clean.rstrip()) or error.msg.startswith("Unterminated"):
        return "JSON 没有写完"
    return f"JSON 在第 {error.pos + 1} 个字符附近写法不对"


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("JSON 里有重复的键")
    for key, value in pairs:
        _check_text(key)
        _check_text(value)
    return found


def _check_text(value: object) -> None:
    match value:
        case str() if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
            raise Unreadable("JSON 里有不能保存的字符")
        case list():
            for item in value:
                _check_text(item)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise Unreadable("JSON 里有太大的数字")
    return number


def _no_constant(_name: str) -> NoReturn:
    raise Unreadable("JSON 里不能有 NaN 或 Infinity")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_finite, parse_constant=_no_constant)
