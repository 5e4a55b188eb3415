"""Amounts of time: 一个半小时, 10分钟, 一刻钟, 三天, 两周."""

from __future__ import annotations

import re

from zhixing.language.numerals import NUMBER, integer
from zhixing.language.timex import Duration

_N = NUMBER
_HOURS = re.compile(
    rf"(?P<hours>{_N})? *个?(?P<half_more>半)? *个? *(?:小时|钟头) *(?:零? *(?P<extra>{_N}) *分钟?|(?P<extra_half>半))?$"
)
_SIMPLE = re.compile(
    rf"(?P<count>{_N}|半) *个?(?P<and_half>半)? *(?P<unit>分半|分|刻|秒|天|日|星期|礼拜|周|月|年|钟|min|h|s)"
)


def read_duration(words: str) -> Duration | None:
    """Read 一个半小时, 10分钟, 一刻钟, 三天, 两周 …; None where the amount is not a definite one (半天)."""
    match = _HOURS.match(words)
    if match and (match["hours"] or match["half_more"]):
        return _hours(match)
    if "." in words:
        whole, tenth = re.findall("[0-9]+", words)
        return Duration(seconds=int(whole) * 3600 + int(tenth) * 360)
    match = _SIMPLE.match(words)
    if match is None:
        return None
    return _simple(match["count"], match["unit"], more=match["and_half"])


def _hours(match: re.Match[str]) -> Duration | None:
    hours = integer(match["hours"]) if match["hours"] else 0
    extra = integer(match["extra"]) if match["extra"] else 0
    if hours is None or extra is None:
        return None
    half = 1800 * (bool(match["half_more"]) + bool(match["extra_half"]))
    return Duration(seconds=hours * 3600 + half + extra * 60)


_SECONDS = {"秒": 1, "s": 1, "分": 60, "min": 60, "刻": 900, "钟": 3600, "h": 3600}
_DAYS = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}
_MONTHS = {"月": 1, "年": 12}
_HALVES = {"分": Duration(seconds=30), "钟": Duration(seconds=1800), "年": Duration(months=6)}


def _simple(count: str, unit: str, *, more: str | None) -> Duration | None:
    if count == "半":
        return _HALVES.get(unit)
    number = integer(count)
    if number is None or (more and unit != "钟"):
        return None
    if unit == "分半":
        return Duration(seconds=number * 60 + 30)
    if unit in _SECONDS:
        return Duration(seconds=number * _SECONDS[unit] + (1800 if more else 0))
    if unit in _DAYS:
        return Duration(days=number * _DAYS[unit])
    return Duration(months=number * _MONTHS[unit])
