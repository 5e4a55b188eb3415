"""Reading what a cron job says when it is due: what can be done without judgement, and what cannot. Pure.

Document 000 has three forms: 「到期销毁 task <id>」, 「提醒用户吃药」, and 「调 miloco-cli task record get <id>，按
derived.remaining 决定是否催」. Beside them stand what is told in so many words (「使用手机推送通知：…」), what a record
has come to (「汇总…的次数，…告诉用户」), and commands to devices (「拉开主卧窗帘」); several stand between 「；」.
Whatever says more than its form is for the agent. Which device is meant, the home says when it is due.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from zhixing.household.composing.orders import MOST, Order, read_orders
from zhixing.household.descs import Medium, Notification, When, one_line, read_desc


@dataclass(frozen=True, slots=True)
class EndTask:
    """End the task of that name; its time is over."""

    slug: str


@dataclass(frozen=True, slots=True)
class Remind:
    """Tell something."""

    text: str


@dataclass(frozen=True, slots=True)
class Notify:
    """Tell things, each through its medium."""

    notifications: tuple[Notification, ...]


@dataclass(frozen=True, slots=True)
class UrgeOn:
    """Tell how much is missing in the record of the task of that name, if anything is."""

    slug: str


@dataclass(frozen=True, slots=True)
class SumUp:
    """Tell what the task's own record has come to: 爷爷咳嗽. No media: everywhere."""

    what: str
    media: tuple[Medium, ...] = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """Command devices: for each command, every way to read it. What is to be told beside may be told everywhere."""

    orders: tuple[tuple[Order, ...], ...]
    notifications: tuple[Notification, ...] = ()
    reminders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """Somebody with judgement has to see to it. `tellable`: the words make sense to those who live here."""

    words: str
    tellable: bool


Done = EndTask | Remind | Notify | UrgeOn | SumUp | Switch
"""What is done without judgement."""


class Turn(StrEnum):
    """Which of the instants count that a schedule comes to."""

    LAST_DAY = "last_day"
    OTHER_WEEK = "other_week"


@dataclass(frozen=True, slots=True)
class Sometimes:
    """Do something where its turn has come."""

    turn: Turn
    wish: Done


Wish = Done | Sometimes | Judge

_SLUG = r"(?P<slug>[a-z0-9_]{1,32})"
_END = re.compile(rf"到期(?:销毁|终止|删除)\s*(?:task|任务)?\s*[:：]?\s*[「\"']?{_SLUG}[」\"']?\s*[。.]?", re.ASCII)
_URGE = re.compile(
    rf"(?:请?(?:先)?(?:调用?|运行|执行))?\s*miloco-cli\s+task\s+record\s+get\s+{_SLUG}(?:\s+--pretty)?"
    r"\s*[,，;；、]?\s*(?:然后|再)?\s*(?:按照?|根据|依据|看)\s*(?:derived\.)?remaining(?:_minutes)?"
    r"\s*(?:来)?\s*(?:决定|判断)\s*(?:是否|要不要|该不该)\s*(?:催促?|提醒|通知)(?:用户|我|一下|一次)?\s*[。.]?",
    re.ASCII,
)
_REMIND = re.compile(
    r"(?:请|到点|定时|准时)?提醒\s*(?:用户|我们?|自己|大家|一下)?\s*[:：,，]?\s*(?P<what>\S.*?)\s*[。.！!]?", re.DOTALL
)
_WAYS = {"手机推送": Medium.PHONE, "音箱播报": Medium.SPEAKER, "ai对话": Medium.CHAT}
_WAY = r"(?:手机\s*推送|音箱\s*播报|AI\s*对话)"
_SUM_UP = re.compile(
    r"汇总\s*(?P<what>\S.{0,60}?)的(?:次数|时长|情况)\s*[,，]?\s*"
    rf"(?P<ways>(?:用\s*{_WAY}\s*(?:和|、)?\s*)*)告诉(?:用户|我|大家)\s*[。.]?",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"如果|(?<!般)若(?!干)|假如|要是|根据|依据|视.{0,6}情况|看情况|按.{0,20}(?:决定|判断)|(?:决定|判断)(?:是否|要不要|该不该)|"
    r"除非|直到|[没不].{0,8}就(?:再|提醒|通知|告诉)"
)
_SECOND = re.compile(
    r"[;；]|(?:并且?|然后|接着|同时|顺便|之后)再?(?:把|将|打开|关|开(?!会|始)|播|放|调|提醒|通知|推送)|"
    r"再(?:把|将|提醒|通知|催|打开|关)"
)
_TURNS = (
    (Turn.LAST_DAY, re.compile(r"若今天是本月最后一天\s*[,，]\s*(?P<wish>.+)")),
    (Turn.OTHER_WEEK, re.compile(r"隔一周一次\s*[:：]\s*若上周没有提醒过\s*[,，]\s*(?P<wish>.+)")),
)
_COMMAND = re.compile(r"miloco|derived\.|record get|[{}$]|task_id", re.IGNORECASE)
_PROGRAM = re.compile(r"remaining|task\b", re.IGNORECASE)
_LONGEST_REMINDER = 100


def read_message(text: str) -> Wish:
    """Read the message of a cron job."""
    words = one_line(text)
    for turn, form in _TURNS:
        found = form.fullmatch(words)
        if found is not None:
            wish = _read(found["wish"])
            return Judge(words, wish.tellable) if isinstance(wish, Judge) else Sometimes(turn, wish)
    return _read(words)


def _read(words: str) -> Done | Judge:
    if (end := _END.fullmatch(words)) is not None:
        return EndTask(end["slug"])
    if (urge := _URGE.fullmatch(words)) is not None:
        return UrgeOn(urge["slug"])
    tellable = bool(words) and _COMMAND.search(words) is None
    if tellable:
        found = _reminder(words) or _summary(words) or _clauses(words)
        if found is not None:
            return found
    return Judge(words, tellable)


def _reminder(words: str) -> Remind | None:
    remind = _REMIND.fullmatch(words)
    if remind is None or len(words) > _LONGEST_REMINDER:
        return None
    judged = any(pattern.search(words) for pattern in (_CONDITION, _SECOND, _PROGRAM))
    return None if judged else Remind(remind["what"])


def _summary(words: str) -> SumUp | None:
    found = _SUM_UP.fullmatch(words)
    if found is None or _CONDITION.search(words) is not None:
        return None
    ways = re.findall(_WAY, found["ways"], re.IGNORECASE)
    return SumUp(found["what"], tuple(dict.fromkeys(_WAYS["".join(way.split()).lower()] for way in ways)))


def _clauses(words: str) -> Notify | Switch | None:
    """Read what is told through named media, and device commands; all of it is understood, or nothing is."""
    desc = read_desc(words)
    if desc.record is not None or any(one.when is not When.ALWAYS for one in desc.notifications):
        return None
    orders, reminders = [], []
    for clause in desc.rest:
        remind = _reminder(clause)
        read = () if remind is not None else read_orders(clause)
        if remind is None and not read:
            return None
        if remind is not None:
            reminders.append(remind.text)
        else:
            orders.append(read)
    if len(orders) > MOST:
        return None
    if orders:
        return Switch(tuple(orders), desc.notifications, tuple(reminders))
    return Notify(desc.notifications) if desc.notifications and not reminders else None
