"""Points of the clock: 早上八点半, 7:20, 早晚八点, with the part of the day that tells 8 from 20."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.household.assembling.amounts import NUMBER, number

PART = r"(?:凌晨|一大早|(?<!周)一早上?|大清早|清早|清晨|早上|早晨|上午|中午|下午|午后|傍晚|晚上|夜里|半夜|深夜|早|晚)"
CLOCK = rf"(?:{NUMBER}点(?:半|一刻|三刻|整|钟|{NUMBER}分?(?!钟|点|[零〇一二两三四五六七八九十\d]))?|\d{{1,2}}:\d\d)"
POINT = re.compile(rf"(?:(?<=[点半刻分\d])(?:和|跟|及|、|还有))?(?P<part>早晚|{PART})?的?(?P<clock>{CLOCK})")
_NIGHT = re.compile(r"0[1-5]:")
"""Nobody writes 03:00 and means the afternoon."""
_RANGE = re.compile(rf"{CLOCK}(?:到|至|-|~|—)(?:{PART})?的?{CLOCK}")
_ONE = re.compile(
    rf"(?P<h>{NUMBER})点(?:(?P<half>半)|(?P<quarter>一刻|三刻)|整|钟|(?P<m>{NUMBER})分?(?!钟))?|(?P<hh>\d{{1,2}}):(?P<mm>\d\d)"
)
MIDNIGHT = 24
"""The hour of 晚上12点: midnight at the end of the day."""
_AFTERNOON = ("下午", "午后", "傍晚")
_LATE = ("晚上", "晚", "夜里", "深夜")
_SMALL = ("凌晨", "半夜")
_USUAL = {"凌晨": 2, "半夜": 0, "深夜": 23, "夜里": 22, "午后": 15, "中午": 12, "傍晚": 18}
_USUAL_BY_FIRST = {"清": 7, "大": 7, "一": 8, "早": 8, "上": 10, "下": 15, "晚": 20}


@dataclass(frozen=True, slots=True)
class Point:
    """An hour and a minute of the day; `part`: the part of the day as it was said, or ''."""

    part: str
    hour: int
    minute: int


@dataclass(frozen=True, slots=True)
class Points:
    """All points of a clause, and the clause without them. `sure`: none was odd."""

    found: tuple[Point, ...]
    rest: str
    sure: bool


def usual(part: str) -> int:
    """Return the hour that a part of the day stands for where none is said (A-46)."""
    return _USUAL[part] if part in _USUAL else _USUAL_BY_FIRST[part[0]]


def shift(part: str, hour: int) -> int | None:
    """Return the hour of the day, or None where the part of the day and the hour contradict each other."""
    if part in _AFTERNOON:
        return hour + 12 if hour < 12 else hour
    if part in _LATE:
        return None if hour < 5 else MIDNIGHT if hour == 12 else hour + 12 if hour < 12 else hour
    if part == "中午":
        return hour + 12 if hour < 4 else hour
    if part in _SMALL:
        return MIDNIGHT if (part, hour) == ("半夜", 12) else hour if hour < 7 else None
    return hour


def _hour_minute(words: str) -> tuple[int, int] | None:
    match = _ONE.fullmatch(words)
    if match is None:
        return None
    if match["hh"]:
        hour: float | None = int(match["hh"])
        minute: float | None = int(match["mm"])
    else:
        hour = number(match["h"])
        quarter = {"一刻": 15, "三刻": 45}.get(match["quarter"] or "", 0)
        minute = number(match["m"]) if match["m"] else 30 if match["half"] else quarter
    if hour is None or minute is None or hour != int(hour) or minute != int(minute):
        return None
    return (int(hour), int(minute)) if hour < 24 and minute < 60 else None


def read_points(text: str) -> Points:
    """Read every point; a part of the day holds for the points behind it, and hours without one ascend (八点十二点六点)."""
    found: list[Point] = []
    odd: list[str] = []

    def take(match: re.Match[str]) -> str:
        read, both = _hour_minute(match["clock"]), match["part"] == "早晚"
        part = "" if both else match["part"] or (found[-1].part if found else "")
        part = "凌晨" if not part and _NIGHT.match(match["clock"]) else part
        hour = shift(part, read[0]) if read is not None else None
        if read is None or hour is None or hour > MIDNIGHT:
            odd.append(match[0])
            return ""
        if not match["part"] and found and hour < found[-1].hour and hour < 12:
            hour += 12
        found.append(Point(part, hour, read[1]))
        if both and hour < 12:
            found.append(Point("晚上", hour + 12, read[1]))
        return ""

    rest = POINT.sub(take, text)
    return Points(tuple(found), rest, not odd and _RANGE.search(text) is None)
