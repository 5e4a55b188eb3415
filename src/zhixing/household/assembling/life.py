"""For how long a task is meant to live: its window of time, if it has one (H-LIFE)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from zhixing.household.assembling.amounts import MEASURE, NUMBER, number, seconds
from zhixing.household.assembling.clock_points import CLOCK, PART
from zhixing.household.assembling.request import Home

_PERIOD = re.compile(r"每天|每晚|每早|每个?周|每个?月|每年|工作日|(?<![这本下])周末|一直(?!坐|站|躺|睡)|总是|每次|都")
_ENDLESS = re.compile(
    r"(?:整个)?[暑寒]假(?:期间|里|的时候)?|(?<!国庆)(?<!春节)(?<!五一)假期(?:里|期间|内)?|放假(?:的时候|在家的时候)|(?:住院|隔离|备考|怀孕|装修|过年|春节)期间|(?:这个|整个|今年)(?:夏天|冬天|秋天|春天)(?:里)?|(?:过年|春节|国庆|高考|中考|考试|开学|放假|期末考试|期末)(?:之)?前|(?:我|我们)?(?:出差|旅游)期间|这几天(?!就)|这阵子|这段(?:时间|日子)|放假期间|坐月子期间"
)
_BEFORE = re.compile(rf"(?P<part>今晚|今天(?:晚上|下午|上午)?|晚上|下午)?(?P<n>{NUMBER})点(?P<half>半)?(?:之|以)?前")
_NEXT = re.compile(
    rf"(?:接下来|未来)(?:的)?(?P<span>{NUMBER}个?半?(?:分钟|小时|天|周))(?:内|里|之内)?|(?P<inside>{NUMBER}(?:天|小时))(?:之|以)?内(?=有|如|要|只|$)"
)
_RUN = re.compile(
    rf"连(?:喂|吃|做|打|涂|抹)(?P<n>{NUMBER})天|从(?P<day>明天|今天|后天)(?:起|开始)(?:的)?(?:连续)?(?P<m>{NUMBER})天"
)
_FROM_NOW = re.compile(rf"从(?:今天|今晚|现在)(?:起|开始)(?!的?连?续?{NUMBER}天)")
_DAY_BEFORE = re.compile(r"(?P<day>明天|后天)(?:之|以)?前")
_WEEKEND = re.compile(r"(?:这个?|本)周末")
_WEEK = re.compile(r"(?:这个?|本)周(?![一二三四五六日末])(?:内|里|之内)?|周日(?:之|以)?前")
_MONTH = re.compile(r"(?:这个?|本)月底?(?:内|里|之内|之前|以前|前)?|月底(?:之|以)?前")
_TODAY = re.compile(
    rf"(?:在)?(?:就)?(?:今天|今晚|今夜)(?!{PART}?的?{CLOCK})(?:一天|一整天|之内|内|里|下午|上午|早上|中午|晚上)?"
)
_TWO = re.compile(rf"今明两天(?:内|里)?|这(?P<n>{NUMBER})天(?:内|里)?")
NOON = 12
_MIDNIGHT = 24
_AWAY = re.compile("出差|旅游|住院")
_INSTANT = re.compile(
    rf"今[天晚]{PART}?(?:的时候)?(?:(?:睡觉?|临睡|上床)之?前)?(?:再)?(?:记得)?(?:提醒|叫|喊|通知)(?!\S*(?:每|分钟|小时|{NUMBER}个?{MEASURE}|多[少久]|几))"
)
"""今晚提醒我关窗 names an instant; 今晚有人敲门就 … limits a task."""
_REPORT = re.compile(r"每[天晚早日].*(?:告诉|提醒|汇总|播报|发|跟)")


@dataclass(frozen=True, slots=True)
class Life:
    """Whether there is a window, when it ends, and whether words about a period stand beside it (A-29)."""

    limited: bool
    expires: datetime | None
    periodic: bool
    rest: str
    open_end: bool = False
    daily: bool = False
    away: bool = False
    tonight: datetime | None = None
    """The end of the day it was said on."""


def read_life(text: str, home: Home) -> Life:
    """Read the window of time of `text`; `rest` is the text without it."""
    text = _FROM_NOW.sub("", text)
    now = home.now.astimezone(home.zone)
    periodic = _PERIOD.search(text) is not None
    for words, end in _WINDOWS:
        match = words.search(text)
        if match is None or (words is _TODAY and (_REPORT.match(text[: match.start()]) or _INSTANT.match(text))):
            continue
        expires = end(match, now)
        rest = text[: match.start()] + text[match.end() :]
        daily = words is _RUN and match["day"] is not None
        return Life(
            True, expires, periodic, rest, expires is None, daily, _AWAY.search(match[0]) is not None, _day(now, 1)
        )
    return Life(False, None, periodic, text, tonight=_day(now, 1))


def _day(now: datetime, days: int) -> datetime:
    """Return the first instant of the day that many days on (A-12: 24:00 is 0:00 of the next day)."""
    return datetime.combine(now.date() + timedelta(days=days), time(0), now.tzinfo)


def _before(match: re.Match[str], now: datetime) -> datetime | None:
    hour = int(number(match["n"]) or 0)
    if hour == NOON and (match["part"] or "").endswith(("晚", "晚上")):
        return _day(now, 1)
    if (match["part"] or "").endswith(("晚", "晚上", "下午")) and hour < 12:
        hour += 12
    if hour == _MIDNIGHT:
        return _day(now, 1)
    if hour > 23:
        return None
    at = datetime.combine(now.date(), time(hour, 30 if match["half"] else 0), now.tzinfo)
    return at if at > now else None


def _soon(match: re.Match[str], now: datetime) -> datetime | None:
    span = seconds(match["span"] or match["inside"])
    return None if span is None else now + timedelta(seconds=span)


def _run(match: re.Match[str], now: datetime) -> datetime | None:
    days = int(number(match["n"] or match["m"]) or 0)
    return now + timedelta(days=days) if match["n"] else _day(now, days + _FIRST[match["day"]])


def _week_end(_: re.Match[str], now: datetime) -> datetime | None:
    return _day(now, 7 - now.weekday())


def _month_end(_: re.Match[str], now: datetime) -> datetime | None:
    following = (now.date().replace(day=1) + timedelta(days=32)).replace(day=1)
    return datetime.combine(following, time(0), now.tzinfo)


_FIRST = {"今天": 0, "明天": 1, "后天": 2}
_WINDOWS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], datetime | None]], ...] = (
    (_ENDLESS, lambda _match, _now: None),
    (_BEFORE, _before),
    (_DAY_BEFORE, lambda match, now: _day(now, _FIRST[match["day"]])),
    (_NEXT, _soon),
    (_RUN, _run),
    (_TWO, lambda match, now: _day(now, int(number(match["n"] or "2") or 2))),
    (_WEEKEND, _week_end),
    (_WEEK, _week_end),
    (_MONTH, _month_end),
    (_TODAY, lambda _match, now: _day(now, 1)),
)
"""What limits a task, with the end it sets. None: the end cannot be told, and is asked for (A-68)."""
