"""Amounts: how long (一个半小时), how many (8杯), with the words that say what the amount is for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.language.numerals import integer

NUMBER = r"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百千]+|半)"
MOST = 100_000
"""A number above this is none that is said at home."""
UNIT = r"(?:秒钟?|分钟?(?!之)|小时|天|周)"
SPAN = rf"(?:{NUMBER}个?半?{UNIT}|{NUMBER}个小时零?{NUMBER}分钟?)"
MEASURE = r"(?:杯|次|个|组|顿|片|粒|根|支|下|遍|步|口|张|页|本|局|公里|瓶|碗|趟|圈|回|毫升|篇|首|套)"

_SPAN = re.compile(rf"(?P<n>{NUMBER})(?:个)?(?P<half>半)?(?P<unit>{UNIT})")
_SECONDS = {"秒": 1, "分": 60, "小": 3600, "天": 86400, "周": 604800}


def number(words: str) -> float | None:
    """Read a number as it is said: 8, 1.5, 十五, 一百二, 半; None where the characters make none."""
    if words == "半":
        return 0.5
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
        total += (value + (0.5 if match["half"] else 0)) * _SECONDS[match["unit"][0]]
    return int(total) if at == len(words) and total == int(total) else None


@dataclass(frozen=True, slots=True)
class Count:
    """So many of something: 8杯."""

    value: int
    unit: str
    words: str
