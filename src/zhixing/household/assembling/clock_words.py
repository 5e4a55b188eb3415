"""When, by the clock: an interval, a repeating pattern, or one instant (H-SCH, H-TRG, H-FREQ)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.household.assembling.amounts import NUMBER, number, seconds
from zhixing.household.assembling.clock import Clock, Schedule, taken
from zhixing.household.assembling.clock_instants import SMALL_HOURS, read_instant
from zhixing.household.assembling.clock_points import MIDNIGHT, PART, POINT, Point, read_points, usual
from zhixing.household.assembling.request import Home

_EVERY = re.compile(
    rf"每?(?:间隔|隔|每过|每)(?P<n>{NUMBER})?个?(?P<half>半)?(?P<unit>秒|分钟|小时|天)(?!早|晚|上|下|中|\d)|(?P<again>{NUMBER}个?半?(?:分钟|小时))一次|^(?P<yet>{NUMBER}个?半?(?:分钟|小时))(?=(?:提醒|叫|喊|催)\S{{0,2}}一次)"
)
_YEARLY = re.compile(rf"每年(?:的)?(?P<m>{NUMBER})月(?P<d>{NUMBER})[号日]")
_MONTHLY = re.compile(
    rf"每个?月(?:的)?(?:(?P<last>最后一天|月底|底|末)|(?P<d>{NUMBER})[号日])|^(?P<end>月末|月底)的?(?={PART}|{NUMBER}点|提醒)"
)
_FORTNIGHT = re.compile(r"(?:[单双]周|隔周|每隔一周|每两周|每两个周|两周一次)的?(?:周(?P<d>[一二三四五六日]))?")
_WEEKLY = re.compile(
    r"每个?周(?P<d>[一二三四五六日](?:[和跟及、]?(?:每?周)?[一二三四五六日])*)(?!次|回|天|共|起|直)|(?<![这本下上每个])周(?P<many>[一二三四五六日](?:[和跟及]?周?[一二三四五六日])+)"
)
_WORKDAYS = re.compile(r"(?:每个?|周一到周五的?)?工作日(?:的)?(?:每天)?|周一(?:到|至)周?五(?:每天)?")
_WEEKENDS = re.compile(r"(?:每个?|每逢)?(?<![这本下])周末(?:的)?(?:每天)?")
_DAILY = re.compile(
    r"每天|每(?=晚|早)|(?<![第整\d一二两三四五六七八九十过])一天(?!半)(?=\S{0,14}(?:\d|[一二两三四五六七八九十几多半]))"
)
_WEEK = re.compile(
    r"每个?周(?![一二三四五六日](?!次|回|个|共))|(?<![\d一二两三四五六七八九十续着第这])一个?周(?=\S{0,12}(?:\d|[二两三四五六七八九十]))"
)
_MONTH = re.compile(r"每个?月")
_TWICE = re.compile(r"早晚(?:各)?")
_BEDTIME = re.compile(r"(?:睡觉?|临睡|上床)之?前")
_MEALS = re.compile(r"三餐(?:后|前)?|三顿饭[前后]?|早中晚|(?<![早午晚中])饭[前后]")
_ONE_MEAL = re.compile(r"(?P<meal>[早午中晚])[饭餐](?:以|之)?[前后]")
_MEAL_HOURS = {"早": "8", "午": "12", "中": "12", "晚": "18"}
_PART = re.compile(rf"^的?(?P<part>{PART})(?!餐|饭)")
_NOISE = re.compile(r"三餐|各(?=提醒|叫|喊|$)")
_WEEKDAY = {char: day for day, char in enumerate("日一二三四五六")}
_DAY = 86_400
_DATES = {
    "元旦": "1月1号", "情人节": "2月14号", "妇女节": "3月8号", "劳动节": "5月1号", "五一": "5月1号", "儿童节": "6月1号",
    "六一": "6月1号", "教师节": "9月10号", "国庆节": "10月1号", "国庆": "10月1号", "平安夜": "12月24号", "圣诞节": "12月25号",
}  # fmt: skip
_FEASTS = re.compile(
    rf"(?P<name>{'|'.join(_DATES)})(?:那天|当天|这天)?(?=的?(?:{PART}|{NUMBER}点)|(?<=每年\S\S)提醒|(?<=每年\S\S\S)提醒)"
)
_PATTERNS = (
    ("year", _YEARLY), ("dom", _MONTHLY), ("fortnight", _FORTNIGHT), ("weekly", _WEEKLY), ("workdays", _WORKDAYS),
    ("weekends", _WEEKENDS), ("daily", _DAILY), ("week", _WEEK), ("month", _MONTH),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pattern:
    """On which days something repeats. `kind`: by which words; it decides the usual time."""

    kind: str
    dom: str = "*"
    month: str = "*"
    days: str = "*"

    @property
    def on(self) -> str:
        return f"{self.dom} {self.month} {self.days}"


def read_clock(text: str, home: Home) -> Clock:
    """Read what `text` says about the clock. Where several readings are possible the answer is not `sure`."""
    text = _feast(text)
    every, rest = taken(_EVERY, text)
    if every is not None and not (every["unit"] == "天" and not every["n"] and every[0].startswith("每天")):
        return _interval(every, rest)
    for kind, words in _PATTERNS:
        match, rest = taken(words, text)
        if match is not None:
            pattern = _pattern(kind, match)
            if pattern is None:
                return Clock(Schedule("cron"), rest, sure=False)
            return _repeating(pattern, rest.replace("每天", "") if kind in ("workdays", "weekends") else rest)
    return read_instant(text, home)


def _feast(text: str) -> str:
    """Return `text` with the days of the year that have a name as dates: 元旦 is 1月1号."""
    return _FEASTS.sub(lambda match: _DATES[match["name"]], text)


def _interval(every: re.Match[str], rest: str) -> Clock:
    one = f"{every['n'] or '1'}{'个半' if every['half'] else ''}{every['unit']}"
    length = seconds(every["again"] or every["yet"] or one)
    rest = re.sub(r"^(?:就)?(?:一次)?", "", rest)
    if length is None or POINT.search(rest) or any(words.search(rest) for _, words in _PATTERNS):
        return Clock(Schedule("every"), rest, sure=False)
    if every["unit"] == "天" and every[0].startswith(("每隔", "隔")):
        length += _DAY  # 隔一天: the day between is left out
    return Clock(Schedule("every", every_ms=length * 1000), rest)


def _pattern(kind: str, match: re.Match[str]) -> _Pattern | None:
    """Return the days that `match` means; None where the calendar has none of them."""
    if kind in ("year", "dom"):
        if kind == "dom" and (match["last"] or match["end"]):
            return _Pattern(kind, dom="28-31")
        day = int(number(match["d"]) or 0)
        month = int(number(match["m"]) or 0) if kind == "year" else 1
        if not (1 <= day <= 31 and 1 <= month <= 12):
            return None
        return _Pattern(kind, dom=str(day), month=str(month) if kind == "year" else "*")
    if kind == "fortnight":
        return _Pattern(kind, days=str(_WEEKDAY[match["d"]]) if match["d"] else "1")
    if kind == "weekly":
        said = match["d"] or match["many"]
        return _Pattern(kind, days=",".join(sorted({str(_WEEKDAY[char]) for char in said if char in _WEEKDAY})))
    return _Pattern(kind, days={"workdays": "1-5", "weekends": "0,6"}.get(kind, "*"))


def _repeating(pattern: _Pattern, text: str) -> Clock:
    points = read_points(text)
    if points.found:
        expr = _expr(points.found, pattern)
        rest = _NOISE.sub("", points.rest)
        doubtful = not points.found[0].part and points.found[0].hour in SMALL_HOURS
        sure = points.sure and expr is not None and not doubtful
        return Clock(Schedule("cron", expr=expr), rest, pattern.days, sure=sure)
    meals, without_meals = taken(_MEALS, text)
    twice, without_twice = taken(_TWICE, text)
    bed, without_bed = taken(_BEDTIME, text)
    part, without_part = taken(_PART, text.lstrip())
    if twice is not None:
        expr = f"0 8,20 {pattern.on}"
        return Clock(Schedule("cron", expr=expr), without_twice, pattern.days, sure=points.sure)
    meal, without_meal = taken(_ONE_MEAL, text)
    if meal is not None:
        expr = f"0 {_MEAL_HOURS[meal['meal']]} {pattern.on}"
        return Clock(Schedule("cron", expr=expr, guessed=True), without_meal, pattern.days, sure=points.sure)
    if meals is not None or bed is not None or part is not None:
        hours = "8,12,18" if meals else "22" if bed or part is None else str(usual(part["part"]))
        rest = without_meals if meals else without_bed if bed else without_part
        # 每晚睡前: the part of the day says nothing that bedtime does not.
        rest = _PART.sub("", rest) if bed else rest
        expr = f"0 {hours} {pattern.on}"
        return Clock(Schedule("cron", expr=expr, guessed=True), rest, pattern.days, sure=points.sure)
    dated = pattern.kind in ("year", "dom")
    expr = {"week": "0 9 * * 1", "month": "0 9 1 * *"}.get(pattern.kind, f"0 9 {pattern.on}")
    return Clock(Schedule("cron", expr=expr, default=not dated, guessed=dated), text, pattern.days, sure=points.sure)


def _expr(points: tuple[Point, ...], pattern: _Pattern) -> str | None:
    """Return one expression for all points, or None where there is no single one."""
    minutes = {point.minute for point in points}
    late = any(point.hour == MIDNIGHT for point in points)
    if len(minutes) != 1 or (late and pattern.on != "* * *"):
        return None  # 每周五晚上12点 is the first minute of Saturday, or of Friday
    hours = ",".join(map(str, sorted({point.hour % MIDNIGHT for point in points})))
    return f"{minutes.pop()} {hours} {pattern.on}"
