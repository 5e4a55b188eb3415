"""Amounts: how long (一个半小时), how many (8杯), with the words that say what the amount is for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.language.numerals import integer

NUMBER = r"(?:\d+(?:\.\d+)?万?|[零〇一二两三四五六七八九十百千万]+|半)"
MOST = 100_000
"""A number above this is none that is said at home."""
UNIT = r"(?:秒钟?|分钟?(?!之)|小时|天|周)"
SPAN = rf"(?:{NUMBER}个?小时零?{NUMBER}分钟?|{NUMBER}个?(?:小时|天|分钟)半(?!夜|天|年|个|小|分)|{NUMBER}个?半?{UNIT})"
MEASURE = r"(?:杯|次|个|组|顿|片|粒|根|支|下|遍|步|口|张|页|本|局|公里|瓶|碗|趟|圈|回|毫升|篇|首|套)"

_SPAN = re.compile(rf"零?(?P<n>{NUMBER})(?:个)?(?P<half>半)?(?P<unit>{UNIT})(?P<more>半)?")
_SECONDS = {"秒": 1, "分": 60, "小": 3600, "天": 86400, "周": 604800}


def number(words: str) -> float | None:
    """Read a number as it is said: 8, 1.5, 十五, 一百二, 半; None where the characters make none."""
    if words == "半":
        return 0.5
    if words.endswith("万"):
        several = number(words[:-1] or "一")
        return several * 10_000 if several is not None and several * 10_000 <= MOST else None
    if re.fullmatch(r"\d+\.\d+", words):
        return float(words) if float(words) <= MOST else None
    if "千" in words:
        head, _, tail = words.partition("千")
        thousands, rest = integer(head or "一"), integer(tail) if tail else 0
        return None if thousands is None or rest is None else float(thousands * 1000 + rest)
    found = integer(words)
    return None if found is None or found > MOST else float(found)


def seconds(words: str) -> int | None:
    """Read a length of time in whole seconds, or None."""
    total = 0.0
    at = 0
    for match in _SPAN.finditer(words):
        value = number(match["n"])
        if match.start() != at or value is None:
            return None
        at = match.end()
        total += (value + (0.5 if match["half"] or match["more"] else 0)) * _SECONDS[match["unit"][0]]
    return int(total) if at == len(words) and total == int(total) else None


@dataclass(frozen=True, slots=True)
class Count:
    """So many of something: 8杯."""

    value: int
    unit: str
    words: str
