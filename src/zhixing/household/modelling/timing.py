"""What a model says about the clock and the life of a task: it points at words, our own lexer reads them.

Where it cannot, a time that the model worked out counts as guessed: the user is told, and how to change it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from zhixing.household.assembling.clock import Clock, Schedule
from zhixing.household.assembling.clock_points import read_points
from zhixing.household.assembling.clock_words import read_clock
from zhixing.household.assembling.counting import period_of
from zhixing.household.assembling.life import Life, read_life
from zhixing.household.assembling.request import Home
from zhixing.household.modelling.ground import Ground
from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.protocol import WireClock, WireLife, WirePeriod, WireSpan
from zhixing.household.modelling.signs import needs
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import settle
from zhixing.tasks.schedule.cron import Cron

_LOCAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::00)?", re.ASCII)
_EXPR = re.compile(r"\d{1,2}(?:,\d{1,2})* \d{1,2}(?:,\d{1,2})*(?: [\d*,/-]{1,24}){3}", re.ASCII)
"""Points of the clock by name: a model sets nothing that runs every minute."""
_FARTHEST = timedelta(days=3 * 366)
_SHORTEST_EVERY = 60
_PERIODS = {"day": ("每天", re.compile(r"天|日|晚|早")), "week": ("每周", re.compile(r"周|星期|礼拜")),
            "month": ("每个月", re.compile("月"))}  # fmt: skip


def clock_of(wire: WireClock, ground: Ground, home: Home, place: str) -> Clock:
    """Return what the quoted words say about the clock."""
    words = ground.clock(wire.quote, f"{place}.quote")
    read = read_clock(words.replace(" ", ""), home)
    if read.sure and read.schedule is not None and read.schedule.kind == wire.kind and not read.rest.strip():
        return replace(read, rest="")
    needs("clock", words, f"{place}.quote", Fault.CLOCK)
    schedule = _worked_out(wire, ground, home, place)
    _agree(schedule, words, home, place)
    days = schedule.expr.split()[4] if schedule.expr else "*"
    return Clock(schedule, "", days)


def _worked_out(wire: WireClock, ground: Ground, home: Home, place: str) -> Schedule:
    match wire.kind:
        case "cron":
            return Schedule("cron", expr=_expression(wire.expr, place), guessed=True)
        case "every":
            length = ground.length(WireSpan(wire.every_seconds, wire.quote), place)
            if length < _SHORTEST_EVERY:
                raise Misread(Fault.CLOCK, place)
            return Schedule("every", every_ms=length * 1000, guessed=True)
    return Schedule("at", at=_local(wire.at, home, f"{place}.at"), guessed=True)


def _agree(schedule: Schedule, words: str, home: Home, place: str) -> None:
    """Raise `Misread` where the words name points of the clock and a model worked out others."""
    said = {(point.hour, point.minute) for point in read_points(words.replace(" ", "")).found}
    found: set[tuple[int, int]] = set()
    if schedule.at is not None:
        local = schedule.at.astimezone(home.zone)
        found = {(local.hour, local.minute)}
    elif schedule.expr is not None:
        minutes, hours = schedule.expr.split()[:2]
        found = {(int(hour), int(minute)) for hour in hours.split(",") for minute in minutes.split(",")}
    # 八点 may be the one in the evening.
    either = said | {(hour + 12, minute) for hour, minute in said if hour < 12}
    if said and found and not (found <= either and len(found) == len(said)):
        raise Misread(Fault.CLOCK, place)


def _expression(expr: str | None, place: str) -> str:
    words = " ".join((expr or "")[:100].split())
    if _EXPR.fullmatch(words) is None:
        raise Misread(Fault.CLOCK, f"{place}.expr")
    try:
        return Cron.parse(words).text
    except BadInput:
        raise Misread(Fault.CLOCK, f"{place}.expr") from None


def _local(words: str | None, home: Home, place: str) -> datetime:
    """Return the instant of a local time that is to come."""
    if words is None or _LOCAL.fullmatch(words) is None:
        raise Misread(Fault.CLOCK, place)
    try:
        local = datetime.fromisoformat(words)
    except ValueError:
        raise Misread(Fault.CLOCK, place) from None
    # Far years would overflow in some zones, so they are refused before they are placed.
    if not abs(local - home.now.astimezone(home.zone).replace(tzinfo=None)) <= _FARTHEST:
        raise Misread(Fault.CLOCK, place)
    at = settle(local, home.zone)
    if at <= home.now:
        raise Misread(Fault.CLOCK, place)
    return at


def life_of(wire: WireLife | None, whole: str, ground: Ground, home: Home, place: str) -> Life:
    """Return for how long the task lives. An end that cannot be told from the words is asked for (A-68)."""
    life = read_life(whole, home)
    if wire is None:
        return life
    words = ground.quote(wire.quote, f"{place}.quote")
    needs("until", words, f"{place}.quote")
    answered = ground.was_answered(wire.quote)
    if life.limited and not (life.open_end and answered):
        return life
    read = read_life(words, home)
    if read.limited and not answered:
        return replace(read, periodic=life.periodic)
    if wire.until is None:
        return Life(True, None, life.periodic, whole, open_end=True)
    return Life(True, _local(wire.until, home, f"{place}.until"), life.periodic, whole)


def period_words(wire: WirePeriod | None, whole: str, ground: Ground, place: str) -> str:
    """Return plain words for a period that was said in others than our own lexer knows; empty where it knows them."""
    if wire is None or period_of(whole) is not None:
        return ""
    plain_words, sign = _PERIODS[wire.per]
    if sign.search(ground.quote(wire.quote, f"{place}.quote")) is None:
        raise Misread(Fault.CLOCK, place)
    return plain_words
