"""What is told: plain words derived from what happened, and from what the user said to say (H-DESC-02, -05). Pure."""

from __future__ import annotations

import re

from zhixing.household.advising.spoken import span
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.words import Kind
from zhixing.household.checks.lexicon import pattern
from zhixing.household.composing.conditions import Subject
from zhixing.household.composing.dictionary import ANY_ROOM, ROOM, Entry, entries
from zhixing.household.composing.saying import Saying, as_written, happening, printable

LONGEST_NAME = 20
LONGEST = 120
"""Characters of what is told."""
_WHO = {"任何人": "有人", "已注册成员": "家里人", "陌生人": "有陌生人", "用户": ""}
_INSIDE = {"玄关": "门口", "阳台": "阳台上", "走廊": "走廊里", "院子": "院子里"}
_SEEN = re.compile(r"检测到|识别到|感知到|察觉到")
_UNFIT = re.compile(r"[；;]+|[\r\n\t]+")
_MARKS = re.compile(r"[{}$<>%`|\\]+|(?i:miloco-cli|openclaw|zhixing)")
_PRAISE = re.compile(r"^(?:夸夸?|表扬|鼓励)")
_GREET = re.compile(r"^(?:欢迎|招呼|打个?招呼)")
_SPEAK = re.compile(r"^(?:说|[跟和]\S{1,2}[说讲]|讲声|喊|吼|念|播)")
_THEM = frozenset("他她它")
_BARE = re.compile(
    r"^(?:谁|一声|告诉|一下|一句|一段|我|他|她|它|大家|爸爸?|妈妈?|我?[爸妈]|起来|人|音乐|提醒|通知|消息|知道|[我他她]?跟\S{1,2})*$"
)
_NOUN_LIKE = re.compile(r"^(?:别|不要|该|记得|请|快|早点|赶紧|好好|加油|辛苦|你|小心|注意)")


def clean(words: str) -> str:
    """Return words that may stand in a desc or a name: one line, no gaps, no semicolon, nothing about seeing."""
    line = _SEEN.sub("有", as_written(words))
    for place in ("desc.commands_patterns", "condition.placeholder_patterns", "desc.notice_pattern"):
        line = pattern(place).sub(" ", line)
    line = printable(line)
    line = _UNFIT.sub("，", _MARKS.sub("", line))
    line = re.sub(r"\s*，[\s，]*", "，", re.sub(r"\s+", " ", line)).strip(" ，")
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def called(subject: Subject) -> str:
    """Return how a message calls somebody: 有人, 妈妈, or nothing where it is the user who reads it."""
    return _WHO.get(subject.name, subject.name)


def where(room: str | None) -> str:
    """Return a room as the place where something is: 客厅里, 门口."""
    return "" if not room else _INSIDE.get(room, f"{room}里")


def entry_of(draft: Draft) -> Entry | None:
    """Return what the dictionary has of the behaviour."""
    return entries().get(draft.behaviour.key) if draft.behaviour is not None else None


def name_of(draft: Draft) -> str:
    """Return what the behaviour is called: 喝水, 进书房; the words themselves where the dictionary does not know it."""
    entry = entry_of(draft)
    if entry is None:
        return clean(happening(draft.text)).removesuffix("了")[:LONGEST_NAME]
    return entry.name.replace(ROOM, draft.rooms[0] if draft.rooms else ANY_ROOM)


def doer(draft: Draft, subject: Subject) -> str:
    """Return who stands in front of the name of the behaviour; the user's own words say it themselves."""
    return called(subject) if entry_of(draft) is not None else ""


def fact(draft: Draft, subject: Subject) -> str:
    """Return what is so when the rule answers, as a clause: 客厅里有人摔倒了, 已久坐 30 分钟."""
    entry, room = entry_of(draft), draft.rooms[0] if draft.rooms else None
    placed = entry is not None and ("{room}" in entry.fact or "{place}" in entry.fact)
    begins = entry is not None and (not entry.fact or "{who}在" in entry.fact)
    who = _placed(subject, "" if placed else where(room), doing=begins)
    if entry is None:
        return clean(happening(draft.text))
    hold = _said_hold(draft)
    values = {"who": who, "room": room or ANY_ROOM, "span": "" if hold is None else span(hold)}
    values["place"] = where(room) or "地上"
    if hold is not None and entry.lasting:
        return entry.lasting.format(**values)
    if entry.fact:
        words = entry.fact.format(**values)
        if "{who}" not in entry.fact and room and not placed:
            words = f"{where(room)}{words}"
        return words if hold is None else f"{words}，已经 {values['span']}"
    continuous = draft.behaviour is not None and draft.behaviour.kind is Kind.CONTINUOUS
    if continuous and hold is not None:
        return f"{who}已连续{entry.name} {values['span']}"
    if continuous:
        begins = draft.mode is not None and draft.mode.value == "state" and draft.record is None
        return f"{who}开始{entry.name}了" if begins else f"{who}正在{entry.name}"
    return f"{who}{name_of(draft)}了"


def news(draft: Draft, subject: Subject, saying: Saying) -> str:
    """Return what is told when the rule answers: the fact, with what the user said to say."""
    what = fact(draft, subject)
    if saying.gate is not None and saying.gate.hours is not None:
        what = f"{saying.gate.words}{what}" if not what.startswith(saying.gate.words) else what
    return clean(_told(draft, subject, saying, what)) or clean(what)


def _told(draft: Draft, subject: Subject, saying: Saying, what: str) -> str:
    response, content = saying.response, clean(saying.content)
    verb = "" if response is None else response.verb
    who = called(subject) if subject.person else ""
    if content and content in what:
        return what
    if _PRAISE.match(verb):
        return f"{who}真棒，{what}" if who and not what.startswith(who) else f"{what}，真棒"
    if _GREET.match(verb) or (response is not None and "欢迎" in response.words):
        arrives = draft.behaviour is not None and "arrives" in draft.behaviour.marks
        return f"{who}，欢迎回家".lstrip("，") if arrives else f"{who}，你好".lstrip("，")
    entry = entry_of(draft)
    if not content or _BARE.match(content):
        advice = entry.advice if entry is not None and _said_hold(draft) is not None else ""
        return f"{what}，{advice}" if advice else what
    if not verb or _SPEAK.match(verb) or _NOUN_LIKE.match(content):
        said = not verb or _SPEAK.match(verb) is not None
        return content if said and _aloud(draft) else f"{what}，{content}"
    hearer = "" if response is None else response.hearer
    return f"{what}，提醒{hearer}{content}" if hearer in _THEM else f"{what}，记得{content}"


def _aloud(draft: Draft) -> bool:
    """Whether it is heard where it happens and nowhere else: then the words alone are enough."""
    return draft.channel is not None and draft.channel.value == "speaker" and len(draft.channels) < 2


def _placed(subject: Subject, place: str, *, doing: bool) -> str:
    """Return who it is and where; `doing`: words with 在 follow, and one is enough."""
    who = called(subject)
    if not place or not who:
        return f"{place}有人" if place else who
    if subject.person and not doing:
        return f"{who}在{place}"
    return f"{place}{who}" if subject.person or who.startswith(("有", "家里人")) else f"{place}的{who}"


def _said_hold(draft: Draft) -> int | None:
    """Return the time that the user said it has to last."""
    claim = draft.duration
    return None if claim is None or claim.must_be_told or draft.record is not None else claim.value
