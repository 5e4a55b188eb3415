"""Lengths of time, times of day and cameras as people say them, so that they are understood when said back. Pure."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from zhixing.household.assembling.request import Camera, Home

MOST_NAMED = 5
"""Cameras that are named one by one."""
_WEEKDAYS = "日一二三四五六"
_UNITS = ((86_400, "天"), (3_600, "小时"), (60, "分钟"), (1, "秒"))
_NAMED_DAYS = {"* * *": "每天", "* * 1-5": "工作日", "* * 0,6": "周末"}


def span(seconds: int) -> str:
    """Return a length of time: 90 秒, 3 分钟, 1 小时 30 分钟. Days only where they are whole."""
    if seconds < 120 and seconds != 60:
        return f"{seconds} 秒"
    units = _UNITS if seconds % 86_400 == 0 else _UNITS[1:]
    parts, rest = [], seconds
    for size, unit in units:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts) or f"{seconds} 秒"


def point(hour: int, minute: int = 0) -> str:
    """Return a time of day: 早上9点, 下午3点半, 晚上10点20分."""
    part = _part(hour)
    shown = hour - 12 if part in ("下午", "晚上") else hour
    behind = "" if not minute else "半" if minute == 30 else f"{minute}分"
    return f"{part}{shown}点{behind}"


def _part(hour: int) -> str:
    for before, part in ((5, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (19, "下午")):
        if hour < before:
            return part
    return "晚上"


def days(expr: str) -> str | None:
    """Return the days of a cron expression: 每天, 工作日, 每周三; None where no short words fit."""
    _, _, dom, month, weekday = expr.split()
    on = f"{dom} {month} {weekday}"
    if on in _NAMED_DAYS:
        return _NAMED_DAYS[on]
    if (dom, month) == ("*", "*") and all(day.isdigit() for day in weekday.split(",")):
        return "每周" + "、".join(_WEEKDAYS[int(day) % 7] for day in weekday.split(","))
    if (month, weekday) == ("*", "*"):
        return "每月最后一天" if dom == "28-31" else f"每月{dom}号" if dom.isdigit() else None
    return f"每年{month}月{dom}号" if weekday == "*" and month.isdigit() and dom.isdigit() else None


def cron(expr: str) -> str:
    """Return a repeating schedule: 每天早上9点、下午3点; the expression's own text where no words fit."""
    if len(expr.split()) != 5:
        return expr
    minute, hours, *_ = expr.split()
    on, each = days(expr), hours.split(",")
    if on is None or not minute.isdigit() or not all(hour.isdigit() for hour in each):
        return expr
    return on + "、".join(point(int(hour), int(minute)) for hour in each)


def every(milliseconds: int) -> str:
    """Return an interval: 每 2 小时."""
    return f"每 {span(milliseconds // 1000)}"


def moment(at: datetime, home: Home) -> str:
    """Return an instant as the home's clock shows it: 6月14日早上9点."""
    local = at.astimezone(home.zone)
    return f"{local.month}月{local.day}日{point(local.hour, local.minute)}"


def end(at: datetime, home: Home) -> str:
    """Return an end: midnight belongs to the day before (A-12)."""
    local = at.astimezone(home.zone)
    if (local.hour, local.minute) != (0, 0):
        return moment(at, home)
    last = local - timedelta(days=1)
    return f"{last.month}月{last.day}日当天"


def camera(eye: Camera, eyes: tuple[Camera, ...]) -> str:
    """Return what tells a camera from the others: its room, or its name."""
    if eye.room and sum(other.room == eye.room for other in eyes) == 1:
        return shown(eye.room)
    return shown(eye.name or eye.room)


def shown(name: str) -> str:
    """Return a name that a device was given as it can be read out: front_door looks like an id."""
    return " ".join(re.sub(r"[_「」\s]+", " ", name).split())


def cameras(dids: tuple[str, ...] | None, home: Home) -> str:
    """Return the names of cameras (None: all in use), the first few of many."""
    chosen = [eye for eye in home.eyes if dids is None or eye.did in dids]
    names = [name for eye in chosen if (name := camera(eye, home.eyes))]
    more = len(names) > MOST_NAMED
    return "、".join(names[:MOST_NAMED]) + (f"等 {len(names)} 处" if more else "")
