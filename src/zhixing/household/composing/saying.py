"""What the words of a draft say beside what was decided about them: what to tell, what to do on leaving. Pure.

The assembler decides; it keeps no words. They are read again here, with its own grammar, from the text of the draft.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.household.assembling.clock_words import read_clock
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.life import read_life
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.response import Response, head, read_notes, read_response

_AGAIN = re.compile(
    r"(?:之后|以后|然后)?每次\S{2,8}?都?再(?:提醒|告诉|播报|说)|"
    r"(?<=\S)[ ，,]?(?:之后|然后)每次\S{2,6}?都(?:提醒|告诉|播报|说)"
)
_MISSED = re.compile(r"不足|不到|没到|没够|不够|少于|没完成|没达标|没做完|少了")
_TO = (
    r"(?:你|就|都|既|也|要|再|赶紧|马上|立刻|请|用|拿|让|通过|从|在|往|给|到|来|我|手机|音箱|喇叭|AI|ai|对话|聊天|框|"
    r"里|上|面|微信|短信|邮件|的)*"
)
_WAYS = r"(?:语音提醒|语音播报|语音|播报|广播|朗读|推送|播放|通知|提示|播|念|放|弹|震|推|发|说|讲|喊|吼|响|打)"
_ALOUD = re.compile(rf"^{_TO}(?:{_WAYS}(?:给我|我)?(?:一?[声句段下条个遍首])?(?:一下)?)?")
_NOTHING = re.compile(rf"^(?:{_TO}|{_WAYS}|消息|电话|提示音|一声|一下|[他她它])*$")
_BY = re.compile(
    r"(?:[ ，]+(?:到时候?|到点|然后)?(?:用|拿|通过|在)?|(?:用|拿|通过))(?:音箱|手机|喇叭|AI对话|对话|聊天)(?:里|上)?"
    r"(?:播报|推送|通知|提醒我?|说|播|告诉我)?(?:一下|一声)?$|(?:音箱|手机)上?(?:播报|推送|通知)(?:一下|一声)?$"
)
_TRIM = re.compile(r"^(?:一声|一下|一句|[ ,，:：。])+|[ ,，。吧呗哈啦呀哦]+$")
_IF = re.compile(r"^(?:如果|要是|假如|万一|一旦|每次|当|等)|(?:的时候|的话|以后|之后|就|时|后|，| )+$")
_MISREAD = (("收十", "收拾"),)
"""Characters that are numerals elsewhere."""
_PART = r"(?:凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|夜里|夜间|半夜|深夜|白天)"
_CLOCK = r"(?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})点半?)"
_RANGE = re.compile(
    rf"(?P<part>{_PART})?(?P<clock>{_CLOCK})(?:到|至)(?:第二天|次日)?(?P<to_part>{_PART})?(?P<to>{_CLOCK})"
)
_GATE = re.compile(rf"(?P<part>{_PART})?(?P<clock>{_CLOCK})?(?P<after>以后|之后|后|过后)?")
_NUMBERS = {char: number for number, char in enumerate("零一二三四五六七八九十")} | {"十一": 11, "十二": 12}
_PARTS = {
    "凌晨": (0, 6), "清晨": (5, 8), "早上": (6, 9), "上午": (8, 12), "中午": (11, 14), "下午": (12, 18),
    "傍晚": (17, 20), "晚上": (18, 24), "夜里": (22, 6), "夜间": (22, 6), "半夜": (23, 6), "深夜": (23, 6),
    "白天": (6, 18),
}  # fmt: skip
_MORNING, _NOON = 6, 720
_LATE = frozenset(("下午", "傍晚", "晚上", "夜里", "夜间", "半夜", "深夜"))


@dataclass(frozen=True, slots=True)
class Gate:
    """The hours of the day in which it counts, and the words for them; no hours where the words are not clear."""

    words: str
    hours: tuple[int, int] | None
    """Minutes of the day, from and until; may run over midnight."""


@dataclass(frozen=True, slots=True)
class Saying:
    """The parts of the sentence that are written into the plan.

    `content`: what is to be told or done, without the verb and its hearer. `leaving`: what stands behind about leaving.
    `again`: after the goal it is told on every leaving. `missed`: it is told where a goal is missed (不足2小时).
    """

    response: Response | None
    content: str
    leaving: str
    again: bool
    missed: bool
    gate: Gate | None


def read_saying(draft: Draft, home: Home) -> Saying:
    """Read the text of `draft` again."""
    text = draft.text
    notes = read_notes(text)
    body = notes.rest
    if draft.schedule is not None and not draft.rule:
        body = _without_clock(body, home)
    first = head(body)
    response = read_response(body[first.start() :]) if first is not None else None
    return Saying(
        response,
        draft.message or as_written(_content(response)),
        text[len(body) :].strip() if notes.leaves and text.startswith(body) else "",
        _AGAIN.search(text) is not None,
        _MISSED.search(text) is not None,
        _gate(text) if draft.gate is not None else None,
    )


def happening(text: str) -> str:
    """Return the words for what starts it: what stands before the verb, without 如果 … 就."""
    first = head(text)
    before = text[: first.start()] if first is not None and first.start() > 1 else text
    return _IF.sub("", before.strip()).strip() or text


def _without_clock(body: str, home: Home) -> str:
    """Return the words without the time; where it stands behind the verb (提醒我每天8点起床) too."""
    life = read_life(body, home)
    clock = read_clock(life.rest, home)
    return clock.rest if clock.schedule is not None else life.rest


def _content(response: Response | None) -> str:
    """Return what is to be told, or done; empty where only the way of telling is said (推我手机上)."""
    if response is None:
        return ""
    words = response.words if response.act is not None and not response.tells else response.content
    if not response.verb and response.act is None:
        words = _ALOUD.sub("", response.words, count=1)
    words = without_way(words) if response.channels else words
    words = _TRIM.sub("", words.strip())
    return "" if _NOTHING.match(words) else words


def without_way(words: str) -> str:
    """Return words without a channel that is named behind them (…，用音箱)."""
    return _BY.sub("", words)


def printable(words: str) -> str:
    """Return words with a blank for whatever is no character to read."""
    return "".join(sign if sign.isprintable() else " " for sign in words)


def as_written(words: str) -> str:
    """Return words with what the normalisation of numerals took for one put back."""
    for read, meant in _MISREAD:
        words = words.replace(read, meant)
    return words


def _gate(text: str) -> Gate | None:
    """Return the first words about a time of day, with the hours they stand for."""
    between = _RANGE.search(text)
    if between is not None:
        start = _minute(between["part"] or "", between["clock"])
        end = _minute(between["to_part"] or "", between["to"])
        clear = start is not None and end is not None and start != end
        return Gate(between[0], (start, end) if clear and start is not None and end is not None else None)
    for match in _GATE.finditer(text):
        if match["part"] or match["clock"]:
            return Gate(match[0], _hours(match["part"] or "", match["clock"]))
    return None


def _hours(part: str, clock: str | None) -> tuple[int, int] | None:
    """Return from when until when; what begins in the evening lasts until the morning."""
    if clock is None:
        start, end = _PARTS[part]
        return start * 60, end % 24 * 60
    minute = _minute(part, clock)
    if minute is None:
        return None
    return minute, (_MORNING if minute >= _NOON else 12) * 60


def _minute(part: str, clock: str) -> int | None:
    """Return a time as a minute of the day; None where it may be another (8点以后)."""
    words, _, half = clock.partition("点")
    hour = int(words) if words.isdigit() else _NUMBERS.get(words)
    if hour is None:
        return None
    if part in _LATE and hour < 12:
        hour += 12
    if hour >= 24 or (not part and hour < 12):
        return None
    return hour * 60 + (30 if half else 0)
