"""One instant: in twenty minutes, tomorrow at nine, on the 3rd of next month (H-TRG-01, A-46)."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from zhixing.household.assembling.amounts import NUMBER, number, seconds
from zhixing.household.assembling.clock import Clock, Schedule, taken
from zhixing.household.assembling.clock_points import MIDNIGHT, PART, Point, read_points, shift, usual
from zhixing.household.assembling.request import Home

_RELATIVE = re.compile(
    rf"(?:^|(?<=提醒我)|(?<=叫我)|(?<=喊我)|(?<=通知我)|(?<=告诉我)|(?<=定个)|(?<=设个)|(?<=定一个)|(?<=设一个))(?:等|再|过|再过|等过)?(?P<span>(?:{NUMBER}个?半?(?:秒钟?|分钟?|小时|天))+)(?P<after>后|以后|之后)?"
)
_SOON = re.compile(
    r"(?:过|等|待)?(?:一会儿?|一下|会儿|一阵子?)(?=提醒|叫|喊|告诉|通知|跟我)|^(?:过(?:一)?会儿?|过(?:一)?阵子?|待会儿?|等会儿?|等一会儿?|等一下|回头)"
)
_DAY_WORD = re.compile(
    rf"(?P<rel>今天|明天|大后天|后天|今晚|明晚|明早|今早)|(?P<next>下下?个?)?(?:这个?|本)?周(?P<wd>[一二三四五六日])|(?:(?P<nm>下个?月)|(?:(?P<mon>{NUMBER})月))?(?P<dom>{NUMBER})[号日]"
)
_PART = re.compile(rf"^\s*的?(?P<part>{PART})")
_OFFSET = {"今天": 0, "今晚": 0, "今早": 0, "明天": 1, "明晚": 1, "明早": 1, "后天": 2, "大后天": 3}
_WEEKDAY = {char: day for day, char in enumerate("一二三四五六日")}
SMALL_HOURS = range(1, 6)
"""A bare hour of these may be meant for the afternoon: not certain, but for the nearest one."""
_BEDTIME = re.compile(r"(?:睡觉?|临睡|上床)之?前")
_SAME_TIME = re.compile(
    r"(?P<day>明天|后天|大后天)的?(?:这个点|这个时候|这个时间|这时候|这会儿|此时|同一时间|现在这个时间)"
)
_BED = 22
_LATER_TODAY = re.compile(rf"^\s*的?(?:{PART})?(?:再)?(?:记得)?(?:用\S{{2,4}})?(?:提醒|叫|喊|通知|告诉|播报)")
"""Nothing but the part of the day stands before what is told: 今晚提醒我关窗 is an instant, 今晚有人敲门就 … a window."""
_UNSURE = Schedule("at")


def read_instant(text: str, home: Home) -> Clock:
    """Read the one instant that `text` names. Doubtful: not `sure`; past: `gone`; none at all: no schedule."""
    now = home.now.astimezone(home.zone)
    lead = text.lstrip()
    relative = _RELATIVE.search(lead)
    same, without_same = taken(_SAME_TIME, text)
    if same is not None:
        return Clock(Schedule("at", at=now + timedelta(days=_OFFSET[same["day"]])), without_same)
    if relative is not None and (relative["after"] or relative[0].startswith(("过", "再过", "等"))):
        span = seconds(relative["span"])
        rest = lead[: relative.start()] + lead[relative.end() :]
        return Clock(Schedule("at", at=now + timedelta(seconds=span or 0)), rest, sure=span is not None)
    day, without_day = taken(_DAY_WORD, text)
    if day is not None and day["dom"] and text[: day.start()].endswith(tuple("每零一二三四五六七八九十")):
        day, without_day = None, text
    points = read_points(without_day)
    soon, rest = taken(_SOON, points.rest)
    if len(points.found) > 1 or not points.sure:
        return Clock(_UNSURE, rest, sure=False)
    if points.found:
        at = _at(day, points.found[0], now)
        gone = at is not None and at <= now
        return Clock(Schedule("at", at=None if gone else at), rest, sure=at is not None, gone=gone)
    bed, without_bed = taken(_BEDTIME, rest)
    if day is not None and bed is not None and (day["rel"] or "").startswith(("今", "明")):
        return _bedtime(day, re.sub("^晚上?", "", without_bed), now)
    if day is not None:
        return _day_only(day, text, rest, now)
    if soon is None:
        return Clock(None, text)
    return Clock(Schedule("at", at=now + timedelta(minutes=15), guessed=True), rest)


def _day_only(day: re.Match[str], text: str, rest: str, now: datetime) -> Clock:
    said = day["rel"] or ""
    part, without = taken(_PART, rest)
    if said in ("今天", "今晚", "今早") and not _LATER_TODAY.search(rest):
        return Clock(None, text)
    hour = usual(part["part"]) if part is not None else 9
    hour = {"早": 8, "晚": 20}.get(said[-1:], hour)
    on = date_of(day, now.date())
    if on is None:
        return Clock(_UNSURE, rest, sure=False)
    at = datetime.combine(on, time(hour), now.tzinfo)
    gone = at <= now
    return Clock(
        Schedule("at", at=None if gone else at, guessed=True), without, sure=not gone or said[:1] == "今", gone=gone
    )


def _bedtime(day: re.Match[str], rest: str, now: datetime) -> Clock:
    """Return the evening of `day` before going to bed (A-46)."""
    on = date_of(day, now.date())
    at = datetime.combine(on, time(_BED), now.tzinfo) if on is not None else now
    return Clock(Schedule("at", at=at, guessed=True), rest, sure=at > now)


def _at(day: re.Match[str] | None, point: Point, now: datetime) -> datetime | None:
    """Return the instant, which may be past; None where it may be another."""
    said = (day["rel"] or "") if day is not None else ""
    hour: int | None = point.hour
    if not point.part and said.endswith("晚"):
        hour = shift("晚上", point.hour)
    on = now.date() if day is None else date_of(day, now.date())
    if on is None or hour is None:
        return None
    if hour == MIDNIGHT:
        return datetime.combine(on + timedelta(days=1), time(0, point.minute), now.tzinfo) if day is not None else None
    at = datetime.combine(on, time(hour, point.minute), now.tzinfo)
    bare = not point.part and not said.endswith(("早", "晚"))
    if day is not None and said != "今天":
        return None if bare and hour in SMALL_HOURS else at
    later = at + timedelta(hours=12) if bare and hour < 12 else at
    if at > now or later > now:
        return at if at > now else later
    return at + timedelta(days=1) if day is None else at


def date_of(day: re.Match[str], today: date) -> date | None:
    """Return the day that the words mean, or None where there is none (2月30号)."""
    if day["rel"]:
        return today + timedelta(days=_OFFSET[day["rel"]])
    if day["wd"]:
        monday = today - timedelta(days=today.weekday())
        weeks = {"": 0, "下": 1}.get((day["next"] or "").rstrip("个")[:2], 2)
        found = monday + timedelta(days=_WEEKDAY[day["wd"]] + 7 * weeks)
        return found if found >= today else found + timedelta(days=7)
    dom, said_month = int(number(day["dom"]) or 0), int(number(day["mon"] or "") or 0)
    year, month = today.year, said_month or today.month
    if day["nm"]:
        year, month = _following(year, month)
    found_day = _valid(year, month, dom)
    if found_day is not None and found_day < today:
        year, month = (year + 1, month) if said_month else _following(year, month)
        return _valid(year, month, dom)
    return found_day


def _following(year: int, month: int) -> tuple[int, int]:
    return year + month // 12, month % 12 + 1


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
